"""Packing gives what reading whole and then packing gives, in any number of passes."""

import gzip
import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_array_equal
from scipy import io, sparse
from sklearn.datasets import dump_svmlight_file

from consilience import BitMatrix, read_table
from consilience.data.pack import plan_packing
from consilience.data.pack_lines import CellReader, Lines
from consilience.exceptions import ConsilienceError, DataError, UsageError

matrices = arrays(
    np.uint8, st.tuples(st.integers(2, 140), st.integers(1, 9)), elements=st.integers(0, 1)
)
RNG = np.random.default_rng(0)
X = RNG.integers(0, 2, (131, 23)).astype(np.uint8)
Y = np.arange(131) % 3
NAMES = [f"gene {j}" for j in range(23)]


def classes(n):
    return np.array(["ill", "well"])[np.arange(n) % 2]


def csv(dense, separator=",", zero="0", one="1", end="\n"):
    y = classes(len(dense))
    lines = [separator.join(["id", *(f"f{j}" for j in range(dense.shape[1])), "state"])]
    for i, row in enumerate(dense):
        cells = [one if value else zero for value in row]
        lines.append(separator.join([f"s{i}", *cells, y[i]]))
    return end.join(lines) + end


def write_csv(path, dense):
    path.write_text(csv(dense), encoding="utf-8")
    return {"target": "state"}


def write_gz(path, dense):
    path.write_bytes(gzip.compress(csv(dense, "\t").encode()))
    return {"target": -1}


def write_transposed(path, dense):
    y = classes(len(dense))
    lines = ["\t".join(["", *(f"s{i}" for i in range(len(dense)))]), "\t".join(["state", *y])]
    lines += ["\t".join([f"f{j}", *map(str, column)]) for j, column in enumerate(dense.T)]
    path.write_text("\n".join(lines), encoding="utf-8")
    return {"target": "state", "transpose": True}


def write_svmlight(path, dense):
    dump_svmlight_file(dense.astype(float), np.arange(len(dense)) % 2, str(path), zero_based=False)
    return {}


def write_labels(path, n):
    labels = path.with_name("classes.txt")
    labels.write_text("\n".join(classes(n)), encoding="utf-8")
    return labels


def write_mtx(path, dense):
    entries = sparse.coo_array(dense)
    order = np.random.default_rng(1).permutation(entries.nnz)
    shuffled = sparse.coo_array(
        (entries.data[order], (entries.row[order], entries.col[order])), dense.shape
    )
    with path.open("wb") as file:
        io.mmwrite(file, shuffled, comment="made\nfor a test", symmetry="general")
    return {"labels": write_labels(path, len(dense))}


def write_mtx_turned(path, dense):
    given = write_mtx(path, dense.T)
    return given | {"labels": write_labels(path, len(dense)), "transpose": True}


def write_mtx_array(path, dense):
    with path.open("wb") as file:
        io.mmwrite(file, dense.astype(float), symmetry="general")
    return {"labels": write_labels(path, len(dense))}


def write_mtx_gz(path, dense):
    plain = path.with_suffix("")
    given = write_mtx(plain, dense)
    path.write_bytes(gzip.compress(plain.read_bytes()))
    return given


def npz(**options):
    def write(path, dense):
        form = options.get("form", np.asarray)(dense)
        given = {"y": classes(len(dense)), "sample_names": [f"s{i}" for i in range(len(dense))]}
        if options.get("transpose"):
            form = form.T
        if sparse.issparse(form):
            given |= {"data": form.data, "indices": form.indices, "indptr": form.indptr}
            given |= {"shape": np.array(form.shape), "format": np.array(form.format.encode())}
        else:
            given["X"] = form
        save = np.savez_compressed if options.get("compressed") else np.savez
        save(path, **given)
        return {"transpose": True} if options.get("transpose") else {}

    return write


def h5ad(form):
    def write(path, dense):
        anndata = pytest.importorskip("anndata")
        import pandas as pd

        obs = pd.DataFrame(
            {"state": classes(len(dense))}, index=[f"s{i}" for i in range(len(dense))]
        )
        var = pd.DataFrame(index=[f"f{j}" for j in range(dense.shape[1])])
        anndata.AnnData(form(dense.astype(np.float32)), obs=obs, var=var).write_h5ad(path)
        return {"target": "state"}

    return write


