"""Figures of the members of DAFS: how accurate and diverse, and which features they covered."""

import numpy as np

from ..sampling.subspace import reaching_subspaces
from .plot import axis, colour, layout
from .text import count, number

DASHES = {"mean": "dot", "vote": "dash"}
SHADES = ("seq-2", "seq-1", "seq-0")  # above the highest level, between it and the next, ...


def bars_figure(bars: list[list[float]], title: str, lines: dict[str, float]) -> dict:
    """Bars of how many members have which value; upright lines where some figures are."""
    most = max([n for _, _, n in bars] + [1])
    upright = [
        {
            "type": "scatter",
            "mode": "lines",
            "x": [value, value],
            "y": [0, 1.08 * most],
            "line": {"color": colour("ink"), "width": 1.4, "dash": DASHES[name]},
            "hovertemplate": f"{name} {number(value, 3)}<extra></extra>",
        }
        for name, value in lines.items()
        if value is not None
    ]
    named = [(name, value) for name, value in lines.items() if value is not None]
    labels = {
        "type": "scatter",
        "mode": "text",
        "x": [value for _, value in named],
        "y": [1.08 * most] * len(named),
        "text": [f"{name} {number(value)}" for name, value in named],
        "textposition": "top center",
        "textfont": {"size": 11, "color": colour("ink")},
        "cliponaxis": False,
        "hoverinfo": "skip",
    }
    ends = [e for x, width, _ in bars for e in (x - width / 2, x + width / 2)]
    ends += [value for _, value in named]
    # A single bar is no block: around it some room is left.
    room = max(0.04 * (max(ends) - min(ends)), (0.2 - max(ends) + min(ends)) / 2) if ends else 0.1
    said = ", ".join(f"{name} {number(value)}" for name, value in named)
    return {
        "alt": f"Bars of the members by {title}: {said}.",
        "data": [
            {
                "type": "bar",
                "x": [x for x, _, _ in bars],
                "y": [n for _, _, n in bars],
                "width": [0.92 * width for _, width, _ in bars],
                "marker": {"color": colour("seq-2")},
                "hovertemplate": "%{x:.3f}: %{y} members<extra></extra>",
            },
            *upright,
            labels,
        ],
        "layout": layout(
            240,
            xaxis=axis(
                title=title, showgrid=False, range=[min(ends) - room, max(ends) + room], nticks=6
            )
            if ends
            else axis(title=title),
            yaxis=axis(title="members", range=[0, 1.25 * most]),
        ),
    }


def coverage_figure(coverage: dict) -> dict:
    """Map of subspace size by number of subspaces: contours of coverage, and what was drawn."""
    n_features, size = coverage["n_features"], coverage["subspace_size"]
    n_subspaces = coverage["n_subspaces"]
    smallest = min(max(2, n_features // 400), size)
    largest = max(min(n_features - 1, n_features * 0.6), size)
    sizes = np.unique(np.geomspace(smallest, max(largest, smallest + 1), 60))
    curves = {
        q: [reaching_subspaces(n_features, m, q, coverage["sampling"]) for m in sizes]
        for q in coverage["levels"]
    }
    top = 1.6 * max(curves[max(curves)][0], n_subspaces)
    x = [round(float(m), 2) for m in sizes]
    traces = [_line(x, [round(top, 1)] * len(x), None)]
    for shade, (_, line) in zip(SHADES, sorted(curves.items(), reverse=True), strict=True):
        traces.append(_line(x, [round(float(v), 2) for v in line], shade))
    levels = sorted(curves)
    names = {
        "type": "scatter",
        "mode": "text",
        "x": [x[-1]] * len(levels),
        "y": [float(curves[q][-1]) for q in levels],
        "text": [f" {q:g}" for q in levels],
        "textposition": "middle right",
        "cliponaxis": False,
        "textfont": {"size": 11, "color": colour("ink")},
        "hoverinfo": "skip",
    }
    point = {
        "type": "scatter",
        "mode": "markers",
        "x": [size],
        "y": [n_subspaces],
        "marker": {
            "size": 13,
            "symbol": "diamond",
            "color": colour("plus"),
            "line": {"color": colour("paper"), "width": 2},
        },
        "hovertemplate": (
            f"drawn: {count(n_subspaces)} subspaces of {count(size)}, coverage "
            f"{coverage['expected']:.5f}<extra></extra>"
        ),
    }
    return {
        "alt": (
            f"Map of coverage over subspace size and number of subspaces. Drawn were "
            f"{count(n_subspaces)} subspaces of {count(size)} of {count(n_features)} features: "
            f"coverage {coverage['expected']:.5f}."
        ),
        "data": [*traces, names, point],
        "layout": layout(
            340,
            margin={"l": 8, "r": 48, "t": 8, "b": 26},
            xaxis=axis(
                title="features in a subspace",
                type="log",
                range=[float(np.log10(x[0])), float(np.log10(x[-1]))],
                **_ticks(x[0], x[-1]),
            ),
            yaxis=axis(
                title="subspaces",
                type="log",
                range=[0, float(np.log10(top))],
                **_ticks(1, top),
            ),
        ),
    }


def _line(x: list[float], y: list[float], shade: str | None) -> dict:
    """A contour; what is above it, up to the one before, in a shade."""
    trace = {
        "type": "scatter",
        "mode": "lines",
        "x": x,
        "y": y,
        "line": {"color": colour("accent"), "width": 1.2 if shade else 0},
        "hoverinfo": "skip",
    }
    if shade:
        trace |= {"fill": "tonexty", "fillcolor": colour(shade)}
    return trace


def _ticks(low: float, high: float) -> dict:
    """Whole powers of ten, and their doubles and halves where there are few of them."""
    steps = (1, 2, 5) if high / low < 100 else (1,)
    powers = range(int(np.floor(np.log10(low))), int(np.ceil(np.log10(high))) + 1)
    values = [s * 10.0**k for k in powers for s in steps]
    values = [v for v in values if low * 0.999 <= v <= high * 1.001]
    return {"tickmode": "array", "tickvals": values, "ticktext": [count(v) for v in values]}
