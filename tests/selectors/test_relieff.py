"""ReliefF: by the slow twin, by WEKA, and by what must not change its scores."""

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse

import naive_relieff as naive
from consilience import BitMatrix, make_planted
from consilience.exceptions import DataError, UsageError
from consilience.selectors import relief_distances
from consilience.selectors.relieff import ReliefF
from small_tables import any_weights, binary, few_values, labelled, weighted, whole_weights
from weka_answers import EDGES, GOLDEN, REAL, load_edge, load_real

pytestmark = pytest.mark.filterwarnings("ignore:.* features were asked for")

measured = st.integers(-40, 60).map(lambda v: v / 7)
with_holes = st.one_of(few_values, measured, st.just(np.nan))
ks = st.integers(1, 5)
ties = st.sampled_from(["share", "weka"])
STORAGES = [
    np.asarray, np.asfortranarray, lambda X: X.astype(np.float32), lambda X: X.astype(np.uint8),
    sparse.csr_array, sparse.csc_array, sparse.csr_matrix, BitMatrix.from_array,
]  # fmt: skip


def scores(X, y, weights=None, **options):
    return ReliefF(random_state=0, **options).fit(X, y, sample_weight=weights).scores_


def assert_as_the_twin(X, y, weights=None, *, k=3, nominal=(), **options):
    found = scores(X, y, weights, n_neighbors=k, categorical_features=list(nominal), **options)
    expected = naive.relieff(X.tolist(), y.tolist(), weights, k=k, nominal=nominal, **options)
    assert_allclose(found, expected, rtol=0, atol=1e-10)


# --- the slow twin


@given(labelled(values=measured), ks)
def test_numbers(data, k):
    assert_as_the_twin(*data, k=k)


@given(labelled(values=measured), ks, ties)
def test_tables_of_one_column_tie_by_either_rule(data, k, rule):
    X, y = data
    assert_as_the_twin(X[:, :1], y, k=k, ties=rule)


@given(labelled(values=with_holes), ks, st.booleans())
def test_numbers_and_categories_with_missing_values(data, k, first):
    assert_as_the_twin(*data, k=k, nominal=[0] if first else [])


@given(labelled(values=st.one_of(binary, st.just(np.nan))), ks)
def test_two_values_with_missing_ones(data, k):
    assert_as_the_twin(*data, k=k)


@given(weighted(labelled(values=few_values), whole_weights), ks, st.booleans())
def test_copies(data, k, exclude):
    assert_as_the_twin(*data, k=k, exclude_copies=exclude)


@given(weighted(labelled(values=with_holes), any_weights), ks, st.booleans())
def test_any_weights(data, k, exclude):
    assert_as_the_twin(*data, k=k, nominal=[0], exclude_copies=exclude)


@given(weighted(labelled(values=st.integers(0, 4)), whole_weights), ks, st.booleans())
def test_copies_in_the_slots_of_weka(data, k, exclude):
    X, y, weights = data
    X[:, 1:] = 0  # one column: the twin adds up in the same order
    nominal = [0] if exclude else []
    assert_as_the_twin(X, y, weights, k=k, ties="weka", exclude_copies=exclude, nominal=nominal)


@given(weighted(labelled(values=with_holes, min_rows=4), whole_weights), st.booleans())
def test_a_weight_is_as_many_copies_of_the_row(data, share):
    X, y, weights = data
    rule = "share" if share else "weka"
    copied = np.repeat(np.arange(y.size), weights.astype(int))
    options = {"n_neighbors": 3, "exclude_copies": False, "ties": rule}
    assert_allclose(scores(X, y, weights, **options), scores(X[copied], y[copied], **options),
                    rtol=0, atol=1e-12)  # fmt: skip


# --- WEKA


def edge_of_relieff(name):
    """An artificial set: X, y, mask of nominal columns, their declared values, WEKA's scores."""
    X, y, nominal, oracle = load_edge(name)
    answers = json.loads((GOLDEN / "relieff_of_edges.json").read_text(encoding="utf-8"))
    declared = [len(values) if values else 0 for values in oracle["categories"]]
    return X, y, nominal, declared, answers[name]


def real_of_relieff(name, folder):
    """A real set, and WEKA's scores."""
    X, y, nominal, oracle = load_real(name, folder)
    return X, y, nominal, oracle["relieff"]