def write_parquet(path, dense):
    import pandas as pd

    frame = pd.DataFrame(dense, columns=[f"f{j}" for j in range(dense.shape[1])])
    frame["state"] = classes(len(dense))
    frame.to_parquet(path)
    return {"target": "state"}


def write_bits(path, dense):
    BitMatrix.from_array(dense).save(path, y=classes(len(dense)), target="state")
    return {}


FORMATS = {
    "x.csv": write_csv,
    "x.tsv.gz": write_gz,
    "turned.tsv": write_transposed,
    "x.svmlight": write_svmlight,
    "x.mtx": write_mtx,
    "turned.mtx": write_mtx_turned,
    "array.mtx": write_mtx_array,
    "x.mtx.gz": write_mtx_gz,
    "dense.npz": npz(compressed=True),
    "fortran.npz": npz(form=np.asfortranarray),
    "turned.npz": npz(form=lambda dense: dense.astype(float), transpose=True),
    "csr.npz": npz(form=sparse.csr_array, compressed=True),
    "csc.npz": npz(form=sparse.csc_array),
    "csr_turned.npz": npz(form=sparse.csr_array, transpose=True),
    "x.parquet": write_parquet,
    "x.bits": write_bits,
}
H5AD = {"dense": np.asarray, "csr": sparse.csr_matrix, "csc": sparse.csc_matrix}


def check(path, given, dense, memory=1 << 20, piece=1 << 18):
    out = path.with_name("out.bits")
    with pytest.MonkeyPatch.context() as patch:
        for module in ("npz", "mtx", "h5ad", "memory"):
            patch.setattr(f"consilience.data.pack_{module}.PIECE", piece)
        n_ones = plan_packing(path, out, **given, memory=memory).run()
    table, whole = read_table(out), read_table(path, **given)
    assert n_ones == dense.sum()
    assert_array_equal(table.X.toarray(), dense)
    assert_array_equal(table.X.words, BitMatrix.from_array(dense).words)
    assert_array_equal(table.y, whole.y)
    assert table.y.dtype.kind == whole.y.dtype.kind
    assert table.target == whole.target
    assert_array_equal(table.feature_names, whole.feature_names)
    if whole.sample_names is None:
        assert table.sample_names is None
    else:
        assert_array_equal(table.sample_names, whole.sample_names)
    out.unlink()


@pytest.mark.parametrize("name", FORMATS)
@settings(max_examples=12)
@given(dense=matrices, memory=st.sampled_from([1, 700, 10**6]), piece=st.sampled_from([7, 10**5]))
def test_every_format_is_packed_as_it_would_be_read(tmp_path_factory, name, dense, memory, piece):
    if "svmlight" in name:
        dense[0, -1] = 1  # the width of a file without names is that of its widest row
    path = tmp_path_factory.mktemp("pack") / name
    check(path, FORMATS[name](path, dense), dense, memory, piece)


@pytest.mark.parametrize("form", H5AD)
@pytest.mark.parametrize(("memory", "piece"), [(1000, 50), (10**6, 10**5)])
def test_h5ad_is_packed_from_the_disk(tmp_path, form, memory, piece):
    path = tmp_path / "x.h5ad"
    check(path, h5ad(H5AD[form])(path, X), X, memory, piece)


@pytest.mark.parametrize(
    ("zero", "one"), [("0.0", "1.0"), ("false", "TRUE"), (" 0", "1 "), ('"0"', '"1"'), ("0", "1e0")]
)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\n\n"])
def test_zeros_and_ones_may_be_written_in_many_ways(tmp_path, zero, one, end):
    path = tmp_path / "x.csv"
    path.write_bytes(csv(X, ";", zero, one, end).encode())
    check(path, {"target": "state"}, X)


