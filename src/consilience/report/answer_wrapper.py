"""The words for a wrapper: what its panel finds of a rare class, and whether ensembles helped."""

from .cautions_wrapper import cautions, prediction_level
from .levels import judged_classes, method, panel_stability
from .levels_committee import rate_digits
from .sentences import fold_sentences, glimpse, panel_glimpse
from .steadiness import fold_steady
from .text import count, counted, interval, listing, number
from .wrapper_words import (
    MEASURES,
    judged_by,
    looked_for,
    measure_said,
    minority,
    n_members,
    searched,
)

__all__ = ["cautions", "decisive_stability", "glance", "opening", "prediction_level", "sentences",
           "steady"]  # fmt: skip

decisive_stability = panel_stability
steady = fold_steady


def opening(document: dict) -> str:
    """Say what was done, ending before the names of the features."""
    data, size = document["data"], len(document["panels"][0]["features"])
    which, verb = ("feature", "is") if size == 1 else (counted(size, "feature"), "are")
    return (
        f"Of {counted(data['n_features'], 'feature')} measured in "
        f"{counted(data['n_samples'], 'sample')}, the {which} that "
        f"{searched(document)} took {looked_for(document)} {verb}"
    )


def sentences(document: dict) -> list[str]:
    """Say how subsets were judged, what the panel finds in unseen rows, and how steady it is."""
    balanced = ", each on another balanced sample" if n_members(document) > 1 else ""
    if document["settings"]["balance"] in (False, None):
        balanced = ""
    return [
        f"Subsets were judged by {judged_by(document)}{balanced}, by {measure_said(document)} on "
        "rows held out.",
        *unseen_sentences(document),
        *fold_sentences(document),
    ]


def unseen_sentences(document: dict) -> list[str]:
    """Say what the panel finds in rows that no step of the search had seen, beside its rivals."""
    evaluation, panel = document["evaluation"], method(document, "ensemble")
    if panel is None:
        return ["No accuracy on unseen rows was measured in this run."]
    judge = evaluation["protocol"]["classifier_label"]
    chance = number(1 / len(judged_classes(document)))
    name, found = minority(document), []
    where = "On rows that no step of the search had seen, a classifier"
    if name is None:
        found.append(
            f"{where} ({judge}) on such a panel has a balanced accuracy of "
            f"{interval(panel['balanced_accuracy'])}; guessing gives {chance}."
        )
    else:
        own = rare_row(document, "ensemble")
        pure = "and calls no row so"
        if own["precision"] is not None:
            pure = f"and of the rows that it calls so {interval(own['precision'])} are"
        found.append(
            f"{where} ({judge}) on such a panel finds {interval(own['recall'])} of the rows of "
            f"class {name}, {pure}; its balanced accuracy is "
            f"{interval(panel['balanced_accuracy'])}, where guessing gives {chance}."
        )
    return [*found, *_area_sentences(document)]


def _area_sentences(document: dict) -> list[str]:
    """Name the areas of the panel, of the single wrapper's and of all features."""
    key = document["settings"]["fitness"]
    rivals = {"single": "that of the single wrapper's panels", "all": "that of all features"}
    panel = method(document, "ensemble").get(key)
    if panel is None or panel["value"] is None:
        return []
    digits = rate_digits(document) if key == "average_precision" else None
    told = [(said, method(document, other)) for other, said in rivals.items()]
    others = [f"{said} is {interval(m[key], digits)}" for said, m in told if m and m.get(key)]
    own = f"The {MEASURES[key][1]} of such panels there is {interval(panel, digits)}"
    return [f"{', '.join([own, listing(others)]) if others else own}."]


def rare_row(document: dict, key: str) -> dict | None:
    """Return precision, recall and average precision of the class that is looked for."""
    told, name = method(document, key), (document["evaluation"] or {}).get("positive")
    if told is None or name is None:
        return None
    return next(row for row in told["by_class"] if row["class"] == name["class"])


def rows_glimpse(document: dict) -> dict:
    """Return the rows that there are of the smallest class, for a glance."""
    name = minority(document)
    return {
        "label": "Smallest class" if name is None else f"Class {name}",
        "value": count(document["search"]["n_minority"]),
        "note": f"of {counted(document['data']['n_samples'], 'sample')}",
    }


def glance(document: dict) -> list[dict]:
    """Return the few figures that matter most, for a glance; never the error alone."""
    found = [panel_glimpse(document)]
    if stability := panel_stability(document):
        found.append(glimpse("Stability", stability, "over training sets, chance 0"))
    panel = method(document, "ensemble")
    if panel is None:
        return [*found, rows_glimpse(document)]
    if own := rare_row(document, "ensemble"):
        pure = number((own["precision"] or {"value": None})["value"])
        found.append(
            glimpse(f"Recall of class {minority(document)}", own["recall"], f"precision {pure}")
        )
    else:
        note = f"guessing {number(1 / len(judged_classes(document)))}"
        found.append(glimpse("Balanced accuracy", panel["balanced_accuracy"], note))
    if panel["auc"] is not None:
        found.append(glimpse("AUC on unseen rows", panel["auc"], _beside(document)))
    return found


def _beside(document: dict) -> str:
    """What the AUC is to be read beside: the single wrapper's of the same size, or chance."""
    same = ((document["evaluation"] or {}).get("by_size") or {}).get("same_size")
    if same is None or document["settings"]["fitness"] != "auc":
        return "chance 0.50"
    return f"single wrapper of this size {number(same['single'])}"
