"""The features of a query committee as columns of bits, whatever they were before.

A feature of two values is one column. A feature of more values, or with missing ones, is one
column for each value, missing being a value: all counts are then counts of ones, and every member
sees zeros and ones.
"""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from ..data.bits import BitMatrix
from ..data.discrete import DiscreteColumns, as_discrete, is_binary, refuse_other_values
from ..data.discrete_bits import PackedColumns
from ..data.mixture import METHODS, apply_cuts, fit_cuts
from ..data.scaled_columns import dense_rows
from ..exceptions import DataError, UsageError
from ..execution import format_bytes
from ..sampling.content_places import content_places
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
    cuts : float64 array of shape (n_features, n_cuts) or None
        Where each is cut, ascending, the rest inf; None: all hold 0 and 1 and stay as they are.
    missing : bool array of shape (n_features,) or None
        Whether missing is a value of it.
    starts : int64 array of shape (n_features + 1,) or None
        Where the columns of each begin; None: feature j is column j.
    """

    n_features: int
    cuts: np.ndarray | None = None
    missing: np.ndarray | None = None
    starts: np.ndarray | None = None

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

        Parameters
        ----------
        X : ndarray, sparse matrix or BitMatrix of shape (n_samples, n_features)
            The rows, checked.
        features : int array
            Which features, in the order wanted.
        estimator : estimator
            Whose names of the features an error uses.
        """
        if self.cuts is None:
            if isinstance(X, BitMatrix):
                return X.take(columns=features)
            part = X[:, features] if not sparse.issparse(X) else X.tocsc()[:, features]
            if not is_binary(part):
                refuse_other_values(part, feature_names(estimator)[features])
            pack = BitMatrix.from_sparse if sparse.issparse(part) else BitMatrix.from_array
            return pack(part)
        part = dense_rows(X.tocsc() if sparse.issparse(X) else X, slice(None), features)
        return self._indicate(part, features, estimator)

    def _indicate(self, part, features, estimator):
        codes = apply_cuts(part, self.cuts[features])
        n_cuts = self.cuts.shape[1]
        n_known = np.isfinite(self.cuts[features]).sum(axis=1) + 1
        absent = codes == n_cuts + 1
        unforeseen = absent.any(axis=0) & ~self.missing[features]
        if unforeseen.any():
            column = int(unforeseen.argmax())
            name = (
                str(feature_names(estimator)[features[column]]) if estimator else features[column]
            )
            raise DataError(
                f"Column {name!r} holds NaN in row {int(absent[:, column].argmax())}, and held "
                "none when the committee was trained; fill it in, or leave the row out."
            )
        codes = np.where(absent, n_known, codes)
        widths = self.starts[np.asarray(features) + 1] - self.starts[features]
        owners = np.repeat(np.arange(widths.size), widths)
        values = np.arange(owners.size) - np.repeat(np.cumsum(widths) - widths, widths)
        values[widths[owners] == 1] = 1
        return BitMatrix.from_array(codes[:, owners] == values)


