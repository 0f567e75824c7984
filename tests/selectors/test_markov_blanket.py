"""MarkovBlanket against its slow twin, and what it promises beyond."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse

import naive_redundancy as naive
from consilience import BitMatrix
from consilience.exceptions import ConsilienceWarning, UsageError
from consilience.selectors.association import associations
from consilience.selectors.markov_blanket import MarkovBlanket
from small_tables import any_weights, binary, few_values, labelled, weighted, whole_weights

methods = st.sampled_from(["mdl", "equal_width", "equal_frequency", None])
sizes = st.integers(1, 3)


def search(selector, X, y, weights, seed=0):
    prepared = selector.prepare(X, y)
    (told,) = selector._look(prepared, weights[None])
    return selector._search(prepared, weights, np.random.default_rng(seed), 1, told)


def assert_equals_the_twin(X, y, weights, *, nominal=(), seed=0, **options):
    selector = MarkovBlanket(1, categorical_features=list(nominal), **options)
    found = search(selector, X, y, weights, seed)
    place = np.random.default_rng(seed).permutation(X.shape[1])
    order, deltas = naive.markov_blanket(
        X.tolist(), y.tolist(), weights.tolist(), place, nominal=nominal, **options
    )
    ranked = np.argsort(found.ranks, kind="stable")[: len(order)]
    assert ranked.tolist() == order
    assert_array_equal(found.ranks[order], np.arange(1, len(order) + 1))
    assert found.learned["candidates_"].tolist() == order
    assert_allclose(found.learned["deltas_"], deltas, atol=1e-12)


@given(weighted(labelled(values=binary, max_columns=7), whole_weights), sizes, st.integers(1, 8))
def test_binary_tables_equal_the_twin(data, size, n_candidates):
    assert_equals_the_twin(*data, blanket_size=size, n_candidates=n_candidates)


@given(weighted(labelled(values=binary, max_columns=6), any_weights), sizes)
def test_fractional_weights_equal_the_twin(data, size):
    assert_equals_the_twin(*data, blanket_size=size)


@given(weighted(labelled(max_columns=6), whole_weights), sizes, methods, st.integers(1, 7))
def test_numeric_tables_equal_the_twin(data, size, discretize, n_candidates):
    options = {"discretize": discretize, "n_candidates": n_candidates, "n_bins": 3}
    assert_equals_the_twin(*data, blanket_size=size, **options)


@given(weighted(labelled(max_columns=6), any_weights), st.sets(st.integers(0, 5)), sizes)
def test_nominal_columns_equal_the_twin(data, nominal, size):
    nominal = {j for j in nominal if j < data[0].shape[1]}
    assert_equals_the_twin(*data, nominal=nominal, blanket_size=size, discretize="equal_width")


@given(weighted(labelled(values=few_values, max_columns=6), whole_weights), methods, sizes)
def test_weights_are_copies(data, discretize, size):
    X, y, weights = data
    options = {"discretize": discretize, "blanket_size": size, "random_state": 0}
    selector = MarkovBlanket(1, **options).fit(X, y, weights)
    rows = np.repeat(np.arange(y.size), weights.astype(int))
    copied = MarkovBlanket(1, **options).fit(X[rows], y[rows])
    assert_array_equal(selector.ranking_, copied.ranking_)
    assert_allclose(selector.deltas_, copied.deltas_, atol=1e-12)


def table(n_samples=150, n_features=40, seed=0, values=2):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n_samples)
    strength = rng.random(n_features) * (np.arange(n_features) % 2)
    X = rng.random((n_samples, n_features)) + strength * y[:, None] / 4
    return np.minimum(np.floor(X * values), values - 1), y


@pytest.mark.parametrize("values", [2, 4])
@pytest.mark.parametrize("size", [1, 2, 3, 8])
@pytest.mark.parametrize("weighting", ["none", "whole", "heavy", "fractional"])
def test_every_storage_gives_the_same_answer(values, size, weighting):
    X, y = table(values=values)
    X[:, 5], X[:, 6], X[:, 7] = X[:, 3], 1, 0
    rng = np.random.default_rng(1)
    weights = {
        "none": None,
        "whole": rng.integers(0, 4, y.size),
        "heavy": rng.integers(0, 40, y.size),
        "fractional": rng.random(y.size),
    }[weighting]
    stored = [X, np.asfortranarray(X, dtype=np.float32), X.astype(np.int8)]
    stored += [sparse.csr_array(X), sparse.csc_matrix(X)]
    stored += [BitMatrix.from_array(X)] if values == 2 else []
    options = {"n_candidates": 20, "blanket_size": size, "random_state": 3}
    fitted = [MarkovBlanket(10, **options).fit(held, y, weights) for held in stored]
    for found in fitted[1:]:
        assert_array_equal(found.ranking_, fitted[0].ranking_)
        assert_array_equal(found.blankets_, fitted[0].blankets_)
        assert_allclose(found.deltas_, fitted[0].deltas_, atol=1e-12)


def test_many_samples_at_once_equal_one_at_a_time():
    X, y = table(values=3)
    weights = np.random.default_rng(0).multinomial(y.size, np.full(y.size, 1 / y.size), 7)
    for held in (X, sparse.csr_array(X)):
        selector = MarkovBlanket(5, n_candidates=15)
        prepared = selector.prepare(held, y)
        rngs = [np.random.default_rng(m) for m in range(7)]
        subsets, ranks = selector.select_many(prepared, weights, rngs)
        for m in range(7):
            (told,) = selector._look(prepared, weights[m : m + 1] * 1.0)
            found = selector._search(prepared, weights[m] * 1.0, np.random.default_rng(m), 5, told)
            assert_array_equal(found.subset, subsets[m])
            assert_array_equal(found.ranks, ranks[m])


def test_smaller_panels_begin_larger_ones():
    X, y = table()
    rankings = [
        MarkovBlanket(size, n_candidates=25, random_state=0).fit(X, y).ranking_
        for size in (1, 5, 20)
    ]
    assert_array_equal(rankings[0], rankings[1])
    assert_array_equal(rankings[0], rankings[2])


def test_of_two_copies_one_goes_early_and_the_other_stays():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 200)
    X = (rng.random((200, 8)) < 0.35 + 0.3 * y[:, None]).astype(int)
    X[:, 1] = X[:, 0]
    X[:, 2] = 1 - X[:, 0]
    selector = MarkovBlanket(6, random_state=0).fit(X, y)
    assert selector.support_[:3].sum() == 1
    assert_array_equal(selector.deltas_[-2:], [0, 0])
    assert set(selector.candidates_[-2:]) | set(selector.blankets_[-2:, 0]) == {0, 1, 2}


def test_two_values_are_never_tested_for_a_cut():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 60)
    X = (rng.random((60, 6)) < 0.45 + 0.1 * y[:, None]).astype(float)
    expected = MarkovBlanket(3, discretize=None, random_state=0).fit(X, y)
    for scaled in (X, 7.5 * X - 3):
        found = MarkovBlanket(3, random_state=0).fit(scaled, y)
        assert_array_equal(found.ranking_, expected.ranking_)
        assert_allclose(found.deltas_, expected.deltas_, atol=1e-12)
    assert (expected.deltas_ > 0).sum() >= 5


def test_columns_without_a_cut_follow_the_candidates_and_constant_ones_are_last():
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 20)
    X = rng.normal(size=(40, 6))
    X[:, 0] += 4 * y
    X[:, 1] += 3 * y
    X[:, 5] = 2.5
    found = search(MarkovBlanket(1), X, y, np.ones(40))
    assert sorted(found.ranks[:2]) == [1, 2]
    assert_array_equal(found.ranks[2:], [4, 4, 4, 6])
    selector = MarkovBlanket(4, random_state=0).fit(X, y)
    assert selector.support_[:2].all()
    assert not selector.support_[5]
    assert sorted(selector.candidates_) == [0, 1]


def test_equal_gains_at_the_border_go_by_the_rows_of_the_rarer_value():
    # Columns 1 and 2 tell nothing; the last has more ones. Column 0 tells all.
    y = np.array([0, 0, 0, 0, 1, 1, 1, 1])
    X = np.array([y, [1, 0, 0, 0, 1, 0, 0, 0], [1, 1, 0, 0, 1, 1, 0, 0]]).T
    for seed in range(5):
        for held in (X, sparse.csc_array(X), BitMatrix.from_array(X)):
            selector = MarkovBlanket(2, n_candidates=2, random_state=seed).fit(held, y)
            assert selector.ranking_.tolist() in ([1, 3, 2], [2, 3, 1])


def test_equal_features_are_told_apart_by_the_seed_and_not_by_column():
    X, y = np.repeat([[0], [1]], 4, axis=0) * np.ones(5), np.repeat([0, 1], 4)
    first = {int(np.argmin(MarkovBlanket(1, random_state=s).fit(X, y).ranking_)) for s in range(40)}
    assert first == set(range(5))
    chosen = MarkovBlanket(1, n_candidates=2, random_state=0)
    rankings = [chosen.fit(X, y).ranking_ for _ in range(2)]
    assert_array_equal(*rankings)


def test_a_blanket_larger_than_the_rest_is_all_others():
    X, y = table(n_features=5)
    expected = MarkovBlanket(2, blanket_size=4, random_state=0).fit(X, y)
    for size in (5, 9):  # packed and coded
        found = MarkovBlanket(2, blanket_size=size, random_state=0).fit(X, y)
        assert_array_equal(found.ranking_, expected.ranking_)
        assert_allclose(found.deltas_, expected.deltas_, atol=1e-12)
        assert found.blankets_.shape == (5, 4)
        assert_array_equal((found.blankets_ >= 0).sum(axis=1), np.arange(5))


def test_associations_are_one_number_where_columns_have_two_values():
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 2, (4, 30))
    weights = rng.random(30)
    numeric = associations(codes.T * 3.0 - 1, weights, np.zeros(4, bool), codes, np.full(4, 2))
    codes = np.vstack([codes, rng.integers(0, 3, 30)])  # a wide one changes the way of computing
    mixed = associations(codes.T * 1.0, weights, np.ones(5, bool), codes, codes.max(axis=1) + 1)
    assert_allclose(mixed[:4, :4], numeric, atol=1e-14)
    for j in range(4):
        expected = naive.association(codes[4], codes[j], True, False, weights)
        assert mixed[4, j] == pytest.approx(expected)


@pytest.mark.parametrize("n_cells", [1, 300, 1 << 30])
def test_associations_do_not_depend_on_the_blocks(monkeypatch, n_cells):
    monkeypatch.setattr("consilience.selectors.association.BLOCK_CELLS", n_cells)
    rng = np.random.default_rng(0)
    codes, weights = rng.integers(0, 5, (6, 40)), rng.random(40)
    nominal = np.array([True, False, True, True, False, True])
    found = associations(codes.T * 1.0, weights, nominal, codes, np.full(6, 5))
    for i in range(6):
        for j in range(6):
            expected = naive.association(codes[i], codes[j], nominal[i], nominal[j], weights)
            assert found[i, j] == pytest.approx(expected)


def test_correlations_stand_values_near_the_ends_of_the_range():
    rng = np.random.default_rng(0)
    values = rng.normal(size=(50, 3))
    values[:, 1] += values[:, 0]
    expected = associations(values, np.ones(50), np.zeros(3, bool), None, np.full(3, 50))
    scaled = values * [1e307, 1e-300, 1e-5] + [0, 0, 1e3]
    found = associations(scaled, np.ones(50), np.zeros(3, bool), None, np.full(3, 50))
    assert_allclose(found, expected, atol=1e-7)


def test_categories_of_a_frame_are_taken_as_they_are():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 90)
    words = np.array(["a", "b", "c"])[np.where(rng.random(90) < 0.8, (y + 1) % 3, 0)]
    frame = pd.DataFrame({"word": pd.Categorical(words), "noise": rng.normal(size=90)})
    selector = MarkovBlanket(1, random_state=0).fit(frame, y)
    assert selector.get_feature_names_out().tolist() == ["word"]


def test_fewer_candidates_than_wanted_are_refused_in_a_sentence():
    X, y = table()
    with pytest.raises(UsageError, match="n_features_to_select is 9 and n_candidates 8; only"):
        MarkovBlanket(9, n_candidates=8).fit(X, y)
    with pytest.warns(ConsilienceWarning, match="all are kept"):
        assert MarkovBlanket(60, n_candidates=50).fit(X, y).support_.all()  # 40 columns


@pytest.mark.parametrize("name", ["n_candidates", "blanket_size"])
@pytest.mark.parametrize("value", [0, -1, 1.5, "two", None, True])
def test_sizes_that_are_no_counts_are_refused(name, value):
    X, y = table()
    with pytest.raises(UsageError, match=f"^{name} is .*; give a whole number, 1 or more.$"):
        MarkovBlanket(2, **{name: value}).fit(X, y)


def test_other_bad_parameters_are_refused():
    X, y = table()
    with pytest.raises(UsageError, match="discretize is 'mode'"):
        MarkovBlanket(2, discretize="mode").fit(X, y)
    with pytest.raises(UsageError, match="n_bins is 1"):
        MarkovBlanket(2, n_bins=1).fit(X, y)
    X[3, 4] = np.nan
    with pytest.raises(ValueError, match="'x4' holds NaN in row 3"):
        MarkovBlanket(2).fit(X, y)


@pytest.mark.parametrize("kind", [np.array, sparse.csr_array, BitMatrix.from_array])
def test_constant_columns_give_a_random_panel(kind):
    X, y = np.ones((6, 4)), [0, 1, 0, 1, 0, 1]
    selector = MarkovBlanket(2, random_state=0).fit(kind(X), y)
    assert selector.support_.sum() == 2
    assert_array_equal(selector.scores_, np.full(4, 1.5))
    assert selector.deltas_.size == 0


def test_one_column_is_kept():
    X, y = np.array([[0], [1], [1], [0]]), [0, 1, 1, 0]
    selector = MarkovBlanket(1, random_state=0).fit(X, y)
    assert selector.support_.tolist() == [True]
    assert selector.deltas_.tolist() == [1.0]  # alone, it tells what it gains
    assert selector.blankets_.tolist() == [[-1]]


def test_a_class_of_one_member_counts():
    X, y = table(30, 6)
    y[:] = np.arange(30) % 2
    y[4] = 2
    selector = MarkovBlanket(3, random_state=0).fit(X, y)
    assert_array_equal(
        selector.ranking_, MarkovBlanket(3, random_state=0).fit(sparse.csr_array(X), y).ranking_
    )


def test_real_fingerprints_equal_the_definition(shared_data):
    """Thrombin, 12 candidates: every step worked out anew by the twin."""
    held = np.load(shared_data / "thrombin_kdd2001.npz", allow_pickle=False)
    X = sparse.csr_array((held["data"], held["indices"], held["indptr"]), tuple(held["shape"]))
    y = (held["y"] == "A").astype(np.int64)
    bits = BitMatrix.from_sparse(X)
    weights = np.ones(y.size)
    found = search(MarkovBlanket(1, n_candidates=12), bits, y, weights)
    chosen = np.flatnonzero(found.ranks <= 12)
    place = np.random.default_rng(0).permutation(X.shape[1])[chosen]
    order, _ = naive.markov_blanket(
        bits[:, chosen].toarray().tolist(), y.tolist(), weights.tolist(), place
    )
    assert_array_equal(found.ranks[chosen[order]], np.arange(1, 13))


def test_memory_counts_pairs_of_candidates_and_never_of_all_columns():
    X, _ = table(n_features=40)
    bits = BitMatrix.from_array(X)
    assert MarkovBlanket(n_candidates=10).memory(bits) == 8 * 10**2
    assert MarkovBlanket().memory(X) > MarkovBlanket().memory(bits) == 8 * 40**2
    with pytest.raises(UsageError, match="n_candidates is None"):
        MarkovBlanket(n_candidates=None).memory(X)


def test_a_sample_that_lacks_a_class_is_one_of_the_others():
    X, y = table(values=2)
    weights = np.where(y == 2, 0.0, 1.0)
    selector = MarkovBlanket(5, n_candidates=20)
    for held in (X, BitMatrix.from_array(X)):
        found = search(selector, held, y, weights)
        alone = search(selector, held[y < 2], y[y < 2], weights[y < 2])
        assert_array_equal(found.ranks, alone.ranks)
