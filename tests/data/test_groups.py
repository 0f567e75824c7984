"""Groups: found like the target in every format, kept apart from the features."""

import gzip

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal

from consilience import read_table
from consilience.exceptions import DataError, UsageError

FRAME = pd.DataFrame(
    {
        "g1": [0.5, 1.5, 2.5, 3.5],
        "patient": ["p1", "p1", "p2", "p2"],
        "g2": [4.0, 3.0, 2.0, 1.0],
        "class": ["ill", "well", "ill", "well"],
    }
)
ARFF = """@relation r
@attribute g1 numeric
@attribute patient {p1,p2}
@attribute g2 numeric
@attribute class {ill,well}
@data
"""
DENSE = "0.5,p1,4,ill\n1.5,p1,3,well\n2.5,p2,2,ill\n3.5,p2,1,well\n"
SPARSE = "{0 0.5,2 4}\n{0 1.5,2 3,3 well}\n{0 2.5,1 p2,2 2}\n{0 3.5,1 p2,2 1,3 well}\n"


@pytest.fixture(params=["csv", "csv.gz", "parquet", "dense.arff", "sparse.arff"])
def path(request, tmp_path):
    path = tmp_path / f"x.{request.param}"
    match request.param:
        case "csv":
            FRAME.to_csv(path, index=False)
        case "csv.gz":
            path.write_bytes(gzip.compress(FRAME.to_csv(index=False).encode()))
        case "parquet":
            FRAME.to_parquet(path)
        case kind:
            path.write_text(ARFF + (DENSE if kind.startswith("dense") else SPARSE))
    return path


@pytest.mark.parametrize("target", ["class", 3, "3", -1])
@pytest.mark.parametrize("groups", ["patient", 1, "1", -3])
def test_a_column_by_name_or_position(path, target, groups):
    table = read_table(path, target, groups=groups)
    X = table.X.toarray() if hasattr(table.X, "toarray") else table.X
    assert_array_equal(X, FRAME[["g1", "g2"]])
    assert_array_equal(table.feature_names, ["g1", "g2"])
    assert_array_equal(table.groups, FRAME["patient"])
    assert_array_equal(table.y, FRAME["class"])


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"groups": "class"}, "'class' cannot be the target and the groups as well"),
        ({"groups": 3}, "'class' cannot be the target and the groups as well"),
        ({"groups": "patient", "drop": ["patient"]}, "'patient' cannot be dropped as well"),
        ({"groups": "patients"}, "did you mean 'patient'"),
        ({"groups": 9}, "has 4 columns, and 9 is none"),
    ],
)
def test_groups_that_cannot_be(path, options, sentence):
    with pytest.raises(UsageError, match=sentence):
        read_table(path, "class", **options)


@pytest.mark.parametrize("form", ["csv", "parquet"])
@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ([7, 7, 7, 7], r"groups 'patient' are one group only \('7' in all 4 rows\)"),
        (["a", None, "b", None], r"groups 'patient' have no value in row 2 \(2 such rows"),
        ([1.5, np.nan, 2.0, 2.5], "groups 'patient' have no value in row 2"),
    ],
)
def test_groups_that_do_not_group(tmp_path, form, values, sentence):
    path = tmp_path / f"x.{form}"
    frame = FRAME.assign(patient=values)
    frame.to_csv(path, index=False) if form == "csv" else frame.to_parquet(path)
    with pytest.raises(DataError, match=sentence):
        read_table(path, "class", groups="patient")


def test_groups_may_be_any_numbers_and_stay_as_written(tmp_path):
    FRAME.assign(patient=[1.5, 1.5, 2.0, -1]).to_parquet(tmp_path / "x.parquet")
    table = read_table(tmp_path / "x.parquet", "class", groups="patient")
    assert_array_equal(table.groups, ["1.5", "1.5", "2", "-1"])
    FRAME.assign(patient=["007", "007", "7", "8"]).to_csv(tmp_path / "x.csv", index=False)
    table = read_table(tmp_path / "x.csv", "class", groups="patient")
    assert_array_equal(table.groups, ["007", "007", "7", "8"])


def test_samples_in_columns(tmp_path):
    FRAME.T.to_csv(tmp_path / "x.csv")
    table = read_table(tmp_path / "x.csv", "class", groups="patient", transpose=True)
    assert_array_equal(table.groups, FRAME["patient"])
    assert_array_equal(table.feature_names, ["g1", "g2"])


def test_an_array_of_npz(tmp_path):
    path, X = tmp_path / "x.npz", FRAME[["g1", "g2"]].to_numpy()
    y = np.array([0, 1, 0, 1])
    np.savez(path, X=X, y=y, patient=np.array([[4], [4], [5], [5]]), bad=np.ones((2, 2)))
    table = read_table(path, groups="patient", drop="x2")
    assert_array_equal(table.groups, [4, 4, 5, 5])
    assert_array_equal(table.feature_names, ["x1"])
    with pytest.raises(UsageError, match="no array 'patients'"):
        read_table(path, groups="patients")
    with pytest.raises(UsageError, match="'y' cannot be the target and the groups"):
        read_table(path, groups="y")
    with pytest.raises(DataError, match="groups 'bad' are 2-D"):
        read_table(path, groups="bad")


def test_a_file_of_groups_for_a_bare_matrix(tmp_path):
    (tmp_path / "x.svmlight").write_text("0 1:2\n1 1:3\n0 1:4\n")
    (tmp_path / "patients.txt").write_text("a\nb\nb\n")
    table = read_table(tmp_path / "x.svmlight", groups=tmp_path / "patients.txt")
    assert_array_equal(table.groups, ["a", "b", "b"])
    (tmp_path / "patients.txt").write_text("a\n")
    with pytest.raises(DataError, match="has 1 names for 3 samples"):
        read_table(tmp_path / "x.svmlight", groups=tmp_path / "patients.txt")


def test_a_column_of_obs(tmp_path):
    anndata = pytest.importorskip("anndata")
    obs = FRAME[["patient", "class"]].set_axis(list("abcd"))
    obs["visit"] = [1.5, 1.5, 2.0, 2.0]
    anndata.AnnData(FRAME[["g1", "g2"]].to_numpy(), obs).write_h5ad(tmp_path / "x.h5ad")
    table = read_table(tmp_path / "x.h5ad", "class", groups="patient")
    assert_array_equal(table.groups, FRAME["patient"])
    table = read_table(tmp_path / "x.h5ad", "class", groups="visit")
    assert_array_equal(table.groups, obs["visit"])
    with pytest.raises(UsageError, match="cannot be the target and the groups"):
        read_table(tmp_path / "x.h5ad", "class", groups="class")
