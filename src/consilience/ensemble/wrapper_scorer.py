"""Fold scores of feature subsets by ensembles on balanced samples: what a wrapper asks for."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..exceptions import UsageError
from ..learners.tree_settings import TreeSettings
from ..sampling.balance import KINDS, check_kind
from .wrapper_splits import Partitions, kernel_splits, refuse_unjudged
from .wrapper_table import WrapperTable

MEASURES = ("auc", "average_precision")  # in the order of the kernel's numbers
COMBINATIONS = ("mean", "pooled")
SPACES = ("subset", "full")
GAPS = ("row", "column")
UNDECIDED = 0.5  # the fitness of a subset that nothing can judge
DIGITS = 12  # what differs beyond is equal but for the order of summation


class Balance(NamedTuple):
    """How samples are drawn.

    Attributes
    ----------
    kind : str or None
        "hybrid", "rus", "ros", "smote", "cost" (class weights), or None: rows as they are.
    n_members : int
        Samples, and classifiers, of an ensemble.
    oversample : float
        Synthetic rows for each row of the minority, for "hybrid".
    k_neighbors : int
        Neighbours of which a synthetic row goes to one.
    space : {"subset", "full"}
        In which columns rows are near.
    gap : {"row", "column"}
        Whether a synthetic row goes equally far in all columns.
    """

    kind: str | None = "hybrid"
    n_members: int = 20
    oversample: float = 0.5
    k_neighbors: int = 5
    space: str = "subset"
    gap: str = "row"

    @property
    def drawn(self) -> bool:
        """Whether samples are drawn at all."""
        return self.kind in KINDS


class FoldScores(NamedTuple):
    """Areas on the rows held out.

    Attributes
    ----------
    folds : float array of shape (n_subsets, n_targets, n_splits)
        Of each split; NaN where a class is missing.
    pooled : float array of shape (n_subsets, n_targets)
        Of all held-out rows together.
    """

    folds: np.ndarray
    pooled: np.ndarray

    def fitness(self, combine: str = "mean") -> np.ndarray:
        """One number for each subset: the mean over the folds, or the pooled area.

        Folds that cannot be judged are left out; where none can, the pooled area counts, and
        where that is unknown as well, 0.5. Several targets are averaged.

        Examples
        --------
        >>> import numpy as np
        >>> from consilience.ensemble.wrapper_scorer import FoldScores
        >>> folds = np.array([[[0.5, 0.9, np.nan]], [[np.nan, np.nan, np.nan]]])
        >>> FoldScores(folds, np.array([[0.8], [np.nan]])).fitness()
        array([0.7, 0.5])
        """
        known = ~np.isnan(self.folds)
        n_known = known.sum(axis=2)
        means = np.where(known, self.folds, 0.0).sum(axis=2) / np.maximum(n_known, 1)
        pooled = np.where(np.isnan(self.pooled), UNDECIDED, self.pooled)
        chosen = pooled if combine == "pooled" else np.where(n_known > 0, means, pooled)
        return np.round(chosen.mean(axis=1), DIGITS)


@dataclass(frozen=True)
class Target:
    """One class against all others.

    Attributes
    ----------
    positive : bool array of shape (n_samples,)
        Rows of the smaller side, the minority.
    label : object
        The class.
    """

    positive: np.ndarray
    label: object


class SubsetScorer(ABC):
    """Judges feature subsets; a child knows how one kind of classifier is trained.

    Parameters
    ----------
    table : WrapperTable
        The candidates.
    targets : list of Target
        What is to be told apart; the fitness is the mean over them.
    partitions : Partitions
        Which rows are trained on and which are held out.
    balance : Balance
        How training samples are drawn.
    measure : {"auc", "average_precision"}
        The area.
    """

    # Whether one subset takes so long that each block of them is kept on disk by itself.
    slow = False
    # Subsets that are judged together: they share draws, and tasks stay long enough for threads.
    block = 32

    def __init__(self, table: WrapperTable, targets: list[Target], partitions: Partitions,
                 balance: Balance, measure: str = "auc"):  # fmt: skip
        self.targets, self.partitions = targets, partitions
        self.balance, self.measure = balance, measure
        self._prepared: dict[int, list] = {}
        self.table = table
        for target in targets:
            refuse_unjudged(partitions.splits(0), target.positive, target.label, partitions.groups)

    def prepare(self, number: int, tables=None) -> list:
        """The splits of a partition for each target, made when they are first asked for.

        Parameters
        ----------
        number : int
            Of the partition.
        tables : tuple of kernel tables, default=None
            Other columns in place of the scorer's own: distances in them are others.
        """
        looks = self.balance.drawn and (self.balance.space == "full" or self.table.nominal.any())
        if tables is not None and looks:
            return self._splits(number, tables[0].columns, tables[0].nominal)
        if number not in self._prepared:
            self._prepared[number] = self._splits(number, self.table.columns, self.table.nominal)
        return self._prepared[number]

    def _splits(self, number, columns, nominal):
        splits = self.partitions.splits(number)
        kind = self.balance.kind if self.balance.drawn else None
        return [
            kernel_splits(
                splits, columns, nominal, target.positive, kind=kind,
                oversample=self.balance.oversample, full=self.balance.space == "full",
            )
            for target in self.targets
        ]  # fmt: skip

    def score(self, table, splits, subsets, seeds) -> FoldScores:
        """Judge subsets of one size.

        Parameters
        ----------
        table : tuple of kernel tables, one for each target
            What `kernel_tables` gave, or the same with other columns.
        splits : list of Splits
            What `prepare` gave.
        subsets : int64 array of shape (n_subsets, size)
            Candidates, ascending.
        seeds : uint64 array of shape (n_subsets,)
            Of the draws; each target has words of its own.
        """
        parts = []
        for t, own in enumerate(splits):
            folds = np.empty((len(subsets), len(own.counts)))
            pooled = np.empty(len(subsets))
            with np.errstate(over="ignore"):
                words = seeds + np.uint64(t) * np.uint64(0xD1B54A32D192ED03)
                self._score(table[t], own, subsets, words, folds, pooled)
            parts.append((folds, pooled))
        folds, pooled = zip(*parts, strict=True)
        return FoldScores(np.stack(folds, axis=1), np.stack(pooled, axis=1))

    @abstractmethod
    def _score(self, table, splits, subsets, seeds, folds, pooled) -> None:
        """Fill fold scores and pooled scores for one target."""

    def kernel_tables(self, columns=None, nominal=None) -> tuple:
        """The columns, or others in their place, sorted, for each target."""
        from ..kernels.balanced_trees import Table

        columns = self.table.columns if columns is None else columns
        nominal = self.table.nominal if nominal is None else nominal
        orders = np.argsort(columns, axis=1, kind="stable").astype(np.int32)
        places = np.empty_like(orders)
        line = np.arange(columns.shape[1], dtype=np.int32)
        np.put_along_axis(places, orders, np.broadcast_to(line, orders.shape), axis=1)
        ordered = np.take_along_axis(columns, orders, axis=1)
        return tuple(
            Table(
                columns, ordered, orders, places, nominal,
                target.positive.astype(np.int32),
            )
            for target in self.targets
        )  # fmt: skip

    def kernel_plan(self, settings: TreeSettings):
        """How members are drawn, pruned and judged, as the kernels take it."""
        from ..kernels.balanced_trees import Plan

        balance = self.balance
        return Plan(
            balance.n_members,
            balance.drawn,
            settings.balanced or balance.kind == "cost",
            balance.k_neighbors,
            balance.gap == "column",
            settings.confidence,
            settings.deviation,
            MEASURES.index(self.measure),
        )


def check_balance(balance) -> str | None:
    """The kind of balance: a name, True for the hybrid of the paper, False or None for none.

    Examples
    --------
    >>> from consilience.ensemble.wrapper_scorer import check_balance
    >>> check_balance(True), check_balance("rus"), check_balance(False)
    ('hybrid', 'rus', None)
    """
    if balance is True:
        return "hybrid"
    if balance is False or balance is None:
        return None
    if isinstance(balance, str) and balance == "cost":
        return balance
    if not isinstance(balance, str) or balance not in KINDS:
        known = ", ".join(map(repr, (*KINDS, "cost")))
        raise UsageError(f"balance is {balance!r}; give one of {known}, True or False.")
    return check_kind(balance)
