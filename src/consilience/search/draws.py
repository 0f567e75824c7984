"""Random numbers of a search outside its kernels."""

import numpy as np

DIGITS = 32  # binary digits of a probability
GAMMA = np.uint64(0x9E3779B97F4A7C15)  # from one state of a counter to the next


def seed_word(seed) -> np.uint64:
    """A uint64 of a whole number, a SeedSequence or a Generator (which moves on)."""
    if isinstance(seed, np.random.SeedSequence):
        return seed.generate_state(1, np.uint64)[0]
    if isinstance(seed, np.random.Generator):
        return seed.integers(0, 2**64, dtype=np.uint64)
    return np.uint64(seed)


def random_words(seed, n: int) -> np.ndarray:
    """Random words uint64[n] of a seed, by counter (SplitMix64), to break ties by.

    They cost a microsecond, where a Generator takes fifteen to make.
    """
    return _scatter(np.uint64(seed) + np.arange(1, n + 1, dtype=np.uint64) * GAMMA)


def random_numbers(seed, n: int, length: int) -> np.ndarray:
    """Random numbers in [0, 1), float64[n, length]: a row is a stream of `kernels.genetic`."""
    states = _scatter(np.uint64(seed) + random_words(0, n))
    words = _scatter(states[:, None] + np.arange(1, length + 1, dtype=np.uint64) * GAMMA)
    return (words >> np.uint64(11)) * 2.0**-53


def _scatter(words: np.ndarray) -> np.ndarray:
    """Turn states of counters into random words (the finaliser of SplitMix64)."""
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))


def binary_digits(probability: float) -> tuple[int, int]:
    """Level and number of binary digits of a probability: level / 2**digits, in lowest terms.

    Examples
    --------
    >>> from consilience.search.draws import binary_digits
    >>> binary_digits(0.75), binary_digits(1.0), binary_digits(0.0)
    ((3, 2), (1, 0), (0, 0))
    """
    level, n_digits = round(probability * 2**DIGITS), DIGITS
    while n_digits and not level & 1:
        level, n_digits = level >> 1, n_digits - 1
    return level, n_digits
