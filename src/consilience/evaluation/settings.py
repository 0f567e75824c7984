"""The settings of an estimator that can change an answer, for manifests."""

import numpy as np

from ..execution import fingerprint

# Parameters that decide how the work is done and never what comes out.
WITHOUT_EFFECT = ("n_jobs", "verbose", "checkpoint", "backend")


def decisive(estimator) -> dict[str, str]:
    """The class and parameters that can change an answer, in words that outlive this process.

    Examples
    --------
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from consilience.evaluation.settings import decisive
    >>> told = decisive(KNeighborsClassifier(n_jobs=2))
    >>> told["class"], told["n_neighbors"], "n_jobs" in told
    ('KNeighborsClassifier', '5', False)
    """
    told = {"class": type(estimator).__name__}
    for name, value in estimator.get_params(deep=True).items():
        if name.rpartition("__")[2] in WITHOUT_EFFECT:
            continue
        if hasattr(value, "get_params"):  # its own parameters follow
            told[name] = type(value).__name__
        elif callable(value):  # a repr would hold its address
            told[name] = getattr(value, "__qualname__", type(value).__name__)
        elif isinstance(value, np.ndarray):  # a repr would leave out the middle
            told[name] = fingerprint(value)
        else:
            told[name] = repr(value)
    return told
