"""Directories of Parquet blocks: whole or not at all, known by their content."""

import hashlib
import json

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from scipy import sparse

from consilience import BitMatrix, BlockMatrix, read_table
from consilience.data.blocks import HeldBlock, stored_bytes
from consilience.exceptions import DataError, UsageError


@pytest.fixture
def table(tmp_path):
    """A directory with a table, and the table."""
    X = np.random.default_rng(0).normal(size=(30, 1100)).astype(np.float32)
    X[3, 7], X[4, 800] = np.nan, 0.0
    names = [f"cg{i}" for i in range(1100)]
    labels = {"y": np.arange(30) % 2, "feature_names": names, "target": "status"}
    BlockMatrix.split(X, n_columns=512).save(tmp_path / "x.blocks", **labels)
    return tmp_path / "x.blocks", X


def test_it_is_read_as_it_was_written(table):
    path, X = table
    blocks = BlockMatrix.open(path)
    assert (blocks.kind, blocks.dtype, len(blocks.blocks)) == ("dense", np.float32, 3)
    np.testing.assert_array_equal(blocks.toarray(), X)
    np.testing.assert_array_equal(blocks[:, [900, 7, 900]], X[:, [900, 7, 900]])


@pytest.mark.parametrize("dtype", [np.float64, np.int8, np.uint16])
def test_types_of_cells_stay(tmp_path, dtype):
    X = np.random.default_rng(0).integers(0, 2, (9, 520)).astype(dtype)
    BlockMatrix.split(X).save(tmp_path / "x.blocks")
    again = BlockMatrix.open(tmp_path / "x.blocks")
    assert again.dtype == X.dtype
    np.testing.assert_array_equal(again.toarray(), X)


def test_other_tools_read_a_block(table):
    path, X = table
    frame = pd.read_parquet(path / "columns-00000512.parquet")
    assert frame["feature"].tolist()[:2] == ["cg512", "cg513"]
    np.testing.assert_array_equal(np.stack(frame["values"]), X[:, 512:1024].T)


def sparse_table(n_samples=30, n_features=1100):
    X = sparse.random(n_samples, n_features, density=0.04, format="csr", random_state=0)
    X.data[:3] = np.nan, -1.0, 0.0
    return X


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int16, np.uint8])
def test_sparse_tables_stay_sparse(tmp_path, dtype):
    X = sparse_table()
    X.data = np.nan_to_num(X.data * 9).astype(dtype)
    BlockMatrix.split(X, n_columns=512).save(tmp_path / "x.blocks", y=np.arange(30) % 2)
    blocks = BlockMatrix.open(tmp_path / "x.blocks")
    assert (blocks.kind, blocks.dtype, len(blocks.blocks)) == ("sparse", dtype, 3)
    np.testing.assert_array_equal(blocks.toarray(), X.toarray())
    some = blocks[:, [900, 7, 900]]
    assert some.format == "csc"
    np.testing.assert_array_equal(some.toarray(), X.toarray()[:, [900, 7, 900]])
    assert blocks.nbytes == sum(stored_bytes(block.load()) - 4 for block in blocks.blocks)
    np.testing.assert_array_equal(read_table(tmp_path / "x.blocks").y, np.arange(30) % 2)


def test_sparse_cells_that_are_missing_or_stored_twice(tmp_path):
    X = sparse_table()
    twice = sparse.coo_array(
        (np.r_[X.tocoo().data, 2.0], (np.r_[X.tocoo().row, 4], np.r_[X.tocoo().col, 5])), X.shape
    )
    BlockMatrix.split(twice).save(tmp_path / "x.blocks")
    np.testing.assert_array_equal(
        BlockMatrix.open(tmp_path / "x.blocks").toarray(), twice.toarray()
    )


def test_content_that_was_read_may_be_written_to(tmp_path, table):
    """Kernels are compiled for arrays that may."""
    BlockMatrix.split(sparse_table()).save(tmp_path / "s.blocks")
    for path in (table[0], tmp_path / "s.blocks"):
        block = BlockMatrix.open(path).blocks[0]
        for found in (block.load(), block.take(np.array([3, 4]))):
            parts = (found.data, found.indices, found.indptr) if sparse.issparse(found) else [found]
            assert all(part.flags.writeable for part in parts)
            assert sparse.issparse(found) or found.flags.f_contiguous


