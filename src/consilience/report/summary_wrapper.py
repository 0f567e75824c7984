"""What a wrapper adds to the summary: the path, what features bring, the single wrapper."""

from .facts import describe_feature, rows_given, seed_given, timed
from .levels import largest_class_error, method
from .levels_committee import rate_digits
from .summary_committee import panel_features, positive
from .text import TIE, clean_name, count, counted
from .wrapper_path import path
from .wrapper_words import (
    BY_STEPS,
    SEARCHES,
    STOPS,
    balance,
    judged_by,
    learners,
    looked_for,
    measure,
    measure_said,
    minority,
    n_members,
    sample,
    searched,
)

FACTS = ("step", "gain", "alone", "loss")  # what a feature may be told to bring
HEADINGS = {"gain": "Gain", "loss": "Loss without it"}
ORDERS = dict.fromkeys(("forward", "floating"), "In the order in which the search took them.")
ORDERS |= {"backward": "The feature that would have gone last comes first."}
ORDERS |= dict.fromkeys(
    ("genetic", "swarm"), "In the order of chi-square: the search takes a subset as a whole."
)
SPACES = {"subset": "in the columns of the subset", "full": "in all candidates"}
PARTS = {"prepare": "Preparing the candidates", "search": "Search"}
CHOICES = {"race": "by repeated draws, in a race of the leaders", "plain": "by one draw"}


def columns(document: dict) -> list[dict]:
    """Return what the table of the panel tells of each feature; another one has all of it."""
    told = [
        {"key": key, "label": HEADINGS[key], "kind": "signed", "digits": 3, "first": "descending"}
        for key in known_facts(document)
        if key in HEADINGS
    ]
    if method(document, "ensemble") is not None:
        share = {"key": "fold_share", "label": "Training sets", "kind": "share"}
        told.append(share | {"first": "descending"})
    return told


def known_facts(document: dict) -> list[str]:
    """Return what is known of the features of the panel: what the search asked about."""
    features = document["panels"][0]["features"]
    return [key for key in FACTS if any(feature[key] is not None for feature in features)]


def sections(summary: dict) -> list[list[str]]:
    """Return the sections of the page in their order: template and name in the contents."""
    return [
        ["panel", "Panel"],
        ["rare", "Performance"],
        ["path", "Path"],
        ["brought", "What each brought"],
        *([["single", "Single wrapper"]] if summary["single"] else []),
        ["values", "Values"],
        ["searched", "Search"],
        ["time", "Time"],
        ["repeat", "Repeat"],
        ["glossary", "Glossary"],
    ]


def evidence(result, document: dict) -> dict:
    """Return what the search and its rival tell beside the panel."""
    counts = [c["count"] for c in document["data"]["classes"]]
    ranked = [describe_feature(f, rank, counts) for rank, f in enumerate(document["ranked"], 1)]
    return {
        "terms": "wrapper",
        "panel": brought(document),
        "panel_said": panel_said(document),
        "wrapper": wrapper_facts(document),
        "positive": positive(document),
        "largest_class_error": largest_class_error(document),
        "ranked": ranked,
        "alone_known": any(row["alone"] is not None for row in ranked),
        "path": path(document),
        "single": single(document),
        "facts": search_facts(document),
        "time": timed(document["seconds"], PARTS, "Rest of the selection")
        | {"per_member": None, "n_members": 0},
    }


def panel_said(document: dict) -> str:
    """Say what the columns of the panel's table are."""
    name, known = measure(document), known_facts(document)
    said = []
    if len(document["panels"][0]["features"]) > 1:
        said = [ORDERS[document["settings"]["search"]]]
    if "gain" in known:
        said.append(f"Gain: what the {name} of the subset rose by with it; it flatters.")
    said.append(f"Loss without it: what the {name} of the panel would lose.")
    if evaluation := document["evaluation"]:
        n_splits = evaluation["protocol"]["n_splits"]
        said.append(
            f"Training sets: the share of the {n_splits} training sets whose own panel has the "
            "feature."
        )
    return " ".join(said)


def wrapper_facts(document: dict) -> dict:
    """Return the search as a whole, in words."""
    chosen = document["settings"]
    return {
        "search": searched(document),
        "known": known_facts(document),
        "does": SEARCHES[chosen["search"]][1],
        "by_steps": chosen["search"] in BY_STEPS,
        "judged_by": judged_by(document),
        "ensembles": n_members(document) > 1,
        "sample": sample(document),
        "drawn": balance(document) not in (None, "cost"),
        "minority": minority(document),
        "looked_for": looked_for(document),
        "measure": measure(document),
        "measure_said": measure_said(document),
        "raced": chosen["choice"] == "race",
        "digits": 2
        if not (document["evaluation"] or {}).get("positive")
        else rate_digits(document),
    }


