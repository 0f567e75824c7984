"""Some rows of a table, whatever holds it."""

import numpy as np

from .bits import BitMatrix


def take_rows(X, rows):
    """Some rows of an array, data frame, sparse matrix or BitMatrix, kept as what it is.

    Parameters
    ----------
    X : ndarray, pandas or polars DataFrame, CSR or CSC matrix, or BitMatrix
        The table.
    rows : int or bool array-like
        Which rows, by numbers in the order wanted or by a mask.

    Examples
    --------
    >>> import pandas as pd
    >>> from consilience.data.rows import take_rows
    >>> take_rows(pd.DataFrame({"a": [1, 2, 3]}, index=["x", "y", "z"]), [2, 0])
       a
    z  3
    x  1
    """
    rows = np.asarray(rows)
    rows = np.flatnonzero(rows) if rows.dtype == bool else rows.astype(np.intp, copy=False)
    if isinstance(X, BitMatrix):
        return X.take(rows=rows)
    return X.iloc[rows] if hasattr(X, "iloc") else X[rows]
