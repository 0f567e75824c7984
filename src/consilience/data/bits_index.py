"""What may stand between the brackets of a BitMatrix, as in NumPy: turned into plain positions."""

from __future__ import annotations

import numpy as np


def split_key(key) -> tuple:
    """Row and column parts of what stands between the brackets."""
    parts = key if isinstance(key, tuple) else (key,)
    if any(part is Ellipsis for part in parts):
        named = tuple(part for part in parts if part is not Ellipsis)
        filler = (slice(None),) * (2 - len(named))
        parts = filler + named if parts[0] is Ellipsis else named + filler
    if len(parts) > 2:
        raise IndexError(f"A BitMatrix has 2 dimensions, and got {len(parts)} indices.")
    rows, columns = parts if len(parts) == 2 else (parts[0], slice(None))
    if not isinstance(rows, slice) and not isinstance(columns, slice):
        shapes = np.shape(rows), np.shape(columns)
        if len(shapes[0]) == 2 and len(shapes[1]) == 2:  # np.ix_: rows upright, columns lying
            rows, columns = np.ravel(rows), np.ravel(columns)
        elif len(shapes[0]) == 1 and len(shapes[1]) == 1:
            raise IndexError(
                "Two lists of indices would mean single cells; use X.take(rows, columns) for "
                "the block of these rows and columns."
            )
    return rows, columns


def is_single(index) -> bool:
    """Whether it is one number, and no list, mask or slice."""
    return not isinstance(index, slice) and np.ndim(index) == 0


def full_is_none(index):
    """Spare a copy: the full slice is None to `take`."""
    return None if isinstance(index, slice) and index == slice(None) else index


def positions(index, size: int, what: str):
    """Turn a mask or list into checked non-negative int64 positions; slices pass."""
    if isinstance(index, slice):
        return index
    index = np.asarray(index)
    if index.dtype == bool:
        if index.shape != (size,):
            raise IndexError(f"A mask of {index.size} {what}s does not fit {size} {what}s.")
        return np.flatnonzero(index)
    if index.ndim != 1 or (index.size and index.dtype.kind not in "iu"):
        raise IndexError(f"Index {what}s by whole numbers, a boolean mask or a slice.")
    index = index.astype(np.int64)  # a copy: the caller's array stays as it is
    outside = (index < -size) | (index >= size)
    if outside.any():
        raise IndexError(f"There are {size} {what}s, and {index[outside][0]} is none of them.")
    index[index < 0] += size
    return index
