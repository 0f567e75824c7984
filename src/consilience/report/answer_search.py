"""The words for a committee of searched subsets: does it predict, does the search pay, how joined.

Tables of this kind have any number of classes, so that the answer rests on the error, beside that
of always naming the largest class, and on the balanced accuracy.
"""

from . import answer_committee
from .answer_committee import CLASSES, REPLACED
from .cautions_search import cautions
from .levels import largest_class_error, method
from .levels_search import balanced_only, better_rival, rules, verdict
from .search_use import DRAWN
from .search_words import alpha_said, in_brackets, joined_said, method_name, short_rule
from .summary_committee import learner, subset_size
from .text import count, counted, decimals, interval, listing, number

__all__ = ["cautions", "glance", "judge", "opening", "sentences"]

HEADLINES = answer_committee.HEADLINES | {
    "helps": "The committee predicts unseen rows, and the search pays: random features do worse.",
    "predicts": "The committee predicts unseen rows; that it beats random features is not shown.",
}
# What is shown where errors are not shown to be fewer than those of the largest class, and what is
# then said of random features.
BALANCED = (
    "By balanced accuracy the committee is better than guessing; that it errs less often than "
    "always naming the largest class is not shown"
)
BESIDE = {
    "helps": ". Random features err more often.",
    "worse": ". Random features err less often.",
}


def judge(document: dict) -> tuple[str, str]:
    """Return the verdict, as a word of the style sheet, and the headline."""
    found = verdict(document)
    word = "unsettled" if balanced_only(document) else CLASSES.get(found, found)
    return word, _headline(document, found)


def _headline(document: dict, found: str) -> str:
    """Return the headline, which names who did as well with less effort."""
    rival = better_rival(document) if found in REPLACED else None
    limited = balanced_only(document)
    if rival is None:
        return f"{BALANCED}{BESIDE.get(found, '.')}" if limited else HEADLINES[found]
    name, theirs, own = rival
    digits = 2 if number(theirs) != number(own) or theirs == own else 3
    figures = f"error {number(theirs, digits)} against {number(own, digits)}"
    did = f"{name} did as well or better here: {figures}."
    if limited:
        return f"{BALANCED}. {did[0].upper()}{did[1:]}"
    return f"{REPLACED[found]}; {did}"


def opening(document: dict) -> str:
    """Say what was done, ending before the names of the features."""
    data, n_members = document["data"], document["committee"]["n_members"]
    made = f"{count(n_members)} {learner(document, n_members)}"
    size, features = subset_size(document), counted(data["n_features"], "feature")
    by = "on features drawn by lot"
    if document["method"] != DRAWN:
        by = f"found by {method_name(document)}{in_brackets(alpha_said(document))}"
    each = "each on" if n_members > 1 else "on"
    return (
        f"A committee of {made}, {by}, {each} {size} of {features}, learned from "
        f"{counted(data['n_samples'], 'sample')}. {joined_said(document, 'Its members')} "
        f"{_ending(document)}"
    )


def _ending(document: dict) -> str:
    """Begin the sentence that names the features of the panel."""
    one = len(document["panels"][0]["features"]) == 1
    if document["committee"]["n_members"] == 1:
        if len(document["panels"][0]["features"]) < document["committee"]["n_used"]:
            return "Of its features the panel has"
        return "Its feature is" if one else "Its features are"
    how = "Drawn most often" if document["method"] == DRAWN else "Used most"
    return f"{how} {'is' if one else 'are'}"


def sentences(document: dict) -> list[str]:
    """Say how the committee does on unseen rows, how its rivals and the other rules do."""
    told = method(document, "committee")
    if told is None:
        return ["No accuracy on unseen rows was measured in this run."]
    return [
        *_own_sentences(document, told),
        *_rival_sentences(document),
        *_rule_sentences(document),
    ]


def _own_sentences(document: dict, told: dict) -> list[str]:
    digits = decimals(told["error"])
    largest = number(largest_class_error(document), digits)
    chance = number(1 / len(document["data"]["classes"]))
    return [
        f"Its error on rows that it had not seen is {interval(told['error'], digits)}; always "
        f"naming the largest class gives {largest}.",
        f"Its balanced accuracy there is {interval(told['balanced_accuracy'])}; guessing gives "
        f"{chance}.",
    ]


def _rival_sentences(document: dict) -> list[str]:
    names = {
        "subspace": "as many members on random features err",
        "one": "one classifier on all features errs",
        "forest": "a random forest errs",
    }
    found = [(name, method(document, key)) for key, name in names.items()]
    said = [f"{name} in {number(told['error']['value'], 3)}" for name, told in found if told]
    return [f"On the same rows, {listing(said)}."] if said else []


def _rule_sentences(document: dict) -> list[str]:
    """Say what the same members would do under the plainest other rules."""
    known = {row["rule"]: row for row in rules(document) if not row["chosen"]}
    named = [known[rule] for rule in ("vote", "static") if rule in known]
    if not named:
        return []
    said = [
        f"{short_rule(row['rule'])} errs in {number(row['error']['value'], 3)}" for row in named
    ]
    return [f"Of the same members, {listing(said)}."]


def glance(document: dict) -> list[dict]:
    """Return the few figures that matter most, for a glance."""
    n_members = document["committee"]["n_members"]
    features = counted(document["data"]["n_features"], "feature")
    found = [
        {
            "label": "Members",
            "value": count(n_members),
            "note": f"{'each ' if n_members > 1 else ''}on {subset_size(document)} of {features}",
        }
    ]
    told = method(document, "committee")
    if told is None:
        return found
    largest = number(largest_class_error(document), decimals(told["error"]))
    chance = number(1 / len(document["data"]["classes"]))
    for label, estimate, note in (
        ("Error on unseen rows", told["error"], f"largest class {largest}"),
        ("Balanced accuracy", told["balanced_accuracy"], f"guessing {chance}"),
    ):
        value, _, between = interval(estimate).partition(" ")
        note = " · ".join(filter(None, [between[1:-1], note]))
        found.append({"label": label, "value": value, "note": note})
    return found
