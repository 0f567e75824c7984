"""The last word of a packed column: which of its bits are rows, and that no others are set.

Counts and lists of rows are sized by the number of rows, so that a one behind the last row would
be written past the end of an array. Words in memory are therefore looked at when a `BitMatrix` is
made, those of a file when they are verified; and since a mapped file can be overwritten at any
time, whatever turns bits into row numbers leaves such ones out.
"""

from __future__ import annotations

import numpy as np


def last_rows(n_samples: int) -> np.uint64:
    """Mask of the rows in the last word of a column.

    Examples
    --------
    >>> from consilience.data.bits_tail import last_rows
    >>> bin(last_rows(67))
    '0b111'
    """
    return ~np.uint64(0) >> np.uint64(-n_samples & 63)


def past_the_end(words: np.ndarray, n_samples: int) -> int | None:
    """First column of uint64[n_features, n_words] with a one behind its last row, else None.

    Reads the last word of each column only.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.data.bits_tail import past_the_end
    >>> past_the_end(np.array([[0b011], [0b100]], dtype=np.uint64), 2)
    1
    """
    if n_samples & 63 == 0 or words.size == 0:
        return None
    last, wrong = words[:, -1], ~last_rows(n_samples)
    if not np.bitwise_or.reduce(last) & wrong:
        return None
    return int((last & wrong != 0).argmax())


def count_ones(words: np.ndarray, n_samples: int) -> np.ndarray:
    """Ones of each word of uint64[n_features, n_words], uint8, none of them behind the last row.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.data.bits_tail import count_ones
    >>> count_ones(np.array([[0b1011]], dtype=np.uint64), 3)
    array([[2]], dtype=uint8)
    """
    counts = np.bitwise_count(words)
    if counts.size and n_samples & 63:
        counts[:, -1] = np.bitwise_count(words[:, -1] & last_rows(n_samples))
    return counts
