"""The figures behind the statements on DAFS, as plain values and as tables for a page."""

import numpy as np
import pandas as pd

from .dafs import CELLS_PUBLISHED, MACHINES_PUBLISHED, TABLES, accuracy_table, rank_table
from .dafs_methods import MACHINES, METHODS, OURS, PANELS, PAPER
from .dafs_runs import FIGURES, Found
from .wording import table_row, table_rule


def figures(found: Found) -> dict:
    """All figures as JSON values."""
    accuracies = accuracy_table(found)
    return {
        "accuracies": _plain(accuracies),
        "n_rows": {name: len(right) for name, right in found.right.items()},
        "average_ranks": {
            f"{where}, {column}": _plain(rank_table(accuracies, (*others, column)).mean())
            for where, others in TABLES.items()
            for column in (PAPER, OURS)
        },
        "features": _plain(pd.DataFrame({n: t.mean() for n, t in found.sizes.items()}).T),
        "seconds": _plain(pd.DataFrame({n: t.mean() for n, t in found.seconds.items()}).T),
        "sweep": [
            {
                "learner": setting.learner,
                "m": setting.size,
                "L": setting.number,
                "diversity": setting.diversity,
                **{name: _plain(table[name].mean()) for name in FIGURES},
                "seconds_in_all": _plain(table["seconds"].sum()),
            }
            for setting, table in found.sweep.items()
        ],
        "coverages": [[*pair, share] for pair, share in found.coverages.items()],
    }


def table_lines(document: dict) -> list[str]:
    """Accuracies beside published ones, ranks, sizes, seconds and the sweep, in Markdown."""
    accuracies, published = document["accuracies"], _published()
    ranks = document["average_ranks"]
    lines = ["Accuracies in percent by leave-one-out; in brackets what was published.", ""]
    for where, others in TABLES.items():
        names = [*others, PAPER, OURS]
        lines += [
            f"**{where}**",
            "",
            table_row(["data", "rows", *names]),
            table_rule(len(names) + 2),
        ]
        for data, own in accuracies.items():
            cells = [_shown(own[name], published.get((data, name))) for name in names]
            lines.append(table_row([data, str(document["n_rows"][data]), *cells]))
        for column, other in ((PAPER, OURS), (OURS, PAPER)):
            own = ranks[f"{where}, {column}"]
            cells = ["" if name == other else f"{own[name]:.2f}" for name in names]
            lines.append(table_row([f"average rank with {column}", "", *cells]))
        lines.append("")
    extra = [name for name in METHODS if name.endswith("on DAFS")]
    names = [*extra, *(f"features, {name}" for name in PANELS), *(f"seconds, {n}" for n in PANELS)]
    lines += [
        "**Classifiers on the features of DAFS; features and CPU seconds of a selection**",
        "",
    ]
    lines += [table_row(["data", *names]), table_rule(len(names) + 1)]
    for data, own in accuracies.items():
        cells = [_shown(own[name]) for name in extra]
        cells += [f"{document['features'][data][name]:.1f}" for name in PANELS]
        cells += [f"{document['seconds'][data][name]:.2f}" for name in PANELS]
        lines.append(table_row([data, *cells]))
    return [*lines, "", *_sweep_lines(document)]


def _sweep_lines(document):
    if not document["sweep"]:
        return []
    head = ["classifier", "(m, L)", "diversity", *FIGURES, "seconds in all"]
    lines = ["**Sweep on dlbcl** (seconds: CPU seconds of one selection)", ""]
    lines += [table_row(head), table_rule(len(head))]
    for own in document["sweep"]:
        cells = [own["learner"], f"({own['m']}, {own['L']})", own["diversity"].replace("_", " ")]
        cells += [_shown(own[name]) for name in FIGURES[:3]]
        cells += [f"{own['features']:.1f}", f"{own['seconds']:.2f}", f"{own['seconds_in_all']:.0f}"]
        lines.append(table_row(cells))
    return [*lines, ""]


def _published() -> dict:
    machines = {
        (data, machine): rate
        for data, rates in MACHINES_PUBLISHED.items()
        for machine, rate in zip(MACHINES, rates, strict=True)
    }
    return machines | CELLS_PUBLISHED


def _shown(rate, published=None) -> str:
    told = "" if rate is None else f"{100 * rate:.1f}"
    return told if published is None else f"{told} ({published:.1f})"


def _plain(values):
    """Numbers that JSON knows; None for those that are not known."""
    if isinstance(values, pd.DataFrame):
        return {str(name): _plain(row) for name, row in values.iterrows()}
    if isinstance(values, pd.Series):
        return {str(name): _plain(value) for name, value in values.items()}
    return float(values) if np.isfinite(values) else None
