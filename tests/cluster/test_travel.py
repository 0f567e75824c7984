"""What travels arrives as it was: even addresses, memory once, and what fails is not for ever."""

import pickle
import time

import numpy as np
import pytest

from cluster import tasks
from cluster.real import RealCluster, client_of
from consilience import BlockMatrix
from consilience.execution import run_tasks
from consilience.execution.bringing import bring
from consilience.execution.dask_cluster import active_cluster
from consilience.execution.opened import Opened
from consilience.execution.parcel import Carried, pack, put_together
from consilience.execution.parts import run_parts


@pytest.fixture
def client(cluster):
    with client_of(cluster) as own:
        yield own


SIZES = (8191, 8193, 20_001, 100_003)


@pytest.mark.parametrize("size", SIZES)
def test_sums_of_long_columns_are_those_of_here(client, size):
    """NumPy adds up what begins at an odd address in other pieces."""
    X = np.random.default_rng(size).normal(size=(12, size))
    for shared in ((X,), (np.asfortranarray(X),)):
        here = run_tasks(tasks.sums, range(12), shared=shared)
        there = run_tasks(tasks.sums, range(12), shared=shared, anywhere=True)
        for one, other in zip(here, there, strict=True):
            assert other["aligned"]
            assert one["sums"].tobytes() == other["sums"].tobytes()


@pytest.mark.parametrize("size", SIZES)
def test_sums_of_results_and_of_blocks_are_those_of_here(client, size):
    results = run_tasks(tasks.long_result, range(6), shared=(size,), anywhere=True)
    for seed, each in enumerate(results):
        assert each["draws"].flags.aligned
        assert each["draws"].sum() == tasks.long_result(size, seed)["draws"].sum()
    X = BlockMatrix.split(np.random.default_rng(0).normal(size=(size, 1024)), n_columns=512)
    (aligned, _), (again, _) = run_parts(tasks.sums_of_block, X)
    assert aligned
    assert again


def test_cells_with_gaps_between_them_travel_apart():
    X = np.arange(100_000.0).reshape(100, 1000)
    for part in (X[:, 1:], X[::2], X.T[3:]):
        parcel = pack(part)
        assert [array.nbytes for array in parcel.arrays.values()] == [part.nbytes]
        assert len(parcel.head) < 1000
        again = put_together(parcel.head, [parcel.arrays[name] for name in parcel.order])
        np.testing.assert_array_equal(again, part)


def test_what_could_not_be_opened_once_is_opened_again(client, tmp_path):
    shared = (tasks.OpensLate(tmp_path / "opened"), np.ones((100, 400)))
    found = run_tasks(tasks.shape_beside, range(4), shared=shared, anywhere=True)
    assert [each["shape"].tolist() for each in found] == [[100, 400]] * 4


def test_of_several_results_the_others_are_brought_when_one_is_lost(client):
    cluster = active_cluster()
    calls = [client.submit(pow, 2, k, pure=False) for k in range(4)]
    while any(call.status != "finished" for call in calls):
        time.sleep(0.01)
    client.cancel(calls[1])
    found = bring(client, cluster.roster, calls, cluster.cancel)
    assert found == {call: 2**k for k, call in enumerate(calls) if k != 1}


def test_each_worker_reads_its_own_blocks(client, tmp_path):
    table = np.random.default_rng(0).normal(size=(20, 4096))
    BlockMatrix.split(table, n_columns=512).save(tmp_path / "x.blocks")
    X = BlockMatrix.open(tmp_path / "x.blocks")
    run_parts(tasks.weigh, X, np.ones(20))
    read = client.run(tasks.files_read, str(tmp_path))
    assert sorted(map(len, read.values())) == [4, 4]
    assert len(set().union(*read.values())) == 8


def test_a_parcel_moves_to_another_worker_as_one_copy():
    """When a worker is retired, Dask brings what it has to others."""
    X = np.random.default_rng(0).normal(size=(200, 500))
    parcel = pack({"X": X})
    one = Opened(parcel.head, parcel.order, [Carried(parcel.arrays[n]) for n in parcel.order])
    buffers = []
    head = pickle.dumps(one, protocol=5, buffer_callback=buffers.append)
    assert sum(buffer.raw().nbytes for buffer in buffers) + len(head) < 1.1 * X.nbytes
    other = pickle.loads(head, buffers=[bytearray(buffer.raw()) for buffer in buffers])
    assert np.shares_memory(other.content["X"], other.arrays[parcel.order[0]].array)


def test_a_retired_worker_leaves_no_second_copy(tmp_path):
    own = RealCluster(tmp_path, n_workers=3)
    X = np.random.default_rng(0).normal(size=(1000, 1000))
    try:
        with client_of(own) as client:
            shared = (X,)
            run_tasks(tasks.address_of, range(12), shared=shared, anywhere=True)
            client.retire_workers(list(client.nthreads())[:2], close_workers=True)
            time.sleep(1.1)  # what is known of the workers holds for a second
            run_tasks(tasks.address_of, range(12), shared=shared, anywhere=True)
            deadline = time.monotonic() + 20
            while True:
                (sizes,) = client.run(tasks.sizes_of_opened).values()
                if sizes == [X.nbytes]:
                    break
                assert time.monotonic() < deadline, sizes
                time.sleep(0.1)
    finally:
        own.close()
