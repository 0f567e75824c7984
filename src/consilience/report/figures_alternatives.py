"""Figures of alternative panels: their errors, their likeness, and the map of the models."""

from .plot import (
    MAX_COLOURED,
    SYMBOLS,
    axis,
    colorbar,
    colour,
    error_bars,
    layout,
    names_axis,
    sequential,
    vertical_line,
)
from .text import count, interval, number


def alternatives_figures(found: dict) -> dict[str, dict]:
    """Return the figures of the section, keyed by their names.

    Parameters
    ----------
    found : dict
        What `alternatives` returns.
    """
    figures = {
        "alternatives-similarity": similarity_figure(found),
        "alternatives-map": map_figure(found),
    }
    if found["evaluation"] is not None:
        figures["alternatives-errors"] = errors_figure(found)
    return figures


def errors_figure(found: dict) -> dict:
    """Dots with intervals, a row per panel; the first is filled."""
    panels = [panel for panel in found["panels"] if panel["error"] is not None]
    names = [f"panel {panel['number']}" for panel in panels]
    estimates = [panel["error"] for panel in panels]
    plain = found["evaluation"]["plain"]
    if plain is not None:
        names.append("one selection")
        estimates.append(plain)
    yaxis, narrow = names_axis(names)
    traces = []
    for row, (name, estimate) in enumerate(zip(names, estimates, strict=True)):
        # A trace each: error bars take one colour per trace.
        tone = colour("accent" if row == 0 else "ink-2")
        single = name == "one selection"
        traces.append(
            {
                "type": "scatter",
                "mode": "markers",
                "x": [estimate["value"]],
                "y": [row],
                "error_x": error_bars([estimate]) | {"color": tone},
                "marker": {
                    "symbol": "circle" if row == 0 else "square-open" if single else "circle-open",
                    "size": 10,
                    "color": tone,
                    "line": {"color": tone, "width": 1.8},
                },
                "text": [interval(estimate)],
                "hovertemplate": "%{y}: %{text}<extra></extra>",
            }
        )
    highest = max(estimate["high"] for estimate in estimates)
    return {
        "alt": "Error on unseen rows: "
        + "; ".join(f"{n} {interval(e)}" for n, e in zip(names, estimates, strict=True))
        + ".",
        "data": traces,
        "layout": layout(
            24 * len(names) + 56,
            xaxis=axis(title="error on unseen rows", range=[-0.02, max(highest, 0.2) + 0.03]),
            yaxis=yaxis,
            shapes=[vertical_line(estimates[0]["value"])],
        ),
        "narrow": {"yaxis.ticktext": narrow},
    }


def similarity_figure(found: dict) -> dict:
    """Matrix of the panels: shared features over all features of two panels."""
    matrix = found["similarity"]
    names = [f"panel {k}" for k in range(1, len(matrix) + 1)]
    yaxis, narrow = names_axis(names)
    step = 1 if len(names) <= 12 else 5
    cell = min(30, max(12, 420 // len(names)))
    return {
        "alt": (
            f"Matrix of the similarity of {count(len(names))} panels; two different ones share on "
            f"average {number(found['mean_similarity'])} of their features."
        ),
        "data": [
            {
                "type": "heatmap",
                "z": matrix,
                "zmin": 0,
                "zmax": 1,
                "colorscale": sequential(),
                "xgap": 1,
                "ygap": 1,
                "colorbar": colorbar("similarity", tickvals=[0, 0.5, 1]),
                "x0": 1,
                "hovertemplate": "%{y} and panel %{x}: %{z:.2f}<extra></extra>",
            }
        ],
        "layout": layout(
            cell * len(names) + 90,
            xaxis=axis(
                tickmode="array",
                tickvals=[k for k in range(1, len(names) + 1) if k == 1 or k % step == 0],
                showgrid=False,
                side="top",
            ),
            yaxis=yaxis | {"range": [len(names) - 0.5, -0.5]},
            margin={"l": 8, "r": 12, "t": 26, "b": 60},
        ),
        "narrow": {"yaxis.ticktext": narrow},
    }


def map_figure(found: dict) -> dict:
    """Map of the models: a mark per model, by the panel that it is most like; panels numbered."""
    drawn = found["map"]
    traces = []
    for panel in found["panels"]:
        own = [k for k, cluster in enumerate(drawn["clusters"]) if cluster == panel["number"]]
        if not own:
            continue
        tone, symbol = mark(panel["number"] - 1)
        traces.append(
            {
                "type": "scatter",
                "mode": "markers",
                "x": [drawn["models"][k][0] for k in own],
                "y": [drawn["models"][k][1] for k in own],
                "customdata": [k * drawn["step"] + 1 for k in own],
                "marker": {"color": tone, "symbol": symbol, "size": 8, "opacity": 0.7},
                "hovertemplate": "model %{customdata}, most like panel "
                + f"{panel['number']}<extra></extra>",
            }
        )
    tones = [mark(panel["number"] - 1)[0] for panel in found["panels"]]
    traces.append(
        {
            "type": "scatter",
            "mode": "markers+text",
            "x": [place[0] for place in drawn["panels"]],
            "y": [place[1] for place in drawn["panels"]],
            "text": [str(panel["number"]) for panel in found["panels"]],
            "textposition": "middle center",
            "textfont": {"color": colour("ink"), "size": 12, "weight": 700},
            "customdata": [panel["n_models"] for panel in found["panels"]],
            "marker": {
                "color": colour("paper"),
                "size": 22,
                "line": {"color": tones, "width": 2.5},
            },
            "hovertemplate": "panel %{text}, nearest to %{customdata} models<extra></extra>",
        }
    )
    blank = {"showticklabels": False, "showgrid": False, "ticklen": 0}
    return {
        "alt": (
            f"Map of {count(drawn['n_models'])} models, near each other where they chose the "
            f"same features, with the {count(len(found['panels']))} panels on it. It shows "
            f"{number(drawn['explained'])} of the differences between the models. Models nearest "
            "to each panel: " + ", ".join(str(panel["n_models"]) for panel in found["panels"]) + "."
        ),
        "data": traces,
        "layout": layout(
            460,
            xaxis=axis(**blank),
            # The same scale both ways: distances are what the map is about.
            yaxis=axis(**blank, scaleanchor="x", scaleratio=1),
            margin={"l": 8, "r": 8, "t": 8, "b": 8},
        ),
    }


def mark(number: int) -> tuple[str, str]:
    """Colour and symbol of a panel's models: every pair of the two comes once before any repeats.

    Examples
    --------
    >>> mark(0), mark(7)
    (('var(--class-0)', 'circle'), ('var(--class-1)', 'diamond'))
    """
    turn = number // MAX_COLOURED
    shape = SYMBOLS[(number + turn) % len(SYMBOLS)]
    return colour(f"class-{number % MAX_COLOURED}"), shape
