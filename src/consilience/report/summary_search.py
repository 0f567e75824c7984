"""What a committee of searched subsets adds to the summary: members, generations, rules, use."""

import numpy as np

from . import summary_committee
from .facts import rows_given, seed_given
from .levels import largest_class_error
from .levels_search import TINY, rules
from .search_plane import search_facts
from .search_use import DRAWN, chance_use, panel_said, same_members
from .search_words import (
    DIVERSITIES,
    NAMES,
    alpha_said,
    figure,
    is_dynamic,
    method_name,
    neighbours_said,
    neighbours_used,
    origin,
    rule_name,
    short_rule,
)
from .summary_committee import asked, features_each, learner, panel_features, subset_size
from .text import clean_name, count, counted, listing, number

__all__ = ["NAMES", "columns", "evidence", "sections", "settings"]

MAX_MEMBERS = 60  # in the table of members, and in the figure of their features
MAX_NAMES, FEW_NAMES = 25, 10  # features named of a member: all if so few, else the first


def columns(document: dict) -> list[dict]:
    """Return what the table of the panel tells of each feature."""
    return summary_committee.columns(document)


def sections(summary: dict) -> list[list[str]]:
    """Return the sections of the page in their order: template and name in the contents."""
    return [
        ["accuracy", "Performance"],
        *([["integrations", "Integration"]] if summary["integrations"] else []),
        ["subsets", "Members"],
        *([["generations", "Search"]] if summary["search"] else []),
        *([["tuning", "Tuning"]] if summary["tuning"] else []),
        ["usage", "Feature use"],
        ["panel", "Panel"],
        ["values", "Values"],
        ["time", "Time"],
        ["repeat", "Repeat"],
        ["glossary", "Glossary"],
    ]


def evidence(result, document: dict) -> dict:
    """Return what members and generations tell beside the panel."""
    return {
        "terms": "search",
        "title": "Committee",
        "panel": panel_features(document),
        "committee": committee_facts(document),
        "largest_class_error": largest_class_error(document),
        "asked": asked(document),
        "chance": chance_use(document),
        "members": members(document),
        "search": search_facts(document),
        "tuning": tuning(document),
        "integrations": integrations(document),
        "learning": learning(document),
        "time": summary_committee.time_spent(result, document),
    }


def committee_facts(document: dict) -> dict:
    """Return the committee as a whole, with words for what it is made of."""
    told = document["committee"]
    measure = told.get("diversity")
    return {
        **told,
        "name": method_name(document),
        "learner": learner(document, told["n_members"]),
        "size": subset_size(document),
        "features_each": features_each(document),
        "panel_said": panel_said(document),
        "same": same_members(document),
        "drawn": document["method"] == DRAWN,
        "adapted": document["method"] == "gefs",  # its alpha changes on the way
        "neighbours": neighbours_said(document),
        "by_place": False,
        "queries": False,
        "origin": origin(document),
        "rule": rule_name(told.get("integration")),
        "short_rule": short_rule(told.get("integration")),
        "dynamic": is_dynamic(document),
        "weight": None if told.get("alpha") is None else figure(told["alpha"]),
        "measure": None if measure is None else DIVERSITIES.get(measure, clean_name(measure)),
        "filtered": told.get("n_candidates") is not None
        and told["n_candidates"] < document["data"]["n_features"],
    }


def members(document: dict) -> dict:
    """Return each member with its features by name, its accuracy and its diversity."""
    named = by_use(document)
    rows = [
        {
            "member": row["member"],
            "n_features": row["n_features"],
            "n_new": row["n_new"],
            "accuracy": row.get("validation_accuracy"),
            "diversity": row.get("diversity"),
            "features": [clean_name(name) for name in first_names(named.get(row["member"], []))],
        }
        for row in document["rounds"]
    ]
    sizes = [row["n_features"] for row in rows]
    return {
        "rows": rows[:MAX_MEMBERS],
        "n_hidden": max(len(rows) - MAX_MEMBERS, 0),
        "mean_size": float(np.mean(sizes)),
        **{key: _mean([row[key] for row in rows]) for key in ("accuracy", "diversity")},
        "best": _largest(rows, "accuracy"),
        "named": bool(named),
    }


