"""F statistic and correlations of a dense table in blocks of columns."""

import hashlib

import numpy as np

from ..data.block_matrix import BlockMatrix
from ..execution.parts import run_parts
from .block_tables import compact
from .mrmr_correlation import CorrelationOfDense
from .searches import room_for_searches


class CorrelationOfBlocks(CorrelationOfDense):
    """F statistic and |r| of the columns of a dense table in blocks.

    Few columns decide a round: they come here, and are multiplied in the very products that a
    table in one piece takes; only the last look at all columns is the blocks' own.

    Parameters
    ----------
    X : BlockMatrix
        Dense, split by columns.
    y : int64 array of shape (n_samples,)
        Class of each row.
    weights : float64 array of shape (n_samples,)
        Row weights.
    """

    def __init__(self, X: BlockMatrix, y, weights):
        self.X, self.rows = X, np.flatnonzero(weights)
        self.weights = weights[self.rows]
        name = hashlib.sha256(np.ascontiguousarray(weights))
        name.update(np.ascontiguousarray(y))
        self._asked = y, compact(weights), name.hexdigest()
        parts = run_parts(_correlate, X, *self._asked, room_for_searches())
        found = [np.concatenate(each) for each in zip(*parts, strict=True)]
        self.centre, self.scale, self.varies, self.undivided, self.relevance = found

    def all_sums(self, directions, floor):
        """Sum of max(|r|, floor) of every feature over the directions of the selected."""
        asked = *self._asked, room_for_searches()
        return np.concatenate(run_parts(_sum_up, self.X, *asked, directions, floor))

    def _columns(self, features):
        return self._centred(self.X.take(columns=features), features)


def _correlation(view, y, weights, name, room) -> CorrelationOfDense:
    def make():
        return CorrelationOfDense(view.data, y, weights.astype(np.float64))

    return view.keep("correlation", name, make, room)


def _correlate(view, *asked):
    own = _correlation(view, *asked)
    return own.centre, own.scale, own.varies, own.undivided, own.relevance


def _sum_up(view, y, weights, name, room, directions, floor):
    return _correlation(view, y, weights, name, room).all_sums(directions, floor)
