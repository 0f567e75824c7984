"""How far a result can be trusted, in a word each: agreement, prediction, and what they rest on."""

LOW, HIGH = 0.40, 0.75  # poor below, excellent above: the usual reading of kappa-like measures
DOMINANT = 0.75  # a largest class whose error is below this part of what even classes would give
ALPHA = 0.05


def decisive_stability(document: dict) -> dict | None:
    """Return the stability that the verdict rests on: the lower of two.

    Neither is above doubt, for samples and training sets both share rows: the lower one promises
    less. In noise of 60 x 300 panels over ten training sets reached 0.6.
    """
    samples, panels = document["stability"].get("nogueira"), panel_stability(document)
    if panels is None or samples is None or samples["value"] is None:
        return samples
    return panels if panels["value"] < samples["value"] else samples


def panel_stability(document: dict) -> dict | None:
    """Return the stability of whole panels over the training sets; None where it is not known."""
    panel = method(document, "ensemble")
    known = panel["stability"]["nogueira"] if panel and panel["stability"] else None
    return None if known is None or known["value"] is None else known


def agreement_level(stability: dict | None) -> str:
    """Say how far selections agree beyond chance: high, moderate, low, none or unknown.

    Examples
    --------
    >>> agreement_level({"value": 0.61, "low": 0.55, "high": 0.66})
    'moderate'
    >>> agreement_level({"value": 0.02, "low": -0.01, "high": 0.05})
    'none'
    """
    if stability is None or stability["value"] is None:
        return "unknown"
    value = stability["value"]
    low = stability["low"] if stability["low"] is not None else value
    if low <= 0:
        return "none"
    return "high" if value >= HIGH else "moderate" if value >= LOW else "low"


def prediction_level(document: dict) -> str:
    """Say whether the panel predicts unseen rows.

    The yardstick is always naming the largest class. Where that class is so large that even a
    useful panel hardly beats it, a balanced accuracy clearly above chance is evidence as well.

    Returns
    -------
    {"better", "balanced", "unclear", "no better", "unchecked"}
    """
    if document["evaluation"] is None:
        return "unchecked"
    panel = method(document, "ensemble")
    error, largest = panel["error"], largest_class_error(document)
    measured, against = method(document, "majority"), difference_from(document, "majority")
    fair = measured is not None and measured["error"]["value"] <= largest + 1e-9
    if fair and against is not None and against["p"] is not None:
        clear = against["p"] < ALPHA
    else:
        clear = error["high"] is not None and error["high"] < largest
    if error["value"] < largest and clear:
        return "better"
    chance = 1 / len(judged_classes(document))
    balanced = panel["balanced_accuracy"]
    dominant = largest < DOMINANT * (1 - chance)
    if dominant and balanced and balanced["low"] is not None and balanced["low"] > chance:
        return "balanced"
    return "unclear" if error["value"] < largest else "no better"


def judged_classes(document: dict) -> list[dict]:
    """Return the classes that were told apart: those of the data, unless some were one class.

    Examples
    --------
    >>> data = {"classes": [{"name": "a"}, {"name": "b"}, {"name": "c"}]}
    >>> len(judged_classes({"data": data, "evaluation": None}))
    3
    >>> merged = [{"name": "c"}, {"name": "all others"}]
    >>> len(judged_classes({"data": data, "evaluation": {"classes": merged}}))
    2
    """
    return (document["evaluation"] or {}).get("classes") or document["data"]["classes"]


def method(document: dict, key: str) -> dict | None:
    """Return the figures of one method of the evaluation."""
    evaluation = document["evaluation"] or {"methods": []}
    return next((m for m in evaluation["methods"] if m["key"] == key), None)


def difference_from(document: dict, key: str) -> dict | None:
    """Return the paired difference in error between the panel and another method."""
    evaluation = document["evaluation"] or {"differences": []}
    return next((d["error"] for d in evaluation["differences"] if d["against"] == key), None)


def largest_class_error(document: dict) -> float:
    """Return the error of always naming the largest class.

    Measured over folds it may be above that of all rows: which class is the largest of the training
    rows may change from fold to fold. Nobody should pass for better than chance by that.

    Examples
    --------
    >>> classes = [{"name": "a", "count": 6}, {"name": "b", "count": 4}]
    >>> largest_class_error({"data": {"classes": classes}, "evaluation": None})
    0.4
    """
    counts = [c["count"] for c in judged_classes(document)]
    known = 1 - max(counts) / sum(counts)
    measured = method(document, "majority")
    return min(measured["error"]["value"], known) if measured else known
