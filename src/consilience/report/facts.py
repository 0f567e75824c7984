"""Facts of a result as every page shows them: data, time, settings, features, estimates."""

from ..registry import Registry
from .nominal import describe_categories
from .repeat import chosen_params
from .text import TIE, clean_name, shorten

MAX_VALUE = 200  # letters of a setting; a mask of all columns would fill the page
# Of the step "select", told beside it.
PARTS = (
    "members", "curve", "rows", "scan", "choose", "train", "predict", "prepare", "search"
)  # fmt: skip


def data_facts(data: dict) -> dict:
    """Return the facts about the data, with names that can be shown."""
    return data | {
        "source": clean_name(data["source"] or "data in memory"),
        "target": clean_name(data["target"]) if data["target"] is not None else None,
        "classes": [{"name": clean_name(c["name"]), "count": c["count"]} for c in data["classes"]],
    }


def parameters(method: dict, registry: Registry) -> str:
    """Return the parameters of a method that say something, as one text."""
    return ", ".join(
        f"{key}{TIE}={TIE}{shorten(clean_name(value), MAX_VALUE)}"
        for key, value in chosen_params(method, registry).items()
    )


def seed_given(chosen: dict) -> list[str]:
    """Return the row of the settings that tells the seed."""
    seed = chosen["random_state"]
    return ["Seed", "none, so chance differs every time" if seed is None else str(seed), ""]


def rows_given(chosen: dict, grouped: str) -> list[list[str]]:
    """Return the row that tells how the rows were treated, where there is something to tell."""
    told = (("grouped", grouped), ("weighted", "weighted"))
    given = [text for key, text in told if chosen[key]]
    return [["Rows", " and ".join(given), ""]] if given else []


def seconds(spent: dict) -> dict:
    """Return the time in all and by step.

    Examples
    --------
    >>> seconds({"members": 2.0, "curve": 0.5, "select": 3.0, "evaluate": 9.0})["total"]
    12.0
    """
    steps = {step: time for step, time in spent.items() if step != "total" and step not in PARTS}
    return {"total": spent.get("total", sum(steps.values())), "steps": steps}


def timed(spent: dict, parts: dict[str, str], rest: str) -> dict:
    """Return the seconds of each step in the order in which they came, and of all together.

    Parameters
    ----------
    spent : dict
        `seconds` of `result.json`.
    parts : dict of str to str
        Steps of the selection that are told apart, by key: what each is called.
    rest : str
        What the others are called.

    Examples
    --------
    >>> timed({"members": 2.0, "select": 3.0}, {"members": "Members"}, "Rest")["steps"]
    [{'step': 'Members', 'seconds': 2.0}, {'step': 'Rest', 'seconds': 1.0}]
    """
    known = {key: spent[key] for key in parts if key in spent}
    steps = [
        ["Reading the data", spent.get("read")],
        ["Compiling", spent.get("compile")],
        *([parts[key], seconds] for key, seconds in known.items()),
        [rest, max(spent.get("select", 0.0) - sum(known.values()), 0.0)],
        ["Evaluation on unseen rows", spent.get("evaluate")],
    ]
    steps = [{"step": step, "seconds": time} for step, time in steps if time is not None]
    return {"steps": steps, "total": sum(step["seconds"] for step in steps)}


def describe_feature(feature: dict, rank: int, counts: list[int]) -> dict:
    """Return a feature of `result.json` with its rank and with names that can be shown."""
    shown = feature | {"rank": rank, "feature": clean_name(feature["feature"])}
    if feature.get("description") is not None:
        shown["description"] = clean_name(feature["description"])
    if "effects" in feature:
        shown["effects"] = [
            effect | {"class": clean_name(effect["class"])} for effect in feature["effects"]
        ]
        if feature["categories"] is not None:
            shown = describe_categories(shown, counts)
    return shown


def bounded(estimate: dict) -> dict:
    """Cut an interval at 1: its theory is asymptotic, but no selection agrees more than fully."""
    high = estimate["high"]
    return estimate | {"high": None if high is None else min(high, 1.0)}