def brought(document: dict) -> list[dict]:
    """Return the features of the panel with what each brought to it."""
    features = panel_features(document)
    for feature in features:
        low, high = feature["loss_low"], feature["loss_high"]
        feature["loss_estimate"] = {"value": feature["loss"], "low": low, "high": high}
        # What an interval around nothing says: the panel may do as well without it.
        feature["missed"] = low is not None and low > 0
    return features


def single(document: dict) -> dict | None:
    """Return the comparison with the single wrapper, size by size; None without an evaluation."""
    told = (document["evaluation"] or {}).get("by_size")
    if told is None:
        return None
    compared = [row for row in told["rows"] if row["compared"]]
    return {
        **told,
        "n_compared": len(compared),
        "largest": max((row["size"] for row in compared), default=None),
        "size": len(document["panels"][0]["features"]),
        "stopped": document["settings"]["stop"] == "permutation",
        "every": document["settings"]["stop"] is not None
        or document["settings"]["search"] in ("forward", "floating"),
        "learner": learners(document).partition(" ")[2],
    }


def search_facts(document: dict) -> list[list[str]]:
    """Return how much was searched, as label, text and detail."""
    told, data = document["search"], document["data"]
    n, n_features = told["n_candidates"], data["n_features"]
    constant = n_features - told["n_varying"]
    details = []
    if n < told["n_varying"]:
        details.append("those with the largest chi-square")
    if constant:
        details.append(f"{counted(constant, 'column')} of one value took no part")
    rows = [["Candidates", f"{count(n)} of {count(n_features)} features", "; ".join(details)]]
    name = minority(document)
    smallest = min(data["classes"], key=lambda c: c["count"])
    rare = f"{count(told['n_minority'])} of {count(data['n_samples'])} samples"
    rows.append(
        [
            "Smallest class",
            name if name is not None else clean_name(smallest["name"]),
            rare,
        ]
    )
    if len(data["classes"]) > 2:
        row = ["Told from it", "all other classes together", ""]
        if name is None:
            row = ["Told apart", "each class in turn from all others", "smaller side: minority"]
        rows.append(row)
    rows.append(
        [
            "Subsets judged",
            count(told["n_evaluations"]),
            f"each in {count(document['settings']['cv'])} folds by {judged_by(document)}, "
            "repeated draws counted"
            if isinstance(document["settings"]["cv"], int)
            else f"by {judged_by(document)}, repeated draws counted",
        ]
    )
    return rows


def settings(document: dict) -> list[list[str]]:
    """Return what was asked for as label, text and detail, without defaults that say nothing."""
    chosen = document["settings"]
    kind = balance(document)
    near = kind in ("hybrid", "smote")
    detail = [f"neighbours {SPACES[chosen['smote_space']]}"] if near else []
    if kind == "hybrid" and chosen["oversample"] != 0.5:
        detail.append(f"{chosen['oversample']:g} synthetic rows for each")
    most = "Features, at most" if chosen["stop"] else "Features to select"
    stop = STOPS[chosen["stop"]]
    if chosen["stop"] == "permutation":
        stop += f", by {chosen['n_permutations']} permutations, alpha {chosen['alpha']:g}"
    rows = [
        ["Method", "balanced-wrapper", ""],
        ["Search", chosen["search"], CHOICES[chosen["choice"]]],
        ["Judged by", judged_by(document), measure_said(document)],
        ["Balance", kind or "none", ", ".join(detail)],
        [most, count(chosen["n_features_to_select"]), ""],
        [
            "Rule to stop",
            (chosen["stop"] or "none").replace("_", "-"),
            stop if chosen["stop"] else "",
        ],
    ]
    if chosen["search"] in ("genetic", "swarm"):
        bred = f"{count(chosen['n_generations'])} generations of {count(chosen['population'])}"
        rows.append(["Generations", bred, ""])
    if isinstance(chosen["cv"], int):
        rows.append(["Inner folds", f"{chosen['cv']}{TIE}folds", ""])
    if len(document["data"]["classes"]) > 2:
        rows.append(["Several classes", looked_for(document), ""])
    return [*rows, seed_given(chosen), *rows_given(chosen, "held out by groups")]
