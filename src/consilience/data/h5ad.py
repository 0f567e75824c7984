"""Reader of AnnData's h5ad, the usual file of single-cell data; needs the extra `anndata`."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..exceptions import DataError, UsageError
from .columns import no_such
from .matrices import from_matrix
from .request import Request
from .table import Table


def read(request: Request) -> Table:
    """Read `X` of an AnnData file; the class is a column of `obs`."""
    try:
        import anndata
    except ImportError as error:
        raise UsageError(
            "Reading h5ad files needs the package anndata; install it with "
            "`pip install consilience[anndata]`."
        ) from error
    try:
        data = anndata.read_h5ad(request.path)
    except (OSError, KeyError, ValueError, TypeError) as error:
        raise DataError(f"'{request.path}' is not a whole h5ad file: {error}.") from error
    if data.X is None:
        raise DataError(f"'{request.path}' has no matrix X.")
    y = None
    if request.labels is None:
        if request.target is None:
            known = ", ".join(map(str, data.obs.columns)) or "none"
            raise UsageError(
                f"Say which column of obs in '{request.path}' holds the class with the target "
                f"option; there are: {known}."
            )
        y = column_of_obs(data.obs, request.target_name, request)
    names = data.obs_names
    if request.sample_names is not None:
        names = column_of_obs(data.obs, str(request.sample_names), request)
    groups = None
    if request.groups is not None:
        groups = column_of_obs(data.obs, str(request.groups), request)
    return from_matrix(
        replace(request, sample_names=None),  # there it would be a file of names
        data.X,
        y,
        feature_names=np.asarray(data.var_names, dtype=str),
        sample_names=np.asarray(names, dtype=str),
        target=request.target_name,
        groups=groups,
    )


def column_of_obs(obs, name: str, request: Request) -> np.ndarray:
    """One column of `obs`, numbers as they are and all else as Python objects."""
    if name not in obs.columns:
        raise no_such("column of obs", name, [str(c) for c in obs.columns], str(request.path))
    column = obs[name]
    numeric = column.dtype.kind in "biuf" if isinstance(column.dtype, np.dtype) else False
    return column.to_numpy() if numeric else column.astype(object).to_numpy()
