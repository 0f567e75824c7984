"""Cells of a table in blocks that cannot be used, found where the blocks are."""

from ..data.discrete import first_other_value
from ..data.refusals import first_not_finite, refuse_cell
from ..exceptions import DataError
from ..execution.parts import run_parts


def check_blocks(X, estimator, allow_missing: bool) -> None:
    """Refuse infinite values, NaN unless it means "missing", and tall tables that are not binary.

    Parameters
    ----------
    X : BlockMatrix
        The data.
    estimator : estimator
        Who cannot use them; its `feature_names_in_` are the names of the columns, if there are any.
    allow_missing : bool
        Whether NaN is meant as "missing".
    """
    if X.kind == "bits":
        return
    if X.is_tall:
        for run, found in zip(_starts(X), run_parts(_other_value, X, rows=False), strict=True):
            if found is not None:
                row, column, value = found
                raise DataError(
                    f"Column {run + column} (counted from 0) holds {value:g} in row {row}, and a "
                    "table in blocks of rows holds only 0 and 1; split it by columns alone."
                )
        return
    for run, found in zip(_starts(X), run_parts(_not_finite, X, allow_missing), strict=True):
        if found is not None:
            row, column, value = found
            names = getattr(estimator, "feature_names_in_", None)
            refuse_cell(row, run + column, value, type(estimator).__name__, names)


def _starts(X) -> list[int]:
    """First column of each block."""
    return [int(start) for _ in X.grid for start in X.starts[:-1]]


def _other_value(view):
    return view.keep("other value", None, lambda: first_other_value(view.data))


def _not_finite(view, allow_missing: bool):
    """Row, column and value of the first cell that cannot be used; None if there is none."""
    how = {"allow_missing": allow_missing}
    return view.keep("not finite", allow_missing, lambda: first_not_finite(view.data, **how))
