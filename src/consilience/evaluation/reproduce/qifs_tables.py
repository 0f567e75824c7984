"""The figures behind the statements of the Qifs paper, as JSON values and as Markdown."""

import numpy as np

from .qifs_measures import (
    FORMS,
    LEARNERS,
    QIFS,
    RIVALS,
    Cell,
    Folds,
    accuracies,
    areas,
    mean_lead,
    overall,
    precisions,
    t_value,
    times_to_target,
)
from .qifs_methods import METHODS
from .verdicts import mean_interval
from .wording import table_row, table_rule

FIGURES = ("accuracy", "balanced accuracy", "average precision")
COMMITTEES = (QIFS, "Efs", "Eifs")


def figures(found: dict[Cell, dict[str, Folds]]) -> dict:
    """All figures as JSON values, a dict for each cell, and leads over all cells of a set."""
    return {
        "cells": [_cell(cell, own) for cell, own in found.items()],
        "mean_leads": {
            data: _mean_leads([own for cell, own in found.items() if cell.data == data])
            for data in dict.fromkeys(cell.data for cell in found)
        },
    }


def _mean_leads(cells):
    """Leads in average precision with all members, and with as many as the rival has."""
    compared = [(rival, False) for rival in RIVALS] + [("Efs", True), ("Eifs", True)]
    return {
        form: {
            f"{rival}, as many members" if equal else rival: [
                _number(end) for end in mean_interval(mean_lead(cells, form, rival, equal=equal))
            ]
            for rival, equal in compared
        }
        for form in FORMS
    }


def _cell(cell, own):
    shown = precisions(own)
    return {
        **cell._asdict(),
        "largest_class": _number(1 - np.mean(np.concatenate([f.positive for f in own["FSS"]]))),
        "methods": {
            name: {
                **{figure: _estimate(value) for figure, value in overall(folds).items()},
                "fold_accuracies": [_number(value) for value in accuracies(folds)],
                "precision_at_recall_of_FSS": _number(_known_mean(shown[name])),
                "folds_with_a_recall": int(np.isfinite(shown[name]).sum()),
                "seconds": _number(np.mean([fold.seconds[-1] for fold in folds])),
                "first_seconds": _number(np.mean([fold.seconds[0] for fold in folds])),
                "members": int(np.mean([len(fold.shares) for fold in folds])),
            }
            for name, folds in own.items()
        },
        "t": {
            form: {rival: _number(t_value(own[form], own[rival])) for rival in RIVALS}
            for form in FORMS
        },
        "leads_in_average_precision": {
            form: {
                rival: [_number(end) for end in mean_interval(areas(own[form]) - areas(own[rival]))]
                for rival in RIVALS
            }
            for form in FORMS
        },
        "time_to_target": {
            form: {
                figure: {k: _number(v) for k, v in times_to_target(own, form, figure).items()}
                for figure in ("accuracy", "average precision")
            }
            for form in FORMS
        },
    }


def table_lines(document: dict) -> list[str]:
    """Accuracies, balanced figures, t values, times and precisions, in Markdown."""
    lines = []
    for data in dict.fromkeys(cell["data"] for cell in document["cells"]):
        cells = [cell for cell in document["cells"] if cell["data"] == data]
        lines += [f"### {data}", ""]
        for figure in FIGURES:
            lines += _figure_table(cells, figure)
        lines += _t_table(cells) + _lead_table(cells) + _mean_lead_table(document, data)
        lines += _time_table(cells) + _precision_table(cells)
    return lines


def _figure_table(cells, figure):
    extra = ["largest class"] if figure == "accuracy" else []
    lines = [f"**{figure.capitalize()}** in percent, 95 % interval", ""]
    lines += [
        table_row(["noise", "learner", *METHODS, *extra]),
        table_rule(2 + len(METHODS) + len(extra)),
    ]
    for cell in cells:
        own = [_interval(cell["methods"][name][figure]) for name in METHODS]
        own += [_percent(cell["largest_class"])] * len(extra)
        lines.append(table_row([*_names(cell), *own]))
    return [*lines, ""]


def _t_table(cells):
    lines = ["**t of the accuracies** against each rival (4.604 is significant at 99 %)", ""]
    head = [f"{form} / {rival}" for form in FORMS for rival in RIVALS]
    lines += [table_row(["noise", "learner", *head]), table_rule(2 + len(head))]
    for cell in cells:
        own = [_plain(cell["t"][form][rival]) for form in FORMS for rival in RIVALS]
        lines.append(table_row([*_names(cell), *own]))
    return [*lines, ""]


def _lead_table(cells):
    lines = [
        "**Lead in average precision** over each rival, in percent, 95 % interval",
        "",
    ]
    head = [f"{form} / {rival}" for form in FORMS for rival in RIVALS]
    lines += [table_row(["noise", "learner", *head]), table_rule(2 + len(head))]
    for cell in cells:
        leads = cell["leads_in_average_precision"]
        own = [_interval(leads[form][rival], "+") for form in FORMS for rival in RIVALS]
        lines.append(table_row([*_names(cell), *own]))
    return [*lines, ""]


def _mean_lead_table(document, data):
    leads = document["mean_leads"][data]
    lines = ["**Lead in average precision**, mean over noise and learners, in percent", ""]
    rivals = list(leads[QIFS])
    lines += [table_row(["form", *rivals]), table_rule(1 + len(rivals))]
    lines += [
        table_row([form, *(_interval(leads[form][r], "+") for r in rivals)]) for form in FORMS
    ]
    return [*lines, ""]


def _time_table(cells):
    lines = ["**CPU seconds**: of the whole (members), and to the target (see text)", ""]
    goals = [f"{name} to {figure}" for figure in FIGURES[::2] for name in COMMITTEES]
    lines += [
        table_row(["noise", "learner", *METHODS, *goals]),
        table_rule(2 + len(METHODS) + len(goals)),
    ]
    for cell in cells:
        own = [
            f"{_plain(cell['methods'][name]['seconds'])} ({cell['methods'][name]['members']})"
            for name in METHODS
        ]
        for figure in FIGURES[::2]:
            times = cell["time_to_target"][QIFS][figure]
            own += [_plain(times[name]) for name in COMMITTEES]
        lines.append(table_row([*_names(cell), *own]))
    return [*lines, ""]


def _precision_table(cells):
    lines = ["**Precision at the recall of FSS** in percent, mean of the folds that have one", ""]
    lines += [table_row(["noise", "learner", "folds", *METHODS]), table_rule(3 + len(METHODS))]
    for cell in cells:
        own = [_percent(cell["methods"][n]["precision_at_recall_of_FSS"]) for n in METHODS]
        number = str(cell["methods"]["FSS"]["folds_with_a_recall"])
        lines.append(table_row([*_names(cell), number, *own]))
    return [*lines, ""]


def _names(cell) -> list[str]:
    return [f"{cell['noise']} %", LEARNERS[cell["learner"]]]


def _estimate(value):
    if value is None:
        return None
    return [_number(value.value), _number(value.low), _number(value.high)]


def _known_mean(values):
    known = values[np.isfinite(values)]
    return known.mean() if known.size else np.nan


def _number(value):
    return float(value) if np.isfinite(value) else None


def _interval(ends, sign: str = "") -> str:
    if ends is None or None in ends:
        return ""
    value, low, high = (f"{100 * end:{sign}.1f}" for end in ends)
    return f"{value} ({low} to {high})"


def _percent(value) -> str:
    return "" if value is None else f"{100 * value:.1f}"


def _plain(value) -> str:
    return "" if value is None else f"{value:.2f}"
