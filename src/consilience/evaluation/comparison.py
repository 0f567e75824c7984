"""The outcome of a comparison: panels and predictions of every method, and what they tell."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..exceptions import DataError, UsageError
from ..execution.atomic import write_text
from .comparison_figures import figures_of, on_front

if TYPE_CHECKING:
    import pandas as pd

FORMAT = {"format": "consilience.comparison", "format_version": 1}
ALL = "all selectors"  # the row of means over selectors


@dataclass(frozen=True)
class DataFacts:
    """What is known of one data set.

    Attributes
    ----------
    name : str
        As the comparison calls it.
    n_features, n_splits : int
        Columns, and folds that could be made.
    classes : list of str
        The labels, sorted.
    y : int array of shape (n_samples,)
        Class of each row, as an index into `classes`.
    feature_names : dict of int to str
        Names of the columns that are in any panel.
    """

    name: str
    n_features: int
    n_splits: int
    classes: list[str]
    y: np.ndarray
    feature_names: dict[int, str]

    @classmethod
    def from_study(cls, name, table, study, outcomes) -> DataFacts:
        """Collect the facts of a table that was compared on."""
        used = [panel for o in outcomes if o.data == name for panel in o.panels]
        return cls(
            name=name,
            n_features=study.storage.n_features,
            n_splits=len(study.folds),
            classes=[str(label) for label in study.classes],
            y=study.codes,
            feature_names={
                int(j): str(table.feature_names[j]) for j in np.unique(np.concatenate(used))
            },
        )


@dataclass(frozen=True)
class Outcome:
    """What one way to a panel chose and predicted on one data set.

    Attributes
    ----------
    data, selector, aggregator : str
        Names; the aggregator is "nobagg" for one selection without resampling.
    panels : list of int arrays
        The features chosen in each fold, best first.
    predicted : dict of str to int array of shape (n_samples,)
        For each classifier the predicted class of every row, by the fold that had not seen it.
    itemsets : float array of shape (n_folds, 3)
        Number, mean size and mean support of the itemsets that made the panel; NaN where none did.
    """

    data: str
    selector: str
    aggregator: str
    panels: list[np.ndarray]
    predicted: dict[str, np.ndarray]
    itemsets: np.ndarray


@dataclass(frozen=True)
class Comparison:
    """Ways to select features, compared on the same folds and the same bootstraps.

    Attributes
    ----------
    settings : dict
        Sizes, seed and classifiers.
    data : list of DataFacts
        The data sets.
    selectors, aggregators : list of str
        Names in the order given; the first aggregator is "nobagg", one selection without
        resampling, against which the others are tested.
    outcomes : list of Outcome
        Panels and predictions, by data set, selector and aggregator.
    command : str or None
        What gives the same comparison again, where a command line made it.

    Examples
    --------
    >>> from consilience import load_demo
    >>> from consilience.evaluation import compare
    >>> found = compare(
    ...     {"leukemia": load_demo()}, ["chi-square"], ["most-frequent", "average-rank"], ["knn"],
    ...     n_models=15, n_splits=4, random_state=0,
    ... )
    >>> found.points()["error"].sum()
    np.float64(3.0)
    """

    settings: dict[str, Any]
    data: list[DataFacts]
    selectors: list[str]
    aggregators: list[str]
    outcomes: list[Outcome]
    command: str | None = None

    @property
    def classifiers(self) -> list[str]:
        """Names of the classifiers."""
        return list(self.settings["classifiers"])

    @property
    def folds(self) -> str:
        """How many folds a data set had, in words; a rare class allows fewer than asked for."""
        numbers = sorted(facts.n_splits for facts in self.data)
        least, most = numbers[0], numbers[-1]
        return f"{most} folds" if least == most else f"{least} to {most} folds"

    @property
    def samples(self) -> str:
        """What the selectors selected from, in words."""
        n_models, share = self.settings["n_models"], self.settings["sample_share"]
        if share is None:
            return f"{n_models} bootstraps of the training rows"
        return f"{n_models} samples of {100 * share:g} % of the training rows"

    @cached_property
    def _rows(self) -> list[dict]:
        rows, step = [], len(self.aggregators)
        facts = {data.name: data for data in self.data}
        for start in range(0, len(self.outcomes), step):
            group = self.outcomes[start : start + step]
            data = facts[group[0].data]
            rows += figures_of(group, data.y, data.n_features)
        return rows

    def table(self) -> pd.DataFrame:
        """Return the figures of each data set, selector, aggregator and classifier.

        Returns
        -------
        DataFrame
            Error and balanced accuracy with 95 % intervals; stability as mean Jaccard similarity
            of the folds' panels (`jaccard`) and corrected for chance (`nogueira`, with interval);
            p against "nobagg" (McNemar for errors, paired t over the pairs of folds for stability)
            and the verdict ("better", "worse" or "" where it may be chance); points among the
            aggregators of the same data set and selector.
        """
        import pandas as pd  # here, so that evaluations without a comparison start quicker

        return pd.DataFrame(self._rows)

    def methods(self, classifier: str | None = None) -> pd.DataFrame:
        """Return the means over all data sets, one row for each selector and aggregator.

        Parameters
        ----------
        classifier : str, default=None
            Whose errors; None takes the first.

        Returns
        -------
        DataFrame
            Columns error, jaccard, nogueira, error_points, stability_points, and `on_front`:
            whether no other method is better in error or in stability (Jaccard) without being
            worse in the other.
        """
        columns = ["error", "jaccard", "nogueira", "error_points", "stability_points"]
        rows = self._judged_by(classifier)
        means = rows.groupby(["selector", "aggregator"], sort=False)[columns].mean().reset_index()
        # Rounded, so that sums in another order cannot decide who is on the front.
        front = on_front(means["error"].round(12), means["jaccard"].round(12))
        return means.assign(on_front=front)

    def front(self, classifier: str | None = None) -> pd.DataFrame:
        """Return the methods that no other beats in error without losing stability, or vice versa.

        Parameters
        ----------
        classifier : str, default=None
            Whose errors; None takes the first.
        """
        means = self.methods(classifier)
        chosen = means[means["on_front"]].drop(columns="on_front")
        return chosen.sort_values(["error", "jaccard"], kind="stable").reset_index(drop=True)

    def points(self, classifier: str | None = None) -> pd.DataFrame:
        """Return the mean points of each aggregator over the data sets, as in the paper's Table 2.

        For each data set and selector, a method gets a point for each other aggregator that it
        beats significantly and half a point where the difference may be chance.

        Parameters
        ----------
        classifier : str, default=None
            Whose errors; None takes the first.

        Returns
        -------
        DataFrame
            Columns selector, aggregator, error, stability. With several selectors, rows of
            "all selectors" come last: the means over selectors too.
        """
        import pandas as pd

        rows = self._judged_by(classifier).rename(
            columns={"error_points": "error", "stability_points": "stability", "error": "_"}
        )
        figures = ["error", "stability"]
        found = rows.groupby(["selector", "aggregator"], sort=False)[figures].mean().reset_index()
        if len(self.selectors) > 1:
            means = found.groupby("aggregator", sort=False)[figures].mean().reset_index()
            found = pd.concat([found, means.assign(selector=ALL)], ignore_index=True)
        return found

    def itemsets(self) -> pd.DataFrame:
        """Return the itemsets that made the panels, means over the folds, as in Table 3.

        Returns
        -------
        DataFrame
            Columns data, selector, aggregator, number, size, support (share of the models); no
            rows where no aggregator uses itemsets.
        """
        import pandas as pd

        rows = [
            (o.data, o.selector, o.aggregator, *np.nanmean(o.itemsets, axis=0))
            for o in self.outcomes
            if not np.isnan(o.itemsets).all()
        ]
        names = ["data", "selector", "aggregator", "number", "size", "support"]
        return pd.DataFrame(rows, columns=names)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, for JSON."""
        return {
            **FORMAT,
            "command": self.command,
            "settings": self.settings,
            "selectors": self.selectors,
            "aggregators": self.aggregators,
            "data": [asdict(data) | {"y": data.y.tolist()} for data in self.data],
            "figures": _records(self.table()),
            "methods": {name: _records(self.methods(name)) for name in self.classifiers},
            "points": {name: _records(self.points(name)) for name in self.classifiers},
            "itemsets": _records(self.itemsets()),
            "outcomes": [
                {
                    "data": o.data,
                    "selector": o.selector,
                    "aggregator": o.aggregator,
                    "panels": [panel.tolist() for panel in o.panels],
                    "predicted": {name: codes.tolist() for name, codes in o.predicted.items()},
                    "itemsets": [[_plain(v) for v in fold] for fold in o.itemsets.tolist()],
                }
                for o in self.outcomes
            ],
        }

    @classmethod
    def from_dict(cls, document: dict[str, Any]) -> Comparison:
        """Make a comparison again from `to_dict`; figures are worked out anew."""
        data = [
            DataFacts(
                **entry
                | {
                    "y": np.array(entry["y"], dtype=np.int64),
                    "feature_names": {int(j): n for j, n in entry["feature_names"].items()},
                }
            )
            for entry in document["data"]
        ]
        outcomes = [
            Outcome(
                data=o["data"],
                selector=o["selector"],
                aggregator=o["aggregator"],
                panels=[np.array(panel, dtype=np.intp) for panel in o["panels"]],
                predicted={n: np.array(c, dtype=np.int32) for n, c in o["predicted"].items()},
                itemsets=np.array(o["itemsets"], dtype=float),
            )
            for o in document["outcomes"]
        ]
        names = (list(document[key]) for key in ("selectors", "aggregators"))
        return cls(dict(document["settings"]), data, *names, outcomes, document["command"])

    def save(self, path: str | Path) -> None:
        """Write a JSON file that `load` reads again, whole or not at all."""
        write_text(path, json.dumps(self.to_dict(), allow_nan=False, separators=(",", ":")) + "\n")

    @classmethod
    def load(cls, path: str | Path) -> Comparison:
        """Read what `save` wrote; nothing in the file is executed."""
        try:
            document = json.loads(Path(path).read_text(encoding="utf-8"))
            if {key: document.get(key) for key in FORMAT} != FORMAT:
                raise ValueError("it is of another format or version")
            return cls.from_dict(document)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise DataError(
                f"'{path}' does not hold a comparison ({error}); give a file that "
                "Comparison.save wrote, or compare again."
            ) from error

    def _judged_by(self, classifier: str | None) -> pd.DataFrame:
        name = self.classifiers[0] if classifier is None else classifier
        if name not in self.classifiers:
            raise UsageError(
                f"No panel was judged by {name!r}; the classifiers of this comparison are "
                f"{', '.join(self.classifiers)}."
            )
        rows = self.table()
        return rows[rows["classifier"] == name]


def _records(frame: pd.DataFrame) -> list[dict]:
    """Rows as dicts of plain values; None where there is no figure."""
    return [{k: _plain(v) for k, v in row.items()} for row in frame.to_dict("records")]


def _plain(value):
    if isinstance(value, np.generic):
        value = value.item()
    return None if isinstance(value, float) and not np.isfinite(value) else value
