"""Dynamic integration of any classifiers: who has a say hangs on the row."""

import numpy as np
from scipy import sparse
from sklearn.base import ClassifierMixin
from sklearn.utils import Bunch, check_random_state, get_tags
from sklearn.utils.validation import check_is_fitted

from ..data.frames import TEXT, categorical_columns, column_kinds
from ..exceptions import DataError, UsageError
from ..integration.dynamic import DYNAMIC
from ..integration.static import vote_shares
from ..learners.frame_codes import check_mixed_X
from ..selectors.validation import check_labels
from .base import INTEGRATIONS, check_rows_that_count, without_ties
from .cross_prediction import (
    ask_all,
    cross_predict,
    fit_all,
    predict_codes,
    predict_shares,
    take_rows,
)
from .cross_splits import make_splits
from .given_members import GivenMembers
from .local_competence import LocalCompetence, check_neighborhood


class DynamicIntegrationClassifier(ClassifierMixin, GivenMembers):
    """Join any classifiers by how well each does near the row to be predicted.

    A vote counts members alike everywhere, stacking weighs them once for all rows. Dynamic
    integration remembers on which training rows each member errs when it has not seen them. For a
    new row it looks at the nearest of these, and trusts the members that are right there. It pays
    where members are good at different kinds of rows.

    Parameters
    ----------
    estimators : list of classifiers, or of (str, classifier) tuples
        The members. They get X as it came, so that a pipeline may choose columns of a data frame by
        name. Names of classifiers such as "bayes", "tree", "knn" or "svm" are known, too; a
        member that was set to "drop" is left out.
    method : {"dynamic_voting_selection", "dynamic_voting", "dynamic_selection", "vote", \
"average", "weighted", "static"}, default="dynamic_voting_selection"
        How members are joined. "dynamic_selection": the member that errs least near the row.
        "dynamic_voting": a vote in which each weighs 1 less its local error.
        "dynamic_voting_selection": the same without members whose error is above the middle
        between the least and the largest one. The others do not hang on the row: the majority,
        the mean of probabilities, a vote by held-out accuracy, the most accurate member alone.
    n_neighbors : int or "auto", default=15
        Training rows that count as near; "auto" takes that of 1, 3, 7, 15, 31, 63, 127 that
        predicts the held-out training rows best, each by its neighbours.
    weights : {"inverse", "uniform", "linear"}, default="inverse"
        What a neighbour counts by its distance, as in `consilience.integration.local_errors`.
    cv : int, "prefit", splitter or iterable of (train, test), default=10
        Where members err is learned on rows held out from them: so many folds, stratified, or
        those of a splitter whose test parts do not overlap. "prefit" takes fitted members as they
        are, whose errors are those on the rows given to `fit`: let these be rows that the members
        have not seen.
    categorical_features : None, "from_dtype", bool mask or indices, default="from_dtype"
        Nominal columns, whose values are equal or not; "from_dtype" takes the categories and texts
        of a data frame. This is for the distance alone: members do with X what they do.
    n_jobs : int, default=None
        Fits at the same time; None is 1, -1 is all cores. Never changes the answer.
    random_state : int, RandomState or None, default=None
        Seed of the folds, and of members that have none of their own.

    Attributes
    ----------
    estimators_ : list of classifiers
        The members, fitted on all rows.
    named_estimators_ : Bunch
        The same by name.
    member_accuracies_ : ndarray of shape (n_members,) or None
        Accuracy of each member on held-out rows; None where the method needs none.
    competence_ : LocalCompetence or None
        The held-out errors, and the distance to their rows, for a dynamic method.
    n_neighbors_ : int or None
        Training rows that count as near, for a dynamic method.
    classes_ : ndarray
        The labels, sorted.
    class_prior_ : ndarray
        Share of each class in the training rows, which decides ties.
    n_features_in_ : int
        Number of features seen in `fit`.
    feature_names_in_ : ndarray of str
        Their names, where X had them.

    See Also
    --------
    sklearn.ensemble.VotingClassifier : the same say for each member, on all rows.
    sklearn.ensemble.StackingClassifier : learns one way to join the members, for all rows.
    RandomSubspaceClassifier : makes its members itself.

    Notes
    -----
    The distance is `HEOM` over all features: missing values are taken, if the members take them.
    Features that do not matter blur it: with far more features than rows, select some first.

    References
    ----------
    S. Puuronen, V. Terziyan and A. Tsymbal, "A dynamic integration algorithm for an ensemble of
    classifiers", Foundations of Intelligent Systems (ISMIS), 1999.
    A. Tsymbal, M. Pechenizkiy and P. Cunningham, "Sequential genetic search for ensemble feature
    selection", IJCAI, 2005.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from consilience import DynamicIntegrationClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> members = [GaussianNB(), KNeighborsClassifier(), DecisionTreeClassifier(random_state=0)]
    >>> model = DynamicIntegrationClassifier(members, random_state=0).fit(X[::2], y[::2])
    >>> model.score(X[1::2], y[1::2]) > 0.9
    True
    """

    _required_parameters = ("estimators",)

    def __init__(
        self,
        estimators,
        method="dynamic_voting_selection",
        *,
        n_neighbors=15,
        weights="inverse",
        cv=10,
        categorical_features="from_dtype",
        n_jobs=None,
        random_state=None,
    ):
        self.estimators = estimators
        self.method = method
        self.n_neighbors = n_neighbors
        self.weights = weights
        self.cv = cv
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None):
        """Learn where members err, and fit them to all rows.

        Parameters
        ----------
        X : array-like, data frame, sparse matrix or BitMatrix of shape (n_samples, n_features)
            The data.
        y : array-like of shape (n_samples,)
            Class labels.
        sample_weight : array-like of shape (n_samples,), default=None
            Weight of each row for the members, all of which must take weights; rows of weight 0
            are left out. Where members err, rows count alike. Where scikit-learn's metadata
            routing is enabled, members get them that ask for them by `set_fit_request`.

        Returns
        -------
        self : object
            The fitted classifier.
        """
        names, members = self._check_members()
        if not isinstance(self.method, str) or self.method not in INTEGRATIONS:
            raise UsageError(
                f"Unknown method {self.method!r}; known are {', '.join(INTEGRATIONS)}."
            )
        if self.method in DYNAMIC:
            check_neighborhood(self.n_neighbors, self.weights)
        numbers, nominal = check_mixed_X(self, X, self._nominal_columns(X), reset=True)
        X = _as_came(X, numbers)
        labels, codes = self._check_labels(y, X.shape[0], names, members)
        weighed = self._weighed(names, members, sample_weight)
        if sample_weight is not None:
            given = check_rows_that_count(np.arange(codes.size)[:, None], codes, sample_weight)
            kept, sample_weight = given[0][:, 0], given[3]
            X, numbers, codes = take_rows(X, kept), take_rows(numbers, kept), codes[kept]
            if self._fits():  # fitted members know classes that no row need have
                present, codes = np.unique(codes, return_inverse=True)
                labels = labels[present]
        self.classes_ = labels
        counts = np.bincount(codes, sample_weight, labels.size)
        self.class_prior_ = counts / counts.sum()
        self._learn(members, X, codes, (sample_weight, weighed), numbers, nominal)
        self.named_estimators_ = Bunch(**dict(zip(names, self.estimators_, strict=True)))
        return self

    def predict(self, X):
        """Predict the class of each row.

        Parameters
        ----------
        X : array-like, data frame, sparse matrix or BitMatrix of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            Labels: those with the largest share in `predict_proba`.
        """
        shares = self.predict_proba(X)
        return self.classes_[shares.argmax(axis=1)]

    def predict_proba(self, X):
        """Share of each class: of the weight of votes, or the mean of probabilities.

        Equal shares go to the more frequent class, then to the first; its share is made larger by
        a billionth. Shares of votes are no calibrated probabilities.

        Parameters
        ----------
        X : array-like, data frame, sparse matrix or BitMatrix of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Columns in the order of `classes_`; rows sum to 1.
        """
        X, numbers = self._check_rows(X)
        if self.method == "average":
            shares = self._ask(predict_shares, X).mean(axis=0)
        else:
            predicted = self._ask(predict_codes, X)
            shares = vote_shares(predicted, self.classes_.size, self._weights(numbers))
        return without_ties(shares, None, self.class_prior_)

    def member_weights(self, X):
        """What the vote of each member counts for each row: who was heard.

        Parameters
        ----------
        X : array-like, data frame, sparse matrix or BitMatrix of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples, n_members)
            Rows sum to 1, or to 0 where a dynamic method finds that every member errs: they then
            vote alike.
        """
        weights = self._weights(self._check_rows(X)[1])
        totals = weights.sum(axis=0)
        return np.divide(weights, totals, out=np.zeros_like(weights), where=totals > 0).T

    def _learn(self, members, X, codes, weights, numbers, nominal):
        """Hold out rows where the method needs it, then fit the members to all."""
        sample_weight, weighed = weights
        y, needed = self.classes_[codes], INTEGRATIONS[self.method]
        seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        dealt, held, fits = np.random.SeedSequence(seed).spawn(3)
        predicted, self.competence_, self.n_neighbors_ = None, None, None
        if not self._fits():
            self.estimators_ = members
            predicted = self._ask(predict_codes, X) if needed else None
        elif needed:
            splits = make_splits(self.cv, X, y, codes, numbers, dealt)
            seeds = held.spawn(len(members) * len(splits))
            predicted = cross_predict(
                members,
                X,
                y,
                sample_weight,
                self.classes_,
                splits,
                seeds,
                weighed=weighed,
                n_jobs=self.n_jobs,
            )
        if self._fits():
            seeds = fits.spawn(len(members))
            self.estimators_ = fit_all(
                members, X, y, sample_weight, seeds, weighed=weighed, n_jobs=self.n_jobs
            )
        self.member_accuracies_ = None
        if needed:
            judged = predicted[0] >= 0
            self.member_accuracies_ = (predicted == codes)[:, judged].mean(axis=1)
        if self.method in DYNAMIC:
            self.competence_ = LocalCompetence.of(
                numbers,
                predicted,
                codes,
                nominal=nominal,
                n_neighbors=self.n_neighbors,
                weights=self.weights,
                rule=self.method,
                priors=self.class_prior_,
                n_jobs=self.n_jobs,
            )
            self.n_neighbors_ = self.competence_.n_neighbors

    def _weights(self, numbers):
        """What each vote counts, float64[n_members, n_rows]."""
        n_members, n_rows = len(self.estimators_), numbers.shape[0]
        if self.method in DYNAMIC:
            return self.competence_.vote_weights(self.method, numbers, n_jobs=self.n_jobs)
        weights = np.ones(n_members)
        if self.method == "weighted":
            weights = self.member_accuracies_
        elif self.method == "static":
            weights = np.eye(n_members)[np.argmax(self.member_accuracies_)]
        return np.repeat(weights[:, None], n_rows, axis=1)

    def _ask(self, function, X):
        return ask_all(function, self.estimators_, X, self.classes_, n_jobs=self.n_jobs)

    def _check_labels(self, y, n_samples, names, members):
        """Sorted labels, those that fitted members know included, and the codes of the rows."""
        labels, codes = check_labels(y, n_samples, at_least=1)
        if self._fits():
            if labels.size == 1:
                raise DataError(
                    f"All {n_samples} rows have the class {labels.tolist()[0]!r}; give data with 2 "
                    "classes or more (1 class found)."
                )
            return labels, codes
        known = {
            name: np.asarray(member.classes_)
            for name, member in zip(names, members, strict=True)
            if hasattr(member, "classes_")
        }
        for name, own in known.items():
            if not set(own.tolist()) & set(labels.tolist()):  # 0 is not "0" there
                raise DataError(
                    f"The member {name!r} was fitted to the classes {own.tolist()}, and y has "
                    f"{labels.tolist()}; give y in the labels that the members know."
                )
        every = np.unique(np.concatenate([labels, *known.values()]))
        return every, np.searchsorted(every, labels[codes])

    def _check_rows(self, X):
        check_is_fitted(self)
        known = {True: self.competence_, False: self.member_accuracies_}
        if INTEGRATIONS.get(self.method) and known[self.method in DYNAMIC] is None:
            raise UsageError(
                f"This was not fitted to learn what {self.method!r} needs; fit it by that method."
            )
        numbers, _ = check_mixed_X(self, X, self._nominal_columns(X), reset=False)
        return _as_came(X, numbers), numbers

    def _nominal_columns(self, X):
        """What `check_mixed_X` is to take as nominal: texts of a frame as well as categories."""
        given, kinds = self.categorical_features, column_kinds(X)
        if kinds is None or not (isinstance(given, str) and given == "from_dtype"):
            return given
        return categorical_columns(kinds) | np.array([kind.startswith(TEXT) for kind in kinds])

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        try:
            members = self._check_members()[1]
            inner = [get_tags(member).input_tags for member in members]
        except Exception:  # members that cannot be used are refused in fit
            return tags
        tags.input_tags.sparse = all(part.sparse for part in inner)
        tags.input_tags.allow_nan = all(part.allow_nan for part in inner)
        return tags


def _as_came(X, numbers):
    """X for the members: as the user has it, lists as arrays, sparse matrices as CSR or CSC."""
    return numbers if sparse.issparse(X) or not hasattr(X, "shape") else X
