"""What all members of one DAFS share: columns, folds, subspaces, and the tasks made of them."""

from dataclasses import dataclass, field
from numbers import Integral

import numpy as np

from ..exceptions import DataError
from ..execution import check_memory
from ..execution.local import resolve_jobs
from ..learners.base import ALWAYS
from ..learners.batched import BATCH_BYTES
from ..learners.choose import as_learner
from ..sampling.content_keys import column_order, content_keys
from ..sampling.held_out import held_out_folds
from ..sampling.subspace import SubspacePlan, draw_subspaces, plan_subspaces
from .dafs_columns import BLOCK_CELLS, MemberColumns
from .dafs_members import Task, member_blocks
from .dafs_scores import HIDING, check_options


@dataclass(frozen=True)
class Work:
    """The shared part of the work.

    Attributes
    ----------
    columns : MemberColumns
        From which members take their columns.
    y, folds : int arrays of shape (n_rows,)
        Class and fold of each row, as learners take them.
    n_classes : int
        Number of classes.
    plan : SubspacePlan
        How many subspaces of which size.
    subspaces : int32 array of shape (n_subspaces, subspace_size)
        Features of each member.
    ties : int array of shape (n_features,)
        Of features that are equal otherwise, that with the lower number is first.
    member_seed, curve_seed : numpy.random.SeedSequence
        For learners that draw.
    remarks : list of str
        What the user should know of the plan and of the members.
    unsolved : dict of str to int
        Fits of each learner that did not converge, so far.
    """

    columns: MemberColumns
    y: np.ndarray
    folds: np.ndarray
    n_classes: int
    plan: SubspacePlan
    subspaces: np.ndarray
    ties: np.ndarray
    member_seed: np.random.SeedSequence
    curve_seed: np.random.SeedSequence
    remarks: list[str]
    unsolved: dict[str, int] = field(default_factory=dict)

    @property
    def y_held(self) -> np.ndarray:
        """Classes of the rows that are held out."""
        return self.y[self.folds >= 0]

    def member_tasks(self, learner) -> list[Task]:
        """The members in blocks; a seed for each member where the learner draws."""
        seeds = self.member_seed.spawn(len(self.subspaces)) if learner.draws else None
        return [
            Task(f"members-{a:07d}", list(self.subspaces[a:b]), seeds and seeds[a:b])
            for a, b in member_blocks(len(self.subspaces))
        ]

    def curve_tasks(self, learner, panels) -> list[Task]:
        """One task for each panel, with the same seed: panels differ by their features alone."""
        seeds = [self.curve_seed] if learner.draws else None
        return [Task(f"curve-{len(panel):07d}", [panel], seeds) for panel in panels]


def prepare_work(dafs, X, codes, groups, seed) -> Work:
    """Draw folds and subspaces in an order that depends on the content of X alone."""
    seeds = seed.spawn(5)
    keys = content_keys(X, codes)
    dafs.folds_ = held_out_folds(
        codes,
        dafs.evaluation,
        n_folds=dafs.n_folds,
        validation_fraction=dafs.validation_fraction,
        groups=groups,
        keys=keys.rows,
        rng=np.random.default_rng(seeds[0]),
    )
    y, folds, copies = codes, dafs.folds_, 1
    if dafs.evaluation == "train":  # rows to predict, then copies of them to train on
        y, folds, copies = np.tile(y, 2), np.repeat([0, ALWAYS], y.size), 2
    columns = MemberColumns.from_data(X, dafs, scale=dafs.scale, copies=copies)
    order = column_order(X, keys.columns)
    ties = np.empty(order.size, dtype=np.int64)
    ties[order] = np.random.default_rng(seeds[1]).permutation(order.size)
    able = order[columns.varies[order]]
    plan, remarks = _plan(dafs, X.shape[1], able.size)
    what = f"Training {plan.n_subspaces} classifiers on {plan.subspace_size} features each"
    check_memory(needed_memory(dafs, X, plan), what)
    subspaces = able[draw_subspaces(plan, seeds[2], dafs.sampling)].astype(np.int32)
    n_classes = dafs.classes_.size
    return Work(columns, y, folds, n_classes, plan, subspaces, ties, *seeds[3:], remarks)


def needed_memory(dafs, X, plan: SubspacePlan) -> int:
    """Bytes that the members and the sums over them take at their peak, about.

    Before the classes are known, for two of them.
    """
    n_rows = X.shape[0] * (2 if dafs.evaluation == "train" else 1)
    tasks = len(member_blocks(plan.n_subspaces))
    jobs = min(resolve_jobs(dafs.n_jobs), tasks)
    widest = max(plan.subspace_size, min(dafs.max_features, X.shape[1]))
    learner = as_learner(dafs.estimator)
    each, hiding = learner.memory(n_rows, widest), _hides(dafs)
    if hiding:
        n_classes = len(getattr(dafs, "classes_", (0, 1)))
        each += learner.hiding_memory(n_rows, widest, n_classes)
    batch = max(each, min(BATCH_BYTES, each * -(-plan.n_subspaces // tasks)))
    kept = 4 + 32 + 16 * hiding  # as drawn, while summed, and what members do without a feature
    features = plan.n_subspaces * plan.subspace_size * kept
    answers = 7 * plan.n_subspaces * n_rows  # of tasks, of all, if right, and while compared
    stored = 12 * X.nnz if hasattr(X, "nnz") else 0  # once more, by columns
    blocks = 64 * min(BLOCK_CELLS, X.shape[0] * X.shape[1])
    whole = stored + blocks + 64 * X.shape[1]
    return int(jobs * batch + features + answers + whole)


def _hides(dafs) -> bool:
    """Whether the members must tell how they do with a feature hidden."""
    given = dafs.criterion, dafs.diversity, dafs.r, dafs.form, dafs.orientation, dafs.agreement
    return check_options(*given)[0] in HIDING


def _plan(dafs, n_features, n_varying):
    """What is drawn from the columns that vary, and what to say of it."""
    size, rest = dafs.subspace_size, (dafs.n_subspaces, dafs.coverage, dafs.sampling)
    if n_varying == 0:
        raise DataError(
            f"All {n_features} columns are constant; give features that differ between rows."
        )
    plan_subspaces(n_features, size, *rest)  # refuses sizes beyond the columns that a caller sees
    if isinstance(size, Integral) and size > n_varying:
        remark = (
            f"Only {n_varying} of the {n_features} columns vary, so that subspaces hold "
            f"{n_varying} features in place of {size}."
        )
        return plan_subspaces(n_varying, n_varying, *rest), [remark]
    return plan_subspaces(n_varying, size, *rest), []
