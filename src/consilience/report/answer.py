"""The answer in a few sentences: what was found, how surely, and what to be careful about."""

from .origin import ONE_SELECTION, origin
from .steadiness import steady, steady_cautions
from .text import (
    TIE,
    clean_name,
    count,
    counted,
    decimals,
    difference,
    interval,
    listing,
    number,
    p_value,
    shorten,
)

N_NAMED = 6  # features named in the paragraph; the table beneath has all
LOW, HIGH = 0.40, 0.75  # poor below, excellent above: the usual reading of kappa-like measures
SMALL_CLASS = 10
DOMINANT = 0.75  # a largest class whose error is below this part of what even classes would give
ALPHA = 0.05

HEADLINES = {
    "holds": "This panel holds up.",
    "unsettled": "The classes are predicted better than by chance, but the list is not settled.",
    "unclear": "This may be no more than noise.",
    "nothing": "This panel cannot be told from noise.",
    "noise": "This is only noise.",
    "unchecked": "These features are selected steadily; their accuracy was not checked.",
    "doubtful": "The selections hardly agree, and their accuracy was not checked.",
}
VERDICTS = {
    # Level of prediction -> verdict where the selections agree, and where they hardly do.
    "better": ("holds", "unsettled"),
    "balanced": ("holds", "unsettled"),
    "unclear": ("unclear", "nothing"),
    "no better": ("noise", "noise"),
    "unchecked": ("unchecked", "doubtful"),
}


def answer(document: dict) -> dict:
    """Put a result into words.

    Parameters
    ----------
    document : dict
        A result as documented in docs/result-schema.md.

    Returns
    -------
    dict
        `verdict` (a key of HEADLINES), `headline`, `opening`, `features` (the first names of the
        panel), `more` (how many are not named), `sentences`, `glance` (the figures that matter
        most, each with a label and a note) and `cautions`.
    """
    features = document["panels"][0]["features"]
    among_samples = agreement_level(document["stability"].get("nogueira"))
    agreed = agreement_level(decisive_stability(document))
    predicted = prediction_level(document)
    verdict = VERDICTS[predicted][agreed not in ("high", "moderate")]
    holding = steady(document)
    if verdict == "holds" and not any(holding):
        verdict = "unsettled"
    return {
        "verdict": verdict,
        "headline": headline(verdict, holding),
        "opening": opening(document),
        "features": [shorten(clean_name(f["feature"]), 40) for f in features[:N_NAMED]],
        "more": max(len(features) - N_NAMED, 0),
        "sentences": [
            *stability_sentences(document, among_samples),
            *performance_sentences(document),
        ],
        "glance": glance(document),
        "cautions": cautions(document, agreed, predicted),
    }


def headline(verdict: str, holding: list[bool]) -> str:
    """The verdict in one sentence; a panel holds up only as far as its features do.

    Examples
    --------
    >>> from consilience.report.answer import headline
    >>> headline("holds", [True, True, False])
    'Of this panel, 2 of 3 features hold up.'
    """
    if verdict == "holds" and not all(holding):
        n_steady = sum(holding)
        verb = "holds" if n_steady == 1 else "hold"
        return f"Of this panel, {n_steady} of {len(holding)} features {verb} up."
    return HEADLINES[verdict]


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
    chance = 1 / len(document["data"]["classes"])
    balanced = panel["balanced_accuracy"]
    dominant = largest < DOMINANT * (1 - chance)
    if dominant and balanced and balanced["low"] is not None and balanced["low"] > chance:
        return "balanced"
    return "unclear" if error["value"] < largest else "no better"


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


def stability_sentences(document: dict, agreed: str) -> list[str]:
    """Say how stable the selections are against chance."""
    if agreed == "unknown":
        return ["How stable the selection is cannot be told from a single model."]
    words = {
        "high": "closely",
        "moderate": "moderately",
        "low": "little",
        "none": "no more than chance",
    }
    return [
        f"Two such selections agree {words[agreed]}: their stability is "
        f"{interval(document['stability']['nogueira'])}, where 0 is chance and 1 is the same "
        "features every time."
    ]


def performance_sentences(document: dict) -> list[str]:
    """Say how accurate the panel is on unseen rows, beside its rivals."""
    evaluation = document["evaluation"]
    if evaluation is None:
        return ["No accuracy on unseen rows was measured in this run."]
    panel, plain = method(document, "ensemble"), method(document, "plain")
    everything = method(document, "all")
    digits = decimals(*(m["error"] for m in (panel, plain, everything) if m))
    rivals = []
    if plain:
        rivals.append(f"{interval(plain['error'], digits)} for one selection without resampling")
    if everything:
        rivals.append(f"{interval(everything['error'], digits)} for all features")
    largest = number(largest_class_error(document), digits)
    rivals.append(f"{largest} for always naming the largest class")
    sentences = [
        f"On rows that no step of the selection had seen, a classifier "
        f"({evaluation['protocol']['classifier_label']}) on such a panel has an error of "
        f"{interval(panel['error'], digits)}, against {listing(rivals)}."
    ]
    if plain and plain["stability"] and panel["stability"]:
        sentences.append(
            "Whole panels, each agreed on from other training rows, have a stability of "
            f"{interval(panel['stability']['nogueira'])}, single selections without resampling one "
            f"of {interval(plain['stability']['nogueira'])}."
        )
    return sentences


