"""The figures behind the statements on imbalanced data, as JSON values and as Markdown."""

import numpy as np

from .imbalance_wrapper import FIGURES, halves_interval
from .imbalance_wrapper_classifiers import CLASSIFIERS
from .imbalance_wrapper_measures import (
    APPROACHES,
    UNPRUNED,
    Runs,
    by_witness,
    cells,
)
from .imbalance_wrapper_sets import READINGS
from .verdicts import mean_interval
from .wording import percent, table_row, table_rule

TITLES = {
    "greedy": "**Table 2**: greedy search",
    "genetic": "**Table 3**: genetic search",
    UNPRUNED: "**Table 2 with trees that are not pruned**: greedy search",
}
# Trees of either approach: search and arm of their runs.
UNDECIDED = {
    "ensemble": ("greedy", 0),
    "single": ("greedy", 1),
    "ensemble, not pruned": (UNPRUNED, 0),
    "single, not pruned": (UNPRUNED, 1),
}
SHOWN_SIZES = (1, 2, 3, 4, 5, 7, 10, 15, 20)


def figures(found: dict[str, Runs]) -> dict:
    """All figures as JSON values, those of each data set being means over its runs.

    `areas` are by search, approach, size and classifier; `cells` have means of wins, ties and
    losses over the runs, and in how many of them Friedman's test speaks for either approach.
    """
    return {
        "axes": {"approaches": list(APPROACHES), "classifiers": list(CLASSIFIERS)},
        "data": {name: _facts(runs) for name, runs in found.items()},
        "areas": {
            name: {
                search: _rounded(held["areas"].mean(axis=(0, 1)))
                for search, held in runs.searches.items()
            }
            for name, runs in found.items()
        },
        "cells": {
            search: {name: _cells(runs.areas(search)) for name, runs in found.items()}
            for search in TITLES
        },
        "own": {name: _own(runs) for name, runs in found.items()},
        "leak": {
            name: _leak(runs) for name, runs in found.items() if "leak" in runs.searches
        },
        "seconds": {
            name: {
                search: _rounded(held["seconds"].mean(axis=(0, 1)), 2)
                for search, held in runs.searches.items()
            }
            for name, runs in found.items()
        },
    }  # fmt: skip


def _facts(runs):
    held = runs.searches["greedy"]
    return runs.sizes | {
        "informative": float(held["informative"].mean()),
        "undecided": {
            trees: _rounded(runs.searches[search]["undecided"][:, :, arm].mean())
            for trees, (search, arm) in UNDECIDED.items()
        },
        "runs": len(held["areas"]),
    }


def _cells(areas):
    found = cells(areas)
    return {
        "wins": _rounded(found.wins.mean(axis=0)),
        "ties": _rounded(found.ties.mean(axis=0)),
        "losses": _rounded(found.losses.mean(axis=0)),
        "for_ensemble": (found.significant == 1).sum(axis=0).tolist(),
        "for_single": (found.significant == -1).sum(axis=0).tolist(),
    }


def _own(runs):
    """What our own search gives: areas by the mean over the classifiers, for each half."""
    held = runs.searches["race"]
    stopped = held["stopped"].ravel()
    race = held["areas"][:, :, 0].mean(axis=-1)  # runs, halves, sizes
    race = race.reshape(-1, race.shape[-1])
    paper = runs.areas("greedy").mean(axis=-1)
    paper = paper.reshape(-1, *paper.shape[2:])  # halves, approaches, sizes
    at_stop = race[np.arange(stopped.size), stopped - 1]
    plain = runs.areas(UNPRUNED)[:, :, 0].mean(axis=-1).reshape(race.shape)
    return {
        "stopped": stopped.tolist(),
        "doubtful": int(held["doubtful"].sum()),
        "areas": {
            "stopped": _rounded(at_stop.mean()),
            "race": _rounded(race[:, -1].mean()),
            "plain": _rounded(plain[:, -1].mean()),
            "ensemble": _rounded(paper[:, 0, -1].mean()),
            "single": _rounded(paper[:, 1, -1].mean()),
        },
        "race_less_plain": _rounded(halves_interval((race - plain).mean(axis=1))),
        "stopped_less_ensemble": _rounded(halves_interval(at_stop - paper[:, 0, -1])),
    }


