"""The path of a wrapper for a figure and a table, and the honest one beside it."""

from .text import clean_name
from .wrapper_words import blind, honest, honest_panel, measure, stopped

HALF = 0.5  # of the folds must have taken so many features for a size to be drawn


def path(document: dict) -> dict:
    """Return the steps of a search, its fitness by size, and both wrappers on unseen rows.

    Returns
    -------
    dict
        `steps` as the search went; `line`, one entry for each size, the fittest where a search met
        it more than once; `honest` and `single`, the areas on unseen rows; and the figures to read
        them by.
    """
    size, search = len(document["panels"][0]["features"]), document["settings"]["search"]
    steps = [
        row | {"feature": None if row["feature"] is None else clean_name(row["feature"])}
        for row in document["path"]
    ]
    line = _by_size(document["path"])
    chosen = next((point for point in line if point["size"] == size), None)
    return {
        "measure": measure(document),
        "steps": steps,
        "line": line,
        "lone": _lone(line, document),
        "chosen": size,
        "at_chosen": None if chosen is None else chosen["fitness"],
        "stopped": stopped(document),
        "refused": _refused(document, search),
        "with_reference": any(row["reference"] is not None for row in steps),
        "with_features": any(row["feature"] is not None for row in steps),
        "backward": search == "backward",
        "floats": search == "floating",
        "blind": blind(document),
        "honest": _points(document, "ensemble"),
        "single": _points(document, "single"),
        "panel": honest_panel(document),
        "at_size": honest(document, size),
        "p_first": steps[0]["p_value"],
        "alpha": document["settings"]["alpha"],
        "n_permutations": document["settings"]["n_permutations"],
    }


def _lone(line: list[dict], document: dict) -> dict | None:
    """The one fitness that there is, where there is nothing to draw it beside."""
    point = line[0]
    if len(line) > 1 or document["evaluation"] is not None or point["reference"] is not None:
        return None
    return {"value": point["fitness"], "low": point["low"], "high": point["high"]}


def _by_size(rows: list[dict]) -> list[dict]:
    """The fittest entry of each size, ascending.

    Examples
    --------
    >>> met = [(1, 0.7), (2, 0.8), (1, 0.9)]
    >>> rows = [{"size": size, "fitness": fitness} for size, fitness in met]
    >>> [point["fitness"] for point in _by_size(rows)]
    [0.9, 0.8]
    """
    best: dict[int, dict] = {}
    for row in rows:
        if row["size"] not in best or row["fitness"] > best[row["size"]]["fitness"]:
            best[row["size"]] = row
    return [best[size] for size in sorted(best)]


def _points(document: dict, key: str) -> list[dict]:
    """Areas on unseen rows by size, as far as at least half of the folds went."""
    told = (document["evaluation"] or {}).get("by_size")
    if told is None:
        return []
    return [
        {"size": row["size"], **row[key]}
        for row in told["rows"]
        if row[key] is not None and row[key]["n_folds"] >= HALF * told["n_folds"]
    ]


def _refused(document: dict, search: str) -> dict | None:
    """The step that was not taken; only forward search tells at which size it was."""
    told = document["search"].get("refused")
    if told is None or search != "forward":
        return None
    size = len(document["panels"][0]["features"]) + 1
    return told | {"size": size, "feature": clean_name(told["feature"])}
