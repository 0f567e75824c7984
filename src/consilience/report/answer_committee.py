"""The words for a committee: does it predict, does its choice of features help, what it asks for.

Where a class is rare, a small error says nothing: always naming the other class has it, too. The
answer therefore rests on average precision and balanced accuracy.
"""

from .levels import ALPHA, agreement_level, largest_class_error, method, panel_stability
from .sentences import AGREEMENT, small_class_cautions
from .steadiness import fold_steady
from .summary_committee import learner, margin_share, subset_size
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

__all__ = ["cautions", "glance", "judge", "opening", "sentences"]

RARE = 0.2  # below this share of the rows, a class can be overlooked without much of an error
SELDOM = 0.5  # recall below this part of what the precision would allow
SURE = 0.95  # mean margin, as a share of the votes, above which hardly a row is unsure

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
# What the style sheet knows of the same verdicts.
CLASSES = {"helps": "holds", "predicts": "unsettled", "worse": "unsettled", "alone": "holds"}


def judge(document: dict) -> tuple[str, str]:
    """Return the verdict, as a word of the style sheet, and the headline."""
    found = verdict(document)
    return CLASSES.get(found, found), HEADLINES[found]


def verdict(document: dict) -> str:
    """Say whether the committee predicts, and whether its features do better than random ones.

    Returns
    -------
    str
        A key of HEADLINES.
    """
    told = method(document, "committee")
    if told is None:
        return "untested"
    level = skill(document, told)
    if level != "better":
        return level
    against = _difference(document, "subspace")
    if against is None:
        return "alone"
    if against["p"] is None or against["p"] >= ALPHA:
        return "predicts"
    return "helps" if against["value"] > 0 else "worse"


def skill(document: dict, told: dict) -> str:
    """Say whether a method beats chance, by either figure that a large class cannot flatter.

    Returns
    -------
    {"better", "unclear", "noise"}
    """
    chance = 1 / len(document["data"]["classes"])
    yardsticks = [
        (told["balanced_accuracy"], chance),
        (told["average_precision"], document["evaluation"]["positive"]["share"]),
    ]
    known = [(e, base) for e, base in yardsticks if e is not None and e["value"] is not None]
    if any(e["low"] is not None and e["low"] > base for e, base in known):
        return "better"
    return "unclear" if any(e["value"] > base for e, base in known) else "noise"


