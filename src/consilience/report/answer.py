"""The answer in a few sentences: what was found, how surely, and what to be careful about."""

from .text import (
    TIE,
    clean_name,
    count,
    counted,
    interval,
    listing,
    number,
    p_value,
    shorten,
    signed,
)

N_NAMED = 6  # features named in the paragraph; the table beneath has all
LOW, HIGH = 0.40, 0.75  # poor below, excellent above: the usual reading of kappa-like measures
SMALL_CLASS = 10
ALPHA = 0.05

HEADLINES = {
    "holds": "This panel holds up.",
    "unsettled": "The classes can be predicted, but which features to name is not settled.",
    "unclear": "This may be no more than noise.",
    "nothing": "Nothing here can be told from noise.",
    "noise": "This is only noise.",
    "unchecked": "These features are selected steadily; their accuracy was not checked.",
    "doubtful": "The selections hardly agree, and their accuracy was not checked.",
}
VERDICTS = {
    # Level of prediction -> verdict where the selections agree, and where they hardly do.
    "better": ("holds", "unsettled"),
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
    agreed = agreement_level(document["stability"].get("nogueira"))
    predicted = prediction_level(document)
    verdict = VERDICTS[predicted][agreed not in ("high", "moderate")]
    return {
        "verdict": verdict,
        "headline": HEADLINES[verdict],
        "opening": opening(document),
        "features": [shorten(clean_name(f["feature"]), 40) for f in features[:N_NAMED]],
        "more": max(len(features) - N_NAMED, 0),
        "sentences": [*stability_sentences(document, agreed), *performance_sentences(document)],
        "glance": glance(document),
        "cautions": cautions(document, agreed, predicted),
    }


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
    """Say whether the panel predicts unseen rows: better, unclear, no better or unchecked.

    The yardstick is always naming the largest class. Where one class is large, a useful panel may
    not beat that; then a balanced accuracy clearly above chance counts as well.
    """
    if document["evaluation"] is None:
        return "unchecked"
    panel = method(document, "ensemble")
    error, largest = panel["error"], largest_class_error(document)
    difference = difference_from(document, "majority")
    if difference is not None and difference["p"] is not None:
        clear = difference["p"] < ALPHA
    else:
        clear = error["high"] is not None and error["high"] < largest
    chance = 1 / len(document["data"]["classes"])
    balanced = panel["balanced_accuracy"]
    if error["value"] < largest and clear:
        return "better"
    if balanced is not None and balanced["low"] is not None and balanced["low"] > chance:
        return "better"
    return "unclear" if error["value"] < largest else "no better"


def opening(document: dict) -> str:
    """Say what was done, ending before the names of the features."""
    data, settings = document["data"], document["settings"]
    features = document["panels"][0]["features"]
    verb = "is" if len(features) == 1 else "are"
    return (
        f"Of {counted(data['n_features'], 'feature')} measured in "
        f"{counted(data['n_samples'], 'sample')}, the {counted(len(features), 'feature')} on which "
        f"{count(settings['n_models'])} selections from resampled data agree most {verb}"
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
    panel = method(document, "ensemble")
    rivals = []
    if plain := method(document, "plain"):
        rivals.append(f"{interval(plain['error'])} for one selection without resampling")
    if everything := method(document, "all"):
        rivals.append(f"{interval(everything['error'])} for all features")
    rivals.append(f"{number(largest_class_error(document))} for always naming the largest class")
    sentences = [
        f"On rows that no step of the selection had seen, a classifier "
        f"({evaluation['protocol']['classifier_label']}) on such a panel has an error of "
        f"{interval(panel['error'])}, against {listing(rivals)}."
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
    if stability := document["stability"].get("nogueira"):
        found.append(_glimpse("Stability", stability, "chance 0"))
    if panel := method(document, "ensemble"):
        largest = f"largest class {number(largest_class_error(document))}"
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
    if agreed == "none":
        found.append(
            "The selections agree no more than random ones would, so the order of the features "
            "below means nothing."
        )
    elif agreed == "low":
        found.append(
            "Stability is low: another set of samples of the same kind would give a partly "
            "different list. Look at co-selection for features that stand in for each other."
        )
    if predicted == "no better":
        return found  # nothing else matters then
    found += _rival_cautions(document) + _steadiness_cautions(document)
    features = document["panels"][0]["features"]
    rare = sum(f["frequency"] < 0.5 for f in features)
    if rare:
        found.append(
            f"{count(rare)} of the {counted(len(features), 'feature')} "
            f"{'was' if rare == 1 else 'were'} selected in fewer than half of the resamplings; "
            "take them as suggestions."
        )
    smallest = min(document["data"]["classes"], key=lambda c: c["count"])
    if smallest["count"] < SMALL_CLASS:
        found.append(
            f"Class {shorten(clean_name(smallest['name']), 40)} has only "
            f"{counted(smallest['count'], 'sample')}: every figure about it is rough."
        )
    return found


def _noise_cautions(document: dict, predicted: str) -> list[str]:
    """Compare with always naming the largest class."""
    panel = method(document, "ensemble")
    error, largest = interval(panel["error"]), number(largest_class_error(document))
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
    if panel["error"]["value"] >= largest_class_error(document):
        return [
            f"One class is so large that always naming it errs in only {largest}, which the panel "
            f"({error}) does not beat; that it tells the classes apart shows in its balanced "
            f"accuracy, {interval(panel['balanced_accuracy'])}."
        ]
    return []


def _rival_cautions(document: dict) -> list[str]:
    """Compare with one selection and with all features, by the paired differences."""
    names = {"plain": "one selection without resampling", "all": "all features"}
    same, sentences = [], []
    for key, name in names.items():
        difference = difference_from(document, key)
        if difference is None:
            continue
        detail = f"difference in error {signed(difference['value'])}"
        if difference["low"] is not None:
            detail += f", interval {signed(difference['low'])} to {signed(difference['high'])}"
        p = p_value(difference["p"]).replace(" ", TIE)
        detail += f", p{TIE}{p}" if p.startswith("<") else f", p{TIE}={TIE}{p}"
        if difference["p"] is None or difference["p"] >= ALPHA:
            same.append(f"{name} ({detail})")
        elif difference["value"] > 0:
            sentences.append(f"The panel is less accurate than {name}: {detail}.")
    if same:
        sentences.append(
            "With these samples no difference in accuracy shows between the panel and "
            f"{' or '.join(same)}."
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
    return [
        "Over the training sets the panel is not shown to be steadier than one selection without "
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
    """Return the error of always naming the largest class, measured if it was."""
    if measured := method(document, "majority"):
        return measured["error"]["value"]
    counts = [c["count"] for c in document["data"]["classes"]]
    return 1 - max(counts) / sum(counts)
