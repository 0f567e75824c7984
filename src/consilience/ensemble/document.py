"""The JSON document of a result, schema version 1; docs/result-schema.md describes it."""

import platform
from contextlib import suppress
from functools import cache
from importlib import metadata
from typing import Any

import numpy as np

from .. import __version__
from ..exceptions import DataError
from ..measures.effects import class_effects
from ..measures.stability import all_measures, expected_by_chance
from ..models import FeatureModels

SCHEMA, SCHEMA_VERSION = "consilience.result", 1
TOLD = (
    "settings", "data", "evaluation", "warnings", "seconds", "command", "created", "versions"
)  # fmt: skip
PACKAGES = ("numpy", "scipy", "scikit-learn", "numba", "pandas")


class NotReadable(DataError):
    """A result that is whole but not for this version to read."""


def to_document(result) -> dict[str, Any]:
    """Everything a result knows, as JSON-able values."""
    size = max(panel.size for panel in result.panels)
    return clean(
        {
            "schema": SCHEMA,
            "schema_version": SCHEMA_VERSION,
            "created": result.created,
            "seconds": result.seconds,
            "command": result.command,
            "versions": result.versions,
            "settings": result.settings,
            "data": result.data,
            "panels": panel_rows(result),
            "frequent": frequent_rows(result, min(3 * size, 100)),
            "stability": stability_of(result.models),
            "sizes": result.sizes(),
            "evaluation": result.evaluation,
            "alternatives": alternatives_of(result),
            "warnings": list(result.warnings),
        }
    )


def from_document(document: dict, arrays: dict):
    """The result that `to_document` and the arrays of `models.npz` describe."""
    from .result import SelectionResult

    if not isinstance(document, dict) or document.get("schema") != SCHEMA:
        raise NotReadable("result.json was not written by consilience; give a run directory.")
    if document["schema_version"] > SCHEMA_VERSION:
        raise NotReadable(
            f"result.json has schema version {document['schema_version']} and this consilience "
            f"reads up to {SCHEMA_VERSION}; install a newer one."
        )
    panels = [
        np.array([row["index"] for row in panel["features"]], dtype=np.intp)
        for panel in document["panels"]
    ]
    models, names = FeatureModels.from_arrays(arrays), arrays["feature_names"].astype(object)
    in_panel = [row["feature"] for row in document["panels"][0]["features"]]
    if names.size != models.n_features or names[panels[0]].tolist() != in_panel:
        raise ValueError("models.npz belongs to another result.json")
    return SelectionResult(
        models=models,
        panels=panels,
        feature_names=names,
        classes=[row["name"] for row in document["data"]["classes"]],
        y_codes=arrays["y_codes"],
        profiled=arrays["profiled"],
        panel_values=arrays["panel_values"],
        nominal=arrays["nominal"],
        categories={
            row["feature"]: row["categories"]
            for panel in document["panels"]
            for row in panel["features"]
            if row["categories"] is not None
        },
        # Results from before there were alternatives lack the key.
        alternatives_evaluation=(document.get("alternatives") or {}).get("evaluation"),
        **{key: document[key] for key in TOLD},
    )


def alternatives_of(result) -> dict | None:
    """What several panels have to do with each other; None where there is one panel."""
    if len(result.panels) == 1 and result.alternatives_evaluation is None:
        return None
    return result.alternatives().to_dict() | {"evaluation": result.alternatives_evaluation}


def panel_rows(result) -> list[dict]:
    """Each panel's features with frequency, mean rank, and how the classes differ in it.

    A panel of another size may hold features whose values were not kept: their figures are null.
    """
    effects = class_effects(result.panel_values, result.y_codes, len(result.classes))
    place = {int(j): k for k, j in enumerate(result.profiled)}
    frequencies, ranks = result.models.frequencies, result.models.mean_ranks

    def row(j):
        k = place.get(int(j))
        nominal = k is not None and bool(result.nominal[k])
        categories, shares = category_shares(result, k) if nominal else (None, None)
        told = [
            {
                "class": name,
                # Codes of categories have no mean.
                **{
                    key: None if nominal or k is None else effects[code][key][k]
                    for key in ("mean", "sd", "effect")
                },
                "shares": shares[code] if nominal else None,
            }
            for code, name in enumerate(result.classes)
        ]
        return {
            "feature": str(result.feature_names[j]),
            "index": int(j),
            "frequency": frequencies[j],
            "mean_rank": ranks[j],
            "description": None,
            "categories": categories,
            "effects": told,
        }

    return [{"features": [row(j) for j in panel]} for panel in result.panels]


def category_shares(result, k: int) -> tuple[list[str], list[list[float]]]:
    """Categories of the k-th kept column, and the share of each in every class.

    Rows with a missing value are left out.
    """
    values = result.panel_values[:, k]
    known = ~np.isnan(values)
    names = result.categories.get(str(result.feature_names[result.profiled[k]]))
    codes = np.unique(values[known]) if names is None else np.arange(len(names))
    shares = [
        [float(share) for share in (values[known & (result.y_codes == c), None] == codes).mean(0)]
        if (known & (result.y_codes == c)).any()
        else [None] * codes.size
        for c in range(len(result.classes))
    ]
    return ([f"{code:g}" for code in codes] if names is None else list(names)), shares


def frequent_rows(result, n_rows: int) -> list[dict]:
    """The features selected most often, whether or not a panel holds them."""
    frequencies, ranks = result.models.frequencies, result.models.mean_ranks
    order = np.lexsort((ranks, -frequencies))[:n_rows]
    held = set(result.panels[0].tolist())
    return [
        {
            "feature": str(result.feature_names[j]),
            "index": int(j),
            "frequency": frequencies[j],
            "mean_rank": ranks[j],
            "selected": int(j) in held,
        }
        for j in order
        if frequencies[j] > 0
    ]


def stability_of(models: FeatureModels) -> dict[str, Any]:
    """The stability measures of the models, and what chance alone would give."""
    told = all_measures(models.subsets, models.n_features) if models.n_models > 1 else {}
    chance = {
        measure: expected_by_chance(measure, models.sizes, models.n_features)
        for measure in ("nogueira", "kuncheva", "tanimoto")
    }
    return {**told, "chance": chance}


@cache
def versions() -> dict[str, str]:
    """Versions of Python and of what decides the numbers."""
    found = {"python": platform.python_version(), "consilience": __version__}
    for name in PACKAGES:
        with suppress(metadata.PackageNotFoundError):  # a vendored copy may have no metadata
            found[name] = metadata.version(name)
    return found


def clean(value):
    """Plain Python values that JSON can hold: NaN becomes None, arrays lists or a short note."""
    if isinstance(value, dict):
        return {str(key): clean(item) for key, item in value.items()}
    if isinstance(value, np.ndarray) and value.ndim:
        return clean(value.tolist())
    if isinstance(value, (list, tuple)):
        return [clean(item) for item in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not np.isfinite(value):
        return None
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if hasattr(value, "get_params"):
        return {"name": type(value).__name__, "params": clean(value.get_params(deep=False))}
    if hasattr(value, "__qualname__"):  # a function or class: its address means nothing tomorrow
        return f"{value.__module__}.{value.__qualname__}"
    return repr(value)