@pytest.mark.filterwarnings("ignore:1 columns with a range below 1e-6")
@pytest.mark.parametrize("name", EDGES)
def test_weka_on_artificial_sets(name):
    X, y, nominal, declared, expected = edge_of_relieff(name)
    options = {"categorical_features": nominal, "n_categories": declared}
    for rule in ("weka", "share"):  # there are no ties
        assert_allclose(scores(X, y, ties=rule, **options), expected, rtol=0, atol=1e-9)
    found = scores(sparse.csr_array(X), y, ties="weka", **options)
    assert_allclose(found, expected, rtol=0, atol=1e-9)


@pytest.mark.parametrize("name", REAL)
def test_weka_on_real_sets(name, shared_data):
    X, y, nominal, expected = real_of_relieff(name, shared_data)
    found = scores(X, y, ties="weka", categorical_features=nominal)
    assert_allclose(found, expected, rtol=0, atol=1e-9)


@pytest.mark.parametrize("name", ["colon", "diabetes_pima", "glass", "iris"])
def test_shared_ties_are_weka_where_no_ties_matter(name, shared_data):
    X, y, _, expected = real_of_relieff(name, shared_data)
    assert_allclose(scores(X, y), expected, rtol=0, atol=1e-9)


def test_declared_values_count_for_missing_ones_only():
    X = np.array([[0.0], [1], [0], [1], [np.nan], [0]])
    y = [0, 1, 0, 1, 0, 0]
    few = scores(X, y, categorical_features=[0], n_neighbors=2)
    many = scores(X, y, categorical_features=[0], n_neighbors=2, n_categories=[7])
    assert few != many
    assert_allclose(many, naive.relieff(X.tolist(), y, k=2, nominal=[0], n_values=[7]))
    complete = np.delete(X, 4, axis=0), np.delete(y, 4)
    options = {"categorical_features": [0], "n_neighbors": 2}
    assert scores(*complete, **options) == scores(*complete, n_categories=[7], **options)


# --- what must not change a score


@given(weighted(labelled(values=binary, max_rows=30, max_columns=8), any_weights), ks)
def test_every_storage_of_two_values_gives_the_same_bits(data, k):
    X, y, weights = data
    expected = scores(X, y, weights, n_neighbors=k)
    for store in STORAGES:
        assert scores(store(X), y, weights, n_neighbors=k).tobytes() == expected.tobytes()
    nominal = scores(X, y, weights, n_neighbors=k, categorical_features=range(X.shape[1]))
    assert nominal.tobytes() == expected.tobytes()


@given(labelled(values=binary, max_rows=20, max_columns=5), st.booleans())
def test_other_numbers_for_two_values_change_nothing(data, negative):
    X, y = data
    other = -3.25 if negative else 7.5
    for store in (np.asarray, sparse.csr_array):
        assert scores(store(X * other), y).tobytes() == scores(X, y).tobytes()
    assert scores(X * other + 1, y).tobytes() == scores(X, y).tobytes()


@given(labelled(values=st.sampled_from([0, 0, 0, 1, 2.5, -1, np.nan]), max_columns=6))
def test_sparse_numbers_score_as_dense_ones(data):
    X, y = data
    for nominal in ([], [0]):
        expected = scores(X, y, categorical_features=nominal)
        for store in (sparse.csr_array, sparse.csc_array):
            found = scores(store(X), y, categorical_features=nominal)
            assert_allclose(found, expected, rtol=0, atol=1e-15)  # but for the last bit


def test_many_columns_of_many_rows_in_every_storage():
    # Sets of rows above and below the size at which they are packed, several blocks of columns.
    rng = np.random.default_rng(0)
    X = (rng.random((150, 3000)) < rng.choice([0.01, 0.1, 0.5, 0.98], 3000)).astype(float)
    y = rng.integers(0, 3, 150)
    expected = scores(X, y)
    for store in STORAGES:
        assert scores(store(X), y).tobytes() == expected.tobytes()
    few, few_y = X[:50, :20], y[:50]
    expected = naive.relieff(few.tolist(), few_y.tolist())
    assert_allclose(scores(few, few_y), expected, rtol=0, atol=1e-10)


@given(labelled(values=st.one_of(measured, few_values), max_rows=24), st.integers(0, 99))
def test_the_order_of_rows_changes_nothing(data, seed):
    X, y = data
    order = np.random.default_rng(seed).permutation(y.size)
    options = {"n_neighbors": 3}
    assert_allclose(scores(X[order], y[order], **options), scores(X, y, **options),
                    rtol=1e-12, atol=1e-12)  # fmt: skip


