"""Packing AnnData's h5ad: the matrix stays on disk and is read by rows, or by columns if CSC."""

from __future__ import annotations

import contextlib
from dataclasses import replace

import numpy as np
from scipy import sparse

from ..exceptions import DataError, UsageError
from .h5ad import column_of_obs
from .pack_block import ColumnBlock
from .pack_source import PIECE, PackOptions, Source, Tell
from .request import Request


class H5adSource(Source):
    """`X` of an AnnData file, opened in backed mode; classes are a column of `obs`."""

    def __init__(self, request: Request, options: PackOptions):
        super().__init__(request, options)
        with self._opened() as data:
            if data.X is None:
                raise DataError(f"'{request.path}' has no matrix X.")
            self.n_samples, self.width = data.shape
            self.by_column = getattr(data.X, "format", "") == "csc"
            self.sparse = hasattr(data.X, "format")
            self.cell_type = np.dtype(data.X.dtype)
            obs = data.obs
            feature_names = np.asarray(data.var_names, dtype=str)
            sample_names = np.asarray(data.obs_names, dtype=str)
        if request.labels is None and request.target is None and options.classes:
            known = ", ".join(map(str, obs.columns)) or "none"
            raise UsageError(
                f"Say which column of obs in '{request.path}' holds the class with the target "
                f"option; there are: {known}."
            )
        y = groups = None
        if request.labels is None and request.target is not None:
            y = column_of_obs(obs, request.target_name, request)
        if request.sample_names is not None:
            sample_names = column_of_obs(obs, str(request.sample_names), request).astype(str)
        if request.groups is not None:
            groups = column_of_obs(obs, str(request.groups), request)
            groups = groups.astype(str) if groups.dtype.kind == "O" else groups
        self.request = replace(request, sample_names=None)  # there it would be a file of names
        self.describe(
            y=y,
            feature_names=feature_names,
            sample_names=sample_names,
            groups=groups,
            target=request.target_name,
        )

    @contextlib.contextmanager
    def _opened(self):
        try:
            import anndata
        except ImportError as error:
            raise UsageError(
                "Reading h5ad files needs the package anndata; install it with "
                "`pip install consilience[anndata]`."
            ) from error
        try:
            data = anndata.read_h5ad(self.request.path, backed="r")
        except (OSError, KeyError, ValueError, TypeError) as error:
            raise DataError(f"'{self.request.path}' is not a whole h5ad file: {error}.") from error
        try:
            yield data
        finally:
            data.file.close()

    def _fill(self, block: ColumnBlock, tell: Tell) -> None:
        with self._opened() as data:
            X = data.X
            if self.by_column:
                step = max(1, PIECE // max(1, self.n_samples))
                for start in range(block.start, block.stop, step):
                    part = X[:, start : min(start + step, block.stop)].tocoo()
                    block.put_entries(part.row, part.col + start, part.data)
                    tell((start - block.start) / (block.stop - block.start))
                return
            step = max(1, PIECE // max(1, self.width))
            for start in range(0, self.n_samples, step):
                part = X[start : min(start + step, self.n_samples)]
                if sparse.issparse(part):
                    part = part.tocoo()
                    block.put_entries(part.row + start, part.col, part.data)
                else:
                    block.put_rows(start, part[:, block.start : block.stop])
                tell(start / self.n_samples)
