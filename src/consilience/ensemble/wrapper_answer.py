"""How a fitted wrapper becomes its result."""

import time
from datetime import UTC, datetime
from numbers import Integral

import numpy as np

from ..results.data_facts import data_facts
from ..results.plain import WITHOUT_EFFECT, clean, versions
from ..selectors.validation import feature_names
from .out_of_bag import dense_columns
from .wrapper_options import base_estimator
from .wrapper_result import BalancedWrapperResult

CHANCE = 0.5  # the fitness of no feature at all


def make_result(wrapper, work, *, started: float, grouped: bool) -> BalancedWrapperResult:
    """The result of a fitted wrapper.

    Parameters
    ----------
    wrapper : BalancedWrapper
        With all its learned attributes but `result_`.
    work : Work
        What it worked with.
    started : float
        When `fit` began, by `time.perf_counter`.
    grouped : bool
        Whether rows were held out by groups.
    """
    panel, n_features = wrapper.selected_, wrapper.n_features_in_
    classes = [str(label) for label in wrapper.classes_]
    held = np.sort(panel)
    steps, gains = when_added(wrapper.fitness_path_, panel, n_features, wrapper.fitness)
    losses = np.full((n_features, 3), np.nan)
    losses[panel] = wrapper.contributions_
    spent = {key: float(value) for key, value in wrapper.seconds_.items() if key != "total"}
    counts = np.bincount(work.codes)
    return BalancedWrapperResult(
        panels=[panel],
        feature_names=feature_names(wrapper),
        classes=classes,
        y_codes=work.codes,
        profiled=held,
        panel_values=dense_columns(work.X, held),
        nominal=work.nominal[held],
        settings=_settings(wrapper, work, grouped),
        data=data_facts(work.X, work.codes, classes),
        warnings=list(work.remarks),
        versions=versions(),
        seconds={**spent, "select": time.perf_counter() - started},
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        path=wrapper.fitness_path_,
        alone=wrapper.scores_,
        gains=gains,
        steps=steps,
        losses=losses[:, 0],
        loss_low=losses[:, 1],
        loss_high=losses[:, 2],
        ranking=wrapper.ranking_,
        candidates=wrapper.candidates_,
        search={
            "minority": None if wrapper.minority_ is None else str(wrapper.minority_),
            "n_minority": int(counts.min()),
            "n_members": work.judge.scorer.balance.n_members,
            "n_evaluations": int(wrapper.n_evaluations_),
            "n_varying": int(work.table.n_varying),
            "refused": wrapper.refused_,
        },
    )


def when_added(path, panel, n_features: int, measure: str):
    """Step at which each feature of the panel was last added, and what the fitness gained by it.

    Nothing at all has an area of 0.5 under the ROC curve; below precision and recall it hangs on
    the data, so that the gain of a first feature is not told there.
    """
    steps, gains = np.full(n_features, np.nan), np.full(n_features, np.nan)
    before = CHANCE if measure == "auc" else np.nan
    for i, feature in enumerate(path.feature.tolist()):
        if feature in panel and path.added[i] and feature >= 0:
            steps[feature] = path.step[i]
            gains[feature] = path.fitness[i] - before
        before = path.fitness[i]
    return steps, gains


def _settings(wrapper, work, grouped: bool) -> dict:
    """The parameters as they were given, which decide the answer."""
    given = wrapper.get_params(deep=False)
    seed = given.pop("random_state")
    given = {key: value for key, value in given.items() if key not in WITHOUT_EFFECT}
    partitions = work.judge.scorer.partitions
    if not partitions.anew:  # rows by number would fill pages, and splitters have no text
        given["cv"] = f"{len(partitions.cv)} splits, given as {type(wrapper.cv).__name__}"
    return {
        **clean(given),
        "estimator": clean(base_estimator(wrapper)),
        "random_state": int(seed) if isinstance(seed, Integral) else None,
        "weighted": False,
        "grouped": grouped,
    }
