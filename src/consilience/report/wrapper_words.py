"""What the parts of a wrapper are called: searches, balances, the areas that subsets are judged by.

All take the document of `result.json`.
"""

from .levels import method
from .text import clean_name, count, counted, number, shorten

# Search -> its name inside a sentence, and what it does: a clause that goes on from "the search".
SEARCHES = {
    "forward": ("a forward search", "begins with nothing and adds the best feature, step by step"),
    "backward": (
        "a backward search",
        "begins with all candidates and drops the feature that is missed least, step by step",
    ),
    "floating": (
        "a floating search",
        "adds the best feature and takes back whatever the subset does better without",
    ),
    "genetic": ("a genetic search", "breeds subsets of a fixed size, generation by generation"),
    "swarm": ("a particle swarm", "lets subsets of a fixed size fly towards the best of them"),
}
BY_STEPS = ("forward", "backward", "floating")
# Balance -> the sample that each member of an ensemble learns from.
BALANCES = {
    "hybrid": "all rows of the minority, {more} synthetic ones for each (SMOTE), and as many "
    "rows of the majority",
    "rus": "all rows of the minority and as many of the majority, drawn at random",
    "ros": "all rows of the majority and as many of the minority, some of them repeated",
    "smote": "all rows of the majority and as many of the minority, some of them synthetic (SMOTE)",
    "cost": "all rows, weighted so that both sides count the same",
    None: "all rows as they are",
}
# Measure -> short name, and name in a sentence.
MEASURES = {
    "auc": ("AUC", "area under the ROC curve"),
    "average_precision": ("average precision", "average precision"),
}
LEARNERS = {
    "CompactTreeClassifier": ("small tree", "small trees"),
    "DecisionTreeClassifier": ("decision tree", "decision trees"),
}
STOPS = {
    "permutation": "before the first feature that is no better than shuffled ones",
    "one_se": "the smallest size within one standard error of the fittest",
    None: "none: as many features as were asked for",
}


def balance(document: dict) -> str | None:
    """Return the kind of balance; None where rows are taken as they are.

    Examples
    --------
    >>> balance({"settings": {"balance": True}}), balance({"settings": {"balance": False}})
    ('hybrid', None)
    """
    given = document["settings"]["balance"]
    return "hybrid" if given is True else given or None


def n_members(document: dict) -> int:
    """Return the classifiers of an ensemble: one, where all would be the same tree."""
    return document["search"]["n_members"]


def learner_name(document: dict) -> str:
    """Return the class of what is trained on each sample."""
    estimator = document["settings"]["estimator"]
    return estimator["name"] if isinstance(estimator, dict) else str(estimator)


def learners(document: dict) -> str:
    """Return what judges a subset, with its number: "20 small trees".

    Examples
    --------
    >>> tree = {"name": "CompactTreeClassifier"}
    >>> learners({"settings": {"estimator": tree}, "search": {"n_members": 20}})
    '20 small trees'
    """
    name = learner_name(document)
    known = LEARNERS.get(
        name, (f"{clean_name(name)} classifier", f"{clean_name(name)} classifiers")
    )
    return counted(n_members(document), *known)


def judged_by(document: dict) -> str:
    """Return what judges a subset, as a phrase: an ensemble, or one classifier."""
    if n_members(document) == 1:
        return learners(document).replace("1 ", "one ", 1)
    return f"an ensemble of {learners(document)}"


def sample(document: dict) -> str:
    """Return what each member learns from."""
    more = document["settings"]["oversample"]
    share = {0.5: "half as many", 1.0: "as many"}.get(more)
    told = BALANCES[balance(document)]
    if share is not None:
        return told.replace("{more} synthetic ones for each", f"{share} synthetic ones")
    return told.format(more=number(more))


def looked_for(document: dict) -> str:
    """Return what the panel is for: to find one class, or to tell each from the others."""
    if document["search"]["minority"] is None:
        return f"to tell each of {len(document['data']['classes'])} classes from the others"
    n = counted(document["search"]["n_minority"], "sample")
    return f"to find class {minority(document)} ({n})"


def minority(document: dict) -> str | None:
    """Return the name of the class that is looked for; None where each is."""
    name = document["search"]["minority"]
    return None if name is None else shorten(clean_name(name), 40)


def measure(document: dict) -> str:
    """Return the short name of what subsets are judged by."""
    return MEASURES[document["settings"]["fitness"]][0]


def measure_said(document: dict) -> str:
    """Return what subsets are judged by, inside a sentence."""
    said = f"the {MEASURES[document['settings']['fitness']][1]}"
    if document["search"]["minority"] is None:
        said += " averaged over the classes"
    if document["settings"]["combine"] == "pooled":
        said += ", of all rows held out together"
    return said


def blind(document: dict) -> float | None:
    """Return the area that a blind order of the rows has; None where each class has its own."""
    if document["settings"]["fitness"] == "auc":
        return 0.5
    if document["search"]["minority"] is None:
        return None
    return document["search"]["n_minority"] / document["data"]["n_samples"]


def searched(document: dict) -> str:
    """Return the name of the search inside a sentence."""
    return SEARCHES[document["settings"]["search"]][0]


def stopped(document: dict) -> str:
    """Say why the panel has the size that it has.

    The feature that was refused is named: it is the evidence for the end of the search.
    """
    chosen, told = document["settings"], document["search"]
    size, asked = len(document["panels"][0]["features"]), chosen["n_features_to_select"]
    if chosen["stop"] == "one_se":
        return (
            f"Taken was the smallest size whose fitness is within one standard error of the "
            f"fittest, {count(size)}; at most {count(asked)} were allowed."
        )
    if chosen["stop"] is None:
        return f"The size, {count(size)}, was given."
    if refused := told.get("refused"):
        name = shorten(clean_name(refused["feature"]), 40)
        return (
            f"The search ended after {counted(size, 'feature')}, because the best further one, "
            f"{name}, brings a fitness of {number(refused['fitness'], 3)}, and shuffled candidates "
            f"reach as much: {number(refused['reference'], 3)}."
        )
    if size < asked:
        return f"The search ended after {counted(size, 'feature')}: there are no more candidates."
    told = f"The search ended at the most features that were allowed, {count(size)}"
    if document["path"][0]["p_value"] <= chosen["alpha"]:
        return f"{told}, all of them better than shuffled ones."
    # The first one is taken in any case.
    return f"{told}, all but the first better than shuffled ones." if size > 1 else f"{told}."


def honest(document: dict, size: int, key: str = "ensemble") -> dict | None:
    """Return the area on unseen rows with so many features; None where it is not known."""
    rows = ((document["evaluation"] or {}).get("by_size") or {"rows": []})["rows"]
    return next((row[key] for row in rows if row["size"] == size), None)


def honest_panel(document: dict) -> dict | None:
    """Return the area of the panel on unseen rows, in the measure of the search.

    Panels of the folds may have other sizes than this one: it is they who are judged. The average
    precision over several classes is known of sizes only.
    """
    panel = method(document, "ensemble")
    if panel is None:
        return None
    if document["settings"]["fitness"] == "average_precision":
        own = panel.get("average_precision")
        return own or honest(document, len(document["panels"][0]["features"]))
    return panel["auc"]
