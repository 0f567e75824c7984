import errno
import json
import os
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis.extra.numpy import array_shapes, arrays, scalar_dtypes, unicode_string_dtypes

from consilience.exceptions import CheckpointError, UsageError
from consilience.execution import Checkpoint, open_checkpoint, run_tasks
from consilience.execution.atomic import atomic_writer

RUN = {"data": "a" * 64, "settings": {"n_models": 150, "selector": {"name": "cfs"}}}


def files(folder):
    return sorted(str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file())


@settings(max_examples=50, deadline=None)
@given(
    arrays(
        scalar_dtypes() | unicode_string_dtypes(),
        array_shapes(min_dims=0, min_side=0, max_dims=3),
    )
)
def test_what_is_stored_comes_back_bit_for_bit(tmp_path_factory, array):
    checkpoint = Checkpoint(tmp_path_factory.mktemp("run"), {"seed": 0})
    checkpoint.store("one", {"file": array, "other": array.T})
    back = checkpoint.load("one")
    assert list(back) == ["file", "other"]
    assert back["file"].dtype == array.dtype
    assert back["file"].shape == array.shape
    assert back["file"].tobytes() == array.tobytes()


def test_the_manifest_is_written_first_and_readable(tmp_path):
    Checkpoint(tmp_path / "a" / "b", RUN)
    assert files(tmp_path) == ["a/b/manifest.json".replace("/", os.sep)]
    assert json.loads((tmp_path / "a/b/manifest.json").read_text())["manifest"] == RUN


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"data": "b" * 64}, r'its data is "a+\.\.\., this run\'s is "b+\.\.\.; choose another'),
        (
            {"settings": {"n_models": 100, "selector": {"name": "cfs"}}},
            "its settings.n_models is 150, this run's is 100; choose another directory",
        ),
        (
            {"settings": {"n_models": 150, "selector": {"name": "mrmr"}}},
            'its settings.selector.name is "cfs", this run\'s is "mrmr"',
        ),
        ({"extra": None}, "its extra is absent, this run's is null"),
    ],
)
def test_another_run_is_refused_and_the_difference_named(tmp_path, change, sentence):
    Checkpoint(tmp_path, RUN).store("one", {"a": np.ones(2)})
    with pytest.raises(CheckpointError, match=sentence):
        Checkpoint(tmp_path, RUN | change)
    assert Checkpoint(tmp_path, RUN).get("one") is not None


def test_a_directory_with_other_files_is_refused(tmp_path):
    (tmp_path / "thesis.docx").write_text("ten years of work")
    with pytest.raises(CheckpointError, match=r"other files, such as 'thesis\.docx'"):
        Checkpoint(tmp_path, RUN)
    assert files(tmp_path) == ["thesis.docx"]


@pytest.mark.parametrize("text", ["", "[]", "{", '{"format": "other"}', "null"])
def test_a_manifest_of_something_else_is_refused(tmp_path, text):
    (tmp_path / "manifest.json").write_text(text)
    with pytest.raises(CheckpointError, match="is not the manifest of a run"):
        Checkpoint(tmp_path, RUN)


def test_a_manifest_without_a_mark_is_of_no_run(tmp_path):
    """Another machine would take its own directory of the same name for this one."""
    Checkpoint(tmp_path, RUN)
    told = json.loads((tmp_path / "manifest.json").read_text())
    del told["mark"]
    (tmp_path / "manifest.json").write_text(json.dumps(told))
    with pytest.raises(CheckpointError, match="is not the manifest of a run of this version"):
        Checkpoint(tmp_path, RUN)


def test_any_damage_means_not_done(tmp_path):
    checkpoint = Checkpoint(tmp_path, RUN)
    checkpoint.store("one", {"a": np.arange(9.0), "b": np.arange(3)})
    path = tmp_path / "tasks" / "one.npz"
    whole = path.read_bytes()
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        assert checkpoint.get("one") is None
    middle = whole.index(np.arange(9.0).tobytes()) + 20
    path.write_bytes(whole[:middle] + b"\xff" + whole[middle + 1 :])
    assert checkpoint.get("one") is None
    with pytest.raises(CheckpointError, match="Task 'one' is not finished"):
        checkpoint.load("one")


def test_a_pickle_in_place_of_a_result_is_not_executed(tmp_path):
    class Bomb:
        def __reduce__(self):
            return (os.mkdir, (str(tmp_path / "boom"),))

    checkpoint = Checkpoint(tmp_path / "run", RUN)
    checkpoint.store("one", {"a": np.ones(2)})
    (tmp_path / "run/tasks/one.npz").write_bytes(pickle.dumps(Bomb()))
    assert checkpoint.get("one") is None
    np.savez(tmp_path / "run/tasks/one.npz", a=np.array([Bomb()], dtype=object))
    assert checkpoint.get("one") is None
    assert not (tmp_path / "boom").exists()


def test_objects_cannot_be_stored(tmp_path):
    checkpoint = Checkpoint(tmp_path, RUN)
    with pytest.raises(ValueError, match="Object arrays cannot be saved"):
        checkpoint.store("one", {"a": np.array([{}, None])})
    assert files(tmp_path) == ["manifest.json"]


