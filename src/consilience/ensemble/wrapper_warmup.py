"""Compile what a wrapper needs, by running small ones."""

import numpy as np
from scipy import sparse
from sklearn.naive_bayes import GaussianNB

from ..data.bits import BitMatrix
from ..heard import hear
from .balanced_wrapper import BalancedWrapper

SMALL = {"n_features_to_select": 2, "ensemble_size": 2, "random_state": 0}
BRED = {**SMALL, "n_generations": 1, "population": 4}


def warm_wrapper() -> None:
    """Run every search on a small table, in every storage: later runs find compiled code.

    Examples
    --------
    >>> from consilience.ensemble.wrapper_warmup import warm_wrapper
    >>> warm_wrapper()
    """
    numbers, y = _small_table()
    cells = (numbers > 0).astype(np.float64)
    nominal = np.where(np.arange(4) < 2, np.round(numbers), numbers)
    runs = [
        (BalancedWrapper(stop="permutation", n_permutations=1, alpha=0.5, **SMALL), numbers),
        (BalancedWrapper(GaussianNB(), **SMALL), numbers),
        (BalancedWrapper(search="genetic", crossover="uniform", **BRED), numbers),
        (BalancedWrapper(search="genetic", selection="roulette", **BRED), numbers),
        (BalancedWrapper(search="swarm", smote_space="full", **BRED), numbers),
        (BalancedWrapper(categorical_features=[0, 1], **SMALL), nominal),
        (BalancedWrapper(**SMALL), np.round(numbers).astype(np.float32)),
        (BalancedWrapper(**SMALL), sparse.csr_array(cells)),
        (BalancedWrapper(**SMALL), sparse.csr_array(np.maximum(numbers, 0))),
        (BalancedWrapper(**SMALL), BitMatrix.from_array(cells)),
    ]
    with hear():  # of data that nobody will see
        for wrapper, X in runs:
            wrapper.fit(X, y)


def warm_for(wrapper: BalancedWrapper, X) -> None:
    """Run a wrapper on a small made table that is stored as X is.

    What the fit to X needs is compiled then, or read from the disk, and its times are its own.

    Parameters
    ----------
    wrapper : BalancedWrapper
        Never changed; its search and its nominal columns are looked at.
    X : array, sparse matrix or BitMatrix
        The data to come; only their kind is looked at.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience import BalancedWrapper
    >>> from consilience.ensemble.wrapper_warmup import warm_for
    >>> warm_for(BalancedWrapper(), np.eye(3))
    """
    made, y = _small_table()
    if isinstance(X, BitMatrix):
        made = BitMatrix.from_array((made > 0).astype(np.uint8))
    elif sparse.issparse(X):
        made = sparse.csr_array((made > 0).astype(np.float64))
    elif wrapper.categorical_features is not None:
        made = np.round(made)
    bred = BRED if wrapper.search in ("genetic", "swarm") else SMALL
    small = BalancedWrapper(search=wrapper.search, **bred)
    if isinstance(made, np.ndarray) and wrapper.categorical_features is not None:
        small.set_params(categorical_features=[0, 1])
    with hear():
        small.fit(made, y)


def _small_table():
    """Thirty rows, ten of them of one class, and four columns."""
    rng = np.random.default_rng(0)
    y = (np.arange(30) % 3 == 0).astype(np.int64)
    return rng.normal(size=(30, 4)) + y[:, None], y
