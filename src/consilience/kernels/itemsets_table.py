"""Transactions as bitsets: bit t & 63 of word t >> 6 of an item says whether model t holds it."""

import numpy as np

from ._numba import jit, popcount


@jit
def pack_items(indices, indptr, label, bits):
    """Set the bits of uint64[n_items, n_words]; `label` is the item of a feature, -1 for none."""
    for t in range(indptr.size - 1):
        word = t >> 6
        bit = np.uint64(1) << np.uint64(t & 63)
        for k in range(indptr[t], indptr[t + 1]):
            item = label[indices[k]]
            if item >= 0:
                bits[item, word] |= bit


@jit
def turn(bits, by_row):
    """Set the bits of uint64[n_rows, n_item_words] from those of the items, uint64[., n_words]."""
    for item in range(bits.shape[0]):
        place = item >> 6
        bit = np.uint64(1) << np.uint64(item & 63)
        for w in range(bits.shape[1]):
            word = bits[item, w]
            while word != np.uint64(0):
                rest = word & (word - np.uint64(1))
                by_row[64 * w + popcount((word ^ rest) - np.uint64(1)), place] |= bit
                word = rest
