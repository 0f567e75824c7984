"""Figures of DAFS: scores against accuracy, the curve over panel sizes, and the time spent."""

from .plot import axis, colour, layout, literal, names_axis
from .text import count, figures, number, shorten

NEAR = 0.12  # accuracies whose labels would meet


def scores_figure(scores: dict, scoring: dict) -> dict:
    """Points of features: mean accuracy of their classifiers, and score; the panel filled."""
    traces = [
        _points(scores["others"], "circle-open", colour("ink-2"), 5, 0.55),
        _points(scores["panel"], "circle", colour("accent"), 9, 1),
    ]
    said = "no rank correlation can be told"
    if scoring["correlation"] is not None:
        said = f"their rank correlation is {number(scoring['correlation'])}"
    return {
        "alt": (
            f"Score against mean accuracy of the classifiers that use a feature, for "
            f"{count(scores['n_known'])} features; {said}. The panel has scores from "
            f"{figures(min(p['score'] for p in scores['panel']))} to "
            f"{figures(max(p['score'] for p in scores['panel']))}."
        ),
        "data": traces,
        "layout": layout(
            380,
            xaxis=axis(title="mean accuracy of the classifiers that use the feature"),
            yaxis=axis(title="score"),
        ),
    }


def _points(features: list[dict], symbol: str, tone: str, size: int, opacity: float) -> dict:
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [f["accuracy"] for f in features],
        "y": [f["score"] for f in features],
        "marker": {
            "symbol": symbol,
            "color": tone,
            "size": size,
            "opacity": opacity,
            "line": {"color": tone, "width": 1},
        },
        "customdata": [[literal(shorten(f["feature"], 80)), f["n_hits"]] for f in features],
        "hovertemplate": (
            "%{customdata[0]}<br>score %{y:.4f}, accuracy %{x:.3f}, "
            "in %{customdata[1]} subspaces<extra></extra>"
        ),
    }


def curve_figure(curve: dict, judged: str) -> dict:
    """Line of accuracy on the rows that judged, over sizes, with the honest figure across."""
    x = [point["n_features"] for point in curve["points"]]
    y = [point["accuracy"] for point in curve["points"]]
    chosen = curve["chosen"]
    line = {
        "type": "scatter",
        "mode": "lines+markers",
        "x": x,
        "y": y,
        "line": {"color": colour("accent"), "width": 2},
        "marker": {
            "size": [12 if g == chosen else 6 for g in x],
            "color": [colour("accent" if g == chosen else "paper") for g in x],
            "line": {"color": colour("accent"), "width": 1.5},
            "opacity": 1,
        },
        "hovertemplate": "best %{x}: %{y:.3f}<extra></extra>",
    }
    across = [("unseen rows", curve["honest"], "dash"), ("largest class", curve["largest"], "dot")]
    across = [(name, value, dash) for name, value, dash in across if value is not None]
    lines = [
        {
            "type": "scatter",
            "mode": "lines",
            "x": [0.5, x[-1] + 0.5],
            "y": [value, value],
            "line": {"color": colour("ink-2"), "width": 1.2, "dash": dash},
            "hoverinfo": "skip",
        }
        for _, value, dash in across
    ]
    names = {
        "type": "scatter",
        "mode": "text",
        "x": [x[-1] + 0.6] * len(across),
        "y": [value for _, value, _ in across],
        "text": [f" {name.replace(' ', '<br> ')} {number(value)}" for name, value, _ in across],
        "textposition": _apart([value for _, value, _ in across]),
        "textfont": {"size": 11, "color": colour("ink-2")},
        "cliponaxis": False,
        "hoverinfo": "skip",
    }
    lowest = min([*y, *(value for _, value, _ in across)])
    alt = f"Accuracy on {judged} with the best 1 to {x[-1]} features; {chosen} are taken"
    alt += "." if curve["accuracy"] is None else f", with {number(curve['accuracy'])}."
    if curve["honest"] is not None:
        alt += f" On unseen rows such a panel has {number(curve['honest'])}."
    return {
        "alt": alt,
        "data": [*lines, line, names],
        "layout": layout(
            300,
            margin={"l": 8, "r": 64, "t": 8, "b": 26},
            xaxis=axis(
                title="features taken, best first; filled: the number chosen",
                range=[0.4, x[-1] + 0.6],
                showgrid=False,
                dtick=1 if x[-1] <= 10 else 5,
            ),
            yaxis=axis(title="accuracy", range=[max(lowest - 0.08, -0.02), 1.03]),
        ),
    }


def _apart(values: list[float]) -> list[str]:
    """Where labels beside lines go, so that those of near lines do not meet."""
    if len(values) < 2 or abs(values[0] - values[1]) > NEAR:
        return ["middle right"] * len(values)
    return (
        ["top right", "bottom right"] if values[0] >= values[1] else ["bottom right", "top right"]
    )


def time_figure(time: dict) -> dict:
    """Bars of the seconds that each step took."""
    steps = time["steps"]
    yaxis, narrow = names_axis([step["step"] for step in steps])
    return {
        "alt": "Seconds spent: "
        + "; ".join(f"{s['step'].lower()} {figures(s['seconds'], 2)}" for s in steps)
        + ".",
        "data": [
            {
                "type": "bar",
                "orientation": "h",
                "x": [round(step["seconds"], 4) for step in steps],
                "y": list(range(len(steps))),
                "width": 0.62,
                "marker": {"color": colour("accent")},
                "text": [f"{figures(step['seconds'], 2)} s" for step in steps],
                "textposition": "outside",
                "textfont": {"color": colour("ink"), "size": 11},
                "cliponaxis": False,
                "hoverinfo": "skip",
            }
        ],
        "layout": layout(
            28 * len(steps) + 40,
            xaxis=axis(
                title="seconds",
                range=[0, 1.18 * max([step["seconds"] for step in steps] + [1e-3])],
            ),
            yaxis=yaxis,
        ),
        "narrow": {"yaxis.ticktext": narrow},
    }
