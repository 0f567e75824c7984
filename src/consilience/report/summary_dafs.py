"""What DAFS adds to the summary: scores, the curve, the members, coverage and time."""

import math

import numpy as np

from ..ensemble.dafs_ranking import FEW, OPPOSITE
from ..sampling.subspace import enough_subspaces
from .facts import describe_feature, rows_given, seed_given, timed
from .levels import largest_class_error, method
from .steadiness import fold_shares
from .text import TIE, clean_name, count, number

MAX_POINTS = 1500  # of features drawn in one figure, the panel always among them
MAX_BARS = 32
MANY = 200  # members; of fewer, one takes less time than what comes before them
LEVELS = (0.9, 0.99, 0.999)
SIZES = (5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)

DIVERSITIES = {
    "double_fault": "double fault",
    "q_statistic": "Q statistic",
    "correlation": "correlation",
    "disagreement": "disagreement",
}
# Score -> what it is of the classifiers that use the feature.
CRITERIA = {
    "occlusion": "how much accuracy they lose when the feature is hidden from them",
    "da": "their accuracy, weighted by how they {differ} the vote of all",
    "accuracy": "their mean accuracy",
}
LEARNERS = {
    "svm": "linear SVM",
    "knn": "nearest neighbours",
    "ridge": "ridge classifier",
    "mlp": "neural network (MLP)",
}
EVALUATIONS = {
    "oof": "all rows, by folds",
    "holdout": "a validation part",
    "loo": "all rows, left out one by one",
    "train": "the very rows trained on",
}


def columns(document: dict) -> list[dict]:
    """Return what the table of the panel tells of each feature."""
    digits = score_digits(document)
    told = [
        {
            "key": "score",
            "label": "Score",
            "kind": "number",
            "digits": digits,
            "first": "descending",
        },
        {"key": "n_hits", "label": "Subspaces", "kind": "count", "first": "descending"},
        {
            "key": "accuracy",
            "label": "Their accuracy",
            "kind": "number",
            "digits": 3,
            "first": "descending",
        },
    ]
    if fold_shares(document) is not None:
        share = {"key": "fold_share", "label": "Training sets", "kind": "share"}
        told.append(share | {"first": "descending"})
    return told


def score_digits(document: dict) -> int:
    """Return how many decimals tell the scores of the panel apart: two figures of the least.

    Examples
    --------
    >>> score_digits({"panels": [{"features": [{"score": 0.9}, {"score": 0.0213}]}]})
    3
    >>> score_digits({"panels": [{"features": [{"score": 0.0061}]}]})
    4
    """
    sizes = [abs(f["score"]) for f in document["panels"][0]["features"] if f["score"]]
    least = min(sizes, default=1.0)
    return min(max(1 - math.floor(math.log10(least)), 3), 6)


def sections(summary: dict) -> list[list[str]]:
    """Return the sections of the page in their order: template and name in the contents."""
    return [
        ["panel", "Panel"],
        ["performance", "Performance"],
        ["values", "Values"],
        ["scores", "Scores"],
        *([["size", "Size"]] if summary["curve"]["points"] else []),
        ["members", "Members"],
        ["coverage", "Coverage"],
        ["time", "Time"],
        ["repeat", "Repeat"],
        ["glossary", "Glossary"],
    ]


def evidence(result, document: dict) -> dict:
    """Return what the members tell beside the panel."""
    counts = [c["count"] for c in document["data"]["classes"]]
    features = document["panels"][0]["features"]
    shares = fold_shares(document) or [None] * len(features)
    return {
        "panel": [
            describe_feature(f, rank, counts) | {"fold_share": share}
            for rank, (f, share) in enumerate(zip(features, shares, strict=True), 1)
        ],
        "ranked": [
            describe_feature(f, rank, counts) for rank, f in enumerate(document["ranked"], 1)
        ],
        "judged": judged_rows(document),
        "scoring": scoring(document),
        "scores": scores(result),
        "curve": curve(document),
        "members": members(result, document),
        "coverage": coverage(document),
        "time": time_spent(document),
    }


def judged_rows(document: dict) -> str:
    """Return how the rows are called that judged the members.

    Examples
    --------
    >>> judged_rows({"settings": {"evaluation": "oof"}})
    'rows held out'
    >>> judged_rows({"settings": {"evaluation": "train"}})
    'rows trained on'
    """
    return "rows trained on" if document["settings"]["evaluation"] == "train" else "rows held out"


