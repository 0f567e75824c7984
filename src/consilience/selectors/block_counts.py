"""Ones of the columns of a table in blocks, counted where the blocks are and added up."""

import numpy as np

from ..data.block_matrix import BlockMatrix
from ..data.discrete import as_discrete
from ..exceptions import DataError
from ..execution.parts import run_parts
from .validation import are_whole

MOST_COPIES = 1 << 20  # of a row: its weight is then counted bit by bit


def count_blocks(X: BlockMatrix, masks: np.ndarray) -> np.ndarray:
    """Ones of every column in the rows of each mask.

    Parameters
    ----------
    X : BlockMatrix of shape (n_samples, n_features)
        Zeros and ones.
    masks : bool array of shape (n_masks, n_samples)
        Choices of rows.

    Returns
    -------
    int32 array of shape (n_masks, n_features)

    Examples
    --------
    >>> import numpy as np
    >>> from consilience import BitMatrix, BlockMatrix
    >>> from consilience.selectors.block_counts import count_blocks
    >>> X = BlockMatrix.split(BitMatrix.from_array(np.eye(200)), n_columns=512, n_rows=64)
    >>> count_blocks(X, np.arange(200)[None] < 3)[0, :5]
    array([1, 1, 1, 0, 0], dtype=int32)
    """
    masks = np.atleast_2d(masks)
    if X.is_tall:
        own = [(np.packbits(part, axis=1),) for part in X.masks(masks)]
        parts = run_parts(_count, X, own=own, rows=False)
    else:
        parts = run_parts(_count, X, np.packbits(masks, axis=1))
    lines = [np.concatenate(line, axis=1) for line in X.lines(parts)]
    return np.sum(lines, axis=0, dtype=np.int32)


def count_weighted(X: BlockMatrix, masks: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The same with rows that count several times, int64[n_masks, n_features].

    A whole weight is a sum of powers of two: rows are counted once for each of its bits.

    Parameters
    ----------
    X, masks
        As in `count_blocks`.
    weights : float array of shape (n_masks, n_samples)
        How often each row counts in each mask.
    """
    if not are_whole(weights):
        refuse_fractions()
    if weights.max(initial=0) > MOST_COPIES:
        refuse_heavy(weights.max())
    copies = np.where(masks, weights, 0).astype(np.int64)
    bits = range(max(1, int(copies.max(initial=0)).bit_length()))
    planes = np.concatenate([(copies >> bit) & 1 for bit in bits]).astype(bool)
    used = planes.any(axis=1)
    counts = np.zeros((len(planes), X.shape[1]), dtype=np.int64)
    if used.any():
        counts[used] = count_blocks(X, planes[used])
    counts = counts.reshape(len(bits), len(masks), X.shape[1])
    return (counts << np.array(bits)[:, None, None]).sum(axis=0)


def refuse_fractions() -> None:
    """Say that rows in blocks count whole times."""
    raise DataError(
        "A table in blocks of rows is known by counts of rows, and the weights are no whole "
        "numbers; give numbers of copies, or split it by columns alone."
    )


def refuse_heavy(weight: float) -> None:
    """Say that rows in blocks count no more often than counts of them can tell."""
    raise DataError(
        f"Rows count {weight:g} times, which is too often for a table in blocks of rows, known by "
        "whole counts; divide the weights by a number, or split it by columns alone."
    )


def _count(view, packed: np.ndarray) -> np.ndarray:
    columns = view.keep("discrete", None, lambda: as_discrete(view.data))
    masks = np.unpackbits(packed, axis=1, count=columns.n_samples).astype(bool)
    return columns.counts(masks)