def test_a_damaged_task_is_computed_again(tmp_path):
    checkpoint = Checkpoint(tmp_path, RUN)
    calls = []

    def work(task):
        calls.append(task)
        return {"double": np.array([2 * task])}

    run_tasks(work, [1, 2, 3], checkpoint=checkpoint)
    path = tmp_path / "tasks" / "000001.npz"
    path.write_bytes(path.read_bytes()[:-10])
    results = run_tasks(work, [1, 2, 3], checkpoint=checkpoint)
    assert [int(r["double"][0]) for r in results] == [2, 4, 6]
    assert calls == [1, 2, 3, 2]


@pytest.mark.parametrize("where", ["fsync", "replace"])
def test_a_full_disk_leaves_nothing_half_written(tmp_path, monkeypatch, where):
    checkpoint = Checkpoint(tmp_path, RUN)
    checkpoint.store("one", {"a": np.ones(3)})

    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    if where == "fsync":
        monkeypatch.setattr(os, "fsync", full)
    else:
        monkeypatch.setattr(type(tmp_path), "replace", full)
    with pytest.raises(CheckpointError, match=r"two\.npz' \(No space left on device\)"):
        checkpoint.store("two", {"a": np.ones(3)})
    with pytest.raises(CheckpointError, match="what was finished is kept"):
        # One job: another thread could still be at its own file when the error arrives here.
        run_tasks(lambda task: {"a": np.ones(3)}, range(3), n_jobs=1, checkpoint=checkpoint)
    monkeypatch.undo()
    assert files(tmp_path) == ["manifest.json", os.path.join("tasks", "one.npz")]  # noqa: PTH118
    assert checkpoint.keys() == ["one"]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")  # noqa: PTH110
def test_a_full_disk_cannot_take_a_manifest_either(tmp_path, monkeypatch):
    def full(*_):
        with open("/dev/full", "wb", buffering=0) as device:  # noqa: PTH123
            device.write(b"x")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(CheckpointError, match="No space left"):
        Checkpoint(tmp_path / "run", RUN)
    assert files(tmp_path) == []


def test_a_file_keeps_its_old_content_when_writing_fails(tmp_path):
    path = tmp_path / "panel.csv"
    path.write_text("old")

    def write():
        with atomic_writer(path) as file:
            file.write(b"new")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write()
    assert files(tmp_path) == ["panel.csv"]
    assert path.read_text() == "old"


def test_scopes_keep_their_tasks_apart(tmp_path):
    checkpoint = Checkpoint(tmp_path, RUN)
    fold, other = checkpoint.scope("fold-3"), checkpoint.scope("fold-4")
    fold.store("000000", {"a": np.array([3])})
    fold.scope("models").store("000000", {"a": np.array([33])})
    assert checkpoint.get("000000") is None
    assert other.get("000000") is None
    again = Checkpoint(tmp_path, RUN).scope("fold-3")
    assert again.load("000000")["a"] == [3]
    assert again.scope("models").load("000000")["a"] == [33]
    assert open_checkpoint(again, {"anything": 1}) is again


def test_clear_removes_results_and_nothing_else(tmp_path):
    checkpoint = Checkpoint(tmp_path, RUN)
    checkpoint.store("one", {"a": np.ones(1)})
    checkpoint.scope("fold-0").scope("models").store("one", {"a": np.ones(1)})
    (tmp_path / ".one.npz.0123.partial").write_bytes(b"half")
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / "mine").mkdir()
    checkpoint.clear()
    assert files(tmp_path) == ["manifest.json", "notes.txt"]
    assert sorted(p.name for p in tmp_path.iterdir()) == ["manifest.json", "mine", "notes.txt"]
    assert Checkpoint(tmp_path, RUN).get("one") is None


@pytest.mark.parametrize("key", ["", "..", "../x", "a/b", "a\\b", "ä", ".hidden", "a\n"])
def test_keys_that_are_no_file_names_are_refused(tmp_path, key):
    checkpoint = Checkpoint(tmp_path, RUN)
    with pytest.raises(UsageError, match="cannot be a file name"):
        checkpoint.store(key, {})
    with pytest.raises(UsageError):
        checkpoint.scope(key)


def test_a_checkpoint_travels_to_workers(tmp_path):
    checkpoint = pickle.loads(pickle.dumps(Checkpoint(tmp_path, RUN)))
    checkpoint.store("one", {"a": np.ones(1)})
    assert Checkpoint(tmp_path, RUN).get("one") is not None


def test_what_is_written_later_goes_where_the_run_began(tmp_path, monkeypatch):
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path)
    checkpoint = Checkpoint("run", {"seed": 0})
    monkeypatch.chdir(tmp_path / "elsewhere")
    checkpoint.store("0", {"ranking": np.array([2, 1])})
    assert [path.name for path in (tmp_path / "run" / "tasks").iterdir()] == ["0.npz"]
    assert not list((tmp_path / "elsewhere").iterdir())