def glance(document: dict) -> list[dict]:
    """Return the few figures that matter most, for a glance."""
    found = [
        {
            "label": "Panel",
            "value": count(len(document["panels"][0]["features"])),
            "note": f"of {counted(document['data']['n_features'], 'feature')}",
        }
    ]
    if stability := panel_stability(document):
        found.append(_glimpse("Stability", stability, "over training sets, chance 0"))
    elif stability := document["stability"].get("nogueira"):
        found.append(_glimpse("Stability", stability, "chance 0"))
    if panel := method(document, "ensemble"):
        digits = decimals(panel["error"])
        largest = f"largest class {number(largest_class_error(document), digits)}"
        found.append(_glimpse("Error on unseen rows", panel["error"], largest))
    return found


def _glimpse(label: str, estimate: dict, note: str) -> dict:
    value, _, between = interval(estimate).partition(" ")
    return {"label": label, "value": value, "note": " · ".join(filter(None, [between[1:-1], note]))}


def cautions(document: dict, agreed: str, predicted: str) -> list[str]:
    """List what a reader must not overlook, the gravest first."""
    found = []
    if predicted != "unchecked":
        found += _noise_cautions(document, predicted)
    found += _agreement_cautions(document, agreed)
    if predicted == "no better":
        return found  # nothing else matters then
    found += _rival_cautions(document)
    if agreed != "none":  # which has been said above
        found += _steadiness_cautions(document)
    found += steady_cautions(document)
    smallest = min(document["data"]["classes"], key=lambda c: c["count"])
    if smallest["count"] < SMALL_CLASS:
        found.append(
            f"Class {shorten(clean_name(smallest['name']), 40)} has only "
            f"{counted(smallest['count'], 'sample')}: every figure about it is rough."
        )
    return found


def _agreement_cautions(document: dict, agreed: str) -> list[str]:
    """Say so where selections, or panels from other training rows, have little in common."""
    decisive = decisive_stability(document)
    over_panels = decisive is not None and decisive is panel_stability(document)
    if agreed == "none":
        if over_panels:
            return [_like_random(decisive)]
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


def _like_random(stability: dict) -> str:
    return (
        "Panels agreed on from other training rows have no more in common than random ones: "
        f"stability {interval(stability)}."
    )


def _noise_cautions(document: dict, predicted: str) -> list[str]:
    """Compare with always naming the largest class."""
    panel = method(document, "ensemble")
    error = interval(panel["error"])
    largest = number(largest_class_error(document), decimals(panel["error"]))
    if predicted == "no better":
        return [
            f"The panel does not predict unseen rows: its error, {error}, is not below the "
            f"{largest} of always naming the largest class. Nothing here should be carried further."
        ]
    if predicted == "unclear":
        return [
            f"The panel's error, {error}, is not clearly below the {largest} of always naming the "
            "largest class: with these samples chance cannot be ruled out."
        ]
    if predicted == "balanced":
        chance = number(1 / len(document["data"]["classes"]))
        return [
            f"One class is so large that always naming it errs in only {largest}; the panel, "
            f"{error}, does not clearly beat that. That it tells the classes apart shows in its "
            f"balanced accuracy, {interval(panel['balanced_accuracy'])}, where guessing gives "
            f"{chance}."
        ]
    return []


def _rival_cautions(document: dict) -> list[str]:
    """Compare with one selection and with all features, by the paired differences."""
    names = {"plain": "one selection without resampling", "all": "all features"}
    same, sentences = [], []
    for key, name in names.items():
        found = difference_from(document, key)
        if found is None:
            continue
        p = p_value(found["p"]).replace(" ", TIE)
        detail = f"{difference(found)}, p{TIE}" + (p if p.startswith("<") else f"={TIE}{p}")
        if found["p"] is None or found["p"] >= ALPHA:
            same.append(f"against {name}, {detail}")
        elif found["value"] > 0:
            sentences.append(
                f"The panel is less accurate than {name}: difference in error {detail}."
            )
    if same:
        sentences.append(
            f"With these samples no difference in error is shown {', or '.join(same)}."
        )
    return sentences


def _steadiness_cautions(document: dict) -> list[str]:
    """Say so where resampling did not make the panel steadier than one selection."""
    panel, plain = method(document, "ensemble"), method(document, "plain")
    if not (panel and plain and panel["stability"] and plain["stability"]):
        return []
    ours, theirs = panel["stability"]["nogueira"], plain["stability"]["nogueira"]
    if None in (ours["low"], theirs["high"]) or ours["low"] > theirs["high"]:
        return []
    if ours["low"] <= 0:
        return [_like_random(ours)]
    said = "less steady" if ours["high"] < theirs["low"] else "not shown to be steadier"
    return [
        f"Over the training sets the panel is {said} than one selection without "
        f"resampling: stability {interval(ours)} against {interval(theirs)}."
    ]


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
    counts = [c["count"] for c in document["data"]["classes"]]
    known = 1 - max(counts) / sum(counts)
    measured = method(document, "majority")
    return min(measured["error"]["value"], known) if measured else known
