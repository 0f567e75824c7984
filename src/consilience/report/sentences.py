"""Sentences and figures that the answer of every method has: accuracy, rivals, small classes."""

from .levels import (
    ALPHA,
    agreement_level,
    difference_from,
    judged_classes,
    largest_class_error,
    method,
    panel_stability,
)
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

SMALL_CLASS = 10
AGREEMENT = {
    "high": "closely",
    "moderate": "moderately",
    "low": "little",
    "none": "no more than chance",
}


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


def fold_sentences(document: dict) -> list[str]:
    """Say how alike the panels of the training sets are; nothing where that is not known."""
    stability = panel_stability(document)
    level = agreement_level(stability)
    if level == "unknown":
        return []
    n_splits = document["evaluation"]["protocol"]["n_splits"]
    return [
        f"Found anew {n_splits} times, each time without one part of the rows, such panels agree "
        f"{AGREEMENT[level]}: their stability is {interval(stability)}, where 0 is chance and 1 is "
        "the same features every time."
    ]


def glance(document: dict) -> list[dict]:
    """Return the few figures that matter most, for a glance."""
    found = [panel_glimpse(document)]
    if stability := panel_stability(document):
        found.append(glimpse("Stability", stability, "over training sets, chance 0"))
    elif stability := document.get("stability", {}).get("nogueira"):
        found.append(glimpse("Stability", stability, "chance 0"))
    if panel := method(document, "ensemble"):
        digits = decimals(panel["error"])
        largest = f"largest class {number(largest_class_error(document), digits)}"
        found.append(glimpse("Error on unseen rows", panel["error"], largest))
    return found


def panel_glimpse(document: dict) -> dict:
    """Return the size of the panel, for a glance."""
    return {
        "label": "Panel",
        "value": count(len(document["panels"][0]["features"])),
        "note": f"of {counted(document['data']['n_features'], 'feature')}",
    }


def glimpse(label: str, estimate: dict, note: str) -> dict:
    """Return an estimate for a glance: its value large, its interval among the notes."""
    value, _, between = interval(estimate).partition(" ")
    return {"label": label, "value": value, "note": " · ".join(filter(None, [between[1:-1], note]))}


def like_random(stability: dict) -> str:
    """Say that panels of other training rows have nothing in common."""
    return (
        "Panels agreed on from other training rows have no more in common than random ones: "
        f"stability {interval(stability)}."
    )


def agreement_cautions(document: dict, agreed: str) -> list[str]:
    """Say so where panels from other training rows have little in common."""
    stability = panel_stability(document)
    if agreed == "none":
        return [like_random(stability)]
    if agreed == "low":
        return [
            f"Stability is low over training sets, {interval(stability)}: another set of samples "
            "of the same kind would give a partly different list."
        ]
    return []


def noise_cautions(document: dict, predicted: str) -> list[str]:
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
        chance = number(1 / len(judged_classes(document)))
        return [
            f"One class is so large that always naming it errs in only {largest}; the panel, "
            f"{error}, does not clearly beat that. That it tells the classes apart shows in its "
            f"balanced accuracy, {interval(panel['balanced_accuracy'])}, where guessing gives "
            f"{chance}."
        ]
    return []


def rival_cautions(document: dict) -> list[str]:
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


def small_class_cautions(document: dict) -> list[str]:
    """Say so where a class has too few samples for any figure about it."""
    smallest = min(document["data"]["classes"], key=lambda c: c["count"])
    if smallest["count"] >= SMALL_CLASS:
        return []
    return [
        f"Class {shorten(clean_name(smallest['name']), 40)} has only "
        f"{counted(smallest['count'], 'sample')}: every figure about it is rough."
    ]
