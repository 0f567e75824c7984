"""What a reader of a wrapper's page must not overlook."""

from . import levels
from .levels import ALPHA, judged_classes, largest_class_error, method
from .levels_committee import difference_in
from .sentences import SMALL_CLASS, agreement_cautions, small_class_cautions
from .steadiness import fold_cautions
from .text import (
    TIE,
    clean_name,
    count,
    counted,
    decimals,
    interval,
    listing,
    number,
    p_value,
    shorten,
    signed,
)
from .wrapper_path import path
from .wrapper_words import measure

FLATTERED = 0.02  # of an area, from which the difference to unseen rows is told


def prediction_level(document: dict) -> str:
    """Say whether the panel predicts unseen rows, by what it tells apart and not by its error.

    Whoever looks for a rare class has false alarms, so that an error above that of always naming
    the largest class proves nothing. A balanced accuracy or an area clearly above guessing does.
    Where neither is, it is noise only if these rows would have shown otherwise: not with few rows
    of the class, and not where the single wrapper or all features do predict.
    """
    if document["evaluation"] is None:
        return "unchecked"
    if levels.prediction_level(document) == "better":
        return "better"
    figures = guessing(document, "ensemble")
    if any(_above(told, chance) for _, told, chance in figures):
        return "balanced"
    if any(told["value"] > chance for _, told, chance in figures):
        return "unclear"
    few = document["search"]["n_minority"] < SMALL_CLASS
    return "unclear" if few or predicting(document) else "no better"


def guessing(document: dict, key: str) -> list[tuple[str, dict, float]]:
    """Return what tells whether a method predicts: name, figure, and what guessing has."""
    chance = 1 / len(judged_classes(document))
    found = method(document, key) or {}
    told = [("balanced accuracy", found.get("balanced_accuracy"), chance)]
    told.append(("AUC", found.get("auc"), 0.5))
    return [(name, own, blind) for name, own, blind in told if own and own["value"] is not None]


def _above(told: dict, chance: float) -> bool:
    return told["low"] is not None and told["low"] > chance


def predicting(document: dict) -> str:
    """Name what does predict where the panel does not, with its figure; empty where nothing."""
    for key, said in (("all", "all features together"), ("single", "the single wrapper's panels")):
        for name, told, chance in guessing(document, key):
            if _above(told, chance):
                return f"{said} have {_a(name)} of {interval(told)}"
    return ""


def _a(name: str) -> str:
    return f"{'an' if name[0] in 'aA' else 'a'} {name}"


def cautions(document: dict, agreed: str, predicted: str) -> list[str]:
    """List what a reader must not overlook, the gravest first."""
    found = [*first_cautions(document)]
    if predicted == "balanced":
        found += _error_cautions(document)
    elif predicted in ("unclear", "no better"):
        found += guess_cautions(document, predicted)
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
    """Say so where the first feature is not better than shuffled ones."""
    first, alpha = document["path"][0], document["settings"]["alpha"]
    if first["p_value"] is None or first["p_value"] <= alpha:
        return []
    name = shorten(clean_name(first["feature"]), 40)
    if len(document["panels"][0]["features"]) > 1:
        return [
            f"By itself the first feature, {name}, is not shown to be better than shuffled ones, "
            f"which reach a fitness of {number(first['reference'], 3)} where it has "
            f"{number(first['fitness'], 3)}; those that were added to it are."
        ]
    return [
        f"Not even the first feature, {name}, is shown to be better than shuffled ones: they reach "
        f"a fitness of {number(first['reference'], 3)}, and it has {number(first['fitness'], 3)}. "
        "The search takes a first one in any case, and this may be only noise."
    ]


def guess_cautions(document: dict, predicted: str) -> list[str]:
    """Say that the panel is not shown to predict, by its own figures, and who does."""
    figures = guessing(document, "ensemble")
    told = listing([f"{_a(name)} of {interval(own)}" for name, own, _ in figures])
    chance = listing(list(dict.fromkeys(number(blind) for *_, blind in figures)))
    others = predicting(document)
    if predicted == "no better":
        return [
            f"The panel does not predict unseen rows: it has {told}, where guessing gives "
            f"{chance}. Nothing here should be carried further."
        ]
    found = (
        f"The panel is not shown to predict unseen rows: it has {told}, where guessing gives "
        f"{chance}, and with these samples chance cannot be ruled out."
    )
    return [f"{found} The classes can be told apart, though: {others}." if others else found]


def _error_cautions(document: dict) -> list[str]:
    """Say why the error proves nothing where one class is large, and what does prove something."""
    panel, largest = method(document, "ensemble"), largest_class_error(document)
    digits = decimals(panel["error"])
    why = ""
    if panel["error"]["value"] > largest:
        why = ": whoever finds rare rows has false alarms"
    name, told, chance = next(own for own in guessing(document, "ensemble") if _above(*own[1:]))
    return [
        f"Do not read the error: always naming the largest class errs in only "
        f"{number(largest, digits)} and finds nothing, the panel in "
        f"{interval(panel['error'], digits)}{why}. That it tells the classes apart shows in its "
        f"{name}, {interval(told)}, where guessing gives {number(chance)}."
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
    high = told["panel"]["high"]
    if told["at_chosen"] - told["panel"]["value"] < FLATTERED or (
        high is not None and told["at_chosen"] <= high
    ):
        return []  # within what chance allows
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
    n = len(idle)
    which = f"{count(n)} of the {counted(len(features), 'feature')} it is not"
    if n == len(features):
        which = (
            "neither of the 2 features is it"
            if n == 2
            else f"none of the {count(n)} features is it"
        )
    return [
        f"For {which} shown that the panel gets worse without it alone. Features that tell the "
        "same stand in for each other."
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
