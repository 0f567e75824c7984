"""The words for an ensemble of selections from samples of the rows."""

from .levels import agreement_level, decisive_stability, method, panel_stability
from .origin import ONE_SELECTION, origin
from .sentences import (
    AGREEMENT,
    like_random,
    noise_cautions,
    performance_sentences,
    rival_cautions,
    small_class_cautions,
)
from .steadiness import steady, steady_cautions
from .text import counted, interval

__all__ = ["cautions", "decisive_stability", "opening", "sentences", "steady"]


def opening(document: dict) -> str:
    """Say what was done, ending before the names of the features."""
    data, settings = document["data"], document["settings"]
    features = document["panels"][0]["features"]
    verb = "is" if len(features) == 1 else "are"
    comma = "," if settings["aggregator"]["name"] in ONE_SELECTION else ""
    return (
        f"Of {counted(data['n_features'], 'feature')} measured in "
        f"{counted(data['n_samples'], 'sample')}, the {counted(len(features), 'feature')} "
        f"{origin(settings)}{comma} {verb}"
    )


def sentences(document: dict) -> list[str]:
    """Say how stable the selections are, and how accurate."""
    among_samples = agreement_level(document["stability"].get("nogueira"))
    return [*stability_sentences(document, among_samples), *performance_sentences(document)]


def stability_sentences(document: dict, agreed: str) -> list[str]:
    """Say how stable the selections are against chance."""
    if agreed == "unknown":
        return ["How stable the selection is cannot be told from a single model."]
    return [
        f"Two such selections agree {AGREEMENT[agreed]}: their stability is "
        f"{interval(document['stability']['nogueira'])}, where 0 is chance and 1 is the same "
        "features every time."
    ]


def cautions(document: dict, agreed: str, predicted: str) -> list[str]:
    """List what a reader must not overlook, the gravest first."""
    found = []
    if predicted != "unchecked":
        found += noise_cautions(document, predicted)
    found += _agreement_cautions(document, agreed)
    if predicted == "no better":
        return found  # nothing else matters then
    found += rival_cautions(document)
    if agreed != "none":  # which has been said above
        found += _steadiness_cautions(document)
    found += steady_cautions(document)
    found += small_class_cautions(document)
    return found


def _agreement_cautions(document: dict, agreed: str) -> list[str]:
    """Say so where selections, or panels from other training rows, have little in common."""
    decisive = decisive_stability(document)
    over_panels = decisive is not None and decisive is panel_stability(document)
    if agreed == "none":
        if over_panels:
            return [like_random(decisive)]
        return [
            "The selections agree no more than random ones would, so the order of the features "
            "below means nothing."
        ]
    if agreed == "low":
        where = f" over training sets, {interval(decisive)}" if over_panels else ""
        return [
            f"Stability is low{where}: another set of samples of the same kind would give a partly "
            "different list. Look at co-selection for features that stand in for each other."
        ]
    return []


def _steadiness_cautions(document: dict) -> list[str]:
    """Say so where resampling did not make the panel steadier than one selection."""
    panel, plain = method(document, "ensemble"), method(document, "plain")
    if not (panel and plain and panel["stability"] and plain["stability"]):
        return []
    ours, theirs = panel["stability"]["nogueira"], plain["stability"]["nogueira"]
    if None in (ours["low"], theirs["high"]) or ours["low"] > theirs["high"]:
        return []
    if ours["low"] <= 0:
        return [like_random(ours)]
    said = "less steady" if ours["high"] < theirs["low"] else "not shown to be steadier"
    return [
        f"Over the training sets the panel is {said} than one selection without "
        f"resampling: stability {interval(ours)} against {interval(theirs)}."
    ]
