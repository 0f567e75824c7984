"""A short name for data and settings: equal content, equal name, on every machine."""

import hashlib
import json
from typing import Any

import numpy as np
from scipy import sparse

from ..exceptions import UsageError

_BLOCK_BYTES = 1 << 24  # hashed at a time, so that strided or memory-mapped data need no full copy
RUN = 512  # packed columns with a name of their own; blocks of a table begin at multiples


def fingerprint(*parts: Any) -> str:
    """Hash arrays, sparse matrices, packed bits, text and settings into one hexadecimal name.

    The name depends on the content alone: the memory layout of an array, the byte order of the
    machine, the width of a text array, the order of the entries of a sparse matrix (CSR or CSC)
    and the order of the keys of a dict do not matter. Types and shapes do.

    Parameters
    ----------
    *parts : object
        NumPy arrays; SciPy sparse matrices; packed bits (anything with `words` and `shape`), also
        in blocks (anything with a `grid`);
        anything that converts to an array (pandas, polars); text, bytes; and settings: numbers,
        booleans, None, and lists, tuples and dicts of all these.

    Returns
    -------
    str
        64 hexadecimal digits (SHA-256).

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.execution import fingerprint
    >>> X = np.arange(6.0).reshape(2, 3)
    >>> fingerprint(X, {"a": 1, "b": 2}) == fingerprint(np.asfortranarray(X), {"b": 2, "a": 1})
    True
    >>> fingerprint(X) == fingerprint(X.T)
    False
    """
    digest = hashlib.sha256()
    for part in parts:
        _update(digest, part)
    return digest.hexdigest()


def _update(digest, part) -> None:
    """Add one part after its kind and size, so that no part can run into the next."""
    if isinstance(part, np.ndarray):
        _update_array(digest, part)
    elif sparse.issparse(part):
        _update_sparse(digest, part)
    elif hasattr(part, "words") and hasattr(part, "shape"):
        _head(digest, "bits", [int(size) for size in part.shape])
        _update_json(digest, "runs", _runs_of_words(part.words))
    elif hasattr(part, "grid"):
        _update_blocks(digest, part)
    elif isinstance(part, bytes):
        _head(digest, "bytes", len(part))
        digest.update(part)
    elif hasattr(part, "__array__") and np.ndim(part) > 0:
        _update_array(digest, np.asarray(part))
    else:
        _update_json(digest, "json", part)


def _head(digest, kind: str, detail) -> None:
    digest.update(f"\n{kind} {json.dumps(detail)}\n".encode())


def _update_array(digest, array: np.ndarray) -> None:
    if array.dtype.kind in "OUST":  # text: as values, because its width in memory is an accident
        _head(digest, "values", array.shape)
        _update_json(digest, "text", array.ravel().tolist())
        return
    dtype = array.dtype.newbyteorder("<")
    _head(digest, "array", [dtype.str, *array.shape])
    if array.ndim == 0 or array.size == 0:
        digest.update(array.astype(dtype).tobytes())
        return
    rows = max(1, _BLOCK_BYTES * len(array) // array.nbytes)
    for start in range(0, len(array), rows):
        block = np.ascontiguousarray(array[start : start + rows], dtype=dtype)
        digest.update(block.reshape(-1).view(np.uint8).data)


def _update_sparse(digest, matrix) -> None:
    rows = matrix.tocsr()
    if not rows.has_canonical_format or (rows.data == 0).any():
        rows = rows.copy()  # the caller's matrix stays as it is
        rows.sum_duplicates()
        rows.eliminate_zeros()
    _head(digest, "sparse", [int(size) for size in rows.shape])
    _update_array(digest, rows.data)
    _update_array(digest, rows.indices.astype(np.int64, copy=False))
    _update_array(digest, rows.indptr.astype(np.int64, copy=False))


def _runs_of_words(words: np.ndarray) -> list[str]:
    """Names of runs of columns: the same for a table in one piece and in blocks."""
    return [fingerprint(np.asarray(words[at : at + RUN])) for at in range(0, len(words), RUN)]


def _update_blocks(digest, X) -> None:
    """A table in blocks, by runs of columns, however it is split; bits as if in one piece."""
    from .parts import run_parts

    if X.is_tall:  # runs of whole columns are at hand here alone
        every = range(0, X.shape[1], RUN)
        parts = [_names(X.take(columns=slice(at, at + RUN))) for at in every]
    else:
        parts = run_parts(_name_part, X)
    _head(digest, X.kind, [int(size) for size in X.shape])
    _update_json(digest, "runs", [run for part in parts for run in part])


def _name_part(view) -> list[str]:
    """Names of the runs of a block; worked out once."""
    return view.keep("names", None, lambda: _names(view.data))


def _names(data) -> list[str]:
    if hasattr(data, "words"):
        return _runs_of_words(data.words)
    return [fingerprint(data[:, at : at + RUN]) for at in range(0, data.shape[1], RUN)]


def _update_json(digest, kind: str, value) -> None:
    try:
        text = json.dumps(value, sort_keys=True, ensure_ascii=False, default=_as_json)
    except TypeError as error:
        raise UsageError(
            f"Settings of type {type(value).__name__} have no fingerprint ({error}); "
            "use numbers, text, None, lists, dicts or arrays."
        ) from None
    data = text.encode("utf-8", "surrogatepass")
    _head(digest, kind, len(data))
    digest.update(data)


def _as_json(value):
    """Turn what JSON does not know, such as NumPy's numbers, into what it does."""
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray) or sparse.issparse(value) or hasattr(value, "words"):
        return {"fingerprint": fingerprint(value)}
    if isinstance(value, bytes):
        return {"bytes": value.hex()}
    raise TypeError(f"{type(value).__name__} is not a setting")
