"""What stands beside a table in blocks: classes, names, groups, categories; and odd types."""

import hashlib
import json

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from consilience import BlockMatrix, InformationGain, read_table
from consilience.data.pack_blocks import plan_blocks
from consilience.exceptions import DataError, UsageError

X = np.arange(16.0).reshape(8, 2)


@pytest.fixture
def saved(tmp_path):
    """A directory with classes and groups."""
    labels = {"y": [0, 1] * 4, "target": "state", "groups": list("aabbccdd")}
    BlockMatrix.split(X).save(tmp_path / "x.blocks", **labels)
    return tmp_path / "x.blocks"


def test_files_go_before_what_the_directory_holds(saved, tmp_path):
    assert read_table(saved).groups.tolist() == list("aabbccdd")
    (tmp_path / "own.txt").write_text("\n".join("pqpqpqpq"))
    assert read_table(saved, groups=tmp_path / "own.txt").groups.tolist() == list("pqpqpqpq")
    with pytest.raises(UsageError, match="are called 'state', and not 'no-such'"):
        read_table(saved, target="no-such")
    with pytest.raises(DataError, match=r"There is no file 'wrong\.txt'"):
        read_table(saved, groups=tmp_path / "wrong.txt")
    assert read_table(saved, groups="patient").groups.tolist() == list("aabbccdd")


def test_nominal_columns_stay_nominal(tmp_path):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "site": pd.Categorical(rng.choice(list("abcdefghijkl"), 60)),
            "age": rng.normal(size=60),
            "colour": rng.choice(["red", "green", "blue"], 60),
            "state": rng.choice(["ill", "well"], 60),
        }
    )
    frame.to_parquet(tmp_path / "x.parquet")
    plan_blocks(tmp_path / "x.parquet", tmp_path / "x.blocks", target="state").run()
    one, other = (read_table(tmp_path / name, target="state") for name in ("x.parquet", "x.blocks"))
    assert other.categorical_features.tolist() == [True, False, True]
    assert other.categories == one.categories
    scores = [
        InformationGain(1, categorical_features=t.categorical_features).fit(t.X, t.y).scores_
        for t in (one, other)
    ]
    np.testing.assert_array_equal(*scores)


@pytest.mark.parametrize(
    ("given", "read"),
    [
        ({"y": np.array(["2020", "2021"] * 4, "M8[Y]")}, ("y", ["2020", "2021"] * 4)),
        ({"groups": np.array([b"a", b"b"] * 4)}, ("groups", ["a", "b"] * 4)),
        ({"groups": np.arange(8).astype(np.longdouble)}, ("groups", list(range(8)))),
        ({"target": np.int64(3)}, ("target", "3")),
        ({"feature_names": ["\ud800", "b"]}, ("feature_names", ["\ud800", "b"])),
        ({"feature_names": np.array(["ä", "b"], np.dtypes.StringDType())},
         ("feature_names", ["ä", "b"])),
    ],
    ids=lambda given: next(iter(given)),
)  # fmt: skip
def test_labels_of_any_type_are_kept_as_text_or_numbers(tmp_path, given, read):
    BlockMatrix.split(X).save(tmp_path / "x.blocks", **({"y": [0, 1] * 4} | given))
    name, expected = read
    found = getattr(read_table(tmp_path / "x.blocks"), name)
    assert (found if isinstance(found, str) else found.tolist()) == expected


@pytest.mark.parametrize("text", [b"\xff", b"{", b"[1]", b'{"feature_names": 5}', b'{"y": {}}'])
def test_labels_that_were_edited_are_refused(saved, text):
    index = json.loads((saved / "index.json").read_text())
    index["labels"] = hashlib.sha256(text).hexdigest()
    (saved / "index.json").write_text(json.dumps(index))
    (saved / "labels.json").write_bytes(text)
    with pytest.raises(DataError, match=r"labels"):
        read_table(saved)


@pytest.mark.parametrize("dtype", [">f8", ">i4", "<u2", np.float16])
def test_cells_of_any_byte_order_are_written(tmp_path, dtype):
    BlockMatrix.split(X.astype(dtype)).save(tmp_path / "x.blocks")
    found = BlockMatrix.open(tmp_path / "x.blocks")
    assert found.dtype == np.dtype(dtype).newbyteorder("=")
    np.testing.assert_array_equal(found.toarray(), X)


def test_true_and_false_are_kept_as_numbers_to_be_counted(tmp_path):
    BlockMatrix.split(X > 5).save(tmp_path / "x.blocks", y=[0, 1] * 4)
    table = read_table(tmp_path / "x.blocks")
    assert table.X.dtype == np.uint8
    np.testing.assert_array_equal(table.X.toarray(), X > 5)


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        (X.astype(np.longdouble), "no place in Parquet; give float64"),
        (np.zeros((4, 0)), "A table of 4 rows and 0 columns is no table"),
        (np.zeros((0, 4)), "A table of 0 rows and 4 columns is no table"),
    ],
)
def test_what_has_no_place_is_refused(tmp_path, cells, said):
    with pytest.raises(UsageError, match=said):
        BlockMatrix.split(cells).save(tmp_path / "x.blocks")
    assert not any(tmp_path.iterdir())


def test_to_write_a_table_leaves_it_as_it_is(tmp_path):
    """Also one that stores a cell twice, which the file does not."""
    rng = np.random.default_rng(0)
    rows, columns = rng.integers(0, 8, 24), np.sort(rng.integers(0, 4, 24))
    bounds = np.searchsorted(columns, np.arange(5))
    table = sparse.csc_array((np.arange(1.0, 25), rows, bounds), shape=(8, 4))
    before = table.toarray()
    BlockMatrix.split(table).save(tmp_path / "x.blocks")
    np.testing.assert_array_equal(table.toarray(), before)
    np.testing.assert_array_equal(BlockMatrix.open(tmp_path / "x.blocks").toarray(), before)
