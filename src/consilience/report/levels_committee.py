"""How far a committee can be trusted, in a word: does it predict, and does its choice help."""

from .levels import ALPHA, method
from .text import clean_name, shorten

TINY = 1e-9  # what sums of shares are off by


def verdict(document: dict) -> str:
    """Say whether the committee predicts, and whether its features do better than random ones.

    Returns
    -------
    str
        A key of HEADLINES in answer_committee.py.
    """
    told = method(document, "committee")
    if told is None:
        return "untested"
    level = skill(document, told)
    if level != "better":
        return level
    against = difference_in(document, "subspace")
    if against is None:
        return "alone"
    if against["p"] is None or against["p"] >= ALPHA:
        return "predicts"
    return "helps" if against["value"] > 0 else "worse"


def skill(document: dict, told: dict) -> str:
    """Say whether a method beats chance, by either figure that a large class cannot flatter.

    Returns
    -------
    {"better", "unclear", "noise"}
    """
    chance = 1 / len(document["data"]["classes"])
    yardsticks = [
        (told["balanced_accuracy"], chance),
        (told["average_precision"], document["evaluation"]["positive"]["share"]),
    ]
    known = [(e, base) for e, base in yardsticks if e is not None and e["value"] is not None]
    if any(e["low"] is not None and e["low"] > base for e, base in known):
        return "better"
    return "unclear" if any(e["value"] > base + TINY for e, base in known) else "noise"


def difference_in(document: dict, key: str, quantity: str = "average_precision") -> dict | None:
    """Return the paired difference from another method; None where there is none."""
    rows = (document["evaluation"] or {}).get("differences", [])
    found = next((row.get(quantity) for row in rows if row["against"] == key), None)
    return None if found is None or found["value"] is None else found


def rare_class(document: dict) -> str:
    """Name the class that precision and recall are of."""
    return shorten(clean_name(document["evaluation"]["positive"]["class"]), 40)
