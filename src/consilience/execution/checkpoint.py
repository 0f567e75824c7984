"""Finished tasks on disk, under a manifest that says which run they belong to."""

import contextlib
import json
import os
import re
import shutil
import uuid
import zipfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ..exceptions import CheckpointError, UsageError
from .atomic import SUFFIX, atomic_writer, create_text
from .run_lock import RunLock

FORMAT = {"format": "consilience.checkpoint", "format_version": 1}
_ABSENT = object()
_KEY = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]*")


class Checkpoint:
    """A directory that keeps the result of every finished task of one run.

    A result is written beside its place, forced to the disk and renamed, so that a task is either
    done or not, even if the machine loses power. The manifest names data and settings of the run;
    another run is refused, because mixing the two would give a wrong answer without a sign, and so
    is a second process that works in the same directory. Nothing is pickled: the manifest is JSON,
    results are npz files of plain arrays.

    A copy in another process writes into the same directory if it is there, and on a machine that
    does not see it keeps nothing: the results that it returns are then kept where they arrive.

    Parameters
    ----------
    directory : str or path-like
        Created when missing.
    manifest : dict
        Settings and fingerprints that decide the results, as JSON values. None for a part of a
        larger run whose own manifest covers it (see `scope`).

    Examples
    --------
    >>> import tempfile
    >>> import numpy as np
    >>> from consilience.execution import Checkpoint
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     Checkpoint(folder, {"seed": 0}).store("000001", {"ranking": np.array([2, 1])})
    ...     Checkpoint(folder, {"seed": 0}).load("000001")["ranking"]
    array([2, 1])
    """

    def __init__(self, directory: str | os.PathLike, manifest: Mapping[str, Any] | None):
        self.directory = Path(directory)
        self.manifest = None if manifest is None else json.loads(json.dumps(dict(manifest)))
        with _explained(self.directory):
            self._open()
        # A thread that still works when a run has ended must not write where the program is then.
        self.directory = self.directory.absolute()
        self._attached = True

    def get(self, key: str) -> dict[str, np.ndarray] | None:
        """Arrays of a finished task; None if it is not finished.

        A damaged file counts as not finished: computing again is safe, trusting it is not.
        """
        if not self._attached:
            return None
        try:
            # Opened here, because NumPy leaves a damaged file open.
            with self._path(key).open("rb") as file, np.load(file, allow_pickle=False) as archive:
                return {name: archive[name] for name in archive.files}  # reading checks the CRC
        except Exception:  # numpy and zipfile raise a dozen kinds for a damaged file
            return None

    def load(self, key: str) -> dict[str, np.ndarray]:
        """Arrays of a finished task; refuses one that is not finished."""
        arrays = self.get(key)
        if arrays is None:
            raise CheckpointError(f"Task {key!r} is not finished in '{self.directory}'.")
        return arrays

    def store(self, key: str, arrays: Mapping[str, Any]) -> None:
        """Write the result of a task: when this returns, it is on disk for good."""
        if not self._attached:
            return
        path = self._path(key)
        with _explained(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            with atomic_writer(path) as file, zipfile.ZipFile(file, "w") as archive:
                for name, array in arrays.items():
                    with archive.open(zipfile.ZipInfo(f"{name}.npy"), "w", force_zip64=True) as out:
                        np.lib.format.write_array(out, np.asarray(array), allow_pickle=False)

    def scope(self, name: str) -> "Checkpoint":
        """Return a part of this run with task keys of its own, such as one fold of an evaluation.

        The manifest of the whole run covers its parts, so the part carries none.
        """
        if not self._attached:
            return self
        part = Checkpoint(self.directory / "scopes" / _checked(name), None)
        part._run, part._lock = self._run, self._lock  # held as long as a part is in use
        return part

    def keys(self) -> list[str]:
        """Keys of the task files, sorted; scopes have their own."""
        return sorted(path.stem for path in (self.directory / "tasks").glob("*.npz"))

    def clear(self) -> None:
        """Remove all results, of scopes too, and keep the manifest; for when they are not needed.

        Only what a checkpoint writes is removed, so that a stray file in the directory survives.
        """
        for name in ("tasks", "scopes"):
            shutil.rmtree(self.directory / name, ignore_errors=True)
        for leftover in self.directory.glob(f".*{SUFFIX}"):
            leftover.unlink(missing_ok=True)

    def __getstate__(self):
        return {**vars(self), "_lock": None}

    def __setstate__(self, state):
        vars(self).update(state)
        self._attached = self._attached and _mark(self._run[0]) == self._run[1]

    def _open(self) -> None:
        path = self.directory / "manifest.json"
        self._run, self._lock = (path.absolute(), None), None
        if not path.exists():
            self._begin(path)
        if path.exists():  # also of another process that began at the same moment
            self._compare(read_manifest(path))
            self._own(path)

    def _begin(self, path: Path) -> None:
        """Make the directory, and a run in it unless this is a part of one."""
        if self.manifest is not None and self.directory.exists():
            names = [child.name for child in self.directory.iterdir()]
            strangers = [name for name in names if not name.endswith(SUFFIX)]
            if strangers and not path.exists():
                raise CheckpointError(
                    f"Directory '{self.directory}' holds other files, such as '{min(strangers)}', "
                    "and no run; choose another directory or remove it."
                )
        self.directory.mkdir(parents=True, exist_ok=True)
        if self.manifest is not None:
            told = {**FORMAT, "manifest": self.manifest, "mark": uuid.uuid4().hex}
            create_text(path, json.dumps(told, indent=1, sort_keys=True) + "\n")

    def _own(self, path: Path) -> None:
        """Keep other processes out, and know the directory again: by its mark."""
        self._run, self._lock = (path.absolute(), _mark(path)), RunLock.take(path)

    def _compare(self, found: dict) -> None:
        """Refuse the manifest of another run, and say what is different."""
        difference = None if self.manifest is None else first_difference(self.manifest, found)
        if difference:
            raise CheckpointError(
                f"Directory '{self.directory}' holds another run: {difference}; choose another "
                "directory or remove that one."
            )

    def _path(self, key: str) -> Path:
        return self.directory / "tasks" / f"{_checked(key)}.npz"


def open_checkpoint(
    where: "str | os.PathLike | Checkpoint | None", manifest: Mapping[str, Any]
) -> Checkpoint | None:
    """Open what a caller gave as `checkpoint`: nothing, a directory, or a part of a larger run.

    Parameters
    ----------
    where : None, str, path-like or Checkpoint
        None stays None; a directory is opened under `manifest`; a `Checkpoint` is taken as it is,
        for the manifest of whoever lent it covers this run.
    manifest : dict
        Settings and fingerprints that decide the results.

    Examples
    --------
    >>> from consilience.execution import open_checkpoint
    >>> open_checkpoint(None, {"seed": 0}) is None
    True
    """
    if where is None or isinstance(where, Checkpoint):
        return where
    return Checkpoint(where, manifest)


def open_seeded(
    where: "str | os.PathLike | Checkpoint | None",
    random_state,
    manifest: Callable[[], Mapping[str, Any]],
) -> Checkpoint | None:
    """Open the `checkpoint` of an estimator, which only a seed makes one that can be resumed.

    Parameters
    ----------
    where : None, str, path-like or Checkpoint
        As in `open_checkpoint`.
    random_state : int, RandomState or None
        The estimator's own.
    manifest : callable
        Gives the manifest; asked for only where a directory is opened, as data are read for it.
    """
    if where is None or isinstance(where, Checkpoint):
        return where
    if not isinstance(where, (str, os.PathLike)):
        raise UsageError(f"checkpoint is {where!r}; give the path of a directory, or None.")
    if random_state is None:
        raise UsageError(
            "checkpoint is given and random_state is None, so that every run would be another "
            "one; give random_state a number and the run can be resumed."
        )
    return Checkpoint(where, manifest())


def _mark(path: Path) -> str | None:
    """Which run directory this is, of all with the same path on any machine; None if none is."""
    try:
        return json.loads(path.read_text(encoding="utf-8")).get("mark")
    except (OSError, ValueError, AttributeError):
        return None


def _checked(key: str) -> str:
    if not isinstance(key, str) or not _KEY.fullmatch(key):
        raise UsageError(
            f"Checkpoint key {key!r} cannot be a file name; use letters, digits, '.', '_' and '-'."
        )
    return key


def read_manifest(path: str | os.PathLike) -> dict:
    """Manifest in the file `path`; refuses a file that is something else."""
    try:
        document = json.loads(Path(path).read_text(encoding="utf-8"))
        if {key: document[key] for key in FORMAT} == FORMAT and document["mark"]:
            return dict(document["manifest"])
    except (ValueError, KeyError, TypeError):
        pass
    raise CheckpointError(
        f"File '{path}' is not the manifest of a run of this version; choose another directory "
        "or remove that one."
    )


def first_difference(mine: Mapping[str, Any], theirs: Mapping[str, Any]) -> str | None:
    """Say in which setting the manifest of another run differs from mine; None when equal.

    Examples
    --------
    >>> from consilience.execution.checkpoint import first_difference
    >>> first_difference({"models": 100, "seed": 0}, {"models": 150, "seed": 0})
    "its models is 150, this run's is 100"
    """
    flat_mine, flat_theirs = dict(_flat(mine)), dict(_flat(theirs))
    for name in {**flat_mine, **flat_theirs}:
        here, there = (_shown(flat.get(name, _ABSENT)) for flat in (flat_mine, flat_theirs))
        if flat_mine.get(name, _ABSENT) != flat_theirs.get(name, _ABSENT):
            return f"its {name} is {there}, this run's is {here}"
    return None


def _flat(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Leaves of nested dicts under dotted names."""
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            yield from _flat(inner, f"{name}.{key}" if name else str(key))
    else:
        yield name, value


def _shown(value: Any) -> str:
    text = "absent" if value is _ABSENT else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 40 else f"{text[:17]}..."


@contextlib.contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Turn an error of the disk into a sentence."""
    try:
        yield
    except OSError as error:
        raise CheckpointError(
            f"Cannot write '{path}' ({error.strerror or error}); what was finished is kept, so "
            "free space or give another directory, and resume."
        ) from error
