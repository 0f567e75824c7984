"""What the committees share whose members are searched for: split, search, members, competence."""

from abc import abstractmethod
from typing import NamedTuple

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted
from threadpoolctl import threadpool_limits

from .. import __version__
from ..data.bits import BitMatrix
from ..data.rows import take_rows
from ..data.unchanged import check_unchanged
from ..exceptions import DataError, UsageError
from ..execution import check_memory, fingerprint, open_seeded
from ..execution.progress import progress_bar
from ..integration.dynamic import DYNAMIC
from ..integration.static import vote_shares
from ..learners.frame_codes import check_mixed_X
from ..results.plain import WITHOUT_EFFECT, clean
from ..selectors.validation import check_labels, check_X, feature_names, refuse_not_finite
from .answer import make_result, take_columns
from .base import INTEGRATIONS, BaseCommittee, without_ties
from .mean_diversity import MeanDiversity
from .search_competence import Lesson
from .search_members import fit_searched, make_asked
from .search_options import check_search_options, count_candidates, is_auto, is_bayes
from .search_table import SearchProblem, SearchTable
from .search_tuning import Tuned, joined, tune

SEARCHED = {rule: known for rule, known in INTEGRATIONS.items() if rule != "average"}


class Found(NamedTuple):
    """What a search gives.

    Attributes
    ----------
    masks : bool array of shape (n_members, n_columns)
        The features of each member.
    history : dict of arrays
        A row for each generation of each process.
    n_evaluations : int
        Feature subsets that were judged, as often as they were.
    alpha : float or None
        Weight of diversity at the end, where the search has changed it.
    """

    masks: np.ndarray
    history: dict
    n_evaluations: int
    alpha: float | None = None


