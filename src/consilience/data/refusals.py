"""Cells and labels that no method can use, each refused in a sentence that says where it is."""

import numpy as np
from scipy import sparse

from ..exceptions import DataError


def refuse_not_finite(X, method: str, names=None, *, allow_missing: bool = False) -> None:
    """Raise for infinite values, and for NaN unless they mean "missing", naming the column.

    Parameters
    ----------
    X : ndarray or sparse matrix of shape (n_samples, n_features)
        The data.
    method : str
        Who cannot use them.
    names : sequence of str, default=None
        What the columns are called; None is x0, x1, ... as in scikit-learn.
    allow_missing : bool, default=False
        Whether NaN is meant as "missing"; infinite values never are.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.data.refusals import refuse_not_finite
    >>> refuse_not_finite(np.array([[1.0, np.inf]]), "ReliefF", ["age", "dose"])
    Traceback (most recent call last):
        ...
    consilience.exceptions.DataError: Column 'dose' holds infinity in row 0, which ReliefF ...
    """
    found = first_not_finite(X, allow_missing=allow_missing)
    if found is not None:
        refuse_cell(*found, method, names)


def first_not_finite(X, *, allow_missing: bool) -> tuple | None:
    """Row, column and value of a cell that cannot be used; None if all can.

    Parameters
    ----------
    X, allow_missing
        As in `refuse_not_finite`.
    """
    values = X.data if sparse.issparse(X) else X
    if values.dtype.kind != "f" or np.isfinite(values).all():
        return None
    bad = np.isinf(values) if allow_missing else ~np.isfinite(values)
    if not bad.any():
        return None
    if sparse.issparse(X):
        at = int(np.argmax(bad))
        cells = X.tocoo()
        return int(cells.coords[0][at]), int(cells.coords[1][at]), cells.data[at]
    row, column = (int(i) for i in np.argwhere(bad)[0])
    return row, column, X[row, column]


def refuse_cell(row: int, column: int, value, method: str, names=None) -> None:
    """Raise for a cell that is not finite; parameters as in `refuse_not_finite`."""
    kind = "NaN" if np.isnan(value) else "infinity"
    way_out = "impute or drop the column" if kind == "NaN" else "replace it by a finite number"
    name = f"x{column}" if names is None else str(names[column])
    raise DataError(
        f"Column {name!r} holds {kind} in row {row}, which {method} cannot use; {way_out}."
    )


def refuse_missing_labels(y) -> None:
    """Raise for a row without a class, before a conversion to text can hide it.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        Class labels.

    Examples
    --------
    >>> from consilience.data.refusals import refuse_missing_labels
    >>> refuse_missing_labels(["ALL", None])
    Traceback (most recent call last):
        ...
    consilience.exceptions.DataError: The class of row 1 is None: Input y contains NaN ...
    """
    labels = y if isinstance(y, (list, tuple)) else np.asarray(y).ravel()
    if isinstance(labels, np.ndarray) and labels.dtype.kind not in "fO":
        return
    for row, label in enumerate(labels):
        if _is_missing(label):
            raise DataError(
                f"The class of row {row} is {label}: Input y contains NaN or infinity; "
                "drop the rows without a class."
            )


def _is_missing(label) -> bool:
    if label is None:
        return True
    try:
        return bool(label != label) or label in (np.inf, -np.inf)
    except (TypeError, ValueError):  # pandas.NA has no truth value; a list is no label at all
        return not isinstance(label, (list, tuple, np.ndarray))
