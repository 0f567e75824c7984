"""What all figures share: labels, layout and the names of colours.

A figure is a plotly specification of plain dicts, `{"data", "layout", "alt"}`, with `"narrow"` for
layout keys that a phone needs otherwise. Colours are names of CSS variables, which the page
resolves, so that one specification serves light, dark and print.
"""

from .text import shorten

WIDE, NARROW = 26, 13  # letters of a feature's name beside an axis
MAX_COLOURED = 6  # more classes than this are told apart by their labels alone
# Under the plot, where it costs no width; names are no switches.
LEGEND = {
    "orientation": "h",
    "x": 0,
    "xanchor": "left",
    "y": -0.2,
    "yanchor": "top",
    "font": {"size": 11},
    "itemclick": False,
    "itemdoubleclick": False,
}
SYMBOLS = ("circle", "square", "diamond", "triangle-up", "x", "star")


def colour(name: str) -> str:
    """Name a colour of the page's style sheet."""
    return f"var(--{name})"


def literal(text: str) -> str:
    """Make a text that plotly shows as it is.

    Plotly reads a subset of HTML in every label (<b>, <a href>, <br>, entities), so a name from
    the data must not reach it raw.

    Examples
    --------
    >>> literal("<b>IL-2 & co")
    '&lt;b>IL-2 &amp; co'
    """
    return text.replace("&", "&amp;").replace("<", "&lt;")


def labels(names: list[str], width: int = WIDE) -> list[str]:
    """Shorten names for an axis and make them literal."""
    return [literal(shorten(name, width)) for name in names]


def class_colour(code: int, n_classes: int) -> str:
    """Colour of a class; one for all where there are too many to tell apart."""
    return colour(f"class-{code}" if n_classes <= MAX_COLOURED else "accent")


def axis(**settings) -> dict:
    """Return an axis in the page's manner: light grid, no zoom, no title of its own size."""
    if isinstance(settings.get("title"), str):
        settings["title"] = {"text": settings["title"], "font": {"size": 12}, "standoff": 10}
    return {
        "fixedrange": True,
        "zeroline": False,
        "showline": False,
        "ticks": "outside",  # unseen ticks keep the labels off the plot
        "ticklen": 5,
        "tickcolor": "rgba(0,0,0,0)",
        "tickangle": 0,
        "automargin": True,
        "gridcolor": colour("grid"),
        "tickfont": {"size": 11},
    } | settings


def names_axis(names: list[str], prefixes: list[str] | None = None, **settings) -> tuple:
    """Return a vertical axis with one name per row, first on top, and its narrow labels.

    Rows are numbers and names are only their labels: two long names may be shortened to the same
    text, and a name such as "1" or "2024-01-01" would be read as a value.
    """
    prefixes = prefixes or [""] * len(names)
    positions = list(range(len(names)))
    wide, narrow = (
        [prefix + label for prefix, label in zip(prefixes, labels(names, width), strict=True)]
        for width in (WIDE, NARROW)
    )
    full = axis(
        tickmode="array",
        tickvals=positions,
        ticktext=wide,
        range=[len(names) - 0.4, -0.6],
        showgrid=False,
    )
    return full | settings, narrow


def layout(height: int, **settings) -> dict:
    """Return the layout that all figures start from."""
    return {
        "height": height,
        "margin": {"l": 8, "r": 12, "t": 8, "b": 26},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"size": 12, "color": colour("ink-2")},
        "showlegend": False,
        "dragmode": False,
        "hovermode": "closest",
        "hoverlabel": {
            "bgcolor": colour("paper"),
            "bordercolor": colour("rule"),
            "font": {"color": colour("ink"), "size": 12},
            "namelength": -1,
        },
    } | settings


def sequential() -> list:
    """Colour scale from the page's ground to its strongest blue."""
    return [[k / 4, colour(f"seq-{k}")] for k in range(5)]


def diverging() -> list:
    """Colour scale from blue through the page's ground to orange."""
    return [[k / 4, colour(f"div-{k}")] for k in range(5)]


def colorbar(title: str, **settings) -> dict:
    """Return a flat colour bar under the plot, where it costs no width."""
    return {
        "title": {"text": title, "side": "top", "font": {"size": 11}},
        "orientation": "h",
        "thickness": 8,
        "len": 0.5,
        "lenmode": "fraction",
        "x": 1,
        "xanchor": "right",
        "y": 0,
        "yanchor": "top",
        "ypad": 26,
        "outlinewidth": 0,
        "tickfont": {"size": 11},
    } | settings


def vertical_line(x: float, dash: str = "dot") -> dict:
    """Return a reference line through the whole height."""
    return {
        "type": "line",
        "x0": x,
        "x1": x,
        "y0": 0,
        "y1": 1,
        "yref": "paper",
        "line": {"color": colour("ink-2"), "width": 1.2, "dash": dash},
    }


def error_bars(estimates: list[dict]) -> dict:
    """Return asymmetric error bars; an estimate without an interval gets none."""

    def reach(estimate, key, sign):
        if estimate["value"] is None or estimate.get(key) is None:
            return 0
        return sign * (estimate[key] - estimate["value"])

    return {
        "type": "data",
        "symmetric": False,
        "array": [reach(e, "high", 1) for e in estimates],
        "arrayminus": [reach(e, "low", -1) for e in estimates],
        "thickness": 1.6,
        "width": 5,
    }
