"""Values of the panel's features by class: quartiles, a few points, and a standardised map."""

import numpy as np

from ..data.discrete import is_binary
from ..measures.accuracy import wilson

WIDE_RANGE = 50  # largest over smallest value from which a logarithm shows more
MAX_PLOTS = 24
MAX_POINTS = 240  # of one feature, shared by its classes: a page of plots must stay quick
MAX_ROWS = 40
MAX_SAMPLES = 240


def log_columns(values: np.ndarray) -> np.ndarray:
    """Tell which columns a logarithm shows better, as a mask.

    Intensities span orders of magnitude. Where half of the columns do, every positive one is
    meant, so that neighbours can be compared; zeros and ones never are.

    Examples
    --------
    >>> log_columns(np.array([[1.0, 0.0, 2.0], [900.0, 1.0, 3.0]])).tolist()
    [True, False, True]
    """
    with np.errstate(invalid="ignore"):
        known = np.where(np.isnan(values).all(axis=0), 0.0, values)
        low, high = np.nanmin(known, axis=0), np.nanmax(known, axis=0)
        numeric = ~np.array([shows_bits(column) for column in known.T], dtype=bool)
        positive = numeric & (low > 0)
        wide = positive & (high >= WIDE_RANGE * low)
    return positive if 2 * wide.sum() >= max(numeric.sum(), 1) else np.zeros_like(positive)


def shows_bits(values: np.ndarray) -> bool:
    """Tell whether only zeros and ones, and at least one of them, are present in a column."""
    present = values[~np.isnan(values)]
    return present.size > 0 and is_binary(present[:, None])


def profile(values: np.ndarray, y_codes: np.ndarray, n_classes: int) -> dict:
    """Summarise one feature by class.

    Parameters
    ----------
    values : float array of shape (n_samples,)
        NaN marks a missing value.
    y_codes : int array of shape (n_samples,)
    n_classes : int

    Returns
    -------
    dict
        `kind` is "binary" or "numeric"; `groups` has one dict per class.

    Examples
    --------
    >>> profile(np.array([0.0, 1.0, 1.0]), np.array([0, 1, 1]), 2)["groups"][1]["share"]
    1.0
    """
    present = ~np.isnan(values)
    binary = shows_bits(values)
    groups = [values[present & (y_codes == code)] for code in range(n_classes)]
    return {
        "kind": "binary" if binary else "numeric",
        "missing": int((~present).sum()),
        "groups": [
            _ones(group) if binary else _spread(group, MAX_POINTS // n_classes) for group in groups
        ],
    }


def _ones(values: np.ndarray) -> dict:
    """Share of ones with its 95 % interval."""
    n = len(values)
    if n == 0:
        return {"n": 0, "ones": 0, "share": None, "low": None, "high": None}
    ones = int(values.sum())
    low, high = wilson(ones, n)
    return {
        "n": n,
        "ones": ones,
        "share": round(ones / n, 6),
        "low": round(float(low), 6),
        "high": round(float(high), 6),
    }


def _spread(values: np.ndarray, n_points: int) -> dict:
    """Quartiles and whiskers of all values (Tukey's rule), and some of the values to draw."""
    n = len(values)
    if n == 0:
        return {"n": 0, "box": None, "points": []}
    values = np.sort(values)
    low, middle, high = np.percentile(values, [25, 50, 75])
    reach = 1.5 * (high - low)
    inside = values[(values >= low - reach) & (values <= high + reach)]
    # Evenly spaced order statistics keep the shape and both extremes, the same in every run.
    points = values[np.linspace(0, n - 1, min(n, n_points)).round().astype(int)]
    return {
        "n": n,
        "box": [significant(v) for v in (inside[0], low, middle, high, inside[-1])],
        "points": [significant(v) for v in points],
    }


def significant(value: float, n_figures: int = 5) -> float:
    """Round to significant figures: a page needs no more, and JSON is shorter."""
    return float(f"{value:.{n_figures}g}")


def heat(values: np.ndarray, y_codes: np.ndarray, n_classes: int) -> dict:
    """Summarise a table as a map of features by samples, the samples grouped by class.

    Numeric columns are standardised and cut at three standard deviations; a table of only zeros
    and ones stays as it is. Inside a class, samples follow the pattern of the first feature and
    of those that go with it. Many samples are thinned evenly, class by class, small classes less.

    Examples
    --------
    >>> heat(np.array([[0.0], [1.0], [1.0]]), np.array([1, 0, 0]), 2)["rows"]
    [[1.0, 1.0, 0.0]]
    """
    values = values[:, :MAX_ROWS].astype(np.float64)
    binary = all(shows_bits(column) for column in values.T)
    mean = np.array([_finite(np.mean, column) for column in values.T])
    spread = np.array([_finite(np.std, column) for column in values.T])
    z = (values - mean) / np.where(spread > 0, spread, 1.0)
    filled = np.nan_to_num(z)
    pattern = filled @ (filled.T @ filled[:, 0]) if values.shape[1] else np.zeros(len(values))
    counts = np.bincount(y_codes, minlength=n_classes)
    rooms = counts
    if len(y_codes) > MAX_SAMPLES:
        rooms = np.minimum(counts, (MAX_SAMPLES * np.sqrt(counts) / np.sqrt(counts).sum()).round())
    columns, spans = [], []
    for code, room in enumerate(rooms.astype(int)):
        rows = np.flatnonzero(y_codes == code)
        rows = rows[np.argsort(-pattern[rows].round(9), kind="stable")]
        rows = rows[np.linspace(0, len(rows) - 1, room).round().astype(int)]
        spans.append(len(rows))
        columns.extend(rows.tolist())
    shown = values[columns] if binary else np.clip(z[columns], -3, 3)
    return {
        "kind": "binary" if binary else "standardised",
        "n_samples": len(y_codes),
        "n_shown": len(columns),
        "spans": spans,
        "rows": [
            [None if np.isnan(value) else round(float(value), 2) for value in column]
            for column in shown.T
        ],
    }


def _finite(function, column: np.ndarray) -> float:
    column = column[~np.isnan(column)]
    return float(function(column)) if len(column) else 0.0
