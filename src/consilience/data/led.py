"""The LED display of Breiman et al.: digits on seven segments, some of which are shown wrongly."""

from numbers import Integral, Real

import numpy as np

from ..exceptions import UsageError
from .table import Table

SEGMENTS = ("top", "upper_left", "upper_right", "middle", "lower_left", "lower_right", "bottom")
# Which segments are lit, in the order of SEGMENTS.
DIGITS = (
    "1110111", "0010010", "1011101", "1011011", "0111010",
    "1101011", "1101111", "1010010", "1111111", "1111011",
)  # fmt: skip


def make_led(
    n_samples: int = 300, *, n_noise: int = 0, noise: float = 0.1, random_state=None
) -> Table:
    """Make digits of a faulty display: each segment is inverted with some probability.

    Every segment matters, and none tells much alone; the best possible accuracy at a noise of 0.1
    is 0.74. With 17 features of pure noise this is the set LED24, or LED17 by its noise.

    Parameters
    ----------
    n_samples : int, default=300
        Number of digits shown, each drawn with the same probability.
    n_noise : int, default=0
        Binary features that have nothing to do with the digit; 17 in the well-known set.
    noise : float, default=0.1
        Probability, from 0 to 1, that a segment is inverted.
    random_state : int, numpy.random.Generator or None, default=None
        Seed; the same one gives the same data.

    Returns
    -------
    Table
        Nominal features of zeros and ones, the seven segments first; classes 0 to 9.

    See Also
    --------
    make_planted : made data with correlated blocks and interactions.

    References
    ----------
    Breiman, Friedman, Olshen, Stone: Classification and regression trees (1984), section 2.6.

    Examples
    --------
    >>> from consilience import make_led
    >>> make_led(500, n_noise=17, random_state=0)
    Table of 500 samples x 24 features, 10 classes
    >>> digits = make_led(4, noise=0, random_state=0)
    >>> digits.y
    array([8, 6, 5, 2])
    >>> digits.X[0]
    array([1, 1, 1, 1, 1, 1, 1], dtype=uint8)
    """
    for name, value in (("n_samples", n_samples), ("n_noise", n_noise)):
        if not isinstance(value, Integral) or isinstance(value, bool):
            raise UsageError(f"{name} is {value!r}; give a whole number.")
    if n_samples < 1 or n_noise < 0:
        raise UsageError(
            f"A display needs one sample or more and no negative number of noise features, and not "
            f"{n_samples} and {n_noise}."
        )
    if not isinstance(noise, Real) or not 0 <= noise <= 1:
        raise UsageError(f"The noise is a probability from 0 to 1, and not {noise!r}.")
    rng = np.random.default_rng(random_state)
    lit = np.array([[int(c) for c in row] for row in DIGITS], dtype=np.uint8)
    y = rng.integers(len(DIGITS), size=n_samples)
    wrong = rng.random((n_samples, len(SEGMENTS))) < noise
    X = np.hstack([lit[y] ^ wrong, rng.integers(2, size=(n_samples, n_noise), dtype=np.uint8)])
    names = [*SEGMENTS, *(f"noise_{k + 1}" for k in range(n_noise))]
    return Table(X, y, names, categorical_features=np.ones(len(names), dtype=bool), target="digit")
