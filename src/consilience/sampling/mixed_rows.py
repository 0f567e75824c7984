"""Tables that a sampler takes and gives back: arrays, sparse matrices, pandas frames."""

import numpy as np
from scipy import sparse
from sklearn.utils.validation import validate_data

from ..data.bits import BitMatrix
from ..data.frames import (
    TEXT,
    categorical_columns,
    column_kinds,
    refuse_repeated_names,
    with_codes,
)
from ..data.nominal import nominal_mask
from ..data.refusals import refuse_not_finite
from ..data.rows import take_rows
from ..exceptions import DataError, UsageError

WHOLE = "iub"  # kinds of arrays that hold no fractions
TIMES = ("date", "time", "duration", "period")  # how pandas and Arrow name them


def check_table(sampler, X):
    """X as an array, a sparse matrix or a pandas frame with columns of several types.

    Parameters
    ----------
    sampler : estimator
        Receives `n_features_in_` and `feature_names_in_`.
    X : array-like, pandas DataFrame or sparse matrix
        The data as the caller has them. Frames stay as they are, so that no column loses its
        type, unless they are arrays or sparse matrices with names.
    """
    if isinstance(X, BitMatrix):
        raise UsageError(
            f"{type(sampler).__name__} makes rows between others, and packed bits cannot hold "
            "them; give `X.toarray()`."
        )
    if column_kinds(X) is None:
        _refuse_text(X)
    else:
        _check_frame(sampler, X)
        if not _is_uniform(X):
            validate_data(sampler, X, reset=True, skip_check_array=True)
            return X
    return validate_data(
        sampler, X, reset=True, accept_sparse=("csr", "csc"), ensure_all_finite=False
    )


def as_numbers(sampler, X, categorical):
    """Numbers of a table from `check_table`, and its mask of nominal columns.

    Parameters
    ----------
    sampler : estimator
        In whose name values are refused that are no finite numbers.
    X : ndarray, sparse matrix or pandas DataFrame
        The table.
    categorical : None, "from_dtype", bool mask or indices
        Nominal columns beside the categorical ones of a frame, which are nominal anyway.

    Returns
    -------
    numbers : ndarray or sparse matrix
        X itself, or for a frame float64 with codes in place of categories.
    nominal : bool array of shape (n_features,)
    """
    nominal = nominal_mask(categorical, X.shape[1])
    if (kinds := column_kinds(X)) is not None:
        by_dtype = categorical_columns(kinds)
        nominal |= by_dtype
        _refuse_times(X, kinds, nominal)
        texts = np.array([kind.startswith(TEXT) for kind in kinds], dtype=bool)
        X = with_codes(X, by_dtype | (texts & nominal))
    names = getattr(sampler, "feature_names_in_", None)
    refuse_not_finite(X, type(sampler).__name__, names)
    return X, nominal


def append_rows(X, rows, blocks, pairs, nominal):
    """Some rows of a table and new ones after them, in the same storage and types.

    Parameters
    ----------
    X : ndarray, sparse matrix or pandas DataFrame
        The table.
    rows : int array
        Its rows that come first.
    blocks : iterable of float64 arrays of shape (n_block, n_features)
        New rows as numbers; they are rounded for columns of whole numbers.
    pairs : Pairs
        The rows of X that each new one lies between.
    nominal : bool array of shape (n_features,)
        The nominal columns.
    """
    kept = take_rows(X, rows)
    if hasattr(X, "iloc"):
        return _append_to_frame(X, kept, list(blocks), pairs, nominal)
    parts = [kept]
    for new in blocks:
        new = (np.rint(new) if X.dtype.kind in WHOLE else new).astype(X.dtype)
        parts.append(type(X)(new) if sparse.issparse(X) else new)
    return sparse.vstack(parts, format=X.format) if sparse.issparse(X) else np.vstack(parts)


def _append_to_frame(X, kept, blocks, pairs, nominal):
    """The same for a frame: categories are taken from its rows, numbers get their column's type."""
    import pandas as pd

    if not blocks:
        return kept.reset_index(drop=True)
    new, columns, place = np.concatenate(blocks), {}, 0
    for j in range(X.shape[1]):
        column = X.iloc[:, j]
        if nominal[j]:
            columns[j] = column.iloc[pairs.donors(place)].array
            place += 1
        else:
            whole = pd.api.types.is_integer_dtype(column) or pd.api.types.is_bool_dtype(column)
            numbers = pd.Series(np.rint(new[:, j]) if whole else new[:, j])
            columns[j] = numbers.astype(column.dtype).array
    made = pd.DataFrame(columns).set_axis(X.columns, axis=1)
    return pd.concat([kept, made], ignore_index=True)


def _check_frame(sampler, X):
    """Refuse frames that imbalanced-learn could not give back."""
    if not hasattr(X, "iloc"):
        raise UsageError(
            f"{type(sampler).__name__} is a sampler of imbalanced-learn, and these know pandas "
            "frames only; give `X.to_pandas()`."
        )
    refuse_repeated_names(X)
    if 0 in X.shape:
        raise DataError(
            f"X has {X.shape[0]} rows and {X.shape[1]} columns; give 2 rows and 1 column or more."
        )


def _is_uniform(X) -> bool:
    """Whether a frame is an array of numbers, or a sparse matrix, with names."""
    kinds, first = {str(kind) for kind in X.dtypes}, X.dtypes.iloc[0]
    if all(kind.startswith("Sparse") for kind in kinds):
        return True
    return len(kinds) == 1 and isinstance(first, np.dtype) and first.kind in WHOLE + "f"


def _refuse_text(X):
    """Raise for text in an array or in lists, with its place."""
    if sparse.issparse(X):
        return
    cells = np.asarray(X)
    if cells.dtype.kind not in "OUS" or cells.ndim != 2:
        return
    for (row, column), cell in np.ndenumerate(cells):
        if isinstance(cell, (str, bytes)) and not _is_number(cell):
            raise DataError(
                f"Column 'x{column}' holds {str(cell)!r} in row {row}, which is not a number; give "
                "a data frame in which the column is categorical, or numbers that stand for its "
                "values."
            )


def _is_number(text) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _refuse_times(X, kinds, nominal):
    """Raise for dates: as nanoseconds they would outweigh every other column."""
    for name, kind, named in zip(X.columns, kinds, nominal, strict=True):
        if kind.startswith(TIMES) and not named:
            raise DataError(
                f"Column {str(name)!r} holds times ({kind}), which are not numbers; give the days "
                "since some date, or leave the column out."
            )
