"""Scores of features from their tables of values by classes: which kernel for which storage.

Every path gives the same numbers. They differ in what they share between the weightings of the
rows, and in how they read the data.
"""

from typing import NamedTuple

import numpy as np

from ..data.bits import BitMatrix
from ..data.block_matrix import BlockMatrix
from .base import Prepared
from .validation import are_whole

SCORES = ("information_gain", "symmetrical_uncertainty", "chi_square")
MDL, DISTINCT = 0, 3  # codes of the kernels

# Two-valued columns are scored in blocks of about this many results.
BLOCK_RESULTS = 1 << 20

# Weights that add up to more are not looked up: the table would outgrow the data.
LONGEST_TABLE = 1 << 20


class Facts(NamedTuple):
    """What decides which kernel serves: of the whole table, also where only a block is scored."""

    missing: bool  # whether a value is
    listed: bool  # whether columns list some of their rows only

    @classmethod
    def of(cls, data) -> "Facts":
        """Look at a BitMatrix or at SortedColumns."""
        if isinstance(data, BitMatrix):
            return cls(False, False)
        return cls(bool(data.n_known.sum() < data.rows.size), bool((data.zero_group >= 0).any()))


def score_tables(
    prepared: Prepared, weights, wanted, method, *, better_encoding: bool = True, facts=None
):
    """Scores of every feature under every weighting of the rows.

    Parameters
    ----------
    prepared : Prepared
        `shared` is a BitMatrix, SortedColumns, or a BlockMatrix.
    weights : float64 array of shape (n_models, n_samples)
        Row weights.
    wanted : int array
        Which of `SCORES`.
    method : tuple of int
        Codes of the discretisation, its bins and the rule for missing values.
    better_encoding : bool, default=True
        The MDL cost that WEKA's filters use; False gives that of its discretiser.
    facts : Facts, default=None
        Of the table that these columns are a block of; None looks at the columns.

    Returns
    -------
    scores : float64 array of shape (n_wanted, n_models, n_features)
    varies : bool array of shape (n_models, n_features)
        Whether the feature takes two values or more in the sample.
    """
    data = prepared.shared
    if isinstance(data, BlockMatrix):
        from .block_tables import score_blocks

        return score_blocks(prepared, weights, wanted, method, better_encoding)
    facts = Facts.of(data) if facts is None else facts
    totals, table = class_totals(prepared, weights, facts)
    weights = weights.astype(totals.dtype, copy=False)
    job = (prepared, weights, totals, wanted, table, method, better_encoding)
    if isinstance(data, BitMatrix):
        return _score_bits(*job)
    if not facts.listed and (found := _score_bootstraps(*job)) is not None:
        return found
    return score_sorted(*job)


def class_totals(prepared: Prepared, weights, facts: Facts) -> tuple[np.ndarray, np.ndarray]:
    """Sums of the weights in each class, int64 where counts stay whole, and a table of x log x."""
    from ..kernels.entropy import x_log_x_table

    y, n_classes = prepared.y, prepared.classes.size
    # Added up in the order of the rows, however many samples: sum(axis=1) does not promise it.
    totals = np.stack([np.bincount(y, weights=sample, minlength=n_classes) for sample in weights])
    heaviest = totals.sum(axis=1).max()
    longest = max(y.size, LONGEST_TABLE)
    table = x_log_x_table(int(min(heaviest, longest)))
    whole = heaviest <= longest and not facts.missing and are_whole(weights)
    return totals.astype(np.int64) if whole else totals, table  # look-ups serve whole counts


def _score_bits(prepared, weights, totals, wanted, table, method, better):
    """Packed columns: one pass over the words, or lists of their ones for many weightings."""
    from ..kernels.binary_filters import fill_pair_table
    from ..kernels.bit_filters import score_bits_two_classes
    from ..kernels.bits import list_bits

    data, y, n_features = prepared.shared, prepared.y, prepared.n_features
    once = weights.shape[0] == 1 and (weights == 1).all()
    if once and prepared.classes.size == 2 and not prepared.nominal.any():
        scores, varies = np.empty((3, n_features)), np.empty(n_features, dtype=bool)
        mask = BitMatrix.from_array((y == 1)[:, None]).words[0]
        discretize = MDL if method[0] == MDL else DISTINCT
        # Small enough to be filled and kept in the nearest cache; no more ones than rows.
        n_pairs = (min(64, int(totals[0, 0]) + 1), min(32, int(totals[0, 1]) + 1))
        pairs = np.empty((n_pairs[0] * n_pairs[1], 3))
        fill_pair_table(*n_pairs, totals[0].astype(np.int64), discretize, better, table, pairs)
        score_bits_two_classes(
            data.words, mask, y.size, int(totals[0, 1]), discretize, better, table, pairs, n_pairs,
            scores, varies,
        )  # fmt: skip
        kept = scores if wanted.size == len(SCORES) else scores[wanted]  # indexing copies
        return kept[:, None], varies[None]
    sums = data.column_sums()

    def ones_of(start, stop):
        indptr = np.concatenate([[0], np.cumsum(sums[start:stop])])
        rows = np.zeros(indptr[-1], dtype=np.int32)
        list_bits(data.words[start:stop], y.size, rows)
        return indptr, rows

    columns = np.arange(n_features)
    return _score_two_valued(
        prepared, columns, ones_of, weights, totals, wanted, table, method, better
    )


