"""How often members use the features of the panel, in true words, and what that is worth."""

from collections import Counter

import numpy as np

from .summary_committee import learner
from .text import count, counted

DRAWN = "random-subspace"  # the method whose members' features are drawn by lot


def chance_use(document: dict) -> dict:
    """Return how many members would use a feature if theirs were drawn blindly: mean, and most.

    Returns
    -------
    dict
        `mean`, and `most`, which 19 of 20 features would not exceed.

    Examples
    --------
    >>> from consilience.report.search_use import chance_use
    >>> rounds = [{"n_features": 2}] * 10
    >>> chance_use({"rounds": rounds, "committee": {"n_candidates": 4}, "data": {}})
    {'mean': 5.0, 'most': 8}
    """
    sizes = [row["n_features"] for row in document["rounds"]]
    most = int(np.searchsorted(np.cumsum(_likely(document)), 0.95))
    return {"mean": sum(sizes) / _searched(document), "most": min(most, len(sizes))}


def blind_features(document: dict, n_members: int) -> float:
    """Return how many features at least so many members would use if all were drawn blindly.

    Of many features a few are used often by chance: of 500, 25 by more than 19 of 20 are.

    Examples
    --------
    >>> from consilience.report.search_use import blind_features
    >>> rounds = [{"n_features": 100}] * 2
    >>> blind_features({"rounds": rounds, "committee": {}, "data": {"n_features": 200}}, 2)
    50.0
    """
    return float(_likely(document)[n_members:].sum() * _searched(document))


def _searched(document: dict) -> int:
    return document["committee"].get("n_candidates") or document["data"]["n_features"]


def _likely(document: dict) -> np.ndarray:
    """Return how likely 0, 1, ... members use a feature that all of them draw blindly."""
    likely, n_features = np.ones(1), _searched(document)
    for row in document["rounds"]:
        share = row["n_features"] / n_features
        likely = np.convolve(likely, [1 - share, share])
    return likely


def panel_said(document: dict) -> str:
    """Name the panel by what is true of all its features.

    Examples
    --------
    >>> from consilience.report.search_use import panel_said
    >>> panels = [{"features": [{"n_members": 6}, {"n_members": 4}]}]
    >>> committee = {"n_members": 10, "learner": "bayes"}
    >>> panel_said({"method": "ga", "panels": panels, "committee": committee})
    'the 2 features used most, each by at least 4 of 10 naive Bayes classifiers'
    """
    used = [feature["n_members"] for feature in document["panels"][0]["features"]]
    n_members = document["committee"]["n_members"]
    features = "feature" if len(used) == 1 else counted(len(used), "feature")
    if n_members == 1:
        n_used = document["committee"]["n_used"]
        some = f"{count(len(used))} of the {counted(n_used, 'feature')}"
        which = some if len(used) < n_used else f"the {features}"
        return f"{which} of the one {learner(document, 1)}"
    by = f"{'at least ' if min(used) < max(used) else ''}{count(min(used))} of {count(n_members)}"
    how = "drawn most often" if document["method"] == DRAWN else "used most"
    each = "each " if len(used) > 1 else ""
    return f"the {features} {how}, {each}by {by} {learner(document, n_members)}"


def use_cautions(document: dict) -> list[str]:
    """Say so where use tells nothing: drawn by lot, no more than blindly, or all features."""
    features = document["panels"][0]["features"]
    size, n_features = len(features), document["data"]["n_features"]
    if document["method"] == DRAWN:
        return [
            "Members drew their features by lot: how many of them use a feature says nothing "
            "about it, and the panel is no choice."
        ]
    if size == n_features > 1:
        return [f"The panel is all {counted(size, 'feature')}: it leaves nothing out."]
    n_members, limit = document["committee"]["n_members"], chance_use(document)["most"]
    if n_members == 1:
        return []  # nobody to count
    liked = sum(feature["n_members"] > limit for feature in features)
    if 2 * liked > size:
        return _many_cautions(document, [feature["n_members"] for feature in features])
    blind = (
        f"used by more members than blind draws would give ({count(limit)} of {count(n_members)})"
    )
    if not liked:
        which = "The panel's feature is not" if size == 1 else "No feature of the panel is"
        return [f"{which} {blind}: that may be chance."]
    which = f"Only {count(liked)} of the {counted(size, 'feature')} of the panel"
    return [f"{which} {'are' if liked > 1 else 'is'} {blind}: the rest may be chance."]


def _many_cautions(document: dict, used: list[int]) -> list[str]:
    """Say so where blind draws from many features would bring a panel that looks much the same."""
    middle = sorted(used)[len(used) // 2]
    n_panel, n_blind = sum(n >= middle for n in used), blind_features(document, middle)
    if 2 * n_blind < n_panel:
        return []
    features, n_members = (
        counted(_searched(document), "feature"),
        document["committee"]["n_members"],
    )
    return [
        f"Blind draws from {features} would give about {count(n_blind)} that {count(middle)} of "
        f"{count(n_members)} members or more use, and the panel has {count(n_panel)} such: it may "
        "be chance."
    ]


def same_members(document: dict) -> str:
    """Say how many members have the very same features; empty where none do.

    Examples
    --------
    >>> from consilience.report.search_use import same_members
    >>> same_members({"members": [{"features": [name]} for name in "aabcc"]})
    '4 of the 5 members are copies of each other (2 and 2)'
    >>> same_members({"members": [{"features": ["a"]}] * 3})
    'All 3 members are the same'
    """
    rows = document["members"] or []
    alike = Counter(frozenset(row["features"]) for row in rows)
    groups = sorted((n for n in alike.values() if n > 1), reverse=True)
    if not groups:
        return ""
    if groups[0] == len(rows):
        who = "Both" if len(rows) == 2 else f"All {count(len(rows))}"
        return f"{who} members are the same"
    who = f"{count(sum(groups))} of the {count(len(rows))} members"
    if len(groups) == 1:
        return f"{who} are the same"
    sizes = f"{', '.join(map(str, groups[:-1]))} and {groups[-1]}"
    return f"{who} are copies of each other ({sizes})"
