"""Packed columns side by side, and rows put below rows."""

from __future__ import annotations

import numpy as np

_WORD = 64


def put_below(words: np.ndarray, n_above: int, below: np.ndarray) -> None:
    """Put the rows of uint64[k, n_below_words] behind row `n_above` of uint64[k, n_words].

    The words in place hold their `n_above` rows and zeros behind them; both may be columns that
    are not next to each other in memory.
    """
    first, shift = divmod(n_above, _WORD)
    n_words = below.shape[1]
    if shift == 0:
        words[:, first : first + n_words] |= below
        return
    words[:, first : first + n_words] |= below << np.uint64(shift)
    # What a shift pushes out of a word belongs to the next one, unless all rows fit before it.
    n_carried = min(n_words, words.shape[1] - first - 1)
    words[:, first + 1 : first + 1 + n_carried] |= below[:, :n_carried] >> np.uint64(_WORD - shift)