def test_text_without_header_with_blanks_and_byte_order_mark(tmp_path):
    path = tmp_path / "x.txt"
    path.write_text("\ufeff1  0 1 a\n0 0   1 b\n1 1 0 a\n", encoding="utf-8")
    check(path, {"target": 3}, np.array([[1, 0, 1], [0, 0, 1], [1, 1, 0]]))
    path.write_text("f g class\nr1 1 0 a\nr2 0 1 b\n", encoding="utf-8")  # as R writes it
    check(path, {"target": "class"}, np.eye(2))
    path.write_text("f;g;h;\n1;0;1;\n0;1;0;\n", encoding="utf-8")
    out = tmp_path / "out.bits"
    plan_packing(path, out, labels=write_labels(path, 2)).run()
    assert_array_equal(read_table(out).X.toarray(), [[1, 0, 1], [0, 1, 0]])


cells = st.sampled_from(["0", "1", "7", "1.0", "", "NA", "high", " 1", "-2", "1,5", "true", "é"])


@given(row=st.lists(cells, min_size=1, max_size=40), data=st.data())
def test_cells_are_read_as_they_are_written(tmp_path_factory, row, data):
    path = tmp_path_factory.mktemp("lines") / "x.csv"
    path.write_text(";".join(["name", *row]) + "\n", encoding="utf-8")
    line = next(iter(Lines(path, ";")))
    assert line.n_cells == len(row) + 1
    places = st.lists(st.integers(0, len(row) - 1), min_size=1, unique=True).map(sorted)
    start = data.draw(st.integers(0, len(row) - 1))
    for columns in (data.draw(places), list(range(start, len(row)))):
        values, texts = CellReader(",", 1).values(line, np.array(columns) + 1)
        expected = [row[i].strip() for i in columns]
        assert texts == {k: cell for k, cell in enumerate(expected) if cell in ("high", "é")}
        numbers = [cell.replace(",", ".").replace("true", "1") for cell in expected]
        naive = [np.nan if cell in ("", "NA", "high", "é") else float(cell) for cell in numbers]
        assert_array_equal(values, naive)
        assert line.some(np.array(columns) + 1) == expected


def test_columns_are_dropped_whatever_they_hold(tmp_path):
    dense = X.astype(float)
    dense[:, 4] = 3.5
    np.savez(tmp_path / "x.npz", X=dense, y=Y, feature_names=NAMES)
    frame = sparse.csr_array(dense)
    np.savez(tmp_path / "s.npz", y=Y, feature_names=NAMES, data=frame.data, indices=frame.indices,
             indptr=frame.indptr, shape=np.array(frame.shape))  # fmt: skip
    for name in ("x.npz", "s.npz"):
        for memory in (1, 10**6):
            out = tmp_path / f"{name}{memory}.bits"
            drop = ["gene 4", "gene 20"]
            plan_packing(tmp_path / name, out, drop=drop, memory=memory).run()
            table = read_table(out)
            assert_array_equal(table.X.toarray(), np.delete(X, [4, 20], axis=1))
            assert_array_equal(table.feature_names, np.delete(NAMES, [4, 20]))
    with pytest.raises(UsageError, match="no feature 'gene 99'; did you mean 'gene 9'"):
        plan_packing(tmp_path / "x.npz", tmp_path / "out.bits", drop="gene 99")


@pytest.mark.parametrize("name", ["x.csv", "x.npz", "s.npz"])
def test_a_threshold_makes_ones(tmp_path, name):
    dense = np.round(RNG.normal(size=(70, 9)), 2)
    dense[np.abs(dense) < 0.5] = 0
    if name == "x.csv":
        lines = [",".join([*map(str, row), "ab"[i % 2]]) for i, row in enumerate(dense)]
        head = ",".join([*(f"f{j}" for j in range(9)), "y"])
        (tmp_path / name).write_text("\n".join([head, *lines]), encoding="utf-8")
        given = {"target": "y"}
    else:
        (npz() if name == "x.npz" else npz(form=sparse.csr_array))(tmp_path / name, dense)
        given = {}
    plan_packing(tmp_path / name, tmp_path / "out.bits", **given, threshold=0.7).run()
    assert_array_equal(read_table(tmp_path / "out.bits").X.toarray(), dense > 0.7)
    if name == "s.npz":
        with pytest.raises(UsageError, match="threshold of -1 would make ones of all cells"):
            plan_packing(tmp_path / name, tmp_path / "new.bits", threshold=-1)


