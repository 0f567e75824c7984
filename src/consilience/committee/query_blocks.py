"""A table in blocks as the columns of a query committee: counted, placed and chosen where it is."""

import hashlib

import numpy as np

from ..data.bits import BitMatrix
from ..data.block_matrix import BlockMatrix
from ..data.discrete import DiscreteColumns, as_discrete
from ..exceptions import DataError
from ..execution.fingerprint import RUN, fingerprint
from ..execution.parts import run_parts
from ..sampling.content_places import add_places, row_draws
from ..selectors.block_cells import holds_bits
from ..selectors.block_counts import count_blocks, count_weighted
from .value_distances import distance_keys


class BlockColumns(DiscreteColumns):
    """Columns of zeros and ones in blocks.

    Parameters
    ----------
    X : BlockMatrix
        The table; other values are refused.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience import BlockMatrix
    >>> from consilience.committee.query_blocks import BlockColumns
    >>> BlockColumns(BlockMatrix.split(np.eye(3))).counts()
    array([1, 1, 1], dtype=int32)
    """

    storage = "blocks"

    def __init__(self, X: BlockMatrix):
        if not holds_bits(X):
            raise DataError(
                "A query committee takes a BlockMatrix of zeros and ones, and this one holds other "
                "values; cut its columns first, or give the table in one piece."
            )
        self.X = X
        self.n_samples, self.n_features = X.shape

    @property
    def nbytes(self) -> int:
        """Bytes of all blocks."""
        return self.X.nbytes

    @property
    def chooses(self) -> bool:
        """Whether blocks hold whole columns, so that they can choose among their own."""
        return not self.X.is_tall

    def _counts(self, masks):
        return count_blocks(self.X, masks)

    def _take(self, features):
        part = self.X.take(columns=features)
        if isinstance(part, BitMatrix):
            return part
        return BitMatrix.from_sparse(part) if hasattr(part, "nnz") else BitMatrix.from_array(part)

    def weighted_counts(self, weights: np.ndarray) -> np.ndarray:
        """Sum of the weights of the rows with a one, float64[n_features]."""
        if self.X.is_tall:
            every = np.ones((1, weights.size), dtype=bool)
            return count_weighted(self.X, every, weights[None])[0].astype(np.float64)
        return np.concatenate(run_parts(_add_weights, self.X, weights))

    def places(self, seed: np.random.SeedSequence) -> np.ndarray:
        """`content_places` of all columns, uint64[n_features]."""
        draws = row_draws(seed, self.n_samples)
        if not self.X.is_tall:
            return np.concatenate(run_parts(_add_draws, self.X, draws))
        base = np.zeros(int(self.X.row_starts[-1]), dtype=np.uint64)
        base[slice(None) if self.X.rows is None else self.X.rows] = draws
        pieces = np.split(base, self.X.row_starts[1:-1])
        own = [(piece,) for piece in pieces for _ in self.X.grid[0]]
        lines = self.X.lines(run_parts(_add_draws, self.X, own=own, rows=False))
        return np.sum([np.concatenate(line) for line in lines], axis=0, dtype=np.uint64)

    def candidates(self, chains: np.ndarray, rows: np.ndarray, size: int, how: dict) -> list[tuple]:
        """Features that may be among those that deviate most, of each chain.

        Parameters
        ----------
        chains, rows : bool array of shape (n_chains, n_samples)
            All rows of each chain, and some of them.
        size : int
            How many features are wanted.
        how : dict
            Distance and normalisation.

        Returns
        -------
        list of (features, keys)
            All that are as good as the worst of the best `size`, and maybe others.
        """
        name = hashlib.sha256(np.packbits(chains, axis=1)).hexdigest()
        sizes = np.count_nonzero(chains, axis=1), np.count_nonzero(rows, axis=1)
        asked = name, np.packbits(rows, axis=1), sizes, size, how
        parts = run_parts(_candidates, self.X, None, *asked)
        if any(part is None for part in parts):  # what they count in all rows, they count once
            parts = run_parts(_candidates, self.X, np.packbits(chains, axis=1), *asked)
        found = []
        for chain in range(len(chains)):
            features = [s + part[chain][0] for s, part in zip(self.X.starts, parts, strict=False)]
            keys = [part[chain][1] for part in parts]
            found.append((np.concatenate(features), np.concatenate(keys)))
        return found


def best_keys(keys: np.ndarray, size: int) -> np.ndarray:
    """Places of the `size` largest keys, and of all that equal the least of them; none of key 0.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.committee.query_blocks import best_keys
    >>> best_keys(np.array([5, 0, 7, 5, 2]), 2)
    array([0, 2, 3])
    """
    from ..kernels.top_features import split_keys

    return np.sort(np.concatenate(split_keys(keys, size)))


def as_whole_keys(found: np.ndarray) -> np.ndarray:
    """Distances as whole numbers of the same order: floats of 0 or more as their bits."""
    return found if found.dtype == np.int64 else np.maximum(found, 0.0).view(np.int64)


def _columns(view) -> DiscreteColumns:
    return view.keep("discrete", None, lambda: as_discrete(view.data))


def _add_weights(view, weights):
    columns = _columns(view)
    return columns.take(np.arange(columns.n_features)).tocsc(np.float64).T @ weights


def _add_draws(view, draws):
    columns = _columns(view)
    return add_places(columns.take(np.arange(columns.n_features)), draws)


def _names(view) -> list[str]:
    return run_names(_columns(view))


def run_names(columns: DiscreteColumns) -> list[str]:
    """A name for each run of columns; one pass over the data."""
    if isinstance(columns, BlockColumns) and columns.chooses:
        return [name for part in run_parts(_names, columns.X) for name in part]
    every = range(0, columns.n_features, RUN)
    return [
        fingerprint(columns.take(np.arange(at, min(at + RUN, columns.n_features)))) for at in every
    ]


def _candidates(view, chains, name, rows, sizes, size, how):
    """The best of a block for each chain; None where it does not know the counts in all rows."""
    columns = _columns(view)

    def counts(packed):
        return columns.counts(np.unpackbits(packed, axis=1, count=columns.n_samples).astype(bool))

    totals = view.keep("totals", name, None if chains is None else lambda: counts(chains))
    if totals is None:
        return None
    found = []
    for chain, some in enumerate(counts(rows)):
        keys = distance_keys(totals[chain], some, sizes[0][chain], sizes[1][chain], None, **how)
        best = best_keys(as_whole_keys(keys), size)
        found.append((best, keys[best]))
    return found