def _leak(runs):
    """Areas with the filter on all rows less those with the filter on the training rows."""
    more = (runs.areas("leak") - runs.areas("greedy")).mean(axis=(3, 4))  # runs, halves, arms
    more = more.reshape(-1, more.shape[-1])
    return {
        approach: {
            "inside": _rounded(runs.areas("greedy")[:, :, a].mean()),
            "all_rows": _rounded(runs.areas("leak")[:, :, a].mean()),
            "more": _rounded(halves_interval(more[:, a])),
        }
        for a, approach in enumerate(APPROACHES)
    }


def table_lines(document: dict) -> list[str]:
    """The paper's tables, the curves of its figures, and what our own search does, in Markdown."""
    return [
        *_otherwise_table(document),
        *_data_table(document),
        *(line for search in TITLES for line in _cell_table(document, search)),
        *_area_table(document),
        *(line for where in FIGURES for line in _curves(document, where)),
        *_own_table(document),
        *_leak_table(document),
        *_cost_table(document),
    ]


def _otherwise_table(document):
    """What is said of greedy search, judged with trees that are not pruned."""
    lines = ["**The same statements** with trees that are not pruned", ""]
    lines += [table_row(["published", "measured", "verdict"]), table_rule(3)]
    told = document["otherwise"]
    lines += [table_row([own[key] for key in ("published", "measured", "verdict")]) for own in told]
    return [*lines, ""]


def _data_table(document):
    head = ["set", "in the paper", "rows", "features", "minority", "chi-square above 0"]
    head += [f"at 0.5, {trees}" for trees in UNDECIDED]
    lines = ["**Table 1**: the data sets", "", table_row(head), table_rule(len(head))]
    for name, own in document["data"].items():
        sizes = [f"{own[key]:.0f}" for key in ("rows", "features", "minority", "informative")]
        shares = [f"{100 * own['undecided'][trees]:.0f} %" for trees in UNDECIDED]
        lines.append(table_row([name, READINGS.get(name, name), *sizes, *shares]))
    told = (
        "*Chi-square above 0*: columns, in a training half; others that pass the filter are drawn. "
        "*At 0.5*: candidates whose fitness alone is just 0.5, so that chi-square decides."
    )
    return [*lines, "", told, ""]


def _cell_table(document, search):
    lines = [
        f"{TITLES[search]}, sizes at which the ensemble wins / ties / loses",
        "",
        table_row(["set", *CLASSIFIERS]),
        table_rule(1 + len(CLASSIFIERS)),
    ]
    for name, own in document["cells"][search].items():
        told = zip(*own.values(), strict=True)
        lines.append(table_row([name, *(_cell(*values) for values in told)]))
    return [*lines, "", _marks(document), ""]


def _cell(wins, ties, losses, for_ensemble, for_single):
    marks = "+" * for_ensemble + "-" * for_single
    return f"{wins:.1f} / {ties:.1f} / {losses:.1f}" + (f" {marks}" if marks else "")


def _marks(document):
    n_runs = max(own["runs"] for own in document["data"].values())
    return (
        f"Means over {n_runs} runs; a + for each run in which Friedman's test speaks for the "
        "ensemble (p < 0.05), a - for each in which it speaks for the single wrapper."
    )


def _area_table(document):
    """Areas by set, mean over sizes and classifiers, and by classifier, mean over the sets."""
    arms = [(s, a) for s in TITLES for a in range(len(APPROACHES))]
    names = [f"{search}, {APPROACHES[a]}" for search, a in arms]
    held = {
        name: np.array([*(own[s][a] for s, a in arms), own["race"][0]])
        for name, own in document["areas"].items()
    }  # arms, sizes, classifiers
    lines = ["**Area under the ROC curve** in percent, mean over the sizes", ""]
    lines += [table_row(["", *names, "race"]), table_rule(len(names) + 2)]
    for name, own in held.items():
        lines.append(table_row([name, *_percents(own.mean(axis=(1, 2)))]))
    mean = by_witness(held).mean(axis=(0, 2))  # arms, classifiers
    for c, classifier in enumerate(CLASSIFIERS):
        lines.append(table_row([f"*{classifier}, all sets*", *_percents(mean[:, c])]))
    return [*lines, ""]


