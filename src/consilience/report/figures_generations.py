"""Figures of a search: generations in the plane of accuracy and diversity, and their fitness."""

from .label_places import place_labels
from .plot import axis, colorbar, colour, layout
from .text import counted, number

# From the second shade on: the first is that of the page.
SHADES = [[k / 3, colour(f"seq-{k + 1}")] for k in range(4)]


def generation_figures(search: dict) -> dict[str, dict]:
    """Return the planes, and the lines of fitness and size, as far as they are known."""
    found = {}
    if search["plane"]:
        frame = _frame(search)
        kinds = (("mean", "the population's mean"), ("best", "the fittest subset"))
        for key, name in kinds[1:] if search["alone"] else kinds:
            found[f"plane-{key}"] = plane_figure(search, key, name, frame)
    if search["fitness"]:
        found["fitness"] = fitness_figure(search)
    if search["sizes"]:
        found["sizes-searched"] = sizes_figure(search)
    return found


def plane_figure(search: dict, key: str, name: str, frame: dict) -> dict:
    """A path for each process over its generations, and the members as numbered marks."""
    drawn = _drawn(search)
    traces = [_path(process, key) for process in drawn]
    traces.append(
        {
            "type": "scatter",
            "mode": "markers",
            "x": [round(v, 4) for process in drawn for v in process[f"{key}_diversity"]],
            "y": [round(v, 4) for process in drawn for v in process[f"{key}_accuracy"]],
            "marker": {
                "size": 6,
                "color": [g for process in drawn for g in process["generation"]],
                "colorscale": SHADES,
                "cmin": 0,
                "cmax": max(search["n_generations"], 1),
                "colorbar": colorbar(search["unit"], len=0.4, nticks=4),
            },
            "customdata": [
                [process["number"], g] for process in drawn for g in process["generation"]
            ],
            "hovertemplate": f"search %{{customdata[0]}}, {search['unit']} %{{customdata[1]}}: "
            "accuracy %{y:.3f}, diversity %{x:.3f}<extra></extra>",
        }
    )
    traces.append(_members(search, frame, traces[-1]))
    (x_first, y_first), (x_last, y_last) = (
        (number(process[f"{key}_diversity"][at]), number(process[f"{key}_accuracy"][at]))
        for process, at in ((drawn[0], 0), (drawn[-1], -1))
    )
    return {
        "alt": (
            f"Accuracy and diversity of {name} over {search['n_generations']} {search['units']}: "
            f"from {y_first} and {x_first} to {y_last} and {x_last}. "
            f"{counted(len(search['members']), 'member')} marked."
        ),
        "data": traces,
        "layout": layout(
            390,
            margin={"l": 8, "r": 14, "t": 8, "b": 84},
            xaxis=axis(title="diversity", range=frame["x"], nticks=6),
            yaxis=axis(title="accuracy on validation rows", range=frame["y"], nticks=7),
        ),
    }


def fitness_figure(search: dict) -> dict:
    """Lines of fitness over the generations: a thin one for each search, a strong mean."""
    best, mean = (_average(search, f"{key}_fitness") for key in ("best", "mean"))
    worth = search["worth"]
    traces = [
        _line(process["generation"], process["best_fitness"], "seq-2", 1, "solid")
        for process in search["processes"]
        if len(search["processes"]) > 1
    ]
    generations = _longest(search)
    if not search["alone"]:
        traces.append(_line(generations, mean, "ink-2", 2, "dash", "population"))
    traces.append(_line(generations, best, "accent", 2.6, "solid", "fittest"))
    return {
        "alt": f"{worth[0].upper()}{worth[1:]} over the {search['units']}: the fittest from "
        f"{number(best[0])} to {number(best[-1])}, the population's mean from {number(mean[0])} to "
        f"{number(mean[-1])}.",
        "data": traces,
        "layout": layout(
            260,
            xaxis=_steps(search),
            yaxis=axis(title=worth, nticks=6),
        ),
    }


def sizes_figure(search: dict) -> dict:
    """Lines of the mean number of features of a subset over the generations."""
    mean = _average(search, "mean_size")
    traces = [
        _line(process["generation"], process["mean_size"], "seq-2", 1, "solid")
        for process in search["processes"]
        if len(search["processes"]) > 1
    ]
    traces.append(_line(_longest(search), mean, "accent", 2.6, "solid", "mean"))
    return {
        "alt": f"Mean number of features of a subset: from {number(mean[0], 1)} to "
        f"{number(mean[-1], 1)} over {search['n_generations']} {search['units']}.",
        "data": traces,
        "layout": layout(
            260,
            xaxis=_steps(search),
            yaxis=axis(title="features of a subset", nticks=6),
        ),
    }


