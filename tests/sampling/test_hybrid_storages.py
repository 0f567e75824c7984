"""The same rows from every storage of X, each given back as what it was."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse

from consilience import HybridSampler
from consilience.sampling import smote
from consilience.sampling.balance import KINDS

RNG = np.random.default_rng(0)
y = np.repeat(["ill", "well"], [14, 46])[RNG.permutation(60)]
# Numbers, whole numbers and nominal codes.
MIXED = np.column_stack(
    [RNG.normal(size=(60, 2)), RNG.integers(0, 9, 60), RNG.integers(0, 3, (60, 2))]
)
NOMINAL = np.array([False, False, False, True, True])

every_kind = pytest.mark.parametrize("kind", KINDS)
every_gap = pytest.mark.parametrize("gap", ["row", "column"])


def resample(table, labels=y, **options):
    return HybridSampler(**{"random_state": 0} | options).fit_resample(table, labels)


def rows_of(table):
    """The rows of any storage as a list of tuples."""
    table = table.toarray() if sparse.issparse(table) else np.asarray(table)
    return list(map(tuple, table.tolist()))


@every_kind
@every_gap
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int16, bool])
def test_every_storage_gives_the_same_rows(kind, gap, dtype):
    table = (3 * MIXED).astype(dtype)
    options = {"kind": kind, "gap": gap, "categorical_features": [3, 4]}
    expected, labels = resample(table, **options)
    assert expected.dtype == dtype
    names = list("abcde")
    stores = {
        "fortran": np.asfortranarray,
        "csr": sparse.csr_array,
        "csc": sparse.csc_array,
        "csr matrix": sparse.csr_matrix,
        "csc matrix": sparse.csc_matrix,
        "frame": lambda table: pd.DataFrame(table, columns=names),
        "sparse frame": lambda table: pd.DataFrame.sparse.from_spmatrix(
            sparse.csr_matrix(table), columns=names
        ),
    }
    if dtype is bool:
        del stores["sparse frame"]  # of which pandas warns
    for store in stores.values():
        given_X = store(table)
        found, found_labels = resample(given_X, **options)
        assert type(found) is type(given_X)
        assert rows_of(found) == rows_of(expected)
        assert_array_equal(found_labels, labels)
        if hasattr(found, "iloc"):
            pd.testing.assert_series_equal(found.dtypes, given_X.dtypes)
        else:
            assert found.dtype == dtype


def frame_of_mixed():
    words = np.array(["cold", "dry", "hot"])
    return pd.DataFrame(
        {
            "age": MIXED[:, 0],
            "dose": MIXED[:, 1].astype(np.float32),
            "visits": MIXED[:, 2].astype(np.int64),
            # Neither the order of the categories nor one that no row has is part of the data.
            "air": pd.Categorical(words[MIXED[:, 3].astype(int)], ["hot", "wet", "cold", "dry"]),
            "group": MIXED[:, 4].astype(int),
        },
        index=[f"patient {i}" for i in range(60)],
    )


@every_kind
def test_categories_of_a_frame_are_those_of_a_mask(kind):
    frame = frame_of_mixed()
    table = np.column_stack([frame["age"], frame["dose"], MIXED[:, 2:]])
    expected, labels = resample(table, kind=kind, categorical_features=NOMINAL)
    labels_of_frame = pd.Series(y, index=frame.index, name="class", dtype="category")
    for chosen in ([4], [3, 4], NOMINAL):
        found, found_labels = resample(
            frame, labels_of_frame, kind=kind, categorical_features=chosen
        )
        pd.testing.assert_series_equal(found.dtypes, frame.dtypes)
        assert found_labels.dtype == labels_of_frame.dtype
        assert found_labels.name == "class"
        assert_array_equal(found.index, found_labels.index)
        assert_array_equal(found_labels, labels)
        assert_array_equal(found["age"], expected[:, 0])
        assert_array_equal(found["dose"], expected[:, 1].astype(np.float32))
        assert_array_equal(found["visits"], np.rint(expected[:, 2]))
        assert_array_equal(
            found["air"], np.array(["cold", "dry", "hot"])[expected[:, 3].astype(int)]
        )
        assert_array_equal(found["group"], expected[:, 4])


def test_categorical_columns_are_nominal_whatever_is_asked():
    frame = frame_of_mixed()[["age", "air"]]
    expected = resample(frame)[0]
    for chosen in ("from_dtype", [], [1], [False, True]):
        pd.testing.assert_frame_equal(resample(frame, categorical_features=chosen)[0], expected)


def test_text_can_be_nominal_and_whole_frames_too():
    frame = pd.DataFrame({"air": list("abc" * 20), "place": list("uv" * 30)})
    found, _ = resample(frame, categorical_features=[0, 1])
    assert found.shape == (42, 2)
    pd.testing.assert_frame_equal(found, resample(frame.astype("category"))[0].astype(frame.dtypes))


def test_columns_of_every_type_come_back_as_they_were():
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(
        {
            "Int64": pd.array(rng.integers(0, 99, 60), dtype="Int64"),
            "Float32": pd.array(rng.normal(size=60), dtype="Float32"),
            "boolean": pd.array(rng.random(60) < 0.5, dtype="boolean"),
            "uint8": rng.integers(200, 256, 60).astype(np.uint8),
            "arrow": pd.array(rng.integers(0, 99, 60), dtype="int64[pyarrow]"),
            "large": rng.integers(2**60, 2**61, 60),
        }
    )
    found, labels = resample(frame)
    pd.testing.assert_series_equal(found.dtypes, frame.dtypes)
    kept = set(map(tuple, frame[y == "ill"].astype(object).to_numpy()))
    assert kept <= set(map(tuple, found[labels == "ill"].astype(object).to_numpy()))
    low, high = frame[y == "ill"].min(), frame[y == "ill"].max()
    for name in frame:
        assert found[labels == "ill"][name].between(low[name], high[name]).all()


def test_whole_numbers_are_rounded_to_the_nearest():
    table = np.array([[0], [10], [90], [91], [92], [93]])
    labels = [1, 1, 0, 0, 0, 0]
    whole = resample(table, labels, kind="smote")[0][6:]
    exact = resample(table.astype(float), labels, kind="smote")[0][6:]
    assert whole.dtype == table.dtype
    assert_array_equal(whole, np.rint(exact))


@every_gap
def test_the_size_of_blocks_does_not_matter(gap, monkeypatch):
    options = {"gap": gap, "categorical_features": NOMINAL, "kind": "smote"}
    expected = resample(MIXED, **options)[0]
    monkeypatch.setattr(smote, "BLOCK_CELLS", 12)
    assert resample(MIXED, **options)[0].tobytes() == expected.tobytes()
    found = resample(sparse.csr_array(MIXED), **options)[0]
    assert found.toarray().tobytes() == expected.tobytes()


@every_kind
@pytest.mark.parametrize("kind_of_X", [np.array, sparse.csr_array, sparse.csc_array, pd.DataFrame])
def test_the_data_of_the_caller_are_not_touched(kind, kind_of_X):
    given_X, given_y = kind_of_X(MIXED), y.copy()
    arrays = [given_y]
    if sparse.issparse(given_X):
        arrays += [given_X.data, given_X.indices, given_X.indptr]
    else:
        arrays.append(np.asarray(given_X))
    before = [array.tobytes() for array in arrays]
    for array in arrays:
        array.flags.writeable = False
    found, _ = resample(given_X, given_y, kind=kind, categorical_features=[3, 4])
    if not sparse.issparse(found):
        assert not np.shares_memory(np.asarray(found), arrays[1])
    assert [array.tobytes() for array in arrays] == before
