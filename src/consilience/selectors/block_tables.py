"""Scores of the columns of a table in blocks, from their tables of values by classes.

Every block is scored by the code that scores a table in one piece, with what all blocks tell of the
table as a whole. Where rows are split, too, tables of counts are added up first.
"""

import numpy as np

from ..execution.parts import run_parts
from .base import Prepared
from .block_counts import count_weighted
from .columns import SortedColumns
from .table_scores import DISTINCT, MDL, Facts, score_tables
from .validation import are_whole

EQUAL_WIDTH = 1  # the code of the discretisation that needs the values themselves


def score_blocks(prepared: Prepared, weights, wanted, method, better_encoding: bool):
    """Scores of every feature under every weighting of the rows; see `score_tables`."""
    X = prepared.shared
    if X.is_tall:
        return _score_counts(prepared, weights, wanted, method, better_encoding)
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


def sorted_columns(view, keep_values: bool):
    """The columns of a block as the filters count them; sorted once."""
    if hasattr(view.data, "words"):
        return view.data
    return view.keep(
        "sorted", keep_values, lambda: SortedColumns.from_data(view.data, keep_values=keep_values)
    )


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


def _score_counts(prepared: Prepared, weights, wanted, method, better):
    """Counts of all row runs added up, then the formula."""
    from ..kernels.binary_filters import score_counted
    from ..kernels.entropy import x_log_x_table

    X, y, n_classes = prepared.shared, prepared.y, prepared.classes.size
    own = y == np.arange(n_classes)[:, None]
    masks = np.tile(own, (len(weights), 1))
    ones = count_weighted(X, masks, np.repeat(weights, n_classes, axis=0))
    ones = ones.reshape(len(weights), n_classes, X.shape[1])
    totals = np.stack([np.bincount(y, weights=w, minlength=n_classes) for w in weights])
    totals = totals.astype(np.int64)
    scores = np.empty((wanted.size, len(weights), X.shape[1]))
    varies = np.empty(scores.shape[1:], dtype=bool)
    score_counted(
        ones, prepared.nominal, totals, MDL if method[0] == MDL else DISTINCT, better, wanted,
        x_log_x_table(int(totals.sum(axis=1).max())), scores, varies,
    )  # fmt: skip
    return scores, varies