@pytest.mark.parametrize("name", [name for name in FORMATS if name != "x.bits"] + ["x.h5ad"])
@pytest.mark.parametrize("memory", [1, 10**6])
def test_the_first_other_value_is_named(tmp_path, name, memory):
    dense = np.zeros((70, 5))
    dense[:, 4] = 1
    dense[66, 3], dense[69, 3] = 2, 5
    path, out = tmp_path / name, tmp_path / "out.bits"
    if name in ("x.csv", "x.tsv.gz", "turned.tsv"):
        text = csv(dense).replace("s66,0,0,0,1,1", "s66,0,0,0,2,1")
        if name == "turned.tsv":
            given = write_transposed(path, dense.astype(int))
        elif name == "x.csv":
            path.write_text(text, encoding="utf-8")
            given = {"target": "state"}
        else:
            path.write_bytes(gzip.compress(text.replace(",", "\t").encode()))
            given = {"target": "state"}
    else:
        write = h5ad(np.asarray) if name == "x.h5ad" else FORMATS[name]
        given = write(path, dense)
    column = "f3" if name in ("x.csv", "x.tsv.gz", "turned.tsv", "x.h5ad", "x.parquet") else "x4"
    with pytest.raises(DataError, match=rf"column '{column}' holds 2 in row 67.* only 0 and 1"):
        plan_packing(path, out, **given, memory=memory).run()
    assert not out.exists()
    assert not list(tmp_path.glob(".*"))


