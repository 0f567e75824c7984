"""Data frames with nominal or text columns, pandas or polars, as arrays of numbers."""

import numpy as np

from ..exceptions import DataError

CATEGORICAL = ("category", "Categorical", "Enum")
TEXT = ("object", "str", "String", "Utf8")


def column_kinds(X) -> list[str] | None:
    """The type of each column of a data frame, as text; None where X is no data frame."""
    if hasattr(X, "dtypes") and hasattr(X, "columns") and hasattr(X, "shape"):
        return [str(kind) for kind in X.dtypes]
    return None


def refuse_repeated_names(X) -> None:
    """Raise where two columns of a data frame have one name: an answer could not tell which."""
    seen = set()
    for name in X.columns:
        if name in seen:
            raise DataError(f"Two columns are named {str(name)!r}; rename or drop one.")
        seen.add(name)


def categorical_columns(kinds: list[str]) -> np.ndarray:
    """Mask of the categorical columns.

    Examples
    --------
    >>> from consilience.data.frames import categorical_columns
    >>> categorical_columns(["float64", "category"])
    array([False,  True])
    """
    return np.array([kind.startswith(CATEGORICAL) for kind in kinds], dtype=bool)


def needs_codes(kinds: list[str]) -> bool:
    """Whether a frame has columns that no plain conversion to numbers can take."""
    return any(kind.startswith((*CATEGORICAL, *TEXT)) for kind in kinds)


def with_codes(X, nominal: np.ndarray) -> np.ndarray:
    """Float array of a data frame in which nominal columns hold codes of their categories.

    The categories that occur are numbered in the order of their text. The codes that a library
    keeps inside would depend on the library, on categories that no row has, and on what was
    read before; and the rows of a bootstrap are drawn by their content.

    Parameters
    ----------
    X : pandas or polars DataFrame
        The data.
    nominal : bool array of shape (n_features,)
        Its categorical columns; the others must hold numbers.
    """
    out = np.empty(X.shape)
    for j, name in enumerate(X.columns):
        column = frame_column(X, j)
        out[:, j] = _codes(column) if nominal[j] else column_numbers(column, name)
    return out


def frame_column(X, j: int):
    """One column of a data frame, by its place."""
    return X.iloc[:, j] if hasattr(X, "iloc") else X.to_series(j)


def column_numbers(column, name) -> np.ndarray:
    """The numbers of a column, NaN where missing; refuses a text, with its row."""
    try:
        if hasattr(column, "isna"):  # pandas.NA is no number unless one says which
            return column.to_numpy(dtype=np.float64, na_value=np.nan)
        return np.asarray(column, dtype=np.float64)
    except (TypeError, ValueError):
        for row, value in enumerate(column):
            try:
                np.asarray(value, dtype=np.float64)
            except (TypeError, ValueError):
                raise DataError(
                    f"Column {str(name)!r} holds {value!r} in row {row}, which is not a number; "
                    "make the column categorical or leave it out."
                ) from None
        raise


def _codes(column):
    values = column.astype(object) if hasattr(column, "astype") else column.cast(str)
    missing = np.asarray(values.isna() if hasattr(values, "isna") else values.is_null())
    codes = np.full(missing.size, np.nan)
    known = np.asarray(values, dtype=object)[~missing].astype(str)
    codes[~missing] = np.unique(known, return_inverse=True)[1]
    return codes
