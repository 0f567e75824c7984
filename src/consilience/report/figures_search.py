"""Figures of a searched committee: its members' features, how it is joined, what was tuned."""

from .figures_committee import learning_figure
from .figures_dafs import time_figure
from .figures_generations import generation_figures
from .plot import (
    axis,
    colorbar,
    colour,
    error_bars,
    labels,
    layout,
    literal,
    names_axis,
    sequential,
    vertical_line,
)
from .text import count, counted, interval, is_number, number, shorten

ROW, LEAST = 17, 60  # pixels of height per feature, and for all, or an axis has no room
# Labels of the rules for a phone.
SHORT = {
    "static": "best alone",
    "weighted": "weighted",
    "dynamic_selection": "dyn. select.",
    "dynamic_voting": "dyn. voting",
    "dynamic_voting_selection": "dyn. vot+sel",
}
MAX_BARS = 40  # features in the figure of their use


def search_figures(summary: dict) -> dict[str, dict]:
    """Return the figures of members, generations, rules and features."""
    found = {
        "subsets": subsets_figure(summary["asked"], summary["members"]),
        "use": use_figure(summary["asked"], summary["chance"]),
        "time": time_figure(summary["time"]),
    }
    if summary["search"]:
        found |= generation_figures(summary["search"])
    if summary["integrations"]:
        found["rules"] = rules_figure(summary["integrations"]["rows"])
    if summary["tuning"]:
        found["tuned"] = tuned_figure(summary["tuning"])
    if summary["learning"]:
        found["learning-balanced"] = learning_figure(
            summary["learning"], "balanced_accuracy", "chance", "guessing"
        )
    return found


