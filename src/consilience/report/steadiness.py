"""Which features of the panel hold up: chosen in most samples or folds, and more than by chance."""

from .levels import method
from .text import count, counted, number

HALF = 0.5


def shuffled_frequency(document: dict) -> float | None:
    """Return how often features are chosen when the classes are shuffled; None where unknown.

    Examples
    --------
    >>> shuffled_frequency({"evaluation": {"chance": {"frequency": 0.71}}})
    0.71
    >>> shuffled_frequency({"evaluation": None}) is None
    True
    """
    # Results of older versions have no such key.
    chance = (document["evaluation"] or {}).get("chance")
    return None if chance is None else chance["frequency"]


def steady(document: dict) -> list[bool]:
    """Say of each feature of the panel whether it holds up.

    Examples
    --------
    >>> features = [{"frequency": 0.9}, {"frequency": 0.6}, {"frequency": 0.2}]
    >>> document = {"panels": [{"features": features}], "evaluation": None}
    >>> steady(document)
    [True, True, False]
    >>> steady(document | {"evaluation": {"chance": {"frequency": 0.71}}})
    [True, False, False]
    """
    chance = shuffled_frequency(document)
    frequencies = [feature["frequency"] for feature in document["panels"][0]["features"]]
    return [f >= HALF and (chance is None or f > chance) for f in frequencies]


def steady_cautions(document: dict) -> list[str]:
    """Say how many features are no more than suggestions, and why."""
    found = steady(document)
    rare = len(found) - sum(found)
    if not rare:
        return []
    chance = shuffled_frequency(document)
    # Of the two conditions one contains the other, so that one reason explains them all.
    if chance is not None and chance >= HALF:
        reason = f"no more often than features are when the classes are shuffled ({number(chance)})"
    else:
        reason = "in fewer than half of the resamplings"
    who = f"{count(rare)} of the {counted(len(found), 'feature')}"
    if rare == len(found) > 1:
        who = f"All {counted(len(found), 'feature')}"
    verb, advice = "were", "take them as suggestions"
    if rare == 1:
        verb, advice = "was", "take it as a suggestion"
    return [f"{who} {verb} selected {reason}; {advice}."]


def fold_shares(document: dict) -> list[float] | None:
    """Return for each feature of the panel the share of the folds whose panel holds it.

    None where nothing was evaluated, or by a version that did not keep the folds' panels.

    Examples
    --------
    >>> folds = {"key": "ensemble", "panels": [[4, 7], [4, 9], [4, 7]]}
    >>> panels = [{"features": [{"index": 4}, {"index": 9}]}]
    >>> shares = fold_shares({"panels": panels, "evaluation": {"methods": [folds]}})
    >>> [round(share, 2) for share in shares]
    [1.0, 0.33]
    """
    found = method(document, "ensemble")
    panels = found.get("panels") if found else None
    if not panels:
        return None
    held = [set(panel) for panel in panels]
    return [
        sum(feature["index"] in panel for panel in held) / len(held)
        for feature in document["panels"][0]["features"]
    ]


def fold_cautions(document: dict) -> list[str]:
    """Say how many features other training rows did not bring again."""
    holding = fold_steady(document)
    rare = len(holding) - sum(holding)
    if fold_shares(document) is None or not rare:
        return []
    who = f"{count(rare)} of the {counted(len(holding), 'feature')}"
    if rare == len(holding):
        who = f"All {counted(rare, 'feature')}" if rare > 1 else "The feature"
    verb, advice = (
        ("was", "take it as a suggestion") if rare == 1 else ("were", "take them as suggestions")
    )
    return [f"{who} {verb} chosen in fewer than half of the training sets; {advice}."]


def fold_steady(document: dict) -> list[bool]:
    """Say of each feature whether at least half of the training sets bring it again."""
    shares = fold_shares(document)
    if shares is None:
        return [True] * len(document["panels"][0]["features"])
    return [share >= HALF for share in shares]
