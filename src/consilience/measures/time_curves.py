"""What a method has reached after so many seconds, and how long it takes to reach a target."""

import numpy as np

from ..exceptions import DataError


def average_curve(curves) -> tuple[np.ndarray, np.ndarray]:
    """Average some curves over time, such as those of the folds of a cross-validation.

    A method keeps its last figure until it has a new one, so that each curve is a flight of steps.
    The average starts when the last of them has its first figure, and steps whenever one does.

    Parameters
    ----------
    curves : sequence of pairs of arrays
        Of each curve the seconds, ascending, and the figures from then on.

    Returns
    -------
    seconds, figures : float arrays of shape (n_steps,)

    Examples
    --------
    >>> from consilience.measures.time_curves import average_curve
    >>> seconds, figures = average_curve([([1, 3], [0.5, 0.7]), ([2, 4], [0.7, 0.9])])
    >>> seconds, figures.round(2)
    (array([2., 3., 4.]), array([0.6, 0.7, 0.8]))
    """
    curves = [_checked(*curve) for curve in curves]
    if not curves:
        raise DataError("There is no curve to average; give at least one.")
    start = max(seconds[0] for seconds, _ in curves)
    times = np.unique(np.concatenate([seconds for seconds, _ in curves]))
    times = times[times >= start]
    steps = [
        figures[np.searchsorted(seconds, times, side="right") - 1] for seconds, figures in curves
    ]
    return times, np.mean(steps, axis=0)


def time_to_target(seconds, figures, target: float, *, stay: bool = False) -> float:
    """First time at which a curve reaches a target; inf where it never does.

    Parameters
    ----------
    seconds, figures : arrays of shape (n_steps,)
        The curve; larger figures are better.
    target : float
        What is to be reached; a hair below counts, since averages of equal numbers may differ in
        their last digits.
    stay : bool, default=False
        Whether the curve must not fall below the target any more. Otherwise a lucky step counts.

    Examples
    --------
    >>> from consilience.measures.time_curves import time_to_target
    >>> time_to_target([1, 2, 3, 4], [0.6, 0.9, 0.7, 0.9], 0.8)
    2.0
    >>> time_to_target([1, 2, 3, 4], [0.6, 0.9, 0.7, 0.9], 0.8, stay=True)
    4.0
    """
    seconds, figures = _checked(seconds, figures)
    there = figures >= target - 1e-12
    if stay:
        there = np.logical_and.accumulate(there[::-1])[::-1]
    return float(seconds[there.argmax()]) if there.any() else float("inf")


def _checked(seconds, figures):
    seconds, figures = np.asarray(seconds, dtype=float), np.asarray(figures, dtype=float)
    if seconds.ndim != 1 or seconds.shape != figures.shape or seconds.size == 0:
        raise DataError(
            f"A curve needs a figure for each of its times, and got {figures.size} figures for "
            f"{seconds.size} times."
        )
    if not (np.diff(seconds) >= 0).all():
        raise DataError("The times of a curve must ascend; sort them with their figures.")
    return seconds, figures
