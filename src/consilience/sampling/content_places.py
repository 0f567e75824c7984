"""A random order among columns that depends on their content and a seed, never on where they stand.

Columns that are equally good are told apart by these keys: permuted columns then give the same
choice, another seed gives another one, and no key of a column that is not asked for is worked out.
"""

import numpy as np

from ..data.bits import BitMatrix


def content_places(bits: BitMatrix, seed: np.random.SeedSequence) -> np.ndarray:
    """A random number for the content of each packed column: the sum of one for each set row.

    Different columns share one with a probability of 2^-64; equal columns always do.

    Parameters
    ----------
    bits : BitMatrix of shape (n_samples, n_columns)
        The columns.
    seed : numpy.random.SeedSequence
        Another one gives another order.

    Returns
    -------
    uint64 array of shape (n_columns,)

    Examples
    --------
    >>> import numpy as np
    >>> from consilience import BitMatrix
    >>> from consilience.sampling.content_places import content_places
    >>> X = BitMatrix.from_array([[0, 1, 0], [1, 1, 1]])
    >>> a, b, c = content_places(X, np.random.SeedSequence(0))
    >>> a == c, a == b
    (np.True_, np.False_)
    """
    return add_places(bits, row_draws(seed, bits.shape[0]))


def row_draws(seed: np.random.SeedSequence, n_samples: int) -> np.ndarray:
    """The random number of each row, uint64[n_samples]."""
    whole = 2**64 - 1
    return np.random.default_rng(seed).integers(whole, size=n_samples, dtype=np.uint64)


def add_places(bits: BitMatrix, of_rows: np.ndarray) -> np.ndarray:
    """Sum, of each column, of the numbers of its set rows."""
    from ..kernels.content_keys import add_packed

    places = np.zeros(bits.shape[1], dtype=np.uint64)
    with np.errstate(over="ignore"):  # sums forget what overflows, which uncompiled code tells
        add_packed(bits.words, True, of_rows, places)
    return places


def index_draws(columns, seed: np.random.SeedSequence) -> np.ndarray:
    """A random number for the place of each column: an order among copies of the same content.

    Copies can be exchanged for each other, so that it does no harm to go by where they stand; but
    to take the first of them always would favour it over all seeds.

    Parameters
    ----------
    columns : int array of shape (n_columns,)
        Where they stand.
    seed : numpy.random.SeedSequence
        Another one gives another order.

    Returns
    -------
    uint64 array of shape (n_columns,)
        All different.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.sampling.content_places import index_draws
    >>> seeds = map(np.random.SeedSequence, range(1000))
    >>> first = [index_draws([3, 8], seed).argmin() for seed in seeds]
    >>> bool(450 < np.sum(first) < 550)  # either copy is first in about half of the seeds
    True
    """
    # The mixer of SplitMix64: every step can be undone, so that nothing falls together.
    start, step = seed.generate_state(2, np.uint64)
    with np.errstate(over="ignore"):
        bits = start + np.asarray(columns).astype(np.uint64) * (step | np.uint64(1))
        bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> np.uint64(31))