def scoring(document: dict) -> dict:
    """Return how features were scored, in words."""
    told = document["scoring"]
    measure = DIVERSITIES.get(told["diversity"], told["diversity"])
    # As published, all measures but one grow with likeness.
    raw = document["settings"]["orientation"] == "raw" and told["diversity"] != "disagreement"
    name = CRITERIA.get(told["score"], clean_name(told["score"]))
    name = name.replace("{differ}", "resemble" if raw else "differ from")
    correlation = told["correlation"]
    return {
        **told,
        "label": name,
        "measure": measure,
        "digits": score_digits(document),
        "raw": raw,
        "opposite": correlation is not None and correlation < OPPOSITE,
    }


def scores(result) -> dict:
    """Return score and accuracy of each feature for a figure: the panel, and some of the others."""
    order, panel = result.order, set(result.panels[0].tolist())
    others = np.array([j for j in order.tolist() if j not in panel], dtype=np.intp)
    room = max(MAX_POINTS - len(panel), 1)
    if others.size > room:
        # Evenly spaced ranks keep the shape of the cloud and both its ends.
        others = others[np.linspace(0, others.size - 1, room).round().astype(int)]

    def points(features):
        return [
            {
                "feature": clean_name(result.feature_names[j]),
                "accuracy": round(float(result.feature_accuracies[j]), 5),
                "score": round(float(result.scores[j]), 5),
                "n_hits": int(result.n_hits[j]),
            }
            for j in features
        ]

    return {
        "n_known": int(order.size),
        "few": int(order.size) < FEW,
        "panel": points(result.panels[0]),
        "others": points(others),
    }


def curve(document: dict) -> dict:
    """Return the accuracy over the number of features, and the figures to read it by."""
    panel, chosen = method(document, "ensemble"), len(document["panels"][0]["features"])
    points = document["curve"]
    at = {point["n_features"]: point["accuracy"] for point in points}
    return {
        "points": points,
        "chosen": chosen,
        "accuracy": at.get(chosen),
        "given": document["settings"]["n_features_to_select"] is not None,
        "honest": None if panel is None else 1 - panel["error"]["value"],
        "largest": 1 - largest_class_error(document),
    }


def members(result, document: dict) -> dict:
    """Return how accurate and how diverse the members are, as bars."""
    told = document["members"]
    return {
        **told,
        "n_members": document["coverage"]["n_subspaces"],
        "fitted": document["settings"]["evaluation"] == "train",
        "scaled": document["settings"]["scale"],
        "vote": vote_told(told, 1 - largest_class_error(document)),
        # Where the vote is never wrong, a member differs from it exactly where it errs itself.
        "mirrored": told["ensemble_accuracy"] == 1
        and document["scoring"]["diversity"] == "disagreement",
        "accuracy_bars": bars(result.member_accuracies, 1 / max(told["n_rows"], 1)),
        "diversity_bars": bars(result.member_diversities, least_step(result.member_diversities)),
    }


def vote_told(members: dict, largest: float) -> str:
    """Return how the vote of all compares with one member: a key of the words for it.

    Examples
    --------
    >>> vote_told({"accuracy": {"mean": 0.7}, "ensemble_accuracy": 0.9}, 0.5)
    'better'
    >>> vote_told({"accuracy": {"mean": 0.4}, "ensemble_accuracy": 0.3}, 0.5)
    'no skill'
    """
    mean, vote = members["accuracy"]["mean"], members["ensemble_accuracy"]
    if vote > mean:
        return "better"
    if mean == 1:
        return "perfect"
    # Below chance, a vote of members that err on different rows is worse than they are.
    return "no skill" if mean <= largest else "alike"


def least_step(values) -> float | None:
    """Return the least difference between values that take a few numbers only; else None."""
    distinct = np.unique(np.round(np.asarray(values, dtype=np.float64), 9))
    if not 1 < distinct.size <= 2 * MAX_BARS:
        return None
    return float(np.diff(distinct).min())


