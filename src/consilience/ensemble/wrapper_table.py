"""The table of a wrapper: candidate columns in an order that hangs on their content alone."""

from dataclasses import dataclass

import numpy as np

from ..data.scaled_columns import dense_rows
from ..exceptions import DataError
from ..execution import check_memory
from ..sampling.content_keys import column_order, content_keys
from ..selectors import ChiSquare
from ..selectors.validation import feature_names

BLOCK_CELLS = 1 << 21


@dataclass(frozen=True)
class WrapperTable:
    """Candidates of a search, rows and columns in a seeded order that forgets how they came.

    Attributes
    ----------
    columns : float64 array of shape (n_candidates, n_samples)
        Values of the candidates.
    nominal : bool array of shape (n_candidates,)
        Whether values are categories.
    features : int array of shape (n_candidates,)
        Which column of X each candidate is.
    preference : float array of shape (n_candidates,)
        Chi-square of each with the classes; decides between equally fit ones.
    rows : int array of shape (n_samples,)
        Which row of X each row is.
    codes : int array of shape (n_samples,)
        Class of each row, as an index into the classes.
    groups : array of shape (n_samples,) or None
        Rows that belong together.
    pool : int array
        All columns of X that vary, in the seeded order, from which the filter took the candidates.
    others : int array
        The other columns of X, by falling chi-square, constant ones last.
    """

    columns: np.ndarray
    nominal: np.ndarray
    features: np.ndarray
    preference: np.ndarray
    rows: np.ndarray
    codes: np.ndarray
    groups: np.ndarray | None
    pool: np.ndarray
    others: np.ndarray

    @classmethod
    def of(cls, wrapper, X, nominal, codes, groups, n_candidates, seed) -> "WrapperTable":
        """Filter and order the columns of X.

        Parameters
        ----------
        wrapper : estimator
            Knows the names of the columns.
        X : ndarray, sparse matrix or BitMatrix of shape (n_samples, n_features)
            The data, checked.
        nominal : bool array of shape (n_features,)
            Which columns hold categories.
        codes : int array of shape (n_samples,)
            Class of each row; the chi-square of columns is with these.
        groups : array of shape (n_samples,) or None
            Rows that belong together.
        n_candidates : int or None
            The columns with the largest chi-square; None is all that vary.
        seed : numpy.random.SeedSequence
            Of the orders.
        """
        row_seed, column_seed = seed.spawn(2)
        keys = content_keys(X, codes)
        rows = np.argsort(keys.rows, kind="stable")
        rows = rows[np.random.default_rng(row_seed).permutation(rows.size)]
        order = column_order(X, keys.columns)
        order = order[np.random.default_rng(column_seed).permutation(order.size)]
        varies = varying_columns(X)
        constant, order = order[~varies[order]], order[varies[order]]
        if order.size == 0:
            raise DataError(
                f"All {X.shape[1]} columns are constant; give features that differ between rows."
            )
        scores = filter_scores(X, nominal, codes)
        # Stable: of equal scores the first in the seeded order.
        best = np.argsort(-scores[order], kind="stable")
        passed = best.size if n_candidates is None else n_candidates
        pool, others = order, np.concatenate([order[best[passed:]], constant])
        order = order[np.sort(best[:passed])]
        n_samples = X.shape[0]
        what = f"Holding {order.size} candidate columns of {n_samples} rows"
        check_memory(32 * order.size * n_samples, what)
        columns = dense_rows(X, slice(None), order).T[:, rows]
        columns = np.array(columns, dtype=np.float64, order="C")
        largest = np.abs(columns).max(axis=1)
        if (largest > 1e150).any():
            name = str(feature_names(wrapper)[order[largest.argmax()]])
            raise DataError(
                f"Column {name!r} holds {largest.max():g}, and distances between such values "
                "cannot be worked out; choose other units for it."
            )
        return cls(
            columns, nominal[order], order, scores[order], rows, codes[rows],
            None if groups is None else groups[rows], pool, others,
        )  # fmt: skip

    @property
    def n_candidates(self) -> int:
        """Number of candidates."""
        return self.features.size

    @property
    def n_varying(self) -> int:
        """Columns of X that are not constant."""
        return self.pool.size


def filter_scores(X, nominal, codes) -> np.ndarray:
    """Chi-square of each column with the classes."""
    chosen = nominal if nominal.any() else None
    return ChiSquare(1, categorical_features=chosen, random_state=0).fit(X, codes).scores_


def varying_columns(X) -> np.ndarray:
    """Whether each column of any storage takes two values or more."""
    n_samples, n_features = X.shape
    varies = np.empty(n_features, dtype=bool)
    step = max(1, BLOCK_CELLS // max(1, n_samples))
    if hasattr(X, "tocsc"):
        X = X.tocsc()
    for start in range(0, n_features, step):
        block = np.arange(start, min(start + step, n_features))
        columns = dense_rows(X, slice(None), block)
        varies[block] = (columns != columns[:1]).any(axis=0)
    return varies
