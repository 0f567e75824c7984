"""What a reader of a searched committee's page must not overlook."""

from .cautions_committee import unsteady_cautions
from .levels import ALPHA, difference_from, method
from .levels_search import SIMPLER, balanced_only, rules, verdict
from .search_use import DRAWN, same_members, use_cautions
from .search_words import short_rule
from .sentences import small_class_cautions
from .text import TIE, counted, difference, listing, number, p_value

FEW_ROWS = 30  # rows that judge the members, below which their accuracy is rough
MOST = 3  # cautions in a terminal
ALIKE = 0.05  # mean diversity below which a committee of many is hardly more than one


def cautions(document: dict) -> list[str]:
    """List what a reader must not overlook, the gravest first."""
    if document["evaluation"] is None:
        return [
            *use_cautions(document),
            *judged_cautions(document),
            *alike_cautions(document),
            *small_class_cautions(document),
        ]
    found = _skill_cautions(document)
    if verdict(document) == "noise":
        return found  # nothing else matters then
    return [
        *found,
        *_rival_cautions(document),
        *_rule_cautions(document),
        *panel_cautions(document),
        *judged_cautions(document),
        *alike_cautions(document),
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
    if balanced_only(document):
        return _majority_cautions(document)
    if found == "unclear":
        return [
            "Neither its error nor its balanced accuracy is clearly better than guessing: with "
            "these samples chance cannot be ruled out."
        ]
    return []


def _majority_cautions(document: dict) -> list[str]:
    """Say what is not shown where balanced accuracy alone is better than guessing."""
    told = difference_from(document, "majority")
    if told is None or told["p"] is None:
        return []
    more = told["value"] > 0 and told["p"] < ALPHA
    what = "It errs more often than" if more else "No difference in error is shown from"
    return [f"{what} always naming the largest class ({difference(told)}, {p_said(told['p'])})."]


def p_said(value) -> str:
    """Return a p-value with its letter, in one piece."""
    p = p_value(value).replace(" ", TIE)
    return f"p{TIE}" + (p if p[0] == "<" else f"={TIE}{p}")


def panel_cautions(document: dict) -> list[str]:
    """Say what the panel is not worth: brought by few training sets, used no more than blindly."""
    if document["method"] == DRAWN:  # other training sets draw other features
        return use_cautions(document)
    return [*unsteady_cautions(document), *use_cautions(document)]


def gravest(document: dict) -> list[str]:
    """Return what a terminal must not leave out, one line each: of the panel, then of the search.

    What the headline says already, such as who does better, is not repeated.
    """
    few = document["committee"].get("n_validation")
    whom = "member" if document["committee"]["n_members"] == 1 else "members"
    judged = f"Only {counted(few or 0, 'row')} judged the {whom}, so that luck chose along."
    same = same_members(document)
    found = [
        *panel_cautions(document),
        *([judged] if few is not None and few < FEW_ROWS and document["search"] else []),
        *([f"{same}."] if same else []),
    ]
    return found[:MOST]


def _rival_cautions(document: dict) -> list[str]:
    """Compare on the same rows: who errs less, who errs as often."""
    better, same = [], []
    for key, name in SIMPLER.items():
        told = difference_from(document, key)
        if told is None:
            continue
        detail = f"{difference(told)}, {p_said(told['p'])}"
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
    who = f"The same members err less often joined by {short_rule(best['rule'])}"
    if best["rule"] == "static":
        who = "The best member alone errs less often than the committee"
    return [
        f"{who}: {difference(best['difference'])}. A rule that is chosen by these rows promises "
        "too much; try it on others."
    ]


def judged_cautions(document: dict) -> list[str]:
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
    if len(known) == 1:
        found = (
            f"The accuracy of the member, {number(mean)}, is from the rows that chose it, and "
            "promises too much"
        )
    own = method(document, "committee")
    if own is not None and mean > 1 - own["error"]["value"]:
        found += f": on unseen rows the whole committee has {number(1 - own['error']['value'])}"
    if n_rows is not None and n_rows < FEW_ROWS:
        whom = "it" if len(known) == 1 else "them"
        found += f". Only {counted(n_rows, 'row')} judged {whom}, so that luck chose along"
    return [found + "."]


def alike_cautions(document: dict) -> list[str]:
    """Say so where members hardly differ, so that a committee is not worth its name."""
    same = same_members(document)
    copies = [f"{same}: a copy brings nothing new."] if same else []
    known = [row["diversity"] for row in document["rounds"] if row.get("diversity") is not None]
    mean = sum(known) / len(known) if known else None
    if mean is None or len(known) < 2 or mean >= ALIKE:
        return copies
    rights = [row["validation_accuracy"] for row in document["rounds"]]
    if min(rights) == 1:
        return [
            *copies,
            "Every member is right on every validation row: the search had nothing to tell subsets "
            "apart by, and any of them would have been as good.",
        ]
    way_out = "; a larger alpha may serve better" if document["committee"].get("alpha") else ""
    return [*copies, f"The members hardly differ: their mean diversity is {number(mean)}{way_out}."]


def _group_cautions(document: dict) -> list[str]:
    """Say so where rows of one group may judge what was learned from others of it."""
    if not document["settings"].get("grouped") or document["search"] is None:
        return []
    return [
        "The search judges members by rows that it sets aside one by one: rows of one group are on "
        "both sides there. The evaluation on unseen rows keeps groups together."
    ]