def bars(values, step: float | None) -> list[list[float]]:
    """Count values in bins of one width: middle, width and count of each.

    Parameters
    ----------
    values : float array
        What is counted.
    step : float or None
        The least difference between values, of which each bin holds a whole number; None where
        there is none. Bins of another width would show gaps that are not there.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.report.summary_dafs import bars
    >>> bars(np.array([0.5, 0.6, 0.6, 0.8]), 0.1)
    [[0.5, 0.1, 1], [0.6, 0.1, 2], [0.7, 0.1, 0], [0.8, 0.1, 1]]
    """
    values = np.asarray(values, dtype=np.float64)
    values = values[np.isfinite(values)]
    if values.size == 0:
        return []
    low, high = values.min(), values.max()
    if step is None:
        step = (high - low) / MAX_BARS or 0.02
    width = step * max(1, int(np.ceil(((high - low) / step + 1) / MAX_BARS)))
    place = np.floor((values - low) / width + 1e-9).astype(int)
    counts = np.bincount(place)
    middle = low + (width - step) / 2
    return [
        [round(float(middle + k * width), 6), round(float(width), 6), int(n)]
        for k, n in enumerate(counts)
    ]


def coverage(document: dict) -> dict:
    """Return what was sampled, and what other sizes of subspaces would have needed."""
    told = document["coverage"]
    n_features = document["data"]["n_features"] - told["n_constant"]
    size, n_subspaces = told["subspace_size"], told["n_subspaces"]
    sampling = document["settings"]["sampling"]
    sizes = sorted({s for s in SIZES if s <= n_features / 2} | {size})
    return {
        **told,
        "n_features": n_features,
        "sampling": sampling,
        "certain": sampling == "partition" and told["expected"] >= 1,
        "probability": (
            number(told["expected"], 5) if told["expected"] < 0.999995 else "more than 0.99999"
        ),
        "uncovered": n_features * (1 - told["expected"]),
        "never_sampled": [clean_name(name) for name in told["never_sampled"]],
        "levels": list(LEVELS),
        "needed": [
            {
                "size": s,
                "chosen": s == size,
                "members": [enough_subspaces(n_features, s, q, sampling) for q in LEVELS],
            }
            for s in sizes
        ],
        "drawn": size * n_subspaces,
    }


def time_spent(document: dict) -> dict:
    """Return the seconds of each step, and of one member where there are many.

    The step of the members begins with the checks and the plan and, in a first run, with
    compiling: over a few members that would be most of what each seems to take.
    """
    spent, n_members = document["seconds"], document["coverage"]["n_subspaces"]
    parts = {"members": "Plan and members", "curve": "Validation curve"}
    many = "members" in spent and n_members >= MANY
    return timed(spent, parts, "Rest of the selection") | {
        "per_member": spent["members"] / n_members if many else None,
        "n_members": n_members,
    }


def settings(document: dict) -> list[list[str]]:
    """Return what was asked for as label, text and detail, without defaults that say nothing."""
    chosen, told = document["settings"], document["coverage"]
    learner = chosen["estimator"]
    if isinstance(learner, dict):
        learner = learner["name"]
    detail = ""
    if chosen["evaluation"] == "oof":
        detail = f"{chosen['n_folds']}{TIE}folds"
    elif chosen["evaluation"] == "holdout":
        detail = f"{100 * chosen['validation_fraction']:g}{TIE}% of the rows"
    score = scoring(document)
    by = f"{score['measure']}, r{TIE}={TIE}{score['r']:g}" if score["score"] == "da" else ""
    if by and score["raw"]:
        by += ", as published (larger is more alike)"
    size = chosen["n_features_to_select"]
    aimed = f", planned for a coverage of {chosen['coverage']:g}"
    return [
        ["Method", "dafs", ""],
        ["Learner", LEARNERS.get(learner, clean_name(learner)), ""],
        ["Judged on", EVALUATIONS.get(chosen["evaluation"], ""), detail],
        ["Score", score["score"], by],
        [
            "Features in a subspace",
            count(told["subspace_size"]),
            "planned" if chosen["subspace_size"] is None else "given",
        ],
        [
            "Subspaces",
            count(told["n_subspaces"]),
            chosen["sampling"] + (aimed if chosen["n_subspaces"] is None else ", given"),
        ],
        (
            ["Features to select", count(size), ""]
            if size is not None
            else ["Features, at most", count(chosen["max_features"]), "the curve chooses"]
        ),
        seed_given(chosen),
        *rows_given(chosen, "held out by groups"),
    ]