class QueryColumns:
    """The training rows of a query committee: counted in any choice of rows, taken by feature.

    Parameters
    ----------
    discrete : DiscreteColumns
        All columns of bits.
    encoding : Encoding
        Which of them make up which feature.
    storage : str
        A sentence about what holds them.
    """

    def __init__(self, discrete: DiscreteColumns, encoding: Encoding, storage: str):
        self.discrete, self.encoding, self.storage = discrete, encoding, storage
        self.n_samples, self.n_features = discrete.n_samples, encoding.n_features

    @classmethod
    def of(cls, X, *, discretize="mixture", n_bins=3, estimator=None):
        """Hold a table; what is not binary is cut into few values.

        Parameters
        ----------
        X : ndarray, sparse matrix or BitMatrix of shape (n_samples, n_features)
            Checked data; NaN is missing.
        discretize : {"mixture", "quantile", None}, default="mixture"
            How columns of more values than `n_bins` are cut; None takes all as they are.
        n_bins : int, default=3
            Number of parts of "quantile".
        estimator : estimator, default=None
            Whose names of the features an error uses.

        Examples
        --------
        >>> import numpy as np
        >>> from consilience.committee.query_columns import QueryColumns
        >>> X = np.array([[0, 2.5], [1, np.nan], [1, 7.0]])
        >>> columns = QueryColumns.of(X, discretize="quantile", n_bins=2)
        >>> columns.bits([1]).toarray()
        array([[1, 0, 0],
               [0, 0, 1],
               [0, 1, 0]], dtype=uint8)
        """
        check_cutting(discretize, n_bins)
        if isinstance(X, BitMatrix) or is_binary(X):
            discrete = as_discrete(X)
            return cls(discrete, Encoding(X.shape[1]), _said(X, discrete))
        encoding = _find_cuts(X, discretize, n_bins, estimator)
        n_samples, n_columns = X.shape[0], int(encoding.starts[-1])
        words = np.empty((n_columns, -(-n_samples // 64)), dtype=np.uint64)
        source = X.tocsc() if sparse.issparse(X) else X
        for features in _blocks(n_samples, X.shape[1]):
            part = encoding._indicate(
                dense_rows(source, slice(None), features), features, estimator
            )
            at = encoding.starts[features[0]]
            words[at : at + part.shape[1]] = part.words
        discrete = PackedColumns(BitMatrix(words, n_samples))
        said = (
            f"Packed bits, {format_bytes(discrete.nbytes)}: {X.shape[1]:,} features cut into few "
            f"values are {n_columns:,} columns of zeros and ones."
        )
        return cls(discrete, encoding, said)

    def counts(self, rows=None) -> np.ndarray:
        """Ones of every column in the rows of a mask, int32; one pass over the data."""
        return self.discrete.counts(rows)

    def weighted_counts(self, weights) -> np.ndarray:
        """Sum of the weights of the rows with a one, float64[n_columns]."""
        sums = np.empty(self.discrete.n_features)
        for columns in _blocks(self.n_samples, sums.size):
            sums[columns] = self.discrete.take(columns).tocsc(np.float64).T @ weights
        return sums

    def bits(self, features) -> BitMatrix:
        """All rows of the columns of some features."""
        return self.discrete.take(self.encoding.columns(features))

    def places(self, features, seed) -> np.ndarray:
        """Random numbers, uint64, by which equal features are ordered; see `content_places`."""
        features = np.asarray(features, dtype=np.int64)
        starts = self.encoding.starts
        found = np.empty(features.size, dtype=np.uint64)
        for block in _blocks(self.n_samples, features.size):
            places = content_places(self.bits(features[block]), seed)
            if starts is not None:
                widths = starts[features[block] + 1] - starts[features[block]]
                first = np.cumsum(widths) - widths
                which = np.arange(places.size) - np.repeat(first, widths)
                places *= 2 * which.astype(np.uint64) + np.uint64(1)  # odd: nothing is lost
                places = np.add.reduceat(places, first)
            found[block] = places
        return found

    def order(self, seed) -> np.ndarray:
        """All features in an order that depends on their content alone; equal ones as they are."""
        return np.argsort(self.places(np.arange(self.n_features), seed), kind="stable")


class Places:
    """Places of features, looked up as in an array; only those that are asked for are worked out.

    Parameters
    ----------
    columns : QueryColumns
        The features.
    seed : numpy.random.SeedSequence
        Which order.
    """

    def __init__(self, columns: QueryColumns, seed):
        self.columns, self.seed = columns, seed

    def __getitem__(self, features) -> np.ndarray:
        return self.columns.places(features, self.seed)


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


def _find_cuts(X, discretize, n_bins, estimator) -> Encoding:
    """Columns of few values are cut between any two of them, the others as asked for."""
    n_samples, n_features = X.shape
    source = X.tocsc() if sparse.issparse(X) else X
    missing = np.zeros(n_features, dtype=bool)
    parts = []
    for features in _blocks(n_samples, n_features):
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
        parts.append(cuts)
    widest = max(part.shape[1] for part in parts)
    cuts = np.concatenate([_widened(part, widest) for part in parts])
    n_values = np.isfinite(cuts).sum(axis=1) + 1 + missing
    starts = np.concatenate([[0], np.cumsum(np.where(n_values <= 2, 1, n_values))])
    return Encoding(n_features, cuts, missing, starts)


def _widened(cuts, width):
    more = max(0, width - cuts.shape[1])
    return np.pad(cuts, ((0, 0), (0, more)), constant_values=np.inf)


def _refuse_many(estimator, feature, n_values):
    name = feature if estimator is None else str(feature_names(estimator)[feature])
    raise DataError(
        f"Column {name!r} takes {n_values} values, more than {MOST_VALUES}, to be counted as they "
        "are; use discretize='mixture' or 'quantile'."
    )


def _blocks(n_samples, n_features):
    """Features in runs of about `BLOCK_CELLS` cells."""
    step = max(1, BLOCK_CELLS // max(1, n_samples))
    for start in range(0, n_features, step):
        yield np.arange(start, min(start + step, n_features))


def _said(X, discrete) -> str:
    size, packed = format_bytes(discrete.nbytes), 8 * X.shape[1] * -(-X.shape[0] // 64)
    if discrete.storage == "sparse":
        return (
            f"Lists of the rows with a one, {size}: smaller than packed bits, which would take "
            f"{format_bytes(packed)}."
        )
    if isinstance(X, BitMatrix):
        return f"Packed bits as given, {size}."
    if sparse.issparse(X):
        return f"Packed bits, {size}: smaller than lists of the rows with a one."
    return f"Packed bits, {size}, in place of {format_bytes(X.nbytes)}."