def subsets_figure(asked: dict, members: dict) -> dict:
    """A strip for each member: the features that it uses, those of the panel strong."""
    rows, shown = asked["rows"][: asked["n_shown"]], members["rows"]
    numbers = [row["member"] for row in shown]
    yaxis, narrow = names_axis([row["feature"] for row in rows])
    used = [set(row["members"]) for row in rows]
    cells = [
        [(2 if row["selected"] else 1) if k in held else 0 for k in numbers]
        for row, held in zip(rows, used, strict=True)
    ]
    step = max(1, len(numbers) // 12)
    totals = {
        "type": "scatter",
        "mode": "text",
        "x": [len(numbers) - 0.5] * len(rows),
        "y": list(range(len(rows))),
        "text": [f" {count(row['n_members'])}" for row in rows],
        "textposition": "middle right",
        "textfont": {"size": 11, "color": colour("ink-2")},
        "cliponaxis": False,
        "hoverinfo": "skip",
    }
    return {
        "alt": (
            f"Which of {counted(asked['n_members'], 'member')} use which of "
            f"{counted(len(rows), 'feature')}; the first, {rows[0]['feature']}, is used by "
            f"{count(rows[0]['n_members'])}."
        ),
        "data": [
            {
                "type": "heatmap",
                "z": cells,
                "zmin": 0,
                "zmax": 2,
                "colorscale": [[0, colour("seq-0")], [0.5, colour("seq-2")], [1, colour("accent")]],
                "showscale": False,
                "xgap": 2,
                "ygap": 2,
                "customdata": [
                    [
                        f"{literal(shorten(row['feature'], 80))}: member {k} "
                        + ("uses it" if k in held else "does not")
                        for k in numbers
                    ]
                    for row, held in zip(rows, used, strict=True)
                ],
                "hovertemplate": "%{customdata}<extra></extra>",
            },
            totals,
        ],
        "layout": layout(
            max(ROW * len(rows), LEAST) + 60,
            margin={"l": 8, "r": 34, "t": 8, "b": 26},
            xaxis=axis(
                title="member",
                tickmode="array",
                tickvals=list(range(0, len(numbers), step)),
                ticktext=[str(k) for k in numbers[::step]],
                range=[-0.5, len(numbers) - 0.5],
                showgrid=False,
            ),
            yaxis=yaxis,
        ),
        "narrow": {"yaxis.ticktext": narrow},
    }


def use_figure(asked: dict, chance: dict) -> dict:
    """Bars of the members that use each feature, the panel's filled; lines for blind draws."""
    rows, n_members = asked["rows"][:MAX_BARS], asked["n_members"]
    yaxis, narrow = names_axis(
        [row["feature"] for row in rows], ["● " if row["selected"] else "" for row in rows]
    )
    return {
        "alt": (
            f"Members that use each of {counted(len(rows), 'feature')}: {rows[0]['feature']} is "
            f"used by {count(rows[0]['n_members'])} of {count(n_members)}; drawn blindly, a "
            f"feature would be used by {number(chance['mean'], 1)}, and 19 of 20 by no more than "
            f"{count(chance['most'])}."
        ),
        "data": [
            {
                "type": "bar",
                "orientation": "h",
                "x": [row["n_members"] for row in rows],
                "y": list(range(len(rows))),
                "width": 0.68,
                "marker": {
                    "color": [colour("accent" if row["selected"] else "paper") for row in rows],
                    "line": {"color": colour("accent"), "width": 1.2},
                },
                "customdata": [literal(shorten(row["feature"], 80)) for row in rows],
                "hovertemplate": "%{customdata}: %{x} members<extra></extra>",
            }
        ],
        "layout": layout(
            max(ROW * len(rows), LEAST) + 56,
            xaxis=axis(
                title="members; dotted, dashed: blind draws",
                range=[0, 1.03 * n_members],
                nticks=min(n_members + 1, 8),
            ),
            yaxis=yaxis,
            shapes=[vertical_line(chance["mean"]), vertical_line(chance["most"], "dash")],
        ),
        "narrow": {"yaxis.ticktext": narrow},
    }


def rules_figure(rows: list[dict]) -> dict:
    """Dots with intervals: the error of each rule; the chosen one is filled."""
    yaxis, _ = names_axis([row["label"] for row in rows])
    yaxis["ticktext"] = [literal(row["label"]) for row in rows]  # there is room for them
    chosen = next((row for row in rows if row["chosen"]), None)
    traces = []
    for k, row in enumerate(rows):
        tone = colour("accent" if row["chosen"] else "ink-2")
        traces.append(
            {
                "type": "scatter",
                "mode": "markers",
                "x": [row["error"]["value"]],
                "y": [k],
                "error_x": error_bars([row["error"]]) | {"color": tone},
                "marker": {
                    "symbol": "circle" if row["chosen"] else "circle-open",
                    "size": 10,
                    "color": tone,
                    "line": {"color": tone, "width": 1.8},
                },
                "text": [interval(row["error"])],
                "hovertemplate": literal(row["label"]) + ": %{text}<extra></extra>",
            }
        )
    ends = [
        row["error"][key]
        for row in rows
        for key in ("value", "low", "high")
        if is_number(row["error"].get(key))
    ]
    room = max(0.08 * (max(ends) - min(ends)), 0.01)
    return {
        "alt": "Error on unseen rows by rule: "
        + "; ".join(
            f"{row['label']} {interval(row['error'])}{' (chosen)' if row['chosen'] else ''}"
            for row in rows
        )
        + ".",
        "data": traces,
        "layout": layout(
            30 * len(rows) + 46,
            xaxis=axis(
                title="error on unseen rows, lower is better",
                range=[max(min(ends) - room, -0.02), min(max(ends) + room, 1.02)],
                nticks=7,
            ),
            yaxis=yaxis,
            shapes=[vertical_line(chosen["error"]["value"])] if chosen else [],
        ),
        "narrow": {"yaxis.ticktext": [SHORT.get(row["rule"], row["rule"]) for row in rows]},
    }


def tuned_figure(tuning: dict) -> dict:
    """Cells of the accuracy by alpha and neighbours, or a line where one of them was given."""
    alphas, neighbours = tuning["alpha_labels"], [str(k) for k in tuning["neighbours"]]
    said = f"The highest is {number(tuning['best'], 3)}; chosen: {tuning['chosen']}."
    if len(alphas) > 1 and len(neighbours) > 1:
        return _grid(tuning, alphas, neighbours, said)
    many = alphas if len(alphas) > 1 else neighbours
    flat = [value for row in tuning["accuracy"] for value in row]
    name = "alpha" if len(alphas) > 1 else "neighbours"
    value = tuning["alpha"] if len(alphas) > 1 else tuning["n_neighbors"]
    known = tuning["alphas"] if len(alphas) > 1 else tuning["neighbours"]
    return {
        "alt": f"Accuracy on inner splits by {name}. {said}",
        "data": [
            {
                "type": "scatter",
                "mode": "lines+markers",
                "x": list(range(len(many))),
                "y": [None if v is None else round(v, 4) for v in flat],
                "line": {"color": colour("accent"), "width": 1.8},
                "marker": {
                    "color": [colour("accent" if k == value else "paper") for k in known],
                    "size": [11 if k == value else 7 for k in known],
                    "line": {"color": colour("accent"), "width": 1.6},
                    "opacity": 1,
                },
                "hovertemplate": "%{y:.3f}<extra></extra>",
            }
        ],
        "layout": layout(
            240,
            xaxis=axis(
                title=f"{name}; filled: the one chosen",
                tickmode="array",
                tickvals=list(range(len(many))),
                ticktext=labels(many),
                showgrid=False,
            ),
            yaxis=axis(title="accuracy", nticks=6),
        ),
    }


def _grid(tuning: dict, alphas: list[str], neighbours: list[str], said: str) -> dict:
    cells = tuning["accuracy"]
    known = [value for row in cells for value in row if value is not None]
    traces = [
        {
            "type": "heatmap",
            "z": [[None if v is None else round(v, 4) for v in row] for row in cells],
            "colorscale": sequential(),
            "zmin": min(known),
            "zmax": max(known),
            "xgap": 2,
            "ygap": 2,
            "customdata": [[[alpha, k] for k in neighbours] for alpha in alphas],
            "hovertemplate": "alpha %{customdata[0]}, %{customdata[1]} neighbours: %{z:.3f}"
            "<extra></extra>",
            "colorbar": colorbar("accuracy", len=0.3, nticks=4),
        }
    ]
    if tuning["alpha"] in tuning["alphas"] and tuning["n_neighbors"] in tuning["neighbours"]:
        traces.append(
            {
                "type": "scatter",
                "mode": "markers",
                "x": [tuning["neighbours"].index(tuning["n_neighbors"])],
                "y": [tuning["alphas"].index(tuning["alpha"])],
                "marker": {
                    "symbol": "circle",
                    "size": 12,
                    "color": colour("plus"),
                    "line": {"color": colour("paper"), "width": 2},
                },
                "hovertemplate": "chosen<extra></extra>",
            }
        )
    return {
        "alt": f"Accuracy on inner splits by alpha and number of neighbours. {said}",
        "data": traces,
        "layout": layout(
            36 * len(alphas) + 120,
            margin={"l": 8, "r": 12, "t": 8, "b": 80},
            xaxis=axis(
                title="neighbours",
                tickmode="array",
                tickvals=list(range(len(neighbours))),
                ticktext=neighbours,
                showgrid=False,
            ),
            yaxis=axis(
                title="alpha",
                tickmode="array",
                tickvals=list(range(len(alphas))),
                ticktext=alphas,
                showgrid=False,
            ),
        ),
    }
