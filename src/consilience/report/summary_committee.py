"""What a committee adds to the summary: rivals, rounds, uncertainty, features asked for."""

import numpy as np

from .facts import describe_feature, rows_given, seed_given, timed
from .levels import largest_class_error
from .levels_committee import rate_digits, stopped
from .steadiness import fold_shares
from .text import TIE, clean_name, count, counted, figures, number

MAX_ROWS = 40  # features in the figure of rounds; the table beneath has more
NAMES = {"qifs": "Qifs", "efs": "EFS", "eifs": "EIFS", "committee": "the committee"}
LEARNERS = {
    "svm": ("linear SVM", "linear SVMs"),
    "tree": ("decision tree", "decision trees"),
    "nb": ("naive Bayes classifier", "naive Bayes classifiers"),
    "bayes": ("naive Bayes classifier", "naive Bayes classifiers"),
    "DiscreteNB": ("naive Bayes classifier", "naive Bayes classifiers"),
    "knn": ("nearest-neighbour classifier", "nearest-neighbour classifiers"),
    "ridge": ("ridge classifier", "ridge classifiers"),
    "mlp": ("neural network", "neural networks"),
}
# How the features of the members were found: a clause that goes on from "each on ... features".
ORIGINS = {
    "qifs": "that differ most where the committee so far is least sure",
    "efs": "that information gain and Markov blankets leave of a random part of all",
    "eifs": "with the largest information gain in a random part of all",
    "committee": "of its own",
}
# What chose the features of the first member, before anybody could be unsure.
INITS = {
    "fss": "what Markov blanket filtering (FSS) keeps",
    "igr": "those with the largest information gain",
    "random": "drawn at random",
}
DISTANCES = {
    "square": "differences of the shares of its values, squared and summed",
    "block2": "differences of the shares of its values, summed and squared",
    "block": "differences of the shares of its values, summed",
    "kl": "Kullback-Leibler divergence",
}
CUTS = {
    "mixture": "each feature cut in two where two Gaussians meet",
    "quantile": "each feature cut into {n_bins} parts of the same size",
    None: "each value counted for itself",
}
SURE = 0.95  # mean margin, as a share of the votes, from which a curve of it says nothing
STEPS = {
    "rows": "Choosing rows",
    "scan": "Counting values",
    "choose": "Choosing features",
    "train": "Training members",
    "predict": "Asking members",
    "init": "First features",
    "fold": "Rows held out",
}


def columns(document: dict) -> list[dict]:
    """Return what the table of the panel tells of each feature."""
    told = [
        {"key": "n_members", "label": "Members", "kind": "count", "first": "descending"},
        {"key": "share", "label": "Share of them", "kind": "share", "first": "descending"},
    ]
    if document["committee"].get("order") == "places":
        place = {"key": "place", "label": "Place", "kind": "number", "digits": 3}
        told.append(place | {"first": "descending"})
    if fold_shares(document) is not None:
        told.append(
            {"key": "fold_share", "label": "Training sets", "kind": "share", "first": "descending"}
        )
    return told


def sections(summary: dict) -> list[list[str]]:
    """Return the sections of the page in their order: template and name in the contents."""
    return [
        ["unseen", "Performance"],
        *([["learning", "Learning curve"]] if summary["learning"] else []),
        ["panel", "Panel"],
        ["asked", "Asked for"],
        *([["uncertainty", "Uncertainty"]] if summary["uncertainty"] else []),
        ["values", "Values"],
        ["time", "Time"],
        ["repeat", "Repeat"],
        ["glossary", "Glossary"],
    ]


def evidence(result, document: dict) -> dict:
    """Return what the rounds tell beside the panel."""
    return {
        "terms": "committee",
        "title": "Committee",
        "panel": panel_features(document),
        "committee": committee_facts(document),
        "positive": positive(document),
        "largest_class_error": largest_class_error(document),
        "asked": asked(document),
        "learning": learning(document),
        "uncertainty": uncertainty(document),
        "time": time_spent(result, document),
    }


def panel_features(document: dict) -> list[dict]:
    """Return the features of the panel, each with the share of training sets that have it."""
    counts = [c["count"] for c in document["data"]["classes"]]
    features = document["panels"][0]["features"]
    shares = fold_shares(document) or [None] * len(features)
    return [
        describe_feature(feature, rank, counts) | {"fold_share": share}
        for rank, (feature, share) in enumerate(zip(features, shares, strict=True), 1)
    ]


