"""The rows of a query committee as columns of bits: counted, taken, and put in order."""

import numpy as np
from scipy import sparse

from ..data.bits import BitMatrix
from ..data.block_matrix import BlockMatrix
from ..data.discrete import DiscreteColumns, as_discrete
from ..data.discrete_bits import PackedColumns
from ..data.scaled_columns import dense_rows
from ..execution import fingerprint, format_bytes
from ..sampling.content_places import content_places, index_draws
from .query_blocks import BlockColumns, run_names
from .query_encoding import Encoding, blocks

FEW = 4096  # columns of a table in blocks that are brought here to be placed; more are there


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
    def of(cls, X, *, discretize="mixture", n_bins=3, estimator=None, encoding=None):
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
        encoding : Encoding, default=None
            How to cut, where that is known already.

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
        if encoding is None:
            encoding = Encoding.of(X, discretize=discretize, n_bins=n_bins, estimator=estimator)
        if encoding.cuts is None:
            discrete = BlockColumns(X) if isinstance(X, BlockMatrix) else as_discrete(X)
            return cls(discrete, encoding, _said(X, discrete))
        n_samples, n_columns = X.shape[0], int(encoding.starts[-1])
        words = np.empty((n_columns, -(-n_samples // 64)), dtype=np.uint64)
        source = X.tocsc() if sparse.issparse(X) else X
        for features in blocks(n_samples, X.shape[1]):
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
        if isinstance(self.discrete, BlockColumns):
            return self.discrete.weighted_counts(np.asarray(weights, dtype=np.float64))
        sums = np.empty(self.discrete.n_features)
        for columns in blocks(self.n_samples, sums.size):
            sums[columns] = self.discrete.take(columns).tocsc(np.float64).T @ weights
        return sums

    def bits(self, features) -> BitMatrix:
        """All rows of the columns of some features."""
        return self.discrete.take(self.encoding.columns(features))

    def places(self, features, seed) -> np.ndarray:
        """Random numbers, uint64, by which equal features are ordered; see `content_places`."""
        features = np.asarray(features, dtype=np.int64)
        if isinstance(self.discrete, BlockColumns) and features.size > FEW:
            return self.discrete.places(seed)[features]
        starts = self.encoding.starts
        found = np.empty(features.size, dtype=np.uint64)
        width = -(-self.discrete.n_features // self.n_features)  # on average
        for block in blocks(self.n_samples * width, features.size):
            places = content_places(self.bits(features[block]), seed)
            if starts is not None:
                widths = starts[features[block] + 1] - starts[features[block]]
                first = np.cumsum(widths) - widths
                which = np.arange(places.size) - np.repeat(first, widths)
                places *= 2 * which.astype(np.uint64) + np.uint64(1)  # odd: nothing is lost
                places = np.add.reduceat(places, first)
            found[block] = places
        return found

    def ranks(self, features, seed) -> np.ndarray:
        """Places of features among each other, all different, int64[n_features].

        By content and seed; copies of each other, which content cannot tell apart, by a draw.
        """
        features = np.asarray(features, dtype=np.int64)
        places = self.places(features, seed)
        order = np.argsort(places, kind="stable")
        again = places[order][1:] == places[order][:-1]
        if again.any():
            copies = np.flatnonzero(np.append(again, False) | np.append(False, again))
            own = order[copies]
            draws = index_draws(features[own], seed)
            order[copies] = own[np.lexsort((draws, places[own]))]
        ranks = np.empty(features.size, dtype=np.int64)
        ranks[order] = np.arange(features.size)
        return ranks

    def order(self, seed) -> np.ndarray:
        """All features in an order that depends on their content alone; copies as they are."""
        return np.argsort(self.places(np.arange(self.n_features), seed), kind="stable")

    def fingerprint(self) -> str:
        """A name for the content, the same for every storage; one pass over the data."""
        encoding, n_columns = self.encoding, self.discrete.n_features
        cut = () if encoding.cuts is None else (encoding.cuts, encoding.starts, encoding.missing)
        return fingerprint([self.n_samples, n_columns], *cut, run_names(self.discrete))


class Places:
    """Places of features, looked up as in an array; only those that are asked for are worked out.

    Parameters
    ----------
    columns : QueryColumns
        The features.
    seed : numpy.random.SeedSequence
        Which order.
    features : int array, default=None
        What is looked up by its number among these; None is all.
    """

    def __init__(self, columns: QueryColumns, seed, features=None):
        self.columns, self.seed, self.features = columns, seed, features

    def __getitem__(self, numbers) -> np.ndarray:
        features = numbers if self.features is None else self.features[numbers]
        return self.columns.ranks(features, self.seed)


def _said(X, discrete) -> str:
    if isinstance(discrete, BlockColumns):
        n_blocks = len(X.blocks)
        return f"{n_blocks} block{'' if n_blocks == 1 else 's'}, {format_bytes(X.nbytes)} in all."
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
