"""A comparison as a plain dict, and as one self-contained HTML page."""

from datetime import UTC, datetime
from pathlib import Path

from .. import __version__
from .comparison_answer import comparison_answer
from .figures_comparison import front_figure
from .render import render_page
from .text import clean_name, counted


def write_comparison(comparison, path) -> Path:
    """Write the page of a comparison as one HTML file that opens offline.

    Parameters
    ----------
    comparison : Comparison
        From `compare` or `Comparison.load`.
    path : str or path-like
        File to write. It is replaced as a whole or not at all.

    Returns
    -------
    Path
        The file written.

    Examples
    --------
    >>> import tempfile
    >>> from consilience import compare, load_demo
    >>> from consilience.report.comparison import write_comparison
    >>> found = compare(
    ...     {"leukemia": load_demo()}, ["chi-square"], ["most-frequent"], ["knn"],
    ...     n_models=10, n_splits=3, random_state=0,
    ... )
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_comparison(found, f"{folder}/report.html").name
    'report.html'
    """
    from ..execution.atomic import write_text

    path = Path(path)
    summary = summarise_comparison(comparison)
    figures = {f"front-{k}": front_figure(judged) for k, judged in enumerate(summary["judged"])}
    write_text(path, render_page("comparison.html", summary, figures))
    return path


def summarise_comparison(comparison) -> dict:
    """Return what the page shows as a dict of plain, JSON-able values."""
    document = comparison.to_dict()
    labels = document["settings"]["classifiers"]
    judged = [
        {
            "classifier": clean_name(name),
            "label": clean_name(labels[name]),
            "methods": [_method(m) for m in document["methods"][name]],
            "points": _points(document["points"][name]),
        }
        for name in comparison.classifiers
    ]
    return {
        "answer": comparison_answer(document),
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "version": __version__,
        "command": document["command"],
        "settings": document["settings"],
        "folds": comparison.folds,
        "samples": comparison.samples,
        "selectors": [clean_name(name) for name in document["selectors"]],
        "aggregators": [clean_name(name) for name in document["aggregators"]],
        "data": [_data(facts) for facts in document["data"]],
        "judged": judged,
        "means": _means(judged),
        "details": _details(document),
        "itemsets": [_named(row) for row in document["itemsets"]],
        "itemset_means": _itemset_means(document),
    }


def _data(facts: dict) -> dict:
    counts = [facts["y"].count(code) for code in range(len(facts["classes"]))]
    return {
        "name": clean_name(facts["name"]),
        "n_samples": len(facts["y"]),
        "n_features": facts["n_features"],
        "n_splits": facts["n_splits"],
        "classes": [
            {"name": clean_name(name), "count": count}
            for name, count in zip(facts["classes"], counts, strict=True)
        ],
        "size": f"{counted(len(facts['y']), 'sample')}, {counted(facts['n_features'], 'feature')}",
    }


def _method(method: dict) -> dict:
    shown = _named(method)
    return shown | {"plain": method["aggregator"] == "nobagg"}


def _named(row: dict) -> dict:
    names = {key: clean_name(row[key]) for key in ("data", "selector", "aggregator") if key in row}
    return row | names


def _itemset_means(document: dict) -> list[dict]:
    """Number, size and support of the itemsets of each method, means over the data sets."""
    groups: dict[tuple, list[dict]] = {}
    for row in document["itemsets"]:
        groups.setdefault((row["selector"], row["aggregator"]), []).append(row)
    return [
        _named({"selector": selector, "aggregator": aggregator})
        | {
            figure: sum(row[figure] for row in rows) / len(rows)
            for figure in ("number", "size", "support")
        }
        for (selector, aggregator), rows in groups.items()
    ]


def _means(judged: list[dict]) -> list[dict]:
    """One row per method, with the mean errors by all classifiers; lowest of the first on top."""
    rows = []
    for k, method in enumerate(judged[0]["methods"]):
        errors = [by["methods"][k]["error"] for by in judged]
        front = [by["methods"][k]["on_front"] for by in judged]
        rows.append(method | {"errors": errors, "fronts": front})
    return sorted(rows, key=lambda row: (row["error"], -row["jaccard"]))


def _points(rows: list[dict]) -> dict:
    """Points as a table: a row per aggregator, two columns per selector."""
    selectors = list(dict.fromkeys(row["selector"] for row in rows))
    aggregators = list(dict.fromkeys(row["aggregator"] for row in rows))
    cell = {(row["selector"], row["aggregator"]): row for row in rows}
    best, worst = (
        {
            (selector, figure): extreme(cell[selector, name][figure] for name in aggregators)
            for selector in selectors
            for figure in ("error", "stability")
        }
        for extreme in (max, min)
    )
    return {
        "selectors": [clean_name(name) for name in selectors],
        "rows": [
            {
                "aggregator": clean_name(name),
                "cells": [
                    {
                        "value": value,
                        "best": value == best[selector, figure] > worst[selector, figure],
                    }
                    for selector in selectors
                    for figure in ("error", "stability")
                    for value in [cell[selector, name][figure]]
                ],
            }
            for name in aggregators
        ],
    }


def _details(document: dict) -> list[dict]:
    """Figures of every data set: a row per method, a column per classifier, with verdicts."""
    found: dict[str, dict] = {}
    for row in document["figures"]:
        rows = found.setdefault(row["data"], {})
        key = row["selector"], row["aggregator"]
        method = rows.setdefault(
            key,
            _named({name: row[name] for name in ("selector", "aggregator", "n_features")})
            | {
                "errors": [],
                "jaccard": row["jaccard"],
                "nogueira": {
                    "value": row["nogueira"],
                    "low": row["nogueira_low"],
                    "high": min(row["nogueira_high"], 1.0),
                },
                "verdict": row["stability_verdict"],
                "p": row["stability_p"],
            },
        )
        method["errors"].append(
            {
                "value": row["error"],
                "low": row["error_low"],
                "high": row["error_high"],
                "balanced": row["balanced_accuracy"],
                "verdict": row["error_verdict"],
                "p": row["error_p"],
            }
        )
    return [{"name": clean_name(name), "rows": list(rows.values())} for name, rows in found.items()]
