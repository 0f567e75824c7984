"""Scores of the columns of a table in blocks, from their tables of values by classes.

Every block is scored by the code that scores a table in one piece, with what all blocks tell of the
table as a whole. Where rows are split, too, tables of counts are added up first.
"""

import numpy as np

from ..execution.parts import run_parts
from .base import Prepared
from .block_cells import holds_bits
from .block_counts import count_weighted, refuse_fractions, refuse_heavy
from .columns import sorted_columns
from .table_scores import DISTINCT, MDL, Facts, class_totals, score_sorted, score_tables
from .validation import are_whole

MOST_COUNTS = 1 << 24  # of values of a tall table: more are counted in several scans
EXACT = 2.0**53  # beyond it, whole numbers are no longer told apart
EQUAL_WIDTH = 1  # the code of the discretisation that needs the values themselves


def score_blocks(prepared: Prepared, weights, wanted, method, better_encoding: bool):
    """Scores of every feature under every weighting of the rows; see `score_tables`."""
    X = prepared.shared
    if X.is_tall:
        score = _score_counts if holds_bits(X) else _score_values
        return score(prepared, weights, wanted, method, better_encoding)
    facts = table_facts(X, method)
    parts = run_parts(
        _score_part, X, prepared.y, prepared.classes.size, compact(weights), wanted, method,
        better_encoding, facts, own=[(prepared.nominal[run],) for run in X.runs()],
    )  # fmt: skip
    scores, varies = zip(*parts, strict=True)
    return np.concatenate(scores, axis=2), np.concatenate(varies, axis=1)


def table_facts(X, method) -> Facts:
    """What the blocks tell of the whole table."""
    if X.kind == "bits":
        return Facts(False, False)
    parts = run_parts(_look, X, method[0] == EQUAL_WIDTH)
    return Facts(any(part.missing for part in parts), any(part.listed for part in parts))


def compact(weights: np.ndarray) -> np.ndarray:
    """Weights in a byte each where that holds them: they travel to every worker."""
    if weights.size and weights.max() < 256 and are_whole(weights):
        return weights.astype(np.uint8)
    return weights


def _look(view, keep_values: bool) -> Facts:
    return Facts.of(sorted_columns(view, keep_values))


def _score_part(view, y, n_classes, weights, wanted, method, better, facts, nominal):
    data = sorted_columns(view, method[0] == EQUAL_WIDTH)
    prepared = Prepared(y, np.arange(n_classes), view.data.shape[1], nominal, data)
    weights = np.ascontiguousarray(weights, dtype=np.float64)
    return score_tables(prepared, weights, wanted, method, better_encoding=better, facts=facts)


def _score_values(prepared: Prepared, weights, wanted, method, better):
    """Tables of values by classes of all row runs added up, then scored as columns."""
    from .tall_values import count_tall, n_values

    if not are_whole(weights):
        refuse_fractions()
    if weights.sum(axis=1).max() > EXACT:
        refuse_heavy(weights.max())
    n_classes, totals = prepared.classes.size, None
    # Tables of so many samples at a time that those of all columns fit in memory.
    n_together = max(1, MOST_COUNTS // max(1, n_values(prepared.shared) * n_classes))
    parts = []
    for start in range(0, len(weights), n_together):
        some = slice(start, start + n_together)
        runs = list(count_tall(prepared.shared, prepared.y, n_classes, weights[some]))
        if totals is None:
            missing = any(np.isnan(counts.values).any() for _, counts in runs)
            totals, table = class_totals(prepared, weights, Facts(missing, listed=False))
        how = totals[some], wanted, table, method, better
        scored = [_score_run(prepared, run, counts, *how) for run, counts in runs]
        scores, varies = zip(*scored, strict=True)
        parts.append((np.concatenate(scores, axis=2), np.concatenate(varies, axis=1)))
    scores, varies = zip(*parts, strict=True)
    return np.concatenate(scores, axis=1), np.concatenate(varies, axis=0)


def _score_run(prepared: Prepared, run: slice, counts, totals, *how):
    """Scores of a run of columns by their tables of values."""
    from .tall_values import as_columns

    n_features = run.stop - run.start
    data, labels, copies = as_columns(counts, n_features)
    part = Prepared(labels, prepared.classes, n_features, prepared.nominal[run], data)
    return score_sorted(part, copies.astype(totals.dtype), totals, *how)


def _score_counts(prepared: Prepared, weights, wanted, method, better):
    """Counts of all row runs added up, then the formula."""
    from ..kernels.binary_filters import score_counted

    X, y, n_classes = prepared.shared, prepared.y, prepared.classes.size
    own = y == np.arange(n_classes)[:, None]
    masks = np.tile(own, (len(weights), 1))
    ones = count_weighted(X, masks, np.repeat(weights, n_classes, axis=0))
    ones = ones.reshape(len(weights), n_classes, X.shape[1])
    totals, table = class_totals(prepared, weights, Facts(missing=False, listed=False))
    ones = ones.astype(totals.dtype, copy=False)
    scores = np.empty((wanted.size, len(weights), X.shape[1]))
    varies = np.empty(scores.shape[1:], dtype=bool)
    score_counted(
        ones, prepared.nominal, totals, MDL if method[0] == MDL else DISTINCT, better, wanted,
        table, scores, varies,
    )  # fmt: skip
    return scores, varies
