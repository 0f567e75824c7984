"""Noise for experiments: cells of a binary table reversed at random."""

import numpy as np
from scipy import sparse

from ..exceptions import UsageError
from .bits import BitMatrix

_DIGITS = 32  # of the probability: it is kept to 2**-33


def flip_cells(X, level: float, random_state=None) -> BitMatrix:
    """Reverse each cell of a binary table with the same probability.

    Fingerprints have few ones: at 1 % of ones, noise of 10 % leaves one true one for every eleven
    false ones. The answer is packed for that reason, whatever held the data.

    Parameters
    ----------
    X : array-like, sparse matrix or BitMatrix of shape (n_samples, n_features)
        Zeros and ones; it stays as it is.
    level : float
        Probability of each cell to be reversed, 0 to 1. At 1 all are.
    random_state : int, numpy.random.Generator or None, default=None
        Seed; the same one reverses the same cells, whichever storage holds them.

    Returns
    -------
    BitMatrix
        In memory.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience import flip_cells
    >>> noisy = flip_cells(np.zeros((1000, 500)), 0.1, random_state=0)
    >>> round(float(noisy.column_sums().mean()) / 1000, 2)
    0.1
    """
    from ..kernels.noise import flip_bits

    if not 0 <= level <= 1:
        raise UsageError(f"The level of noise is a probability, 0 to 1, and not {level!r}.")
    if not isinstance(X, BitMatrix):
        X = BitMatrix.from_sparse(X) if sparse.issparse(X) else BitMatrix.from_array(X)
    key = np.random.default_rng(random_state).integers(2**64, dtype=np.uint64)
    level, rest = (1 - level, True) if level > 0.5 else (level, False)  # 1 is exactly all
    share, digits = round(float(level) * 2**_DIGITS), _DIGITS
    while digits and not share & 1:  # one half has one digit, not 32
        share, digits = share >> 1, digits - 1
    flipped = np.empty(X.words.shape, dtype=np.uint64)
    flip_bits(X.words, share, digits, rest, X.shape[0], key, flipped)
    return BitMatrix(flipped, X.shape[0])
