"""How far a searched committee can be trusted, in a word: does it predict, does the search pay."""

from .levels import ALPHA, difference_from, largest_class_error, method
from .levels_committee import standing

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
    return standing(document, skill, difference_from(document, "subspace"), -1)


def skill(document: dict, told: dict) -> str:
    """Say whether the committee beats chance: by its balanced accuracy, or by its error.

    Returns
    -------
    {"better", "unclear", "noise"}
    """
    chance, largest = 1 / len(document["data"]["classes"]), largest_class_error(document)
    balanced, error = told["balanced_accuracy"], told["error"]
    above = balanced["low"] is not None and balanced["low"] > chance
    if above or errs_less(document, told):
        return "better"
    seems = balanced["value"] > chance + TINY or error["value"] < largest - TINY
    return "unclear" if seems else "noise"


def errs_less(document: dict, told: dict) -> bool:
    """Tell whether it is shown that the committee errs less often than the largest class does.

    By the paired test, for the headline must not claim what the table beneath it does not show;
    by the interval where folds had other largest classes than all rows have, or without a test.
    """
    largest, measured = largest_class_error(document), method(document, "majority")
    if told["error"]["value"] >= largest - TINY:
        return False
    paired = difference_from(document, "majority")
    fair = measured is not None and measured["error"]["value"] <= largest + TINY
    if fair and paired is not None and paired["p"] is not None:
        return paired["p"] < ALPHA
    return told["error"]["high"] is not None and told["error"]["high"] < largest


def balanced_only(document: dict) -> bool:
    """Tell whether balanced accuracy alone shows that the committee is better than guessing."""
    told = method(document, "committee")
    return told is not None and skill(document, told) == "better" and not errs_less(document, told)


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
