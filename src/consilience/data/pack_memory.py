"""Packing what has to be read whole: formats that do not stream, by way of `read_table`."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy import sparse

from .pack_block import ColumnBlock
from .pack_source import PIECE, PackOptions, Source, Tell
from .readers import read_table
from .request import Request


class TableSource(Source):
    """A table in memory, such as arff and parquet give; never made dense if it is not."""

    def __init__(self, request: Request, options: PackOptions):
        super().__init__(request, options)
        table = read_table(**vars(request))
        self.request = replace(
            request, drop=(), sample_names=None, labels=None, groups=None, features=None
        )
        self.X = sparse.csc_array(table.X) if sparse.issparse(table.X) else np.asarray(table.X)
        self.sparse = sparse.issparse(table.X)
        self.n_samples, self.width = self.X.shape
        self.cell_type = self.X.dtype
        self.describe(
            y=table.y,
            feature_names=table.feature_names,
            sample_names=table.sample_names,
            groups=table.groups,
            target=table.target,
            categories=table.categories,
        )

    def _fill(self, block: ColumnBlock, tell: Tell) -> None:
        step = max(1, PIECE // max(1, self.n_samples))
        for start in range(block.start, block.stop, step):
            part = self.X[:, start : min(start + step, block.stop)]
            if self.sparse:
                entries = part.tocoo()
                block.put_entries(entries.row, entries.col + start, entries.data)
            else:
                block.put_columns(start, part.T)
            tell((start - block.start) / (block.stop - block.start))