def test_the_order_of_rows_and_columns_changes_no_bit():
    planted = make_planted(60, 80, n_blocks=3, block_size=3, random_state=0)
    X, y = planted.X, planted.y
    expected = scores(X, y)
    rng = np.random.default_rng(1)
    rows, columns = rng.permutation(60), rng.permutation(80)
    assert scores(X[rows], y[rows]).tobytes() == expected.tobytes()
    assert scores(X[:, columns], y).tobytes() == expected[columns].tobytes()
    assert_allclose(scores(-X, y), expected, rtol=0, atol=1e-14)


def test_ties_in_decimals_are_ties_whatever_the_order_of_columns():
    # 0.1 + 0.2 is not 0.3 in binary: distances of equal sums differ by their rounding.
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 11, size=(40, 6)) / 10, rng.integers(0, 2, 40)
    order = rng.permutation(6)
    expected = scores(X, y)
    assert scores(X[:, order], y).tobytes() == expected[order].tobytes()
    whole = scores(np.rint(X * 10), y)
    assert_allclose(expected, whole, rtol=0, atol=1e-11)


@given(weighted(labelled(values=with_holes, min_rows=4), whole_weights), st.integers(0, 9), ties)
def test_many_samples_are_single_samples_to_the_bit(data, seed, rule):
    X, y, weights = data
    rng = np.random.default_rng(seed)
    samples = np.stack([weights, *rng.integers(1, 3, size=(3, y.size))]).astype(float)
    selector = ReliefF(1, n_neighbors=2, ties=rule, categorical_features=[0])
    prepared = selector.prepare(X, y)
    found, varies = selector._score(prepared, samples)
    for at in range(4):
        alone, alone_varies = selector._score(prepared, samples[at : at + 1])
        assert alone[0].tobytes() == found[at].tobytes()
        assert_array_equal(alone_varies[0], varies[at])
        rows = samples[at] > 0
        differs = [len({repr(v) for v in column[rows]}) > 1 for column in X.T]
        assert varies[at].tolist() == differs


@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("kind", ["numbers", "mixed"])
def test_coarse_distances_first_change_nothing(monkeypatch, n_classes, kind):
    rng = np.random.default_rng(n_classes)
    X, y = rng.normal(size=(70, 30)), rng.integers(0, n_classes, 70)
    X[40:] = X[:30] + rng.choice([0, 1e-7, 1e-9], size=(30, 30))  # ties, and almost
    if kind == "mixed":
        X[:, ::3] = X[:, ::3] > 0
        X[rng.random(X.shape) < 0.01] = np.nan
    samples = np.vstack([np.ones(70), rng.integers(0, 3, size=(5, 70))]).astype(float)
    selector = ReliefF(1)
    monkeypatch.setattr(relief_distances, "COARSE_FROM", 1 << 40)
    expected = selector._score(selector.prepare(X, y), samples)
    monkeypatch.setattr(relief_distances, "COARSE_FROM", 0)
    prepared = selector.prepare(X, y)
    assert prepared.shared.slack > 0
    found = selector._score(prepared, samples)
    assert found[0].tobytes() == expected[0].tobytes()
    assert_array_equal(found[1], expected[1])


def test_large_cells_do_not_overflow_coarse_sums(monkeypatch):
    rng = np.random.default_rng(0)
    X, y = 1 - 0.01 * rng.random((20, 6000)), rng.integers(0, 2, 20)
    X[0] = 0
    found = scores(X, y)
    monkeypatch.setattr(relief_distances, "COARSE_FROM", 1 << 40)
    assert scores(X, y).tobytes() == found.tobytes()


def test_single_precision_is_the_number_it_is():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 50)).astype(np.float32), rng.integers(0, 2, 40)
    assert scores(X, y).tobytes() == scores(X.astype(np.float64), y).tobytes()


# --- odd tables


def test_features_that_matter_together_are_found():
    X = np.random.default_rng(0).integers(0, 2, size=(200, 12))
    y = X[:, 3] ^ X[:, 7]
    assert set(np.flatnonzero(ReliefF(2).fit(X, y).support_)) == {3, 7}


@pytest.mark.filterwarnings("ignore:1 columns with a range below 1e-6")
def test_constant_columns_score_nothing_and_come_last():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(30, 5)), np.arange(30) % 2
    X[:, 1] = 3
    X[:, 3] = 1 + 1e-7 * y  # a range below 1e-6 is none
    fitted = ReliefF(3, random_state=0).fit(X, y)
    assert fitted.scores_[[1, 3]].tolist() == [0, 0]
    assert set(fitted.ranking_[[1, 3]]) == {4, 5}


