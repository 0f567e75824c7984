"""Functions of blocks in this process: in order, what is made is kept, files are read once."""

import gc
import pickle
import sys
import weakref
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from threadpoolctl import threadpool_info

from consilience import BlockMatrix, InformationGain
from consilience.data.block_files import ParquetBlock
from consilience.exceptions import DataError
from consilience.execution import parts
from consilience.execution.open_part import OpenPart, Rows
from consilience.execution.parts import run_parts


def test_results_come_in_the_order_of_the_blocks():
    X = BlockMatrix.split(np.arange(2000.0).reshape(2, 1000), n_columns=512)
    found = run_parts(lambda view, a, b: (view.data[0, 0], a, b), X, "a", own=[(1,), (2,)])
    assert found == [(0.0, "a", 1), (512.0, "a", 2)]


def test_a_view_has_the_rows_that_are_meant():
    X = BlockMatrix.split(np.arange(10.0)[:, None])[[7, 2]]
    assert run_parts(lambda view: view.data.ravel().tolist(), X) == [[7.0, 2.0]]
    assert len(run_parts(lambda view: view.data, X, rows=False)[0]) == 10


def test_every_call_has_one_thread():
    X = BlockMatrix.split(np.zeros((2, 2)))
    found = run_parts(lambda view: [p["num_threads"] for p in threadpool_info()], X)[0]
    assert set(found) == {1}


def test_what_is_made_of_a_block_is_kept_with_it():
    X = BlockMatrix.split(np.zeros((4, 600)), n_columns=512)
    made = []

    def note(view, key):
        return view.keep("noted", key, lambda: made.append(key) or key)

    for key in ("a", "a", "b", "a"):
        run_parts(note, X, key)
    assert made == ["a", "a", "b", "b", "a", "a"]  # in two blocks; room for one
    run_parts(note, X[[1, 2]], "a")
    assert len(made) == 8  # of other rows


def test_room_for_several():
    part, made = OpenPart(np.zeros(3)), []
    for key in (1, 2, 1, 3, 1, 2):
        part.keep("x", key, lambda key=key: made.append(key), room=2)
    assert made == [1, 2, 3, 2]
    assert part.keep("x", 9, None) is None
    part.drop("x", 2)
    assert part.keep("x", 2, None) is None


def test_an_open_part_travels_without_what_was_made_of_it():
    part = OpenPart(np.arange(3))
    part.keep("x", 1, lambda: "made")
    again = pickle.loads(pickle.dumps(part))
    assert again.keep("x", 1, None) is None
    assert again.data.tolist() == [0, 1, 2]


@pytest.mark.parametrize("numbers", [[0, 3, 9], [5, 2], [4, 4], [], [2**40]], ids=str)
def test_rows_travel_and_keep_their_name(numbers):
    if numbers == [2**40]:
        numbers = [2**20]
    rows = Rows(np.array(numbers, dtype=np.int64))
    again = pickle.loads(pickle.dumps(rows))
    assert again.numbers.tolist() == numbers
    assert again.name == rows.name
    ascending = Rows(np.arange(0, 80_000, 2))
    assert len(pickle.dumps(ascending)) < 11_000  # a bit for each


def test_files_are_read_once_while_there_is_room(tmp_path, monkeypatch):
    monkeypatch.setattr(parts, "_read", OrderedDict())  # others may be in use elsewhere
    monkeypatch.setattr(parts, "_opened", weakref.WeakKeyDictionary())
    BlockMatrix.split(np.zeros((50, 2048)), n_columns=512).save(tmp_path / "x.blocks")
    X = BlockMatrix.open(tmp_path / "x.blocks")
    read, load = [], ParquetBlock.load
    monkeypatch.setattr(
        ParquetBlock, "load", lambda self: read.append(self.path.name) or load(self)
    )
    for _ in range(3):
        run_parts(lambda view: view.data.sum(), X)
    assert len(read) == 4
    del X
    gc.collect()
    assert not parts._opened  # what nobody needs is forgotten

    X = BlockMatrix.open(tmp_path / "x.blocks")
    monkeypatch.setattr(parts, "available_memory", lambda: 0)
    read.clear()
    for _ in range(2):
        run_parts(lambda view: view.data.sum(), X)
    assert len(read) == 8  # one block at a time is held
    assert len(parts._opened) == len(parts._read) == 1


def test_what_is_made_of_blocks_takes_room_too(tmp_path, monkeypatch):
    """Sorted columns are half as large again as the numbers, and are forgotten with them."""
    monkeypatch.setattr(parts, "_read", OrderedDict())
    monkeypatch.setattr(parts, "_opened", weakref.WeakKeyDictionary())
    BlockMatrix.split(np.zeros((50, 2048)), n_columns=512).save(tmp_path / "x.blocks")
    X = BlockMatrix.open(tmp_path / "x.blocks")
    monkeypatch.setattr(parts, "room_for_blocks", lambda held=0: 3.5 * X.blocks[0].nbytes)
    run_parts(lambda view: 0, X)
    assert len(parts._opened) == 3
    for _ in range(2):
        run_parts(lambda view: view.keep("sorted", None, view.data.copy).size, X)
    assert len(parts._opened) == 1
    assert {part.nbytes for part in parts._opened.values()} == {2 * X.blocks[0].nbytes}


def test_threads_open_blocks_at_the_same_time(tmp_path, monkeypatch):
    monkeypatch.setattr(parts, "available_memory", lambda: 0)  # every block makes another one go
    table = np.random.default_rng(0).normal(size=(4, 40 * 512))
    BlockMatrix.split(table, n_columns=512).save(tmp_path / "x.blocks")
    X = BlockMatrix.open(tmp_path / "x.blocks")
    monkeypatch.setattr(ParquetBlock, "load", lambda self: np.zeros(3))
    switch = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as pool:
            jobs = [pool.submit(run_parts, lambda view: view.data.sum(), X) for _ in range(64)]
        assert all(job.result() == [0.0] * 40 for job in jobs)
    finally:
        sys.setswitchinterval(switch)


@pytest.mark.parametrize("step", [2, -1])
def test_rows_with_a_step(step):
    rng = np.random.default_rng(0)
    table, y = rng.normal(size=(24, 600)), np.arange(24) // 3 % 2
    found = InformationGain(3).fit(BlockMatrix.split(table, n_columns=512)[::step], y[::step])
    expected = InformationGain(3).fit(table[::step], y[::step])
    assert (found.scores_ == expected.scores_).all()


def test_no_rows_are_a_sentence():
    X = BlockMatrix.split(np.zeros((4, 600)), n_columns=512)
    with pytest.raises(DataError, match="There are no rows to select from"):
        InformationGain(3).fit(X[:0], np.zeros(0))
