"""Figures of the Qifs paper from what each method said of the test rows, fold by fold."""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq
from scipy.special import ndtr
from scipy.stats import chi2

from ...measures.accuracy import Estimate, balanced_accuracy, error_rate
from ...measures.precision_recall import (
    average_precision,
    mean_average_precision,
    precision_and_recall,
    precision_at_recall,
)
from ...measures.significance import paired_t
from ...measures.time_curves import average_curve, time_to_target

QIFS, VARIANCE, HELD_OUT = "Qifs", "Qifs, variance", "Qifs, held out"
FORMS = (QIFS, VARIANCE, HELD_OUT)
RIVALS = ("Rand", "FSS", "Efs", "Eifs")
LEARNERS = {"tree": "C4.5", "svm": "SVM"}
LEVELS = (0, 10, 20)  # of noise, in percent
SIGNIFICANT = 4.604  # the paper's threshold of t: 99 %, two sides, four degrees of freedom


class Cell(NamedTuple):
    """One table of the paper: a data set, a level of noise in percent, a learner."""

    data: str
    noise: int
    learner: str


@dataclass(frozen=True)
class Fold:
    """One method on the test rows of one fold.

    Attributes
    ----------
    positive : bool array of shape (n_rows,)
        Whether each row is of the rarer class.
    shares : float array of shape (n_members, n_rows)
        Share of the votes for that class, by the first member, the first two, and so on; a tie is
        decided by a hair.
    scores : float array of shape (n_rows,)
        What rows are ranked by: the last shares; of a single classifier its decision values.
    seconds : float array of shape (n_members,)
        CPU seconds from the start of reading until each member was trained.
    """

    positive: np.ndarray
    shares: np.ndarray
    scores: np.ndarray
    seconds: np.ndarray

    @property
    def predicted(self) -> np.ndarray:
        """Whether each row is called positive in the end."""
        return self.shares[-1] > 0.5

    @property
    def accuracy(self) -> float:
        """Share of rows that are told right in the end."""
        return float((self.predicted == self.positive).mean())

    def accuracies(self) -> np.ndarray:
        """Accuracy after each member."""
        return ((self.shares > 0.5) == self.positive).mean(axis=1)

    def areas(self) -> np.ndarray:
        """Average precision after each member."""
        return np.array([average_precision(self.positive, shares).value for shares in self.shares])


Folds = list[Fold]


def accuracies(folds: Folds) -> np.ndarray:
    """Final accuracy in each fold."""
    return np.array([fold.accuracy for fold in folds])


def t_value(first: Folds, second: Folds) -> float:
    """The paper's t of the accuracies of two methods: ave(D) / sqrt(var(D) / n)."""
    return paired_t(accuracies(first), accuracies(second)).statistic


def noncentrality(t: float, n_folds: int, confidence: float = 0.95) -> tuple[float, float]:
    """Interval of the t that many repetitions would give on average, by one that was observed.

    Examples
    --------
    >>> from consilience.evaluation.reproduce.qifs_measures import noncentrality
    >>> [round(end, 1) for end in noncentrality(2.0, 5)]
    [-0.5, 4.3]
    """
    if not np.isfinite(t):
        return t, t
    # T is a normal number over a scale; SciPy's own distribution of it gives NaN far out.
    scales = np.sqrt(chi2.ppf((np.arange(2000) + 0.5) / 2000, n_folds - 1) / (n_folds - 1))

    def below(centre):
        return float(ndtr(t * scales - centre).mean())

    tail, reach = (1 - confidence) / 2, 10 + 3 * abs(t)
    low = brentq(lambda centre: below(centre) - (1 - tail), -reach, reach)
    high = brentq(lambda centre: below(centre) - tail, -reach, reach)
    return float(low), float(high)


def overall(folds: Folds) -> dict[str, Estimate]:
    """Accuracy, balanced accuracy and average precision over all test rows, with intervals."""
    positive = np.concatenate([fold.positive for fold in folds])
    predicted = np.concatenate([fold.predicted for fold in folds])
    scores = np.concatenate([fold.scores for fold in folds])
    number = np.repeat(np.arange(len(folds)), [fold.positive.size for fold in folds])
    wrong = error_rate(positive != predicted)
    return {
        "accuracy": Estimate(1 - wrong.value, 1 - wrong.high, 1 - wrong.low),
        "balanced accuracy": balanced_accuracy(positive.astype(int), predicted.astype(int)),
        "average precision": mean_average_precision(positive, scores, number),
    }


def areas(folds: Folds) -> np.ndarray:
    """Average precision in each fold, in the end."""
    return np.array([average_precision(fold.positive, fold.scores).value for fold in folds])


def mean_lead(cells: list[dict[str, Folds]], form: str, rival: str, *, equal: bool = False):
    """Lead of a form of Qifs in average precision in each fold, averaged over cells.

    Parameters
    ----------
    cells : list of dict of str to list of Fold
        The methods of each cell.
    form, rival : str
        Who is compared with whom.
    equal : bool, default=False
        Whether only as many members of the form vote as the rival has: more votes rank rows more
        finely, whatever they know.
    """
    leads = []
    for own in cells:
        first, second = own[form], own[rival]
        if equal:
            first = [
                replace(fold, scores=fold.shares[: len(other.shares)][-1])
                for fold, other in zip(first, second, strict=True)
            ]
        leads.append(areas(first) - areas(second))
    return np.mean(leads, axis=0)


def times_to_target(own: dict[str, Folds], form: str, figure: str = "accuracy") -> dict[str, float]:
    """Seconds until the folds' mean reaches the lowest final level of three committees.

    Parameters
    ----------
    own : dict of str to list of Fold
        The methods of one cell.
    form : str
        The form of Qifs that is compared with Efs and Eifs.
    figure : {"accuracy", "average precision"}
        What the curves are of.

    Returns
    -------
    dict of str to float
        Of each of the three its seconds, and "target".
    """
    curves = {}
    for name in (form, "Efs", "Eifs"):
        curves[name] = average_curve(
            [
                (fold.seconds, fold.accuracies() if figure == "accuracy" else fold.areas())
                for fold in own[name]
            ]
        )
    target = min(figures[-1] for _, figures in curves.values())
    found = {name: time_to_target(*curve, target) for name, curve in curves.items()}
    return found | {"target": float(target)}


def precisions(own: dict[str, Folds]) -> dict[str, np.ndarray]:
    """Precision of each method in each fold at the recall that FSS has there.

    FSS has one classifier, and thereby one pair of recall and precision. Where it finds nothing
    there is nothing to compare, and the fold has NaN for all.
    """
    points = [precision_and_recall(fold.positive, fold.predicted) for fold in own["FSS"]]
    found = {
        name: np.array(
            [
                precision_at_recall(fold.positive, fold.scores, recall)
                for fold, (_, recall) in zip(folds, points, strict=True)
            ]
        )
        for name, folds in own.items()
        if name != "FSS"
    }
    return found | {"FSS": np.array([p if recall > 0 else np.nan for p, recall in points])}