def by_use(document: dict) -> dict[int, list[str]]:
    """Return the names of the features of each member, those that most members use first."""
    place = {row["feature"]: rank for rank, row in enumerate(document["asked"])}
    return {
        row["member"]: sorted(row["features"], key=lambda name: place.get(name, len(place)))
        for row in document["members"] or []
    }


def first_names(names: list[str]) -> list[str]:
    """Return all names where they are few, else those that most members share.

    Examples
    --------
    >>> from consilience.report.summary_search import first_names
    >>> len(first_names(["a"] * 20)), len(first_names(["a"] * 200))
    (20, 10)
    """
    return names if len(names) <= MAX_NAMES else names[:FEW_NAMES]


def _mean(values: list) -> float | None:
    known = [value for value in values if value is not None]
    return float(np.mean(known)) if known else None


def _largest(rows: list[dict], key: str) -> int | None:
    """Return the number of the member with the largest value, the first of equal ones."""
    known = [row for row in rows if row[key] is not None]
    return max(known, key=lambda row: row[key])["member"] if known else None


def integrations(document: dict) -> dict | None:
    """Return every rule on the same members and rows; None where they were not compared."""
    rows = rules(document)
    if not rows:
        return None
    return {
        "rows": rows,
        "said": _fewest(rows),
        "n_rows": document["data"]["n_samples"],
    }


def _fewest(rows: list[dict]) -> str:
    """Say whose errors are fewest, and who shares them."""
    least = min(row["error"]["value"] for row in rows)
    best = [row for row in rows if row["error"]["value"] <= least + TINY]
    if len(best) == len(rows) > 1:
        return f"All rules err alike, {number(least, 3)}: here the rule does not matter."
    if len(best) == 1 and best[0]["chosen"]:
        return f"The fewest errors are those of the rule that was chosen, {number(least, 3)}."
    names = [f"{row['label']}{' (chosen)' if row['chosen'] else ''}" for row in best]
    tie = ", which tie" if len(best) > 1 else ""
    return f"The fewest errors, {number(least, 3)}, are those of {listing(names)}{tie}."


def tuning(document: dict) -> dict | None:
    """Return what was tried to choose alpha and the neighbours; None where they were given."""
    rows = document["tuning"]
    if not rows:
        return None
    told = document["committee"]
    alphas, neighbours = (
        sorted({row[key] for row in rows if row.get(key) is not None})
        for key in ("alpha", "n_neighbors")
    )
    accuracy = {(row.get("alpha"), row.get("n_neighbors")): row["accuracy"] for row in rows}
    return {
        "alphas": alphas,
        "alpha_labels": [figure(alpha) for alpha in alphas],
        "neighbours": [int(k) for k in neighbours],
        # A row for each alpha, or one where only the neighbours were chosen; columns likewise.
        "accuracy": [
            [accuracy.get((alpha, k)) for k in neighbours or [None]] for alpha in alphas or [None]
        ],
        "alpha": told.get("alpha"),
        "n_neighbors": told.get("n_neighbors"),
        "best": max(row["accuracy"] for row in rows if row["accuracy"] is not None),
        **_tuned_words(document, alphas, neighbours),
    }


