"""Whether data that are mapped from a file are still what they were when the work began."""

from .bits import BitMatrix
from .block_matrix import BlockMatrix


def check_unchanged(X) -> None:
    """Raise DataError if the file behind X has changed; data in memory are not asked.

    Long work calls it after each step, before what the step found counts: what was read before and
    after a change belongs to no table at all.

    Parameters
    ----------
    X : array, data frame, sparse matrix, BitMatrix or BlockMatrix
        The data.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.data.unchanged import check_unchanged
    >>> check_unchanged(np.eye(3))
    """
    if isinstance(X, (BitMatrix, BlockMatrix)):
        X.check_unchanged()
