"""How far a searched committee can be trusted, in a word: does it predict, does the search pay."""

from .levels import ALPHA, difference_from, largest_class_error, method

TINY = 1e-9  # what sums of shares are off by
# Rivals that make a committee of this kind needless if they do as well, as a sentence names them.
SIMPLER = {
    "one": "one classifier on all features",
    "subspace": "random features",
    "forest": "a random forest",
}


def verdict(document: dict) -> str:
    """Say whether the committee predicts, and whether its features do better than random ones.

    Returns
    -------
    str
        A key of HEADLINES in answer_search.py.
    """
    told = method(document, "committee")
    if told is None:
        return "untested"
    level = skill(document, told)
    if level != "better":
        return level
    against = difference_from(document, "subspace")
    if against is None:
        return "alone"
    if against["p"] is None or against["p"] >= ALPHA:
        return "predicts"
    return "helps" if against["value"] < 0 else "worse"


def skill(document: dict, told: dict) -> str:
    """Say whether a method beats chance: by its balanced accuracy, or by its error.

    Returns
    -------
    {"better", "unclear", "noise"}
    """
    chance, largest = 1 / len(document["data"]["classes"]), largest_class_error(document)
    balanced, error = told["balanced_accuracy"], told["error"]
    above = balanced["low"] is not None and balanced["low"] > chance
    below = error["high"] is not None and error["high"] < largest
    if above or below:
        return "better"
    seems = balanced["value"] > chance + TINY or error["value"] < largest - TINY
    return "unclear" if seems else "noise"


def better_rival(document: dict) -> tuple[str, float, float] | None:
    """Return who errs no more often than the committee, and both errors; the best of them."""
    own, found = method(document, "committee"), []
    for key, name in SIMPLER.items():
        rival = method(document, key)
        if rival and rival["error"]["value"] <= own["error"]["value"] + TINY:
            found.append((name, rival["error"]["value"], own["error"]["value"]))
    return min(found, key=lambda row: row[1], default=None)


def rules(document: dict) -> list[dict]:
    """Return the figures of every rule of integration on unseen rows; empty where there are none.

    Examples
    --------
    >>> from consilience.report.levels_search import rules
    >>> rules({"evaluation": None})
    []
    """
    return (document["evaluation"] or {}).get("integrations") or []
