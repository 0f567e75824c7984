"""Figures of a committee's rounds: which features were asked for, and how sure it was."""

from itertools import pairwise

from .plot import LEGEND, axis, colour, layout, literal, names_axis
from .text import count, number, shorten

FULL = 0.02  # room above 1


def asked_figure(asked: dict) -> dict:
    """A row per feature, a mark for each member that uses it; the panel's rows are strong."""
    rows = asked["rows"][: asked["n_shown"]]
    n_members = asked["n_members"]
    yaxis, narrow = names_axis([row["feature"] for row in rows])
    traces = []
    for selected, tone in ((False, "seq-2"), (True, "accent")):
        chosen = [(k, row) for k, row in enumerate(rows) if row["selected"] == selected]
        traces.append(
            {
                "type": "scatter",
                "mode": "markers",
                "x": [member for _, row in chosen for member in row["members"]],
                "y": [k for k, row in chosen for _ in row["members"]],
                "marker": {"symbol": "square", "size": 7, "color": colour(tone)},
                "text": [
                    literal(shorten(row["feature"], 80))
                    for _, row in chosen
                    for _ in row["members"]
                ],
                "hovertemplate": "%{text}: member %{x}<extra></extra>",
            }
        )
    totals = {
        "type": "scatter",
        "mode": "text",
        "x": [n_members + 0.7] * len(rows),
        "y": list(range(len(rows))),
        "text": [f" {count(row['n_members'])}" for row in rows],
        "textposition": "middle right",
        "textfont": {"size": 11, "color": colour("ink-2")},
        "cliponaxis": False,
        "hoverinfo": "skip",
    }
    most = rows[0]
    return {
        "alt": (
            f"Which of {count(n_members)} members use which of the {len(rows)} features asked for "
            f"most; the first, {most['feature']}, is used by {count(most['n_members'])}."
        ),
        "data": [*traces, totals],
        "layout": layout(
            17 * len(rows) + 60,
            margin={"l": 8, "r": 40, "t": 8, "b": 26},
            xaxis=axis(title="member", range=[0.3, n_members + 0.7], showgrid=False),
            yaxis=yaxis,
        ),
        "narrow": {"yaxis.ticktext": narrow},
    }


def new_figure(asked: dict) -> dict:
    """Bars of the features of each member that no member before it had."""
    new = asked["new"]
    return {
        "alt": f"Features of each member that are new: {count(new[0])} at first, "
        f"{count(new[-1])} in the last.",
        "data": [
            {
                "type": "bar",
                "x": list(range(1, len(new) + 1)),
                "y": new,
                "marker": {"color": colour("seq-2")},
                "hovertemplate": "member %{x}: %{y} new<extra></extra>",
            }
        ],
        "layout": layout(
            200,
            xaxis=axis(title="member", range=[0.3, len(new) + 0.7], showgrid=False),
            yaxis=axis(title="new features", rangemode="tozero"),
        ),
    }


def margins_figure(uncertainty: dict) -> dict:
    """Lines over the rounds: mean margin, and share of the rows within one vote."""
    x = uncertainty["members"]
    lines = [
        ("mean margin", uncertainty["margin"], "accent", "solid"),
        ("rows within one vote", uncertainty["unsure"], "plus", "dash"),
    ]
    lines = [line for line in lines if any(value is not None for value in line[1])]
    ends = ", ".join(f"{name} {number(y[-1])}" for name, y, _, _ in lines)
    return {
        "alt": f"How sure the committee is, over {len(x)} rounds; at the end {ends}.",
        "data": [
            {
                "type": "scatter",
                "mode": "lines",
                "name": name,
                "x": x,
                "y": [None if value is None else round(value, 4) for value in y],
                "line": {"color": colour(tone), "width": 2, "dash": dash},
                "hovertemplate": "after %{x}: %{y:.3f}<extra>%{fullData.name}</extra>",
            }
            for name, y, tone, dash in lines
        ],
        "layout": layout(
            280,
            xaxis=axis(title="members", showgrid=False),
            yaxis=axis(title="share", range=[-0.02, 1 + FULL]),
            showlegend=True,
            legend=LEGEND | {"y": -0.3},
        ),
    }


def votes_figure(uncertainty: dict) -> dict:
    """Bars of the training rows by margin at the end, as a share of all votes."""
    bars = uncertainty["bars"]
    widths = [b[0] - a[0] for a, b in pairwise(bars)]
    width = 0.9 * min(widths, default=0.1)
    return {
        "alt": f"Training rows by margin at the end, from {number(bars[0][0])} to "
        f"{number(bars[-1][0])} of the votes.",
        "data": [
            {
                "type": "bar",
                "x": [round(margin, 4) for margin, _ in bars],
                "y": [n for _, n in bars],
                "width": [width] * len(bars),
                "marker": {"color": colour("seq-2")},
                "hovertemplate": "margin %{x:.2f}: %{y} rows<extra></extra>",
            }
        ],
        "layout": layout(
            280,
            xaxis=axis(title="margin at the end, share of the votes", range=[-0.04, 1.04]),
            yaxis=axis(title="rows", rangemode="tozero"),
        ),
    }
