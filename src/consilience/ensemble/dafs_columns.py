"""Columns for the members of DAFS: any few of them, dense and scaled, whatever holds the data."""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from ..data.scaled_columns import ScaledColumns
from ..exceptions import DataError
from ..selectors.columns import canonical_columns
from ..selectors.linear import CONSTANT
from ..selectors.validation import feature_names

BLOCK_CELLS = 1 << 18


@dataclass(frozen=True)
class MemberColumns:
    """A table from which thousands of members take the columns of their subspaces.

    Attributes
    ----------
    scaled : ScaledColumns
        The columns; means and deviations of all are known.
    varies : bool array of shape (n_features,)
        Whether the column takes two values or more.
    copies : int
        How often the rows are repeated.
    """

    scaled: ScaledColumns
    varies: np.ndarray
    copies: int = 1

    @classmethod
    def from_data(cls, X, estimator, *, scale: bool = True, copies: int = 1) -> "MemberColumns":
        """Read all columns, a block at a time; `estimator` knows their names.

        Values that cannot be scaled are refused here, and not by the member that meets them.
        """
        n_samples, n_features = X.shape
        varies = np.empty(n_features, dtype=bool)
        plain, scaled = ScaledColumns(X, scale=False), ScaledColumns(X, scale=scale)
        step = max(1, BLOCK_CELLS // max(1, n_samples))
        for start in range(0, n_features, step):
            features = np.arange(start, min(start + step, n_features))
            columns = plain.take(features)
            low, high = columns.min(axis=1), columns.max(axis=1)
            largest = np.maximum(np.abs(low), np.abs(high))
            with np.errstate(over="ignore"):
                _refuse_unless(np.isfinite(n_samples * largest**2), features, estimator)
            varies[features] = high - low > CONSTANT * largest
            factors = scaled.moments(features)[1]
            fine = np.isfinite(factors) & (factors > 0)
            _refuse_unless(fine | ~varies[features], features, estimator)
        return cls(scaled, varies, copies)

    def __call__(self, features) -> np.ndarray:
        """The columns of some features, one to a row: float64[n_chosen, copies * n_samples]."""
        columns = self.scaled.take(features)
        return columns if self.copies == 1 else np.tile(columns, self.copies)


def _refuse_unless(fine, features, estimator):
    if not fine.all():
        name = str(feature_names(estimator)[features[np.argmin(fine)]])
        raise DataError(
            f"Column {name!r} has values too large or too close together to be scaled; choose "
            "other units for it."
        )


def by_columns(X):
    """Sparse data stored by columns, each cell once; others as they are."""
    return canonical_columns(X) if sparse.issparse(X) else X


def refuse_categories(X, nominal, estimator) -> None:
    """Raise where a nominal column has more than two values, which no distance can order."""
    for column in np.flatnonzero(nominal):
        if np.unique(X[:, column]).size > 2:  # only frames have such columns: X is dense
            name = str(feature_names(estimator)[column])
            raise DataError(
                f"Column {name!r} holds categories, more than two, which DAFS cannot order; code "
                "it as a column of 0 and 1 for each."
            )
