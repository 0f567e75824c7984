"""Figures of a wrapper: its path beside the honest one, and what each feature is worth."""

import math
from collections.abc import Callable

from .figures_committee import precision_figure
from .figures_dafs import time_figure
from .plot import (
    LEGEND,
    axis,
    colour,
    error_bars,
    layout,
    literal,
    names_axis,
    vertical_line,
)
from .text import counted, interval, is_number, number, signed

FEW = 6  # sizes up to which they stand at equal distances; of more, the first have more room
TICKS = (1, 2, 3, 4, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500)


def wrapper_figures(summary: dict) -> dict[str, dict]:
    """Return the figures of a search, of the class that it looks for, and of its features."""
    found = {
        **({} if summary["path"]["lone"] else {"path": path_figure(summary["path"])}),
        "losses": losses_figure(summary["panel"], summary["wrapper"]["measure"]),
        "time": time_figure(summary["time"]),
    }
    performance = summary["performance"]
    if performance is not None and summary["positive"] is not None:
        if any(m.get("precision_recall") for m in performance["methods"]):
            found["precision-recall"] = precision_figure(
                performance["methods"],
                summary["positive"],
                summary["wrapper"]["digits"],
                main="ensemble",
            )
    return found


def path_figure(path: dict) -> dict:
    """Fitness over sizes with its band, shuffled candidates, and both wrappers on unseen rows."""
    line, chosen = path["line"], path["chosen"]
    sizes = [point["size"] for part in ("line", "honest", "single") for point in path[part]]
    least, most = min(sizes), max([*sizes, chosen + 1 if path["refused"] else chosen])
    scale, reach = _scale(least, most)
    traces = [
        *_band(line),
        *_reference(path),
        *_unseen(path["single"], "single wrapper, unseen rows", ("ink-2", "dash", "square-open")),
        *_unseen(
            path["honest"],
            "ensemble wrapper, unseen rows",
            ("class-1", "solid", "diamond"),
            lambda size: reach(size, 0.3),  # so that the intervals of two lines stay apart
        ),
        _fitness(line, chosen),
    ]
    values = [value for trace in traces for value in trace["y"] if value is not None]
    ends = [p["low"] for p in (*path["honest"], *line) if is_number(p["low"])]
    low = min([*values, *ends])
    return {
        "alt": _alt(path),
        "data": traces,
        "layout": layout(
            420,
            xaxis=axis(title="features in the subset", showgrid=False, tickmode="array", **scale),
            yaxis=axis(title=path["measure"], range=[max(min(low - 0.04, 0.78), -0.02), 1.02]),
            shapes=[_taken(reach(chosen, -1), reach(chosen, 1))],
            showlegend=True,
            legend=LEGEND | {"traceorder": "reversed"},
        ),
    }


def _band(line: list[dict]) -> list[dict]:
    """The interval of the fitness, where two sizes or more have one."""
    known = [point for point in line if is_number(point["low"]) and is_number(point["high"])]
    if len(known) < 2:
        return []
    x = [point["size"] for point in known]
    return [
        {
            "type": "scatter",
            "mode": "lines",
            "x": x + x[::-1],
            "y": [p["high"] for p in known] + [p["low"] for p in reversed(known)],
            "fill": "toself",
            "fillcolor": colour("band"),
            "line": {"width": 0},
            "hoverinfo": "skip",
            "showlegend": False,
        }
    ]


def _fitness(line: list[dict], chosen: int) -> dict:
    """The fitness that the search saw, the size that was taken filled."""
    names = [f", {p['feature']}" if p["feature"] is not None and p["added"] else "" for p in line]
    trace = {
        "type": "scatter",
        "mode": "lines+markers",
        "name": "fitness in the search, flattered",
        "x": [point["size"] for point in line],
        "y": [round(point["fitness"], 4) for point in line],
        "line": {"color": colour("accent"), "width": 2.2},
        "marker": {
            "size": [13 if point["size"] == chosen else 7 for point in line],
            "color": [colour("accent" if p["size"] == chosen else "paper") for p in line],
            "line": {"color": colour("accent"), "width": 1.6},
            "opacity": 1,
        },
        "text": [
            literal(f"{interval(_estimate(point))}{name}")
            for point, name in zip(line, names, strict=True)
        ],
        "hovertemplate": "%{x} features: %{text}<extra>%{fullData.name}</extra>",
    }
    if len(line) == 1:  # which is no band
        trace["error_y"] = error_bars([_estimate(line[0])]) | {"color": colour("accent")}
    return trace


def _reference(path: dict) -> list[dict]:
    """What shuffled candidates reach at each step, that of the refused one included."""
    points = [(p["size"], p["reference"]) for p in path["line"] if is_number(p["reference"])]
    refused, traces = path["refused"], []
    if refused is not None:
        points.append((refused["size"], refused["reference"]))
        traces.append(
            {
                "type": "scatter",
                "mode": "markers",
                "name": "refused",
                "x": [refused["size"]],
                "y": [round(refused["fitness"], 4)],
                "marker": {
                    "symbol": "x-thin",
                    "size": 11,
                    "color": colour("accent"),
                    "line": {"color": colour("accent"), "width": 2.2},
                },
                "text": [literal(refused["feature"])],
                "hovertemplate": "refused: %{text}, %{y:.3f}<extra></extra>",
            }
        )
    if points:
        traces.append(
            {
                "type": "scatter",
                "mode": "lines+markers",
                "name": "best of shuffled candidates",
                "x": [size for size, _ in points],
                "y": [round(value, 4) for _, value in points],
                "line": {"color": colour("ink-2"), "width": 1.2, "dash": "dot"},
                "marker": {
                    "symbol": "line-ew-open",
                    "size": 14,
                    "color": colour("ink-2"),
                    "line": {"width": 2, "color": colour("ink-2")},
                },
                "hovertemplate": "shuffled, %{x}: %{y:.3f}<extra></extra>",
            }
        )
    return traces


