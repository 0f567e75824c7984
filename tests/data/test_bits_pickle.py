"""A mapped matrix travels as the place of its file, which worker processes map too."""

import copy
import os
import pickle

import numpy as np
import pytest
from joblib import Parallel, delayed
from numpy.testing import assert_array_equal

from consilience import BitMatrix, EnsembleSelector, InformationGain
from consilience.data import bits_file
from consilience.exceptions import DataError
from consilience.execution import run_tasks

Y = np.arange(150) % 2
DENSE = (np.random.default_rng(0).random((150, 3000)) < 0.1 + 0.2 * Y[:, None]).astype(np.uint8)


@pytest.fixture
def mapped(tmp_path):
    BitMatrix.from_array(DENSE).save(tmp_path / "x.bits")
    return BitMatrix.open(tmp_path / "x.bits")


def travel(X):
    return pickle.loads(pickle.dumps(X))


@pytest.mark.parametrize("columns", [slice(None), slice(700, 2000), slice(-5, None)])
def test_a_pickle_holds_the_place_of_the_file(mapped, columns):
    X = mapped[:, columns]
    assert len(pickle.dumps(X)) < 500
    for other in (travel(X), copy.deepcopy(X), travel(X[:, 1:])):
        assert other.source == mapped.source
        other.check_unchanged()
    assert_array_equal(travel(X).toarray(), DENSE[:, columns])
    assert_array_equal(travel(travel(X)[:, 1:3]).toarray(), DENSE[:, columns][:, 1:3])


@pytest.mark.parametrize("key", [[3, 1], slice(None, None, 2), slice(9, 2, -1)])
def test_copies_of_columns_carry_their_words(mapped, key):
    X = mapped[:, key]
    assert X.source is None
    os.utime(mapped.source.path, ns=(1, 1))
    assert travel(X).source is None
    assert_array_equal(travel(X).toarray(), DENSE[:, key])


def test_words_are_carried_where_the_file_is_another(mapped, tmp_path):
    BitMatrix.from_array(1 - DENSE).save(tmp_path / "x.bits")  # takes the place of the old one
    other = travel(mapped)
    assert other.source is None
    assert_array_equal(other.toarray(), DENSE)


def test_a_file_that_changed_on_the_way_is_told(mapped, tmp_path):
    pickled = pickle.dumps(mapped)
    BitMatrix.from_array(1 - DENSE).save(tmp_path / "x.bits")
    with pytest.raises(DataError, match="was changed while it is in use"):
        pickle.loads(pickled)
    (tmp_path / "x.bits").unlink()
    with pytest.raises(DataError, match=r"Cannot read '.*x\.bits'"):
        pickle.loads(pickled)


def test_workers_do_not_verify_again(mapped, monkeypatch):
    def refuse(*_):
        raise AssertionError("a second pass over the file")

    monkeypatch.setattr(bits_file, "_verified", set())  # as in a process that has just begun
    monkeypatch.setattr(bits_file, "check_words", refuse)
    assert_array_equal(travel(mapped).words, mapped.words)
    with pytest.raises(AssertionError, match="second pass"):
        BitMatrix.open(mapped.source.path)


def facts(X, task):
    return {
        "file": str(X.source.path),
        "ones": X.column_sums(),
        "verified": len(bits_file._verified),
    }


def test_processes_map_the_file_unverified(mapped):
    results = run_tasks(facts, [0, 1, 2], shared=(mapped,), n_jobs=2, backend="processes")
    for result in results:
        assert result["file"] == str(mapped.source.path)
        assert result["verified"] == 0
        assert_array_equal(result["ones"], DENSE.sum(axis=0))


def test_processes_give_the_answer_of_threads(mapped):
    settings = {"n_models": 70, "n_jobs": 2, "random_state": 0}
    threads, processes = (
        EnsembleSelector(InformationGain(10), **settings, backend=backend).fit(mapped, Y)
        for backend in ("threads", "processes")
    )
    assert_array_equal(threads.get_support(), processes.get_support())
    assert_array_equal(threads.frequencies_, processes.frequencies_)


def test_a_matrix_in_memory_reaches_processes_as_before():
    bits = BitMatrix.from_array(DENSE)
    results = Parallel(n_jobs=2, max_nbytes=10)(
        delayed(BitMatrix.take)(X, slice(None, None, -1)) for X in (bits, bits)
    )
    for reverse in results:
        assert_array_equal(reverse.toarray(), DENSE[::-1])
