"""Columns that somebody says are nominal, in every format that can hold them."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from scipy import io, sparse

from consilience import BitMatrix, read_table
from consilience.data.nominal import encode_nominal
from consilience.exceptions import DataError, UsageError

ZIP = [30, 7, 30, 100, 7, 7]
DOORS = ["2", "5more", "4", "10", "2", None]
FRAME = pd.DataFrame(
    {"zip": ZIP, "doors": DOORS, "size": [1.5, 2.5, 0.5, 1.0, 2.0, 3.0], "kind": list("aabbab")}
)


def write(folder, suffix):
    """The frame in one format; arff cannot hold the column of numbers and text as numeric."""
    path = folder / f"cars{suffix}"
    if suffix == ".csv":
        FRAME.to_csv(path, index=False)
    elif suffix == ".tsv":
        FRAME.to_csv(path, index=False, sep="\t")
    elif suffix == ".parquet":
        FRAME.to_parquet(path, index=False)
    else:
        rows = FRAME.fillna("?").to_csv(index=False, header=False)
        kinds = ("numeric", "string", "numeric", "{a,b}")
        head = [f"@attribute {n} {k}" for n, k in zip(FRAME.columns, kinds, strict=True)]
        path.write_text("\n".join(["@relation cars", *head, "@data", rows]), encoding="utf-8")
    return path


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".parquet", ".arff"])
def test_numbers_and_mixed_text_become_codes(tmp_path, suffix):
    table = read_table(write(tmp_path, suffix), "kind", nominal=["zip", "doors"])
    assert table.feature_names.tolist() == ["zip", "doors", "size"]
    assert table.categorical_features.tolist() == [True, True, False]
    assert table.categories == {"zip": ["7", "30", "100"], "doors": ["2", "4", "10", "5more"]}
    assert_array_equal(table.X[:, 0], [1, 0, 1, 2, 0, 0])
    assert_array_equal(table.X[:, 1], [0, 3, 1, 2, 0, np.nan])
    assert_array_equal(table.X[:, 2], FRAME["size"])


def test_samples_in_columns(tmp_path):
    FRAME.T.to_csv(tmp_path / "cars.csv", header=[f"s{i}" for i in range(6)])
    table = read_table(tmp_path / "cars.csv", "kind", transpose=True, nominal=["zip", "doors"])
    assert table.categories == {"zip": ["7", "30", "100"], "doors": ["2", "4", "10", "5more"]}
    assert_array_equal(table.X[:, 0], [1, 0, 1, 2, 0, 0])


def test_a_value_is_what_the_file_spells(tmp_path):
    (tmp_path / "x.csv").write_text("zip,kind\n007,a\n7,b\n007,a\n,b\n", encoding="utf-8")
    table = read_table(tmp_path / "x.csv", "kind", nominal="zip")
    assert table.categories == {"zip": ["007", "7"]}
    assert_array_equal(table.X[:, 0], [0, 1, 0, np.nan])


def test_without_it_the_message_names_the_way_out(tmp_path):
    with pytest.raises(DataError, match=r"'5more'; .* or name it in --nominal \(in Python nominal"):
        read_table(write(tmp_path, ".csv"), "kind")


def test_values_that_all_differ_are_no_names_of_samples(tmp_path):
    rows = "".join(f"s{i},{i % 3},{'ab'[i % 2]}\n" for i in range(40))
    (tmp_path / "x.csv").write_text(f"id,size,kind\n{rows}", encoding="utf-8")
    assert read_table(tmp_path / "x.csv", "kind").sample_names is not None
    table = read_table(tmp_path / "x.csv", "kind", nominal=["id"])
    assert table.sample_names is None
    assert len(table.categories["id"]) == 40


def test_a_column_that_is_declared_nominal_stays_as_it_is(tmp_path):
    (tmp_path / "x.arff").write_text(
        "@relation r\n@attribute c {z,y,x}\n@attribute class {a,b}\n@data\nx,a\nz,b\n",
        encoding="utf-8",
    )
    table = read_table(tmp_path / "x.arff", nominal=["c"])
    assert table.categories == {"c": ["z", "y", "x"]}
    assert_array_equal(table.X[:, 0], [2, 0])


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64, np.int8])
def test_npz_of_numeric_codes(tmp_path, dtype):
    X = np.column_stack([ZIP, np.arange(6)]).astype(dtype)
    np.savez(tmp_path / "x.npz", X=X, y=list("aabbab"), feature_names=["zip", "size"])
    table = read_table(tmp_path / "x.npz", nominal=["zip"])
    assert_array_equal(table.X, np.column_stack([[1, 0, 1, 2, 0, 0], np.arange(6)]))
    assert table.categorical_features.tolist() == [True, False]
    assert table.categories == {"zip": ["7", "30", "100"]}


def test_more_codes_than_small_numbers_hold(tmp_path):
    X = np.arange(-128, 128, dtype=np.int8)[:, None]
    np.savez(tmp_path / "x.npz", X=X, y=np.arange(256) % 2)
    table = read_table(tmp_path / "x.npz", nominal=["x1"])
    assert_array_equal(table.X[:, 0], np.arange(256))


BAD = {
    "unknown": ({"nominal": ["dors"]}, "no column 'dors'; did you mean 'doors'"),
    "target": ({"nominal": ["kind"]}, "'kind' cannot be the target and a nominal feature as well"),
    "dropped": ({"nominal": ["zip"], "drop": "zip"}, "'zip' cannot be dropped and a nominal"),
    "groups": ({"nominal": ["zip"], "groups": "zip"}, "'zip' cannot be the groups and a nominal"),
    "names": ({"nominal": ["zip"], "sample_names": "zip"}, "be the names of samples and a nominal"),
    "positions": ({"nominal": [0]}, "The option nominal takes names of columns, and not"),
    "a number": ({"nominal": 3}, "The option nominal takes names of columns, and not 3"),
}


@pytest.mark.parametrize("case", BAD)
def test_what_is_no_feature_is_refused(tmp_path, case):
    options, message = BAD[case]
    with pytest.raises(UsageError, match=message) as caught:
        read_table(write(tmp_path, ".csv"), "kind", **options)
    assert str(caught.value)[-1] in ".?"


def test_what_is_no_feature_of_a_matrix_is_refused(tmp_path):
    np.savez(tmp_path / "x.npz", X=np.eye(4), y=list("abab"), owner=list("pqpq"))
    for options, message in (
        ({"nominal": "x9"}, "no feature 'x9'"),
        ({"nominal": "y"}, "'y' cannot be the target and"),
        ({"nominal": "owner", "groups": "owner"}, "'owner' cannot be the groups and"),
        ({"nominal": "x1", "drop": "x1"}, "'x1' cannot be dropped and"),
    ):
        with pytest.raises(UsageError, match=message):
            read_table(tmp_path / "x.npz", **options)


def test_sparse_and_packed_data_have_none(tmp_path):
    (tmp_path / "y.txt").write_text("a\nb\na\nb\n", encoding="utf-8")
    sparse.save_npz(tmp_path / "x.npz", sparse.csr_array(np.eye(4)))
    io.mmwrite(tmp_path / "x.mtx", sparse.csr_array(np.eye(4)))
    for name in ("x.npz", "x.mtx"):
        with pytest.raises(UsageError, match=r"is sparse, and only dense .* 'x1'; .*\.$"):
            read_table(tmp_path / name, labels=tmp_path / "y.txt", nominal=["x1"])
    BitMatrix.from_array(np.eye(4, dtype=np.uint8)).save(tmp_path / "x.bits")
    with pytest.raises(UsageError, match=r"The option nominal has no meaning for \.bits files"):
        read_table(tmp_path / "x.bits", labels=tmp_path / "y.txt", nominal=["x1"])


def test_codes_of_what_is_missing():
    codes, categories = encode_nominal(np.array([None, "b", "", "nan", "a"], dtype=object))
    assert categories == ["a", "b", "nan"]
    assert_array_equal(codes, [np.nan, 1, np.nan, 2, 0])
    codes, categories = encode_nominal(np.array([np.nan, 0.1, 1e30]))
    assert categories == ["0.1", "1e+30"]
    assert_array_equal(codes, [np.nan, 0, 1])
