"""Where the discretising filters cut the columns."""

import numpy as np
from sklearn.base import BaseEstimator

from ..data.bits import BitMatrix
from ..exceptions import UsageError
from .columns import SortedColumns
from .filters import check_method
from .validation import check_labels, check_weights, check_X

ENCODINGS = {"better": True, "default": False}


def cut_points(
    X,
    y,
    *,
    discretize="mdl",
    n_bins=10,
    encoding="better",
    categorical_features="from_dtype",
    sample_weight=None,
) -> list[np.ndarray]:
    """Cut points of every column, as `InformationGain` and its like discretise it.

    A value equal to a cut point belongs to the interval below it. Missing values and rows of
    weight 0 take no part.

    Parameters
    ----------
    X : array-like, sparse matrix or BitMatrix of shape (n_samples, n_features)
        The data.
    y : array-like of shape (n_samples,)
        Class labels.
    discretize : {"mdl", "equal_width", "equal_frequency"}, default="mdl"
        How columns become intervals.
    n_bins : int, default=10
        Number of intervals of "equal_width" and "equal_frequency".
    encoding : {"better", "default"}, default="better"
        How "mdl" counts the cost of a cut: by the number of candidates, as WEKA's feature
        evaluators and all filters here do, or by the number of rows, as WEKA's discretiser does
        unless told otherwise.
    categorical_features : {"from_dtype", None}, mask or indices, default="from_dtype"
        Nominal columns, which are not cut.
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each row; a whole number means as many copies of it.

    Returns
    -------
    list of float64 arrays
        For each column its cut points, ascending: midway between two neighbouring values, or, for
        "equal_width", the borders of the intervals. Empty where a column is not cut.

    References
    ----------
    U. Fayyad, K. Irani, "Multi-interval discretization of continuous-valued attributes for
    classification learning", IJCAI 1993.

    Examples
    --------
    >>> from consilience.selectors import cut_points
    >>> X = [[1.0, 7.0], [2.0, 3.0], [2.5, 7.0], [6.0, 3.0], [7.0, 7.0], [9.0, 3.0]]
    >>> cut_points(X, ["low", "low", "low", "high", "high", "high"])
    [array([4.25]), array([], dtype=float64)]
    """
    from ..kernels.borders import column_borders
    from ..kernels.entropy import x_log_x_table

    method, n_bins, _ = check_method(discretize, n_bins, "omit")
    if discretize is None:
        raise UsageError(
            "discretize is None, which makes no cuts; choose 'mdl', 'equal_width' or "
            "'equal_frequency'."
        )
    if encoding not in ENCODINGS:
        raise UsageError(f"encoding is {encoding!r}; choose 'better' or 'default'.")
    X, nominal = check_X(
        Discretisation(), X, reset=True, allow_missing=True, categorical=categorical_features
    )
    classes, y = check_labels(y, X.shape[0])
    weights = check_weights(sample_weight, y, classes)
    totals = np.bincount(y, weights=weights, minlength=classes.size)
    table = x_log_x_table(y.size)
    columns = X.tocsc() if isinstance(X, BitMatrix) else X
    columns = SortedColumns.from_data(columns, keep_values=True)
    cuts = []
    for j, (start, stop) in enumerate(zip(columns.indptr[:-1], columns.indptr[1:], strict=True)):
        if nominal[j]:
            cuts.append(np.empty(0))
            continue
        cuts.append(
            column_borders(
                columns.rows[start:stop], columns.n_known[j], columns.values[start:stop],
                columns.zero_group[j], y, weights, totals, method, n_bins, ENCODINGS[encoding],
                table,
            )
        )  # fmt: skip
    return cuts


class Discretisation(BaseEstimator):
    """Stands for an estimator: keeps column names, and is what messages speak of."""