def test_missing_values_and_text_are_named(tmp_path):
    path, out = tmp_path / "x.csv", tmp_path / "out.bits"
    path.write_text("id,f,g,y\na,1,0,u\nb,1,NA,v\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"column 'g' has no value in row 2 \('b'\)"):
        plan_packing(path, out, "y").run()
    path.write_text("id,f,g,y\na,1,0,u\nb,1,high,v\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"column 'g' holds the text 'high' in row 2 \('b'\)"):
        plan_packing(path, out, "y").run()
    path.write_text("id,f,g,y\na,1,0,u\nb,1,0,\n", encoding="utf-8")
    with pytest.raises(DataError, match="class has no value in row 2"):
        plan_packing(path, out, "y")
    np.savez(tmp_path / "x.npz", X=[[0, np.nan], [1, 1]], y=[0, 1])
    with pytest.raises(DataError, match="column 'x2' has no value in row 1"):
        plan_packing(tmp_path / "x.npz", out, threshold=0.5).run()


def test_an_entry_stored_twice_is_named(tmp_path):
    text = "%%MatrixMarket matrix coordinate pattern general\n3 2 3\n1 1\n3 2\n3 2\n"
    (tmp_path / "x.mtx").write_text(text)
    labels = write_labels(tmp_path / "x.mtx", 3)
    with pytest.raises(DataError, match="column 'x2' stores row 3 twice"):
        plan_packing(tmp_path / "x.mtx", tmp_path / "out.bits", labels=labels).run()


@pytest.mark.parametrize(
    ("name", "text", "given", "sentence"),
    [
        ("x.csv", "", {}, "is empty"),
        ("x.csv", "a,b,y\n", {"target": "y"}, "a header and no rows"),
        ("x.csv", "a,b,y\n1,0,u\n1,v\n", {"target": "y"}, "line 3 has 2 cells where 3"),
        ("x.csv", "a,b,y\n1,0,u\n", {}, "last columns are 'a', 'b', 'y'"),
        ("x.csv", "a,b,y\n1,0,u\n", {"target": "z"}, "no column 'z'"),
        ("x.csv", "a,a,y\n1,0,u\n", {"target": "y"}, "two features are named 'a'"),
        ("x.csv", 'a,b,y\n1,"0,u\n', {"target": "y"}, "line 2.*quote left open"),
        ("x.csv", "a,b,y\n1,x,u\n0,x,v\n", {"target": "y"}, "'b' holds 'x' twice"),
        ("x.csv", "a,y\n\0\0,1\n", {"target": "y"}, "text"),
        ("x.csv.gz", "no gzip", {"target": "y"}, "not a whole gzip file"),
        ("x.csv", "id,a\nr,1\n", {"target": "y", "transpose": True}, "no row 'y'"),
        ("x.csv", "id\nr\n", {"target": "r", "transpose": True}, "one column only"),
        ("x.svmlight", "", {}, "0 rows"),
        ("x.svmlight", "a 1:1\n", {}, "row 1 cannot be read"),
        ("x.svmlight", "1 2:1 1:1\n", {}, "svmlight file"),
        ("x.mtx", "1 2 3\n", {}, "not a whole Matrix Market file"),
        ("x.mtx", "%%MatrixMarket matrix coordinate real symmetric\n2 2 0\n", {}, "symmetric"),
        ("x.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n", {},
         "has 1 entries and promises 2"),
        ("x.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 3 1\n", {},
         "outside of the matrix"),
        ("x.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 1 1\n", {},
         "not a whole Matrix Market file"),
        ("x.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 a 1\n", {},
         "not a whole Matrix Market file"),
        ("x.npz", "no zip", {}, "not a whole npz file"),
        ("x.bits", "no bits", {}, "not a BitMatrix file"),
        ("x.h5ad", "no hdf5", {"target": "y"}, "not a whole h5ad file"),
        ("x.docx", "", {}, "unknown suffix"),
        ("x.svmlight", "1 1:1\n", {"separator": ","}, "separator has no meaning"),
    ],
)  # fmt: skip
def test_files_that_cannot_be_packed_get_their_sentence(tmp_path, name, text, given, sentence):
    path, out = tmp_path / name, tmp_path / "out.bits"
    path.write_text(text, encoding="utf-8")
    if name == "x.mtx":
        given = given | {"labels": write_labels(path, 2)}
    with pytest.raises(ConsilienceError, match=sentence) as error:
        plan_packing(path, out, **given).run()
    assert str(error.value).endswith((".", "?"))
    assert not out.exists()


def test_classes_can_be_left_for_later(tmp_path):
    np.savez(tmp_path / "x.npz", X=X)
    with pytest.raises(UsageError, match="no array 'y'"):
        plan_packing(tmp_path / "x.npz", tmp_path / "x.bits")
    plan_packing(tmp_path / "x.npz", tmp_path / "x.bits", classes=False).run()
    assert_array_equal(BitMatrix.open(tmp_path / "x.bits").toarray(), X)
    labels = write_labels(tmp_path / "x.bits", 131)
    assert_array_equal(read_table(tmp_path / "x.bits", labels=labels).y, classes(131))
    plan_packing(tmp_path / "x.bits", tmp_path / "named.bits", labels=labels).run()
    assert_array_equal(read_table(tmp_path / "named.bits").y, classes(131))
    with pytest.raises(UsageError, match="cannot be packed into itself"):
        plan_packing(tmp_path / "x.bits", tmp_path / "x.bits", labels=labels)


def test_a_column_with_the_class_is_not_packed_beside_a_file_of_labels(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("f,state\n1,0\n0,1\n", encoding="utf-8")
    labels = write_labels(path, 2)
    with pytest.raises(DataError, match="column 'state' holds the class as well as the file"):
        plan_packing(path, tmp_path / "x.bits", "state", labels=labels)
    plan_packing(path, tmp_path / "x.bits", "state", labels=labels, drop="state").run()
    table = read_table(tmp_path / "x.bits")
    assert table.feature_names.tolist() == ["f"]
    assert table.y.tolist() == ["ill", "well"]


def test_a_source_that_changes_is_noticed(tmp_path):
    path, out = tmp_path / "x.csv", tmp_path / "out.bits"
    packing = plan_packing(path, out, **write_csv(path, X))
    path.write_text(csv(1 - X) + "\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"x\.csv' was changed"):
        packing.run()
    assert not out.exists()


# -- rows and columns later ---------------------------------------------------------------------


@settings(max_examples=25)
@given(dense=matrices, data=st.data(), memory=st.sampled_from([1, 10**6]))
def test_rows_and_columns_are_appended_to_files(tmp_path_factory, dense, data, memory):
    folder = tmp_path_factory.mktemp("pack")
    n, p = dense.shape
    row, column = data.draw(st.integers(1, n - 1)), data.draw(st.integers(1, p))
    out, later = folder / "out.bits", folder / "later.npz"
    y, names = classes(n), np.array([f"f{j}" for j in range(p)])
    BitMatrix.from_array(dense[:row, :column]).save(
        out, y=y[:row], feature_names=names[:column], target="state"
    )
    if column < p:
        np.savez(later, X=dense[:row, column:], feature_names=names[column:])
        plan_packing(later, out, append="columns", memory=memory).run()
    np.savez(later, X=dense[row:], y=y[row:])
    plan_packing(later, out, append="rows", memory=memory).run()
    table = read_table(out)
    assert_array_equal(table.X.words, BitMatrix.from_array(dense).words)
    assert_array_equal(table.y, y)
    assert_array_equal(table.feature_names, names)
    assert sorted(file.name for file in folder.iterdir()) == ["later.npz", "out.bits"]


@pytest.mark.parametrize(
    ("append", "given", "sentence"),
    [
        ("rows", {"X": X[:, 1:], "y": Y}, "has 23 features and .* has 22"),
        ("rows", {"X": X}, "no array 'y'"),
        ("rows", {"X": X, "y": Y}, "names of samples .*text.* has none"),
        ("rows", {"X": X, "y": classes(131), "sample_names": NAMES * 5 + NAMES[:16]},
         r"classes \(numbers\) and .* has text"),
        ("rows", {"X": X, "y": Y, "feature_names": NAMES[::-1]},
         "different names of features: number 1 is 'gene 0' in one and 'gene 22'"),
        ("columns", {"X": X[1:]}, "has 131 samples and .* has 130"),
        ("columns", {"X": X}, None),
        ("columns", {"X": X, "feature_names": NAMES}, "both have a feature 'gene 0'"),
        ("columns", {"X": X, "y": 2 - Y}, "different classes: number 1 is '0' in one and '2'"),
        ("sideways", {"X": X}, "rows or columns, and not 'sideways'"),
    ],
)  # fmt: skip
def test_what_is_appended_must_fit(tmp_path, append, given, sentence):
    out = tmp_path / "out.bits"
    names = {"feature_names": NAMES, "sample_names": [f"s{i}" for i in range(131)]}
    BitMatrix.from_array(X).save(out, y=Y, **names)
    before = out.read_bytes()
    np.savez(tmp_path / "later.npz", **given)
    if sentence is None:
        plan_packing(tmp_path / "later.npz", out, append=append).run()
        assert read_table(out).feature_names[23] == "x24"
        return
    with pytest.raises(ConsilienceError, match=sentence):
        plan_packing(tmp_path / "later.npz", out, append=append).run()
    assert out.read_bytes() == before


def test_there_must_be_a_file_to_append_to(tmp_path):
    np.savez(tmp_path / "x.npz", X=X, y=Y)
    with pytest.raises(DataError, match="pack it first"):
        plan_packing(tmp_path / "x.npz", tmp_path / "out.bits", append="rows")


def test_rows_of_one_class_and_one_group_are_appended(tmp_path):
    path, out = tmp_path / "x.csv", tmp_path / "out.bits"
    path.write_text("f,g,who,y\n1,0,7,u\n0,1,8,v\n", encoding="utf-8")
    plan_packing(path, out, "y", groups="who").run()
    path.write_text("f,g,who,y\n1,1,9,u\n0,0,9,u\n", encoding="utf-8")
    plan_packing(path, out, "y", groups="who", append="rows").run()
    table = read_table(out)
    assert table.groups.tolist() == ["7", "8", "9", "9"]
    assert table.y.tolist() == ["u", "v", "u", "u"]
    path.write_text("f,g,who,y\n1,1,9,u\n0,0,,u\n", encoding="utf-8")
    with pytest.raises(DataError, match="group has no value in row 2"):
        plan_packing(path, out, "y", groups="who", append="rows")


def test_the_first_look_is_told(tmp_path):
    path, told = tmp_path / "x.csv", []
    given = write_csv(path, X)
    packing = plan_packing(path, tmp_path / "out.bits", **given, memory=3000, tell=told.append)
    assert told
    assert all(0 < share <= 1 for share in told)
    told.clear()
    packing.run(told.append)
    assert told == sorted(told)
    assert told[-1] == 1
    assert len(told) > packing.n_passes > 1


# -- memory -------------------------------------------------------------------------------------


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
