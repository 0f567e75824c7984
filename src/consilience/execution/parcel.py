"""Objects on their way to another machine: a small head, and large arrays told by their content.

Whatever all tasks share is taken apart here. Large arrays, however deep inside an object, travel on
their own under the hash of their bytes, so that what a worker holds already is never sent again: an
evaluation after a selection sends no second X. The rest, some kilobytes, is one piece.

An object that hangs on a file travels as the place of that file, if all workers see the same
content there: such an object has `reduce_elsewhere`.

The link to a cluster is the one place of consilience that pickles; nothing of it is ever a file.
"""

import hashlib
import io
import pickle
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ..exceptions import TaskError

_APART = 100_000  # bytes from which an array travels on its own
_ALIGNED = 64  # bytes: arrays begin at multiples of it, as those of this process do, or nearly


@dataclass(frozen=True)
class Parcel:
    """Something taken apart.

    Attributes
    ----------
    head : bytes
        All but the large arrays.
    arrays : dict of uint8 arrays
        The bytes of these by the hash of their content, in the order in which the head needs them.
    name : str
        A name for the whole.
    """

    head: bytes
    arrays: dict[str, np.ndarray]
    order: tuple[str, ...]
    name: str

    @property
    def nbytes(self) -> int:
        """Bytes of everything."""
        return len(self.head) + sum(array.nbytes for array in self.arrays.values())


def pack(content, opens: Callable[..., bool] = lambda look, *arguments: False) -> Parcel:
    """Take something apart.

    Parameters
    ----------
    content : object
        All that the calls share.
    opens : callable, default: never
        Whether a function that looks for a file is true on every worker.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.execution.parcel import pack, put_together
    >>> X = np.ones((1000, 100))
    >>> parcel = pack({"X": X, "again": X, "y": [0, 1]})
    >>> len(parcel.arrays), parcel.arrays[parcel.order[0]].nbytes
    (1, 800000)
    >>> again = put_together(parcel.head, [parcel.arrays[name] for name in parcel.order])
    >>> bool((again["X"] == X).all())
    True
    """
    head, buffers = take_apart(content, opens)
    views = [np.frombuffer(buffer, dtype=np.uint8) for buffer in buffers]
    order = tuple(hashlib.sha256(view).hexdigest() for view in views)
    arrays = dict(zip(order, views, strict=True))
    name = hashlib.sha256(" ".join(order).encode() + head).hexdigest()
    return Parcel(head, arrays, order, name)


def take_apart(content, opens: Callable[..., bool]) -> tuple[bytes, list[memoryview]]:
    """A head, and the memory of large arrays in the order in which it needs them; see `pack`."""
    import cloudpickle  # of Dask: takes what is defined in a notebook, too

    buffers = []

    def aside(buffer: pickle.PickleBuffer) -> bool:
        view = buffer.raw()
        if view.nbytes < _APART:
            return True  # stays in the head
        buffers.append(view)
        return False

    class Pickler(cloudpickle.Pickler):
        def reducer_override(self, thing):
            if hasattr(type(thing), "reduce_elsewhere"):
                return thing.reduce_elsewhere(opens)
            if type(thing) in (np.ndarray, np.memmap) and thing.nbytes >= _APART:
                # Cells with gaps between them would stay in the head.
                return np.asarray(thing, order="A" if _is_dense(thing) else "C").__reduce_ex__(5)
            return super().reducer_override(thing)

    written = io.BytesIO()
    Pickler(written, protocol=5, buffer_callback=aside).dump(content)
    return written.getvalue(), buffers


def _is_dense(array: np.ndarray) -> bool:
    return array.flags.c_contiguous or array.flags.f_contiguous


def put_together(head: bytes, arrays: Sequence[np.ndarray] = ()):
    """What was taken apart."""
    return pickle.loads(head, buffers=arrays)


class Carried:
    """The memory of an array on its way: it begins at an even address wherever it arrives.

    What comes over a network begins anywhere in a message. NumPy sums cells at odd addresses in
    pieces, so that the last bits of a sum would be others there.

    Parameters
    ----------
    array : uint8 array
        The memory.

    Examples
    --------
    >>> import pickle
    >>> import numpy as np
    >>> from consilience.execution.parcel import Carried
    >>> there = pickle.loads(pickle.dumps(Carried(np.ones(1000, dtype=np.uint8)), protocol=5))
    >>> there.array.ctypes.data % 64, there.nbytes
    (0, 1000)
    """

    def __init__(self, array: np.ndarray):
        self.array = array

    @property
    def nbytes(self) -> int:
        """Bytes of the memory."""
        return self.array.nbytes

    def __reduce__(self):
        return _arrive, (pickle.PickleBuffer(self.array),)

    def __sizeof__(self) -> int:
        return object.__sizeof__(self) + self.nbytes


def _arrive(buffer) -> Carried:
    array = np.frombuffer(buffer, dtype=np.uint8)
    if array.ctypes.data % _ALIGNED or not array.flags.writeable:
        room = np.empty(array.size + _ALIGNED, dtype=np.uint8)
        first = -room.ctypes.data % _ALIGNED
        room = room[first : first + array.size]
        room[:] = array
        array = room
    return Carried(array)


def in_one_piece(content) -> bytes:
    """A head that holds all, of something small that has no files; for `put_together`."""
    try:
        return pickle.dumps(content, protocol=5)
    except (pickle.PicklingError, AttributeError, TypeError):  # of a notebook
        import cloudpickle

        return cloudpickle.dumps(content, protocol=5)


def portable(error: BaseException) -> BaseException:
    """An error itself if it survives a journey, else one that says the same.

    Examples
    --------
    >>> from consilience.execution.parcel import portable
    >>> class Odd(Exception):
    ...     def __init__(self, column, value):
    ...         super().__init__(f"{column} is {value}")
    >>> portable(ValueError("x"))
    ValueError('x')
    >>> portable(Odd("age", "text"))
    TaskError('A task ended with an error (Odd: age is text).')
    """
    try:
        if type(put_together(in_one_piece(error))) is type(error):
            return error
    except Exception:  # whatever it does on its way
        pass
    return TaskError(f"A task ended with an error ({type(error).__name__}: {error}).")
