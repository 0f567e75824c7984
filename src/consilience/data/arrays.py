"""Reader of NumPy's npz: arrays `X` and `y`, or the parts of a sparse matrix, with names."""

from __future__ import annotations

import json
import zipfile

import numpy as np
from scipy import sparse

from ..exceptions import DataError, UsageError
from .columns import no_such
from .matrices import from_matrix
from .request import Request
from .table import Table

_SPARSE = ("data", "indices", "indptr", "shape")


def read(request: Request) -> Table:
    """Read an npz file; nothing in it is executed.

    Dense: `X`. Sparse: `data`, `indices`, `indptr`, `shape`, in CSR unless `format` says csc, as
    SciPy's `save_npz` writes it. Beside these `y` (or the array that the target names),
    `feature_names`, `sample_names`, and for nominal features `feature_types` (numeric or nominal)
    with `categories`, for each feature a JSON list whose positions are the codes.
    """
    try:
        with request.path.open("rb") as file, np.load(file, allow_pickle=False) as content:
            arrays = {name: content[name] for name in content.files}
    except (zipfile.BadZipFile, EOFError, OSError) as error:
        raise DataError(f"'{request.path}' is not a whole npz file ({error}).") from error
    except (ValueError, TypeError, AttributeError) as error:  # the last two: one bare array
        raise DataError(
            f"'{request.path}' is no npz file of plain arrays of numbers and text; Python objects "
            "are not read because they could run code."
        ) from error
    X = _matrix(arrays, request)
    categories = _categories(arrays, request)
    if request.transpose:
        X = X.T
    target, y = request.target_name, None
    if request.labels is None:
        target = target or "y"
        if target not in arrays:
            if request.target is not None:
                raise no_such("array", target, list(arrays), str(request.path))
            raise UsageError(
                f"'{request.path}' has no array 'y' with the classes; name another with the "
                f"target option ({', '.join(arrays)}) or give a file of labels."
            )
        y = _flat(arrays[target])
    groups = None
    if request.groups is not None:
        if str(request.groups) not in arrays:
            raise no_such("array", str(request.groups), list(arrays), str(request.path))
        groups = _flat(arrays[str(request.groups)])
    return from_matrix(
        request,
        X,
        y,
        feature_names=_text(arrays.get("feature_names")),
        sample_names=_text(arrays.get("sample_names")),
        categories=categories,
        target=target,
        groups=groups,
    )


def _matrix(arrays: dict[str, np.ndarray], request: Request):
    if "X" in arrays:
        return arrays["X"]
    if not all(name in arrays for name in _SPARSE):
        raise DataError(
            f"'{request.path}' has neither an array 'X' nor the sparse parts {', '.join(_SPARSE)}; "
            f"it holds {', '.join(arrays) or 'nothing'}."
        )
    by_column = "format" in arrays and arrays["format"].item() in (b"csc", "csc")
    make = sparse.csc_array if by_column else sparse.csr_array
    parts = tuple(arrays[name] for name in _SPARSE[:3])
    try:
        X = make(parts, shape=tuple(arrays["shape"].tolist()))
        X.check_format(full_check=True)
    except (ValueError, TypeError) as error:
        raise DataError(f"'{request.path}' has sparse parts that disagree: {error}.") from error
    return X


def _categories(arrays: dict[str, np.ndarray], request: Request) -> list | None:
    if "feature_types" not in arrays:
        return None
    types = _text(arrays["feature_types"]).tolist()
    lists = _text(arrays.get("categories", np.full(len(types), "[]"))).tolist()
    try:
        pairs = zip(types, lists, strict=True)
        return [
            list(map(str, json.loads(kinds))) if kind == "nominal" else None
            for kind, kinds in pairs
        ]
    except (ValueError, TypeError) as error:
        raise DataError(f"'{request.path}' has categories that cannot be read: {error}.") from error


def _flat(values: np.ndarray) -> np.ndarray:
    """Take a matrix of one row or column for the list that it is."""
    return values.reshape(-1) if values.ndim == 2 and 1 in values.shape else values


def _text(values: np.ndarray | None) -> np.ndarray | None:
    if values is not None and values.dtype.kind == "S":
        return np.char.decode(values, "utf-8", "replace")
    return values
