"""Packing gives what reading whole and then packing gives, in any number of passes."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from scipy import sparse

from consilience import BitMatrix, read_table
from consilience.data.pack import plan_packing
from consilience.exceptions import DataError, UsageError
from data.packing import (
    FORMATS,
    H5AD,
    NAMES,
    RNG,
    X,
    Y,
    check,
    classes,
    csv,
    h5ad,
    matrices,
    npz,
    write_csv,
    write_labels,
)


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