def _tuned_words(document: dict, alphas: list, neighbours: list) -> dict:
    """Return what was tuned, what was tried and what was chosen, in words."""
    near = len(neighbours) > 1
    said = f"{len(alphas)} values of alpha", f"{len(neighbours)} numbers of neighbours"
    parts = [
        (len(alphas) > 1 or not near, "alpha", said[0], alpha_said(document)),
        (near, "the neighbours", said[1], neighbours_said(document)),
    ]
    what, tried, chosen = zip(*(part[1:] for part in parts if part[0]), strict=True)
    return {
        "ends": _ends(document, alphas, neighbours),
        "what": listing(list(what)),
        "tried": listing(list(tried)),
        "chosen": listing([word for word in chosen if word]),
        "many": near,
    }


def _ends(document: dict, alphas: list, neighbours: list) -> str:
    """Say so where the largest of all that was tried was chosen, or diversity counts nothing."""
    told, said = document["committee"], []
    if len(alphas) > 1 and told.get("alpha") == alphas[-1]:
        said.append(f"Alpha {figure(alphas[-1])} is the largest that was tried: more might serve.")
    if len(alphas) > 1 and told.get("alpha") == alphas[0] == 0:
        said.append("Alpha 0 is the least there can be: by these rows diversity does not help.")
    if len(neighbours) > 1 and told.get("n_neighbors") == neighbours[-1]:
        many = counted(neighbours_used(document), "neighbour")
        said.append(f"{many} are the most that were tried: hardly a neighbourhood any more.")
    return " ".join(said)


def learning(document: dict) -> dict | None:
    """Return the balanced accuracy on unseen rows after each member; None where it is unknown."""
    if document["evaluation"] is None:
        return None
    found = summary_committee.learning(document)
    return None if found is None else found | {"best": _best_stage(found)}


def _best_stage(learning: dict) -> int:
    return int(np.argmax(learning["lines"][0]["balanced_accuracy"])) + 1


def settings(document: dict) -> list[list[str]]:
    """Return what was asked for as label, text and detail, without defaults that say nothing."""
    chosen, told = document["settings"], document["committee"]
    name = method_name(document)
    rows = [
        ["Method", name[0].upper() + name[1:], ""],
        ["Members", f"{count(told['n_members'])} {learner(document, told['n_members'])}", ""],
        ["Features of a member", subset_size(document), ""],
        ["Joined by", *_split(rule_name(told.get("integration")))],
    ]
    if told.get("alpha") is not None:
        tuned = "chosen on inner splits" if chosen.get("alpha") == "auto" else ""
        if document["method"] == "gefs":
            tuned = "in the end; it changed on the way"
        rows.append(["Weight of diversity (alpha)", figure(told["alpha"]), tuned])
    if told.get("diversity") is not None:
        measure = DIVERSITIES.get(told["diversity"], "")
        rows.append(["Diversity", clean_name(told["diversity"]).replace("_", " "), measure])
    if told.get("n_neighbors") is not None and is_dynamic(document):
        tuned = "chosen by the training rows" if chosen.get("n_neighbors") == "auto" else ""
        rows.append(["Neighbours", count(neighbours_used(document)), tuned])
    rows += [
        [label, count(chosen[key]), ""]
        for key, label in (("population", "Population"), ("n_generations", "Generations"))
        if isinstance(chosen.get(key), int)
    ]
    if told.get("n_validation") is not None:
        rows.append(
            ["Rows that judge members", count(told["n_validation"]), "of the training rows"]
        )
    if told.get("n_candidates") is not None:
        n_features = document["data"]["n_features"]
        filtered = told["n_candidates"] < n_features
        detail = f"of {count(n_features)}, by information gain" if filtered else "all"
        rows.append(["Features searched", count(told["n_candidates"]), detail])
    wanted = chosen["n_features_to_select"]
    size = counted(len(document["panels"][0]["features"]), "feature")
    detail = "" if wanted is not None else panel_said(document).partition(", ")[2]
    rows.append(["Panel", size, detail])
    return [*rows, seed_given(chosen), *rows_given(chosen, "held out by groups")]


def _split(text: str) -> list[str]:
    """Return a name and what follows its colon."""
    name, _, detail = text.partition(": ")
    return [name, detail]
