"""The file of a BitMatrix: a page of header, the words ready to be mapped, then what checks them.

::

    bytes 0-7    magic
    bytes 8-11   version, little-endian, now 2
    bytes 12-15  length of the header, 4096
    bytes 16-47  SHA-256 of the header from here on
    bytes 48-    JSON: the shape, and of each part below its length and CRC-32; padded with blanks
    then         the words, little-endian, column after column
    then         the CRC-32 of each block of columns, uint32 little-endian
    then         JSON with the classes and names, if the file has any

The words are checked block by block, so that damage is found at the speed of memory (3.8 GB/s
where SHA-256 makes 1.5), and can be told by the columns in which it lies. A CRC finds what disks
and transfers do to a file; it is no protection from somebody who means harm.

Version 1, a header of 64 bytes or more whose SHA-256 is that of all that follows, is still read.
"""

from __future__ import annotations

import hashlib
import json
import struct
import zlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..exceptions import DataError
from .bits_labels import BitsLabels
from .bits_tail import past_the_end
from .file_stamp import FileStamp

# A byte above 127 and both line ends, as in PNG: a transfer as text damages the magic first.
MAGIC = b"\x93CBITS\r\n"
VERSION = 2
HEADER = 4096  # a page, so that the words begin at one
_PREFIX = struct.Struct("<8sII32s")
_LONGEST = 1 << 16  # header that is read; a damaged length must not ask for the whole file
_BLOCK = 1 << 22  # bytes of words under one checksum
_CHUNK = 1 << 24

# Files whose words were found whole by this process; a file that is written anew is another one.
_verified: set[FileStamp] = set()


