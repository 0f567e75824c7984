"""Alternative panels as the page shows them: plain values and the sentences that go with them."""

from .text import clean_name, counted, difference

MAX_MODELS = 1000  # drawn on the map


def alternatives(document: dict) -> dict | None:
    """Summarise several panels of one result; None where there is one panel.

    Parameters
    ----------
    document : dict
        As `SelectionResult.to_dict` gives it.

    Returns
    -------
    dict
        `panels` with their features, similarity, error and verdict; `similarity`, `map` and
        `stand_ins` for the figures and the table; `evaluation` with the figures of all panels
        together, or None.
    """
    found = document.get("alternatives")
    if found is None or len(found["panels"]) < 2:
        return None
    evaluation = found["evaluation"]
    judged = {panel["number"]: panel for panel in evaluation["panels"]} if evaluation else {}
    first = set(found["panels"][0]["features"])
    return {
        "panels": [_panel(panel, judged.get(panel["number"]), first) for panel in found["panels"]],
        "mean_similarity": found["mean_similarity"],
        "similarity": found["similarity"],
        "map": _thinned(found["map"]),
        "stand_ins": _grouped(found["stand_ins"]),
        "evaluation": _together(evaluation, document["evaluation"]) if evaluation else None,
    }


def _panel(panel: dict, judged: dict | None, first: set) -> dict:
    """One row of the table; what was not evaluated is None."""
    return {
        "number": panel["number"],
        "features": [
            {"name": clean_name(name), "common": name in first} for name in panel["features"]
        ],
        "n_common": sum(name in first for name in panel["features"]),
        "n_models": panel["n_models"],
        "similarity": panel["similarity_to_first"],
        "error": judged["error"] if judged else None,
        "difference": judged["difference"] if judged else None,
        "verdict": judged["verdict"] if judged else None,
        "n_rows": judged["n_rows"] if judged else None,
    }


def _thinned(drawn: dict) -> dict:
    """Leave some models out where there are more than a figure can show, evenly picked."""
    n_models = len(drawn["models"])
    step = -(-n_models // MAX_MODELS)
    kept = slice(None, None, step)
    return drawn | {
        "models": drawn["models"][kept],
        "clusters": drawn["clusters"][kept],
        "n_models": n_models,
        "step": step,
    }


def _grouped(pairs: list[dict]) -> list[dict]:
    """Stand-ins by the feature that they replace, in the order of the panel."""
    by_feature: dict[str, list[dict]] = {}
    for pair in pairs:
        other = pair | {"other": clean_name(pair["other"])}
        by_feature.setdefault(clean_name(pair["feature"]), []).append(other)
    return [{"feature": feature, "others": others} for feature, others in by_feature.items()]


def _together(evaluation: dict, single: dict | None) -> dict:
    """Figures of all panels together, beside the selection without resampling."""
    plain = [m for m in (single or {"methods": []})["methods"] if m["key"] == "plain"]
    return {
        "protocol": evaluation["protocol"],
        "similarity": evaluation["similarity"],
        "error": evaluation["error"],
        "agreement": evaluation["agreement"],
        "plain": plain[0]["error"] if plain else None,
        "verdict": verdict(evaluation["panels"]),
        "remarks": evaluation["remarks"],
    }


def verdict(panels: list[dict]) -> str:
    """Say which panels serve as well as the first, and how sure that is.

    Examples
    --------
    >>> told = {"value": 0.0, "low": -0.04, "high": 0.06, "p": 1.0, "p_holm": 1.0}
    >>> print(verdict([{"verdict": "first", "difference": None}] + 2 * [
    ...     {"verdict": "no difference found", "difference": told}]))
    No difference in error was found between panel 1 and the 2 others. That does not prove them
    equal: on these rows the largest difference that the intervals leave open is +0.06.
    """
    others = [panel for panel in panels if panel["difference"] is not None]
    if not others:
        return "Only one panel was found, so there is nothing to compare."
    alike = [panel for panel in others if panel["verdict"] == "no difference found"]
    sentences = []
    if not alike:
        sentences.append("Every other panel differs from panel 1 in its error.")
    elif len(alike) == len(others):
        against = "the other one" if len(others) == 1 else f"the {len(others)} others"
        sentences.append(f"No difference in error was found between panel 1 and {against}.")
    else:
        sentences.append(
            f"No difference in error from panel 1 was found for {counted(len(alike), 'panel')} "
            f"of {len(others)}."
        )
    for word in ("worse", "better"):
        numbers = [str(panel["number"]) for panel in others if panel["verdict"] == word]
        if numbers:
            plural = "s" if len(numbers) > 1 else ""
            sentences.append(f"Clearly {word}: panel{plural} {', '.join(numbers)}.")
    if alike:
        widest = max(
            (panel["difference"][key] for panel in alike for key in ("low", "high")), key=abs
        )
        open_to = difference({"value": widest, "low": None, "high": None})
        proof = "it" if len(alike) == 1 else "them"
        sentences.append(
            f"That does not prove {proof} equal: on these rows the largest difference that the "
            f"intervals leave open is {open_to}."
        )
    return " ".join(sentences)
