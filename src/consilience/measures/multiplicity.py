"""What p values are worth when several questions were asked at once."""

import numpy as np


def holm(p_values) -> np.ndarray:
    """Correct p values for the number of tests by Holm's step-down method.

    A corrected value below 0.05 may be called significant: the chance that any of the tests is
    wrongly significant stays below 5 %, however the tests depend on each other.

    Parameters
    ----------
    p_values : array-like of shape (n_tests,)
        As each test alone gives them.

    Returns
    -------
    float array of shape (n_tests,)
        Never smaller than the given ones, at most 1.

    References
    ----------
    Holm: A simple sequentially rejective multiple test procedure. Scandinavian Journal of
    Statistics 1979.

    Examples
    --------
    >>> from consilience.measures.multiplicity import holm
    >>> holm([0.01, 0.04, 0.03])
    array([0.03, 0.06, 0.06])
    """
    p_values = np.asarray(p_values, dtype=float)
    order = np.argsort(p_values, kind="stable")
    steps = (p_values.size - np.arange(p_values.size)) * p_values[order]
    corrected = np.empty(p_values.size)
    corrected[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return corrected