def learner(document: dict, n_members: int = 2) -> str:
    """Return what the members are, in the number of `n_members`.

    Examples
    --------
    >>> from consilience.report.summary_committee import learner
    >>> learner({"committee": {"learner": "svm"}}), learner({"committee": {"learner": "<b>"}})
    ('linear SVMs', 'classifiers (<b>)')
    """
    name = document["committee"]["learner"]
    noun = "classifier" if n_members == 1 else "classifiers"
    one, many = LEARNERS.get(name, (None, None))
    return f"{noun} ({clean_name(name)})" if one is None else one if n_members == 1 else many


def subset_size(document: dict) -> str:
    """Return the number of features of a member, or between which it lies."""
    size = document["committee"]["subset_size"]
    least, most = count(size["least"]), count(size["most"])
    return least if least == most else f"{least} to {most}"


def features_each(document: dict) -> str:
    """Return the same with its noun.

    Examples
    --------
    >>> from consilience.report.summary_committee import features_each
    >>> features_each({"committee": {"subset_size": {"least": 1, "most": 1}}})
    '1 feature'
    """
    noun = "feature" if document["committee"]["subset_size"]["most"] == 1 else "features"
    return f"{subset_size(document)} {noun}"


def committee_facts(document: dict) -> dict:
    """Return the committee as a whole, with words for what it is made of."""
    told = document["committee"]
    return {
        **told,
        "name": NAMES.get(document["method"], NAMES["committee"]),
        "learner": learner(document, told["n_members"]),
        "size": subset_size(document),
        "by_place": told.get("order") == "places",
        "origin": ORIGINS.get(document["method"], ORIGINS["committee"]),
        "init": INITS.get(document["settings"].get("init"))
        if isinstance(document["settings"].get("init"), str)
        else None,
        "storage": None if told.get("storage") is None else clean_name(told["storage"]),
        "cut": values_said(document),
        "digits": 2 if document["evaluation"] is None else rate_digits(document),
        "stopped": stopped(document),
        "queries": document["method"] == "qifs",
    }


def values_said(document: dict) -> list[str]:
    """Return how values became zeros and ones, and what missing ones are; empty where they were so.

    Examples
    --------
    >>> from consilience.report.summary_committee import values_said
    >>> values_said({"committee": {"values": {"cut": "mixture", "n_bins": 3, "n_missing": 2}}})[1]
    'missing counts as a value of its own (2 features)'
    >>> values_said({"committee": {"values": None}})
    []
    """
    told = document["committee"].get("values")
    if told is None:
        return []
    said = [CUTS[told["cut"]].format(n_bins=told["n_bins"])]
    if told["n_missing"]:
        features = counted(told["n_missing"], "feature")
        said.append(f"missing counts as a value of its own ({features})")
    return said


def positive(document: dict) -> dict | None:
    """Return the class that precision and recall are of, and its share; None without folds."""
    told = (document["evaluation"] or {}).get("positive")
    return None if told is None else told | {"class": clean_name(told["class"])}


def asked(document: dict) -> dict:
    """Return the features asked for most with the members that use them."""
    rows = [
        {
            **row,
            "feature": clean_name(row["feature"]),
            "rank": rank,
            "first": row["members"][0],
            "last": row["members"][-1],
        }
        for rank, row in enumerate(document["asked"], start=1)
    ]
    return {
        "rows": rows,
        "n_shown": min(len(rows), MAX_ROWS),
        "n_members": document["committee"]["n_members"],
        "new": [row["n_new"] for row in document["rounds"]],
        "with_distance": "distance" in document["asked"][0],
    }


def learning(document: dict) -> dict | None:
    """Return the figures on unseen rows after each member; None where there are none.

    Without an evaluation those that the committee itself watched are shown: of its training rows,
    each by rounds that were made without it.
    """
    evaluation = document["evaluation"]
    if evaluation is None:
        return _watched(document)
    lines = [
        {
            "key": told["key"],
            "label": told["label"],
            "balanced_accuracy": [stage[0] for stage in told["stages"]],
            "average_precision": [stage[1] for stage in told["stages"]],
        }
        for told in evaluation["methods"]
        if told.get("stages")
    ]
    if not lines or len(lines[0]["balanced_accuracy"]) < 2:
        return None
    return _curves(document, lines, evaluation["positive"]["share"]) | {"evaluated": True}


def _watched(document: dict) -> dict | None:
    """Return what the committee watched to know when to stop; None where it did not."""
    keys = ("balanced_accuracy", "average_precision")
    line = {key: [row.get(key) for row in document["rounds"]] for key in keys}
    if len(document["rounds"]) < 2 or any(None in values for values in line.values()):
        return None
    counts = [c["count"] for c in document["data"]["classes"]]
    line |= {"key": "committee", "label": "committee"}
    return _curves(document, [line], min(counts) / sum(counts)) | {"evaluated": False}


