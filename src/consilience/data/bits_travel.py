"""How a BitMatrix gets into another process: as the place of its file, or as its words."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from . import bits_file
from .file_stamp import FileStamp

if TYPE_CHECKING:
    from .bits import BitMatrix


def reduce_here(bits: BitMatrix) -> tuple:
    """Pickle for a process of this machine: the place of a mapped file as long as it is unchanged.

    Examples
    --------
    >>> import pickle
    >>> from consilience import BitMatrix
    >>> pickle.loads(pickle.dumps(BitMatrix.from_array([[0, 1], [1, 1]]))).column_sums()
    array([1, 2])
    """
    kind = type(bits)
    if bits.source is None:
        return kind.trusted, (bits.words, bits.shape[0])
    if bits.source.is_current():
        return _map_again, (kind, bits.source, bits.shape[0], bits.first, bits.shape[1])
    return kind, (bits.words, bits.shape[0])


def reduce_elsewhere(bits: BitMatrix, opens: Callable[..., bool]) -> tuple:
    """Pickle for other machines: the place of the file if it is there too, else the words.

    Parameters
    ----------
    bits : BitMatrix
        What is to travel.
    opens : callable
        Whether a function of some arguments is true on all of these machines.
    """
    kind, place = type(bits), place_of(bits)
    if place is not None and opens(*place):
        *_, digest = place
        return _open_elsewhere, (kind, bits.source, digest, bits.first, bits.shape[1])
    return kind.trusted, (bits.words, bits.shape[0])


def place_of(bits: BitMatrix) -> tuple | None:
    """A function that looks for the same file, and its arguments; None of a matrix without one."""
    if bits.source is None or not bits.source.is_current():
        return None
    header, _ = bits_file.read_header(bits.source.path)
    return bits_file.is_at, bits.source.path, header.digest


def _map_again(kind, source: FileStamp, n_samples: int, first: int, n_features: int) -> BitMatrix:
    """Columns of a file that was opened before; its words are not verified a second time."""
    header, stamp = bits_file.read_header(source.path)
    if stamp != source:
        source.check()
    words = bits_file.map_words(source.path, header)[first : first + n_features]
    return kind.trusted(words, n_samples, source, first)


def _open_elsewhere(kind, source: FileStamp, digest: bytes, first: int, n_features: int):
    """Columns of a file of this content at this place; a copy of it is verified first."""
    if not bits_file.is_at(source.path, digest):
        raise OSError(f"'{source.path}' is not there, or has another content")
    header, stamp = bits_file.read_header(source.path)
    words = bits_file.read(source.path, verify=stamp != source and "once")[0]
    return kind.trusted(words[first : first + n_features], header.n_samples, stamp, first)
