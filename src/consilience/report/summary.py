"""A selection result as a plain dict: everything the page says, and nothing about how.

What every page has is here; what one method adds is in a module of its own, with `columns`,
`sections`, `evidence` and `settings`.
"""

import numpy as np

from . import (
    summary_committee,
    summary_dafs,
    summary_ensemble,
    summary_search,
    summary_wrapper,
)
from .answer import answer
from .facts import bounded, data_facts, describe_feature, seconds
from .levels import judged_classes
from .nominal import nominal_profile
from .profiles import MAX_PLOTS, MAX_ROWS, heat, log_columns, profile
from .repeat import repeat
from .text import clean_name

ESTIMATES = ("error", "balanced_accuracy", "auc", "average_precision")
METHODS = {
    "ensemble": summary_ensemble,
    "dafs": summary_dafs,
    "balanced-wrapper": summary_wrapper,
}
METHODS |= dict.fromkeys(summary_committee.NAMES, summary_committee)
METHODS |= dict.fromkeys(summary_search.NAMES, summary_search)


def summarise(result) -> dict:
    """Return what the report shows as a dict of plain, JSON-able values.

    Parameters
    ----------
    result : SelectionResult

    Returns
    -------
    dict
        Ready for `render`, for JSON, or for a page of one's own.

    Examples
    --------
    >>> from consilience import EnsembleSelector, make_planted
    >>> from consilience.report.summary import summarise
    >>> made = make_planted(40, 50, random_state=0)
    >>> ensemble = EnsembleSelector(n_features_to_select=5, n_models=10, random_state=0)
    >>> summary = summarise(ensemble.fit(made.X, made.y).result_)
    >>> len(summary["panel"]), summary["performance"]
    (5, None)
    """
    document = result.to_dict()
    method = METHODS[document.get("method", "ensemble")]
    counts = [c["count"] for c in document["data"]["classes"]]
    features = [
        describe_feature(f, rank, counts)
        for rank, f in enumerate(document["panels"][0]["features"], 1)
    ]
    summary = {
        "method": document.get("method", "ensemble"),
        "answer": answer(document),
        "created": document["created"],
        "data": data_facts(document["data"]),
        "panel": features,
        "columns": method.columns(document),
        "other_panels": [
            [clean_name(f["feature"]) for f in other["features"]]
            for other in document["panels"][1:]
        ],
        "performance": performance(document["evaluation"]),
        "judged_classes": [c | {"name": clean_name(c["name"])} for c in judged_classes(document)],
        "profiles": profiles(result, features),
        "settings": method.settings(document),
        "seeded": document["settings"]["random_state"] is not None,
        "versions": document["versions"],
        "seconds": seconds(document["seconds"]),
        "repeat": repeat(document),
        "warnings": [clean_name(text) for text in document["warnings"]],
    }
    summary |= method.evidence(result, document)
    return summary | {"sections": method.sections(summary)}


def performance(evaluation: dict | None) -> dict | None:
    """Return the evaluation with stabilities that a reader can take at face value."""
    if evaluation is None:
        return None
    methods = []
    for method in evaluation["methods"]:
        stabilities = method["stability"]
        if stabilities is not None:
            stabilities = {
                key: None if value is None else bounded(value) for key, value in stabilities.items()
            }
        shown = {key: value for key, value in method.items() if key != "panels"}
        if method["key"] == "majority" and "positive" in evaluation:
            shown |= {key: without_interval(shown.get(key)) for key in ESTIMATES}
        methods.append(shown | {"stability": stabilities})
    return evaluation | {"methods": methods}


def without_interval(estimate: dict | None) -> dict | None:
    """Return the estimate as a mere number: to name one class always leaves nothing to chance."""
    return None if estimate is None else estimate | {"low": None, "high": None}


def profiles(result, panel: list[dict]) -> dict:
    """Return the values of the panel by class, as far as the result keeps them."""
    column_of = {int(feature): k for k, feature in enumerate(result.profiled)}
    kept = [feature for feature in panel if feature["index"] in column_of]
    values = np.asarray(result.panel_values, dtype=np.float64)
    values = values[:, [column_of[feature["index"]] for feature in kept]]
    y_codes, n_classes = np.asarray(result.y_codes), len(result.classes)
    # Codes of categories have neither logarithm nor mean.
    nominal = np.array([feature["categories"] is not None for feature in kept], dtype=bool)
    logs = np.zeros(len(kept), dtype=bool)
    logs[~nominal] = log_columns(values[:, ~nominal])
    features = [
        {"feature": feature["feature"], "scale": "log" if log else "linear"}
        | (
            profile(column, y_codes, n_classes)
            if feature["categories"] is None
            else nominal_profile(feature, column, y_codes)
        )
        for feature, log, column in zip(kept, logs, values.T, strict=True)
    ]
    values[:, logs] = np.log10(values[:, logs])
    measured = np.flatnonzero(~nominal)
    return {
        "classes": [clean_name(name) for name in result.classes],
        "names": [kept[k]["feature"] for k in measured[:MAX_ROWS]],
        "heat": heat(values[:, measured], y_codes, n_classes) if len(measured) else None,
        "any_log": bool(logs[measured[:MAX_ROWS]].any()),
        "features": features[:MAX_PLOTS],
        "n_measured": len(measured),
        "n_nominal": len(kept) - len(measured),
        "n_unknown": len(panel) - len(kept),
    }
