"""What a reader of a searched committee's page must not overlook."""

from .cautions_committee import unsteady_cautions
from .levels import ALPHA, difference_from, method
from .levels_search import SIMPLER, rules, verdict
from .search_words import short_rule
from .sentences import small_class_cautions
from .text import TIE, counted, difference, listing, number, p_value

FEW_ROWS = 30  # rows that judge the members, below which their accuracy is rough
ALIKE = 0.05  # mean diversity below which a committee of many is hardly more than one


def cautions(document: dict) -> list[str]:
    """List what a reader must not overlook, the gravest first."""
    if document["evaluation"] is None:
        return [*_judged_cautions(document), *small_class_cautions(document)]
    found = _skill_cautions(document)
    if verdict(document) == "noise":
        return found  # nothing else matters then
    return [
        *found,
        *_rival_cautions(document),
        *_rule_cautions(document),
        *_judged_cautions(document),
        *_alike_cautions(document),
        *unsteady_cautions(document),
        *_group_cautions(document),
        *small_class_cautions(document),
    ]


def _skill_cautions(document: dict) -> list[str]:
    found = verdict(document)
    if found == "noise":
        return [
            "It errs no less than always naming the largest class, and its balanced accuracy is "
            "no better than guessing: nothing here should be carried further."
        ]
    if found == "unclear":
        return [
            "Neither its error nor its balanced accuracy is clearly better than guessing: with "
            "these samples chance cannot be ruled out."
        ]
    return []


def _rival_cautions(document: dict) -> list[str]:
    """Compare on the same rows: who errs less, who errs as often."""
    better, same = [], []
    for key, name in SIMPLER.items():
        told = difference_from(document, key)
        if told is None:
            continue
        p = p_value(told["p"]).replace(" ", TIE)
        detail = f"{difference(told)}, p{TIE}" + (p if p[0] == "<" else f"={TIE}{p}")
        if told["p"] is None or told["p"] >= ALPHA:
            same.append(f"{name} ({detail})")
        elif told["value"] > 0:
            better.append(f"{name} ({detail})")
    found = []
    if better:
        verb = "errs" if len(better) == 1 else "err"
        found.append(f"On these rows {listing(better)} {verb} less often than the committee.")
    if same:
        found.append(f"No difference in error is shown from {listing(same)}.")
    return found


def _rule_cautions(document: dict) -> list[str]:
    """Say so where the same members do better under another rule."""
    better = [
        row
        for row in rules(document)
        if row["difference"]
        and row["difference"]["p"] is not None
        and row["difference"]["p"] < ALPHA
        and row["difference"]["value"] < 0
    ]
    if not better:
        return []
    best = min(better, key=lambda row: row["error"]["value"])
    return [
        f"The same members err less often joined by {short_rule(best['rule'])}: "
        f"{difference(best['difference'])}. A rule that is chosen by these rows promises too "
        "much; try it on others."
    ]


def _judged_cautions(document: dict) -> list[str]:
    """Say that members were chosen by the rows on which their accuracy was measured."""
    told, rows = document["committee"], document["rounds"]
    known = [row["validation_accuracy"] for row in rows if row.get("validation_accuracy")]
    if not known or document["search"] is None:
        return []
    n_rows, mean = told.get("n_validation"), sum(known) / len(known)
    found = (
        f"The accuracies of the members, {number(mean)} on average, are from the rows that chose "
        "them, and promise too much"
    )
    own = method(document, "committee")
    if own is not None and mean > 1 - own["error"]["value"]:
        found += f": on unseen rows the whole committee has {number(1 - own['error']['value'])}"
    if n_rows is not None and n_rows < FEW_ROWS:
        found += f". Only {counted(n_rows, 'row')} judged them, so that luck chose along"
    return [found + "."]


def _alike_cautions(document: dict) -> list[str]:
    """Say so where members hardly differ, so that a committee is not worth its name."""
    known = [row["diversity"] for row in document["rounds"] if row.get("diversity") is not None]
    mean = sum(known) / len(known) if known else None
    if mean is None or len(known) < 2 or mean >= ALIKE:
        return []
    rights = [row["validation_accuracy"] for row in document["rounds"]]
    if min(rights) == 1:
        return [
            "Every member is right on every validation row: the search had nothing to tell subsets "
            "apart by, and any of them would have been as good."
        ]
    way_out = "; a larger alpha may serve better" if document["committee"].get("alpha") else ""
    return [f"The members hardly differ: their mean diversity is {number(mean)}{way_out}."]


def _group_cautions(document: dict) -> list[str]:
    """Say so where rows of one group may judge what was learned from others of it."""
    if not document["settings"].get("grouped") or document["search"] is None:
        return []
    return [
        "The search judges members by rows that it sets aside one by one: rows of one group are on "
        "both sides there. The evaluation on unseen rows keeps groups together."
    ]
