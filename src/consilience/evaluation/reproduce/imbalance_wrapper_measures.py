"""What the runs of the paper on imbalanced data give: wins, Friedman's test, and gains of the area.

The paper has one split of each set into halves, and so one number of wins for a set, classifier
and search. Here there are several splits, and figures of a set are means over them. Data sets are
the witnesses of the verdicts; readings of the same set are averaged and count once.
"""

from typing import Any, NamedTuple

import numpy as np

from ...measures.significance import friedman, win_tie_loss
from .imbalance_wrapper_classifiers import CLASSIFIERS
from .imbalance_wrapper_sets import READINGS

COMPARED = ("greedy", "genetic")  # what the paper searches with
UNPRUNED = "unpruned"  # greedy search with trees that are not pruned
APPROACHES = ("ensemble", "single")
LEAKED = ("re0", "all-stjude")  # where the filter is let see all rows: those of the rarest classes
ALPHA = 0.05
DIGITS = 9  # areas that differ by less are equal but for the rounding


class Runs(NamedTuple):
    """The runs of one data set.

    Attributes
    ----------
    sizes : dict of str to int
        `rows`, `features` and `minority` rows.
    searches : dict of str to dict of str to array
        What `judge` gives for each search, with axes of the runs and the halves in front.
    """

    sizes: dict[str, int]
    searches: dict[str, dict[str, Any]]

    def areas(self, search: str) -> np.ndarray:
        """Areas of shape (runs, halves, arms, sizes, classifiers)."""
        return self.searches[search]["areas"]

    def gains(self, search: str) -> np.ndarray:
        """Area with the ensemble less that with the single wrapper, for each half.

        Of shape (runs * halves, sizes, classifiers).
        """
        areas = self.areas(search)
        gains = areas[:, :, 0] - areas[:, :, 1]
        return gains.reshape(-1, *gains.shape[2:])


class Cells(NamedTuple):
    """Cells of the paper's Table 2 or 3 for one data set: arrays of shape (runs, classifiers).

    Attributes
    ----------
    wins, ties, losses : int array
        Sizes at which the ensemble is better, as good, worse.
    p_value : float array
        Of Friedman's test over the sizes.
    """

    wins: np.ndarray
    ties: np.ndarray
    losses: np.ndarray
    p_value: np.ndarray

    @property
    def margin(self) -> np.ndarray:
        """Wins less losses, as a share of the sizes."""
        return (self.wins - self.losses) / (self.wins + self.ties + self.losses)

    @property
    def better(self) -> np.ndarray:
        """1 where there are more wins than losses, 0.5 where as many, 0 where fewer."""
        return (1 + np.sign(self.wins - self.losses)) / 2

    @property
    def significant(self) -> np.ndarray:
        """1 where the ensemble is significantly better, -1 where the single wrapper is, else 0."""
        return np.where(self.p_value < ALPHA, np.sign(self.wins - self.losses), 0)


def cells(areas) -> Cells:
    """Count wins and test them, for each run and classifier.

    Parameters
    ----------
    areas : array of shape (runs, halves, 2, sizes, classifiers)
        Of the ensemble and of the single wrapper; halves are averaged.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.evaluation.reproduce.imbalance_wrapper_measures import cells
    >>> areas = np.zeros((1, 2, 2, 20, 1))
    >>> areas[:, 0, 0, :15], areas[:, 1, 1, 15:19] = 0.2, 0.1
    >>> found = cells(areas)
    >>> [part.item() for part in (found.wins, found.ties, found.losses)]
    [15, 1, 4]
    >>> found.margin, found.significant, found.p_value.round(3)
    (array([[0.55]]), array([[1]]), array([[0.012]]))
    """
    means = np.round(np.mean(areas, axis=1), DIGITS)  # runs, approaches, sizes, classifiers
    n_runs, _, _, n_classifiers = means.shape
    counts = np.empty((3, n_runs, n_classifiers), dtype=np.int64)
    p_value = np.empty((n_runs, n_classifiers))
    for run in range(n_runs):
        for c in range(n_classifiers):
            both = means[run, :, :, c]
            counts[:, run, c] = win_tie_loss(*both)
            p_value[run, c] = friedman(both.T).p_value
    return Cells(*counts, p_value)


class Sets:
    """Figures of all data sets; the first axis is the witness.

    Attributes
    ----------
    names : list of str
        Sets by their names in the paper.
    gain : dict of str to array of shape (sets, sizes, classifiers)
        By search: area of the ensemble less that of the single wrapper.
    margin, better, significant, against : dict of str to array of shape (sets, classifiers)
        By search: means over the runs of `Cells`; `significant` is the share of the runs in which
        the ensemble is significantly better, `against` that in which the single wrapper is.
    moderate : dict of str to array of shape (sets,)
        By search: share of the improvements (more wins than losses) that are not significant; NaN
        where there is none.
    """

    def __init__(self, found: dict[str, Runs]):
        self.found = found
        self.names = list(witnesses(found))
        told = {
            search: {name: _figures(runs, search) for name, runs in found.items()}
            for search in (*COMPARED, UNPRUNED)
        }

        def by_search(part):
            return {
                search: by_witness({name: figures[part] for name, figures in own.items()})
                for search, own in told.items()
            }

        self.gain, self.margin = by_search("gain"), by_search("margin")
        self.better, self.significant = by_search("better"), by_search("significant")
        self.against, self.moderate = by_search("against"), by_search("moderate")


def _figures(runs, search):
    """Means over the runs of one set."""
    own = cells(runs.areas(search))
    improved = own.better == 1
    moderate = (own.significant == 0)[improved]
    return {
        "gain": runs.gains(search).mean(axis=0),
        "margin": own.margin.mean(axis=0),
        "better": own.better.mean(axis=0),
        "significant": (own.significant == 1).mean(axis=0),
        "against": (own.significant == -1).mean(axis=0),
        "moderate": moderate.mean() if improved.any() else np.nan,
    }


def witnesses(names) -> dict[str, list[str]]:
    """Data sets by their names in the paper; readings of the same one stand together.

    Examples
    --------
    >>> from consilience.evaluation.reproduce.imbalance_wrapper_measures import witnesses
    >>> witnesses(["oil", "all-chiaretti", "all-stjude"])
    {'oil': ['oil'], 'ALL': ['all-chiaretti', 'all-stjude']}
    """
    groups: dict[str, list[str]] = {}
    for name in names:
        groups.setdefault(READINGS.get(name, name), []).append(name)
    return groups


def by_witness(values: dict[str, Any]) -> np.ndarray:
    """Figures of the data sets with the readings of one set averaged, unknown ones left out.

    Examples
    --------
    >>> from consilience.evaluation.reproduce.imbalance_wrapper_measures import by_witness
    >>> by_witness({"oil": 0.5, "all-chiaretti": 0.75, "all-stjude": 0.25})
    array([0.5, 0.5])
    """
    means = []
    for group in witnesses(values).values():
        known = [values[name] for name in group if not np.isnan(values[name]).any()]
        means.append(np.mean(known, axis=0) if known else values[group[0]])
    return np.array(means)


def place(classifier: str) -> int:
    """Place of a classifier on the last axis of all figures."""
    return CLASSIFIERS.index(classifier)