def opening(document: dict) -> str:
    """Say what was done, ending before the names of the features."""
    data, n_members = document["data"], document["committee"]["n_members"]
    features = document["panels"][0]["features"]
    made = f"{count(n_members)} {learner(document, n_members)}"
    ending = (
        "The feature asked for most is"
        if len(features) == 1
        else ("The features asked for most are")
    )
    return (
        f"A committee of {made}, each on {subset_size(document)} of "
        f"{counted(data['n_features'], 'feature')}, learned from "
        f"{counted(data['n_samples'], 'sample')}. {ending}"
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
    if told["average_precision"] is None:
        return found
    return [
        f"On rows that it had not seen, it finds class {rare_class(document)} with an average "
        f"precision of {interval(told['average_precision'])}; a blind order of the rows has "
        f"{number(document['evaluation']['positive']['share'])}.",
        f"Its balanced accuracy there is {interval(told['balanced_accuracy'])}; guessing gives "
        f"{chance}.",
        found[1],
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
    (name, told), *others = found
    first = f"{name} has {what} of {number(told[key]['value'])}"
    rivals = [f"{name} {number(told[key]['value'])}" for name, told in others]
    return [f"With the same learner, {listing([first, *rivals])}."]


def _panel_sentences(document: dict) -> list[str]:
    level = agreement_level(panel_stability(document))
    if level == "unknown":
        return []
    n_splits = document["evaluation"]["protocol"]["n_splits"]
    return [
        f"Asked anew {n_splits} times, each time without one part of the rows, its panels agree "
        f"{AGREEMENT[level]}: stability {interval(panel_stability(document))}, where 0 is chance "
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
    figures = [
        ("Average precision", told["average_precision"], f"base rate {number(share)}"),
        ("Balanced accuracy", told["balanced_accuracy"], f"guessing {chance}"),
        ("Error", told["error"], f"largest class {largest}"),
    ]
    for label, estimate, note in figures:
        if estimate is not None:
            value, _, between = interval(estimate).partition(" ")
            note = " · ".join(filter(None, [between[1:-1], note]))
            found.append({"label": label, "value": value, "note": note})
    return found


def cautions(document: dict) -> list[str]:
    """List what a reader must not overlook, the gravest first."""
    if document["evaluation"] is None:
        return small_class_cautions(document)
    found = _skill_cautions(document)
    if verdict(document) == "noise":
        return found  # nothing else matters then
    return [
        *found,
        *_recall_cautions(document),
        *_rival_cautions(document),
        *_panel_cautions(document),
        *sure_cautions(document),
        *small_class_cautions(document),
    ]


def _skill_cautions(document: dict) -> list[str]:
    found = verdict(document)
    if found == "noise":
        return [
            "Neither its average precision nor its balanced accuracy is above what guessing gives: "
            "nothing here should be carried further."
        ]
    if found == "unclear":
        return [
            "Average precision and balanced accuracy are above guessing, but their intervals "
            "reach down to it: with these samples chance cannot be ruled out."
        ]
    return []


def _recall_cautions(document: dict) -> list[str]:
    """Say so where the rows of a rare class are ranked well and hardly ever voted for."""
    told, evaluation = method(document, "committee"), document["evaluation"]
    recall = told["operating_point"]["recall"]
    area, share = told["average_precision"], evaluation["positive"]["share"]
    if area is None or share >= RARE or area["value"] <= share or recall >= SELDOM * area["value"]:
        return []
    return [
        f"The majority of the members hardly ever votes for class {rare_class(document)}: it "
        f"finds {number(recall)} of its rows. The votes rank them better than that; tune the "
        "share of votes that decides (threshold “balanced_accuracy” or “f1”)."
    ]


def _rival_cautions(document: dict) -> list[str]:
    """Compare by the paired differences over the folds: who does better, who does as well."""
    names = {
        "subspace": "random features",
        "fss": "one classifier (FSS)",
        "efs": "EFS",
        "eifs": "EIFS",
        "ensemble": "the panel alone",
    }
    found = []
    for quantity in ("average_precision", "balanced_accuracy"):
        better, same = [], []
        for key, name in names.items():
            told = _difference(document, key, quantity)
            if told is None:
                continue
            p = p_value(told["p"]).replace(" ", TIE)
            detail = f"{signed(told['value'])}, p{TIE}" + (p if p[0] == "<" else f"={TIE}{p}")
            if told["p"] is None or told["p"] >= ALPHA:
                same.append(f"{name} ({detail})")
            elif told["value"] < 0:
                better.append(f"{name} ({detail})")
        what = quantity.replace("_", " ")
        if better:
            verb = "does" if len(better) == 1 else "do"
            found.append(f"In {what}, {listing(better)} {verb} better than the committee.")
        if same and quantity == "average_precision":
            found.append(f"In {what} no difference is shown from {listing(same)}.")
    return found


def _panel_cautions(document: dict) -> list[str]:
    """Say what the few features asked for most can do without the rest."""
    found, panel = [], method(document, "ensemble")
    told = _difference(document, "ensemble")
    size = len(document["panels"][0]["features"])
    if told is not None and told["p"] is not None and told["p"] < ALPHA and told["value"] > 0:
        area = panel["average_precision"]
        found.append(
            f"The {counted(size, 'feature')} asked for most do not replace the committee: alone "
            f"they have an average precision of {interval(area)}."
        )
    holding = fold_steady(document)
    rare = len(holding) - sum(holding)
    if rare:
        who = f"{count(rare)} of the {counted(size, 'feature')} of the panel"
        verb = "is" if rare == 1 else "are"
        found.append(
            f"{who} {verb} in the panels of fewer than half of the training sets; other rows "
            "would have brought others."
        )
    return found


def sure_cautions(document: dict) -> list[str]:
    """Say so where the committee is sure of all rows, so that there is nothing left to ask."""
    rows = [row for row in document["rounds"] if row.get("mean_margin") is not None]
    if not rows or document["settings"].get("votes") == "oof":
        return []
    if margin_share(rows[-1]) < SURE:
        return []
    return [
        "The members agree on nearly all rows, which they were trained on: hardly a row is "
        "unsure, and the rows asked about are nearly random. Votes of members on rows held out "
        "(votes “oof”) tell more."
    ]


def rare_class(document: dict) -> str:
    """Name the class that precision and recall are of."""
    return shorten(clean_name(document["evaluation"]["positive"]["class"]), 40)


def _difference(document: dict, key: str, quantity: str = "average_precision") -> dict | None:
    """Return the paired difference from another method; None where there is none."""
    rows = (document["evaluation"] or {}).get("differences", [])
    found = next((row.get(quantity) for row in rows if row["against"] == key), None)
    return None if found is None or found["value"] is None else found