@pytest.mark.parametrize("store", [np.asarray, sparse.csr_array, BitMatrix.from_array])
def test_all_columns_constant(store):
    fitted = ReliefF(1, random_state=0).fit(store(np.ones((6, 3))), [0, 1] * 3)
    assert fitted.scores_.tolist() == [0, 0, 0]
    assert fitted.support_.sum() == 1


def test_fewer_rows_than_neighbours_gives_what_is_there():
    X, y = np.random.default_rng(0).normal(size=(7, 3)), np.array([0, 0, 0, 1, 1, 2, 2])
    assert_as_the_twin(X, y, k=10)
    assert_allclose(scores(X, y, n_neighbors=4), scores(X, y, n_neighbors=100), atol=1e-15)


@pytest.mark.parametrize("rule", ["share", "weka"])
def test_a_class_with_one_member_has_no_hits(rule):
    X, y = np.random.default_rng(0).normal(size=(7, 3)), np.array([0, 0, 0, 1, 1, 1, 2])
    assert_as_the_twin(X, y, k=2, ties=rule)


def test_all_rows_alike_share_all_places():
    X = np.array([[0.0, 1], [0, 1], [0, 1], [5, 2]] * 20)
    y = np.arange(80) % 2
    assert_allclose(scores(X, y), naive.relieff(X.tolist(), y.tolist()), atol=1e-12)


def test_categories_of_a_frame():
    rng = np.random.default_rng(0)
    codes, y = rng.integers(0, 4, 40), rng.integers(0, 2, 40)
    frame = pd.DataFrame(
        {"x": rng.normal(size=40), "kind": pd.Categorical(np.array(list("cadb"))[codes])}
    )
    X = np.column_stack([frame["x"], codes]).astype(float)
    assert_allclose(
        scores(frame, y), naive.relieff(X.tolist(), y.tolist(), nominal=[1]), atol=1e-10
    )


# --- bad input

X6, Y6 = np.arange(12.0).reshape(6, 2), np.array(list("ababab"))


@pytest.mark.parametrize(("options", "message"), [
    ({"n_neighbors": 0}, "n_neighbors is 0; give a whole number, 1 or more."),
    ({"n_neighbors": -3}, "n_neighbors is -3; give a whole number, 1 or more."),
    ({"n_neighbors": 2.5}, "n_neighbors is 2.5; give a whole number, 1 or more."),
    ({"n_neighbors": "5"}, "n_neighbors is '5'; give a whole number, 1 or more."),
    ({"n_neighbors": True}, "n_neighbors is True; give a whole number, 1 or more."),
    ({"ties": "all"}, "ties is 'all'; choose one of 'share', 'weka'."),
    ({"ties": ["weka"]}, r"ties is \['weka'\]; choose one of"),
    ({"exclude_copies": "no"}, "exclude_copies is 'no'; give True or False."),
    ({"n_categories": [2]}, "n_categories must be None or 2 whole numbers"),
    ({"n_categories": [2, -1]}, "n_categories must be None or 2 whole numbers"),
])  # fmt: skip
def test_options_that_make_no_sense(options, message):
    with pytest.raises(UsageError, match=message):
        ReliefF(1, **options).fit(X6, Y6)


def test_weka_fills_whole_places():
    with pytest.raises(UsageError, match="give whole weights or choose ties='share'"):
        ReliefF(1, ties="weka").fit(X6, Y6, sample_weight=[1, 1, 0.5, 1, 1, 1])


def test_a_range_beyond_all_floats():
    with pytest.raises(DataError, match=r"Column 1 reaches from -1e\+308 to 1e\+308, further"):
        ReliefF(1).fit(np.tile([[0, 1e308], [1, -1e308]], (3, 1)), Y6)
    large = scores(X6 * 1e307, Y6, n_neighbors=2)
    assert_allclose(large, scores(X6, Y6, n_neighbors=2), rtol=0, atol=1e-11)


def test_labels_and_weights_that_make_no_sense():
    with pytest.raises(ValueError, match="Unknown label type"):
        ReliefF(1).fit(X6, np.linspace(0.1, 2.35, 6))
    with pytest.raises(DataError, match="weight of row 2 is -1"):
        ReliefF(1).fit(X6, Y6, sample_weight=[1, 1, -1, 1, 1, 1])
    with pytest.raises(DataError, match="holds infinity in row 1"):
        ReliefF(1).fit(np.where(X6 == 3, np.inf, X6), Y6)
