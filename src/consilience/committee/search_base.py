"""What the committees share whose members are searched for: split, search, members, competence."""

from abc import abstractmethod
from typing import NamedTuple

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from .. import __version__
from ..data.bits import BitMatrix
from ..data.rows import take_rows
from ..data.unchanged import check_unchanged
from ..execution import check_memory, fingerprint, open_seeded
from ..execution.progress import progress_bar
from ..execution.thread_limit import one_thread_each
from ..results.plain import WITHOUT_EFFECT, clean
from ..selectors.validation import check_labels
from .answer import make_result
from .base import INTEGRATIONS, BaseCommittee
from .mean_diversity import MeanDiversity
from .mixed_columns import MixedColumnsMixin
from .rules import RulesMixin
from .search_competence import Lesson
from .search_members import fit_searched, make_asked
from .search_neighbours import NeighboursByRule
from .search_options import check_search_options, count_candidates, is_auto, is_bayes
from .search_table import SearchProblem, SearchTable
from .search_tuning import Tuned, tune

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


class BaseSearchCommittee(NeighboursByRule, RulesMixin, MixedColumnsMixin, BaseCommittee):
    """Base of the committees whose members' features are searched for.

    Some rows are set aside to judge subsets by, as the search sees them; a child writes `_search`.
    Members are then fitted, and their errors on training rows learned by cross-validation.
    """

    _integrations = SEARCHED
    # Ties go by the priors alone, as the searches and the tuning of alpha take them.
    _scores_decide = False
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

        There are no sample weights: fitness counts rows, each of which is right or wrong; a row
        that shall count twice may be given twice.

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
            self.checkpoint, self.random_state, lambda: self._manifest(X, codes, nominal, root)
        )
        # One thread for each product: they are small, and searches may run beside each other.
        with one_thread_each():
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

    def predict_proba(self, X):
        """Share of each class in the votes, or in what they weigh.

        Equal shares go to the more frequent class, then to the first; its share is made larger by
        a billionth. Shares of votes are no calibrated probabilities. For two classes,
        scikit-learn's `TunedThresholdClassifierCV` finds the share from which a class had better
        be predicted.

        Parameters
        ----------
        X : array-like, data frame, sparse matrix or BitMatrix of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Columns in the order of `classes_`; rows sum to 1.
        """
        return super().predict_proba(X)

    def staged_predict_proba(self, X):
        """The shares after the first member, the first two, and so on.

        Parameters
        ----------
        X : array-like, data frame, sparse matrix or BitMatrix of shape (n_samples, n_features)
            The rows.

        Yields
        ------
        ndarray of shape (n_samples, n_classes)
            As `predict_proba` of the members so far.
        """
        X = self._check_rows(X)
        answers, local = self._asked(X), self._local_errors(X)
        for size in range(1, len(answers) + 1):
            yield self._join(answers[:size], None, None if local is None else local[:, :size])

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

    def _manifest(self, X, codes, nominal, root) -> dict:
        """All that decides what a search gives."""
        given = self.get_params(deep=False)
        leave_out = {*WITHOUT_EFFECT, "random_state"}
        # An alpha that is tuned hangs on how many members there will be, and how they are joined.
        if not is_auto(given.get("alpha")):
            leave_out |= {"integration", "n_neighbors", "refit"}
            leave_out |= {"n_estimators"} if self._grows else set()
        frame = self._frame_codes if is_bayes(self.estimator) else None
        settings = {key: value for key, value in given.items() if key not in leave_out}
        return clean(
            {
                **settings,
                "consilience": __version__,
                "class": type(self).__name__,
                "random_state": int(root.entropy),
                "data": fingerprint(X, codes),
                "nominal": fingerprint(nominal, None if frame is None else frame.categories),
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
        diversity = MeanDiversity(self.diversity, problem.y, self.classes_.size)
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
        lesson = Lesson(table, problem.table, rows, masks, learned)
        self._begin_competence(lesson, self.n_neighbors_)

    def _asked(self, X):
        """Class codes by every member."""
        answers = [self._members.predicted(Z, self.n_jobs) for Z in self._members.blocks(X)]
        return np.concatenate(answers, axis=1)

    def _join(self, answers, score, local=None):
        return super()._join(answers, None, local)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        # No subset holds all features: of the two that scikit-learn tests with, members see one.
        tags.classifier_tags.poor_score = True
        return tags