class BaseSearchCommittee(BaseCommittee):
    """Base of the committees whose members' features are searched for.

    Some rows are set aside to judge subsets by, as the search sees them; a child writes `_search`.
    Members are then fitted, and their errors on training rows learned by cross-validation.
    """

    _integrations = SEARCHED
    # Whether a run with more members goes on from one with fewer.
    _grows = False

    @abstractmethod
    def _search(self, problem: SearchProblem, alpha, seed, checkpoint=None, progress=None) -> Found:
        """Find the features of the members."""

    @abstractmethod
    def _n_steps(self) -> int:
        """How often a search tells its progress."""

    def fit(self, X, y):
        """Search for the members' features, and train the members.

        Parameters
        ----------
        X : array-like, data frame, sparse matrix or BitMatrix of shape (n_samples, n_features)
            The data. Missing values and nominal columns are for naive Bayes alone.
        y : array-like of shape (n_samples,)
            Class labels.

        Returns
        -------
        self : object
            The fitted committee.
        """
        before = vars(self).copy()
        try:
            self._fit(X, y)
        except BaseException:  # what was refused or stopped leaves all as it was
            vars(self).clear()
            vars(self).update(before)
            raise
        return self

    def _fit(self, X, y):
        self._check_integration()
        check_search_options(self)
        X, nominal = self._check_table(X)
        check_unchanged(X)
        self.classes_, codes = check_labels(y, X.shape[0])
        self.class_prior_ = np.bincount(codes) / codes.size
        check_memory(self.memory(X), f"A committee on {X.shape[1]:,} features")
        table = SearchTable.of(X, codes, self.classes_.size, nominal)
        self._data, self._result = (X, codes, nominal), None
        root = np.random.SeedSequence(int(check_random_state(self.random_state).randint(2**31 - 1)))
        split, searched, tuned, asked, members = root.spawn(5)
        fit_rows, self.validation_rows_ = table.hold_out(self.validation_fraction, split)
        checkpoint = open_seeded(
            self.checkpoint, self.random_state, lambda: self._manifest(X, codes, root)
        )
        # One thread for each product: they are small, and searches may run beside each other.
        with threadpool_limits(limits=1):
            chosen = self._tune(table, tuned, checkpoint)
            problem = self._problem(table, fit_rows, self.validation_rows_, asked, self.n_jobs)
            with progress_bar("Searching", self._n_steps(), show=bool(self.verbose)) as bar:
                found = self._search(problem, chosen.alpha, searched, checkpoint, bar)
            self._keep(found, problem, chosen)
            self._train(X, table, problem, found.masks, members)
        check_unchanged(X)

    def memory(self, X) -> int:
        """Bytes that `fit` will take at its peak beside X, about.

        Parameters
        ----------
        X : ndarray, sparse matrix or BitMatrix of shape (n_samples, n_features)
            The data.

        Returns
        -------
        int
            The columns in their order, the distances' copy of them, and what the search looks at.
        """
        n_samples, n_features = X.shape
        if isinstance(X, BitMatrix):
            held = n_samples * n_features / 4
        elif hasattr(X, "nnz"):
            held = 2 * 20 * X.nnz
        else:
            held = (np.asarray(X).itemsize + 8) * n_samples * n_features
        columns = n_samples * count_candidates(self.n_candidates, n_features)
        return int(held + (32 if is_bayes(self.estimator) else 24) * columns)

    def integrated(self, X, rules=None) -> dict[str, np.ndarray]:
        """What each rule of integration predicts, all from one pass over the members.

        Parameters
        ----------
        X : array-like, data frame, sparse matrix or BitMatrix of shape (n_samples, n_features)
            The rows.
        rules : sequence of str, default=None
            As `integration`; None is all.

        Returns
        -------
        dict of str to ndarray of shape (n_samples,)
            Labels by each rule.
        """
        X = self._check_rows(X)
        rules = list(self._integrations) if rules is None else list(rules)
        for rule in rules:
            self._check_rule(rule)
        answers, scores = self._asked(X)
        wanted = any(rule in DYNAMIC for rule in rules)
        local = self._errors_near(X) if wanted else None
        shares = {rule: self._rule_shares(rule, answers, local) for rule in rules}
        return {
            rule: self.classes_[without_ties(share, scores, self.class_prior_).argmax(axis=1)]
            for rule, share in shares.items()
        }

    @property
    def result_(self):
        """What the search found, as a `SearchCommitteeResult`: members, generations, panel.

        Made from the training data when it is first asked for. These are kept by reference, and
        not pickled: ask before pickling.
        """
        check_is_fitted(self)
        if self._result is None:
            if self._data is None:
                raise AttributeError(
                    "There is no result: the committee was pickled before its result_ was asked "
                    "for; fit it again."
                )
            X, codes, nominal = self._data
            check_unchanged(X)
            self._result = make_result(self, X, codes, n_features=None, nominal=nominal)
        return self._result

    def __getstate__(self):
        state = super().__getstate__()
        return {**state, "_data": None, "_lesson": None} if "_data" in state else state

    def _learn(self, training):
        """Nothing: `fit` has another order of work."""

    def _check_table(self, X):
        if is_bayes(self.estimator):
            return check_mixed_X(self, X, self.categorical_features, reset=True)
        X, nominal = check_X(
            self, X, reset=True, allow_missing=True, categorical=self.categorical_features
        )
        if nominal.any():
            name = str(feature_names(self)[np.argmax(nominal)])
            raise DataError(
                f"Column {name!r} is nominal, and members other than estimator='bayes' need "
                "numbers; encode it first, for example with OneHotEncoder."
            )
        if not isinstance(X, BitMatrix):
            refuse_not_finite(X, self, allow_missing=False)
        return X, nominal

    def _check_rows(self, X):
        check_is_fitted(self)
        if is_bayes(self.estimator):
            return check_mixed_X(self, X, self.categorical_features, reset=False)[0]
        return check_X(self, X, reset=False, allow_missing=False)[0]

    def _check_rule(self, rule):
        if not isinstance(rule, str) or rule not in self._integrations:
            known = ", ".join(self._integrations)
            raise UsageError(f"Unknown integration {rule!r}; known are {known}.")

    def _manifest(self, X, codes, root) -> dict:
        """All that decides what a search gives."""
        given = self.get_params(deep=False)
        leave_out = {*WITHOUT_EFFECT, "random_state"}
        if self._grows:
            leave_out |= {"n_estimators"}
        if not is_auto(given.get("alpha")):  # which is tuned by how members will be joined
            leave_out |= {"integration", "n_neighbors", "refit"}
        settings = {key: value for key, value in given.items() if key not in leave_out}
        return clean(
            {
                **settings,
                "consilience": __version__,
                "class": type(self).__name__,
                "random_state": int(root.entropy),
                "data": fingerprint(X, codes),
            }
        )

    def _problem(self, table, fit_rows, validation_rows, seed, n_jobs) -> SearchProblem:
        columns = table.with_candidates(self.n_candidates, fit_rows)
        maker = make_asked(self, seed, n_jobs)
        return SearchProblem(columns, fit_rows, validation_rows, maker)

    def _tune(self, table, seed, checkpoint) -> Tuned:
        """The weight of diversity as given or found, and with it the number of neighbours."""
        alpha = getattr(self, "alpha", None)
        if not is_auto(alpha):
            return Tuned(None if alpha is None else float(alpha), None, None)
        part = None if checkpoint is None else checkpoint.scope("tuning")
        with progress_bar("Choosing alpha", show=bool(self.verbose)) as bar:
            return tune(self, table, seed, part, bar)

    def _keep(self, found: Found, problem: SearchProblem, chosen: Tuned):
        """Set what the search has found."""
        features = problem.table.features
        self.candidates_ = np.sort(features)
        self.subsets_ = [features[mask] for mask in found.masks]
        self.masks_ = np.zeros((len(found.masks), self.n_features_in_), dtype=bool)
        self.masks_[:, features] = found.masks
        self.fitness_history_, self.n_evaluations_ = found.history, int(found.n_evaluations)
        self.alpha_, self.n_neighbors_, self.tuning_ = chosen
        if found.alpha is not None:
            self.alpha_ = found.alpha
        predicted = problem.predictor.predict(found.masks)
        right = predicted == problem.y
        self.member_accuracies_ = right.mean(axis=1)
        diversity = MeanDiversity(self.diversity, problem.y)
        answers = right.view(np.uint8) if diversity.by_right else predicted
        self.member_diversities_ = diversity.among(answers)

    def _train(self, X, table, problem, masks, seed):
        """Fit the members and, for a dynamic rule, learn where each of them errs."""
        rows = np.arange(table.y.size) if self.refit else problem.fit_rows
        fitted, learned = seed.spawn(2)
        given = X if self.refit else take_rows(X, rows)
        self.estimators_, self._members = fit_searched(
            self, given, table.y[rows], self.classes_, self._data[2], self.subsets_, fitted
        )
        self._order = table.features
        self._lesson, self._learned = Lesson(table, problem.table, rows, masks, learned), None
        if self.integration in DYNAMIC:
            self._learn_competence()

    def _learn_competence(self):
        if self._lesson is None:
            raise UsageError(
                "A dynamic rule needs the errors of members near a row, which were not learned "
                f"before the committee was pickled, as integration was {self.integration!r} then; "
                "fit it again with a dynamic rule."
            )
        sizes = self.n_neighbors if self.n_neighbors_ is None else self.n_neighbors_
        self._learned, tried = self._lesson.learn(self, sizes, self.n_jobs)
        self.n_neighbors_ = self._learned.n_neighbors
        if tried is not None and self.tuning_ is None:
            self.tuning_ = {"alpha": np.full(tried["accuracy"].size, self._alpha_tried()), **tried}

    def _alpha_tried(self) -> float:
        return np.nan if self.alpha_ is None else self.alpha_

    @property
    def _competence(self):
        """Where members err, learned when a dynamic rule first asks for it."""
        if self._learned is None:
            self._learn_competence()
        return self._learned

    def _asked(self, X):
        """Class codes by every member, and what gives the summed scores of rows that tie."""
        blocks = list(self._members.blocks(X))
        answers = [self._members.predicted(Z, self.n_jobs) for Z in blocks]

        def score(rows):
            found = [self._members.scores(Z, self.n_jobs).sum(axis=0) for Z in blocks]
            return np.concatenate(found)[rows]

        return np.concatenate(answers, axis=1), score

    def _rule_shares(self, rule, answers, local):
        if rule in DYNAMIC:
            weights = self._competence.weigh(rule, local)
            return vote_shares(answers, self.classes_.size, weights)
        return joined(rule, answers, self.classes_.size, self.member_accuracies_)

    def _local_errors(self, X):
        return self._errors_near(X) if self.integration in DYNAMIC else None

    def _errors_near(self, X):
        # Columns add up in the order of their content: permuted ones give the same distances.
        return self._competence.local_errors(take_columns(X, self._order), n_jobs=self.n_jobs)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = is_bayes(self.estimator)
        # No subset holds all features: of the two that scikit-learn tests with, members see one.
        tags.classifier_tags.poor_score = True
        return tags
