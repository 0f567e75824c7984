"""Panels from itemsets: the twin, the options, and input that is not nice."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import naive_itemsets as naive
from consilience.aggregation import ClosedItemsets, MaximalItemsets, MostFrequent
from consilience.exceptions import ConsilienceWarning, UsageError
from consilience.models import FeatureModels

N_FEATURES = 9
ORDERS = ["area", "support", "min_len", "leverage", "tiling"]
subsets_of_nine = st.lists(
    st.lists(st.integers(0, N_FEATURES - 1), unique=True, min_size=1), min_size=1, max_size=10
)
orders = st.sampled_from(ORDERS)
overshoots = st.sampled_from(["trim", "keep", "skip"])
sizes = st.integers(1, N_FEATURES)


def quietly(aggregator, models, m, seed=0):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConsilienceWarning)
        return aggregator.aggregate(models, m, random_state=seed)[0].tolist()


def twin(subsets, order, m, overshoot, sets_of):
    """The panel without filling, and the sets beyond the core that brought features."""
    core, rest = naive.without_core(subsets)
    place = naive.places(subsets, N_FEATURES, np.random.default_rng(0).permutation(N_FEATURES))
    first = sorted(core, key=place.get)
    if len(core) >= m:
        return first[:m], [(core, len(subsets))]
    min_len = 2 if order in ("min_len", "leverage") else 1
    union, used = naive.walk(
        sets_of(rest), rest, order, m - len(core), place, min_len=min_len, overshoot=overshoot
    )
    used = [(core | x, s) for x, s in used]
    return first + union, ([(core, len(subsets))] if core else []) + used


@given(subsets_of_nine, orders, overshoots, sizes)
@settings(max_examples=400)
def test_closed_itemsets_are_joined_as_the_twin_joins_them(subsets, order, overshoot, m):
    floor = 1 if order in ("support", "min_len") else 2
    panel, used = twin(subsets, order, m, overshoot, lambda rest: naive.closed(rest, floor))
    aggregator = ClosedItemsets(order, overshoot=overshoot, fill=False)
    assert quietly(aggregator, FeatureModels(subsets, N_FEATURES), m) == panel
    assert [(set(i.features.tolist()), i.support) for i in aggregator.itemsets_] == used


@given(subsets_of_nine, orders, overshoots, sizes, st.integers(1, 3))
@settings(max_examples=300)
def test_maximal_itemsets_are_joined_as_the_twin_joins_them(subsets, order, overshoot, m, floor):
    panel, used = twin(subsets, order, m, overshoot, lambda rest: naive.maximal(rest, floor))
    aggregator = MaximalItemsets(order, min_support=floor, overshoot=overshoot, fill=False)
    assert quietly(aggregator, FeatureModels(subsets, N_FEATURES), m) == panel
    assert [(set(i.features.tolist()), i.support) for i in aggregator.itemsets_] == used


def test_permuted_columns_give_the_same_panel():
    rng = np.random.default_rng(5)
    rankings = np.array([rng.permutation(30) + 1 for _ in range(40)])
    rankings[:, :8] = np.sort(rankings, axis=1)[:, :8]  # eight that are selected often
    rankings = np.array([np.argsort(np.argsort(r + rng.random(30))) + 1 for r in rankings])
    subsets = np.argsort(rankings, axis=1)[:, :10]
    order = rng.permutation(30)
    moved = FeatureModels(np.argsort(order)[subsets], 30, rankings[:, order])
    models = FeatureModels(subsets, 30, rankings)
    for cls in (ClosedItemsets, MaximalItemsets):
        for name in ORDERS:
            panel = quietly(cls(name), models, 8)
            assert order[quietly(cls(name), moved, 8, seed=1)].tolist() == panel


def test_what_is_missing_is_filled_with_the_most_frequent_features():
    models = FeatureModels([[0, 1], [0, 1], [2], [3], [3, 4]], 6)
    with pytest.warns(ConsilienceWarning, match="Only 3 features are in itemsets of 2 models"):
        panel = ClosedItemsets().aggregate(models, 5, random_state=0)[0]
    assert set(panel[:3]) == {0, 1, 3}
    assert set(panel) == {0, 1, 2, 3, 4}
    with pytest.warns(ConsilienceWarning, match="the panel holds these"):
        assert ClosedItemsets(fill=False).aggregate(models, 5, random_state=0)[0].size == 3


@pytest.mark.parametrize("cls", [ClosedItemsets, MaximalItemsets])
def test_fewer_features_than_wanted_are_all_there_is(cls):
    with pytest.warns(ConsilienceWarning, match="Only 3 of the 5 features asked for") as told:
        panel = cls().aggregate(FeatureModels([[4, 1], [4, 1], [2]], 6), 5)[0]
    assert set(panel) == {1, 2, 4}
    assert len(told) == 1


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("cls", [ClosedItemsets, MaximalItemsets])
def test_one_model_or_identical_ones_are_the_panel(cls, order):
    for n_models in (1, 4):
        models = FeatureModels([[5, 0, 3]] * n_models, 7)
        aggregator = cls(order)
        assert set(aggregator.aggregate(models, 3)[0]) == {0, 3, 5}
        assert aggregator.aggregate(models, 2)[0].size == 2
        assert [i.support for i in aggregator.itemsets_] == [n_models]


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("cls", [ClosedItemsets, MaximalItemsets])
def test_models_that_share_nothing_give_the_most_frequent_features(cls, order):
    models = FeatureModels([[0], [1], [2], [3]], 4)
    assert len(quietly(cls(order), models, 2)) == 2


def test_empty_models_are_dropped_before():
    with pytest.warns(ConsilienceWarning, match="1 of 4 models selected no feature"):
        models = FeatureModels([[1, 2], [], [1, 2], [1, 3]], 4)
    aggregator = ClosedItemsets()
    assert aggregator.aggregate(models, 2, random_state=0)[0].tolist() == [1, 2]
    assert [i.support for i in aggregator.itemsets_] == [3, 2]


def test_a_floor_is_a_number_or_a_share():
    models = FeatureModels([[0, 1]] * 3 + [[2, 3]] * 7, 4)
    for floor in (4, 0.4, 0.31):
        panel = quietly(ClosedItemsets(min_support=floor, fill=False), models, 4)
        assert set(panel) == {2, 3}
    assert set(quietly(ClosedItemsets(min_support=0.3, fill=False), models, 4)) == {0, 1, 2, 3}


def test_the_support_of_maximal_sets_follows_the_last_feature():
    subsets = [[0, 1, 2]] * 30 + [[0, 1]] * 60 + [[3]] * 4 + [[4, 5]] * 6
    models = FeatureModels(subsets, 6)
    aggregator = MaximalItemsets()  # a tenth of 100 models: feature 4 is too rare for four
    assert set(quietly(aggregator, models, 3)) == {0, 1, 2}
    assert aggregator.itemsets_[0].support == 30
    assert set(quietly(aggregator, models, 5)) == {0, 1, 2, 4, 5}
    assert [i.support for i in aggregator.itemsets_] == [30, 6]
    half = MaximalItemsets(min_support="half")  # half of 30, not of a share of the models
    assert set(quietly(half, models, 3)) == {0, 1, 2}


@pytest.mark.parametrize("cls", [ClosedItemsets, MaximalItemsets])
@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"order": "size"}, "order is 'size'; give one of 'area'"),
        ({"min_support": 0}, "min_support is 0; give a number"),
        ({"min_support": 1.5}, "min_support is 1.5"),
        ({"min_support": "third"}, "min_support is 'third'"),
        ({"min_len": 0}, "min_len is 0; give a whole number"),
        ({"overshoot": "cut"}, "overshoot is 'cut'; give 'trim', 'keep' or 'skip'"),
    ],
)
def test_bad_options_get_a_sentence(cls, options, told):
    models = FeatureModels([[0, 1], [1, 2], [0, 2]], 3)
    with pytest.raises(UsageError, match=told):
        cls(**options).aggregate(models, 2)


def test_a_search_that_was_stopped_is_told(monkeypatch):
    from consilience.aggregation import itemset_search

    rng = np.random.default_rng(0)
    models = FeatureModels([np.flatnonzero(rng.random(30) < 0.7) for _ in range(60)], 30)
    monkeypatch.setattr(itemset_search.ItemsetSearch.__init__, "__defaults__", (20_000,))
    with pytest.warns(ConsilienceWarning, match="by area was stopped at its bound of work"):
        panel = ClosedItemsets().aggregate(models, 10, random_state=0)[0]
    assert np.unique(panel).size == 10
    monkeypatch.setattr(itemset_search.ItemsetSearch.__init__, "__defaults__", (1000,))
    with pytest.warns(ConsilienceWarning) as told:
        panel = ClosedItemsets().aggregate(models, 10, random_state=0)[0]
    assert np.unique(panel).size == 10
    assert "stopped at its bound of work" in str(told[0].message)
    assert "in the itemsets found until then" in str(told[1].message)


def test_equal_panels_for_support_and_frequency_on_large_models():
    rng = np.random.default_rng(2)
    subsets = [np.flatnonzero(rng.random(400) < np.linspace(0.9, 0, 400) ** 3) for _ in range(300)]
    models = FeatureModels(subsets, 400)
    panel = ClosedItemsets("support").aggregate(models, 60, random_state=0)[0]
    frequent = MostFrequent().aggregate(models, 60, random_state=0)[0]
    assert_array_equal(models.counts[panel], models.counts[frequent])