@dataclass(frozen=True)
class Header:
    """What the first bytes of a file say of the rest."""

    n_samples: int
    n_features: int
    columns_per_block: int
    checksums: dict | None = None  # {"n_bytes", "crc32"} of the part behind the words
    labels: dict | None = None
    length: int = HEADER
    version: int = VERSION
    digest: bytes = b""
    text: bytes = b""

    @property
    def n_words(self) -> int:
        """Words of a column."""
        return (self.n_samples + 63) >> 6

    @property
    def words_end(self) -> int:
        """Where the words end."""
        return self.length + 8 * self.n_words * self.n_features

    @property
    def size(self) -> int:
        """Bytes of the whole file."""
        parts = (part["n_bytes"] for part in (self.checksums, self.labels) if part)
        return self.words_end + sum(parts)

    @property
    def n_blocks(self) -> int:
        """Blocks of columns, each with its checksum."""
        return -(-self.n_features // self.columns_per_block)

    def to_bytes(self) -> bytes:
        """The header as it stands in the file."""
        names = ("n_samples", "n_features", "columns_per_block", "checksums", "labels")
        parts = {name: getattr(self, name) for name in names} | {"words": "uint64 little"}
        text = json.dumps(parts, sort_keys=True).encode().ljust(HEADER - _PREFIX.size)
        return _PREFIX.pack(MAGIC, VERSION, HEADER, hashlib.sha256(text).digest()) + text


def columns_per_block(n_samples: int) -> int:
    """How many columns stand under one checksum: some megabytes."""
    return max(1, _BLOCK // max(8, (n_samples + 63) // 64 * 8))


def read(path: Path, *, verify: bool | str) -> tuple[np.ndarray, int, FileStamp]:
    """Map the words of `path`; give them with the number of rows and the stamp of the file.

    With `verify` "once" the words are compared with their checksums unless this process has done
    so since the file was written; True compares them again, False never.
    """
    header, stamp = read_header(path)
    words = map_words(path, header)
    if verify is True or (verify and stamp not in _verified):
        check_words(path, header, words)
        _verified.add(stamp)
    return words, header.n_samples, stamp


def read_header(path: Path) -> tuple[Header, FileStamp]:
    """Header and stamp of a file that is as long as it should be."""
    try:
        with path.open("rb") as file:
            stamp = FileStamp.of_open(path, file)
            prefix = file.read(_PREFIX.size)
            if len(prefix) < _PREFIX.size or not prefix.startswith(MAGIC):
                raise DataError(
                    f"'{path}' is not a BitMatrix file; write one with BitMatrix.save or "
                    "`consilience pack`."
                )
            _, version, length, digest = _PREFIX.unpack(prefix)
            if version not in (1, VERSION):
                raise DataError(
                    f"'{path}' has version {version} of the BitMatrix format and this consilience "
                    f"reads versions 1 and {VERSION}; update consilience or save the file again."
                )
            text = file.read(max(0, min(length, _LONGEST) - _PREFIX.size))
    except OSError as error:
        raise DataError(f"Cannot read '{path}': {error.strerror or error}.") from error
    header = _parse(path, version, length, digest, text)
    if stamp.size != header.size:
        how = "cut short" if stamp.size < header.size else "longer than it should be"
        raise DataError(
            f"'{path}' is {how}: it has {stamp.size} bytes and its header promises {header.size}; "
            "copy or save it again."
        )
    return header, stamp


def is_at(path: Path, digest: bytes) -> bool:
    """Whether a file is there whose header, which has the checksums of all else, is this one."""
    try:
        return read_header(path)[0].digest == digest
    except DataError:
        return False


def map_words(path: Path, header: Header) -> np.ndarray:
    """The words as uint64[n_features, n_words], read when they are first used."""
    shape = (header.n_features, header.n_words)
    if 0 in shape:  # an empty file part cannot be mapped
        return np.zeros(shape, dtype=np.uint64)
    # Copy-on-write, never flushed: as good as read-only, yet of the same type to Numba as an
    # array in memory, which would otherwise compile every kernel a second time.
    words = np.memmap(path, dtype="<u8", mode="c", offset=header.length, shape=shape)
    return np.asarray(words).astype(np.uint64, copy=False)


def read_labels(path: Path) -> BitsLabels:
    """Classes and names in the file; checked always, for they are short."""
    header, _ = read_header(path)
    if header.labels is None:
        return BitsLabels()
    text = _part(path, header, "labels", header.words_end + header.checksums["n_bytes"])
    return BitsLabels.from_json(text).check(header.n_samples, header.n_features, path)


def check_words(path: Path, header: Header, words: np.ndarray) -> None:
    """Compare mapped words with their checksums; one pass over the file.

    Behind the last row there are no ones: sums may agree with what should never have been written.
    """
    if header.version == 1:
        actual = hashlib.sha256(header.text)
        step = max(1, _CHUNK // max(1, 8 * header.n_words))
        for start in range(0, header.n_features, step):
            actual.update(as_bytes(words[start : start + step]))
        if actual.digest() != header.digest:
            raise DataError(f"'{path}' is damaged: its checksum does not agree; save it again.")
        refuse_past_the_end(words, header.n_samples, path)
        return
    expected = np.frombuffer(_part(path, header, "checksums", header.words_end), dtype="<u4")
    step = header.columns_per_block
    for block, start in enumerate(range(0, header.n_features, step)):
        part = words[start : start + step]
        if zlib.crc32(as_bytes(part)) != expected[block]:
            last = min(start + step, header.n_features)
            raise DataError(
                f"'{path}' is damaged: the checksum of its columns {start + 1} to {last} does not "
                "agree; copy it or pack it again."
            )
        refuse_past_the_end(part, header.n_samples, path, start)


def refuse_past_the_end(words: np.ndarray, n_samples: int, path: Path, first: int = 0) -> None:
    """Refuse columns of a file, of which this is number `first`, with ones behind the last row."""
    column = past_the_end(words, n_samples)
    if column is not None:
        raise DataError(
            f"'{path}' is damaged: its column {first + column + 1} holds ones behind the last of "
            f"its {n_samples} rows; copy it or pack it again."
        )


def as_bytes(words: np.ndarray) -> memoryview:
    """Words in the order of the file."""
    if words.size == 0:
        return memoryview(b"")
    return memoryview(np.ascontiguousarray(words).astype("<u8", copy=False)).cast("B")


def _part(path: Path, header: Header, name: str, start: int) -> bytes:
    """Bytes of a part behind the words, found whole."""
    told = getattr(header, name)
    try:
        with path.open("rb") as file:
            file.seek(start)
            data = file.read(told["n_bytes"])
    except OSError as error:
        raise DataError(f"Cannot read '{path}': {error.strerror or error}.") from error
    if len(data) != told["n_bytes"] or zlib.crc32(data) != told["crc32"]:
        raise DataError(
            f"'{path}' is damaged: its {name} cannot be read; copy it or pack it again."
        )
    return data


def _parse(path: Path, version: int, length: int, digest: bytes, text: bytes) -> Header:
    """What the header states, if it is one."""
    damaged = DataError(f"'{path}' is damaged: its header cannot be read; save it again.")
    if version == VERSION and hashlib.sha256(text).digest() != digest:
        raise damaged
    try:
        told = json.loads(text)
        shape = told["n_samples"], told["n_features"]
        parts = {} if version == 1 else {name: told[name] for name in ("checksums", "labels")}
        step = columns_per_block(0) if version == 1 else told["columns_per_block"]
    except (ValueError, KeyError, TypeError) as error:
        raise damaged from error
    if not all(isinstance(size, int) and 0 <= size < 1 << 48 for size in shape):
        raise damaged
    return Header(*shape, step, **parts, length=length, version=version, digest=digest, text=text)
