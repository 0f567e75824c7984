"""The file of a BitMatrix: a short header with a checksum, then the words, ready to be mapped.

::

    bytes 0-7    magic
    bytes 8-11   version, little-endian, now 1
    bytes 12-15  length of the header, a multiple of 64
    bytes 16-47  SHA-256 of everything that follows
    bytes 48-    JSON with the shape, padded with spaces up to the length of the header
    then         the words, little-endian, column after column
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import secrets
import struct
import sys
from pathlib import Path

import numpy as np

from ..exceptions import ConsilienceError, DataError

# A byte above 127 and both line ends, as in PNG: a transfer as text damages the magic first.
MAGIC = b"\x93CBITS\r\n"
VERSION = 1
_PREFIX = struct.Struct("<8sII32s")
_CHUNK = 1 << 24


def write(path: Path, words: np.ndarray, n_samples: int) -> None:
    """Write words uint64[n_features, n_words] under `path`, whole or not at all."""
    shape = {"n_features": words.shape[0], "n_samples": int(n_samples), "words": "uint64 little"}
    text = json.dumps(shape, sort_keys=True).encode()
    length = -(-(_PREFIX.size + len(text)) // 64) * 64
    text = text.ljust(length - _PREFIX.size)
    digest = hashlib.sha256(text)
    for chunk in _chunks(words):
        digest.update(chunk)

    # In the same directory, so that the rename cannot cross devices.
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        with temporary.open("xb") as file:
            file.write(_PREFIX.pack(MAGIC, VERSION, length, digest.digest()) + text)
            for chunk in _chunks(words):
                file.write(chunk)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError as error:
        raise ConsilienceError(
            f"Cannot write '{path}': {error.strerror or error}; nothing was left there, choose "
            "another place or free some space."
        ) from error
    finally:
        with contextlib.suppress(OSError):  # after the rename there is nothing to remove
            temporary.unlink()


def read(path: Path, *, verify: bool) -> tuple[np.ndarray, int]:
    """Map the words of `path`; give them with the number of rows."""
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            prefix = file.read(_PREFIX.size)
            if len(prefix) < _PREFIX.size or not prefix.startswith(MAGIC):
                raise DataError(f"'{path}' is not a BitMatrix file; write one with BitMatrix.save.")
            _, version, length, digest = _PREFIX.unpack(prefix)
            if version != VERSION:
                raise DataError(
                    f"'{path}' has version {version} of the BitMatrix format and this consilience "
                    f"reads version {VERSION}; update consilience or save the file again."
                )
            text = file.read(max(0, min(length, size) - _PREFIX.size))
    except OSError as error:
        raise DataError(f"Cannot read '{path}': {error.strerror or error}.") from error
    n_samples, n_features = _parse(path, text)
    n_words = (n_samples + 63) >> 6
    expected = length + 8 * n_words * n_features
    if size != expected:
        how = "cut short" if size < expected else "longer than it should be"
        raise DataError(
            f"'{path}' is {how}: it has {size} bytes and its header promises {expected}; copy or "
            "save it again."
        )
    shape = (n_features, n_words)
    if 0 in shape:  # an empty file part cannot be mapped
        words = np.zeros(shape, dtype=np.uint64)
    else:
        # Copy-on-write, never flushed: as good as read-only, yet of the same type to Numba as an
        # array in memory, which would otherwise compile every kernel a second time.
        words = np.asarray(np.memmap(path, dtype="<u8", mode="c", offset=length, shape=shape))
    if verify:
        actual = hashlib.sha256(text)
        for chunk in _chunks(words):
            actual.update(chunk)
        if actual.digest() != digest:
            raise DataError(f"'{path}' is damaged: its checksum does not agree; save it again.")
    return words.astype(np.uint64, copy=False), n_samples


def _parse(path: Path, text: bytes) -> tuple[int, int]:
    """Shape that the header states."""
    try:
        header = json.loads(text)
        shape = header["n_samples"], header["n_features"]
    except (ValueError, KeyError, TypeError):
        shape = None, None
    if not all(isinstance(size, int) and 0 <= size < 1 << 48 for size in shape):
        raise DataError(f"'{path}' is damaged: its header cannot be read; save it again.")
    return shape


def _chunks(words: np.ndarray):
    """Bytes of the words in file order, some megabytes at once."""
    if words.size == 0:
        return
    step = max(1, _CHUNK // max(1, 8 * words.shape[1]))
    for start in range(0, words.shape[0], step):
        chunk = np.ascontiguousarray(words[start : start + step])
        yield memoryview(chunk if sys.byteorder == "little" else chunk.astype("<u8")).cast("B")