def _curves(document: dict, lines: list[dict], share: float) -> dict:
    """Return the curves, and the figures to read them by; the committee's is the first."""
    curve = lines[0]["average_precision"]
    known = all(value is not None for value in curve)
    return {
        "lines": lines,
        "n_members": len(curve),
        "first": curve[0],
        "last": curve[-1],
        "best": int(np.argmax(curve)) + 1 if known else None,
        "chance": 1 / len(document["data"]["classes"]),
        "base_rate": share,
    }


def uncertainty(document: dict) -> dict | None:
    """Return how sure the committee was of the training rows, round by round; None if unknown."""
    rows = [row for row in document["rounds"] if row.get("mean_margin") is not None]
    if not rows:
        return None
    n_members = document["committee"]["n_members"]
    margins = document["margins"]
    n_rows = sum(n for _, n in margins)
    full = sum(n for margin, n in margins if margin >= n_members) / n_rows if n_rows else None
    shares = [margin_share(row) for row in rows]
    return {
        "members": [row["member"] - 1 for row in rows],
        "margin": shares,
        # One vote alone is always within one vote.
        "unsure": [row.get("unsure_share") if row["member"] > 2 else None for row in rows],
        "least": min(shares),
        "flat": min(shares) >= SURE and (full is None or full >= SURE),
        "bars": [[margin / n_members, n] for margin, n in margins],
        "full": full,
        "oof": document["settings"].get("votes") == "oof",
    }


def margin_share(row: dict) -> float:
    """Return the mean margin before a member came, as a share of the votes that there were.

    In votes it would grow with the committee, whatever the members say.

    Examples
    --------
    >>> from consilience.report.summary_committee import margin_share
    >>> margin_share({"member": 5, "mean_margin": 3.0})
    0.75
    """
    return row["mean_margin"] / max(row["member"] - 1, 1)


def time_spent(result, document: dict) -> dict:
    """Return the seconds of each step, and of one member where rounds were timed."""
    spent = document["seconds"]
    rest = "Rest of the fit" if any(key in spent for key in STEPS) else "Fitting the committee"
    rounds = np.asarray(result.round_seconds)
    return timed(spent, STEPS, rest) | {
        "per_member": None,
        "per_round": float(np.nanmedian(rounds)) if np.isfinite(rounds).any() else None,
        "n_members": document["committee"]["n_members"],
    }


def settings(document: dict) -> list[list[str]]:
    """Return what was asked for as label, text and detail, without defaults that say nothing."""
    chosen, told = document["settings"], document["committee"]
    rows = [
        ["Method", NAMES.get(document["method"], clean_name(chosen["class"])), ""],
        [
            "Members",
            f"{count(told['n_members'])} {learner(document, told['n_members'])}",
            stopped(document) or "",
        ],
        ["Features of a member", subset_size(document), ""],
    ]
    if "init" in chosen:
        first = _said(chosen["init"])
        rows.append(["Features of the first", clean_name(INITS.get(first, first)), ""])
    if "n_instances" in chosen:
        rows.append(["Rows asked about", _instances(chosen["n_instances"]), "least sure first"])
    if "distance" in chosen:
        raw = chosen.get("normalize") is None
        detail = "raw, as published" if raw else "normalised: divided by what chance gives it"
        distance = DISTANCES.get(chosen["distance"], chosen["distance"])
        rows.append(["Distance of a feature", clean_name(distance), detail])
    if "votes" in chosen:
        oof = chosen["votes"] == "oof"
        rows.append(
            [
                "Unsure by the votes on",
                "rows held out" if oof else "the rows that members were trained on",
                "",
            ]
        )
    if values_said(document):
        first, *more = values_said(document)
        rows.append(["Values", first, "".join(more)])
    if told.get("threshold") is not None:
        rows.append(["Threshold of the vote", number(told["threshold"], 3), ""])
    if told.get("storage"):
        rows.append(["Data held as", clean_name(told["storage"]), ""])
    rows.append(["Features of the panel", count(chosen["n_features_to_select"]), ""])
    return [*rows, seed_given(chosen), *rows_given(chosen, "held out by groups")]


def _said(value) -> str:
    return value["name"] if isinstance(value, dict) else str(value)


def _instances(value) -> str:
    if isinstance(value, float) and value < 1:
        return f"{figures(100 * value, 2)}{TIE}%"
    return count(value)
