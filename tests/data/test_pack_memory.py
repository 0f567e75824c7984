"""What packing holds in memory, and asks of the disk."""

import tracemalloc

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from consilience import BitMatrix
from consilience.data.pack import plan_packing
from consilience.exceptions import ConsilienceError
from data.packing import FORMATS, X, write_csv


@pytest.mark.parametrize("name", ["x.csv", "dense.npz", "csr.npz", "x.svmlight", "x.mtx"])
def test_the_dense_matrix_is_never_in_memory(tmp_path, monkeypatch, name):
    dense = np.random.default_rng(0).random((1200, 4000)) < 0.01
    path, out = tmp_path / name, tmp_path / "out.bits"
    given = FORMATS[name](path, dense.astype(np.uint8))
    monkeypatch.setattr("consilience.data.pack_npz.PIECE", 8000)
    monkeypatch.setattr("consilience.data.pack_mtx.PIECE", 8000)
    monkeypatch.setattr("consilience.data.pack_svmlight._BYTES", 20_000)
    monkeypatch.setattr("consilience.data.bits_file._BLOCK", 50_000)
    plan_packing(path, out, **given, memory=10**6).run()  # compiled, imported
    tracemalloc.start()
    packing = plan_packing(path, out, **given, memory=300_000)
    packing.run()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    # As bytes the cells take 4.8 MB; packed 608 kB, of which a third is held at a time.
    assert packing.n_passes >= 3
    assert packing.memory <= 300_000
    assert peak < 0.75 * dense.size  # of which 1 MB is the buffer of the file
    assert_array_equal(BitMatrix.open(out).toarray(), dense)


def test_the_columns_of_one_pass_alone_are_in_memory(tmp_path, monkeypatch):
    dense = (np.random.default_rng(0).random((200_000, 32)) < 0.01).astype(np.uint8)
    np.savez(tmp_path / "x.npz", X=dense, y=np.arange(200_000) % 2)
    monkeypatch.setattr("consilience.data.pack_npz.PIECE", 1 << 14)
    monkeypatch.setattr("consilience.data.bits_labels.BitsLabels.to_json", lambda self: b"")
    packing = plan_packing(tmp_path / "x.npz", tmp_path / "out.bits", memory=205_000)
    assert packing.n_passes == 4
    tracemalloc.start()
    packing.run()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1.5 * packing.memory  # and no two blocks of columns at once
    assert_array_equal(BitMatrix.open(tmp_path / "out.bits").toarray(), dense)


def test_a_disk_without_room_is_told_before_anything_is_written(tmp_path, monkeypatch):
    import shutil

    path, out = tmp_path / "x.csv", tmp_path / "out.bits"
    packing = plan_packing(path, out, **write_csv(path, X))
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr("shutil.disk_usage", lambda place: usage._replace(free=1000))
    with pytest.raises(ConsilienceError, match=r"its disk has 0\.001 MB free; free some space"):
        packing.run()
    assert sorted(file.name for file in tmp_path.iterdir()) == ["x.csv"]