def test_a_few_columns_are_read_without_the_others(tmp_path, monkeypatch):
    monkeypatch.setattr("consilience.data.block_writer._GROUP_BYTES", 8 * 30 * 64)
    X = np.random.default_rng(0).normal(size=(30, 512))
    BlockMatrix.split(X).save(tmp_path / "x.blocks")
    block, read = BlockMatrix.open(tmp_path / "x.blocks").blocks[0], []
    usual = pq.ParquetFile.read_row_group
    monkeypatch.setattr(
        pq.ParquetFile, "read_row_group",
        lambda self, group, **how: read.append(group) or usual(self, group, **how),
    )  # fmt: skip
    np.testing.assert_array_equal(block.take(np.array([200, 70, 65])), X[:, [200, 70, 65]])
    assert read == [1, 3]


@pytest.mark.parametrize("wrong", ["short", "row", "null", "type", "lacks"])
def test_files_that_hold_something_else_are_found_out(tmp_path, wrong):
    BlockMatrix.split(sparse_table(9, 40)).save(tmp_path / "x.blocks")
    file, index = tmp_path / "x.blocks" / "columns-00000000.parquet", tmp_path / "x.blocks"
    table = pq.read_table(file)
    rows, values = table["rows"].to_pylist(), table["values"].to_pylist()
    full = next(k for k, each in enumerate(rows) if each)
    if wrong == "short":
        values[full] = values[full][1:]
    if wrong == "row":
        rows[full][0] = 9
    if wrong == "null":
        rows[full] = values[full] = None
    kinds = {"rows": pa.large_list(pa.int32()), "values": pa.large_list(pa.float64())}
    if wrong == "type":
        kinds["values"] = pa.large_list(pa.float32())
    content = {"rows": rows, "values": values}
    if wrong == "lacks":
        del content["rows"]
    pq.write_table(pa.table({k: pa.array(v, kinds[k]) for k, v in content.items()}), file)
    told = json.loads((index / "index.json").read_text())
    told["files"][0]["sha256"] = hashlib.sha256(file.read_bytes()).hexdigest()
    (index / "index.json").write_text(json.dumps(told))
    with pytest.raises(DataError, match=r"parquet' does not hold what the index says.*sparse"):
        BlockMatrix.open(index).toarray()


def test_it_is_a_table_with_classes_and_names(table):
    path, _ = table
    read = read_table(path)
    assert isinstance(read.X, BlockMatrix)
    assert (read.target, read.feature_names[800], read.y.tolist()[:3]) == (
        "status",
        "cg800",
        [0, 1, 0],
    )
    assert read.describe_missing() == ""  # whoever uses it looks


def test_names_that_are_there_twice_do_no_harm(tmp_path):
    X = np.arange(12.0).reshape(3, 4)
    BlockMatrix.split(X).save(tmp_path / "x.blocks", feature_names=["a", "a", "b", "c"])
    np.testing.assert_array_equal(BlockMatrix.open(tmp_path / "x.blocks").toarray(), X)


def test_damage_is_noticed(table):
    path, _ = table
    file = path / "columns-00000512.parquet"
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)
    blocks = BlockMatrix.open(path)
    assert blocks[:, [3]].shape == (30, 1)  # another file
    with pytest.raises(DataError, match=r"columns-00000512\.parquet' is damaged, or of another"):
        blocks.toarray()


def test_a_file_that_changes_stops_the_work(table):
    path, _ = table
    blocks = BlockMatrix.open(path)
    blocks.toarray()
    blocks.check_unchanged()
    file = path / "columns-00000000.parquet"
    file.write_bytes(file.read_bytes() + b"more")
    with pytest.raises(DataError, match="was changed while it is in use"):
        blocks.check_unchanged()


def test_files_that_are_missing_are_named(table):
    path, _ = table
    (path / "columns-00001024.parquet").unlink()
    with pytest.raises(DataError, match=r"Cannot read '.*columns-00001024\.parquet'"):
        BlockMatrix.open(path).toarray()
    (path / "labels.json").write_bytes(b"{}")
    with pytest.raises(DataError, match=r"labels\.json' is damaged"):
        read_table(path)


