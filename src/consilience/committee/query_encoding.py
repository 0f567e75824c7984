"""How the features of a query committee become columns of bits, whatever they were before.

A feature of two values is one column. A feature of more values, or with missing ones, is one
column for each value, missing being a value: all counts are then counts of ones, and every member
sees zeros and ones.
"""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from ..data.bits import BitMatrix
from ..data.block_matrix import BlockMatrix
from ..data.discrete import is_binary, refuse_other_values
from ..data.mixture import METHODS, apply_cuts, fit_cuts
from ..data.scaled_columns import dense_rows
from ..exceptions import DataError, UsageError
from ..heard import remark
from ..selectors.validation import feature_names

# Dense columns are cut, and packed ones given keys, so many cells at a time.
BLOCK_CELLS = 1 << 22
MOST_VALUES = 255  # of a column that is taken as it is


@dataclass(frozen=True)
class Encoding:
    """How the features of a table become columns of bits.

    Attributes
    ----------
    n_features : int
        Number of features.
    cuts : float64 array or None
        Where the features are cut, ascending within each, one feature after the other; None: all
        hold 0 and 1 and stay as they are.
    cut_starts : int64 array of shape (n_features + 1,) or None
        Where the cuts of each begin: one feature of many values costs the others nothing.
    missing : bool array of shape (n_features,) or None
        Whether missing is a value of it.
    starts : int64 array of shape (n_features + 1,) or None
        Where the columns of each begin; None: feature j is column j.
    common : bool array of shape (n_columns,) or None
        Whether most training rows hold a one, as far as columns are used; None: nowhere.
    """

    n_features: int
    cuts: np.ndarray | None = None
    cut_starts: np.ndarray | None = None
    missing: np.ndarray | None = None
    starts: np.ndarray | None = None
    common: np.ndarray | None = None

    @classmethod
    def of(cls, X, *, discretize="mixture", n_bins=3, estimator=None) -> "Encoding":
        """Find how a table becomes columns of bits; parameters as of `QueryColumns.of`."""
        check_cutting(discretize, n_bins)
        if isinstance(X, (BitMatrix, BlockMatrix)) or is_binary(X):  # blocks are looked at there
            return cls(X.shape[1])
        return _find_cuts(X, discretize, n_bins, estimator)

    @property
    def widths(self) -> np.ndarray:
        """Columns of each feature, int64[n_features]."""
        return np.ones(self.n_features, np.int64) if self.starts is None else np.diff(self.starts)

    def columns(self, features) -> np.ndarray:
        """Columns of some features, one after the other."""
        features = np.asarray(features, dtype=np.int64)
        if self.starts is None:
            return features
        first, widths = self.starts[features], self.starts[features + 1] - self.starts[features]
        ends = np.cumsum(widths)
        return np.repeat(first - ends + widths, widths) + np.arange(ends[-1] if ends.size else 0)

    def encode(self, X, features, estimator) -> BitMatrix:
        """The columns of some features of new rows; nothing else of X is read.

        A value that is missing where none was in training is no value: it sets none of the
        columns of its feature, and of two values it counts as the commoner one.

        Parameters
        ----------
        X : ndarray, sparse matrix or BitMatrix of shape (n_samples, n_features)
            The rows, checked.
        features : int array
            Which features, in the order wanted.
        estimator : estimator
            Whose names of the features an error uses.
        """
        if isinstance(X, BlockMatrix):
            X, features = X.take(columns=features), np.arange(len(features))
        if isinstance(X, BitMatrix) and self.cuts is None:
            return X.take(columns=features)
        if self.cuts is not None:
            part = dense_rows(X.tocsc() if sparse.issparse(X) else X, slice(None), features)
            return self._indicate(part, features, estimator)
        part = X[:, features] if not sparse.issparse(X) else X.tocsc()[:, features]
        if not is_binary(part):
            part = self._filled(part, features, estimator)
            refuse_other_values(part, feature_names(estimator)[features])
        pack = BitMatrix.from_sparse if sparse.issparse(part) else BitMatrix.from_array
        return pack(part)

    def _filled(self, part, features, estimator):
        """Columns of zeros and ones with the commoner one of these for every missing value."""
        values = part.data if sparse.issparse(part) else part
        if values.dtype.kind != "f" or not (unknown := np.isnan(values)).any():
            return part
        if sparse.issparse(part):
            columns = np.repeat(np.arange(part.shape[1]), np.diff(part.indptr))[unknown]
            part.data[unknown] = self._commoner(features)[columns]
            _warn_of_missing(part.indices[unknown], columns, features, estimator)
        else:
            rows, columns = np.nonzero(unknown)
            part[unknown] = self._commoner(features)[columns]
            _warn_of_missing(rows, columns, features, estimator)
        return part

    def _commoner(self, features):
        """The commoner value of features of one column each."""
        if self.common is None:
            return np.zeros(len(features), dtype=bool)
        at = np.asarray(features) if self.starts is None else self.starts[features]
        return self.common[at]

    def _indicate(self, part, features, estimator):
        features = np.asarray(features)
        cuts, n_cuts = self._padded_cuts(features)
        codes = apply_cuts(part, cuts)
        absent = codes == cuts.shape[1] + 1
        widths = self.starts[features + 1] - self.starts[features]
        # Codes from 0 as values; where missing is one, it is the last.
        codes = np.where(absent, n_cuts + 1, codes).astype(np.int16)
        unforeseen = absent & ~self.missing[features]
        if unforeseen.any():
            no_value = np.where(widths == 1, self._commoner(features), -1)
            codes = np.where(unforeseen, no_value, codes)
            _warn_of_missing(*np.nonzero(unforeseen), features, estimator)
        owners = np.repeat(np.arange(widths.size), widths)
        values = np.arange(owners.size) - np.repeat(np.cumsum(widths) - widths, widths)
        values[widths[owners] == 1] = 1
        words = np.empty((owners.size, -(-len(codes) // 64)), dtype=np.uint64)
        for columns in blocks(len(codes), owners.size):  # features may have hundreds
            ones = codes[:, owners[columns]] == values[columns]
            words[columns] = BitMatrix.from_array(ones).words
        return BitMatrix(words, len(codes))

    def _padded_cuts(self, features):
        """Cuts of some features, float64[n_features, most cuts], ending in inf; their numbers."""
        first = self.cut_starts[features]
        n_cuts = self.cut_starts[features + 1] - first
        cuts = np.full((features.size, int(n_cuts.max(initial=0))), np.inf)
        owners = np.repeat(np.arange(features.size), n_cuts)
        nth = np.arange(owners.size) - np.repeat(np.cumsum(n_cuts) - n_cuts, n_cuts)
        cuts[owners, nth] = self.cuts[first[owners] + nth]
        return cuts, n_cuts


def check_cutting(discretize, n_bins) -> None:
    """Refuse unknown ways to cut."""
    if discretize is not None and (not isinstance(discretize, str) or discretize not in METHODS):
        raise UsageError(
            f"discretize is {discretize!r}; choose {', '.join(map(repr, METHODS))} or None."
        )
    whole = isinstance(n_bins, (int, np.integer)) and not isinstance(n_bins, bool)
    if not whole or not 2 <= n_bins < MOST_VALUES:
        raise UsageError(
            f"n_bins is {n_bins!r}; columns are cut into 2 to {MOST_VALUES - 1} parts."
        )


def rough_widths(X, *, discretize="mixture", n_bins=3) -> np.ndarray:
    """Columns that each feature will take, about: some are looked at, and the others are like them.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.committee.query_encoding import rough_widths
    >>> rough_widths(np.array([[0, 0.5], [1, 1.5], [2, 2.5], [2, 3.5]]), n_bins=3)
    array([3, 1])
    """
    check_cutting(discretize, n_bins)
    n_samples, n_features = X.shape
    if isinstance(X, (BitMatrix, BlockMatrix)) or is_binary(X):
        return np.ones(n_features, dtype=np.int64)
    n_some = min(n_features, max(1, BLOCK_CELLS // max(1, n_samples)))
    some = np.arange(n_some) * n_features // n_some
    dense = dense_rows(X.tocsc() if sparse.issparse(X) else X, slice(None), some)
    columns = np.sort(np.asarray(dense, dtype=np.float64).T, axis=1)
    n_values = 1 + (columns[:, 1:] > columns[:, :-1]).sum(axis=1)
    if discretize is not None:
        parts = 2 if discretize == "mixture" else n_bins
        n_values = np.where(n_values > n_bins, parts, n_values)
    n_values = np.minimum(n_values, MOST_VALUES) + np.isnan(columns[:, -1])
    widths = np.where(n_values <= 2, 1, n_values)
    return widths[np.arange(n_features) * n_some // n_features]


def _find_cuts(X, discretize, n_bins, estimator) -> Encoding:
    """Columns of few values are cut between any two of them, the others as asked for."""
    n_samples, n_features = X.shape
    source = X.tocsc() if sparse.issparse(X) else X
    missing = np.zeros(n_features, dtype=bool)
    values, n_cuts = [], np.zeros(n_features, dtype=np.int64)
    for features in blocks(n_samples, n_features):
        dense = dense_rows(source, slice(None), features)
        columns = np.sort(np.asarray(dense, dtype=np.float64).T, axis=1)  # missing ones go last
        rises = columns[:, 1:] > columns[:, :-1]
        missing[features] = np.isnan(columns[:, -1])
        n_rises = rises.sum(axis=1)
        as_is = n_rises < n_bins
        if discretize is None:
            as_is[:] = True
        if (many := as_is & (n_rises >= MOST_VALUES)).any():
            _refuse_many(estimator, features[many.argmax()], n_rises[many.argmax()] + 1)
        cuts = np.full((features.size, max(1, int(n_rises[as_is].max(initial=0)))), np.inf)
        column, at = np.nonzero(rises & as_is[:, None])
        nth = np.arange(column.size) - np.repeat(np.cumsum(n_rises * as_is) - n_rises * as_is,
                                                 n_rises * as_is)  # fmt: skip
        middles = columns[column, at] / 2 + columns[column, at + 1] / 2
        # Between neighbours there may be no number; a value goes above a cut that it exceeds.
        cuts[column, nth] = np.where(
            middles < columns[column, at + 1], middles, columns[column, at]
        )
        if not as_is.all():
            found = fit_cuts(dense[:, ~as_is], discretize, n_bins)
            cuts = _widened(cuts, found.shape[1])
            cuts[~as_is] = np.inf
            cuts[~as_is, : found.shape[1]] = found
        values.append(cuts[np.isfinite(cuts)])
        n_cuts[features] = np.isfinite(cuts).sum(axis=1)
    n_values = n_cuts + 1 + missing
    starts = np.concatenate([[0], np.cumsum(np.where(n_values <= 2, 1, n_values))])
    cut_starts = np.concatenate([[0], np.cumsum(n_cuts)])
    return Encoding(n_features, np.concatenate(values), cut_starts, missing, starts)


def _widened(cuts, width):
    more = max(0, width - cuts.shape[1])
    return np.pad(cuts, ((0, 0), (0, more)), constant_values=np.inf)


def _warn_of_missing(rows, columns, features, estimator):
    """Say once which of some features are missing where they never were."""
    n_columns, first = np.unique(columns).size, np.lexsort((rows, columns))[0]
    feature = features[columns[first]]
    name = feature if estimator is None else str(feature_names(estimator)[feature])
    more = f", and {n_columns - 1} more columns" if n_columns > 1 else ""
    remark(
        f"Column {name!r} (row {int(rows[first])}{more}) holds NaN and held none when the "
        "committee was trained; such a cell counts as no value, or as the commoner of two.",
        stacklevel=2,
    )


def _refuse_many(estimator, feature, n_values):
    name = feature if estimator is None else str(feature_names(estimator)[feature])
    raise DataError(
        f"Column {name!r} takes {n_values} values, more than {MOST_VALUES}, to be counted as they "
        "are; use discretize='mixture' or 'quantile'."
    )


def blocks(n_samples, n_features):
    """Features in runs of about `BLOCK_CELLS` cells."""
    step = max(1, BLOCK_CELLS // max(1, n_samples))
    for start in range(0, n_features, step):
        yield np.arange(start, min(start + step, n_features))
