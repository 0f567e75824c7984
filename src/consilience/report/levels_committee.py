"""How far a committee can be trusted, in a word: does it predict, and does its choice help."""

from .levels import ALPHA, method, panel_stability
from .text import clean_name, count, shorten

TINY = 1e-9  # what sums of shares are off by
FEW_PANELS = 5  # below, the theory of the stability's interval does not hold


def verdict(document: dict) -> str:
    """Say whether the committee predicts, and whether its features do better than random ones.

    Returns
    -------
    str
        A key of HEADLINES in answer_committee.py.
    """
    return standing(document, skill, difference_in(document, "subspace"), 1)


def standing(document: dict, skill, against: dict | None, better: int) -> str:
    """Return the verdict by the skill of the committee, and its difference from random features.

    `better` is the sign of a difference that speaks for the committee.
    """
    told = method(document, "committee")
    if told is None:
        return "untested"
    level = skill(document, told)
    if level != "better":
        return level
    if against is None:
        return "alone"
    if against["p"] is None or against["p"] >= ALPHA:
        return "predicts"
    return "helps" if better * against["value"] > 0 else "worse"


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


def shown_stability(document: dict) -> dict | None:
    """Return the stability of the panels, without an interval that a few panels cannot give.

    Examples
    --------
    >>> from consilience.report.levels_committee import shown_stability
    >>> known = {"nogueira": {"value": 0.04, "low": 0.04, "high": 0.04}}
    >>> panel = {"key": "ensemble", "stability": known, "panels": [[1], [2]]}
    >>> shown_stability({"evaluation": {"methods": [panel]}})
    {'value': 0.04, 'low': None, 'high': None}
    """
    told = panel_stability(document)
    if told is None or told["low"] is None:
        return told
    panels = method(document, "ensemble").get("panels")
    few = panels is not None and len(panels) < FEW_PANELS
    if few or told["high"] - told["low"] < TINY:
        return told | {"low": None, "high": None}
    return told


def rate_digits(document: dict) -> int:
    """Return the decimals that average precisions need beside the base rate: two figures of it.

    Examples
    --------
    >>> from consilience.report.levels_committee import rate_digits
    >>> [rate_digits({"evaluation": {"positive": {"share": s}}}) for s in (0.2, 0.03, 0.003)]
    [2, 3, 4]
    """
    share = document["evaluation"]["positive"]["share"]
    return 2 if share >= 0.1 else 3 if share >= 0.01 else 4


def better_rival(document: dict) -> tuple[str, float, float] | None:
    """Return who has at least the committee's average precision, and both figures.

    Asked of random features and of one classifier: without a lead over them there is no reason
    for a committee of this kind.
    """
    own = method(document, "committee")["average_precision"]
    found = []
    for key, name in (("subspace", "random features"), ("fss", "one classifier (FSS)")):
        rival = method(document, key)
        area = rival and rival["average_precision"]
        if own and area and None not in (own["value"], area["value"]):
            if area["value"] >= own["value"] - TINY:
                found.append((name, area["value"], own["value"]))
    return max(found, key=lambda row: row[1], default=None)


def stopped(document: dict) -> str | None:
    """Say so where the committee stopped before it had all members that it might have.

    Examples
    --------
    >>> from consilience.report.levels_committee import stopped
    >>> chosen = {"n_rounds": 50, "patience": 10}
    >>> stopped({"settings": chosen, "committee": {"n_rounds": 34, "n_members": 35}})
    'stopped after 35 members: 10 rounds brought nothing better; at most 51'
    """
    chosen, told = document["settings"], document["committee"]
    patience, most = chosen.get("patience"), chosen.get("n_rounds")
    made = told.get("n_rounds")
    if patience is None or made is None or most is None or made >= most:
        return None
    n_members = told["n_members"]
    brought = "round brought" if patience == 1 else "rounds brought"
    return (
        f"stopped after {count(n_members)} {'member' if n_members == 1 else 'members'}: "
        f"{count(patience)} {brought} nothing better; at most {count(n_members + most - made)}"
    )


def rare_class(document: dict) -> str:
    """Name the class that precision and recall are of."""
    return shorten(clean_name(document["evaluation"]["positive"]["class"]), 40)
