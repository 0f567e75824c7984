"""The rounds of an elimination: how many features go each time."""

from numbers import Integral, Real

import numpy as np

from ..exceptions import UsageError


def round_sizes(step, n_features: int) -> np.ndarray:
    """How many features each round of an elimination starts with.

    Examples
    --------
    >>> from consilience.selectors.rounds import round_sizes
    >>> round_sizes(0.1, 22)[:5].tolist(), round_sizes(8, 22).tolist()
    ([22, 20, 18, 17, 16], [22, 14, 6])
    """
    if callable(step):
        count = step
    elif isinstance(step, Integral) and not isinstance(step, bool) and step >= 1:
        count = lambda remaining: step  # noqa: E731
    elif isinstance(step, Real) and not isinstance(step, bool) and 0 < step < 1:
        count = lambda remaining: max(1, int(step * remaining))  # noqa: E731
    else:
        raise UsageError(
            f"step is {step!r}; give a share between 0 and 1, a whole number of features, or a "
            "function of how many remain."
        )
    sizes, remaining = [], n_features
    while remaining > 0:
        sizes.append(remaining)
        going = count(remaining)
        if not isinstance(going, Integral) or going < 1:
            raise UsageError(
                f"step gave {going!r} for {remaining} remaining features; it must give a whole "
                "number, 1 or more."
            )
        remaining -= int(going)
    return np.array(sizes, dtype=np.int64)
