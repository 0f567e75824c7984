"""From a table in a file to a file of packed columns, streaming: the dense matrix never exists."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..exceptions import DataError, UsageError
from .bits_file import Header, columns_per_block
from .bits_writer import BitsWriter, file_size
from .file_stamp import FileStamp
from .pack_open import open_source, stamp_of
from .pack_source import PackOptions, silent
from .request import Request

_MEMORY = 1 << 30
_ROWS = 256  # bytes of a column beside its words: rows are gathered until they fill a word


@dataclass(frozen=True)
class Packing:
    """A source that was looked at, and what packing it takes; `run` does it.

    Attributes
    ----------
    n_samples, n_features : int
        Shape of what will be packed.
    n_bytes : int
        Size that the file will have, classes and names included.
    memory : int
        Bytes of packed columns that are held at a time, at most.
    n_passes : int
        How often the source is read for that.
    classes : ndarray or None
        The classes, for a word about them.
    """

    source: object
    out: Path
    stamps: tuple[FileStamp, ...]
    columns_at_once: int

    @property
    def n_samples(self) -> int:
        """Rows."""
        return self.source.n_samples

    @property
    def n_features(self) -> int:
        """Columns."""
        return self.source.n_features

    @property
    def n_bytes(self) -> int:
        """Size of the file."""
        header = Header(self.n_samples, self.n_features, columns_per_block(self.n_samples))
        return file_size(header, self.source.labels.to_json())

    @property
    def memory(self) -> int:
        """Bytes of packed columns that are held at a time."""
        return min(self.columns_at_once, self.n_features) * _bytes_of_column(self.source)

    @property
    def n_passes(self) -> int:
        """How often the source is read."""
        return -(-self.n_features // self.columns_at_once)

    @property
    def classes(self) -> np.ndarray | None:
        """The class of each row, if there are any."""
        return self.source.labels.y

    def run(self, tell: Callable[[float], None] | None = None) -> int:
        """Write the file, whole or not at all; give the number of ones in it.

        `tell` is called with the share of the work that is done.
        """
        n_ones, step = 0, self.columns_at_once
        labels = self.source.labels
        with BitsWriter(self.out, self.n_samples, self.n_features, labels=labels) as writer:
            for k, start in enumerate(range(0, self.n_features, step)):

                def told(share: float, k=k) -> None:
                    if tell is not None:
                        tell((k + min(share, 1.0)) / self.n_passes)

                stop = min(start + step, self.n_features)
                words = self.source.words(start, stop, told)
                for stamp in self.stamps:  # two states of a file would not fit together
                    stamp.check()
                n_ones += int(np.bitwise_count(words).sum(dtype=np.int64))
                writer.write(words)
                del words  # before the next ones are made
                told(1.0)
        return n_ones


def plan_packing(
    path: str | Path,
    out: str | Path,
    target: str | int | None = None,
    *,
    sample_names: str | int | None = None,
    drop: str | Iterable[str] = (),
    transpose: bool = False,
    labels: str | Path | None = None,
    separator: str | None = None,
    features: str | Path | None = None,
    groups: str | int | None = None,
    threshold: float | None = None,
    classes: bool = True,
    append: str | None = None,
    memory: int = _MEMORY,
    tell: Callable[[float], None] | None = None,
) -> Packing:
    r"""Look at a table that is to be packed: its shape, its classes and names, what it takes.

    Parameters
    ----------
    path : str or Path
        csv, tsv, tab, txt, mtx, svmlight, libsvm (each also as .gz), npz, h5ad and bits are
        streamed; parquet and arff are read whole, by `read_table`.
    out : str or Path
        The packed file; its name ends in .bits, as `read_table` knows packed files by that.
    target, sample_names, drop, transpose, labels, separator, features, groups
        As in `read_table`.
    threshold : float, default=None
        Value above which a cell is 1; None allows 0 and 1 only.
    classes : bool, default=True
        False packs a table without classes; they can then be given when it is used.
    append : {"rows", "columns"}, default=None
        Add the table to what `out` already holds; None makes it new. New rows have other names
        than those that are there. New columns need no classes; where they have some, or names of
        samples, these must be the same.
    memory : int, default=1 GB
        Bytes of packed columns to be held at a time. The source is read as often as that asks
        for; never is more of it in memory than a piece.
    tell : callable, default=None
        Called with the share of the first look that is done, where that is a pass over the file.

    Returns
    -------
    Packing
        Its `run` writes the file.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from consilience import read_table
    >>> from consilience.data.pack import plan_packing
    >>> with TemporaryDirectory() as folder:
    ...     source, out = Path(folder, "words.csv"), Path(folder, "words.bits")
    ...     _ = source.write_text("doc,wheat,corn,topic\nA,1,0,grain\nB,0,0,ships\n")
    ...     n_ones = plan_packing(source, out, target="topic").run()
    ...     table = read_table(out)
    >>> n_ones, table.X.toarray().tolist(), table.y, table.feature_names
    (1, [[1, 0], [0, 0]], array(['grain', 'ships'], dtype='<U5'),
     array(['wheat', 'corn'], dtype='<U5'))
    """
    path, out = Path(path), Path(out)
    if append is not None and append not in ("rows", "columns"):
        raise UsageError(f"One can append rows or columns, and not {append!r}.")
    check_out(out)
    reading = {
        "target": target,
        "sample_names": sample_names,
        "drop": drop,
        "transpose": transpose,
        "labels": labels,
        "separator": separator,
        "features": features,
        "groups": groups,
    }
    if append is None and path.resolve() == out.resolve():
        raise UsageError(f"'{path}' cannot be packed into itself; choose another name.")
    # Stamped before it is looked at, so that no change goes unnoticed.
    files = [path] if append is None else [path, out]
    stamps = [stamp_of(file) for file in files if file.is_file()]
    old = _old_file(out) if append is not None else None
    needed = classes and (old is None or (append == "rows" and old.labels.y is not None))
    source = open_source(path, reading, PackOptions(threshold, needed, tell or silent))
    if old is not None:
        from .pack_bits import Joined

        source = Joined(old, source, append)
    at_once = max(1, int(memory // _bytes_of_column(source)))
    return Packing(source, out, tuple(stamps), min(at_once, source.n_features))


def check_out(out: Path) -> None:
    """Refuse a name under which a packed file could not be written, or not be read again."""
    if out.is_dir():
        raise UsageError(
            f"'{out}' is a directory; give the name of a file in it, such as "
            f"'{out / 'packed.bits'}'."
        )
    if out.suffix.lower() != ".bits":
        raise UsageError(
            f"'{out}' does not end in .bits, by which packed files are known; name it "
            f"'{out.with_suffix('.bits')}'."
        )


def _old_file(out: Path):
    from .pack_bits import BitsSource

    if not out.is_file():
        raise DataError(f"There is no file '{out}' to append to; pack it first, without append.")
    return BitsSource(Request(out), PackOptions(classes=False))


def _bytes_of_column(source) -> int:
    return 8 * source.n_words * source.copies + _ROWS
