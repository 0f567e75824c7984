"""Where a run is kept: one directory for one run, never mixed and never half-written."""

import contextlib
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..exceptions import CheckpointError, UsageError
from ..execution import Checkpoint
from ..execution.atomic import SUFFIX, sync_directory
from ..execution.checkpoint import first_difference, read_manifest
from ..execution.run_lock import RunLock

# In the order in which they take their places: result.json says that all is there.
FILES = ("models.npz", "panel.csv", "report.html", "result.json")


class RunDirectory:
    """A directory that holds one run: its checkpoint while it works, then its files.

    The manifest of the checkpoint stays when the run is finished (a few hundred bytes that tell
    which run this is); the results of single tasks are removed, because `models.npz` has them.

    Parameters
    ----------
    path : Path
        The directory; it need not exist.
    files : sequence of str, default=FILES
        What a finished run of its kind leaves there; the last one says that all is there.
    """

    def __init__(self, path: Path, files: Sequence[str] = FILES):
        self.path = path
        self.files = files
        self._manifest = path / "checkpoint" / "manifest.json"
        # Directories that this run will make, and takes away again if it fails at once.
        self._made = [folder for folder in (path, *path.parents) if not folder.exists()]
        self._began = False  # whether the manifest is this run's own, and not found here

    @property
    def finished(self) -> bool:
        """Whether the run is complete."""
        return (self.path / self.files[-1]).exists()

    def refuse_strangers(self) -> None:
        """Refuse a directory with other people's files, before any work."""
        if self.path.exists() and not self.path.is_dir():
            raise UsageError(f"'{self.path}' is a file; give a directory as --out.")
        if self._manifest.exists() or not self.path.exists():
            return
        strangers = sorted(p.name for p in self.path.iterdir() if not p.name.endswith(SUFFIX))
        if strangers:
            raise CheckpointError(
                f"Directory '{self.path}' holds other files, such as '{strangers[0]}'; give "
                "another --out, so that nothing is mixed up."
            )

    def open(self, manifest: Mapping[str, Any], *, resume: bool) -> Checkpoint:
        """Begin or continue the run of this manifest; refuse any other.

        A demo takes the place of an earlier demo: nobody's own work is in there.
        """
        self.refuse_strangers()
        if self._manifest.exists() and manifest["kind"] == "demo":
            if read_manifest(self._manifest).get("kind") == "demo":
                # Not while another process is at it. Let go at once: some file systems keep the
                # name of a file that is open.
                RunLock.take(self._manifest)
                self.discard()
        if self._manifest.exists():
            difference = first_difference(manifest, read_manifest(self._manifest))
            if difference:
                raise CheckpointError(
                    f"Directory '{self.path}' holds another run: {difference}; give another --out "
                    "or remove that directory."
                )
            if not resume:
                if not self.finished:
                    RunLock.take(self._manifest)  # not "remove it" while another process is at it
                raise CheckpointError(self._already())
        self._began = not self._manifest.exists()
        try:
            return Checkpoint(self.path / "checkpoint", manifest)
        except CheckpointError:
            self._began &= not self._manifest.exists()  # another run was quicker by a moment
            raise

    def discard(self) -> None:
        """Remove the run, and the directory with it unless something else is in there."""
        for name in self.files:
            (self.path / name).unlink(missing_ok=True)
        shutil.rmtree(self.path / "checkpoint", ignore_errors=True)
        with contextlib.suppress(OSError):  # not empty, or not there
            self.path.rmdir()

    def discard_if_unused(self) -> None:
        """Remove what an early failure of this run left: a manifest without a single result.

        A manifest that was there before may be of a run that works at this moment, and stays.
        """
        used = self.finished or any((self.path / "checkpoint").rglob("*.npz"))
        if self._began and not used:
            shutil.rmtree(self.path / "checkpoint", ignore_errors=True)
            with contextlib.suppress(OSError):  # not empty, or never made
                for folder in self._made:
                    folder.rmdir()

    @contextlib.contextmanager
    def staged(self) -> Iterator[Path]:
        """Collect the final files aside, and put them in place when all are written.

        So a disk that fills up half-way leaves none of them, and the checkpoint to go on from.
        """
        stage = self.path / f".files{SUFFIX}"
        shutil.rmtree(stage, ignore_errors=True)
        try:
            stage.mkdir()
            yield stage
            for name in self.files:
                (stage / name).replace(self.path / name)
            sync_directory(self.path)  # before anybody removes what they were made from
        except OSError as error:
            raise CheckpointError(
                f"Cannot write the result into '{self.path}' ({error.strerror or error}); the work "
                "is kept, so free space and run the same command with --resume."
            ) from error
        finally:
            shutil.rmtree(stage, ignore_errors=True)

    def _already(self) -> str:
        if self.finished:
            return (
                f"Directory '{self.path}' already holds the result of this very run; open "
                f"'{self.path / 'report.html'}', or remove the directory to run it again."
            )
        return (
            f"Directory '{self.path}' holds this very run, unfinished; add --resume to go on, or "
            "remove the directory to start anew."
        )
