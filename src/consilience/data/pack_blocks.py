"""From a table in a file to a directory of blocks, streaming: the whole is never in memory."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path

import numpy as np

from ..exceptions import UsageError
from .block_writer import BlocksWriter
from .blocks import ALIGNED, DENSE, SPARSE, number_of_blocks, slice_columns
from .file_stamp import FileStamp
from .pack_numbers import EntryBlock, NumberBlock, NumberRule
from .pack_open import open_source, stamp_of
from .pack_source import PackOptions, Source, silent

_MEMORY = 1 << 30
_COPIES = 3  # of an entry of a sparse table with its place: as it came, gathered, in order
_PLACE = 12  # bytes of a place


@dataclass(frozen=True)
class BlocksPacking:
    """A source that was looked at, and what it takes to write it as blocks; `run` does it.

    Attributes
    ----------
    n_samples, n_features : int
        Shape of the table.
    n_bytes : int
        Size of its cells.
    memory : int
        Bytes of columns that are held at a time, at most.
    n_passes : int
        How often the source is read for that.
    classes : ndarray or None
        The classes, for a word about them.
    """

    source: Source
    out: Path
    stamps: tuple[FileStamp, ...]
    starts: tuple[int, ...]  # of blocks, and the number of columns
    weights: tuple[int, ...]  # bytes of each block in memory
    passes: tuple[slice, ...]  # the blocks of each

    @property
    def kind(self) -> str:
        """Whether all cells are stored, or those other than 0."""
        return SPARSE if self.source.sparse else DENSE

    @property
    def n_samples(self) -> int:
        """Rows."""
        return self.source.n_samples

    @property
    def n_features(self) -> int:
        """Columns."""
        return self.source.n_features

    @property
    def n_blocks(self) -> int:
        """Files."""
        return len(self.weights)

    @property
    def n_bytes(self) -> int:
        """Size of the cells."""
        copies = _COPIES if self.source.sparse else 1
        return sum(self.weights) // copies

    @property
    def memory(self) -> int:
        """Bytes of columns that are held at a time."""
        return max(sum(self.weights[blocks]) for blocks in self.passes)

    @property
    def n_passes(self) -> int:
        """How often the source is read."""
        return len(self.passes)

    @property
    def classes(self) -> np.ndarray | None:
        """The class of each row, if there are any."""
        return self.source.labels.y

    def run(self, tell: Callable[[float], None] | None = None) -> int:
        """Write the directory, whole or not at all; give the number of blocks.

        `tell` is called with the share of the work that is done.
        """
        source, dtype = self.source, self.source.cell_type
        make = partial(EntryBlock if source.sparse else NumberBlock, dtype=dtype)
        shape = self.n_samples, self.n_features
        with BlocksWriter(self.out, self.kind, shape, dtype, source.labels) as writer:
            for k, blocks in enumerate(self.passes):

                def told(share: float, k=k) -> None:
                    if tell is not None:
                        tell((k + min(share, 1.0)) / self.n_passes)

                starts = self.starts[blocks.start : blocks.stop + 1]
                columns = source.columns(starts[0], starts[-1], told, make)
                for stamp in self.stamps:  # two states of a file would not fit together
                    stamp.check()
                for first, last in pairwise(start - starts[0] for start in starts):
                    writer.write(slice_columns(columns, first, last))
                del columns  # before the next ones are made
                told(1.0)
        return self.n_blocks


def plan_blocks(
    path: str | Path,
    out: str | Path,
    *,
    classes: bool = True,
    memory: int = _MEMORY,
    tell: Callable[[float], None] | None = None,
    **reading,
) -> BlocksPacking:
    r"""Look at a table that is to be written as blocks: its shape, its classes, what it takes.

    Parameters
    ----------
    path : str or Path
        The table, in any format; see `open_source`. Sparse ones stay sparse.
    out : str or Path
        The directory; its name ends in .blocks.
    classes : bool, default=True
        False is for a table without classes; they can then be given when it is used.
    memory : int, default=1 GB
        Bytes of columns to be held at a time. The source is read as often as that asks for; never
        is more of it in memory than a piece, and one block at least.
    tell : callable, default=None
        Called with the share of the first look that is done, where that is a pass over the file.
    **reading
        Options of `read_table`.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from consilience import read_table
    >>> from consilience.data.pack_blocks import plan_blocks
    >>> with TemporaryDirectory() as folder:
    ...     source, out = Path(folder, "genes.csv"), Path(folder, "genes.blocks")
    ...     _ = source.write_text("id,TP53,MYC,class\nA,0.5,2,ill\nB,1.5,,well\n")
    ...     n_blocks = plan_blocks(source, out, target="class").run()
    ...     table = read_table(out)
    ...     table.X.toarray()
    array([[0.5, 2. ],
           [1.5, nan]])
    """
    path, out = Path(path), Path(out)
    if path.suffix == ".bits":
        raise UsageError(
            f"'{path}' is packed already, and workers open their columns of it; use it as it is."
        )
    stamps = (stamp_of(path),) if path.is_file() else ()
    options = PackOptions(classes=classes, tell=tell or silent, rule=NumberRule)
    source = open_source(path, reading, options)
    if source.sparse:
        cells = source.entries(tell or silent)
        starts = _even_starts(cells * (source.cell_type.itemsize + 4))
        each = _COPIES * (source.cell_type.itemsize + _PLACE)
    else:
        each = source.cell_type.itemsize
        cells = np.full(source.n_features, source.n_samples)
        starts = _even_starts(cells * each)
    sums = np.concatenate([[0], np.cumsum(cells * each)])
    weights = np.diff(sums[starts])
    return BlocksPacking(
        source, out, stamps, tuple(starts.tolist()), tuple(weights.tolist()),
        tuple(_passes(weights, memory)),
    )  # fmt: skip


def _even_starts(n_bytes: np.ndarray) -> np.ndarray:
    """Where blocks of about as many bytes begin, from the bytes of each column; and the end."""
    sums = np.concatenate([[0], np.cumsum(n_bytes)])
    n_blocks = number_of_blocks(int(sums[-1]))
    wanted = np.searchsorted(sums, sums[-1] * np.arange(1, n_blocks) / n_blocks)
    starts = np.unique(np.round(wanted / ALIGNED).astype(np.int64) * ALIGNED)
    inside = starts[(starts > 0) & (starts < n_bytes.size)]
    return np.concatenate([[0], inside, [n_bytes.size]])


def _passes(weights: np.ndarray, memory: int) -> list[slice]:
    """Runs of blocks that fit into memory together; each has one at least."""
    runs, first, held = [], 0, 0
    for block, weight in enumerate(weights.tolist()):
        if block > first and held + weight > memory:
            runs.append(slice(first, block))
            first, held = block, 0
        held += weight
    return [*runs, slice(first, len(weights))]
