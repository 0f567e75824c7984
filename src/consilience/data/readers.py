"""From a file to a table: `read_table` finds the reader by the suffix of the file."""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from dataclasses import fields
from pathlib import Path

from ..exceptions import UsageError
from .request import Request, existing
from .table import Table

_COLUMNS = {"target", "sample_names", "drop", "labels", "groups", "nominal"}
_MATRIX = _COLUMNS | {"transpose", "features"}
_TEXT = ("delimited", _COLUMNS | {"transpose", "separator"})
_SVMLIGHT = ("svmlight", {"drop", "labels", "features", "sample_names", "groups"})

# Suffix -> module that reads it, and the options that have a meaning there.
_FORMATS = {
    ".csv": _TEXT,
    ".tsv": _TEXT,
    ".tab": _TEXT,
    ".txt": _TEXT,
    ".parquet": ("parquet", _COLUMNS),
    ".arff": ("arff", _COLUMNS),
    ".svmlight": _SVMLIGHT,
    ".libsvm": _SVMLIGHT,
    ".mtx": ("matrix_market", _MATRIX),
    ".npz": ("arrays", _MATRIX),
    ".h5ad": ("h5ad", _COLUMNS),
    ".bits": ("packed", _COLUMNS - {"nominal"} | {"features"}),  # bits have no categories
    ".blocks": ("blocked", _COLUMNS - {"nominal", "drop"} | {"features"}),  # and blocks stay whole
}
_COMPRESSED = (*(s for s, f in _FORMATS.items() if f in (_TEXT, _SVMLIGHT)), ".arff", ".mtx")

# How the names of files end that can be read.
ENDINGS = (*_FORMATS, *(f"{suffix}.gz" for suffix in _COMPRESSED))


def read_table(
    path: str | Path,
    target: str | int | None = None,
    *,
    sample_names: str | int | None = None,
    drop: str | Iterable[str] = (),
    transpose: bool = False,
    labels: str | Path | None = None,
    separator: str | None = None,
    features: str | Path | None = None,
    groups: str | int | None = None,
    nominal: str | Iterable[str] = (),
) -> Table:
    r"""Read samples, their features and their classes from a file.

    The suffix tells the format: csv, tsv, tab, txt, arff, mtx, svmlight and libsvm (each also as
    .gz), parquet, npz, h5ad (needs the extra ``consilience[anndata]``), bits (a saved `BitMatrix`)
    and blocks (a directory that `BlockMatrix.save` wrote). An option that has no meaning for a
    format is refused.

    Text is read as UTF-8, else as Latin-1; separator, quotes and decimal commas are found out
    from the first lines. Empty cells, NA, NaN, null and ? are missing values. A text column is
    nominal when it has at most 20 distinct values, or at most one for ten rows, and some value
    occurs twice: it becomes codes, with its categories kept. Where at least half of the cells
    are numbers, any other text is an error. True and false become 1 and 0. Columns that `nominal`
    names are nominal whatever they hold.

    Parameters
    ----------
    path : str or Path
        The file.
    target : str or int, default=None
        Column that holds the class, by name, or by position from 0 (or from the end, if
        negative). In npz the name of an array, ``y`` if None; in h5ad a column of ``obs``; in
        arff the attribute called class, else the last one, if None.
    sample_names : str or int, default=None
        Column that names the samples. None takes a first column without a name, or called id,
        sample and the like, or the first text column, if all its values differ. For mtx, bits,
        npz and svmlight a file with one name per line.
    drop : str or iterable of str, default=()
        Columns to leave out.
    transpose : bool, default=False
        Samples are in columns, the usual way for expression tables: the first column names the
        features, the header names the samples, and `target` names a row.
    labels : str or Path, default=None
        File of the classes where the table itself has none: one label per line, or sample and
        label in two columns.
    separator : str, default=None
        A character, or comma, tab, semicolon, pipe or whitespace. None finds it out.
    features : str or Path, default=None
        File with one feature name per line, for formats that hold none.
    groups : str or int, default=None
        Column that says which samples belong together, such as the patient, by name or position;
        it is no feature. In npz the name of an array, in h5ad a column of ``obs``; for mtx, bits
        and svmlight a file with one name per line.
    nominal : str or iterable of str, default=()
        Columns whose values are names, even where they look like numbers: each distinct value
        becomes a category, spelled as in the file. Sparse and packed data have none.

    Returns
    -------
    Table

    Raises
    ------
    DataError, UsageError
        With one sentence that names the file, the place and the way out.

    See Also
    --------
    load_demo : data to try things on.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from consilience import read_table
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "genes.csv")
    ...     _ = path.write_text("id;TP53;MYC;class\nA;0,5;2;ill\nB;1,5;3;well\n")
    ...     table = read_table(path, target="class")
    >>> table.X
    array([[0.5, 2. ],
           [1.5, 3. ]])
    >>> table.y, table.sample_names
    (array(['ill', 'well'], dtype='<U4'), array(['A', 'B'], dtype='<U1'))
    """
    request, suffix = check_request(
        path,
        target=target,
        sample_names=sample_names,
        drop=drop,
        transpose=transpose,
        labels=labels,
        separator=separator,
        features=features,
        groups=groups,
        nominal=nominal,
    )
    return importlib.import_module(f".{_FORMATS[suffix][0]}", __package__).read(request)


def check_request(
    path: str | Path, *, drop=(), labels=None, features=None, nominal=(), **given
) -> tuple[Request, str]:
    """Check the arguments of `read_table`; give them as a request, with the suffix that decides.

    Files that are not there are refused, and options without a meaning for the format.
    """
    path = Path(path)
    suffix = table_suffix(path)
    columns = {"drop": _names("drop", drop), "nominal": _names("nominal", nominal)}
    files = {"labels": existing(labels), "features": existing(features)}
    request = Request(path, **columns, **files, **given)
    options = _FORMATS[suffix][1]
    for name in (field.name for field in fields(request) if field.name != "path"):
        if name not in options and getattr(request, name) not in (None, False, ()):
            raise UsageError(f"The option {name} has no meaning for {suffix} files ('{path}').")
    existing(path, directory=suffix == ".blocks")
    return request, suffix


def _names(option: str, given: str | Iterable[str]) -> tuple[str, ...]:
    """One name or several, as a tuple."""
    names = (given,) if isinstance(given, str) else given
    names = tuple(names) if isinstance(names, Iterable) else (names,)
    if not all(isinstance(name, str) for name in names):
        raise UsageError(f"The option {option} takes names of columns, and not {given!r}.")
    return names


def table_suffix(path: Path) -> str:
    """Suffix that is known, without a final .gz."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    last = suffixes[-1] if suffixes else ""
    if last == ".gz" and len(suffixes) > 1 and suffixes[-2] in _COMPRESSED:
        last = suffixes[-2]
    if last not in _FORMATS:
        known = ", ".join(s[1:] for s in _FORMATS)
        what = f"has the unknown suffix '{path.suffix}'" if path.suffix else "has no suffix"
        raise UsageError(
            f"'{path}' {what}; known are {known}, and "
            f"{', '.join(s[1:] for s in _COMPRESSED)} with .gz behind."
        )
    return last
