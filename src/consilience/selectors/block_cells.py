"""Cells of a table in blocks that cannot be used, found where the blocks are."""

from itertools import product

import numpy as np

from ..data.blocks import some_rows
from ..data.discrete import first_other_value
from ..data.refusals import first_not_finite, refuse_cell
from ..exceptions import DataError
from ..execution.parts import run_parts
from .tall_values import distinct
from .value_groups import MOST_VALUES, values_of


def check_blocks(X, estimator, allow_missing: bool) -> None:
    """Refuse infinite values, and NaN unless it means "missing".

    Parameters
    ----------
    X : BlockMatrix
        The table.
    estimator : estimator
        Who cannot use them; its `feature_names_in_` are the names of the columns, if there are any.
    allow_missing : bool
        Whether NaN is meant as "missing".
    """
    if X.kind == "bits":
        return
    own = None
    if X.is_tall and X.rows is not None:
        own = [(mask[0],) for mask in X.masks(np.ones((1, X.shape[0]), dtype=bool))]
    looked = run_parts(_not_finite, X, allow_missing, own=own, rows=not X.is_tall)
    for (above, before), found in zip(_corners(X), looked, strict=True):
        if found is not None:
            row, column, value = found
            row += above
            if own is not None:  # a row of the blocks: which of those that X has?
                row = int(np.flatnonzero(X.rows == row)[0])
            names = getattr(estimator, "feature_names_in_", None)
            refuse_cell(row, before + column, value, type(estimator).__name__, names)


def check_tall(X, estimator, counts_values: bool) -> None:
    """Refuse a table in blocks of rows of which counts do not tell all that a method needs.

    Parameters
    ----------
    X : BlockMatrix
        The table; all of its rows are looked at, whichever were taken.
    estimator : estimator
        Its `feature_names_in_` are the names of the columns, if there are any.
    counts_values : bool
        Whether other values than 0 and 1 are counted, too, as long as these are few.
    """
    if X.kind == "bits" or not X.is_tall:
        return
    names = getattr(estimator, "feature_names_in_", None)
    if counts_values:
        _refuse_many_values(X, names)
        return
    for (above, before), found in zip(
        _corners(X), run_parts(other_value, X, rows=False), strict=True
    ):
        if found is not None:
            row, column, value = found
            raise DataError(
                f"Column {_name(before + column, names)!r} holds {value:g} in row {above + row}, "
                f"and {type(estimator).__name__} needs 0 and 1 alone of a table in blocks of rows; "
                "split it by columns alone."
            )


def _refuse_many_values(X, names) -> None:
    """Refuse a tall table of which a column has more values than a table of counts has room for.

    And whole numbers that are too large to be told apart as the values of such a table.
    """
    lines = X.lines(run_parts(values_of, X, rows=False))
    for start, *of_run in zip(X.starts[:-1], *lines, strict=True):
        columns, values = map(np.concatenate, zip(*of_run, strict=True))
        if X.dtype.kind in "iu" and (large := np.abs(values) >= 2.0**53).any():
            k = int(np.argmax(large))
            raise DataError(
                f"Column {_name(int(start + columns[k]), names)!r} holds {values[k]:.0f}, and "
                "whole numbers from 2^53 on are not told apart in a table in blocks of rows; split "
                "it by columns alone."
            )
        order, first = distinct(columns, values)
        sizes = np.bincount(columns[order][first])
        if sizes.max(initial=0) > MOST_VALUES:
            column = int(start + np.argmax(sizes > MOST_VALUES))
            raise DataError(
                f"Column {_name(column, names)!r} has more than {MOST_VALUES} different values, "
                "and a table in blocks of rows is known by how often each occurs; split it by "
                "columns alone."
            )


def holds_bits(X) -> bool:
    """Whether all cells are 0 or 1: those of the rows of X or, in blocks of rows, of all."""
    if X.kind == "bits":
        return True
    return all(found is None for found in run_parts(other_value, X, rows=not X.is_tall))


def other_value(view):
    """Row, column and value of the first cell of a block that is neither 0 nor 1."""
    return view.keep("other value", None, lambda: first_other_value(view.data))


def _name(column: int, names) -> str:
    return f"x{column}" if names is None else str(names[column])


def _corners(X) -> list[tuple[int, int]]:
    """First row and column of each block."""
    starts = X.row_starts[:-1].tolist(), X.starts[:-1].tolist()
    return list(product(*starts))


def _not_finite(view, allow_missing: bool, chosen=None):
    """Row, column and value of the first cell that cannot be used; None if there is none."""
    how = {"allow_missing": allow_missing}
    found = view.keep("not finite", allow_missing, lambda: first_not_finite(view.data, **how))
    if found is None or chosen is None or chosen[found[0]]:
        return found
    rows = np.flatnonzero(chosen)
    found = first_not_finite(some_rows(view.data, rows), **how)
    return None if found is None else (int(rows[found[0]]), *found[1:])
