"""What every committee shares: checks, members, and how their answers become predictions."""

from abc import abstractmethod
from functools import partial

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from ..data.rows import take_rows
from ..data.scaled_columns import ScaledColumns
from ..exceptions import UsageError
from ..integration.dynamic import DYNAMIC
from ..integration.static import decide, vote_shares
from ..selectors.validation import (
    check_labels,
    check_numeric_X,
    check_weights,
    check_X,
)
from .members import Members, Training

# How members' answers are joined, and whether that needs their accuracy on rows not seen.
INTEGRATIONS = {"vote": False, "average": False, "weighted": True, "static": True}
INTEGRATIONS |= dict.fromkeys(DYNAMIC, True)

# What the winner of a tie has more than the others, so that the largest share names the class.
DECIDES = 1e-9


class BaseCommittee(ClassifierMixin, BaseEstimator):
    """Base of the classifiers that are made of members on feature subsets.

    A child has the parameters `integration`, `scale`, `n_jobs` and `random_state`. It writes
    `_learn`, which sets `subsets_`, `estimators_` and `member_accuracies_` (None where they are
    not known), and for the dynamic rules `_competence`, a `LocalCompetence`. All else follows:
    `predict` asks the members, reading only the columns that some member uses, a block of rows at
    a time.
    """

    # Rules that the committee can join its members by; a child may know more.
    _integrations = INTEGRATIONS

    @abstractmethod
    def _learn(self, training: Training):
        """Find the feature subsets and fit the members."""

    def fit(self, X, y, sample_weight=None):
        """Train the committee.

        Parameters
        ----------
        X : array-like, sparse matrix or BitMatrix of shape (n_samples, n_features)
            The data.
        y : array-like of shape (n_samples,)
            Class labels.
        sample_weight : array-like of shape (n_samples,), default=None
            Weight of each row, for members that take weights; rows of weight 0 are left out.

        Returns
        -------
        self : object
            The fitted committee.
        """
        self._check_integration()
        training = self._check_training(X, y, sample_weight)
        self.classes_, self.class_prior_ = training.classes, training.priors
        self._learn(training)
        self._members = Members.of(self.estimators_, self.subsets_, training)
        return self

    def predict(self, X):
        """Predict the class of each row.

        Parameters
        ----------
        X : array-like, sparse matrix or BitMatrix of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            Labels: those with the largest share in `predict_proba`.
        """
        shares = self.predict_proba(X)
        return self.classes_[shares.argmax(axis=1)]

    def predict_proba(self, X):
        """Share of each class: of the votes, of their weight, or the mean of probabilities.

        Equal shares go to the class with the larger sum of the members' scores, then to the more
        frequent class, then to the first; its share is made larger by a billionth. Shares of votes
        are no calibrated probabilities. For two classes, scikit-learn's
        `TunedThresholdClassifierCV` finds the share from which a class had better be predicted.

        Parameters
        ----------
        X : array-like, sparse matrix or BitMatrix of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Columns in the order of `classes_`; rows sum to 1.
        """
        X = self._check_rows(X)
        local, parts, start = self._local_errors(X), [], 0
        for Z in self._members.blocks(X):
            # Scores cost as much as votes, and only ties need them.
            score = partial(_summed_scores, self._members, Z, self.n_jobs)
            near = None if local is None else local[start : start + len(Z)]
            parts.append(self._join(self._answers(Z), score, near))
            start += len(Z)
        return np.concatenate(parts)

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
        X = self._check_rows(X)
        blocks = [
            (self._answers(Z), self._members.scores(Z, self.n_jobs))
            for Z in self._members.blocks(X)
        ]
        answers, scores = (np.concatenate(part, axis=1) for part in zip(*blocks, strict=True))
        local = self._local_errors(X)
        for size in range(1, len(answers) + 1):
            so_far = scores[:size]
            near = None if local is None else local[:, :size]
            yield self._join(answers[:size], lambda rows, s=so_far: s[:, rows].sum(axis=0), near)

    @property
    def feature_importances_(self):
        """Share of the members that use each feature, by held-out accuracy where it is known.

        1 for a feature that all members use, 0 for one that none uses; these do not sum to 1.
        """
        check_is_fitted(self)
        weights = self.member_accuracies_
        if weights is None or not np.any(weights):
            weights = np.ones(len(self.subsets_))
        sizes = [subset.size for subset in self.subsets_]
        used = np.concatenate(self.subsets_)
        sums = np.bincount(used, np.repeat(weights, sizes), self.n_features_in_)
        return sums / weights.sum()

    def _answers(self, Z):
        """What the members say of a block of rows, as `_shares` wants it."""
        if self.integration == "average":
            return self._members.probabilities(Z, self.n_jobs)
        return self._members.predicted(Z, self.n_jobs)

    def _local_errors(self, X):
        """How much each member errs near each row, float64[n_rows, n_members]; None if unasked."""
        if self.integration not in DYNAMIC:
            return None
        return self._competence.local_errors(X, n_jobs=self.n_jobs)

    def _join(self, answers, score, local=None):
        """Shares by the answers of the first members; `score` gives the scores of rows that tie.

        `local` are the errors of these members near the rows, for a dynamic rule.
        """
        if local is None:
            shares = self._shares(answers)
        else:
            weights = self._competence.weigh(self.integration, local)
            shares = vote_shares(answers, self.classes_.size, weights)
        return without_ties(shares, score, self.class_prior_)

    def _shares(self, answers):
        """Share of each class by the answers, ties undecided."""
        if self.integration == "average":
            return answers.mean(axis=0)
        accuracies = self._accuracies if self._integrations[self.integration] else None
        return static_shares(self.integration, answers, self.classes_.size, accuracies)

    @property
    def _accuracies(self):
        """Accuracy of each member on rows that it has not seen; a child may learn it now."""
        return self.member_accuracies_

    def _check_integration(self):
        if not isinstance(self.integration, str) or self.integration not in self._integrations:
            known = ", ".join(self._integrations)
            raise UsageError(f"Unknown integration {self.integration!r}; known are {known}.")

    def _check_training(self, X, y, sample_weight=None) -> Training:
        X, nominal = self._check_table(X)
        X, codes, classes, sample_weight = check_rows_that_count(X, y, sample_weight)
        seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        columns = ScaledColumns(X, scale=self._scales(), sample_weight=sample_weight)
        nominal = nominal if nominal is not None and nominal.any() else None
        seed = np.random.SeedSequence(seed)
        return Training(columns, codes, classes, sample_weight, seed, nominal)

    def _check_table(self, X):
        """The X of `fit`, and its mask of nominal columns; None where there can be none."""
        return check_numeric_X(self, X), None

    def _scales(self):
        """Whether members see columns of mean 0 and variance 1."""
        return self.scale

    def _check_rows(self, X):
        check_is_fitted(self)
        return check_X(self, X, reset=False, allow_missing=False)[0]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


