"""Keys of columns by content, so that a draw does not depend on the order of the columns."""

import numpy as np

from .content_keys import content_keys


def column_keys(X, y) -> np.ndarray:
    """A number for the content of each column: the same in any storage and any order of X.

    Subspaces are drawn from the columns in the order of their keys; see `content_keys`, and
    `column_order` for columns that share one.

    Parameters
    ----------
    X : ndarray, sparse matrix or BitMatrix of shape (n_samples, n_features)
        Numeric data.
    y : int array of shape (n_samples,)
        Class of each row, as 0..c-1.

    Returns
    -------
    uint64 array of shape (n_features,)

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.sampling.column_keys import column_keys
    >>> X = np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 0.0], [2.0, 1.0, 2.0]])
    >>> a, b, c = column_keys(X, np.array([0, 1, 1]))
    >>> a == c, a == b
    (np.True_, np.False_)
    """
    return content_keys(X, y).columns