@pytest.mark.parametrize(
    "index",
    [b"", b"{}", b"[1]", b'{"format": "consilience.blocks", "format_version": 9}', None],
    ids=["empty", "other", "list", "later", "absent"],
)
def test_an_index_that_is_none_is_refused(table, index):
    path, _ = table
    (path / "index.json").unlink()
    if index is not None:
        (path / "index.json").write_bytes(index)
    with pytest.raises(DataError, match=r"is damaged, or of another version|is no table in blocks"):
        BlockMatrix.open(path)


def _without(key):
    return lambda index: index.pop(key)


@pytest.mark.parametrize(
    "edit",
    [
        _without("labels"),
        _without("dtype"),
        lambda index: index["files"][1].pop("sha256"),
        lambda index: index["files"][1].update(name=3),
        lambda index: index["files"][1].update(n_features=0),
        lambda index: index["files"][1].update(n_features=10),
        lambda index: index["files"][1].update(n_features=True),
        lambda index: index.update(n_samples="30"),
        lambda index: index.update(dtype="object"),
        lambda index: index.update(files=[]),
        lambda index: index.update(kind="bits"),
        lambda index: index["files"][1].update(n_cells=-1),
    ],
    ids=list("0123456789ab"),
)
def test_an_index_that_was_edited_is_refused(table, edit):
    path, _ = table
    index = json.loads((path / "index.json").read_text())
    edit(index)
    (path / "index.json").write_text(json.dumps(index))
    with pytest.raises(DataError, match=r"index\.json' is damaged, or of another version"):
        BlockMatrix.open(path)


@pytest.mark.parametrize("change", [{"dtype": "<f8"}, {"n_samples": 29}], ids=str)
def test_an_index_that_lies_is_found_out(table, change):
    path, _ = table
    index = json.loads((path / "index.json").read_text()) | change
    (path / "index.json").write_text(json.dumps(index))
    with pytest.raises(DataError, match=r"parquet' does not hold what the index says"):
        BlockMatrix.open(path).toarray()


def test_an_index_cannot_point_outside(table, tmp_path):
    path, _ = table
    secret = tmp_path / "secret.parquet"
    pd.DataFrame({"a": [1.0]}).to_parquet(secret)
    told = json.loads((path / "index.json").read_text())
    digest = hashlib.sha256(secret.read_bytes()).hexdigest()
    told["files"][0] |= {"name": "../secret.parquet", "sha256": digest}
    (path / "index.json").write_text(json.dumps(told))
    with pytest.raises(DataError, match="Cannot read"):
        BlockMatrix.open(path).toarray()


def test_it_is_written_whole_or_not_at_all(tmp_path, monkeypatch):
    def full(*arguments, **options):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(pq, "write_table", full)
    with pytest.raises(DataError, match="No space left on device"):
        BlockMatrix.split(np.eye(3)).save(tmp_path / "x.blocks")
    assert list(tmp_path.iterdir()) == []


def test_what_cannot_be_written_is_refused(tmp_path, table):
    path, X = table
    with pytest.raises(UsageError, match="is there already"):
        BlockMatrix.split(X).save(path)
    bits = BlockMatrix.split(BitMatrix.from_array(np.eye(3)))
    with pytest.raises(UsageError, match=r"write bits with BitMatrix\.save"):
        bits.save(tmp_path / "y.blocks")
    with pytest.raises(DataError, match="y has 2 values for 30 rows"):
        BlockMatrix.split(X).save(tmp_path / "y.blocks", y=[0, 1])


def test_where_the_file_is_not_seen_its_cells_travel(table):
    path, X = table
    block = BlockMatrix.open(path).blocks[0]
    make, arguments = block.reduce_elsewhere(lambda look, *where: look(*where))
    assert make is type(block)
    assert make(*arguments).load().shape == (30, 512)
    make, (cells,) = block.reduce_elsewhere(lambda look, *where: False)
    assert make is HeldBlock
    np.testing.assert_array_equal(cells, X[:, :512])
