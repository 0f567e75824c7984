"""How a query committee predicts: its members vote on columns of zeros and ones."""

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ..data.bits import BitMatrix
from ..data.unchanged import check_unchanged
from ..execution import run_tasks
from ..integration.static import vote_shares
from ..selectors.validation import check_X
from .base import DECIDES, without_ties
from .query_members import predict_member
from .query_threshold import rarer_class

TOGETHER = 8  # members that are asked in one task


class VotesMixin:
    """Predictions of a fitted committee by its `estimators_`, `subsets_` and encoding."""

    def predict_proba(self, X):
        """Share of the members that vote for each class.

        Equal shares go to `tie_class`, or to the more frequent class; its share is made larger by
        a billionth. Only the columns that members use are read.

        Parameters
        ----------
        X : array-like, sparse matrix or BitMatrix of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Columns in the order of `classes_`; rows sum to 1.
        """
        return self._join(self._predicted(X))

    def predict(self, X):
        """Predict the class of each row.

        Parameters
        ----------
        X : array-like, sparse matrix or BitMatrix of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            Labels: that of the largest share of the votes or, with a `threshold`, the rarer class
            wherever its share reaches `threshold_`.
        """
        return self._decided(self.predict_proba(X))

    def staged_predict_proba(self, X):
        """The shares after the first member, the first two, and so on.

        Parameters
        ----------
        X : array-like, sparse matrix or BitMatrix of shape (n_samples, n_features)
            The rows.

        Yields
        ------
        ndarray of shape (n_samples, n_classes)
            As `predict_proba` of the members so far.
        """
        predicted = self._predicted(X)
        for size in range(1, len(predicted) + 1):
            yield self._join(predicted[:size])

    def staged_predict(self, X):
        """The labels after the first member, the first two, and so on.

        Parameters
        ----------
        X : array-like, sparse matrix or BitMatrix of shape (n_samples, n_features)
            The rows.

        Yields
        ------
        ndarray of shape (n_samples,)
            As `predict` of the members so far, with the final `threshold_`.
        """
        for shares in self.staged_predict_proba(X):
            yield self._decided(shares)

    def member_columns(self, X, number: int) -> BitMatrix:
        """Rows as a member sees them: the zeros and ones that its features become.

        Parameters
        ----------
        X : array-like, sparse matrix or BitMatrix of shape (n_samples, n_features)
            The rows.
        number : int
            Which member.
        """
        X = self._check_new(X)
        return self._encoding.encode(X, self.subsets_[number], self)

    def _check_new(self, X):
        check_is_fitted(self)
        X = check_X(self, X, reset=False, allow_missing=True, blocks=True)[0]
        check_unchanged(X)  # to read a file that was cut short would end the process
        return X

    def _predicted(self, X):
        """Class codes by every member, int64[n_members, n_rows]."""
        X = self._check_new(X)
        if self.classes_.size == 1:
            return np.zeros((1, X.shape[0]), dtype=np.int64)
        used = np.unique(np.concatenate(self.subsets_))
        bits = self._encoding.encode(X, used, self)
        # The columns in use stand side by side now: where does each feature begin?
        columns = self._encoding.columns(used)
        shared = (self.estimators_, self.subsets_, self._encoding, columns, bits)
        tasks = range(0, len(self.estimators_), TOGETHER)
        parts = run_tasks(_ask_some, tasks, shared=shared, n_jobs=self.n_jobs)
        return np.concatenate([part["predicted"] for part in parts])

    def _join(self, predicted):
        return without_ties(vote_shares(predicted, self.classes_.size), None, self._tie)

    def _decided(self, shares):
        threshold = getattr(self, "threshold_", None)
        if threshold is None or self.classes_.size != 2:
            return self.classes_[shares.argmax(axis=1)]
        rarer = rarer_class(self.class_prior_)
        reached = shares[:, rarer] >= threshold - 2 * DECIDES
        return self.classes_[np.where(reached, rarer, 1 - rarer)]


def _ask_some(estimators, subsets, encoding, columns, bits, start):
    """Votes of some members; `columns` are those that `bits` hold, ascending."""
    some = slice(start, start + TOGETHER)
    answers = [
        predict_member(member, bits.take(columns=np.searchsorted(columns, encoding.columns(own))))
        for member, own in zip(estimators[some], subsets[some], strict=True)
    ]
    return {"predicted": np.stack(answers)}