def _scale(least: int, most: int) -> tuple[dict, Callable]:
    """The axis of the sizes, and where a place a little beside a size lies on it."""
    if most - least < FEW:
        sizes = list(range(least, most + 1))
        room = 0.1 * max(most - least, 1)
        scale = {"range": [least - room - 0.2, most + room + 0.2], "tickvals": sizes}
        return scale, lambda size, by: size + 0.025 * by * max(most - least, 2)
    room = 0.05 * math.log10(most / least)
    scale = {
        "type": "log",
        "range": [math.log10(least) - room, math.log10(most) + room],
        "tickvals": [tick for tick in TICKS if least <= tick <= most],
    }
    return scale, lambda size, by: size * (most / least) ** (0.025 * by)


def _taken(start: float, stop: float) -> dict:
    """A pale stripe behind the size that was taken."""
    return {
        "type": "rect",
        "x0": start,
        "x1": stop,
        "y0": 0,
        "y1": 1,
        "yref": "paper",
        "layer": "below",
        "fillcolor": colour("grid"),
        "line": {"width": 0},
    }


def _unseen(points: list[dict], name: str, style: tuple, aside=None) -> list[dict]:
    """Areas on unseen rows over sizes; with intervals where they have a place aside."""
    if not points:
        return []
    tone, dash, symbol = style
    trace = {
        "type": "scatter",
        "mode": "lines+markers",
        "name": name,
        "x": [aside(point["size"]) if aside else point["size"] for point in points],
        "y": [round(point["value"], 4) for point in points],
        "line": {"color": colour(tone), "width": 1.8, "dash": dash},
        "marker": {"symbol": symbol, "size": 8, "color": colour(tone)},
        "text": [
            f"{counted(p['size'], 'feature')}: {interval(p)} in {counted(p['n_folds'], 'fold')}"
            for p in points
        ],
        "hovertemplate": "%{text}<extra>%{fullData.name}</extra>",
    }
    if aside:
        trace["error_y"] = error_bars(points) | {"color": colour(tone), "thickness": 1.2}
    return [trace]


def _estimate(point: dict) -> dict:
    return {"value": point["fitness"], "low": point["low"], "high": point["high"]}


def _alt(path: dict) -> str:
    """The figure in words: both ends of the path, and the size that was taken."""
    line, honest = path["line"], {point["size"]: point for point in path["honest"]}
    told = [line[0], *([line[-1]] if len(line) > 1 else [])]
    said = [f"{p['size']}: {interval(_estimate(p))}" for p in told]
    parts = [f"{path['measure']} by the number of features; in the search {', '.join(said)}"]
    if path["at_chosen"] is not None:
        parts.append(f"taken {path['chosen']}: {number(path['at_chosen'])}")
    if path["chosen"] in honest:
        parts.append(f"on unseen rows with {path['chosen']}: {interval(honest[path['chosen']])}")
    if path["refused"] is not None:
        parts.append(
            f"refused with {path['refused']['size']}: {number(path['refused']['fitness'])}, "
            f"shuffled candidates {number(path['refused']['reference'])}"
        )
    return "; ".join(parts) + "."


def losses_figure(panel: list[dict], measure: str) -> dict:
    """Dots with intervals: what the panel loses without each of its features."""
    estimates = [feature["loss_estimate"] for feature in panel]
    yaxis, narrow = names_axis([feature["feature"] for feature in panel])
    rows = list(range(len(panel)))
    ends = [e[key] for e in estimates for key in ("value", "low", "high") if is_number(e[key])]
    room = 0.06 * max(max([*ends, 0.0]) - min([*ends, 0.0]), 0.05)
    told = (f"{f['feature']} {signed(f['loss'], 3)}" for f in panel[:10])
    return {
        "alt": f"Loss of {measure} without each feature of the panel: {'; '.join(told)}.",
        "data": [
            {
                "type": "scatter",
                "mode": "markers",
                "x": [e["value"] for e in estimates],
                "y": rows,
                "error_x": error_bars(estimates) | {"color": colour("accent")},
                "marker": {
                    "size": 10,
                    "color": [colour("accent" if f["missed"] else "paper") for f in panel],
                    "line": {"color": colour("accent"), "width": 1.8},
                },
                "text": [
                    literal(
                        f"{signed(e['value'], 3)} ({signed(e['low'], 3)} to {signed(e['high'], 3)})"
                    )
                    for e in estimates
                ],
                "hovertemplate": "%{text}<extra></extra>",
            }
        ],
        "layout": layout(
            max(26 * len(panel) + 70, 124),
            xaxis=axis(
                title=f"{measure} that the panel loses without it",
                range=[min([*ends, 0.0]) - room, max([*ends, 0.0]) + room],
            ),
            yaxis=yaxis,
            shapes=[vertical_line(0.0)],
        ),
        "narrow": {"yaxis.ticktext": narrow},
    }
