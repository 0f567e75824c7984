"""What one fit of a wrapper works with, and what is said of it afterwards."""

from dataclasses import dataclass, field
from functools import partial
from numbers import Integral
from typing import Any

import numpy as np

from .. import __version__
from ..exceptions import UsageError
from ..execution import Checkpoint, check_memory, fingerprint, open_seeded
from ..execution.local import resolve_jobs
from ..learners.compact_tree import CompactTreeClassifier
from ..learners.tree_settings import settings_of
from ..results.plain import WITHOUT_EFFECT, clean
from ..sampling.held_out import check_groups
from ..selectors.base import check_size
from ..selectors.validation import check_labels, check_X, feature_names
from .wrapper_general import GeneralScorer
from .wrapper_judge import Judge
from .wrapper_options import base_estimator, make_balance, n_candidates, search_options
from .wrapper_path import Evidence
from .wrapper_scorer import UNDECIDED, SubsetScorer, Target
from .wrapper_search import SEQUENTIAL, Request, dealing_of
from .wrapper_shuffle import Shuffler
from .wrapper_splits import Partitions, given_splits, table_splits
from .wrapper_table import WrapperTable
from .wrapper_trees import TreeScorer

N_DRAWS = 15  # by which the parts of the panel are judged


@dataclass(frozen=True)
class Work:
    """All that a search needs.

    Attributes
    ----------
    X : ndarray, sparse matrix or BitMatrix
        The data, checked.
    codes : int array of shape (n_samples,)
        Class of each row of X.
    nominal : bool array of shape (n_features,)
        Which columns hold categories.
    table : WrapperTable
        The candidates.
    judge : Judge
        Who judges them.
    request : Request
        What is looked for.
    checkpoint : Checkpoint or None
        Where generations are kept; answers to sequential searches are kept by the judge.
    remarks : list of str
        What the user should know.
    """

    X: Any
    codes: np.ndarray
    nominal: np.ndarray
    table: WrapperTable
    judge: Judge
    request: Request
    checkpoint: Checkpoint | None
    remarks: list[str] = field(default_factory=list)

    def remark(self, wrapper) -> None:
        """Note what became of the search."""
        path, request = wrapper.fitness_path_, self.request
        names = feature_names(wrapper)
        alone = wrapper.scores_[wrapper.candidates_]
        if (alone == UNDECIDED).all():
            self.remarks.append(
                f"All {alone.size} candidates have a fitness of 0.5 by themselves, as if nothing "
                "could be told: samples are too small for what is learned from them, or the class "
                "is too rare. Chi-square decided between them."
            )
        if request.stop == "permutation" and path.p_value[0] > request.alpha:
            told = f"{str(names[path.feature[0]])!r}, is shown to be better than shuffled ones"
            more = "those added to it are" if len(path) > 1 else "take it as a suggestion"
            self.remarks.append(
                f"Not even the best feature alone, {told} (p > {request.alpha:g}); {more}."
            )


