"""Where the labels of points stand, so that none lies on another label or on a point."""

# Pixels: width of a letter, height of a line, half a mark, and what plotly leaves between.
LETTER, LINE, MARK, GAP = 6.6, 13.0, 6.0, 2.0
DOT = 6.0  # pixels across a dot that labels should keep off
# Widths of a plot, from a phone to a whole page: a place must be free in all, because the same
# figure is drawn in each. The height stays.
WIDTHS, HEIGHT = (230, 300, 420, 700, 980), 270
# Where a label stands beside its point: right (+1) or left (-1), above (+1) or below (-1).
PLACES = {
    "top center": (0, 1),
    "bottom center": (0, -1),
    "middle right": (1, 0),
    "middle left": (-1, 0),
    "top right": (1, 1),
    "top left": (-1, 1),
    "bottom right": (1, -1),
    "bottom left": (-1, -1),
}


def place_labels(points: list, texts: list[str], frame: dict, dots=()) -> list[str | None]:
    """Return where each label stands, as plotly names it; None where there is no room for it.

    Parameters
    ----------
    points : list of (float, float)
        The points, in the units of the axes.
    texts : list of str
        Their labels.
    frame : dict
        `x` and `y`, each with the ends of its axis.
    dots : sequence of (float, float), default=()
        What labels should keep off, too, where they can.

    Examples
    --------
    >>> from consilience.report.label_places import place_labels
    >>> frame = {"x": [0, 1], "y": [0, 1]}
    >>> place_labels([(0.5, 0.5), (0.5, 0.56)], ["8", "10"], frame)
    ['bottom center', 'top center']
    """
    scaled = [[_pixels(point, frame, width) for point in points] for width in WIDTHS]
    marks = [[_box(at, 2 * MARK, 2 * MARK, (0, 0)) for at in row] for row in scaled]
    small = [
        [_box(_pixels(dot, frame, width), DOT, DOT, (0, 0)) for dot in dots] for width in WIDTHS
    ]
    taken: list[list[tuple]] = [[] for _ in WIDTHS]
    found = []
    for k, text in enumerate(texts):
        free = [p for p in PLACES if _is_free(p, k, text, scaled, marks, taken)]
        place = min(free, key=lambda p, k=k, t=text: _hidden(scaled, k, t, p, small), default=None)
        found.append(place)
        if place is not None:
            for row, held in zip(scaled, taken, strict=True):
                held.append(_label(row[k], text, place))
    return found


def _is_free(place: str, k: int, text: str, scaled: list, marks: list, taken: list) -> bool:
    """Tell whether a label there lies on no other label and on no other mark, at any width."""
    for width, row, dots, held in zip(WIDTHS, scaled, marks, taken, strict=True):
        box = _label(row[k], text, place)
        if box[0] < 0 or box[1] > width or box[2] < 0 or box[3] > HEIGHT:
            return False
        others = [*dots[:k], *dots[k + 1 :], *held]
        if any(_overlap(box, other) for other in others):
            return False
    return True


def _hidden(scaled: list, k: int, text: str, place: str, small: list) -> int:
    """Return how many dots a label would lie on, over all widths."""
    return sum(
        _overlap(_label(row[k], text, place), dot)
        for row, dots in zip(scaled, small, strict=True)
        for dot in dots
    )


def _pixels(point: tuple, frame: dict, width: float) -> tuple[float, float]:
    return tuple(
        (value - frame[axis][0]) / (frame[axis][1] - frame[axis][0]) * length
        for value, axis, length in zip(point, "xy", (width, HEIGHT), strict=True)
    )


def _label(at: tuple, text: str, place: str) -> tuple:
    return _box(at, LETTER * len(text), LINE, PLACES[place])


def _box(at: tuple, width: float, height: float, side: tuple) -> tuple:
    """Return left, right, bottom and top of a box that stands beside a mark, or on it."""
    x = at[0] + side[0] * (MARK + GAP + width / 2)
    y = at[1] + side[1] * (MARK + GAP + height / 2)
    return x - width / 2, x + width / 2, y - height / 2, y + height / 2


def _overlap(one: tuple, two: tuple) -> bool:
    return one[0] < two[1] and two[0] < one[1] and one[2] < two[3] and two[2] < one[3]
