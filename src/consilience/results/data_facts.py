"""What the data were, for whoever reads a result later."""

import numpy as np
from scipy import sparse

from ..data.bits import BitMatrix
from ..data.block_matrix import BlockMatrix
from ..execution import fingerprint


def data_facts(X, codes, classes: list[str]) -> dict:
    """The part "data" of `result.json`, as far as arrays tell; files and names are the caller's.

    Parameters
    ----------
    X : array, sparse matrix or BitMatrix of shape (n_samples, n_features)
        The data.
    codes : int array of shape (n_samples,)
        Class of each row.
    classes : list of str
        Names of the classes.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.results.data_facts import data_facts
    >>> found = data_facts(np.eye(3), np.array([0, 1, 1]), ["ill", "well"])
    >>> found["storage"], found["classes"][1]
    ('dense', {'name': 'well', 'count': 2})
    """
    counts = np.bincount(codes, minlength=len(classes))
    return {
        "source": None,
        "target": None,
        "n_samples": int(codes.size),
        "n_features": int(X.shape[1]),
        "storage": _storage(X),
        "classes": [
            {"name": name, "count": int(n)} for name, n in zip(classes, counts, strict=True)
        ],
        "fingerprint": fingerprint(X, codes),
    }


def _storage(X) -> str:
    if isinstance(X, BlockMatrix):
        return X.kind
    if isinstance(X, BitMatrix):
        return "bits"
    return "sparse" if sparse.issparse(X) else "dense"
