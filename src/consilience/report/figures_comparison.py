"""The figure of a comparison: mean error against mean stability, with the front."""

from .plot import axis, colour, layout, literal
from .text import number

COLOURS = 6  # of the page's style sheet; further selectors take the next symbols
SYMBOLS = ("circle", "square", "diamond", "triangle-up", "pentagon", "star")


def front_figure(judged: dict) -> dict:
    """One point per method, a colour per selector, hollow without resampling, and the front.

    Parameters
    ----------
    judged : dict
        "label" of the classifier, and "methods" with their means.
    """
    methods = judged["methods"]
    selectors = list(dict.fromkeys(method["selector"] for method in methods))
    front = sorted((m for m in methods if m["on_front"]), key=lambda m: (m["jaccard"], m["error"]))
    traces = [_staircase(front, methods)]
    for k, selector in enumerate(selectors):
        # The legend shows the first of them: a filled one.
        own = sorted((m for m in methods if m["selector"] == selector), key=lambda m: m["plain"])
        tone, symbol = colour(f"class-{k % COLOURS}"), SYMBOLS[(k // COLOURS) % len(SYMBOLS)]
        traces.append(
            {
                "type": "scatter",
                "mode": "markers",
                "name": literal(selector),
                "x": [m["jaccard"] for m in own],
                "y": [m["error"] for m in own],
                "marker": {
                    "symbol": [f"{symbol}-open" if m["plain"] else symbol for m in own],
                    "size": [13 if m["on_front"] else 9 for m in own],
                    "color": tone,
                    "line": {"color": tone, "width": 1.8},
                    "opacity": [1.0 if m["on_front"] or m["plain"] else 0.75 for m in own],
                },
                "text": [_hover(m) for m in own],
                "hovertemplate": "%{text}<extra></extra>",
            }
        )
    errors = [m["error"] for m in methods]
    stabilities = [m["jaccard"] for m in methods]
    pad_x, pad_y = _margin(stabilities), _margin(errors)
    return {
        "alt": (
            f"Mean error by {judged['label']} against mean stability of {len(methods)} methods. "
            "On the front: "
            + "; ".join(
                f"{m['selector']} with {m['aggregator']}, error {number(m['error'], 3)}, "
                f"stability {number(m['jaccard'])}"
                for m in front
            )
            + "."
        ),
        "data": traces,
        "layout": layout(
            440,
            xaxis=axis(
                title="stability over training sets (mean Jaccard); better to the right",
                range=[min(stabilities) - pad_x, max(stabilities) + pad_x],
            ),
            yaxis=axis(
                title="error on unseen rows; better below",
                range=[max(0.0, min(errors) - pad_y) - 0.1 * pad_y, max(errors) + pad_y],
            ),
            showlegend=True,
            legend={
                "orientation": "h",
                "x": 0,
                "y": 1.02,
                "yanchor": "bottom",
                "font": {"size": 11},
                "itemsizing": "constant",
                "itemclick": False,
                "itemdoubleclick": False,
            },
            annotations=_labels(front, stabilities),
            margin={"l": 8, "r": 16, "t": 8, "b": 40},
        ),
        "narrow": {
            "xaxis.title": {"text": "stability (mean Jaccard)", "font": {"size": 12}},
            "annotations.length": 0,  # names would lie on each other; touching a point tells its
        },
    }


def _staircase(front: list[dict], methods: list[dict]) -> dict:
    """The border of what any method reaches: steps, for a mixture of two panels is no method."""
    x, y = [], []
    if front:
        x, y = [min(m["jaccard"] for m in methods) - 1], [front[0]["error"]]
        for step, method in enumerate(front):
            if step:
                x.append(front[step - 1]["jaccard"])
                y.append(method["error"])
            x.append(method["jaccard"])
            y.append(method["error"])
        x.append(front[-1]["jaccard"])
        y.append(max(m["error"] for m in methods) + 1)
    return {
        "type": "scatter",
        "mode": "lines",
        "name": "front",
        "x": x,
        "y": y,
        "line": {"color": colour("ink-2"), "width": 1.4, "dash": "dot"},
        "hoverinfo": "skip",
    }


def _labels(front: list[dict], stabilities: list[float]) -> list[dict]:
    """Names of the methods on the front, beside their points and inside the plot."""
    middle = (min(stabilities) + max(stabilities)) / 2
    return [
        {
            "x": m["jaccard"],
            "y": m["error"],
            "text": literal("used once" if m["plain"] else m["aggregator"]),
            "showarrow": False,
            "xanchor": "right" if m["jaccard"] > middle else "left",
            "yanchor": "top",
            "xshift": -6 if m["jaccard"] > middle else 2,
            "yshift": -6,
            "font": {"size": 11, "color": colour("ink")},
        }
        for m in front
    ]


def _hover(method: dict) -> str:
    how = "used once" if method["plain"] else f"with {literal(method['aggregator'])}"
    return (
        f"<b>{literal(method['selector'])}</b> {how}<br>error {number(method['error'], 3)}, "
        f"stability {number(method['jaccard'], 3)}<br>points: error "
        f"{number(method['error_points'], 1)}, stability {number(method['stability_points'], 1)}"
    )


def _margin(values: list[float]) -> float:
    return max(0.08 * (max(values) - min(values)), 0.01)
