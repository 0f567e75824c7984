"""Figures of the evidence: stability against chance, other sizes, performance on unseen rows."""

from .plot import axis, colour, error_bars, layout, literal, names_axis, vertical_line
from .text import figures as significant
from .text import interval, is_number

# Key of a rival -> its symbol; that of the first method is filled, found without colour.
MARKS = {
    "plain": "square-open",
    "single": "square-open",
    "all": "diamond-open",
    "one": "diamond-open",
    "forest": "triangle-up-open",
    "majority": "x-thin",
}
SHORT = {
    "ensemble": "panel",
    "subspace": "random",
    "fss": "one, FSS",
    "one": "one, all",
    "plain": "one selection",
    "single": "single wrapper",
    "all": "all features",
    "majority": "largest class",
}
ROOMY = {
    "single wrapper panel": "single wrapper",
    "panel alone": "panel alone",
    "random features": "random features",
    "one classifier, all features": "one, all features",
}
QUANTITIES = {
    "average_precision": "Average precision",
    "error": "Error",
    "balanced_accuracy": "Balanced accuracy",
    "auc": "Area under the ROC curve",
    "fold_stability": "Stability over training sets",
}


def stability_figure(measures: list[dict]) -> dict:
    """Dots with intervals for each measure, a bar across where chance would put it."""
    yaxis, narrow = names_axis([m["label"] for m in measures])
    estimates = [m["estimate"] for m in measures]
    rows = list(range(len(measures)))
    dots = {
        "type": "scatter",
        "mode": "markers",
        "x": [e["value"] for e in estimates],
        "y": rows,
        "error_x": error_bars(estimates) | {"color": colour("accent")},
        "marker": {"color": colour("accent"), "size": 10},
        "text": [interval(e) for e in estimates],
        "hovertemplate": "%{y}: %{text}<extra></extra>",
    }
    chance = {
        "type": "scatter",
        "mode": "markers",
        "x": [m["chance"] for m in measures],
        "y": rows,
        "marker": {
            "symbol": "line-ns-open",
            "size": 18,
            "color": colour("ink-2"),
            "line": {"width": 2, "color": colour("ink-2")},
        },
        "hovertemplate": "chance: %{x:.3f}<extra></extra>",
    }
    lowest = min([0.0, *(e["low"] for e in estimates if e["low"] is not None)])
    return {
        "alt": "Stability by "
        + "; by ".join(
            f"{m['label']} {interval(m['estimate'])}, chance {significant(m['chance'], 2)}"
            for m in measures
        )
        + ".",
        "data": [chance, dots],
        "layout": layout(
            40 * len(measures) + 60,
            xaxis=axis(title="stability; upright stroke: chance", range=[lowest - 0.04, 1.04]),
            yaxis=yaxis,
        ),
        "narrow": {"yaxis.ticktext": narrow},
    }


def size_figure(sizes: list[dict], chosen: int) -> dict:
    """Line of stability over panel sizes with its interval as a band."""
    sizes = [s for s in sizes if is_number(s["stability"]["value"])]
    x = [s["n_features"] for s in sizes]
    value = [s["stability"]["value"] for s in sizes]
    low = [
        s["stability"]["low"] if s["stability"]["low"] is not None else v
        for s, v in zip(sizes, value, strict=True)
    ]
    high = [
        s["stability"]["high"] if s["stability"]["high"] is not None else v
        for s, v in zip(sizes, value, strict=True)
    ]
    band = {
        "type": "scatter",
        "mode": "lines",
        "x": x + x[::-1],
        "y": high + low[::-1],
        "fill": "toself",
        "fillcolor": colour("band"),
        "line": {"width": 0},
        "hoverinfo": "skip",
    }
    line = {
        "type": "scatter",
        "mode": "lines+markers",
        "x": x,
        "y": value,
        "line": {"color": colour("accent"), "width": 1.8},
        "marker": {
            "color": [colour("accent" if k == chosen else "paper") for k in x],
            "size": [11 if k == chosen else 7 for k in x],
            "line": {"color": colour("accent"), "width": 1.6},
            "opacity": 1,
        },
        "text": [interval(s["stability"]) for s in sizes],
        "hovertemplate": "%{x} features: %{text}<extra></extra>",
    }
    best = max(sizes, key=lambda s: s["stability"]["value"])
    return {
        "alt": (
            f"Stability over panel sizes from {x[0]} to {x[-1]} features, "
            f"highest at {best['n_features']}: {interval(best['stability'])}."
        ),
        "data": [band, line],
        "layout": layout(
            240,
            xaxis=axis(
                title="features in the panel; filled: the size chosen",
                type="log",
                tickmode="array",
                tickvals=x,
                showgrid=False,
            ),
            yaxis=axis(title="stability", range=[min(0.0, *low) - 0.02, 1.04]),
        ),
    }


