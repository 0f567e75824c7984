"""Columns of any kind as small whole numbers: intervals of numbers, categories of nominal ones."""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from ..data.bits import BitMatrix
from ..exceptions import DataError, UsageError

MISSING = -1
MOST_VALUES = 32_000  # codes are 16 bits wide
# Nominal columns with more categories than this are sorted; inserting one by one grows too slow.
FEW_CATEGORIES = 64


@dataclass(frozen=True)
class ValueCodes:
    """How each column becomes whole numbers, learned from some rows and applied to any.

    A numeric column is cut into intervals of equal length between its least and its largest
    value, or has one code for each value where it takes no more values than there would be
    intervals, with cuts half-way between them. A value on a cut belongs below it, and values out
    of the range belong to the end intervals. A nominal column has a code for each of its values;
    any other value has the code `n_values`, which no learned row has. Missing values have the
    code -1.

    Attributes
    ----------
    n_values : int64 array of shape (n_features,)
        How many codes, beside those for missing and unknown values, each column has.
    nominal : bool array of shape (n_features,)
        Which columns hold categories.
    borders : float64 array
        Cuts of the numeric and values of the nominal columns, column after column.
    starts : int64 array of shape (n_features + 1,)
        Where each column begins in `borders`.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.learners.value_codes import ValueCodes
    >>> X = np.array([[0.0, 7.0], [4.0, 3.0], [10.0, 7.0], [np.nan, 3.0]])
    >>> coded = ValueCodes.of(X, nominal=[False, True], n_bins=2)
    >>> coded.codes([[5.0, 3.0], [5.1, 7.0], [-9.0, 5.0], [np.nan, np.nan]]).tolist()
    [[0, 0], [1, 1], [0, 2], [-1, -1]]
    """

    n_values: np.ndarray
    nominal: np.ndarray
    borders: np.ndarray
    starts: np.ndarray

    @classmethod
    def of(cls, X, nominal=None, n_bins: int = 10) -> "ValueCodes":
        """Learn the codes of the columns of X from all of its rows.

        Parameters
        ----------
        X : ndarray, sparse matrix or BitMatrix of shape (n_samples, n_features)
            Numbers; NaN is missing.
        nominal : bool array of shape (n_features,), default=None
            Which columns hold categories; None is no column.
        n_bins : int, default=10
            Intervals of a numeric column.
        """
        return cls.of_columns(dense_columns(X), nominal, n_bins)

    @classmethod
    def of_columns(cls, columns, nominal=None, n_bins: int = 10) -> "ValueCodes":
        """The same from float64[n_features, n_samples]."""
        from ..kernels.value_codes import learn_borders

        n_features = len(columns)
        if nominal is None:
            nominal = np.zeros(n_features, dtype=bool)
        nominal = np.array(nominal, dtype=bool)
        if nominal.shape != (n_features,):
            raise UsageError(
                f"nominal has the shape {nominal.shape}; give a boolean for each of {n_features} "
                "columns."
            )
        room = max(n_bins, FEW_CATEGORIES) if nominal.any() else n_bins
        borders = np.empty((n_features, room))
        sizes = np.empty(n_features, dtype=np.int64)
        learn_borders(columns, nominal, n_bins, borders, sizes)
        if sizes.min(initial=0) < 0:
            flat, sizes = _with_exceptions(columns, borders, sizes)
        else:
            flat = borders[np.arange(room) < sizes[:, None]]
        starts = np.concatenate([[0], np.cumsum(sizes)])
        return cls(np.where(nominal, sizes, sizes + 1), nominal, flat, starts)

    def codes(self, X) -> np.ndarray:
        """Codes of the cells of X, int16[n_samples, n_features]."""
        return self.codes_of_columns(dense_columns(X)).T

    def codes_of_columns(self, columns) -> np.ndarray:
        """The same, int16[n_features, n_samples], from float64 of that shape."""
        from ..kernels.value_codes import code_values

        codes = np.empty(columns.shape, dtype=np.int16)
        code_values(columns, self.borders, self.starts, self.nominal, codes)
        return codes


def dense_columns(X) -> np.ndarray:
    """The cells of any storage as contiguous float64[n_features, n_samples]."""
    if isinstance(X, BitMatrix) or sparse.issparse(X):
        X = X.toarray()
    columns = np.ascontiguousarray(np.asarray(X).T, dtype=np.float64)
    return columns if columns.flags.writeable else columns.copy()  # kernels know one kind alone


def check_bins(n_bins) -> int:
    """A number of intervals, or a sentence that says so."""
    from ..selectors.validation import check_count

    if check_count("n_bins", n_bins) > MOST_VALUES:
        raise UsageError(f"n_bins is {n_bins}; give at most {MOST_VALUES} intervals.")
    return int(n_bins)


def _with_exceptions(columns, borders, sizes):
    """Borders of all columns, where some have too many categories to insert one by one."""
    parts = [
        borders[j, :size] if size >= 0 else _categories(columns[j], j)
        for j, size in enumerate(sizes)
    ]
    return np.concatenate(parts), np.array([part.size for part in parts], dtype=np.int64)


def _categories(cells, column):
    """The values of a nominal column, ascending."""
    found = np.unique(cells[~np.isnan(cells)])
    if found.size > MOST_VALUES:
        raise DataError(
            f"Column {column} (counted from 0) is nominal and takes {found.size:,} values, more "
            f"than {MOST_VALUES:,}; leave out columns that number the rows."
        )
    return found
