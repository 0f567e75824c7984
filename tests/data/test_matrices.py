"""Formats that hold a bare matrix: npz, mtx, svmlight, h5ad, packed bits."""

import builtins
import json

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import io, sparse
from sklearn.datasets import dump_svmlight_file

from consilience import BitMatrix, read_table
from consilience.exceptions import DataError, UsageError

X = np.array([[0, 1.5, 0], [2, 0, 0], [0, 0, -3], [4, 0, 5]])
Y = np.array([1, 0, 1, 0])


@pytest.fixture
def labels(tmp_path):
    path = tmp_path / "labels.txt"
    path.write_text("b\na\nb\na\n", encoding="utf-8")
    return path


# -- npz ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int16, np.int64])
def test_dense_arrays_keep_their_type(tmp_path, dtype):
    np.savez(tmp_path / "x.npz", X=X.astype(dtype), y=Y, sample_names=list("pqrs"))
    table = read_table(tmp_path / "x.npz")
    assert_array_equal(table.X, X.astype(dtype))
    assert table.X.dtype == dtype
    assert_array_equal(table.y, Y)
    assert_array_equal(table.feature_names, ["x1", "x2", "x3"])
    assert_array_equal(table.sample_names, ["p", "q", "r", "s"])
    assert table.target == "y"


@pytest.mark.parametrize("layout", ["csr", "csc"])
def test_sparse_parts(tmp_path, layout, labels):
    matrix = sparse.csr_array(X).asformat(layout)
    sparse.save_npz(tmp_path / "scipy.npz", matrix)
    table = read_table(tmp_path / "scipy.npz", labels=labels)
    assert table.X.format == layout
    assert_array_equal(table.X.toarray(), X)
    assert_array_equal(table.y, ["b", "a", "b", "a"])


def test_nominal_features_come_with_their_categories(tmp_path):
    codes = np.array([[0, 0.5], [2, 1.5], [np.nan, 2.5]])
    np.savez(
        tmp_path / "x.npz",
        X=codes,
        y=np.array([b"u", b"v", b"u"]),
        feature_names=np.array([b"stage", b"gene"]),
        feature_types=["nominal", "numeric"],
        categories=[json.dumps(["I", "II", "III"]), "[]"],
    )
    table = read_table(tmp_path / "x.npz")
    assert_array_equal(table.categorical_features, [True, False])
    assert table.categories == {"stage": ["I", "II", "III"]}
    assert_array_equal(table.y, ["u", "v", "u"])
    dropped = read_table(tmp_path / "x.npz", drop=["stage"])
    assert dropped.categories == {}
    assert_array_equal(dropped.X, codes[:, 1:])


def test_another_array_can_be_the_target(tmp_path):
    stage = ["I", "II", "II", "I"]
    np.savez(tmp_path / "x.npz", X=X, y=Y, stage=stage)
    table = read_table(tmp_path / "x.npz", "stage")
    assert_array_equal(table.y, stage)
    assert table.target == "stage"
    with pytest.raises(UsageError, match="no array 'stags'; did you mean 'stage'"):
        read_table(tmp_path / "x.npz", "stags")


def test_arrays_may_lie_on_their_side(tmp_path):
    np.savez(tmp_path / "x.npz", X=X.T, y=Y[:, None])
    table = read_table(tmp_path / "x.npz", transpose=True)
    assert_array_equal(table.X, X)
    assert_array_equal(table.y, Y)


def test_truth_values_become_numbers(tmp_path):
    np.savez(tmp_path / "x.npz", X=X != 0, y=Y == 1)
    table = read_table(tmp_path / "x.npz")
    assert table.X.dtype == np.uint8
    assert_array_equal(table.y, Y == 1)