def performance_figures(performance: dict) -> dict[str, dict]:
    """One small figure per quantity, a row per method: a dot with its interval."""
    found = {}
    for key, title in QUANTITIES.items():
        rows = [(m, _quantity(m, key)) for m in performance["methods"]]
        rows = [(m, e) for m, e in rows if e is not None and is_number(e["value"])]
        if rows:
            found[f"performance-{key.replace('_', '-')}"] = _dots(rows, title, key)
    return found


def _quantity(method: dict, key: str) -> dict | None:
    if key == "fold_stability":
        return method["stability"] and method["stability"]["nogueira"]
    return method.get(key)  # only committees have an average precision


def _dots(rows: list[tuple[dict, dict]], title: str, key: str) -> dict:
    # Where the table has these words, the figure has them, too, and is wide enough on a phone.
    whole = [ROOMY.get(method["label"]) for method, _ in rows]
    names = [
        words or SHORT.get(method["key"], method["label"])
        for words, (method, _) in zip(whole, rows, strict=True)
    ]
    estimates = [estimate for _, estimate in rows]
    yaxis, narrow = names_axis(names)
    narrow = [words or label for words, label in zip(whole, narrow, strict=True)]
    traces = []
    for row, (method, estimate) in enumerate(rows):
        # A trace each: error bars take one colour per trace.
        tone = colour("accent" if row == 0 else "ink-2")
        traces.append(
            {
                "type": "scatter",
                "mode": "markers",
                "x": [estimate["value"]],
                "y": [row],
                "error_x": error_bars([estimate]) | {"color": tone},
                "marker": {
                    "symbol": "circle" if row == 0 else MARKS.get(method["key"], "circle-open"),
                    "size": 10,
                    "color": tone,
                    "line": {"color": tone, "width": 1.8},
                },
                "text": [literal(interval(estimate))],
                "hovertemplate": "%{y}: %{text}<extra></extra>",
            }
        )
    return {
        "alt": f"{title}: "
        + "; ".join(f"{n} {interval(e)}" for n, e in zip(names, estimates, strict=True))
        + ".",
        "data": traces,
        "layout": layout(
            28 * len(rows) + 36,
            xaxis=axis(range=_range(estimates, key), nticks=6),
            yaxis=yaxis,
            shapes=[vertical_line(estimates[0]["value"])],
        ),
        "narrow": {"yaxis.ticktext": narrow},
    }


def _range(estimates: list[dict], key: str) -> list[float]:
    """From the best value there can be (errors 0, others 1) past the worst there is.

    Stability goes back to 0, which is chance, so that dots near 1 look near 1.
    """
    ends = [e[key] for e in estimates for key in ("value", "low", "high") if is_number(e.get(key))]
    if key == "error":
        return [-0.02, round(max(*ends, 0.2) + 0.03, 4)]
    return [round(min(*ends, 0.0 if key == "fold_stability" else 0.8) - 0.03, 4), 1.02]
