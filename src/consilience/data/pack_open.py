"""A table in a file, opened to be packed: the source of its format, and what it hangs on."""

from __future__ import annotations

import importlib
from pathlib import Path

from ..exceptions import UsageError
from .file_stamp import FileStamp
from .pack_source import PackOptions, Source
from .readers import check_request

# Suffix -> module and maker of the source; what is not here is read whole.
_SOURCES = {
    **dict.fromkeys((".csv", ".tsv", ".tab", ".txt"), ("pack_text", "open_text")),
    **dict.fromkeys((".svmlight", ".libsvm"), ("pack_svmlight", "SvmlightSource")),
    ".mtx": ("pack_mtx", "MtxSource"),
    ".npz": ("pack_npz", "NpzSource"),
    ".h5ad": ("pack_h5ad", "H5adSource"),
    ".bits": ("pack_bits", "BitsSource"),
}


def open_source(path: Path, reading: dict, options: PackOptions) -> Source:
    """The source of a table, looked at: its shape, its classes and names.

    Parameters
    ----------
    path : Path
        csv, tsv, tab, txt, mtx, svmlight, libsvm (each also as .gz), npz, h5ad and bits are
        streamed; parquet and arff are read whole, by `read_table`.
    reading : dict
        Options of `read_table`.
    options : PackOptions
        How to pack.
    """
    request, suffix = check_request(path, **reading)
    if suffix == ".blocks":
        raise UsageError(f"'{path}' is a directory of blocks already; use it as it is.")
    module, name = _SOURCES.get(suffix, ("pack_memory", "TableSource"))
    maker = getattr(importlib.import_module(f".{module}", __package__), name)
    return maker(request, options)


def stamp_of(path: Path) -> FileStamp:
    """Which file it is now."""
    with path.open("rb") as file:
        return FileStamp.of_open(path, file)