def prepare(wrapper, X, y, groups, seed: int) -> Work:
    """Check the data, filter and order the columns, and set up the judge."""
    checked, nominal = check_X(
        wrapper, X, reset=True, allow_missing=False, categorical=wrapper.categorical_features
    )
    wrapper.classes_, codes = check_labels(y, checked.shape[0])
    size = check_size(wrapper.n_features_to_select, checked.shape[1])
    groups = None if groups is None else check_groups(groups, codes.size)
    cv = given_splits(wrapper.cv, checked, wrapper.classes_[codes], groups)
    seeds = np.random.SeedSequence(seed).spawn(4)
    strata = target_codes(wrapper, codes)
    candidates = n_candidates(wrapper)
    what = f"Searching among {min(candidates or checked.shape[1], checked.shape[1])} candidates"
    rare = min(np.bincount(strata)[1:].max(), checked.shape[0] // 2)
    check_memory(memory_for(wrapper, checked, candidates, int(rare)), what)
    table = WrapperTable.of(wrapper, checked, nominal, strata, groups, candidates, seeds[0])
    partitions = Partitions(table_splits(cv, table.rows), table.codes, table.groups, seeds[1])
    scorer = make_scorer(wrapper, table, partitions)
    data = checked, codes, nominal, groups, None if partitions.anew else cv
    checkpoint = open_seeded(
        wrapper.checkpoint, wrapper.random_state, partial(_manifest, wrapper, seed, data)
    )
    steps = wrapper.search in SEQUENTIAL
    judge = Judge(
        scorer, wrapper.combine, wrapper.redraw, seeds[2], n_jobs=wrapper.n_jobs,
        backend=wrapper.backend, checkpoint=checkpoint if steps else None,
    )  # fmt: skip
    remarks = []
    if table.n_candidates < size:
        remarks.append(
            f"Only {table.n_candidates} of the {size} features asked for "
            + ("vary" if table.n_varying < size else "are candidates")
            + ": no more can be selected."
        )
    remarks += _fold_remarks(scorer, partitions)
    request = Request(
        wrapper.search, wrapper.choice, min(size, table.n_candidates), wrapper.stop,
        wrapper.n_permutations, wrapper.alpha, wrapper.n_screened, search_options(wrapper),
        table.preference, seeds[3], Shuffler(checked, nominal, table),
    )  # fmt: skip
    return Work(checked, codes, nominal, table, judge, request, checkpoint, remarks)


def _fold_remarks(scorer, partitions):
    """What is to be said of more folds than there are rows of a class."""
    fewest = min(scorer.targets, key=lambda target: target.positive.sum())
    n = int(fewest.positive.sum())
    if not partitions.anew or partitions.cv <= n:
        return []
    return [
        f"There are {partitions.cv} inner folds for class {fewest.label!r}, which has {n} rows: "
        "folds without it are judged by nothing; fewer folds would do."
    ]


def target_codes(wrapper, codes) -> np.ndarray:
    """What is told apart, and what folds and filter go by: 1 for the minority, or all classes."""
    counts = np.bincount(codes)
    if counts.size > 2 and wrapper.multiclass == "ovr":
        wrapper.minority_ = None
        return codes
    smallest = int(counts.argmin())
    wrapper.minority_ = wrapper.classes_[smallest]
    return (codes == smallest).astype(np.int64)


def make_scorer(wrapper, table: WrapperTable, partitions: Partitions) -> SubsetScorer:
    """The scorer of an estimator: compiled for small trees, general for any other."""
    estimator = base_estimator(wrapper)
    if wrapper.minority_ is None:
        labels = wrapper.classes_.tolist()  # as the user wrote them
        targets = [_target(table.codes == c, label) for c, label in enumerate(labels)]
    else:
        label = np.asarray(wrapper.minority_).tolist()
        targets = [Target(table.codes == 1, label)]
    balance = make_balance(wrapper)
    settings = settings_of(estimator)
    rest = table, targets, partitions, balance, wrapper.fitness
    if not isinstance(estimator, CompactTreeClassifier):
        _refuse_categories(wrapper, table, estimator)
    if settings is not None:
        return TreeScorer(settings, *rest)
    return GeneralScorer(estimator, *rest)


def _target(positive, label):
    """One class against the others; the smaller side is the minority."""
    return Target(~positive if 2 * positive.sum() > positive.size else positive, label)


def _refuse_categories(wrapper, table, estimator):
    for j in np.flatnonzero(table.nominal):
        if np.unique(table.columns[j]).size > 2:
            name = str(feature_names(wrapper)[table.features[j]])
            raise UsageError(
                f"Column {name!r} holds categories, more than two, which "
                f"{type(estimator).__name__} would take for numbers; encode it first, or choose "
                "estimator=None, whose trees know categories."
            )


def contributions(work: Work, subset) -> np.ndarray:
    """What the panel loses without each of its features, with an interval: [n_selected, 3].

    By the same draws with and without, other than those of the search. Of a single feature the
    loss is what it has beyond a blind order of the rows.
    """
    judge, subset = work.judge, np.asarray(subset)
    iteration = 1 << 20  # beyond any step
    draws, blind = range(1, N_DRAWS + 1), blind_area(judge.scorer)
    whole = judge.ask_often(np.sort(subset)[None], iteration, draws)
    value = np.array([judge.fitness(own) for own in whole])
    losses = np.array([judge.units(own, 0) for own in whole])[:, None]
    if subset.size == 1:
        value, losses = value - blind, losses - blind
    else:
        without = np.array([np.sort(np.delete(subset, i)) for i in range(subset.size)])
        rest = judge.ask_often(without, iteration, draws)
        value = value - [judge.fitness(own) for own in rest]
        losses = losses - [[judge.units(own, i) for i in range(len(without))] for own in rest]
    dealing, out = dealing_of(judge), np.empty((subset.size, 3))
    for i in range(subset.size):
        evidence = Evidence(float(value[:, i].mean()), losses[:, i])
        out[i] = evidence.fitness, *evidence.interval(dealing, within=(-1.0, 1.0))
    return out


def blind_area(scorer: SubsetScorer) -> float:
    """What a blind order of the rows has: 0.5 under the ROC curve, else the minority's share."""
    if scorer.measure == "auc":
        return 0.5
    return float(np.mean([target.positive.mean() for target in scorer.targets]))


def memory_for(wrapper, X, candidates: int | None, n_minority: int | None = None) -> int:
    """Bytes that the search takes at its peak, about; a fifth of the rows are rare if none is said.

    Tables hold values, order and places of the candidates, once more while they are shuffled. Each
    job has the samples of its members, and the distances between the rows of the minority.
    """
    n, p = X.shape
    kept = p if candidates is None else min(p, candidates)
    rare = n // 5 + 1 if n_minority is None else n_minority
    tables = 2 * 24 * kept * n + 16 * kept * n
    samples = 8 * n * (8 * int(wrapper.ensemble_size) + 64 + 12 * wrapper.n_features_to_select)
    distances = 8 * rare * rare
    purities = 8 << 20
    return int(tables + resolve_jobs(wrapper.n_jobs) * (samples + distances + purities) + 64 * p)


def _manifest(wrapper, seed, data):
    given = wrapper.get_params(deep=False)
    told = {key: value for key, value in given.items() if key not in WITHOUT_EFFECT}
    told |= {"consilience": __version__, "random_state": seed, "data": fingerprint(*data)}
    told["cv"] = wrapper.cv if isinstance(wrapper.cv, Integral) else "given"  # among the data
    return clean(told)
