"""Figures of the selections: how often each feature, by which models, together with which."""

from .plot import axis, colorbar, colour, layout, literal, names_axis, sequential, vertical_line
from .text import count, counted, number, shorten

ROW = 15  # pixels of height per feature


def frequency_figure(summary: dict) -> dict:
    """Bars of the most frequent features; filled ones are in the panel, open ones are not."""
    features = summary["frequent"][: summary["n_shown"]]
    # A mark before the name tells the panel apart where colours and fills cannot be seen.
    yaxis, narrow = names_axis(
        [f["feature"] for f in features], ["● " if f["selected"] else "" for f in features]
    )
    bars = {
        "type": "bar",
        "orientation": "h",
        "x": [round(f["frequency"], 4) for f in features],
        "y": list(range(len(features))),
        "width": 0.68,
        "marker": {
            "color": [colour("accent" if f["selected"] else "paper") for f in features],
            "line": {"color": colour("accent"), "width": 1.2},
        },
        "customdata": [
            [literal(shorten(f["feature"], 80)), "panel" if f["selected"] else "not in the panel"]
            for f in features
        ],
        "hovertemplate": "%{customdata[0]}<br>%{x:.2f}, %{customdata[1]}<extra></extra>",
    }
    chosen = [f for f in features if f["selected"]]
    others = [f for f in features if not f["selected"]]
    alt = (
        f"Bars of selection frequency for the {count(len(features))} most frequent features. "
        f"Features of the panel lie between {number(min(f['frequency'] for f in chosen))} and "
        f"{number(max(f['frequency'] for f in chosen))}"
        if chosen
        else "Bars of selection frequency."
    )
    if chosen and others:
        alt += f"; the most frequent of the others reaches {number(others[0]['frequency'])}"
    # Where blind choice would give next to nothing the line would only smudge the axis.
    blind, shuffled = summary["chance_frequency"], summary["shuffled_frequency"]
    lines = [vertical_line(blind)] if blind > 0.01 else []
    if shuffled is not None:
        lines.append(vertical_line(shuffled, "dash"))
        alt = f"{alt.rstrip('.')}. With shuffled classes features reach {number(shuffled)}"
    return {
        "alt": alt.rstrip(".") + ".",
        "data": [bars],
        "layout": layout(
            ROW * len(features) + 56,
            xaxis=axis(title="share of the models that select it", range=[0, 1.02]),
            yaxis=yaxis,
            shapes=lines,
        ),
        "narrow": {"yaxis.ticktext": narrow},
    }


def models_figure(summary: dict) -> dict:
    """Map of models by features: a dark cell where a model selected the feature."""
    features, models = summary["frequent"][: summary["n_shown"]], summary["models"]
    yaxis, narrow = names_axis(
        [f["feature"] for f in features], ["● " if f["selected"] else "" for f in features]
    )
    cells = {
        "type": "heatmap",
        "z": [[int(cell) for cell in row] for row in models["rows"]],
        "zmin": 0,
        "zmax": 1,
        "colorscale": [[0, colour("seq-0")], [1, colour("seq-4")]],
        "showscale": False,
        "ygap": 1,
        "xgap": 1 if models["n_shown"] <= 60 else 0,
        "x0": 1,
        # The row's label stands for its name: a text per cell would make the page heavy.
        "hovertemplate": "%{y}<br>model %{x} of the row: %{z}<extra></extra>",
    }
    return {
        "alt": (
            f"Map of {counted(models['n_shown'], 'model')} by the {count(len(features))} most "
            "frequent features, similar models side by side. Half of the models hold at least "
            f"{number(models['median_held'], 0)} features of the panel."
        ),
        "data": [cells],
        "layout": layout(
            ROW * len(features) + 44,
            xaxis=axis(
                title=f"{counted(models['n_shown'], 'model')}, similar ones side by side",
                showticklabels=False,
                showgrid=False,
            ),
            yaxis=yaxis | {"range": [len(features) - 0.5, -0.5]},
        ),
        "narrow": {"yaxis.ticktext": narrow},
    }


def coselection_figure(summary: dict) -> dict:
    """Matrix of the panel: the share of models that select both features."""
    matrix = summary["coselection"]["matrix"]
    names = [f["feature"] for f in summary["panel"][: len(matrix)]]
    numbers = [f"{k} " for k in range(1, len(names) + 1)]
    yaxis, narrow = names_axis(names, numbers)
    step = 1 if len(names) <= 12 else 5
    ticks = [k for k in range(1, len(names) + 1) if k == 1 or k % step == 0]
    cell = min(26, max(15, 560 // len(names)))
    return {
        "alt": (
            f"Matrix of the share of models that select both of two features, for "
            f"{count(len(names))} features of the panel; its diagonal is each one's frequency."
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
                "colorbar": colorbar("share of models", tickvals=[0, 0.5, 1]),
                "x0": 1,
                "hovertemplate": "%{y}<br>with number %{x}: %{z:.2f}<extra></extra>",
            }
        ],
        "layout": layout(
            cell * len(names) + 90,
            xaxis=axis(
                tickmode="array",
                tickvals=ticks,
                showgrid=False,
                side="top",
            ),
            yaxis=yaxis | {"range": [len(names) - 0.5, -0.5]},
            margin={"l": 8, "r": 12, "t": 26, "b": 60},
        ),
        "narrow": {"yaxis.ticktext": narrow},
    }
