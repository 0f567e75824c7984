"""Rows and columns put behind those of a file that was packed before."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from consilience import BitMatrix, read_table
from consilience.data.pack import plan_packing
from consilience.exceptions import ConsilienceError, DataError
from data.packing import NAMES, X, Y, classes, matrices


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
        ("rows", {"X": X[:3], "y": Y[:3], "sample_names": ["new", "s7", "s5"]},
         r"both have a sample 's7' \(2 such samples in all\); rename or leave out such rows[.]$"),
        ("rows", {"X": X[:2], "y": Y[:2], "sample_names": ["new", "s7"]},
         "both have a sample 's7'; rename"),
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


def test_rows_that_lack_the_index_0_are_not_shifted(tmp_path):
    path, out = tmp_path / "x.svmlight", tmp_path / "out.bits"
    path.write_text("1 0:1 2:1\n0 1:1\n")
    plan_packing(path, out).run()
    path.write_text("1 1:1 3:1\n0 2:1\n")
    with pytest.raises(DataError, match="number 1 is 'x0' in one and 'x1' in the other"):
        plan_packing(path, out, append="rows")
    path.write_text("1 0:1 1:1\n0 2:1\n")
    plan_packing(path, out, append="rows").run()
    assert read_table(out).X.toarray().tolist() == [[1, 0, 1], [0, 1, 0], [1, 1, 0], [0, 0, 1]]


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