def check_rows_that_count(X, y, sample_weight=None, at_least: int = 2):
    """Check labels and weights, and leave out the rows of weight 0.

    Parameters
    ----------
    X : ndarray, sparse matrix or BitMatrix of shape (n_samples, n_features)
        The data, checked.
    y : array-like of shape (n_samples,)
        Class labels.
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each row; None is all alike.
    at_least : int, default=2
        Number of classes that there must be.

    Returns
    -------
    X, codes, classes, sample_weight
        Of the rows that are left; `codes` are indices into `classes`.
    """
    classes, codes = check_labels(y, X.shape[0], at_least=at_least)
    if sample_weight is None:
        return X, codes, classes, None
    sample_weight = check_weights(sample_weight, codes, classes)
    kept = np.flatnonzero(sample_weight)
    if kept.size < codes.size:
        X = take_rows(X, kept)
        present, codes = np.unique(codes[kept], return_inverse=True)
        classes, sample_weight = classes[present], sample_weight[kept]
    return X, codes, classes, sample_weight


def static_shares(rule: str, answers, n_classes: int, accuracies=None) -> np.ndarray:
    """Share of each class by a rule that is the same for all rows, ties undecided.

    Parameters
    ----------
    rule : {"vote", "weighted", "static"}
        The rule.
    answers : int array of shape (n_some, n_rows)
        Class codes by the first members.
    n_classes : int
        Number of classes.
    accuracies : array of shape (n_members,), default=None
        Of all members; a vote needs none.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.committee.base import static_shares
    >>> static_shares("static", np.array([[0, 0], [0, 1]]), 2, np.array([0.7, 0.8]))
    array([[1., 0.],
           [0., 1.]])
    """
    if rule == "vote":
        return vote_shares(answers, n_classes)
    accuracies = accuracies[: len(answers)]
    if rule == "static":
        return vote_shares(answers[[np.argmax(accuracies)]], n_classes)
    return vote_shares(answers, n_classes, accuracies)


def without_ties(shares, score, priors) -> np.ndarray:
    """Shares in which the winner of every tie has a billionth more than the others.

    Parameters
    ----------
    shares : float array of shape (n_rows, n_classes)
        Changed in place.
    score : callable or None
        Gives the scores of all classes for some rows, which are asked for ties alone.
    priors : array of shape (n_classes,)
        Decides where scores tie, too.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.committee.base import without_ties
    >>> without_ties(np.array([[0.5, 0.5], [1.0, 0.0]]), None, [0.4, 0.6]).argmax(axis=1)
    array([1, 0])
    """
    tied = (shares >= shares.max(axis=1, keepdims=True) - DECIDES).sum(axis=1) > 1
    if tied.any():
        rows = np.flatnonzero(tied)
        scores = None if score is None else score(rows)
        shares[rows, decide(shares[rows], scores, priors)] += DECIDES
        shares[rows] /= 1 + DECIDES
    return shares


def _summed_scores(members, Z, n_jobs, rows):
    return members.scores(Z[rows], n_jobs).sum(axis=0)
