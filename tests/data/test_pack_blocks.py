"""Tables written as blocks while they are read: as they would be read whole, in any passes."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_array_equal
from scipy import sparse

from consilience import BlockMatrix, read_table
from consilience.data import blocks as blocks_module
from consilience.data.pack_blocks import _even_starts, _passes, plan_blocks
from consilience.data.pack_lines import CellReader, Lines
from consilience.exceptions import DataError, UsageError
from data.packing import FORMATS, H5AD, h5ad

NUMBERS = [0.0, 0.0, 0.0, 1.0, -1.0, 2.5, 1e-300, 1 / 3, -7e5]
tables = arrays(
    np.float64, st.tuples(st.integers(2, 60), st.integers(1, 9)), elements=st.sampled_from(NUMBERS)
)
STREAMED = [name for name in FORMATS if name != "x.bits"]


def as_it_would_be_read(path, given, memory=1 << 30, piece=1 << 18):
    """Write blocks of a file, and compare them with the file."""
    out = path.with_name("out.blocks")
    with pytest.MonkeyPatch.context() as patch:
        for module in ("npz", "mtx", "h5ad", "memory"):
            patch.setattr(f"consilience.data.pack_{module}.PIECE", piece)
        packing = plan_blocks(path, out, **given, memory=memory)
        n_blocks = packing.run()
    table, whole = read_table(out), read_table(path, **given)
    assert len(table.X.blocks) == n_blocks
    assert table.X.kind == ("sparse" if sparse.issparse(whole.X) else "dense")
    assert table.X.dtype == whole.X.dtype
    dense = whole.X.toarray() if sparse.issparse(whole.X) else whole.X
    assert_array_equal(table.X.toarray(), dense)
    assert_array_equal(table.y, whole.y)
    assert table.y.dtype.kind == whole.y.dtype.kind
    assert table.target == whole.target
    assert_array_equal(table.feature_names, whole.feature_names)
    names = [each.sample_names for each in (table, whole)]
    assert (names[0] is None) == (names[1] is None)
    if names[0] is not None:
        assert_array_equal(*names)
    return packing


def write(name, path, dense):
    if name.endswith((".csv", ".tsv", ".gz", "turned.tsv")) and "mtx" not in name:
        from data import packing

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(packing, "csv", csv_of_numbers)
            return FORMATS[name](path, dense)
    return FORMATS[name](path, dense)


def csv_of_numbers(dense, separator=","):
    lines = [separator.join(["id", *(f"f{j}" for j in range(dense.shape[1])), "state"])]
    for i, row in enumerate(dense):
        lines.append(separator.join([f"s{i}", *map(repr, row.tolist()), ["ill", "well"][i % 2]]))
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("name", STREAMED)
@settings(max_examples=8, deadline=None)
@given(dense=tables, piece=st.sampled_from([7, 10**5]))
def test_every_format(tmp_path_factory, name, dense, piece):
    if "svmlight" in name:
        dense[0, -1] = 1  # the width of a file without names is that of its widest row
    path = tmp_path_factory.mktemp("pack") / name
    as_it_would_be_read(path, write(name, path, dense), piece=piece)


@pytest.mark.parametrize("name", STREAMED)
def test_several_passes(tmp_path, monkeypatch, name):
    monkeypatch.setattr(blocks_module, "BLOCK_BYTES", 1 << 12)
    rng = np.random.default_rng(0)
    dense = np.where(rng.random((20, 2100)) < 0.3, rng.normal(size=(20, 2100)).round(3), 0.0)
    dense[0, -1] = 1.0
    path = tmp_path / name
    packing = as_it_would_be_read(path, write(name, path, dense), memory=1)
    assert packing.n_passes == packing.n_blocks == 5
    assert len(list((tmp_path / "out.blocks").glob("columns-*.parquet"))) == 5


@pytest.mark.parametrize("form", H5AD)
def test_h5ad_from_the_disk(tmp_path, form):
    path = tmp_path / "x.h5ad"
    dense = np.random.default_rng(0).integers(0, 3, (40, 30)).astype(float)
    as_it_would_be_read(path, h5ad(H5AD[form])(path, dense), piece=100)


@pytest.mark.parametrize("dtype", ["f4", ">f8", "i2", "?", "u1"])
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array, sparse.csc_array])
def test_types_of_cells_are_those_of_the_table(tmp_path, dtype, form):
    if form is not np.asarray and dtype == ">f8":
        pytest.skip("SciPy has native numbers")
    X = form((np.arange(60).reshape(6, 10) % 4 // 2).astype(dtype))
    given = {"y": np.arange(6) % 2}
    if sparse.issparse(X):
        given |= {"data": X.data, "indices": X.indices, "indptr": X.indptr}
        given |= {"shape": np.array(X.shape), "format": np.array(X.format.encode())}
    else:
        given["X"] = X
    np.savez(tmp_path / "x.npz", **given)
    plan_blocks(tmp_path / "x.npz", tmp_path / "x.blocks").run()
    found, whole = read_table(tmp_path / "x.blocks").X, read_table(tmp_path / "x.npz").X
    assert found.dtype == whole.dtype.newbyteorder("=")
    dense = whole.toarray() if sparse.issparse(whole) else whole
    assert_array_equal(found.toarray(), dense)


@pytest.mark.parametrize("name", ["dense.npz", "csr.npz", "x.csv", "turned.tsv"])
def test_columns_that_are_left_out(tmp_path, name):
    dense = np.random.default_rng(0).integers(0, 2, (12, 9)).astype(float)
    path = tmp_path / name
    given = write(name, path, dense)
    names = read_table(path, **given).feature_names
    as_it_would_be_read(path, given | {"drop": [str(names[0]), str(names[4])]})


def test_cells_that_are_missing_or_say_true(tmp_path):
    """Lines of many cells, which are read at once, and of few."""
    rng = np.random.default_rng(0)
    for n_features in (5, 200):
        cells = rng.normal(size=(6, n_features)).astype(str)
        for k, word in enumerate(["NA", "", " 3.5 ", "inf", "?", "+1e3", "nan", "-7", "2"]):
            cells[k % 6, (7 * k) % n_features] = word
        cells[:, 3] = ["True", "FALSE", "true", "false", "True", "true"]
        lines = [",".join([*(f"f{j}" for j in range(n_features)), "y"])]
        lines += [",".join([*row, str(i % 2)]) for i, row in enumerate(cells)]
        path = tmp_path / f"x{n_features}.csv"
        path.write_text("\n".join(lines))
        out = path.with_suffix(".blocks")
        plan_blocks(path, out, target="y").run()
        found, whole = read_table(out).X.toarray(), read_table(path, "y").X
        assert_array_equal(found, whole)


@settings(max_examples=30, deadline=None)
@given(
    st.lists(
        st.one_of(
            st.floats(allow_nan=False).map(repr),
            st.sampled_from(["", "NA", "1", "0", " 2", "ä", "x", "true", "1e5", "-inf"]),
        ),
        min_size=70, max_size=90,
    )
)  # fmt: skip
def test_many_cells_at_once_are_read_as_one_by_one(tmp_path_factory, cells):
    path = tmp_path_factory.mktemp("line") / "x.csv"
    head = ",".join(f"f{i}" for i in range(len(cells)))
    path.write_text(head + "\n" + ",".join(cells) + "\n", encoding="utf-8")
    line = list(Lines(path, ","))[1]
    columns = np.delete(np.arange(len(cells)), [3, 40])
    reader = CellReader(".", 0)
    found, texts = reader._parsed(line, columns)
    one_by_one = [reader._look(line.some([column])[0].encode()) for column in columns]
    assert texts == {k: value for k, value in enumerate(one_by_one) if isinstance(value, str)}
    expected = [np.nan if isinstance(value, str) else value for value in one_by_one]
    assert_array_equal(found, expected)


@pytest.mark.parametrize("name", ["x.csv", "dense.npz", "csr.npz", "x.svmlight", "turned.tsv"])
def test_the_whole_is_never_in_memory(tmp_path, monkeypatch, name):
    """Of 6.5 MB a quarter is held at a time, and what is read beside it."""
    monkeypatch.setattr(blocks_module, "BLOCK_BYTES", 100_000)
    monkeypatch.setattr("consilience.data.pack_npz.PIECE", 8000)
    monkeypatch.setattr("consilience.data.pack_svmlight._BYTES", 20_000)
    rng = np.random.default_rng(0)
    dense = rng.integers(1, 9, (200, 4096)) * (rng.random((200, 4096)) < 0.25).astype(float)
    if "csr" not in name and "svmlight" not in name:
        dense += 0.5
    path = tmp_path / name
    given = write(name, path, dense)
    plan_blocks(path, tmp_path / "first.blocks", **given).run()  # imported
    tracemalloc.start()
    packing = plan_blocks(path, tmp_path / "out.blocks", **given, memory=1_700_000)
    packing.run()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert packing.n_passes >= 3
    assert packing.memory <= 1_700_000
    assert peak < 0.75 * dense.nbytes
    assert_array_equal(BlockMatrix.open(tmp_path / "out.blocks").toarray(), dense)


def test_a_source_that_changes_is_noticed(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text(csv_of_numbers(np.eye(3)))
    packing = plan_blocks(path, tmp_path / "x.blocks", target="state")
    path.write_text(csv_of_numbers(2.5 * np.eye(3)))
    with pytest.raises(DataError, match="was changed while it is in use"):
        packing.run()
    assert [file.name for file in tmp_path.iterdir()] == ["x.csv"]


def test_what_is_packed_already_is_used_as_it_is(tmp_path):
    with pytest.raises(UsageError, match=r"x\.bits' is packed already.*use it as it is"):
        plan_blocks(tmp_path / "x.bits", tmp_path / "x.blocks")


@given(st.lists(st.integers(0, 10**9), min_size=1, max_size=40), st.integers(1, 10**9))
def test_passes_hold_what_memory_allows(weights, memory):
    runs = _passes(np.array(weights), memory)
    assert [k for run in runs for k in range(run.start, run.stop)] == list(range(len(weights)))
    for run in runs:
        assert run.stop - run.start == 1 or sum(weights[run]) <= memory


def test_blocks_have_about_as_many_bytes():
    """Words of a text: the first thousand have most of the cells."""
    weights = (1e9 / (1 + np.arange(100_000))).astype(np.int64)
    starts = _even_starts(weights)
    assert (starts[:-1] % 512 == 0).all()
    sizes = np.add.reduceat(weights, starts[:-1])
    cannot_be_cut = np.diff(starts) == 512
    assert sizes[~cannot_be_cut].max() < 1.7 * (1 << 26)
    assert sizes[sizes < 1 << 25].size <= 1
    assert _even_starts(np.zeros(5, dtype=np.int64)).tolist() == [0, 5]


@pytest.mark.parametrize("cell", ["1_000", "\u0661"])
def test_only_what_is_a_number_everywhere_is_one(tmp_path, cell):
    """Python reads such cells as numbers, and `read_table` does not."""
    lines = [f"{i},{[cell, '2', '3'][i % 3]},{'ab'[i % 2]}" for i in range(12)]
    (tmp_path / "x.csv").write_text("\n".join(["g1,g2,y", *lines]), encoding="utf-8")
    for read in (read_table, lambda path, **how: plan_blocks(path, tmp_path / "o", **how).run()):
        with pytest.raises(DataError, match=f"'g2'.*'{cell}'"):
            read(tmp_path / "x.csv", target="y")


def test_a_column_without_a_name_has_the_same_one_everywhere(tmp_path):
    lines = [f"{i},{i},4,{'ab'[i % 2]}" for i in range(12)]
    (tmp_path / "x.csv").write_text("\n".join(["g1,g2,,y", *lines]))
    as_it_would_be_read(tmp_path / "x.csv", {"target": "y"})


@pytest.mark.parametrize("kind", ["pattern", "real"])
def test_a_matrix_without_a_single_entry(tmp_path, kind):
    head = f"%%MatrixMarket matrix coordinate {kind} general\n3 4 0\n"
    (tmp_path / "x.mtx").write_text(head)
    (tmp_path / "y.txt").write_text("a\nb\na\n")
    as_it_would_be_read(tmp_path / "x.mtx", {"labels": tmp_path / "y.txt"})
