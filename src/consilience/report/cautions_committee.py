"""What a reader of a committee's page must not overlook."""

from .levels import ALPHA, method
from .levels_committee import TINY, difference_in, rare_class, rate_digits, verdict
from .sentences import small_class_cautions
from .steadiness import fold_steady
from .summary_committee import margin_share
from .text import TIE, count, counted, interval, listing, number, p_value, signed

RARE = 0.2  # below this share of the rows, a class can be overlooked without much of an error
SELDOM = 0.5  # recall below this part of what the precision would allow
SURE = 0.95  # mean margin, as a share of the votes, above which hardly a row is unsure


def cautions(document: dict) -> list[str]:
    """List what a reader must not overlook, the gravest first."""
    if document["evaluation"] is None:
        return [*group_cautions(document), *small_class_cautions(document)]
    found = _skill_cautions(document)
    if verdict(document) == "noise":
        return found  # nothing else matters then
    return [
        *found,
        *_recall_cautions(document),
        *_rival_cautions(document),
        *_panel_cautions(document),
        *sure_cautions(document),
        *group_cautions(document),
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
            "Neither its average precision nor its balanced accuracy is clearly above guessing: "
            "with these samples chance cannot be ruled out."
        ]
    return []


def _recall_cautions(document: dict) -> list[str]:
    """Say so where the rows of a rare class are ranked well and hardly ever voted for."""
    if method(document, "tuned") is not None:  # done already
        return []
    told, evaluation = method(document, "committee"), document["evaluation"]
    recall = told["operating_point"]["recall"]
    area, share = told["average_precision"], evaluation["positive"]["share"]
    if (
        area is None
        or share >= RARE
        or area["value"] <= share + TINY
        or recall >= SELDOM * area["value"]
    ):
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
            told = difference_in(document, key, quantity)
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
    panel = method(document, "ensemble")
    told = difference_in(document, "ensemble")
    size = len(document["panels"][0]["features"])
    if told is not None and told["p"] is not None and told["p"] < ALPHA and told["value"] > 0:
        area = panel["average_precision"]
        return [
            f"The {counted(size, 'feature')} asked for most do not replace the committee: alone "
            f"they have an average precision of {interval(area, rate_digits(document))}.",
            *unsteady_cautions(document),
        ]
    return unsteady_cautions(document)


def unsteady_cautions(document: dict) -> list[str]:
    """Say how many features of the panel other training rows would not have brought."""
    holding = fold_steady(document)
    size, rare = len(holding), len(holding) - sum(holding)
    if not rare:
        return []
    who = f"{count(rare)} of the {counted(size, 'feature')} of the panel"
    if rare == size:
        all_of_them = "Both features" if size == 2 else f"All {counted(size, 'feature')}"
        who = f"{all_of_them} of the panel" if size > 1 else "The panel's feature"
    verb = "is" if rare == 1 else "are"
    return [
        f"{who} {verb} in the panels of fewer than half of the training sets; other rows would "
        "have brought others."
    ]


def sure_cautions(document: dict) -> list[str]:
    """Say so where the committee is sure of all rows, so that there is nothing left to ask."""
    rows = [row for row in document["rounds"] if row.get("mean_margin") is not None]
    if not rows or document["settings"].get("votes") == "oof":
        return []
    if margin_share(rows[-1]) < SURE:
        return []
    return [
        "The members agree on nearly all rows, which they were trained on: hardly a row is "
        "unsure, and the rows asked about are nearly random. With --votes oof the votes on rows "
        "held out decide instead; whether that does better is to be tried."
    ]


def group_cautions(document: dict) -> list[str]:
    """Say so where the committee itself holds rows out, and takes groups apart in doing so."""
    chosen = document["settings"]
    uses = {
        "tells who is unsure (votes “oof”)": chosen.get("votes") == "oof",
        "tells when to stop (patience)": chosen.get("patience") is not None,
        "tunes the threshold": isinstance(chosen.get("threshold"), str),
    }
    found = [use for use, used in uses.items() if used]
    if not chosen.get("grouped") or not found:
        return []
    return [
        f"The committee itself {listing(found)} by rows that it holds out one by one: there, rows "
        "of one group are on both sides, and what it measures promises too much. The evaluation on "
        "unseen rows keeps groups together."
    ]
