"""What cannot be packed is refused in a sentence that names the cell, and leaves nothing."""

import gzip

import numpy as np
import pytest

from consilience.data.pack import plan_packing
from consilience.exceptions import ConsilienceError, DataError
from data.packing import FORMATS, csv, h5ad, write_labels, write_transposed


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
        ("x.svmlight", "a 1:1\n", {}, "line 1 begins with 'a'"),
        ("x.svmlight", "1 1:1\n#\n1 2:1 1:1\n", {}, "line 3 holds the index 1 after 2; a line is"),
        ("x.svmlight", "1 1:1 1:1\n", {}, "line 1 holds the index 1 twice"),
        ("x.svmlight", "1 1:1 2:a\n", {}, "line 1 holds '2:a'"),
        ("x.svmlight", "1 -1:1\n", {}, "line 1 holds '-1:1'"),
        ("x.svmlight.gz", "no gzip", {}, "not a whole gzip file"),
        ("x.mtx", "1 2 3\n", {}, "not a whole Matrix Market file"),
        ("x.mtx", "%%MatrixMarket matrix coordinate real symmetric\n2 2 0\n", {}, "symmetric"),
        ("x.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n", {},
         "cut short, with 1 entry where 2 are promised"),
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
