"""One process at a time in a run directory, whoever comes first by however little."""

import errno
import os
import subprocess
import sys
import textwrap
import time

import pytest

from consilience.exceptions import CheckpointError
from consilience.execution import Checkpoint, run_lock
from consilience.execution.atomic import create_text

fcntl = pytest.importorskip("fcntl", reason="Windows keeps nobody out")
# Opens a directory at each tick of a common clock, together with its twin, and keeps them all.
TWIN = textwrap.dedent(
    """
    import sys, time
    from consilience.exceptions import CheckpointError
    from consilience.execution import Checkpoint, run_lock
    folder, n_rounds = sys.argv[1], int(sys.argv[2])
    print("ready", flush=True)
    start, kept = float(sys.stdin.readline()), []
    for number in range(n_rounds):
        while time.time() < start + 0.2 * number:
            pass
        try:
            kept.append(Checkpoint(f"{folder}/{number}", {"seed": sys.argv[3]}))
            print("got", flush=True)
        except CheckpointError as error:
            print(str(error).split("; ")[0].split("' ")[1], flush=True)
    sys.stdin.readline()
    """
)


@pytest.mark.parametrize("seeds", ["77", "78"])
def test_of_two_that_begin_at_the_same_moment_one_gets_it(tmp_path, seeds):
    """The same run twice, and two runs."""
    n_rounds = 15
    twins = [
        subprocess.Popen(
            [sys.executable, "-c", TWIN, str(tmp_path), str(n_rounds), seed],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )
        for seed in seeds
    ]  # fmt: skip
    for twin in twins:
        assert twin.stdout.readline() == "ready\n"
    start = f"{time.time() + 0.2}\n"
    for twin in twins:
        twin.stdin.write(start)
        twin.stdin.flush()
    found = [[twin.stdout.readline() for _ in range(n_rounds)] for twin in twins]
    for twin in twins:
        twin.communicate(timeout=60)
    for one, other in zip(*found, strict=True):
        got, refused = sorted([one, other])
        assert got == "got\n"
        assert refused.startswith(("is in use by another process", "holds another run"))


def test_the_lock_is_one_that_network_file_systems_give(tmp_path, monkeypatch):
    """Linux locks a file of NFS for one alone only if it is open for writing."""
    lock = fcntl.flock

    def lock_of_nfs(file, how):
        if how & fcntl.LOCK_EX and fcntl.fcntl(file, fcntl.F_GETFL) & os.O_ACCMODE == os.O_RDONLY:
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        return lock(file, how)

    monkeypatch.setattr(fcntl, "flock", lock_of_nfs)
    kept = Checkpoint(tmp_path / "run", {"seed": 0})
    again = "from consilience.execution import Checkpoint; Checkpoint('run', {'seed': 0})"
    done = subprocess.run(
        [sys.executable, "-c", again], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert "is in use by another process" in done.stderr
    assert kept.keys() == []


def test_a_directory_that_may_not_be_written_to_can_be_locked(tmp_path):
    Checkpoint(tmp_path / "run", {"seed": 0})
    manifest = tmp_path / "run" / "manifest.json"
    manifest.chmod(0o444)
    assert Checkpoint(tmp_path / "run", {"seed": 0}).keys() == []


@pytest.mark.parametrize("links", [True, False])
def test_a_file_that_is_there_stays(tmp_path, monkeypatch, links):
    if not links:

        def refuse(*_):
            raise OSError(errno.EPERM, "no links here")

        monkeypatch.setattr(os, "link", refuse)
    path = tmp_path / "mine"
    assert create_text(path, "one")
    assert not create_text(path, "other")
    assert path.read_text() == "one"
    assert [each.name for each in tmp_path.iterdir()] == ["mine"]


def test_a_run_that_begins_at_the_last_moment_is_seen(tmp_path, monkeypatch):
    def late(path, text):
        path.write_text(text.replace('"seed": 0', '"seed": 1'))  # somebody else's
        return False

    monkeypatch.setattr("consilience.execution.checkpoint.create_text", late)
    with pytest.raises(CheckpointError, match="holds another run: its seed is 1"):
        Checkpoint(tmp_path / "run", {"seed": 0})


def test_where_there_are_no_locks_no_file_is_held_open(tmp_path, monkeypatch):
    """Windows removes no file that is open."""
    opened = []
    monkeypatch.setattr(run_lock, "fcntl", None)
    monkeypatch.setattr(run_lock, "_open", opened.append)
    assert Checkpoint(tmp_path / "run", {"seed": 0}).keys() == []
    assert not opened