def _drawn(search: dict) -> list[dict]:
    """Return the processes that have a place in the plane."""
    return search["processes"][1:] if search["lonely_first"] else search["processes"]


def _path(process: dict, key: str) -> dict:
    return {
        "type": "scatter",
        "mode": "lines",
        "x": [round(v, 4) for v in process[f"{key}_diversity"]],
        "y": [round(v, 4) for v in process[f"{key}_accuracy"]],
        "line": {"color": colour("grid"), "width": 1.4},
        "hoverinfo": "skip",
    }


def _members(search: dict, frame: dict, dots: dict) -> dict:
    """Marks of the members, with their numbers where there is room for them."""
    places: dict[tuple, list[int]] = {}  # members that lie on each other share a mark
    for m in search["members"]:
        at = round(m["diversity"], 4), round(m["accuracy"], 4)
        places.setdefault(at, []).append(m["member"])
    text = [_numbers(held) for held in places.values()]
    around = list(zip(dots["x"], dots["y"], strict=True))
    positions = place_labels(list(places), text, frame, around)
    return {
        "type": "scatter",
        "mode": "markers+text",
        "x": [x for x, _ in places],
        "y": [y for _, y in places],
        "text": [t if position else "" for t, position in zip(text, positions, strict=True)],
        "textposition": [position or "top center" for position in positions],
        "textfont": {"size": 11, "color": colour("ink")},
        "marker": {
            "symbol": "diamond",
            "size": 10,
            "color": colour("plus"),
            "line": {"color": colour("paper"), "width": 1.2},
        },
        "cliponaxis": False,
        "customdata": [
            f"member{'s' if len(held) > 1 else ''} {', '.join(map(str, held))}"
            for held in places.values()
        ],
        "hovertemplate": "%{customdata}: accuracy %{y:.3f}, diversity %{x:.3f}<extra></extra>",
    }


def _numbers(members: list[int]) -> str:
    """Return the numbers of the members at one place, or how many they are."""
    return ", ".join(map(str, members)) if len(members) <= 3 else f"{len(members)} members"


def _frame(search: dict) -> dict:
    """Return the same axes for both planes, with room for the numbers of the members."""
    drawn, members = _drawn(search), search["members"]
    x = [v for p in drawn for key in ("mean", "best") for v in p[f"{key}_diversity"]]
    y = [v for p in drawn for key in ("mean", "best") for v in p[f"{key}_accuracy"]]
    x += [m["diversity"] for m in members]
    y += [m["accuracy"] for m in members]
    found = {}
    for name, values in (("x", x), ("y", y)):
        room = max(0.08 * (max(values) - min(values)), 0.01)
        found[name] = [round(min(values) - room, 4), round(max(values) + 1.4 * room, 4)]
    return found


def _average(search: dict, key: str) -> list[float]:
    """Return the mean over the processes by generation; one that stopped stays as it was."""
    lists = [process[key] for process in search["processes"]]
    length = max(len(values) for values in lists)
    return [
        sum(values[min(k, len(values) - 1)] or 0.0 for values in lists) / len(lists)
        for k in range(length)
    ]


def _steps(search: dict) -> dict:
    """Return the axis of the generations, whole numbers throughout."""
    last = max(search["n_generations"], 1)
    step = {"dtick": 1} if last <= 6 else {"nticks": 6}
    return axis(title=search["unit"], showgrid=False, range=[0, last], **step)


def _longest(search: dict) -> list[int]:
    """Return the generations of the process that had most of them."""
    return max((process["generation"] for process in search["processes"]), key=len)


def _line(x, y, tone: str, width: float, dash: str, name: str = "") -> dict:
    return {
        "type": "scatter",
        "mode": "lines",
        "x": x,
        "y": [None if value is None else round(value, 4) for value in y],
        "line": {"color": colour(tone), "width": width, "dash": dash},
        "hovertemplate": f"{name or 'one search'}, %{{x}}: %{{y:.3f}}<extra></extra>",
    }
