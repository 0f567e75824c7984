"""What a reader of a wrapper's page must not overlook."""

from .levels import ALPHA, judged_classes, largest_class_error, method
from .levels_committee import difference_in
from .sentences import agreement_cautions, noise_cautions, small_class_cautions
from .steadiness import fold_cautions
from .text import (
    TIE,
    clean_name,
    count,
    counted,
    decimals,
    interval,
    number,
    p_value,
    shorten,
    signed,
)
from .wrapper_path import path
from .wrapper_words import measure

FLATTERED = 0.02  # of an area, from which the difference to unseen rows is told


def cautions(document: dict, agreed: str, predicted: str) -> list[str]:
    """List what a reader must not overlook, the gravest first."""
    found = [*first_cautions(document)]
    if predicted == "balanced":
        found += _error_cautions(document)
    elif predicted != "unchecked":
        found += noise_cautions(document, predicted)
    found += agreement_cautions(document, agreed)
    if predicted == "no better":
        return found  # nothing else matters then
    return [
        *found,
        *flattery_cautions(document),
        *single_cautions(document),
        *_all_cautions(document),
        *fold_cautions(document),
        *useless_cautions(document),
        *_size_cautions(document),
        *small_class_cautions(document),
    ]


def first_cautions(document: dict) -> list[str]:
    """Say so where not even the first feature is better than shuffled ones."""
    first, alpha = document["path"][0], document["settings"]["alpha"]
    if first["p_value"] is None or first["p_value"] <= alpha:
        return []
    name = shorten(clean_name(first["feature"]), 40)
    return [
        f"Not even the first feature, {name}, is better than shuffled ones: they reach a fitness "
        f"of {number(first['reference'], 3)}, and it has {number(first['fitness'], 3)}. This may "
        "be only noise."
    ]


def _error_cautions(document: dict) -> list[str]:
    """Say why the error proves nothing where one class is large."""
    panel, largest = method(document, "ensemble"), largest_class_error(document)
    digits = decimals(panel["error"])
    why = ""
    if panel["error"]["value"] > largest:
        why = ": whoever finds rare rows has false alarms"
    return [
        f"Do not read the error: always naming the largest class errs in only "
        f"{number(largest, digits)} and finds nothing, the panel in "
        f"{interval(panel['error'], digits)}{why}. That it tells the classes apart shows in its "
        f"balanced accuracy, {interval(panel['balanced_accuracy'])}, where guessing gives "
        f"{number(1 / len(judged_classes(document)))}."
    ]


def flattery_cautions(document: dict) -> list[str]:
    """Say what the fitness of the path promises, and what unseen rows keep of it."""
    told = path(document)
    if told["at_chosen"] is None:
        return []
    promised = f"{number(told['at_chosen'])} with {counted(told['chosen'], 'feature')}"
    if told["panel"] is None or told["panel"]["value"] is None:
        return [
            f"The fitness of the path, {promised}, has chosen the features, and promises too much; "
            "an honest figure was not measured in this run."
        ]
    if told["at_chosen"] - told["panel"]["value"] < FLATTERED:
        return []
    return [
        f"The search flatters its path: a fitness of {promised}, where such panels have an "
        f"{told['measure']} of {interval(told['panel'])} on unseen rows."
    ]


def single_cautions(document: dict) -> list[str]:
    """Say so where balanced ensembles are not shown to be better than the single wrapper."""
    told = ((document["evaluation"] or {}).get("by_size") or {}).get("same_size")
    if told is None:
        return []
    difference = told["ensemble"] - told["single"]
    shown = told["p"] is not None and told["p"] < ALPHA
    if shown and difference > 0:
        return []
    n_folds = told["wins"] + told["ties"] + told["losses"]
    p = "" if told["p"] is None else f", p{TIE}{_equals(told['p'])}"
    detail = (
        f"with as many features as the panel of each fold the single wrapper has an "
        f"{measure(document)} of {number(told['single'])}, the panel {number(told['ensemble'])} "
        f"(better in {told['wins']} and worse in {told['losses']} of {n_folds} folds{p})"
    )
    if shown:
        return [f"The single wrapper does better here: {detail}."]
    return [f"That balanced ensembles help is not shown: {detail}."]


def _all_cautions(document: dict) -> list[str]:
    """Say so where all features together rank or recognise clearly better than the panel."""
    for quantity in ("average_precision", "balanced_accuracy"):
        told = difference_in(document, "all", quantity)
        if told and told["p"] is not None and told["p"] < ALPHA and told["value"] < 0:
            return [
                f"All features together do better than the panel: {quantity.replace('_', ' ')} "
                f"{signed(told['value'])} for the panel, p{TIE}{_equals(told['p'])}."
            ]
    return []


def _equals(p: float) -> str:
    text = p_value(p).replace(" ", TIE)
    return text if text.startswith("<") else f"={TIE}{text}"


def useless_cautions(document: dict) -> list[str]:
    """Say how many features the panel may do without, as far as the search can tell."""
    features = document["panels"][0]["features"]
    idle = [f for f in features if f["loss_low"] is not None and f["loss_low"] <= 0]
    if not idle or len(features) == 1:
        return []
    n, verb = len(idle), "is" if len(idle) == 1 else "are"
    who = f"{count(n)} of the {counted(len(features), 'feature')}"
    if n == len(features):
        who = "Both features" if n == 2 else f"All {counted(n, 'feature')}"
    return [
        f"{who} {verb} not shown to be missed: taken out one at a time, the panel may do as well "
        "without. Features that tell the same stand in for each other."
    ]


def _size_cautions(document: dict) -> list[str]:
    """Say so where the size of the panel was held back by the limit that was given."""
    chosen, size = document["settings"], len(document["panels"][0]["features"])
    if chosen["stop"] is None or size < 2 or size < chosen["n_features_to_select"]:
        return []
    return [
        f"The panel has the most features that were allowed, {size}: with a higher limit it might "
        "be larger."
    ]