@pytest.mark.parametrize(
    ("arrays", "error", "sentence"),
    [
        ({"X": X}, UsageError, "no array 'y' with the classes"),
        ({"y": Y}, DataError, "neither an array 'X' nor the sparse parts"),
        ({"X": X, "y": Y[:3]}, DataError, "there are 3 classes for 4 rows"),
        ({"X": X, "y": Y + 0.5}, DataError, "holds the number 1.5 in row 1"),
        ({"X": X, "y": [1, 0, np.nan, 1]}, DataError, "no value in row 3"),
        ({"X": X.astype(str), "y": Y}, DataError, "and not numbers"),
        ({"X": X, "y": Y, "feature_names": list("aab")}, DataError, "two features are named 'a'"),
        ({"X": X, "y": np.array([1, "a", 0, 1], object)}, DataError, "could run code"),
        ({"X": X[0], "y": Y}, DataError, "1-D"),
        (
            {"X": X, "y": Y, "feature_types": ["nominal"] * 3, "categories": ["["] * 3},
            DataError,
            "categories that cannot be read",
        ),
        (
            {"data": [1], "indices": [9], "indptr": [0, 1, 1, 1, 1], "shape": [4, 3], "y": Y},
            DataError,
            "sparse parts that disagree",
        ),
    ],
)
def test_bad_npz_gets_its_sentence(tmp_path, arrays, error, sentence):
    np.savez(tmp_path / "x.npz", **arrays)
    with pytest.raises(error, match=sentence) as caught:
        read_table(tmp_path / "x.npz")
    assert "x.npz" in str(caught.value)


def test_what_is_no_npz_is_refused(tmp_path):
    path = tmp_path / "x.npz"
    for content in (b"", b"no zip", b"PK\x03\x04 cut"):
        path.write_bytes(content)
        with pytest.raises(DataError, match=r"x\.npz'"):
            read_table(path)


def test_shared_sets_read_as_their_description_says(shared_data):
    for name in ("colon", "zoo", "thrombin_kdd2001", "oh5"):
        table = read_table(shared_data / f"{name}.npz")
        with np.load(shared_data / f"{name}.npz", allow_pickle=False) as arrays:
            assert_array_equal(table.y, arrays["y"])
            shape = tuple(arrays["shape"]) if "shape" in arrays else arrays["X"].shape
            assert table.X.shape == shape
            if "feature_types" in arrays:
                nominal = arrays["feature_types"] == "nominal"
                assert_array_equal(table.categorical_features, nominal)


# -- Matrix Market ------------------------------------------------------------------------------


def test_matrix_market_with_labels_and_names(tmp_path, labels):
    names = tmp_path / "features.tsv"
    names.write_text("ENSG1\tTP53\nENSG2\tMYC\nENSG3\tKRAS\n", encoding="utf-8")
    samples = tmp_path / "barcodes.tsv"
    samples.write_text("p\nq\nr\ns\n", encoding="utf-8")
    by_name = tmp_path / "by_name.csv"
    by_name.write_text("s,a\nr,b\nq,a\np,b\n", encoding="utf-8")
    for name, matrix in (("x.mtx", sparse.coo_array(X)), ("d.mtx", X)):
        io.mmwrite(tmp_path / name, matrix)
        table = read_table(
            tmp_path / name, features=names, sample_names=samples, labels=by_name, drop="ENSG2"
        )
        dense = table.X.toarray() if sparse.issparse(table.X) else table.X
        assert_array_equal(dense, X[:, [0, 2]])
        assert_array_equal(table.y, ["b", "a", "b", "a"])
        assert_array_equal(table.feature_names, ["ENSG1", "ENSG3"])
    io.mmwrite(tmp_path / "t.mtx", sparse.coo_array(X.T))
    table = read_table(tmp_path / "t.mtx", labels=labels, transpose=True)
    assert table.X.format == "csr"
    assert_array_equal(table.X.toarray(), X)


def test_a_sample_with_two_labels_is_refused(tmp_path):
    np.savez(tmp_path / "x.npz", X=np.eye(2), sample_names=["a", "b"])
    (tmp_path / "labels.csv").write_text("sample,class\na,ill\nb,well\na,well\n")
    with pytest.raises(DataError, match=r"labels.csv' lists the sample 'a' twice"):
        read_table(tmp_path / "x.npz", labels=tmp_path / "labels.csv")


def test_bad_matrix_market_gets_its_sentence(tmp_path, labels):
    path = tmp_path / "x.mtx"
    io.mmwrite(path, sparse.coo_array(X))
    with pytest.raises(UsageError, match="holds no classes; give a file"):
        read_table(path)
    (tmp_path / "names.txt").write_text("a\nb\nc\nd\ne\n", encoding="utf-8")
    with pytest.raises(DataError, match="has 5 names for 3 features"):
        read_table(path, labels=labels, features=tmp_path / "names.txt")
    io.mmwrite(tmp_path / "short.mtx", sparse.coo_array(X[:2]))
    with pytest.raises(DataError, match="has 4 labels for 2 samples"):
        read_table(tmp_path / "short.mtx", labels=labels)
    content = path.read_text(encoding="utf-8").splitlines()
    for text in ("", "nonsense", "\n".join(content[:-1])):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(DataError, match=r"x\.mtx'"):
            read_table(path, labels=labels)
    io.mmwrite(path, sparse.coo_array(X * 1j))
    with pytest.raises(DataError, match="complex numbers"):
        read_table(path, labels=labels)


