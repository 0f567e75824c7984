"""Data frames with categories as arrays of numbers, the same numbers in fit and in predict."""

import numpy as np
from sklearn.utils import check_array
from sklearn.utils.validation import validate_data

from ..data.bits import BitMatrix
from ..data.frames import (
    CATEGORICAL,
    TEXT,
    categorical_columns,
    column_kinds,
    column_numbers,
    frame_column,
)
from ..data.nominal import nominal_mask
from ..exceptions import DataError
from ..selectors.validation import check_X, refuse_not_finite


class FrameCodes:
    """The categories of the columns of a data frame, numbered in the order of their text.

    Learned once and then applied to other frames, so that a category has the same number in all
    of them, whatever categories those have or lack and whichever library holds them.

    Parameters
    ----------
    X : pandas or polars DataFrame
        The frame to learn from.
    by_text : bool array of shape (n_features,)
        The columns to be numbered; the others must hold numbers.

    Examples
    --------
    >>> import pandas as pd
    >>> from consilience.learners.frame_codes import FrameCodes
    >>> learned = FrameCodes(pd.DataFrame({"a": ["y", "x", "y"], "b": [1, 2, 3]}), [True, False])
    >>> learned.numbers(pd.DataFrame({"a": ["z", "y", None], "b": [7, 8, 9]}))
    array([[ 2.,  7.],
           [ 1.,  8.],
           [nan,  9.]])
    """

    def __init__(self, X, by_text):
        self.categories = [
            np.unique(_texts(X, j)[0]) if by_text[j] else None for j in range(X.shape[1])
        ]

    def numbers(self, X) -> np.ndarray:
        """The frame as float64: NaN where missing, and new categories after the known ones."""
        out = np.empty(X.shape)
        for j, known in enumerate(self.categories):
            if known is None:
                out[:, j] = column_numbers(frame_column(X, j), X.columns[j])
            else:
                out[:, j] = _places(X, j, known)
        return out


def check_mixed_X(estimator, X, categorical, *, reset: bool):
    """X with categories and missing values as numbers, and its mask of nominal columns.

    As `selectors.validation.check_X`, for estimators that meet categories again in `predict`:
    what they learn of a frame is kept in ``estimator._frame_codes``.

    Parameters
    ----------
    estimator : estimator
        Receives `n_features_in_` and `feature_names_in_` when `reset`, is compared with them
        otherwise.
    X : array-like, data frame, sparse matrix or BitMatrix
        The data as the caller has them.
    categorical : None, "from_dtype", bool mask or indices
        Which columns are nominal.
    reset : bool
        Whether this is the X of `fit`.

    Returns
    -------
    X : ndarray, sparse matrix or BitMatrix
    nominal : bool array of shape (n_features,)
    """
    kinds = None if isinstance(X, BitMatrix) else column_kinds(X)
    if kinds is None:
        if reset:
            estimator._frame_codes = None
        return check_X(estimator, X, reset=reset, allow_missing=True, categorical=categorical)
    by_dtype = categorical_columns(kinds)
    from_dtype = isinstance(categorical, str) and categorical == "from_dtype"
    nominal = by_dtype if from_dtype else nominal_mask(categorical, len(kinds))
    if reset:
        texts = np.array([kind.startswith(TEXT) for kind in kinds], dtype=bool)
        by_text = by_dtype | (texts & nominal)
        estimator._frame_codes = FrameCodes(X, by_text) if by_text.any() else None
    if estimator._frame_codes is None:
        if not reset and by_dtype.any():
            name = str(X.columns[int(np.argmax(by_dtype))])
            raise DataError(
                f"Column {name!r} holds categories, but {type(estimator).__name__} was fitted to "
                "numbers; give the numbers that stand for the categories."
            )
        return check_X(estimator, X, reset=reset, allow_missing=True, categorical=categorical)
    validate_data(estimator, X, reset=reset, skip_check_array=True)
    numbers = estimator._frame_codes.numbers(X)
    numbers = check_array(numbers, ensure_all_finite=False, ensure_min_samples=2 if reset else 1)
    refuse_not_finite(numbers, estimator, allow_missing=True)
    return numbers, nominal


def _texts(X, j):
    """Text of the known cells of a column, and which cells are missing."""
    column = frame_column(X, j)
    if hasattr(column, "astype"):
        values = column.astype(object)
    else:
        from_category = str(column.dtype).startswith(CATEGORICAL)
        values = column.cast(str) if from_category else column
    missing = np.asarray(values.isna() if hasattr(values, "isna") else values.is_null())
    return np.asarray(values, dtype=object)[~missing].astype(str), missing


def _places(X, j, known):
    """Numbers of the categories of a column: NaN where missing, new ones after the known."""
    texts, missing = _texts(X, j)
    codes = np.full(missing.size, np.nan)
    if known.size == 0:
        codes[~missing] = 0.0
        return codes
    places = np.minimum(np.searchsorted(known, texts), known.size - 1)
    codes[~missing] = np.where(known[places] == texts, places, known.size)
    return codes
