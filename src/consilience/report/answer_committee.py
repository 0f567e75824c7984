"""The words for a committee: does it predict, does its choice of features help, what it asks for.

Where a class is rare, a small error says nothing: always naming the other class has it, too. The
answer therefore rests on average precision and balanced accuracy.
"""

from .cautions_committee import cautions
from .levels import agreement_level, largest_class_error, method, panel_stability
from .levels_committee import (
    better_rival,
    rare_class,
    rate_digits,
    shown_stability,
    stopped,
    verdict,
)
from .sentences import AGREEMENT
from .summary_committee import learner, subset_size
from .text import count, counted, decimals, interval, listing, number

__all__ = ["cautions", "glance", "judge", "opening", "sentences"]

HEADLINES = {
    "helps": "The committee predicts unseen rows, and its choice of features helps.",
    "predicts": (
        "The committee predicts unseen rows; whether its choice of features helps is not shown."
    ),
    "worse": "The committee predicts unseen rows, but random features do better.",
    "alone": "The committee predicts unseen rows better than by chance.",
    "unclear": "Whether the committee predicts unseen rows is not clear.",
    "noise": "The committee does not predict unseen rows.",
    "untested": "Whether this committee predicts unseen rows was not checked.",
}
# The same where random features or one classifier have at least its average precision.
REPLACED = {
    "helps": "The committee predicts unseen rows, and better than random features do",
    "predicts": "The committee predicts unseen rows",
    "alone": "The committee predicts unseen rows better than by chance",
    "unclear": "Whether the committee predicts unseen rows is not clear",
}
# What the style sheet knows of the same verdicts.
CLASSES = {"helps": "holds", "predicts": "unsettled", "worse": "unsettled", "alone": "holds"}


def judge(document: dict) -> tuple[str, str]:
    """Return the verdict, as a word of the style sheet, and the headline."""
    found = verdict(document)
    return CLASSES.get(found, found), _headline(document, found)


def _headline(document: dict, found: str) -> str:
    """Return the headline, which names who did as well with less effort."""
    rival = better_rival(document) if found in REPLACED else None
    if rival is None:
        return HEADLINES[found]
    name, theirs, own = rival
    digits = rate_digits(document)
    figures = f"{number(theirs, digits)} against {number(own, digits)}"
    return f"{REPLACED[found]}; {name} did as well or better here: {figures}."


def opening(document: dict) -> str:
    """Say what was done, ending before the names of the features."""
    data, n_members = document["data"], document["committee"]["n_members"]
    features = document["panels"][0]["features"]
    made = f"{count(n_members)} {learner(document, n_members)}"
    wanted = "put first" if document["committee"].get("order") == "places" else "asked for most"
    one = len(features) == 1
    ending = f"The feature {wanted} is" if one else f"The features {wanted} are"
    early = stopped(document)
    return (
        f"A committee of {made}, each on {subset_size(document)} of "
        f"{counted(data['n_features'], 'feature')}, learned from "
        f"{counted(data['n_samples'], 'sample')}{f' ({early})' if early else ''}. {ending}"
    )


def sentences(document: dict) -> list[str]:
    """Say how the committee does on unseen rows, how its rivals do, and how steady the panel is."""
    told = method(document, "committee")
    if told is None:
        return ["No accuracy on unseen rows was measured in this run."]
    return [
        *_own_sentences(document, told),
        *_rival_sentences(document),
        *_panel_sentences(document),
    ]


def _own_sentences(document: dict, told: dict) -> list[str]:
    chance = number(1 / len(document["data"]["classes"]))
    digits = decimals(told["error"])
    largest = number(largest_class_error(document), digits)
    found = [
        f"Its balanced accuracy on rows that it had not seen is "
        f"{interval(told['balanced_accuracy'])}; guessing gives {chance}.",
        f"Its error there is {interval(told['error'], digits)}; always naming the largest class "
        f"gives {largest}.",
    ]
    tuned = method(document, "tuned")
    if tuned is not None:
        found.append(
            f"These are of the majority of its votes; with the share of votes that it tuned, its "
            f"balanced accuracy is {interval(tuned['balanced_accuracy'])} and its error "
            f"{interval(tuned['error'], digits)}."
        )
    if told["average_precision"] is None:
        return found
    near = rate_digits(document)
    return [
        f"On rows that it had not seen, it finds class {rare_class(document)} with an average "
        f"precision of {interval(told['average_precision'], near)}; a blind order of the rows has "
        f"{number(document['evaluation']['positive']['share'], near)}.",
        f"Its balanced accuracy there is {interval(told['balanced_accuracy'])}; guessing gives "
        f"{chance}.",
        *found[1:],
    ]


def _rival_sentences(document: dict) -> list[str]:
    """Name the rivals' average precision, or their balanced accuracy where there is none."""
    names = {
        "subspace": "a committee on random features",
        "fss": "one classifier on the features that FSS keeps",
        "efs": "EFS",
        "eifs": "EIFS",
    }
    size = len(document["panels"][0]["features"])
    names["ensemble"] = f"one on the {counted(size, 'feature')} asked for most"
    found = [(name, method(document, key)) for key, name in names.items()]
    found = [(name, told) for name, told in found if told]
    if not found:
        return []
    key = "average_precision"
    if any(told[key] is None for _, told in found):
        key = "balanced_accuracy"
    what = "an average precision" if key == "average_precision" else "a balanced accuracy"
    digits = rate_digits(document) if key == "average_precision" else 2
    (name, told), *others = found
    first = f"{name} has {what} of {number(told[key]['value'], digits)}"
    rivals = [f"{name} {number(told[key]['value'], digits)}" for name, told in others]
    return [f"With the same learner, {listing([first, *rivals])}."]


def _panel_sentences(document: dict) -> list[str]:
    level = agreement_level(panel_stability(document))
    if level == "unknown":
        return []
    n_splits = document["evaluation"]["protocol"]["n_splits"]
    return [
        f"Asked anew {n_splits} times, each time without one part of the rows, its panels agree "
        f"{AGREEMENT[level]}: stability {interval(shown_stability(document))}, where 0 is chance "
        "and 1 the same features every time."
    ]


def glance(document: dict) -> list[dict]:
    """Return the few figures that matter most, for a glance; never the error alone."""
    n_members = document["committee"]["n_members"]
    features = counted(document["data"]["n_features"], "feature")
    found = [
        {
            "label": "Members",
            "value": count(n_members),
            "note": f"each on {subset_size(document)} of {features}",
        }
    ]
    told = method(document, "committee")
    if told is None:
        return found
    share = document["evaluation"]["positive"]["share"]
    chance = number(1 / len(document["data"]["classes"]))
    largest = number(largest_class_error(document), decimals(told["error"]))
    near = rate_digits(document)
    figures = [
        ("Average precision", told["average_precision"], near, f"base rate {number(share, near)}"),
        ("Balanced accuracy", told["balanced_accuracy"], None, f"guessing {chance}"),
        ("Error", told["error"], None, f"largest class {largest}"),
    ]
    for label, estimate, digits, note in figures:
        if estimate is not None:
            value, _, between = interval(estimate, digits).partition(" ")
            note = " · ".join(filter(None, [between[1:-1], note]))
            found.append({"label": label, "value": value, "note": note})
    return found