# -- svmlight -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["x.svmlight", "x.libsvm"])
def test_svmlight(tmp_path, name):
    dump_svmlight_file(X, Y, str(tmp_path / name), zero_based=False, comment="made")
    table = read_table(tmp_path / name)
    assert_array_equal(table.X.toarray(), X)
    assert_array_equal(table.y, Y)
    assert table.y.dtype.kind == "i"
    assert_array_equal(table.feature_names, ["x1", "x2", "x3"])


@pytest.mark.parametrize("text", ["", "a 1:2\n", "1 1:2\n0 x:3\n"])
def test_bad_svmlight_gets_its_sentence(tmp_path, text):
    (tmp_path / "x.svmlight").write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match=r"x\.svmlight' is "):
        read_table(tmp_path / "x.svmlight")


# -- packed bits --------------------------------------------------------------------------------


def test_packed_bits_are_mapped(tmp_path, labels):
    dense = (X != 0).astype(np.uint8)
    BitMatrix.from_array(dense).save(tmp_path / "x.bits")
    names = tmp_path / "names.txt"
    names.write_text("f\ng\nh\n", encoding="utf-8")
    table = read_table(tmp_path / "x.bits", labels=labels, features=names, drop=["g"])
    assert isinstance(table.X, BitMatrix)
    assert_array_equal(table.X.toarray(), dense[:, [0, 2]])
    assert_array_equal(table.feature_names, ["f", "h"])
    with pytest.raises(UsageError, match="no feature 'gg'; did you mean 'g'"):
        read_table(tmp_path / "x.bits", labels=labels, features=names, drop=["gg"])


# -- h5ad ---------------------------------------------------------------------------------------


@pytest.fixture
def h5ad(tmp_path):
    anndata = pytest.importorskip("anndata")
    import pandas as pd

    obs = pd.DataFrame(
        {"tissue": pd.Categorical(["b", "a", "b", "a"]), "batch": Y, "nick": list("kmno")},
        index=list("pqrs"),
    )
    var = pd.DataFrame(index=["TP53", "MYC", "KRAS"])

    def put(matrix):
        anndata.AnnData(matrix, obs=obs, var=var).write_h5ad(tmp_path / "x.h5ad")
        return tmp_path / "x.h5ad"

    return put


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix, sparse.csc_matrix])
def test_h5ad(h5ad, form):
    path = h5ad(form(X.astype(np.float32)))
    table = read_table(path, "tissue")
    dense = table.X.toarray() if sparse.issparse(table.X) else table.X
    assert dense.dtype == np.float32
    assert_array_equal(dense, X)
    assert_array_equal(table.y, ["b", "a", "b", "a"])
    assert_array_equal(table.feature_names, ["TP53", "MYC", "KRAS"])
    assert_array_equal(table.sample_names, ["p", "q", "r", "s"])
    table = read_table(path, "batch", sample_names="nick", drop=["MYC"])
    assert_array_equal(table.y, Y)
    assert_array_equal(table.sample_names, ["k", "m", "n", "o"])
    assert_array_equal(table.feature_names, ["TP53", "KRAS"])


def test_bad_h5ad_gets_its_sentence(h5ad, tmp_path):
    path = h5ad(X)
    with pytest.raises(UsageError, match="there are: tissue, batch, nick"):
        read_table(path)
    with pytest.raises(UsageError, match="no column of obs 'tisue'; did you mean 'tissue'"):
        read_table(path, "tisue")
    path.write_bytes(b"no hdf5")
    with pytest.raises(DataError, match="not a whole h5ad file"):
        read_table(path, "tissue")


def test_without_anndata_the_extra_is_named(tmp_path, monkeypatch):
    real = builtins.__import__

    def no_anndata(name, *args, **kwargs):
        if name == "anndata":
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", no_anndata)
    (tmp_path / "x.h5ad").write_bytes(b"")
    with pytest.raises(UsageError, match=r"pip install consilience\[anndata\]"):
        read_table(tmp_path / "x.h5ad", "tissue")
