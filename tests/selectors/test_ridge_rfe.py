"""RidgeRFE: the elimination of its slow twin, on every storage, with gaps and categories."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.linear_model import Ridge
from sklearn.preprocessing import StandardScaler

import naive_ridge
from consilience import BitMatrix, EnsembleSelector, MostFrequent, RidgeRFE, make_planted
from consilience.exceptions import DataError, UsageError
from consilience.selectors import ridge_elimination
from consilience.selectors.ridge_columns import RidgeColumns
from small_tables import (
    any_weights,
    binary,
    few_values,
    labelled,
    weighted,
    whole_weights,
    with_missing,
)

LIGHT = pytest.mark.filterwarnings("ignore:The weights of .* rows add up to:UserWarning")


def ridge(n=1, *, random_state=0, **options):
    return RidgeRFE(n, random_state=random_state, **options)


def order_of(fitted):
    return np.argsort(fitted.ranking_)


def gaussian(n_samples, n_features, n_classes, seed):
    rng = np.random.default_rng(seed)
    y = np.arange(n_samples) % n_classes
    X = rng.normal(size=(n_samples, n_features))
    X[:, 0] += y
    return X, y


tables = st.tuples(st.integers(6, 30), st.integers(2, 40), st.integers(2, 4), st.integers(0, 10**6))
penalties = st.sampled_from([0.01, 0.2, 1.0, 50.0])


@settings(max_examples=40)
@given(tables, penalties)
def test_the_slow_twin_gives_the_same_ranking(shape, shrinkage):
    X, y = gaussian(*shape)
    found = order_of(ridge(shrinkage=shrinkage).fit(X, y))
    assert_array_equal(found, naive_ridge.ridge_rfe(X, y, shrinkage))


@LIGHT
@settings(max_examples=60)
@given(
    weighted(labelled(values=with_missing, max_columns=6), any_weights),
    penalties,
    st.sampled_from([np.asarray, sparse.csr_array, sparse.csc_matrix]),
)
def test_and_where_values_repeat_or_are_missing_and_rows_have_weights(data, shrinkage, storage):
    X, y, weights = data
    fitted = ridge(shrinkage=shrinkage, step=0.3).fit(storage(X), y, sample_weight=weights)
    naive_ridge.assert_rounds(X, y, order_of(fitted), shrinkage, 0.3, weights)


@LIGHT
@settings(max_examples=30)
@given(weighted(labelled(values=binary, min_rows=4, max_columns=12), any_weights))
def test_and_on_packed_bits(data):
    X, y, weights = data
    fitted = ridge(shrinkage=0.3).fit(BitMatrix.from_array(X.astype(np.uint8)), y, weights)
    naive_ridge.assert_rounds(X, y, order_of(fitted), 0.3, weights=weights)


@settings(max_examples=40)
@given(weighted(labelled(values=few_values, max_columns=8), whole_weights))
def test_weights_of_rows_are_copies(data):
    X, y, weights = data
    copies = np.repeat(np.arange(y.size), weights.astype(int))
    found = ridge().fit(X, y, sample_weight=weights)
    assert_array_equal(found.ranking_, ridge().fit(X[copies], y[copies]).ranking_)


@pytest.mark.parametrize("shape", [(20, 200, 2, 1), (40, 30, 3, 2), (300, 20, 2, 3)])
def test_all_data_twice_give_the_same_ranking(shape):
    X, y = gaussian(*shape)
    expected = ridge().fit(X, y).ranking_
    assert_array_equal(ridge().fit(np.tile(X, (2, 1)), np.tile(y, 2)).ranking_, expected)
    assert_array_equal(ridge().fit(X, y, sample_weight=np.full(y.size, 0.3)).ranking_, expected)


def test_permuted_columns_and_rows_give_the_same_ranking():
    X, y = gaussian(30, 120, 3, 5)
    columns, rows = (np.random.default_rng(1).permutation(n) for n in (120, 30))
    found = ridge().fit(X[rows][:, columns], y[rows]).ranking_
    assert_array_equal(found, ridge().fit(X, y).ranking_[columns])


@pytest.mark.parametrize("n_classes", [2, 4])
def test_every_storage_gives_the_same_ranking(n_classes):
    rng = np.random.default_rng(2)
    y = np.arange(40) % n_classes
    counts = rng.poisson(0.6, size=(40, 90)) + (rng.random((40, 90)) < 0.2) * y[:, None]
    counts[:, 3] += 2  # a column without zeros, sparse or not
    for data in (counts, (counts > 0).astype(int)):
        expected = ridge().fit(data, y).ranking_
        kinds = [data.astype(np.float32), data * 1.0, sparse.csr_array(data * 1.0)]
        kinds += [sparse.csc_matrix(data), sparse.csr_array(data.astype(np.float32))]
        if data.max() == 1:
            kinds.append(BitMatrix.from_array(data))
        for kind in kinds:
            assert_array_equal(ridge().fit(kind, y).ranking_, expected)


@pytest.mark.parametrize("storage", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_by_rows_and_by_columns_are_the_same_elimination(storage, n_classes, monkeypatch):
    X, y = gaussian(60, 80, n_classes, 11)
    X[np.abs(X) < 0.5] = 0
    expected = naive_ridge.ridge_rfe(X, y, 0.4)
    for narrow in (0.0, 0.5, 10.0):  # by rows to the end, as usual, never
        monkeypatch.setattr(ridge_elimination, "NARROW", narrow)
        assert_array_equal(order_of(ridge(shrinkage=0.4).fit(storage(X), y)), expected)


@pytest.mark.parametrize("storage", [np.asarray, sparse.csr_array])
def test_tall_data_need_no_gram_matrix(storage):
    X, y = gaussian(600, 30, 3, 11)
    X[np.abs(X) < 0.5] = 0
    assert ridge_elimination.is_tall(X.shape)
    found = order_of(ridge(shrinkage=0.4).fit(storage(X), y))
    assert_array_equal(found, naive_ridge.ridge_rfe(X, y, 0.4))
    assert RidgeRFE().memory(np.zeros((30_000, 3))) < 1e6


def test_scikit_learn_drops_the_same_features():
    planted = make_planted(50, 300, n_blocks=4, block_size=5, random_state=1)
    X, y = planted.X, planted.y
    remaining, dropped = np.arange(300), []
    while remaining.size:
        Z = StandardScaler().fit_transform(X[:, remaining])
        machine = Ridge(alpha=0.45 * Z.size).fit(Z, y)
        worst = np.argsort(np.abs(machine.coef_))[: max(1, int(0.1 * remaining.size))]
        dropped.extend(remaining[worst])
        remaining = np.delete(remaining, worst)
    assert_array_equal(order_of(ridge(shrinkage=0.45).fit(X, y)), dropped[::-1])


def test_an_endless_penalty_ranks_by_correlation():
    X, y = gaussian(40, 25, 2, 8)
    correlation = np.abs([np.corrcoef(column, y)[0, 1] for column in X.T])
    found = order_of(ridge(shrinkage=1e4, step=25).fit(X, y))
    assert_array_equal(found, np.argsort(-correlation))


def test_copies_of_a_signal_share_their_coefficient():
    # Two features of one signal are each weaker than a third that is alone with its own.
    rng = np.random.default_rng(0)
    y = np.arange(400) % 2
    a, b = y + rng.normal(0, 1.0, 400), y + rng.normal(0, 1.1, 400)
    X = np.column_stack([a, a + rng.normal(0, 0.01, 400), b])
    assert order_of(ridge(shrinkage=1e4, step=3).fit(X, y))[0] != 2
    assert order_of(ridge(shrinkage=0.2, step=3).fit(X, y))[0] == 2


def test_each_sample_draws_its_penalty_and_a_single_fit_takes_the_mean():
    X, y = gaussian(30, 200, 2, 3)
    alone = [RidgeRFE(5, shrinkage=(0.01, 100), random_state=seed).fit(X, y) for seed in range(4)]
    expected = ridge(5, shrinkage=1.0).fit(X, y).ranking_
    for fitted in alone:
        assert_array_equal(fitted.ranking_, expected)
    assert_array_equal(ridge(5, shrinkage=[0.01, 100]).fit(X, y).ranking_, expected)
    selector = ridge(5, shrinkage=(0.01, 100))
    rngs = [np.random.default_rng(seed) for seed in range(6)]
    rankings = selector.fit_models(selector.prepare(X, y), np.ones((6, 30)), rngs).rankings
    assert np.unique(rankings, axis=0).shape[0] == 6
    fixed = ridge(5, shrinkage=0.3)
    rngs = [np.random.default_rng(seed) for seed in range(6)]
    rankings = fixed.fit_models(fixed.prepare(X, y), np.ones((6, 30)), rngs).rankings
    assert np.unique(rankings, axis=0).shape[0] == 1


@pytest.mark.parametrize(
    "shrinkage",
    [0, -1.0, np.nan, np.inf, 1e-5, 1e5, (1.0, 0.2), (0.1, 0.2, 0.3), (0.1, np.nan), "strong",
     ("a", "b"), True, None, (), (0.2, True)],
)  # fmt: skip
def test_a_penalty_that_makes_no_sense(shrinkage):
    X, y = gaussian(12, 5, 2, 1)
    with pytest.raises(UsageError, match=r"^shrinkage is .*; give a number from 0.0001 to 10000,"):
        RidgeRFE(2, shrinkage=shrinkage).fit(X, y)


def test_a_step_that_makes_no_sense():
    X, y = gaussian(12, 5, 2, 1)
    with pytest.raises(UsageError, match=r"^step is 0; give a share"):
        RidgeRFE(2, step=0).fit(X, y)


@pytest.mark.parametrize("storage", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("weight", [1.0, 0.1])
def test_columns_that_are_constant_or_unknown_come_last(storage, weight):
    X, y = gaussian(20, 8, 2, 1)
    X[:, 1], X[:, 3], X[:, 4] = 7.3, 0.0, np.nan
    X[:, 6] = np.where(np.arange(20) < 7, np.nan, 1.0)
    X[:, 5] = 1e-3 * X[:, 5] + 5.0
    weights = np.full(20, weight)
    weights[0] = 1.3
    found = order_of(ridge().fit(storage(X), y, sample_weight=weights))
    assert set(found[-4:]) == {1, 3, 4, 6}
    assert ridge(2).fit(storage(np.ones((6, 4))), [0, 1] * 3).support_.sum() == 2


def test_a_column_that_only_the_sample_does_not_know():
    X, y = gaussian(20, 5, 2, 1)
    X[:12, 0] = np.nan
    weights = np.where(np.arange(20) < 12, 1.0, 0.0)
    for storage in (np.asarray, sparse.csc_array):
        found = ridge().fit(storage(X), y, sample_weight=weights)
        assert order_of(found)[-1] == 0
        assert_array_equal(found.ranking_, ridge().fit(storage(X[:12]), y[:12]).ranking_)


@pytest.mark.parametrize("storage", [np.asarray, sparse.csr_array])
def test_rows_out_of_the_sample_are_not_seen(storage):
    X, y = gaussian(40, 50, 3, 6)
    X[np.random.default_rng(0).random(X.shape) < 0.2] = np.nan
    X[np.abs(X) < 0.3] = 0
    inside = np.arange(40) % 5 > 0
    expected = ridge().fit(storage(X[inside]), y[inside]).ranking_
    X[~inside] = np.where(np.arange(50) % 2, np.nan, 1e9)
    assert_array_equal(ridge().fit(storage(X), y, sample_weight=inside).ranking_, expected)


def test_gaps_are_filled_with_the_mean_of_the_sample():
    X, y = gaussian(30, 60, 2, 9)
    holes = np.random.default_rng(0).random(X.shape) < 0.3
    weights = np.arange(30) % 3 + 0.5
    gapped = np.where(holes, np.nan, X)
    means = np.where(holes, 0, X * weights[:, None]).sum(0) / (~holes * weights[:, None]).sum(0)
    expected = ridge().fit(np.where(holes, means, X), y, sample_weight=weights).ranking_
    for kind in (gapped, sparse.csr_array(gapped), sparse.csc_array(gapped), pd.DataFrame(gapped)):
        assert_array_equal(ridge().fit(kind, y, sample_weight=weights).ranking_, expected)
    narrow = gapped.astype(np.float32)
    filled = RidgeColumns.from_data(narrow, np.zeros(60, dtype=bool)).fill(weights)
    wide = RidgeColumns.from_data(narrow.astype(np.float64), np.zeros(60, dtype=bool))
    assert_array_equal(filled, wide.fill(weights))
    assert RidgeRFE().memory(gapped) > RidgeRFE().memory(X)


def spread_by_hand(X, column):
    """The table without a column, and 0 and 1 for each of its values, NaN being none."""
    values = np.unique(X[~np.isnan(X[:, column]), column])
    others = np.delete(np.arange(X.shape[1]), column)
    indicators = (X[:, [column]] == values).astype(float)
    feature = np.append(others, np.full(values.size, column))
    return np.column_stack([X[:, others], indicators]), feature


@pytest.mark.parametrize("gaps", [False, True])
def test_categories_are_columns_of_zeros_and_ones(gaps):
    X, y = gaussian(36, 12, 3, 4)
    X[:, 4] = np.random.default_rng(0).integers(0, 5, 36) * 3 - 3
    X[:, 4] = np.where((y == 2) & (np.arange(36) % 4 > 0), 6, X[:, 4])
    if gaps:
        X[::7, 4] = np.nan
    by_hand, feature = spread_by_hand(X, 4)
    order = feature[order_of(ridge(shrinkage=0.4).fit(by_hand, y))]
    expected = list(dict.fromkeys(order.tolist()))
    assert expected.index(4) < 6
    for kind in (X, sparse.csr_array(X), sparse.csc_matrix(X)):
        for nominal in ([4], np.arange(12) == 4):
            fitted = ridge(shrinkage=0.4, categorical_features=nominal).fit(kind, y)
            assert order_of(fitted).tolist() == expected
            assert fitted.transform(kind).shape == (36, 1)
    frame = pd.DataFrame(X, columns=list("abcdefghijkl")).astype({"e": "category"})
    assert order_of(ridge(shrinkage=0.4).fit(frame, y)).tolist() == expected


@pytest.mark.parametrize("storage", [np.asarray, sparse.csr_array, BitMatrix.from_array])
def test_two_categories_are_one_column(storage):
    X = np.random.default_rng(3).integers(0, 2, (40, 12)).astype(np.uint8)
    y = np.arange(40) % 2
    expected = ridge().fit(X, y).ranking_
    found = ridge(categorical_features=[0, 3, 7]).fit(storage(X), y)
    assert_array_equal(found.ranking_, expected)


@pytest.mark.parametrize("storage", [np.asarray, sparse.csr_array])
def test_a_missing_one_of_two_categories_is_their_mean(storage):
    X, y = gaussian(40, 12, 2, 3)
    X[:, 4] = np.where(np.arange(40) % 3, np.where(y == 1, 5.0, 2.0), np.nan)
    expected = ridge().fit(X, y).ranking_
    assert_array_equal(ridge(categorical_features=[4]).fit(storage(X), y).ranking_, expected)


def test_categories_that_a_sample_lacks_and_nothing_but_categories():
    X = np.random.default_rng(5).integers(0, 4, (60, 6)).astype(float)
    y = np.arange(60) % 2
    X[:, 2] = np.where(y == 1, 3, X[:, 2])
    selector = ridge(2, categorical_features=np.arange(6))
    inside = X[:, 0] != 1
    found = selector.fit(X, y, sample_weight=inside).ranking_
    assert found[2] == 1
    assert sorted(found) == list(range(1, 7))
    ensemble = EnsembleSelector(selector, MostFrequent(), n_models=5, n_features_to_select=2)
    assert ensemble.fit(X, y).ranking_[2] == 1


@pytest.mark.parametrize("storage", [np.asarray, sparse.csc_array])
def test_very_many_categories_are_refused(storage):
    X, y = gaussian(1_001, 3, 2, 0)
    X[:, 1] = np.arange(1_001)
    assert ridge(categorical_features=[1]).fit(storage(X[1:]), y[1:]).support_.sum() == 1
    with pytest.raises(DataError, match=r"^Column 'x1' holds 1,001 categories, and more than"):
        ridge(categorical_features=[1]).fit(storage(X), y)


@pytest.mark.parametrize("storage", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("factor", [1e-290, 1e-200, 1e-8, 1e8, 1e200, 1e290])
def test_units_do_not_matter(storage, factor):
    X, y = gaussian(20, 30, 2, 4)
    X[np.abs(X) < 0.3] = 0
    expected = ridge().fit(X, y).ranking_
    units = np.where(np.arange(30) % 2, factor, 1.0)
    assert_array_equal(ridge().fit(storage(X * units), y).ranking_, expected)


@pytest.mark.parametrize("storage", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("shape", [(20, 30, 2, 4), (600, 12, 3, 4)])
def test_offsets_do_not_matter(storage, shape):
    X, y = gaussian(*shape)
    X = np.round(X, 3)
    expected = ridge().fit(X, y).ranking_
    assert_array_equal(ridge().fit(storage(X + 2.0**24), y).ranking_, expected)
    assert_array_equal(ridge().fit(storage(X - 2.0**24), y).ranking_, expected)


@pytest.mark.parametrize("storage", [np.asarray, sparse.csr_array])
def test_values_that_cannot_be_standardised_are_refused(storage):
    X, y = gaussian(20, 4, 2, 4)
    X[3, 0], X[6, 2] = np.nan, -1e301
    with pytest.raises(DataError, match=r"^Column 'x2' holds -1e\+301, which float64 cannot"):
        ridge().fit(storage(X), y)
    table = np.column_stack([X[:, 3], np.arange(20) % 3, X[:, 2]])
    with pytest.raises(DataError, match="Column 'x2' holds"):
        ridge(categorical_features=[1]).fit(storage(table), y)


def test_a_class_of_one_row_and_two_rows_in_all():
    X, _ = gaussian(12, 40, 2, 1)
    alone = np.arange(12) == 3
    found = order_of(ridge(shrinkage=0.5).fit(X, alone))
    assert_array_equal(found, naive_ridge.ridge_rfe(X, alone, 0.5))
    two = ridge().fit(X[:2], [0, 1])
    assert sorted(two.ranking_) == list(range(1, 41))
    three = ridge().fit(X[:3], [0, 1, 2])
    naive_ridge.assert_rounds(X[:3], np.arange(3), order_of(three), np.sqrt(0.2))


def test_a_class_that_no_feature_tells_apart_leaves_the_order_to_the_seed():
    X = np.tile([[0.0, 1.0], [1.0, 0.0]], (4, 1))
    y = np.repeat([0, 1], 4)
    rankings = {tuple(RidgeRFE(1, random_state=s).fit(X, y).ranking_) for s in range(12)}
    assert len(rankings) == 2


def test_equal_columns_are_ordered_by_the_seed():
    X, y = gaussian(20, 4, 2, 1)
    X = np.column_stack([X] * 6)
    rankings = {tuple(RidgeRFE(1, random_state=seed).fit(X, y).ranking_) for seed in range(5)}
    assert len(rankings) > 1
    assert_allclose(np.sort(ridge().fit(X, y).scores_), np.arange(24))
