"""Figures of a committee beside its rivals: precision over recall, and what each round adds."""

from .figures_dafs import time_figure
from .figures_rounds import asked_figure, margins_figure, new_figure, votes_figure
from .plot import LEGEND, axis, colour, layout, literal
from .text import interval, number

# Method -> colour, dash and symbol, so that lines are told apart without colour, too.
STYLES = {
    "committee": ("accent", "solid", "circle"),
    "subspace": ("class-1", "dash", "square"),
    "fss": ("class-2", "dot", "diamond"),
    "efs": ("class-3", "dashdot", "triangle-up"),
    "eifs": ("class-4", "longdash", "x"),
    "ensemble": ("class-5", "longdashdot", "star"),
    "one": ("class-2", "dot", "diamond"),
    "forest": ("class-3", "dashdot", "triangle-up"),
    "single": ("class-1", "dash", "square"),
    "all": ("class-2", "dot", "diamond"),
}
FULL = 0.02  # room above 1


def committee_figures(summary: dict) -> dict[str, dict]:
    """Return the figures of rounds, rivals and features asked for."""
    found = {"asked": asked_figure(summary["asked"]), "time": time_figure(summary["time"])}
    if summary["asked"]["n_members"] > 1:
        found["new"] = new_figure(summary["asked"])
    if summary["uncertainty"] and not summary["uncertainty"]["flat"]:
        found["margins"] = margins_figure(summary["uncertainty"])
        if summary["uncertainty"]["bars"]:
            found["votes"] = votes_figure(summary["uncertainty"])
    if summary["performance"] is not None:
        if any(m.get("precision_recall") for m in summary["performance"]["methods"]):
            found["precision-recall"] = precision_figure(
                summary["performance"]["methods"],
                summary["positive"],
                summary["committee"]["digits"],
            )
    if summary["learning"]:
        digits = summary["committee"]["digits"]
        found["learning-precision"] = learning_figure(
            summary["learning"], "average_precision", "base_rate", "base rate", digits
        )
        found["learning-balanced"] = learning_figure(
            summary["learning"], "balanced_accuracy", "chance", "guessing"
        )
    return found


def precision_figure(
    methods: list[dict], positive: dict, digits: int = 2, main: str = "committee"
) -> dict:
    """Lines of precision over recall, a mark where each method's own answer lies, the base rate.

    `main` is the key of the method that the page is about.
    """
    drawn = [m for m in methods if m.get("precision_recall") and m["key"] in STYLES]
    traces = [_across(0, 1, positive["share"])]
    for told in reversed(drawn):  # the main one on top
        key = "committee" if told["key"] == main else told["key"]
        tone, _, symbol = STYLES[key]
        traces.append(
            {
                "type": "scatter",
                "mode": "lines",
                "name": literal(told["label"]),
                "x": [recall for recall, _ in told["precision_recall"]],
                "y": [round(precision, 4) for _, precision in told["precision_recall"]],
                "line": _line(key),
                "hovertemplate": "recall %{x:.2f}: precision %{y:.2f}<extra>%{fullData.name}"
                "</extra>",
                "showlegend": False,
            }
        )
        point = told.get("mean_point") or told["operating_point"]
        traces.append(
            {
                "type": "scatter",
                "mode": "lines+markers",
                "name": literal(told["label"]),
                "x": [point["recall"] if point["precision"] is not None else None],
                "y": [point["precision"]],
                "line": _line(key),
                "marker": {
                    "symbol": symbol,
                    "size": 12 if key == "committee" else 10,
                    "color": colour(tone),
                    "line": {"color": colour("paper"), "width": 1.2},
                },
                "hovertemplate": "predicted: recall %{x:.2f}, precision %{y:.2f}"
                "<extra>%{fullData.name}</extra>",
            }
        )
    said = "; ".join(
        f"{m['label']} average precision {interval(m['average_precision'], digits)}" for m in drawn
    )
    return {
        "alt": f"Precision over recall of the rarest class. {said}; base rate "
        f"{number(positive['share'], digits)}.",
        "data": traces,
        "layout": layout(
            430,
            margin={"l": 8, "r": 12, "t": 8, "b": 26},
            xaxis=axis(title="recall", range=[0, 1 + FULL], dtick=0.2),
            yaxis=axis(title="precision", range=[0, 1 + FULL], dtick=0.2),
            showlegend=True,
            legend=LEGEND | {"traceorder": "reversed"},
            annotations=[
                _label(0, positive["share"], f"base rate {number(positive['share'], digits)}")
            ],
        ),
    }


def learning_figure(learning: dict, key: str, base: str, base_name: str, digits: int = 2) -> dict:
    """Lines of a figure after each member; a method of one member goes across."""
    n_members = learning["n_members"]
    traces = [_across(1, n_members, learning[base])]
    values = [learning[base]]
    for told in reversed(learning["lines"]):
        y = told[key]
        x = list(range(1, len(y) + 1))
        if len(y) == 1:
            x, y = [1, n_members], [y[0], y[0]]
        values += [value for value in y if value is not None]
        traces.append(
            {
                "type": "scatter",
                "mode": "lines",
                "name": literal(told["label"]),
                "x": x,
                "y": [None if value is None else round(value, 4) for value in y],
                "line": _line(told["key"]),
                "hovertemplate": "after %{x}: %{y:.3f}<extra>%{fullData.name}</extra>",
            }
        )
    title = key.replace("_", " ")
    low, high = min(values), max(values)
    room = 0.08 * max(high - low, 0.1)
    last = ", ".join(
        f"{told['label']} {number(told[key][-1], digits)}" for told in learning["lines"]
    )
    return {
        "alt": f"{title.capitalize()} after each member; at the end {last}; "
        f"{base_name} {number(learning[base], digits)}.",
        "data": traces,
        "layout": layout(
            300,
            xaxis=axis(title="members", range=[1, max(n_members, 2)], showgrid=False),
            yaxis=axis(title=title, range=[max(low - room, -0.02), min(high + room, 1 + FULL)]),
            showlegend=len(learning["lines"]) > 1,
            legend=LEGEND | {"traceorder": "reversed", "y": -0.28},
            annotations=[
                _label(1, learning[base], f"{base_name} {number(learning[base], digits)}"),
            ],
        ),
    }


def _line(key: str) -> dict:
    tone, dash, _ = STYLES.get(key, ("ink-2", "dot", "circle"))
    return {"color": colour(tone), "width": 2.6 if key == "committee" else 1.7, "dash": dash}


def _across(start: float, stop: float, value: float) -> dict:
    """A dotted line across, for what guessing gives."""
    return {
        "type": "scatter",
        "mode": "lines",
        "x": [start, stop],
        "y": [value, value],
        "line": {"color": colour("ink-2"), "width": 1.2, "dash": "dot"},
        "hoverinfo": "skip",
        "showlegend": False,
    }


def _label(x: float, y: float, text: str) -> dict:
    """A word above the left end of a line."""
    return {
        "x": x,
        "y": y,
        "text": text,
        "showarrow": False,
        "xanchor": "left",
        "yanchor": "bottom",
        "font": {"size": 11, "color": colour("ink-2")},
    }
