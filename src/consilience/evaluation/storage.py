"""Rows and columns of X, however it is stored."""

from dataclasses import dataclass

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator

from ..data.block_matrix import BlockMatrix
from ..data.nominal import nominal_mask
from ..selectors.validation import check_X

# Up to so many cells a sparse or packed table is unpacked (64 MB): above, it stays sparse.
DENSE_CELLS = 8_000_000


@dataclass(frozen=True)
class Storage:
    """X as it came, for selectors, and as plain numbers, for classifiers.

    Attributes
    ----------
    given : array, data frame, CSR or BitMatrix of shape (n_samples, n_features)
        X with names and types, in a form whose rows can be taken quickly.
    values : ndarray, CSR or BitMatrix of shape (n_samples, n_features)
        The same as numbers; categories as codes, missing ones as NaN.
    nominal : bool array of shape (n_features,)
        Columns of codes without an order.
    """

    given: object
    values: object
    nominal: np.ndarray

    @classmethod
    def from_data(cls, X, selector, categorical_features=None) -> "Storage":
        """Check X for a selector.

        Parameters
        ----------
        X : array-like, data frame, sparse matrix or BitMatrix
            The data.
        selector : estimator
            Whoever will be fitted; named in errors.
        categorical_features : None, "from_dtype", mask or indices
            Nominal columns beside those whose type in a data frame says so.
        """
        # The check leaves learned attributes on an estimator, which some selectors compute: a blank
        # one of the same name takes them.
        blank = type(type(selector).__name__, (BaseEstimator,), {})()
        values, nominal = check_X(
            blank, X, reset=True, allow_missing=True, categorical="from_dtype", blocks=True
        )
        nominal = nominal | nominal_mask(categorical_features, values.shape[1])
        if sparse.issparse(values):
            values = values.tocsr()
        return cls(X if hasattr(X, "columns") else values, values, nominal)

    @property
    def in_blocks(self) -> bool:
        """Whether no machine need hold all columns."""
        return isinstance(self.values, BlockMatrix)

    @property
    def n_features(self) -> int:
        """Number of columns."""
        return self.values.shape[1]

    @property
    def stays_sparse(self) -> bool:
        """Whether all columns together are kept sparse."""
        dense = isinstance(self.values, np.ndarray)
        return not dense and self.values.shape[0] * self.values.shape[1] > DENSE_CELLS

    def rows(self, rows):
        """Return some rows as a selector wants them, in the storage that the caller chose."""
        return self.given.iloc[rows] if hasattr(self.given, "iloc") else self.given[rows]

    def columns(self, rows, columns) -> np.ndarray:
        """Return some columns (indices or a slice) of some rows, dense float64."""
        if isinstance(self.values, np.ndarray):
            by_slice = isinstance(columns, slice)
            part = self.values[(rows, columns) if by_slice else np.ix_(rows, columns)]
        elif sparse.issparse(self.values):
            part = self.values[rows][:, columns].toarray()
        else:
            part = self.values.take(rows, columns)
            part = part if isinstance(part, np.ndarray) else part.toarray()
        return part.astype(np.float64, copy=False)

    def all_columns(self, rows):
        """Return all columns of some rows as float64, dense or CSR as `stays_sparse` says."""
        part = self.values[rows]
        if not isinstance(part, np.ndarray):
            if not self.stays_sparse:
                part = part.toarray()
            elif not sparse.issparse(part):
                part = part.tocsc().tocsr()
        return part.astype(np.float64, copy=False)