def _curves(document, where):
    name = FIGURES[where]
    if name not in document["areas"]:
        return []
    areas = np.array(document["areas"][name]["greedy"])  # approaches, sizes, classifiers
    sizes = [size for size in SHOWN_SIZES if size <= areas.shape[1]]
    lines = [
        f"**{where}**: {name}, greedy search, area in percent by number of features",
        "",
        table_row(["classifier", "wrapper", *map(str, sizes)]),
        table_rule(2 + len(sizes)),
    ]
    for c, classifier in enumerate(CLASSIFIERS):
        for a, approach in enumerate(APPROACHES):
            shown = areas[a, np.array(sizes) - 1, c]
            lines.append(table_row([classifier, approach, *_percents(shown)]))
    return [*lines, ""]


def _own_table(document):
    """The honest search and its stop beside the paper's, with as many features."""
    arms = ("stopped", "race", "plain", "ensemble", "single")
    n_sizes = len(next(iter(document["areas"].values()))["greedy"][0])
    lines = [
        "**Our own search**: leaders raced, stopped where shuffled candidates do as well; area in "
        "percent, mean over the classifiers",
        "",
        table_row(
            [
                "set", "features at the stop", "area there", f"race, {n_sizes}",
                f"plain, {n_sizes}", f"paper's ensemble, {n_sizes}", f"paper's single, {n_sizes}",
                "race less plain, all sizes", f"stop less paper's ensemble, {n_sizes}",
            ]
        ),
        table_rule(9),
    ]  # fmt: skip
    for name, own in document["own"].items():
        sizes = own["stopped"]
        told = f"{np.mean(sizes):.1f} ({min(sizes)} to {max(sizes)})"
        told += f", {own['doubtful']} no better than shuffled" if own["doubtful"] else ""
        gaps = [percent(*own[key]) for key in ("race_less_plain", "stopped_less_ensemble")]
        lines.append(table_row([name, told, *_percents(own["areas"][arm] for arm in arms), *gaps]))
    owns = document["own"].items()
    means = [np.mean(by_witness({name: own["areas"][arm] for name, own in owns})) for arm in arms]
    every = [
        percent(*mean_interval(by_witness({name: own[key][0] for name, own in owns})))
        for key in ("race_less_plain", "stopped_less_ensemble")
    ]
    lines.append(table_row(["all sets, ALL once", "", *_percents(means), *every]))
    told = (
        "*Race* and *plain* grow the same trees, not pruned; *plain* takes the first of each step. "
        "Intervals of a set are for halves that share their rows."
    )
    return [*lines, "", told, ""]


def _leak_table(document):
    if not document["leak"]:
        return []
    head = ["set", "wrapper", "filter on the training half", "filter on all rows", "more by"]
    lines = [
        "**What a filter on all rows changes**: greedy search, area in percent, mean over sizes "
        "and classifiers",
        "",
        table_row(head),
        table_rule(len(head)),
    ]
    for name, own in document["leak"].items():
        for approach, held in own.items():
            areas = _percents([held["inside"], held["all_rows"]])
            lines.append(table_row([name, approach, *areas, percent(*held["more"])]))
    return [*lines, ""]


def _cost_table(document):
    arms = [(search, a) for search in TITLES for a in range(len(APPROACHES))]
    head = ["set", *(f"{search}, {APPROACHES[a]}" for search, a in arms), "race", "race and stop"]
    lines = ["**CPU seconds** of one search on one half", "", table_row(head)]
    lines += [table_rule(len(head))]
    for name, own in document["seconds"].items():
        seconds = [*(own[search][a] for search, a in arms), *own["race"]]
        lines.append(table_row([name, *(f"{value:.1f}" for value in seconds)]))
    return [*lines, ""]


def _rounded(values, digits: int = 6):
    return np.round(values, digits).tolist()


def _percents(values) -> list[str]:
    return [f"{100 * value:.1f}" for value in values]
