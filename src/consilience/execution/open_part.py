"""A block of a table where it is worked on, and what was made of it there."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import numpy as np


class Rows:
    """Some rows of a table, known by a short name; travels as a mask where they ascend.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.execution.open_part import Rows
    >>> Rows(np.array([3, 1])).name == Rows(np.array([1, 3])).name
    False
    """

    def __init__(self, numbers: np.ndarray):
        self.numbers = np.ascontiguousarray(numbers, dtype=np.int64)
        self.name = hashlib.sha256(self.numbers).hexdigest()

    def __reduce__(self):
        if self.numbers.size and (np.diff(self.numbers) > 0).all():
            mask = np.zeros(self.numbers[-1] + 1, dtype=bool)
            mask[self.numbers] = True
            return _from_mask, (np.packbits(mask),)
        return Rows, (self.numbers.astype(np.min_scalar_type(int(self.numbers.max(initial=0)))),)


def _from_mask(packed: np.ndarray) -> Rows:
    return Rows(np.flatnonzero(np.unpackbits(packed)))


class OpenPart:
    """A block with its content, which is kept as long as somebody needs the block.

    What functions make of the content, such as sorted columns, is kept beside it: the last few
    things for each purpose. A worker that gets the block anew makes them again.

    Parameters
    ----------
    data : BitMatrix, sparse array or ndarray
        The content.
    """

    def __init__(self, data):
        self.data = data
        self._kept: dict[str, OrderedDict] = {}
        self._lock = threading.RLock()

    def view(self, rows: Rows | None, take: Callable) -> View:
        """Some of its rows, or all; those taken last are kept."""
        if rows is None:
            return View(self, self.data, "")
        data = self.keep("rows", rows.name, lambda: take(self.data, rows.numbers))
        return View(self, data, rows.name)

    def keep(self, purpose: str, key: Any, make: Callable | None, room: int = 1) -> Any:
        """Something that was made before, or is made now and kept; None if nothing makes it."""
        with self._lock:
            kept = self._kept.setdefault(purpose, OrderedDict())
            if key not in kept:
                if make is None:
                    return None
                while len(kept) >= room:
                    kept.popitem(last=False)  # before, so that there is room in memory, too
                kept[key] = make()
            kept.move_to_end(key)
            return kept[key]

    def drop(self, purpose: str, key: Any) -> None:
        """Forget something that was kept."""
        with self._lock:
            self._kept.get(purpose, {}).pop(key, None)

    @property
    def nbytes(self) -> int:
        """Bytes of the content, and of what was made of it."""
        kept = [list(things.values()) for things in list(self._kept.values())]
        return _size([self.data, kept], set())

    def __reduce__(self):
        return OpenPart, (self.data,)

    def __sizeof__(self) -> int:
        return object.__sizeof__(self) + self.nbytes


def _size(thing, seen: set[int]) -> int:
    """Bytes of all arrays in a thing, each memory once."""
    if isinstance(thing, np.ndarray):
        place = thing.ctypes.data
        found = 0 if place in seen else thing.nbytes
        seen.add(place)
        return found
    if isinstance(thing, (type, str, bytes)) or id(thing) in seen:
        return 0
    seen.add(id(thing))
    if isinstance(thing, (list, tuple)):
        return sum(_size(each, seen) for each in thing)
    if isinstance(thing, dict):
        return _size(list(thing.values()), seen)
    return _size(list(getattr(thing, "__dict__", {}).values()), seen)


class View:
    """The content of a block, or some rows of it, as functions see it.

    Attributes
    ----------
    data : BitMatrix, sparse array or ndarray
        The content.
    """

    def __init__(self, part: OpenPart, data, name: str):
        self.data, self._part, self._name = data, part, name

    def keep(self, purpose: str, key: Any, make: Callable | None, room: int = 1) -> Any:
        """Keep something that hangs on these rows and a key, see `OpenPart.keep`."""
        return self._part.keep(purpose, (self._name, key), make, room)

    def drop(self, purpose: str, key: Any) -> None:
        """Forget it."""
        self._part.drop(purpose, (self._name, key))
