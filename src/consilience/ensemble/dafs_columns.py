"""Columns for the members of DAFS: any few of them, dense and scaled, whatever holds the data."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from ..data.bits import BitMatrix
from ..data.scaled_columns import ScaledColumns
from ..exceptions import DataError
from ..selectors.columns import canonical_columns
from ..selectors.linear import CONSTANT
from ..selectors.validation import feature_names

BLOCK_CELLS = 1 << 18


@dataclass(frozen=True)
class MemberColumns:
    """A table from which thousands of members take the columns of their subspaces.

    The numbers are those of `ScaledColumns`, with the mean and the deviation of each column found
    once and not by every member. The whole is never made dense.

    Attributes
    ----------
    X : ndarray, CSC matrix or BitMatrix of shape (n_samples, n_features)
        The data.
    shift, scale : float64 arrays of shape (n_features,)
        A cell counts as (value - shift) * scale.
    varies : bool array of shape (n_features,)
        Whether the column takes two values or more.
    copies : int
        How often the rows are repeated.
    """

    X: Any
    shift: np.ndarray
    scale: np.ndarray
    varies: np.ndarray
    copies: int = 1

    @classmethod
    def from_data(cls, X, estimator, *, scale: bool = True, copies: int = 1) -> "MemberColumns":
        """Read the mean and the deviation of each column, a block of columns at a time.

        `estimator` knows the names of the columns.
        """
        X = canonical_columns(X) if sparse.issparse(X) else X
        n_samples, n_features = X.shape
        shift, factor = np.zeros(n_features), np.ones(n_features)
        varies = np.empty(n_features, dtype=bool)
        scaled = ScaledColumns(X, scale=scale)
        step = max(1, BLOCK_CELLS // max(1, n_samples))
        for start in range(0, n_features, step):
            features = np.arange(start, min(start + step, n_features))
            columns = gather(X, features)
            low, high = columns.min(axis=1), columns.max(axis=1)
            largest = np.maximum(np.abs(low), np.abs(high))
            with np.errstate(over="ignore"):
                _refuse_unless(np.isfinite(n_samples * largest**2), features, estimator)
            varies[features] = high - low > CONSTANT * largest
            shift[features], factor[features] = scaled.moments(features)
            fine = np.isfinite(factor[features]) & (factor[features] > 0)
            _refuse_unless(fine | ~varies[features], features, estimator)
        return cls(X, shift, factor, varies, copies)

    def __call__(self, features) -> np.ndarray:
        """The columns of some features, one to a row: float64[n_chosen, copies * n_samples]."""
        columns = gather(self.X, features)
        columns -= self.shift[features, None]
        columns *= self.scale[features, None]
        return columns if self.copies == 1 else np.tile(columns, self.copies)


def _refuse_unless(fine, features, estimator):
    if not fine.all():
        name = str(feature_names(estimator)[features[np.argmin(fine)]])
        raise DataError(
            f"Column {name!r} has values too large or too close together to be scaled; choose "
            "other units for it."
        )


def gather(X, features) -> np.ndarray:
    """Some columns of a dense array, CSC matrix or BitMatrix as new float64[n_chosen, n_samples].

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.ensemble.dafs_columns import gather
    >>> gather(np.array([[1, 2, 3], [4, 5, 6]]), np.array([2, 0]))
    array([[3., 6.],
           [1., 4.]])
    """
    if isinstance(X, BitMatrix):
        return X.take(columns=features).toarray().T.astype(np.float64, order="C")
    if not sparse.issparse(X):
        return np.array(X.T[features], dtype=np.float64, order="C")
    sizes = np.diff(X.indptr)[features]
    ends = np.cumsum(sizes)
    # Place of every stored cell: where its column begins, plus its place in the column.
    at = np.arange(ends[-1]) + np.repeat(X.indptr[features] - (ends - sizes), sizes)
    columns = np.zeros((len(features), X.shape[0]))
    columns[np.repeat(np.arange(len(features)), sizes), X.indices[at]] = X.data[at]
    return columns


def refuse_categories(X, nominal, estimator) -> None:
    """Raise where a nominal column has more than two values, which no distance can order."""
    for column in np.flatnonzero(nominal):
        if np.unique(gather(X, np.array([column]))).size > 2:
            name = str(feature_names(estimator)[column])
            raise DataError(
                f"Column {name!r} holds categories, more than two, which DAFS cannot order; code "
                "it as a column of 0 and 1 for each."
            )
