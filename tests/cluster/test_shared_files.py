"""Data in a file that workers see too are opened there; what they do not see is sent."""

import shutil
import subprocess
import threading

import numpy as np
import pytest

from cluster import tasks
from cluster.real import RealCluster, client_of
from consilience import BitMatrix
from consilience.exceptions import DataError
from consilience.execution import run_tasks


@pytest.fixture
def saved(tmp_path):
    """A matrix in a file, in a directory of its own."""
    folder = tmp_path / "data"
    folder.mkdir()
    X = BitMatrix.from_array(np.random.default_rng(0).integers(0, 2, (300, 5000)))
    X.save(folder / "x.bits")
    return folder / "x.bits"


@pytest.fixture
def sent(monkeypatch):
    """Bytes of the arrays that clients send."""
    from distributed import Client

    sizes, scatter = [], Client.scatter

    def counted(self, data, **how):
        sizes.extend(each.nbytes if hasattr(each, "nbytes") else len(each) for each in data)
        return scatter(self, data, **how)

    monkeypatch.setattr(Client, "scatter", counted)
    return sizes


def run(X):
    found = run_tasks(tasks.mapped_ones, range(4), shared=(X,), anywhere=True)
    assert [int(each["ones"]) for each in found] == X.column_sums()[:4].tolist()
    return {str(each["source"]) for each in found}


def test_a_file_that_all_workers_see_is_opened_by_them(cluster, saved, sent):
    X = BitMatrix.open(saved)
    with client_of(cluster):
        assert run(X) == {str(saved)}
        assert run(X.take(columns=slice(100, 900))) == {str(saved)}
    assert sum(sent) < 10_000


def test_a_file_that_was_changed_is_not_taken_for_the_old_one(cluster, saved, sent):
    """What is mapped here is sent, whatever is at its place now."""
    X = BitMatrix.open(saved)
    ones = X.column_sums()
    BitMatrix.from_array(np.zeros((300, 5000))).save(saved)  # a new file: the old one stays mapped
    with client_of(cluster):
        found = run_tasks(tasks.mapped_ones, range(4), shared=(X,), anywhere=True)
    assert [int(each["ones"]) for each in found] == ones[:4].tolist()
    assert {str(each["source"]) for each in found} == {""}


def worker_with(own, folder, command):
    """Add a worker for which an empty disk lies over a folder, filled by a command."""
    script = f'mount -t tmpfs none {folder} && {command} && exec "$@"'
    own.start_worker(inside=["unshare", "--mount", "sh", "-c", script, "_"])


@pytest.fixture
def own(tmp_path):
    """A cluster whose workers may see other files than this process."""
    mounting = ["unshare", "--mount", "mount", "-t", "tmpfs", "none", str(tmp_path)]
    if not shutil.which("unshare") or subprocess.run(mounting, check=False).returncode:
        pytest.skip("only root can give a worker another view of a directory")
    cluster = RealCluster(tmp_path / "dask", n_workers=0)
    yield cluster
    cluster.close()


def test_a_copy_of_the_same_content_will_do(own, saved, sent, tmp_path):
    shutil.copyfile(saved, tmp_path / "copy")
    worker_with(own, saved.parent, f"cp {tmp_path / 'copy'} {saved}")
    own.wait(1)
    with client_of(own):
        assert run(BitMatrix.open(saved)) == {str(saved)}
    assert sum(sent) < 10_000


def test_a_damaged_copy_is_noticed(own, saved, tmp_path):
    content = bytearray(saved.read_bytes())
    content[5000] ^= 1  # a word: the header is the same
    (tmp_path / "copy").write_bytes(content)
    worker_with(own, saved.parent, f"cp {tmp_path / 'copy'} {saved}")
    own.wait(1)
    with client_of(own), pytest.raises(DataError, match="is damaged: the checksum of its columns"):
        run(BitMatrix.open(saved))


def test_a_file_that_a_worker_does_not_see_is_sent(own, saved, sent):
    own.start_worker()
    own.wait(1)
    X = BitMatrix.open(saved)
    with client_of(own):
        assert run(X) == {str(saved)}
        worker_with(own, saved.parent, "true")
        own.wait(2)
        assert run(X) == {""}
    assert X.nbytes < sum(sent) < 1.1 * X.nbytes


def test_a_worker_that_comes_later_and_does_not_see_it_is_sent_it(own, saved, tmp_path):
    """It joins while tasks run that were told to open the file."""
    own.start_worker()
    own.wait(1)
    X = BitMatrix.open(saved)
    with client_of(own) as client:
        thread = threading.Thread(target=worker_with, args=(own, saved.parent, "true"))
        thread.start()
        found = run_tasks(tasks.slow_ones, range(60), shared=(X,), anywhere=True)
        thread.join()
        assert len(client.nthreads()) == 2
    assert [int(each["ones"]) for each in found] == X.column_sums()[:60].tolist()
    assert len({int(each["process"]) for each in found}) == 2
