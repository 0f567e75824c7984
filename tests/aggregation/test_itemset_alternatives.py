"""Medoids near the best itemsets, and itemsets as panels of their own."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import naive_itemsets as naive
from consilience.aggregation import (
    AllClosedItemsets,
    AllMaximalItemsets,
    ClosedItemsetMedoid,
    ClosedItemsetMedoids,
    MaximalItemsetMedoid,
)
from consilience.aggregation.itemset_search import ItemsetSearch
from consilience.aggregation.itemsets import closed_itemsets
from consilience.aggregation.representative import representative
from consilience.exceptions import ConsilienceWarning, UsageError
from consilience.models import FeatureModels

N_FEATURES = 8
subsets_of_eight = st.lists(
    st.lists(st.integers(0, N_FEATURES - 1), unique=True, min_size=1), min_size=1, max_size=9
)
fewer = pytest.mark.filterwarnings("ignore:.* panels were asked for:UserWarning")
BOTH = pytest.mark.parametrize("cls", [AllClosedItemsets, AllMaximalItemsets])
SOME = FeatureModels([[0, 1, 2], [0, 1, 2], [0, 1, 3], [5, 6], [5, 6], [5, 7]], 8)


def top_with_ties(sets, rest, order, n_top):
    place = dict.fromkeys(range(N_FEATURES), 0)  # the dictionary breaks no tie here
    keys = {x: naive.sort_key(order, x, s, rest, place)[:-1] for x, s in sets.items()}
    ranked = sorted(keys.values())
    return [x for x, key in keys.items() if key <= ranked[min(n_top, len(ranked)) - 1]]


@given(subsets_of_eight, st.sampled_from(["area", "support"]), st.integers(1, 3))
@settings(max_examples=200)
def test_the_medoid_is_sought_among_models_with_a_top_itemset(subsets, order, n_top):
    core, rest = naive.without_core(subsets)
    models = FeatureModels(subsets, N_FEATURES)
    for aggregator, sets in (
        (ClosedItemsetMedoid(order, n_top=n_top, min_support=1), naive.closed(rest, 1)),
        (MaximalItemsetMedoid(order, n_top=n_top, min_support=2), naive.maximal(rest, 2)),
    ):
        among = np.arange(len(subsets))
        literal = order == "support" and core and isinstance(aggregator, ClosedItemsetMedoid)
        if sets and not literal:
            top = top_with_ties(sets, rest, order, n_top)
            among = np.array([i for i, t in enumerate(rest) if any(x <= t for x in top)])
        panel = aggregator.aggregate(models, N_FEATURES, random_state=0)[0]
        assert_array_equal(panel, models.subsets[representative(models, among)])


@fewer
def test_panels_are_medoids_of_models_with_a_good_itemset():
    subsets = [[0, 1, 2], [0, 1, 2], [0, 1, 3], [5, 6, 7], [5, 6, 8], [5, 6, 7], [4, 9]]
    models = FeatureModels(subsets, 10)
    panels = ClosedItemsetMedoids(2).aggregate(models, 3, random_state=0)
    assert [set(p) for p in panels] == [{0, 1, 2}, {5, 6, 7}]
    assert [set(p) for p in ClosedItemsetMedoids(1).aggregate(models, 3, random_state=0)] in (
        [{0, 1, 2}],
        [{5, 6, 7}],
    )
    panels = ClosedItemsetMedoids(4).aggregate(models, 2, random_state=0)
    assert all(p.size == 2 for p in panels)


def test_fewer_distinct_models_than_panels_are_all_returned():
    models = FeatureModels([[0, 1], [0, 2], [0, 1]], 3)
    with pytest.warns(ConsilienceWarning, match="10 panels were asked for and there are 2 dist"):
        panels = ClosedItemsetMedoids(min_support=1).aggregate(models, 2)
    assert sorted(map(sorted, panels)) == [[0, 1], [0, 2]]


@BOTH
def test_panels_are_the_best_sets_that_differ(cls):
    panels = cls(2, max_sim=0.5).aggregate(SOME, 3, random_state=0)
    assert set(panels[0]) in ({0, 1}, {0, 1, 2})
    assert set(panels[1]) == {5, 6}


def test_near_copies_are_left_out():
    close = AllClosedItemsets(2, max_sim=0.9)
    assert [set(p) for p in close.aggregate(SOME, 3)] == [{0, 1}, {0, 1, 2}]
    assert [(set(i.features), i.support) for i in close.itemsets_] == [({0, 1}, 3), ({0, 1, 2}, 2)]


@BOTH
@fewer
@pytest.mark.filterwarnings("ignore:Only .* features asked for:UserWarning")
@given(subsets=subsets_of_eight, m=st.integers(1, N_FEATURES))
@settings(max_examples=100)
def test_panels_are_never_too_large_or_alike(cls, subsets, m):
    panels = cls(4).aggregate(FeatureModels(subsets, N_FEATURES), m, random_state=0)
    assert 1 <= len(panels) <= 4
    for number, panel in enumerate(panels):
        assert 1 <= panel.size <= m
        for other in panels[:number]:
            shared = len(set(panel) & set(other))
            assert shared / len(set(panel) | set(other)) <= 0.8


@BOTH
def test_where_there_is_only_a_core_it_is_the_panel(cls):
    with pytest.warns(ConsilienceWarning, match="there are 1 distinct itemsets"):
        panels = cls().aggregate(FeatureModels([[0, 2]] * 3, 4), 2)
    assert [set(p) for p in panels] == [{0, 2}]


@BOTH
def test_models_that_share_nothing_give_one_panel_of_frequent_features(cls):
    with pytest.warns(ConsilienceWarning, match="the panel holds the most frequent features"):
        panels = cls().aggregate(FeatureModels([[0], [1], [2]], 4), 2)
    assert [p.size for p in panels] == [2]


@pytest.mark.parametrize(("aggregator", "told"), [
    (AllClosedItemsets(max_sim=2), "max_sim is 2; give a number from 0 to 1"),
    (AllMaximalItemsets(0), "n_panels is 0"),
    (AllClosedItemsets(order="size"), "order is 'size'"),
    (ClosedItemsetMedoid(n_top=0), "n_top is 0; give a whole number"),
    (MaximalItemsetMedoid("tiling"), "by which a single itemset has no rank"),
    (ClosedItemsetMedoids(-1), "n_panels is -1"),
])  # fmt: skip
def test_bad_options_get_a_sentence(aggregator, told):
    with pytest.raises(UsageError, match=told):
        aggregator.aggregate(SOME, 2)


def test_a_search_that_was_stopped_still_gives_good_sets(monkeypatch):
    rng = np.random.default_rng(0)
    models = FeatureModels([np.flatnonzero(rng.random(30) < 0.7) for _ in range(60)], 30)
    best = max(i.support * i.features.size for i in closed_itemsets(models, min_support=20))
    monkeypatch.setattr(ItemsetSearch.__init__, "__defaults__", (20_000,))
    aggregator = AllClosedItemsets(3)
    with pytest.warns(ConsilienceWarning, match="stopped at its bound"):
        panels = aggregator.aggregate(models, 10, random_state=0)
    assert len(panels) == len(aggregator.itemsets_)
    first = aggregator.itemsets_[0]
    assert first.support * first.features.size >= 0.8 * best
    medoid = ClosedItemsetMedoid()
    with pytest.warns(ConsilienceWarning, match="stopped at its bound"):
        panel = medoid.aggregate(models, 10, random_state=0)[0]
    assert set(panel) <= set.union(*(set(s.tolist()) for s in models.subsets))
    assert medoid.itemsets_
