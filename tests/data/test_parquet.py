import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from numpy.testing import assert_array_equal

from consilience import read_table
from consilience.exceptions import DataError, UsageError


def test_all_kinds_of_columns(tmp_path):
    frame = pd.DataFrame(
        {
            "gene": [0.5, np.nan, 2.5],
            "count": [1, 2, 3],
            "flag": [True, False, True],
            "stage": pd.Categorical(["II", None, "I"], categories=["II", "I", "III"]),
            "colour": ["red", "blue", "red"],
            "grade": pd.Categorical([3, 1, 3]),
            "written": ["1.5", "2", None],
            "class": ["x", "y", "x"],
        },
        index=["s1", "s2", "s3"],
    )
    frame.to_parquet(tmp_path / "x.parquet")
    table = read_table(tmp_path / "x.parquet", "class")
    nan = np.nan
    expected = [
        [0.5, 1, 1, 0, 1, 1, 1.5],
        [nan, 2, 0, nan, 0, 0, 2],
        [2.5, 3, 1, 1, 1, 1, nan],
    ]
    assert_array_equal(table.X, expected)
    assert_array_equal(table.sample_names, ["s1", "s2", "s3"])
    assert_array_equal(table.y, ["x", "y", "x"])
    assert table.categories == {
        "stage": ["II", "I", "III"],
        "colour": ["blue", "red"],
        "grade": ["1", "3"],
    }
    assert_array_equal(table.categorical_features, [False] * 3 + [True] * 3 + [False])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_float_types_are_kept(tmp_path, dtype):
    frame = pd.DataFrame(np.arange(6, dtype=dtype).reshape(2, 3) / 7, columns=list("abc"))
    frame["y"] = [1, 0]
    frame.to_parquet(tmp_path / "x.parquet")
    table = read_table(tmp_path / "x.parquet", "y")
    assert table.X.dtype == dtype
    assert_array_equal(table.X, frame[["a", "b", "c"]])
    assert_array_equal(table.y, [1, 0])
    assert table.sample_names is None


def test_float32_features_do_not_merge_classes_or_names(tmp_path):
    y = 20240100 + np.arange(60) % 3
    frame = pd.DataFrame({"y": y, "a": np.arange(60, dtype=np.float32) / 7})
    frame["small"] = np.arange(60, dtype=np.int16)
    frame["key"] = 2**60 + np.arange(60)
    frame.to_parquet(tmp_path / "x.parquet")
    for target in ("y", 0):
        table = read_table(tmp_path / "x.parquet", target, sample_names="key")
        assert table.X.dtype == np.float32
        assert_array_equal(table.y, y)
        assert_array_equal(table.sample_names, frame["key"].astype(str))
        assert_array_equal(table.X, frame[["a", "small"]])


@pytest.mark.parametrize("number", [20240101, -(2**31)])
def test_integers_that_float32_does_not_hold_need_float64(tmp_path, number):
    frame = pd.DataFrame({"a": np.float32([0.5, 1.5]), "long": [number, number + 1], "y": [0, 1]})
    frame.to_parquet(tmp_path / "x.parquet")
    table = read_table(tmp_path / "x.parquet", "y")
    assert table.X.dtype == np.float64
    assert_array_equal(table.X, frame[["a", "long"]])
    assert read_table(tmp_path / "x.parquet", "y", drop="long").X.dtype == np.float32


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_classes_beyond_the_exact_numbers_stay_apart(tmp_path, form):
    y = 2**60 + np.arange(6) % 3
    frame = pd.DataFrame({"a": np.arange(6) / 7, "y": y})
    path = tmp_path / f"x.{form}"
    frame.to_csv(path, index=False) if form == "csv" else frame.to_parquet(path)
    assert_array_equal(read_table(path, "y").y.astype(str), y.astype(str))


def test_without_pandas_metadata(tmp_path):
    columns = {"id": ["p", "q"], "a": [1, 2], "c": ["u", "v"]}
    pq.write_table(pa.table(columns), tmp_path / "x.parquet")
    table = read_table(tmp_path / "x.parquet", -1)
    assert_array_equal(table.sample_names, ["p", "q"])
    assert_array_equal(table.X, [[1], [2]])


def test_bad_parquet_gets_its_sentence(tmp_path):
    path = tmp_path / "x.parquet"
    pq.write_table(pa.table({"a": [1, 2], "list": [[1], [2]], "c": ["u", "v"]}), path)
    with pytest.raises(DataError, match="column 'list' holds list"):
        read_table(path, "c")
    assert read_table(path, "c", drop=["list"]).n_features == 1
    with pytest.raises(UsageError, match="which column"):
        read_table(path, drop=["list"])
    pq.write_table(pa.table({"a": pa.array([], pa.float64()), "c": pa.array([], "str")}), path)
    with pytest.raises(DataError, match="no rows"):
        read_table(path, "c")
    for content in (b"", b"PAR1 cut short"):
        path.write_bytes(content)
        with pytest.raises(DataError, match="not a whole Parquet file"):
            read_table(path, "c")
