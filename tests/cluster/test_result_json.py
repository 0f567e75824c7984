"""The same result.json from one job, threads, processes, a cluster, broken or resumed."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from cluster.faults import QUICK_TO_NOTICE
from cluster.real import RealCluster
from consilience import make_planted, make_planted_bits
from consilience.cli import main
from consilience.execution import dask_cluster

pytestmark = pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
RUNS = {
    "ensemble": ["genes.csv", "-t", "class", "--selector", "svm-rfe", "--models", "40",
                 "--folds", "3", "--features", "6"],
    "default": ["genes.csv", "-t", "class", "--models", "30", "--folds", "3", "--features", "6"],
    "dafs": ["genes.csv", "-t", "class", "--method", "dafs", "--subspaces", "300", "--folds", "3"],
    "qifs": ["compounds.bits", "--method", "qifs", "--rounds", "4", "--subset-size", "15",
             "--folds", "3"],
    "gas-sefs": ["genes.csv", "-t", "class", "--method", "gas-sefs", "--members", "3",
                 "--candidates", "30", "--generations", "3", "--folds", "3"],
}  # fmt: skip
TIMES = ("created", "seconds", "round_seconds")


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    """A table of numbers and one of bits, in a folder."""
    folder = tmp_path_factory.mktemp("tables")
    made = make_planted(60, 200, effect=1.5, random_state=0)
    names = [f"g{i}" for i in range(200)]
    lines = [",".join([*names, "class"])]
    lines += [",".join([*map(repr, row.tolist()), "ab"[label]]) for row, label
              in zip(made.X, np.asarray(made.y), strict=True)]  # fmt: skip
    (folder / "genes.csv").write_text("\n".join(lines))
    how = {"density": 0.1, "n_informative": 20, "n_modes": 2, "effect": 0.5, "class_share": 0.4}
    make_planted_bits(folder / "compounds.bits", 150, 1300, **how, random_state=0)
    return folder


@pytest.fixture
def here(tables, monkeypatch):
    monkeypatch.chdir(tables)
    return tables


def without_times(told):
    if isinstance(told, dict):
        return {
            k: without_times(v) for k, v in told.items() if k not in TIMES and "seconds" not in k
        }
    return [without_times(v) for v in told] if isinstance(told, list) else told


def result_of(directory, name="result.json"):
    document = json.loads(Path(directory, name).read_text(encoding="utf-8"))
    return json.dumps(without_times(document))


def run(words, out, *more):
    assert main(["select", *words, "--out", str(out), "--quiet", *map(str, more)]) == 0
    return result_of(out)


@pytest.fixture(scope="module")
def reference(tables, tmp_path_factory):
    """Results with one job, made when they are first asked for."""
    found = {}

    def get(name):
        if name not in found:
            folder = tmp_path_factory.mktemp(name) / "run"
            words = [str(tables / RUNS[name][0]), *RUNS[name][1:]]
            found[name] = run(words, folder, "--jobs", 1).replace(str(tables) + "/", "")
        return found[name]

    return get


@pytest.mark.parametrize("name", RUNS)
@pytest.mark.parametrize("how", ["threads", "processes", "cluster"])
def test_where_it_runs_decides_nothing(here, reference, cluster, tmp_path, name, how):
    more = {
        "threads": ["--jobs", 2],
        "processes": ["--jobs", 2, "--backend", "processes"],
        "cluster": ["--cluster", cluster.address],
    }[how]
    assert run(RUNS[name], tmp_path / "run", *more) == reference(name)


@pytest.mark.parametrize("way", ["columns", "rows"])
def test_committees_on_blocks(here, reference, cluster, tmp_path, way):
    """Only the sentence about what holds the data is another one."""
    more = ["--cluster", cluster.address, "--split", way]
    found = json.loads(run(RUNS["qifs"], tmp_path / "run", *more))
    expected = json.loads(reference("qifs"))
    assert "blocks" in found["committee"].pop("storage")
    assert "Packed bits" in expected["committee"].pop("storage")
    assert json.dumps(found) == json.dumps(expected)


def start(words, out, address, *more):
    """The command as a process of its own."""
    command = [sys.executable, "-m", "consilience", "select", *words, "--out", str(out)]
    return subprocess.Popen(
        [*command, "--cluster", address, *more], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True,
    )  # fmt: skip


def wait_for_results(out, n):
    deadline = time.monotonic() + 90
    while len(list(Path(out).rglob("*.npz"))) < n:
        assert time.monotonic() < deadline
        time.sleep(0.01)


LONG = ["genes.csv", "-t", "class", "--selector", "svm-rfe", "--models", "300", "--folds", "6",
        "--features", "6"]  # fmt: skip


@pytest.fixture(scope="module")
def long_result(tables, tmp_path_factory):
    words = [str(tables / LONG[0]), *LONG[1:]]
    found = run(words, tmp_path_factory.mktemp("long") / "expected", "--jobs", 2)
    return found.replace(str(tables) + "/", "")


def test_a_worker_is_killed(here, long_result, tmp_path):
    own = RealCluster(tmp_path / "dask", settings=QUICK_TO_NOTICE)
    try:
        process = start(LONG, tmp_path / "run", own.address)
        wait_for_results(tmp_path / "run", 30)
        own.workers[0].kill()
        _, errors = process.communicate(timeout=120)
        assert process.returncode == 0, errors
        assert result_of(tmp_path / "run") == long_result
    finally:
        own.close()


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_a_run_is_interrupted_and_resumed(here, cluster, long_result, tmp_path, how):
    out = tmp_path / "run"
    process = start(LONG, out, cluster.address)
    wait_for_results(out, 30)
    process.send_signal(how)
    _, errors = process.communicate(timeout=60)
    if how == signal.SIGINT:
        assert process.returncode == 130
        assert errors.splitlines()[-1].startswith("Stopped; what is finished is kept in")
        assert "Traceback" not in errors
    assert not (out / "result.json").exists()
    kept = {path: path.stat().st_mtime_ns for path in out.rglob("*.npz")}
    assert len(kept) >= 30
    process = start(LONG, out, cluster.address, "--resume")
    while process.poll() is None:  # nothing that is kept is made again
        for path, when in kept.items():
            try:
                assert path.stat().st_mtime_ns == when
            except FileNotFoundError:  # the run is finished, and needs them no more
                break
        time.sleep(0.02)
    _, errors = process.communicate()
    assert process.returncode == 0, errors
    assert result_of(out) == long_result


def test_rounds_of_a_committee_on_blocks_are_interrupted_and_resumed(here, cluster, tmp_path):
    words = ["compounds.bits", "--method", "qifs", "--rounds", "60", "--subset-size", "15",
             "--folds", "0", "--split", "columns"]  # fmt: skip
    expected = run(words, tmp_path / "expected")
    process = start(words, tmp_path / "run", cluster.address)
    wait_for_results(tmp_path / "run", 4)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in errors
    process = start(words, tmp_path / "run", cluster.address, "--resume")
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    found = [json.loads(each) for each in (expected, result_of(tmp_path / "run"))]
    for document in found:
        del document["committee"]["storage"]  # blocks of other sizes
    assert json.dumps(found[0]) == json.dumps(found[1])


def test_two_runs_in_one_directory(here, cluster, tmp_path):
    process = start(LONG, tmp_path / "run", cluster.address)
    wait_for_results(tmp_path / "run", 5)
    process.send_signal(signal.SIGSTOP)  # lest it be done before the second begins
    for more in (["--resume"], []):
        second = start(LONG, tmp_path / "run", cluster.address, *more)
        _, errors = second.communicate(timeout=60)
        assert second.returncode == 2
        assert "is in use by another process" in errors.splitlines()[-1]
    process.kill()
    process.communicate()


def test_a_comparison(here, cluster, tmp_path):
    words = ["compare", "genes.csv", "-t", "class", "--selectors", "relieff,svm-rfe",
             "--aggregators", "most-frequent", "--models", "8", "--folds", "3", "-q"]  # fmt: skip
    assert main([*words, "--out", str(tmp_path / "here"), "--jobs", "1"]) == 0
    assert main([*words, "--out", str(tmp_path / "there"), "--cluster", cluster.address]) == 0
    found = [result_of(tmp_path / place, "comparison.json") for place in ("here", "there")]
    assert found[0] == found[1]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("tcp://127.0.0.1:1", "No Dask scheduler answers at tcp://127.0.0.1:1; start one with"),
        ("nonsense", "'nonsense' is no address of a Dask scheduler"),
        ("genes.csv", "No Dask scheduler has written 'genes.csv'; start one with"),
        ("smoke://here:1", "'smoke://here:1' is no address of a Dask scheduler"),
    ],
)
def test_a_cluster_that_is_none_is_a_sentence(here, capsys, given, said, tmp_path, monkeypatch):
    import dask

    with dask.config.set({"consilience.patience": "1s"}):
        code = main(
            ["select", *RUNS["default"], "--cluster", given, "--out", str(tmp_path / "run")]
        )
    assert code == 2
    errors = capsys.readouterr().err.splitlines()
    assert len(errors) == 1
    assert errors[0].startswith(said)
    assert not (tmp_path / "run").exists()


def test_a_scheduler_without_workers_is_a_sentence(here, capsys, tmp_path):
    import dask

    own = RealCluster(tmp_path / "dask", n_workers=0)
    try:
        with dask.config.set({"consilience.patience": "1s"}):
            code = main(["select", *RUNS["default"], "--cluster", own.address])
        assert code == 2
        told = capsys.readouterr().err
        assert "has no workers; what is finished is kept, so start some with 'dask worker" in told
    finally:
        own.close()


def test_who_waits_is_told_so_and_ctrl_c_is_answered(here, tmp_path):
    own = RealCluster(tmp_path / "dask", n_workers=0)
    try:
        process = start(RUNS["default"], tmp_path / "run", own.address)
        told = process.stderr.readline()
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=30)
    finally:
        own.close()
    assert told == f"Waiting for the Dask scheduler at {own.address} and its workers.\n"
    assert process.returncode == 130
    assert errors == "Stopped.\n"


def test_what_listens_and_is_no_scheduler_is_a_sentence(here, capsys, monkeypatch):
    """Such as a web page, for whose answer Dask would wait for ever."""
    import dask

    monkeypatch.setattr(dask_cluster, "_CLOSING", 1.0)
    with socket.create_server(("127.0.0.1", 0)) as server:
        given = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        with dask.config.set({"distributed.comm.timeouts.connect": "1s"}):
            assert main(["select", *RUNS["default"], "--cluster", given]) == 2
    (told,) = capsys.readouterr().err.splitlines()
    assert told.startswith(f"No Dask scheduler answers at {given}; start one")


@pytest.mark.parametrize("way", ["columns", "rows"])
def test_a_small_table_in_blocks_is_scanned_here(here, reference, cluster, tmp_path, capsys, way):
    import dask

    words = [*RUNS["qifs"], "--cluster", cluster.address, "--split", way]
    with dask.config.set({"consilience.small": "1 MB"}):
        assert main(["select", *words, "--out", str(tmp_path / "run")]) == 0
    assert "scanned here, which takes less time than the way to a" in capsys.readouterr().err
    found, expected = json.loads(result_of(tmp_path / "run")), json.loads(reference("qifs"))
    for document in (found, expected):
        del document["committee"]["storage"]
    assert json.dumps(found) == json.dumps(expected)


def test_a_size_that_is_none_is_a_sentence(here, cluster, capsys, tmp_path):
    import dask

    words = [*RUNS["qifs"], "-q", "--cluster", cluster.address, "--split", "columns"]
    with dask.config.set({"consilience.small": "bananas"}):
        assert main(["select", *words, "--out", str(tmp_path / "run")]) == 2
    (told,) = capsys.readouterr().err.splitlines()
    assert told.startswith("Dask's setting consilience.small is 'bananas', which is no size; give")


def test_a_patience_that_is_no_time_is_a_sentence(here, capsys):
    import dask

    with dask.config.set({"consilience.patience": "bananas"}):
        assert main(["select", *RUNS["default"], "-q", "--cluster", "none.json"]) == 2
    (told,) = capsys.readouterr().err.splitlines()
    assert told.startswith("Dask's setting consilience.patience is 'bananas', which is no time")


def test_the_file_of_a_scheduler_is_waited_for(here, reference, tmp_path):
    import threading

    own = RealCluster(tmp_path / "dask", n_workers=1)
    path = tmp_path / "scheduler.json"
    writing = json.dumps({"address": own.address})
    threading.Timer(1.0, path.write_text, [writing]).start()
    try:
        found = run(RUNS["default"], tmp_path / "run", "--cluster", path)
    finally:
        own.close()
    assert found == reference("default")


def test_a_file_that_no_scheduler_writes_is_a_sentence(here, capsys, tmp_path):
    import dask

    with dask.config.set({"consilience.patience": "100ms"}):
        code = main(["select", *RUNS["default"], "--cluster", "none.json"])
    assert code == 2
    told = capsys.readouterr().err.splitlines()
    assert told[0] == "Waiting for a Dask scheduler to write 'none.json'."
    assert told[1].startswith("No Dask scheduler has written 'none.json'")
