"""Figures of the panel's values: a map of all samples, and one small plot per feature."""

import math

from .plot import (
    MAX_COLOURED,
    SYMBOLS,
    axis,
    class_colour,
    colorbar,
    colour,
    diverging,
    labels,
    layout,
    names_axis,
    sequential,
)
from .text import count, counted, interval, listing, number, shorten
from .text import figures as significant

GOLDEN = 0.6180339887498949  # multiples of it spread evenly: a jitter that is the same every time
ROW = 16


def heat_figure(profiles: dict) -> dict:
    """Map of features by samples, the samples grouped by class."""
    heat, classes = profiles["heat"], profiles["classes"]
    yaxis, narrow = names_axis(profiles["names"])
    n_rows = len(heat["rows"])
    standardised = heat["kind"] == "standardised"
    starts = [sum(heat["spans"][:k]) for k in range(len(classes))]
    middles = [start + (span - 1) / 2 for start, span in zip(starts, heat["spans"], strict=True)]
    cells = {
        "type": "heatmap",
        "z": heat["rows"],
        "zmin": -3 if standardised else 0,
        "zmax": 3 if standardised else 1,
        "colorscale": diverging() if standardised else [[0, colour("seq-0")], [1, colour("seq-4")]],
        "ygap": 1,
        "hoverongaps": False,
        "showscale": standardised,
        "hovertemplate": "%{y}: %{z}<extra></extra>",
    }
    if standardised:
        cells["colorbar"] = colorbar("standard deviations", tickvals=[-3, 0, 3])
    edges = [
        {
            "type": "line",
            "x0": start - 0.5,
            "x1": start - 0.5,
            "y0": 0,
            "y1": 1,
            "yref": "paper",
            "line": {"color": colour("ink"), "width": 1.4},
        }
        for start in starts[1:]
    ]
    widest = max(4, 60 // len(classes))
    return {
        "alt": (
            f"Map of {counted(n_rows, 'feature')} by {counted(heat['n_shown'], 'sample')}, "
            f"grouped by class: {listing([shorten(name, 40) for name in classes])}."
        ),
        "data": [cells],
        "layout": layout(
            ROW * n_rows + (100 if standardised else 44),
            xaxis=axis(
                tickmode="array",
                tickvals=middles,
                ticktext=labels(classes, widest),
                showgrid=False,
                side="top",
            ),
            yaxis=yaxis | {"range": [n_rows - 0.5, -0.5]},
            shapes=edges,
            margin={"l": 8, "r": 12, "t": 28, "b": 62 if standardised else 8},
        ),
        "narrow": {
            "yaxis.ticktext": narrow,
            "xaxis.ticktext": labels(classes, max(3, 28 // len(classes))),
        },
    }


def profile_figures(profiles: dict) -> dict[str, dict]:
    """One small figure per feature, keyed "profile-1", "profile-2" and so on."""
    draw = {"binary": _shares, "nominal": _categories, "numeric": _strip}
    return {
        f"profile-{k}": draw[feature["kind"]](feature, profiles["classes"])
        for k, feature in enumerate(profiles["features"], 1)
    }


def _strip(feature: dict, classes: list[str]) -> dict:
    """Box of all values and a strip of points, a row per class."""
    traces, described = [], []
    for code, group in enumerate(feature["groups"]):
        if group["box"] is None:
            continue
        tone = class_colour(code, len(classes))
        low, first, median, third, high = group["box"]
        traces.append(
            {
                "type": "box",
                "orientation": "h",
                "y": [code],
                "lowerfence": [low],
                "q1": [first],
                "median": [median],
                "q3": [third],
                "upperfence": [high],
                "width": 0.62,
                "line": {"color": tone, "width": 1.3},
                "fillcolor": "rgba(0,0,0,0)",
                "hoverinfo": "skip",
            }
        )
        traces.append(
            {
                "type": "scatter",
                "mode": "markers",
                "x": group["points"],
                "y": [
                    round(code + 0.5 * ((k * GOLDEN) % 1 - 0.5), 3)
                    for k in range(len(group["points"]))
                ],
                "marker": {
                    "color": tone,
                    "size": 4.5,
                    "opacity": 0.6,
                    "symbol": SYMBOLS[code if len(classes) <= MAX_COLOURED else 0],
                },
                "hovertemplate": "%{x}<extra></extra>",
            }
        )
        described.append(f"{shorten(classes[code], 40)} {significant(median)}")
    xaxis = axis(nticks=5)
    if feature["scale"] == "log":
        values = [x for group in feature["groups"] for x in group["points"]]
        xaxis |= log_ticks(min(values), max(values))
    return _small(feature, classes, traces, "medians: " + "; ".join(described), xaxis)


def log_ticks(low: float, high: float) -> dict:
    """Return a logarithmic axis with a tick at each power of ten, or more where few fall inside.

    Examples
    --------
    >>> log_ticks(20, 16000)["ticktext"]
    ['100', '1,000', '10,000']
    """
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    ticks = [10.0**k for k in range(first, last + 1) if low <= 10.0**k <= high]
    if len(ticks) < 2:
        steps = (f * 10.0**k for k in range(first, last + 1) for f in (1, 2, 5))
        ticks = [tick for tick in steps if low <= tick <= high]
    # Narrow plots have room for three labels or so.
    ticks = ticks[:: max(1, math.ceil(len(ticks) / 3))]
    return {
        "type": "log",
        "tickmode": "array",
        "tickvals": ticks,
        "ticktext": [f"{tick:,g}" for tick in ticks],
    }


def _shares(feature: dict, classes: list[str]) -> dict:
    """Share of ones with its interval, a row per class."""
    groups = feature["groups"]
    shares = [group["share"] for group in groups]
    bars = {
        "type": "bar",
        "orientation": "h",
        "x": shares,
        "y": list(range(len(groups))),
        "width": 0.62,
        "marker": {"color": [class_colour(code, len(classes)) for code in range(len(groups))]},
        "error_x": {
            "type": "data",
            "symmetric": False,
            "array": [(g["high"] - g["share"]) if g["n"] else 0 for g in groups],
            "arrayminus": [(g["share"] - g["low"]) if g["n"] else 0 for g in groups],
            "color": colour("ink"),
            "thickness": 1.3,
            "width": 4,
        },
        "text": [f"{count(g['ones'])} of {count(g['n'])}" for g in groups],
        "textposition": "none",
        "hovertemplate": "%{text}<extra></extra>",
    }
    described = "; ".join(
        f"{shorten(name, 40)} {interval({'value': g['share'], 'low': g['low'], 'high': g['high']})}"
        for name, g in zip(classes, groups, strict=True)
    )
    return _small(
        feature, classes, [bars], f"share of ones: {described}", axis(range=[0, 1.02], nticks=5)
    )


def _categories(feature: dict, classes: list[str]) -> dict:
    """Share of each category as a shaded cell, a row per class."""
    names, groups = feature["categories"], feature["groups"]
    cells = {
        "type": "heatmap",
        "z": [group["shares"] for group in groups],
        "zmin": 0,
        "zmax": 1,
        "colorscale": sequential(),
        "showscale": False,
        "xgap": 2,
        "ygap": 2,
        "hoverongaps": False,
        "texttemplate": "%{z:.2f}",
        "text": [labels(names, 40)] * len(groups),
        "hovertemplate": "%{text}: %{z:.2f}<extra></extra>",
    }
    described = "; ".join(
        f"{shorten(name, 40)} "
        + ", ".join(
            f"{shorten(category, 40)} {number(share)}"
            for category, share in zip(names, group["shares"], strict=True)
        )
        for name, group in zip(classes, groups, strict=True)
    )
    xaxis = axis(
        tickmode="array",
        tickvals=list(range(len(names))),
        ticktext=labels(names, max(5, 28 // max(len(names), 1))),
        showgrid=False,
    )
    return _small(feature, classes, [cells], f"share of each category: {described}", xaxis)


def _small(feature: dict, classes: list[str], traces: list, described: str, xaxis: dict) -> dict:
    yaxis, _ = names_axis(classes)
    yaxis |= {"ticktext": labels(classes, 12), "range": [len(classes) - 0.5, -0.5]}
    return {
        "alt": f"{shorten(feature['feature'], 80)}, {described}.",
        "data": traces,
        "layout": layout(30 * len(classes) + 38, xaxis=xaxis, yaxis=yaxis),
    }
