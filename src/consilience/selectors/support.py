"""What follows from a mask of selected features: `transform` on every storage."""

import numpy as np
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.validation import check_is_fitted

from ..data.bits import BitMatrix
from ..data.block_matrix import BlockMatrix
from .validation import check_X


class SupportMixin(SelectorMixin):
    """scikit-learn's selector methods for what learns `support_`, packed data included."""

    def transform(self, X):
        """Reduce X to the selected features.

        Parameters
        ----------
        X : array-like, sparse matrix or BitMatrix of shape (n_samples, n_features)
            The data; a BitMatrix stays one, and of a BlockMatrix what is selected comes to memory.

        Returns
        -------
        X_selected : the same kind, of shape (n_samples, n_selected)
            The selected columns in their order in X.
        """
        if isinstance(X, (BitMatrix, BlockMatrix)):
            check_is_fitted(self)
            check_X(self, X, reset=False, allow_missing=True, blocks=True)
            return X.take(columns=np.flatnonzero(self.get_support()))
        return super().transform(X)

    def _get_support_mask(self):
        check_is_fitted(self)
        return self.support_