def _score_two_valued(prepared, columns, ones_of, weights, totals, wanted, table, method, better):
    """Columns of zeros and ones, listed by `ones_of(start, stop)` as (indptr, rows)."""
    from ..kernels.binary_filters import MAX_TABLE, fill_pair_table, score_binary

    n_models, n_classes = totals.shape
    discretize = MDL if method[0] == MDL else DISTINCT
    pairs, n_pairs = np.empty((0, 3)), (0, 0)
    same = weights.dtype.kind == "i" and (totals == totals[0]).all()
    if same and n_classes == 2 and n_models > 1 and not prepared.nominal[columns].any():
        # All ones of the rarer class, and as many of the other as the table has room for.
        n_pairs = [int(min(total + 1, 256)) for total in totals[0]]
        rarer = int(np.argmin(totals[0]))
        n_pairs[1 - rarer] = int(min(totals[0, 1 - rarer] + 1, MAX_TABLE // n_pairs[rarer]))
        n_pairs = tuple(n_pairs)
        pairs = np.empty((n_pairs[0] * n_pairs[1], 3))
        fill_pair_table(*n_pairs, totals[0], discretize, better, table, pairs)
    scores = np.empty((wanted.size, n_models, columns.size))
    varies = np.empty((n_models, columns.size), dtype=bool)
    by_row = np.ascontiguousarray(weights.T)
    step = max(1, BLOCK_RESULTS // n_models)
    for start in range(0, columns.size, step):
        stop = min(start + step, columns.size)
        indptr, rows = ones_of(start, stop)
        block = np.empty((wanted.size, stop - start, n_models))
        block_varies = np.empty((stop - start, n_models), dtype=bool)
        score_binary(
            indptr, rows, prepared.nominal[columns[start:stop]], prepared.y, by_row, totals,
            discretize, better, wanted, table, pairs, n_pairs, block, block_varies,
        )  # fmt: skip
        scores[:, :, start:stop] = block.swapaxes(1, 2)
        varies[:, start:stop] = block_varies.T
    return scores, varies


def _score_bootstraps(prepared, weights, totals, wanted, table, method, better):
    """MDL cuts of dense numeric columns for many bootstraps with the same class totals."""
    from ..kernels.bootstrap_filters import cut_tables, score_bootstraps, strides

    data, n_features = prepared.shared, prepared.n_features
    n_models, n_samples = weights.shape
    dense = data.rows.size == n_samples * n_features
    whole = weights.dtype.kind == "i"
    if method[0] != MDL or not (better and dense and whole) or n_models < 4:
        return None
    if prepared.nominal.any() or (totals != totals[0]).any() or totals.sum(axis=1).max() > 32_000:
        return None  # the kernel counts in 16 bits, twice as many bootstraps to a vector
    tables = cut_tables(totals[0])
    if tables is None:
        return None
    scores = np.empty((wanted.size, n_features, n_models))
    varies = np.empty((n_features, n_models), dtype=bool)
    log2 = np.log2(np.maximum(np.arange(n_samples + 1), 1))
    score_bootstraps(
        data.rows.reshape(n_features, n_samples), prepared.y, totals.shape[1],
        weights.T.astype(np.int16, order="C"), strides(totals[0]), tables, log2, wanted, table,
        scores, varies,
    )  # fmt: skip
    return np.ascontiguousarray(scores.swapaxes(1, 2)), np.ascontiguousarray(varies.T)


def score_sorted(prepared, weights, totals, wanted, table, method, better):
    """Sorted columns of any kind, those of zeros and one other value apart."""
    from ..kernels.column_filters import score_columns

    data = prepared.shared
    discretize, n_bins, missing = method
    scores = np.empty((wanted.size, weights.shape[0], prepared.n_features))
    varies = np.empty(scores.shape[1:], dtype=bool)
    two_valued = np.flatnonzero(data.two_valued)
    others = np.flatnonzero(~data.two_valued)
    if two_valued.size:
        chosen = data.take(two_valued)

        def ones_of(start, stop):
            indptr = chosen.indptr[start : stop + 1]
            return indptr - indptr[0], chosen.rows[indptr[0] : indptr[-1]]

        scores[:, :, two_valued], varies[:, two_valued] = _score_two_valued(
            prepared, two_valued, ones_of, weights, totals, wanted, table, method, better
        )
    if others.size:
        chosen = data.take(others) if two_valued.size else data
        part = np.empty((wanted.size, weights.shape[0], others.size))
        part_varies = np.empty(part.shape[1:], dtype=bool)
        score_columns(
            chosen.indptr, chosen.n_known, chosen.rows, chosen.values, chosen.zero_group,
            prepared.nominal[others], prepared.y, totals.shape[1], weights, totals, discretize,
            n_bins, better, missing, wanted, table, part, part_varies,
        )  # fmt: skip
        scores[:, :, others], varies[:, others] = part, part_varies
    return scores, varies
