"""What the readers of bare matrices share: names and classes from elsewhere, dropped columns."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy import sparse

from ..exceptions import DataError, UsageError
from .columns import no_feature, no_such
from .labels import as_groups, as_labels, read_labels, read_names
from .nominal import encode_nominal
from .request import Request, existing
from .table import Table


def from_matrix(
    request: Request,
    X,
    y=None,
    *,
    feature_names=None,
    sample_names=None,
    categories: list[list[str] | None] | None = None,
    target: str | None = None,
    groups=None,
) -> Table:
    """Build a table around a matrix.

    Parameters
    ----------
    request : Request
        Its files of labels and names go before what the source itself holds.
    X : ndarray, sparse matrix or BitMatrix of shape (n_samples, n_features)
        Sparse ones become CSR unless they are CSC.
    y : array-like of shape (n_samples,), default=None
        Classes; None where the source holds none.
    feature_names, sample_names : array-like of str, default=None
        Names in the source, if any.
    categories : list of (list of str, or None), default=None
        For each feature its categories, None where it is numeric.
    target : str, default=None
        What `y` is called in the source.
    groups : array-like of shape (n_samples,), default=None
        What the samples belong to, if the source holds it; else the request names a file.
    """
    if X.ndim != 2:
        raise DataError(f"'{request.path}' holds a {X.ndim}-D array, and a table is 2-D.")
    if sparse.issparse(X):
        X = sparse.csc_array(X) if X.format == "csc" else sparse.csr_array(X)
        X.sum_duplicates()
    if X.dtype.kind not in "biuf":
        raise DataError(f"'{request.path}' holds {X.dtype} in its matrix, and not numbers.")
    if X.dtype == bool:
        X = X.astype(np.uint8)  # True + True is True, and sums must count
    n_samples, n_features = X.shape
    if request.sample_names is not None:
        sample_names = read_names(existing(request.sample_names), n_samples, "samples")
    if request.features is not None:
        feature_names = read_names(request.features, n_features, "features")
    if y is None or request.labels is not None:
        y, target = read_labels(request, n_samples, sample_names), request.target_name
    else:
        y = as_labels(y, target, str(request.path))
    if request.groups is not None:
        if groups is None:
            groups = read_names(existing(str(request.groups)), n_samples, "samples")
        elif request.labels is None and str(request.groups) == target:
            raise UsageError(f"'{target}' cannot be the target and the groups as well.")
        groups = as_groups(groups, str(request.groups), str(request.path))
    nominal = [] if categories is None else [i for i, c in enumerate(categories) if c is not None]
    table = Table(
        X,
        y,
        feature_names,
        sample_names,
        categorical_features=np.isin(np.arange(n_features), nominal) if nominal else None,
        target=target,
        source=str(request.path),
        groups=groups,
    )
    table.categories.update({str(table.feature_names[i]): categories[i] for i in nominal})
    table = drop_features(table, request.drop)
    return mark_nominal(table, request).validate()


def drop_features(table: Table, names: tuple[str, ...]) -> Table:
    """Leave out features by name."""
    if not names:
        return table
    known = table.feature_names.tolist()
    unknown = next((name for name in names if name not in known), None)
    if unknown is not None:
        raise no_such("feature", unknown, known, table.source)
    kept = np.flatnonzero(~np.isin(table.feature_names, names))
    nominal = table.categorical_features
    return replace(
        table,
        X=table.X[:, kept],
        feature_names=table.feature_names[kept],
        categorical_features=None if nominal is None else nominal[kept],
        categories={k: v for k, v in table.categories.items() if k not in names},
    )


def mark_nominal(table: Table, request: Request) -> Table:
    """Turn the values of features that the request calls nominal into codes."""
    names, known = request.nominal, table.feature_names.tolist()
    for name in names:
        if name in request.drop:
            raise no_feature(name, "dropped")
        if name not in known and name == table.target:
            raise no_feature(name, "the target")
        if name not in known and name == request.groups:
            raise no_feature(name, "the groups")
        if name not in known:
            raise no_such("feature", name, known, table.source)
    declared = np.zeros(table.n_features, dtype=bool)
    if table.categorical_features is not None:
        declared = table.categorical_features
    wanted = np.flatnonzero(np.isin(table.feature_names, names) & ~declared)
    if not wanted.size:
        return table
    if not isinstance(table.X, np.ndarray):
        raise UsageError(
            f"'{table.source}' is sparse, and only dense tables have nominal columns such as "
            f"'{known[wanted[0]]}'; write it as a dense table, or leave out the nominal columns."
        )
    # Codes may need more room than the values had, such as 200 kinds of int8.
    X = table.X.astype(table.X.dtype if table.X.dtype.itemsize > 2 else np.float32)
    categories = dict(table.categories)
    for column in wanted:
        X[:, column], categories[known[column]] = encode_nominal(table.X[:, column])
    marks = declared | np.isin(np.arange(table.n_features), wanted)
    return replace(table, X=X, categorical_features=marks, categories=categories)
