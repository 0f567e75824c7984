"""The work of one fit of a query committee: seeds, finished rounds, and where they are kept."""

import numpy as np

from .. import __version__
from ..data.unchanged import check_unchanged
from ..exceptions import UsageError
from ..execution import fingerprint, run_tasks
from ..results.plain import WITHOUT_EFFECT, clean
from .query_members import as_query_classifier, fit_chains
from .query_rounds import Rounds, Stopwatch

# Which numbers a seed is made of beside that of the fit: its use, then the round.
FOLDS, ORDER, ROUND = 0, 1, 2
# Parameters that decide how many rounds are made and how, or what is made of them in the end.
NOT_OF_A_ROUND = (
    *WITHOUT_EFFECT, "n_rounds", "warm_start", "patience", "stopping", "threshold"
)  # fmt: skip


class Work:
    """Data, seeds and finished rounds of one fit.

    Parameters
    ----------
    committee : BaseQueryCommittee
        Whose parameters hold.
    X : ndarray, sparse matrix or BitMatrix
        The data, of which a mapped file must not change.
    columns : QueryColumns
        The same as columns of bits.
    training : Training
        Classes and weights.
    size : int
        Features of each round.
    seed : int
        Where all random choices come from.
    """

    def __init__(self, committee, X, columns, training, size, seed):
        self.committee, self.X, self.columns, self.training = committee, X, columns, training
        self.size, self.seed = size, seed
        self.classifier = as_query_classifier(committee.estimator)
        self.checkpoint = None
        # Whether most rows hold a one, of the columns in use: what a missing value may be.
        self.common = np.zeros(columns.discrete.n_features, dtype=bool)
        self._data = None
        self._totals = None
        self.hold_out(None)

    def hold_out(self, folds) -> None:
        """Make a chain of rounds for each fold too, on the rows that are not in it.

        Parameters
        ----------
        folds : int array of shape (n_samples,) or None
            Fold of each row, below 0 for rows of all chains; None is no chain but the first.
        """
        self.folds = folds
        n_samples, n_classes = self.training.y.size, self.training.classes.size
        self.rounds = Rounds.empty(n_samples, n_classes, folds)
        # The rows of each chain, those of the committee itself being all.
        self.chains = np.ones((1 + self.n_folds, n_samples), dtype=bool)
        for fold in range(self.n_folds):
            self.chains[1 + fold] = folds != fold

    @property
    def n_folds(self) -> int:
        """Number of chains that leave a fold out."""
        return 0 if self.folds is None else int(self.folds.max()) + 1

    def totals(self) -> np.ndarray:
        """Ones of every column in the rows of each chain, int32[n_chains, n_columns]; made once."""
        if self._totals is None:
            self._totals = self.columns.counts(self.chains)
        return self._totals

    def seeds(self, *numbers) -> np.random.SeedSequence:
        """A seed for one use, the same whatever was drawn before."""
        return np.random.SeedSequence(self.seed, spawn_key=numbers)

    def make_rounds(self, numbers, n_jobs=None) -> None:
        """Make rounds, or read them from the checkpoint and train their members again.

        Several at once only where rounds know nothing of each other.
        """
        check_unchanged(self.X)
        if len(numbers) == 1:  # which may use the jobs for the chains
            self._accept(*self._make(numbers[0], n_jobs))
            return
        made = {}
        try:
            run_tasks(_make_one, numbers, shared=(self, made), n_jobs=n_jobs)
        finally:  # what is finished counts, whatever stops the others, up to the first that is not
            for number in numbers:
                if number not in made:
                    break
                self._accept(*made[number])

    def _make(self, number, n_jobs=None):
        """A round, which is on disk before it counts."""
        watch = Stopwatch()
        stored = None if self.checkpoint is None else self.checkpoint.get(_key(number))
        if stored is None:
            seed = self.seeds(ROUND, number, 0)
            subsets, distances, rows, line = self.committee._choose(self, number, seed, watch)
        else:  # what the other chains said is stored, and they have no members to be trained
            subsets, distances, rows, line = _unpacked(stored)
        rows = self.chains[: len(subsets)] if rows is None else rows
        seeds = [self.seeds(ROUND, number, 1 + k) for k in range(len(subsets))]
        member, answers, asked = fit_chains(
            self.classifier, self.columns, self.training, subsets, rows, seeds, n_jobs=n_jobs
        )
        watch.lap("train")
        watch.part("train", "predict", asked)
        if stored is not None:
            answers = np.concatenate([answers, stored["chain_answers"]])
        else:
            line |= watch.line() | {"n_features": subsets[0].size}
        if distances is None:
            distances = np.full(subsets[0].size, np.nan)
        ones = self.columns.bits(subsets[0]).column_sums()
        self.common[self.columns.encoding.columns(subsets[0])] = 2 * ones > rows[0].size
        check_unchanged(self.X)  # else what was counted may be of two files
        if stored is None and self.checkpoint is not None:
            arrays = _packed(subsets[0], distances, rows[0], answers, line)
            self.checkpoint.store(_key(number), arrays)
        return subsets[0], distances, member, answers, line

    def _accept(self, subset, distances, member, answers, line):
        self.rounds.add(subset, distances, member, answers, line)
        line |= self.committee._figures(self)

    def state(self) -> dict:
        """What a warm start goes on from."""
        return {
            "rounds": self.rounds,
            "seed": self.seed,
            "told": self._told(),
            "data": self._data,
            "common": self.common,
        }

    def go_on(self, state, data: str, n_members: int) -> None:
        """Take the rounds of an earlier fit to the same rows.

        Parameters
        ----------
        state : dict
            What that fit left.
        data : str
            `name_of_data` of its data.
        n_members : int
            Rounds that there are to be, the first member being one.
        """
        if state["told"] != self._told() or data != self.data():
            raise UsageError(
                "warm_start goes on with the rows, classes and settings of the last fit, and these "
                "are others; set warm_start=False to begin anew."
            )
        if state["seed"] != self.seed:
            raise UsageError(
                "warm_start goes on with the seed of the last fit, and random_state is another "
                "now; set it back, or set warm_start=False to begin anew."
            )
        if len(state["rounds"]) > n_members:
            raise UsageError(
                f"n_rounds is {self.committee.n_rounds} and the committee has made more already; "
                "warm_start only adds rounds, so set it to False to begin anew."
            )
        self.rounds, self.common = state["rounds"], state["common"]

    def manifest(self) -> dict:
        """All that decides what a round gives; how many there are to be does not."""
        return clean(
            {
                **self._settings(),
                "consilience": __version__,
                "class": type(self.committee).__name__,
                "random_state": self.seed,
                "chains": self.n_folds,
                "data": fingerprint(self.data(), self.training.y, self.training.sample_weight),
            }
        )

    def data(self) -> str:
        """`name_of_data`, worked out once: it costs a pass over all columns."""
        if self._data is None:
            self._data = name_of_data(self.committee, self.X, self.columns)
        return self._data

    def _told(self) -> str:
        """A name for classes, weights and settings."""
        labels = self.training.y, self.training.sample_weight
        return fingerprint(clean(self._settings()), self.n_folds, *labels)

    def _settings(self) -> dict:
        given = self.committee.get_params(deep=False)
        settings = {key: value for key, value in given.items() if key not in NOT_OF_A_ROUND}
        settings.pop("random_state")
        params = self.classifier.get_params()
        return settings | {"estimator": {"name": type(self.classifier).__name__, "params": params}}


def name_of_data(committee, X, columns) -> str:
    """A name for all that rounds see of the data: the same for every storage of the same content.

    Members see columns of bits; a selector that chooses the first features sees X itself.
    """
    by_words = isinstance(getattr(committee, "init", ""), str)
    return fingerprint(columns.fingerprint(), *(() if by_words else (X,)))


def _make_one(work, made, number):
    made[number] = work._make(number)
    return {}


def _key(number):
    return f"round-{number:06d}"


def _packed(subset, distances, rows, answers, line) -> dict:
    """A finished round as arrays; later rounds of a chain need nothing of it but its answers."""
    return {
        "subset": subset,
        "distances": distances,
        "rows": rows,
        "chain_answers": answers[1:].astype(np.int32),
        "names": np.array(list(line), dtype=np.str_),
        "figures": np.array(list(line.values()), dtype=np.float64),
    }


def _unpacked(stored):
    """The same again: subset, distances, rows to train on, figures."""
    line = dict(zip(stored["names"].tolist(), stored["figures"].tolist(), strict=True))
    return [stored["subset"]], stored["distances"], [stored["rows"]], line
