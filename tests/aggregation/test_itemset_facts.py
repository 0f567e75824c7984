"""Facts E1 to E6 of the specification, on random models."""

import warnings

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import naive_itemsets as naive
from consilience.aggregation import (
    AllClosedItemsets,
    ClosedItemsetMedoid,
    ClosedItemsets,
    MaximalItemsets,
    MostFrequent,
    MostRepresentative,
)
from consilience.aggregation.itemsets import closed_itemsets, maximal_itemsets
from consilience.exceptions import ConsilienceWarning
from consilience.models import FeatureModels

N_FEATURES = 8
subsets_of_eight = st.lists(
    st.lists(st.integers(0, N_FEATURES - 1), unique=True, min_size=1), min_size=1, max_size=10
)


@st.composite
def models_and_size(draw):
    models = FeatureModels(draw(subsets_of_eight), N_FEATURES)
    return models, draw(st.integers(1, np.count_nonzero(models.counts)))


def features_of(itemsets):
    return set().union(*(i.features.tolist() for i in itemsets))


@given(models_and_size())
@settings(max_examples=300)
def test_e1_by_support_the_panel_is_that_of_the_most_frequent(given_models):
    models, m = given_models
    panel = ClosedItemsets("support").aggregate(models, m, random_state=0)[0]
    frequent = MostFrequent().aggregate(models, m, random_state=0)[0]
    assert sorted(models.counts[panel]) == sorted(models.counts[frequent])
    if np.unique(models.counts[models.counts > 0]).size == np.count_nonzero(models.counts):
        assert panel.tolist() == frequent.tolist()  # without ties they are the same


@given(models_and_size())
@settings(max_examples=200)
def test_e1_the_union_at_a_support_is_the_features_of_that_count(given_models):
    models, _ = given_models
    listed = list(closed_itemsets(models, "support"))
    for least in range(1, models.n_models + 1):
        union = features_of(i for i in listed if i.support >= least)
        assert union == set(np.flatnonzero(models.counts >= least).tolist())


@given(models_and_size())
@settings(max_examples=200)
def test_e1_overshoot_is_one_class_of_features_with_the_same_models(given_models):
    models, m = given_models
    panel = ClosedItemsets("support", overshoot="keep").aggregate(models, m, random_state=0)[0]
    beyond = panel[m - 1 :]
    held = models.membership().toarray()[:, beyond]
    assert (held == held[:, :1]).all()


@given(models_and_size(), st.integers(1, 10))
@settings(max_examples=200)
def test_e2_a_floor_up_to_the_last_feature_changes_nothing(given_models, floor):
    models, m = given_models
    floor = min(floor, models.n_models)  # the core is in no more
    last = np.sort(models.counts)[-m]
    floored = ClosedItemsets("support", min_support=floor, fill=False)
    if floor <= last:
        panel = floored.aggregate(models, m, random_state=0)[0]
        free = ClosedItemsets("support").aggregate(models, m, random_state=0)[0]
        assert panel.tolist() == free.tolist()
    else:
        union = features_of(closed_itemsets(models, "support", min_support=floor))
        assert union == set(np.flatnonzero(models.counts >= floor).tolist())
        assert len(union) < m


@given(models_and_size(), st.integers(1, 6))
@settings(max_examples=200)
def test_e3_maximal_sets_hold_what_is_frequent(given_models, floor):
    models, m = given_models
    found = list(maximal_itemsets(models, min_support=floor))
    frequent = set(np.flatnonzero(models.counts >= floor).tolist())
    core = set(np.flatnonzero(models.counts == models.n_models).tolist())
    assert features_of(found) == frequent | core
    last = int(np.sort(models.counts)[-m])  # at that support it is the most frequent as well
    panel = MaximalItemsets(min_support=last).aggregate(models, m, random_state=0)[0]
    assert models.counts[panel].min() >= last


@given(subsets_of_eight)
@settings(max_examples=200)
def test_e4_with_a_core_the_literal_medoid_is_the_most_representative(subsets):
    models = FeatureModels([[*s, N_FEATURES] for s in subsets], N_FEATURES + 1)
    medoid = ClosedItemsetMedoid("support").aggregate(models, N_FEATURES, random_state=0)[0]
    middle = MostRepresentative().aggregate(models, N_FEATURES)[0]
    assert medoid.tolist() == middle.tolist()


def all_panels(models, min_len):
    """Every closed set that is a panel of its own; their length counts the core, as in E5."""
    aggregator = AllClosedItemsets(1000, order="support", min_len=min_len, max_sim=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConsilienceWarning)  # there are fewer
        aggregator.aggregate(models, models.n_features, random_state=0)
    return [(i.features.tolist(), i.support) for i in aggregator.itemsets_]


@given(subsets_of_eight, st.integers(2, 4))
@settings(max_examples=100)
def test_e5_a_least_length_up_to_the_core_and_one_changes_nothing(subsets, length):
    added = range(N_FEATURES, N_FEATURES + length - 1)
    models = FeatureModels([[*s, *added] for s in subsets], N_FEATURES + length - 1)
    free = all_panels(models, min_len=1)
    assert all_panels(models, min_len=length) == free
    core = np.flatnonzero(models.counts == models.n_models)
    least = core.size + 2  # the first that does change something
    long = [(x, s) for x, s in free if len(x) >= least]
    kept = all_panels(models, min_len=least)
    if long:
        assert kept == long
    else:
        assert [(set(x), s) for x, s in kept] == [(set(core.tolist()), models.n_models)]


@given(models_and_size(), st.integers(1, 3))
@settings(max_examples=150)
def test_e6_a_panel_is_a_ranking_of_features_by_their_best_set(given_models, length):
    models, m = given_models
    core, rest = naive.without_core([s.tolist() for s in models.subsets])
    aggregator = ClosedItemsets("min_len", min_len=length, fill=False)
    best = {j: naive.best_support(j, length, rest) for j in set().union(*rest)}
    possible = sum(value > 0 for value in best.values())
    if len(core) >= m or possible < m - len(core):
        return
    panel = aggregator.aggregate(models, m, random_state=0)[0]
    taken = sorted((best[j] for j in panel.tolist() if j not in core), reverse=True)
    assert taken == sorted(best.values(), reverse=True)[: len(taken)]
    assert len(taken) == m - len(core)


def test_e6_a_length_of_a_whole_model_gives_a_model():
    subsets = [[0, 1, 2], [2, 3, 4], [0, 1, 2], [4, 5, 6], [0, 5, 6]]
    models = FeatureModels(subsets, 7)
    panel = ClosedItemsets("min_len", min_len=3).aggregate(models, 3, random_state=0)[0]
    assert set(panel) == {0, 1, 2}
