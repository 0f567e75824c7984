"""Markov blankets in a table in blocks: gains where the blocks are, candidates brought here."""

from dataclasses import replace

import numpy as np

from ..data.block_matrix import BlockMatrix
from ..execution.parts import run_parts
from .base import Prepared
from .blankets import Columns, hold_columns, n_distinct
from .columns import sorted_columns


def block_columns(X: BlockMatrix, nominal, keep_values: bool) -> Columns:
    """What all samples share: the blocks, and which columns are not discretised."""
    if X.kind == "bits":
        return Columns(X, X, np.zeros(X.shape[1], dtype=bool))
    if X.is_tall:  # of zeros and ones
        return Columns(X, X, np.ones(X.shape[1], dtype=bool))
    few = np.concatenate(run_parts(_two_valued, X, keep_values))
    return Columns(X, X, nominal | few)


def at_hand(prepared: Prepared, columns, keep_values: bool) -> Prepared:
    """Some columns, brought here and numbered from 0."""
    X, nominal = prepared.shared.X, prepared.nominal[columns]
    held = hold_columns(X.take(columns=columns), nominal, keep_values)
    return replace(prepared, n_features=columns.size, nominal=nominal, shared=held)


def _two_valued(view, keep_values: bool):
    return n_distinct(sorted_columns(view, keep_values)) <= 2
