"""A selection result as a plain dict: everything the page says, and nothing about how."""

import numpy as np

from .agreement import MAX_TOGETHER, coselection, model_map, shown_features
from .alternatives import alternatives
from .answer import answer
from .nominal import describe_categories, nominal_profile
from .profiles import MAX_PLOTS, MAX_ROWS, heat, log_columns, profile
from .repeat import chosen_params, repeat
from .steadiness import shuffled_frequency
from .text import TIE, clean_name, count, shorten

MEASURES = {
    "nogueira": ("Nogueira", "corrected for chance, any panel sizes, with an interval"),
    "kuncheva": ("Kuncheva", "corrected for chance, panels of one size"),
    "tanimoto": ("Tanimoto", "shared features over all features of two panels, not corrected"),
}
MAX_VALUE = 200  # letters of a setting; a mask of all columns would fill the page


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
    panel = np.asarray(result.panels[0])
    shown = shown_features(document["frequent"], len(panel))
    counts = [c["count"] for c in document["data"]["classes"]]
    features = [
        _feature(f, rank, counts) for rank, f in enumerate(document["panels"][0]["features"], 1)
    ]
    n_sizes = float(np.mean(np.asarray(result.models.membership().sum(axis=1)).ravel()))
    return {
        "answer": answer(document),
        "created": document["created"],
        "data": data_facts(document["data"]),
        "panel": features,
        "other_panels": [
            [clean_name(f["feature"]) for f in other["features"]]
            for other in document["panels"][1:]
        ],
        "frequent": [_feature(f, rank, counts) for rank, f in enumerate(document["frequent"], 1)],
        "n_shown": len(shown),
        # What each frequency would be, on average, if every model chose blindly.
        "chance_frequency": n_sizes / document["data"]["n_features"],
        # What hardly any feature exceeds when the classes are shuffled; None where not tried.
        "shuffled_frequency": shuffled_frequency(document),
        "models": model_map(result.models, np.array([f["index"] for f in shown]), panel),
        "coselection": coselection(result.models, panel)
        | {"n_shown": min(len(panel), MAX_TOGETHER)},
        "stability": stability(document["stability"]),
        "sizes": [_size(size) for size in document["sizes"]],
        "performance": performance(document["evaluation"]),
        "alternatives": alternatives(document),
        "profiles": profiles(result, features),
        "settings": settings(document["settings"]),
        "seeded": document["settings"]["random_state"] is not None,
        "versions": document["versions"],
        "seconds": seconds(document["seconds"]),
        "repeat": repeat(document),
        "warnings": [clean_name(text) for text in document["warnings"]],
    }


def data_facts(data: dict) -> dict:
    """Return the facts about the data, with names that can be shown."""
    return data | {
        "source": clean_name(data["source"] or "data in memory"),
        "target": clean_name(data["target"]) if data["target"] is not None else None,
        "classes": [{"name": clean_name(c["name"]), "count": c["count"]} for c in data["classes"]],
    }


def settings(chosen: dict) -> list[list[str]]:
    """Return what was asked for as pairs of label and text, without defaults that say nothing."""
    from ..aggregation.base import AGGREGATORS
    from ..selectors.base import SELECTORS

    rows = []
    for role, registry in (("selector", SELECTORS), ("aggregator", AGGREGATORS)):
        params = ", ".join(
            f"{key}{TIE}={TIE}{shorten(clean_name(value), MAX_VALUE)}"
            for key, value in chosen_params(chosen[role], registry).items()
        )
        rows.append([role.capitalize(), chosen[role]["name"], params])
    seed = chosen["random_state"]
    given = [
        text
        for key, text in (("grouped", "drawn by groups"), ("weighted", "weighted"))
        if chosen[key]
    ]
    return [
        *rows,
        ["Features to select", count(chosen["n_features_to_select"]), ""],
        ["Models", count(chosen["n_models"]), f"from {samples(chosen)}"],
        ["Seed", "none, so chance differs every time" if seed is None else str(seed), ""],
        *([["Rows", " and ".join(given), ""]] if given else []),
    ]


def samples(chosen: dict) -> str:
    r"""Say how the rows of each model were drawn.

    Examples
    --------
    >>> samples({"sample_share": 0.8})
    'samples of 80\xa0% of the rows'
    """
    share = chosen.get("sample_share")  # results of older versions rest on bootstraps
    return "bootstraps" if share is None else f"samples of {100 * share:g}{TIE}% of the rows"


def seconds(spent: dict) -> dict:
    """Return the time in all and by step."""
    steps = {step: time for step, time in spent.items() if step != "total"}
    return {"total": spent.get("total", sum(steps.values())), "steps": steps}


def stability(measured: dict) -> list[dict]:
    """Return one row per measure: label, estimate, what chance would give, meaning."""
    return [
        {
            "key": key,
            "label": label,
            "meaning": meaning,
            "estimate": _estimate(measured[key]),
            "chance": measured["chance"][key],
        }
        for key, (label, meaning) in MEASURES.items()
        if measured.get(key) is not None  # Kuncheva needs panels of one size
    ]


def performance(evaluation: dict | None) -> dict | None:
    """Return the evaluation with stabilities that a reader can take at face value."""
    if evaluation is None:
        return None
    methods = []
    for method in evaluation["methods"]:
        stabilities = method["stability"]
        if stabilities is not None:
            stabilities = {
                key: None if value is None else _estimate(value)
                for key, value in stabilities.items()
            }
        methods.append(method | {"stability": stabilities})
    return evaluation | {"methods": methods}


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


def _feature(feature: dict, rank: int, counts: list[int]) -> dict:
    shown = feature | {"rank": rank, "feature": clean_name(feature["feature"])}
    if feature.get("description") is not None:
        shown["description"] = clean_name(feature["description"])
    if "effects" in feature:
        shown["effects"] = [
            effect | {"class": clean_name(effect["class"])} for effect in feature["effects"]
        ]
        if feature["categories"] is not None:
            shown = describe_categories(shown, counts)
    return shown


def _size(size: dict) -> dict:
    return size | {
        "stability": _estimate(size["stability"]),
        "features": [clean_name(name) for name in size["features"]],
    }


def _estimate(estimate: dict) -> dict:
    """Cut an interval at 1: its theory is asymptotic, but no selection agrees more than fully."""
    high = estimate["high"]
    return estimate | {"high": None if high is None else min(high, 1.0)}
