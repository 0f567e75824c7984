"""Candidates whose rows changed places: what a search finds where nothing is to be found."""

from typing import Any

import numpy as np

from ..data.scaled_columns import dense_rows
from .wrapper_table import BLOCK_CELLS, WrapperTable, filter_scores


class Shuffler:
    """Shuffles candidates, all by one exchange of the rows, so that they stay as alike as they are.

    Candidates that passed a filter look better than chance by that alone, because it saw the
    classes. So all columns are shuffled and filtered anew, and as many pass.

    Parameters
    ----------
    X : ndarray, sparse matrix or BitMatrix of shape (n_samples, n_features)
        The data, with all columns.
    nominal : bool array of shape (n_features,)
        Which of them hold categories.
    table : WrapperTable
        The candidates.
    """

    def __init__(self, X: Any, nominal: np.ndarray, table: WrapperTable):
        self.X, self.nominal, self.table = X, nominal, table

    def __call__(self, kept, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """Columns in place of the candidates, and which of them hold categories.

        Parameters
        ----------
        kept : int array
            Candidates that keep their rows and their places.
        rng : numpy.random.Generator
            Of the exchange.
        """
        table = self.table
        source = exchanged_rows(table.rows.size, table.groups, rng)
        if table.n_candidates == table.n_varying:
            columns, nominal = table.columns[:, source], table.nominal
        else:
            columns, nominal = self._filtered(kept, source)
        columns[kept] = table.columns[kept]
        return columns, nominal

    def _filtered(self, kept, source):
        """The columns that pass the filter when all but those kept are shuffled."""
        table = self.table
        scores = self._scores(source)[table.pool]
        scores[np.isin(table.pool, table.features[kept])] = -np.inf
        others = np.setdiff1d(np.arange(table.n_candidates), kept)
        best = np.argsort(-scores, kind="stable")[: others.size]
        features = table.features.copy()
        features[others] = table.pool[np.sort(best)]
        columns = dense_rows(self.X, slice(None), features).T[:, table.rows[source]]
        return np.array(columns, dtype=np.float64, order="C"), self.nominal[features]

    def _scores(self, source):
        """Chi-square of all columns, each row with the values of its source."""
        rows, codes = self.table.rows[source], self.table.codes
        if np.unique(source).size == source.size:  # as if classes had changed places the other way
            moved = np.empty_like(codes)
            moved[rows] = codes
            return filter_scores(self.X, self.nominal, moved)
        n_features = self.X.shape[1]
        scores, step = np.empty(n_features), max(1, BLOCK_CELLS // rows.size)
        X = self.X.tocsc() if hasattr(self.X, "tocsc") else self.X
        for start in range(0, n_features, step):
            block = np.arange(start, min(start + step, n_features))
            cells = dense_rows(X, slice(None), block)[rows]
            scores[block] = filter_scores(cells, self.nominal[block], codes)
        return scores


def exchanged_rows(n_rows: int, groups, rng: np.random.Generator) -> np.ndarray:
    """For each row, the row whose values it gets.

    Rows of a group are alike and do not change places one by one: every group gets the values of
    another one, row by row, from the beginning again where that one is smaller. Groups of one size
    change places.

    Parameters
    ----------
    n_rows : int
        Number of rows.
    groups : array of shape (n_rows,) or None
        Rows that belong together.
    rng : numpy.random.Generator
        Of the exchange.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.ensemble.wrapper_shuffle import exchanged_rows
    >>> groups = np.array(["a", "a", "b", "b", "c", "c"])
    >>> groups[exchanged_rows(6, groups, np.random.default_rng(0))]
    array(['c', 'c', 'a', 'a', 'b', 'b'], dtype='<U1')
    """
    if groups is None:
        return rng.permutation(n_rows)
    _, members, sizes = np.unique(groups, return_inverse=True, return_counts=True)
    donors = rng.permutation(sizes.size)
    order = np.lexsort((rng.random(n_rows), members))  # group by group, rows of each at random
    starts = np.cumsum(sizes) - sizes
    own = members[order]
    place = np.arange(n_rows) - starts[own]
    source = np.empty(n_rows, dtype=np.int64)
    # Which row of the other group is drawn as well: classes may differ inside a group.
    deal = np.lexsort((rng.random(n_rows), members))
    source[order] = deal[starts[donors[own]] + place % sizes[donors[own]]]
    return source
