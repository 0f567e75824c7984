"""What the committees of Qifs and its rivals share: rounds, votes, warm start, checkpoints.

Each round gives one more member on a feature subset of its own; a child writes how the subset of
a round is chosen. All members see columns of zeros and ones, and vote alike.
"""

from abc import abstractmethod
from copy import deepcopy
from dataclasses import replace
from numbers import Integral

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from ..data.bits import BitMatrix
from ..data.block_matrix import BlockMatrix
from ..data.unchanged import check_unchanged
from ..exceptions import UsageError
from ..execution import check_memory, open_seeded
from ..execution.local import resolve_jobs
from ..execution.progress import progress_bar
from ..execution.thread_limit import one_thread_each
from ..sampling.query import vote_margins
from ..selectors.validation import check_numeric_X
from .answer import make_result
from .base import BaseCommittee, check_rows_that_count
from .members import Training, check_takes_weights
from .query_columns import QueryColumns
from .query_encoding import BLOCK_CELLS, Encoding, rough_widths
from .query_members import as_query_classifier
from .query_rounds import Rounds
from .query_threshold import check_threshold
from .query_votes import VotesMixin
from .query_work import Work, name_of_data

VOTE = {"vote": False}
LARGEST_SUBSET = 500


class BaseQueryCommittee(VotesMixin, BaseCommittee):
    """Base of the committees that choose features round by round.

    A child has the parameters `estimator`, `n_rounds`, `n_features`, `discretize`, `n_bins`,
    `threshold`, `tie_class`, `warm_start`, `checkpoint`, `n_jobs`, `random_state` and `verbose`.
    It writes `_check_parameters`, `_prepare` and `_choose`.
    """

    integration = "vote"
    _integrations = VOTE
    scale = False
    # Whether the first member is that of a round, or made before all of them.
    _first_round_counts = True
    # Whether there are votes of chains that left a row out, to find a threshold by.
    _can_tune = False
    # Whether rounds know nothing of each other, so that several can be made at the same time.
    _independent = False

    @abstractmethod
    def _check_parameters(self, n_samples):
        """Refuse what the rounds could not use, before any work."""

    @abstractmethod
    def _prepare(self, work):
        """Work out once what all rounds need."""

    @abstractmethod
    def _choose(self, work, number, seed, watch):
        """The features of a round.

        Returns a list of subsets (that of the member, then of each chain that leaves a fold out),
        the distances of the first or None, the rows that each is trained on or None for all that
        it may know, and figures to keep.
        """

    def fit(self, X, y, sample_weight=None):
        """Train the committee, round by round.

        Parameters
        ----------
        X : array-like, sparse matrix or BitMatrix of shape (n_samples, n_features)
            The data. Zeros and ones are taken as they are; missing values are a value of their
            own; other numbers are cut into few values.
        y : array-like of shape (n_samples,)
            Class labels.
        sample_weight : array-like of shape (n_samples,), default=None
            Weight of each row, for members that take weights; rows of weight 0 are left out.

        Returns
        -------
        self : object
            The fitted committee.
        """
        before = vars(self).copy()
        work = None
        try:
            work = self._begin(X, y, sample_weight)
            if work is not None:
                self._run(work)
        except BaseException:
            if work is not None and len(work.rounds):
                self._keep(work)  # what is finished stays, whatever stops the work
            else:  # and what was refused leaves all as it was
                vars(self).clear()
                vars(self).update(before)
            raise
        if work is not None:
            self._keep(work)
        return self

    @property
    def result_(self):
        """What the rounds found, as a `CommitteeResult`: panel, learning curve, uncertainty.

        Made from the training data when it is first asked for. These are kept by reference, and
        not pickled: ask before pickling.
        """
        check_is_fitted(self)
        if self._result is None:
            if self._data is None:
                raise AttributeError(
                    "There is no result: all rows were of one class, or the committee was pickled "
                    "before its result_ was asked for; fit it again."
                )
            check_unchanged(self._data[0])
            self._result = make_result(self, *self._data)
        return self._result

    def __getstate__(self):
        return {**super().__getstate__(), "_data": None}

    def __copy__(self):
        twin = type(self).__new__(type(self))
        vars(twin).update(vars(self))
        return twin

    def __deepcopy__(self, memo):
        twin = memo[id(self)] = type(self).__new__(type(self))
        for name, value in vars(self).items():  # the data stay a reference in the copy, too
            setattr(twin, name, value if name == "_data" else deepcopy(value, memo))
        return twin

    def memory(self, X, encoding=None) -> int:
        """Bytes that `fit` will take at its peak beside X, about.

        Parameters
        ----------
        X : ndarray, sparse matrix or BitMatrix of shape (n_samples, n_features)
            The data.
        encoding : Encoding, default=None
            How features become columns; None guesses how many columns that will be.

        Returns
        -------
        int
            Counts of all columns, what holds them where X does not, and members at work.
        """
        n_samples, n_features = X.shape
        self._check_parameters(n_samples)
        size = self._check_n_features(n_features)
        if encoding is None:
            widths = rough_widths(X, discretize=self.discretize, n_bins=self.n_bins)
        else:
            widths = encoding.widths
        n_columns, widest = widths.sum(), np.sort(widths)[-size:].sum()
        held = 0 if isinstance(X, (BitMatrix, BlockMatrix)) else n_columns * n_samples / 8
        if n_columns > n_features:  # cut, a block at a time
            held += 32 * min(BLOCK_CELLS, n_samples * n_features)
            held += 4 * min(BLOCK_CELLS, n_samples * n_columns)
        if hasattr(X, "nnz"):
            listed = 4 * X.nnz + 8 * n_features
            held = (min(held, listed) if n_columns == n_features else held) + 12 * X.nnz
        jobs = resolve_jobs(self.n_jobs)
        n_chains = 1 + self._n_chains()
        together = jobs if self._independent else min(jobs, n_chains)
        counted = (88 + 8 * n_chains) * n_columns
        # Members that take bits as they are hold a few copies of them, the others dense numbers.
        takes_bits = getattr(as_query_classifier(self.estimator), "takes_bits", False)
        cell = 1 if takes_bits else 24
        return int(held + counted + cell * n_samples * widest * together)

    def _begin(self, X, y, sample_weight):
        """Check all that was given and make ready for the rounds; None where none is needed."""
        X = check_numeric_X(self, X, allow_missing=True, blocks=True)
        check_unchanged(X)
        training, X, seed = self._check_rows_and_classes(X, y, sample_weight)
        self.classes_, self.class_prior_ = training.classes, training.priors
        self._weighted = training.sample_weight is not None
        n_classes = training.classes.size
        check_threshold(self.threshold, n_classes, can_tune=self._can_tune)
        self._tie = self._check_tie_class()
        if n_classes == 1:
            self._be_constant(training)
            return None
        check_takes_weights(as_query_classifier(self.estimator), training.sample_weight)
        n_rounds = check_rounds(self.n_rounds, least=1 if self._first_round_counts else 0)
        self._check_parameters(X.shape[0])
        size = self._check_n_features(X.shape[1])
        encoding = Encoding.of(X, discretize=self.discretize, n_bins=self.n_bins, estimator=self)
        check_memory(self.memory(X, encoding), f"A committee on {X.shape[1]:,} features")
        columns = QueryColumns.of(X, estimator=self, encoding=encoding)
        work = Work(self, X, columns, training, size, seed)
        work.n_members = n_rounds + (not self._first_round_counts)
        self._prepare(work)
        work.checkpoint = open_seeded(self.checkpoint, self.random_state, work.manifest)
        state = getattr(self, "_state", None)
        if self.warm_start:
            work.data()  # while the data are there: a file may be gone when the rounds are made
            if state is not None:
                work.go_on(state, self._former_data(state), work.n_members)
        return work

    def _former_data(self, state) -> str:
        """The name of the data of the last fit."""
        if state["data"] is not None:
            return state["data"]
        if self._data is None:
            raise UsageError(
                "warm_start goes on with the data of the last fit, of which a committee that was "
                "pickled has no copy; set warm_start=True before the first fit, or to False now."
            )
        check_unchanged(self._data[0])
        columns = QueryColumns.of(self._data[0], encoding=self._encoding)
        return name_of_data(self, self._data[0], columns)

    def _run(self, work):
        """Make the rounds that are missing, from the checkpoint or anew."""
        n_members = work.n_members
        # One thread for each fit: how many there are can change the last bits of a product.
        single = one_thread_each()
        with single, progress_bar("Rounds", n_members, show=bool(self.verbose)) as bar:
            bar.advance(len(work.rounds))
            together = resolve_jobs(self.n_jobs) if self._independent else 1
            while len(work.rounds) < n_members and not self._saturated(work):
                first = len(work.rounds)
                numbers = range(first, min(first + together, n_members))
                work.make_rounds(numbers, self.n_jobs)
                bar.advance(len(numbers))

    def _saturated(self, work) -> bool:
        """Whether more rounds are no use."""
        return False

    def _margin_votes(self, work):
        """The votes on the training rows that margins are made of."""
        return work.rounds.votes

    def _figures(self, work) -> dict:
        """What is measured of the committee after a round."""
        return {}

    def _keep(self, work):
        """Set what is learned from the rounds that are finished."""
        rounds = work.rounds
        self._state, self._data, self._result = work.state(), (work.X, work.training.y), None
        self._encoding = replace(work.columns.encoding, common=work.common)
        self.subsets_, self.estimators_ = list(rounds.subsets), list(rounds.estimators)
        self.member_accuracies_ = None
        self.n_rounds_ = len(rounds) - (not self._first_round_counts)
        self.rounds_ = rounds.table()
        self.margins_ = vote_margins(self._margin_votes(work))
        self.storage_ = work.columns.storage
        self.threshold_ = self._find_threshold(work)
        sizes = np.bincount(np.concatenate(self.subsets_), minlength=self.n_features_in_)
        self.selection_counts_ = sizes

    def _find_threshold(self, work):
        return None if self.threshold is None else float(self.threshold)

    def _be_constant(self, training):
        """Rows of one class: nothing to learn, so that all are of that class."""
        self.subsets_, self.estimators_ = [np.empty(0, dtype=np.int64)], [None]
        self.member_accuracies_, self.threshold_, self.n_rounds_ = None, None, 0
        self.selection_counts_ = np.zeros(self.n_features_in_, dtype=np.int64)
        self.margins_ = np.ones(training.y.size, dtype=np.int64)
        self.rounds_ = Rounds.empty(0, 1).table()
        self._state = self._data = self._result = None
        self.storage_ = "Nothing is held: all rows are of one class."

    def _check_rows_and_classes(self, X, y, sample_weight):
        X, codes, classes, sample_weight = check_rows_that_count(X, y, sample_weight, at_least=1)
        state = getattr(self, "_state", None)
        if self.warm_start and state is not None and not isinstance(self.random_state, Integral):
            seed = state["seed"]  # rounds go on from the seed that they began with
        else:
            seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        return Training(None, codes, classes, sample_weight, np.random.SeedSequence(seed)), X, seed

    def _check_tie_class(self):
        """What decides between classes with equal shares: larger is better."""
        if self.tie_class is None:
            return self.class_prior_
        if self.tie_class not in self.classes_.tolist():
            known = ", ".join(map(repr, self.classes_.tolist()[:10]))
            raise UsageError(
                f"tie_class is {self.tie_class!r}; give one of the classes {known}, or None for "
                "the most frequent."
            )
        return self.class_prior_ + 2.0 * (self.classes_ == self.tie_class)

    def _check_n_features(self, n_features):
        if self.n_features is None:
            return default_subset_size(n_features)
        wanted = self.n_features
        if not isinstance(wanted, Integral) or isinstance(wanted, bool) or wanted < 1:
            raise UsageError(f"n_features is {wanted!r}; give a whole number, 1 or more, or None.")
        if wanted > n_features:
            raise UsageError(
                f"n_features is {wanted} and the data have {n_features}; a round takes some of "
                f"them, so give a number up to {n_features}, or None."
            )
        return int(wanted)

    def _n_chains(self) -> int:
        return 0  # beside the committee itself

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


def default_subset_size(n_features: int) -> int:
    """Features of a member where nothing is said: half of all, at most 500, at least two.

    Examples
    --------
    >>> from consilience.committee.query_base import default_subset_size
    >>> default_subset_size(139_351), default_subset_size(60), default_subset_size(3)
    (500, 30, 2)
    """
    return min(LARGEST_SUBSET, max(n_features // 2, min(2, n_features)))


def check_rounds(n_rounds, *, least: int) -> int:
    """A whole number of rounds."""
    if not isinstance(n_rounds, Integral) or isinstance(n_rounds, bool) or n_rounds < least:
        raise UsageError(f"n_rounds is {n_rounds!r}; give a whole number, {least} or more.")
    return int(n_rounds)
