"""What an ensemble of selections adds to the summary: frequencies, models, stability, sizes."""

import numpy as np

from ..aggregation.base import AGGREGATORS
from ..selectors.base import SELECTORS
from .agreement import MAX_TOGETHER, coselection, model_map, shown_features
from .alternatives import alternatives
from .facts import bounded, describe_feature, parameters, rows_given, seed_given
from .steadiness import shuffled_frequency
from .text import TIE, clean_name, count

MEASURES = {
    "nogueira": ("Nogueira", "corrected for chance, any panel sizes, with an interval"),
    "kuncheva": ("Kuncheva", "corrected for chance, panels of one size"),
    "tanimoto": ("Tanimoto", "shared features over all features of two panels, not corrected"),
}
COLUMNS = [
    {"key": "frequency", "label": "Frequency", "kind": "share", "first": "descending"},
    {"key": "mean_rank", "label": "Mean rank", "kind": "number", "digits": 1, "first": None},
]


def columns(document: dict) -> list[dict]:
    """Return what the table of the panel tells of each feature."""
    return COLUMNS


def sections(summary: dict) -> list[list[str]]:
    """Return the sections of the page in their order: template and name in the contents."""
    return [
        ["panel", "Panel"],
        ["selections", "Selections"],
        ["stability", "Stability"],
        ["performance", "Performance"],
        *([["alternatives", "Alternatives"]] if summary["alternatives"] else []),
        ["values", "Values"],
        ["repeat", "Repeat"],
        ["glossary", "Glossary"],
    ]


def evidence(result, document: dict) -> dict:
    """Return what the models tell beside the panel."""
    panel = np.asarray(result.panels[0])
    shown = shown_features(document["frequent"], len(panel))
    counts = [c["count"] for c in document["data"]["classes"]]
    n_sizes = float(np.mean(np.asarray(result.models.membership().sum(axis=1)).ravel()))
    return {
        "frequent": [
            describe_feature(f, rank, counts) for rank, f in enumerate(document["frequent"], 1)
        ],
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
        "alternatives": alternatives(document),
    }


def settings(document: dict) -> list[list[str]]:
    """Return what was asked for as label, text and detail, without defaults that say nothing."""
    chosen = document["settings"]
    roles = (("selector", SELECTORS), ("aggregator", AGGREGATORS))
    return [
        *(
            [role.capitalize(), chosen[role]["name"], parameters(chosen[role], registry)]
            for role, registry in roles
        ),
        ["Features to select", count(chosen["n_features_to_select"]), ""],
        ["Models", count(chosen["n_models"]), f"from {samples(chosen)}"],
        seed_given(chosen),
        *rows_given(chosen, "drawn by groups"),
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


def stability(measured: dict) -> list[dict]:
    """Return one row per measure: label, estimate, what chance would give, meaning."""
    return [
        {
            "key": key,
            "label": label,
            "meaning": meaning,
            "estimate": bounded(measured[key]),
            "chance": measured["chance"][key],
        }
        for key, (label, meaning) in MEASURES.items()
        if measured.get(key) is not None  # Kuncheva needs panels of one size
    ]


def _size(size: dict) -> dict:
    return size | {
        "stability": bounded(size["stability"]),
        "features": [clean_name(name) for name in size["features"]],
    }
