"""Panels by ranks: exponential, weighted, by a random walk, by cross-entropy search."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import linear_sum_assignment
from scipy.stats import rankdata

import naive_ranks as naive
from consilience.aggregation import (
    AverageRank,
    CrossEntropyRank,
    ExponentialRank,
    MarkovChainRank,
    MostFrequent,
    WeightedRank,
)
from consilience.aggregation.cross_entropy_rank import (
    _first_lists,
    footrule_cost,
    kendall_cost,
)
from consilience.aggregation.markov_chain_rank import _stationary
from consilience.aggregation.rank_lists import candidates, preferences, shared_ranks
from consilience.exceptions import ConsilienceWarning, UsageError
from consilience.models import FeatureModels

scores = arrays(np.float64, (4, 6), elements=st.integers(0, 4))  # few values: many ties
plain = st.lists(st.lists(st.integers(0, 5), unique=True, min_size=1), min_size=1, max_size=5)
BY_LISTS = [MarkovChainRank(), CrossEntropyRank(), CrossEntropyRank("spearman")]
ids = [repr(method) for method in BY_LISTS]


def ranked(scores, size=3):
    rankings = rankdata(-scores, axis=1)
    subsets = np.argsort(rankings, axis=1, kind="stable")[:, :size]
    return FeatureModels(subsets, scores.shape[1], rankings)


def lists_of(models, features):
    rankings = list(shared_ranks(models))
    return [
        [naive.list_rank(r, set(s.tolist()), j) for j in features]
        for r, s in zip(rankings, models.subsets, strict=True)
    ]


@given(plain)
def test_models_without_rankings_share_ranks(subsets):
    models = FeatureModels(subsets, 6)
    expected = [naive.ranks_of_subset(s, 6) for s in subsets]
    assert_array_equal(list(shared_ranks(models)), expected)
    assert_allclose(np.mean(expected, axis=0), models.mean_ranks)


@given(scores, st.integers(1, 6))
def test_exponential_ranks_take_the_largest_scores(scores, m):
    models = ranked(scores)
    expected = np.array(naive.exponential_scores(models.rankings.tolist(), m))
    panel = ExponentialRank().aggregate(models, m, random_state=0)[0]
    assert_allclose(expected[panel], -np.sort(-expected)[:m])


def test_exponential_ranks_lie_between_counts_and_means():
    # Feature 0 is first twice and far behind once; feature 1 is always third.
    rankings = np.array([[1, 3, 2, *range(4, 101)], [1, 3, 2, *range(4, 101)],
                         [100, 3, 1, 2, *range(4, 100)]])  # fmt: skip
    models = FeatureModels([[0, 2], [0, 2], [2, 3]], 100, rankings)
    assert ExponentialRank().aggregate(models, 2, random_state=0)[0].tolist() == [2, 0]


@given(plain)
def test_exponential_ranks_of_models_without_rankings(subsets):
    models = FeatureModels(subsets, 6)
    m = int(np.count_nonzero(models.counts))
    expected = np.array(naive.exponential_scores([naive.ranks_of_subset(s, 6) for s in subsets], m))
    panel = ExponentialRank().aggregate(models, m, random_state=0)[0]
    assert set(panel.tolist()) == set(np.flatnonzero(models.counts).tolist())
    assert_allclose(expected[panel], -np.sort(-expected)[:m])


@given(scores, arrays(np.float64, 4, elements=st.integers(0, 3)), st.integers(1, 6))
def test_weighted_ranks_take_the_largest_scores(scores, weights, m):
    models = ranked(scores)
    weighted = FeatureModels(models.subsets, 6, models.rankings, weights)
    counted = weights if weights.any() else np.ones(4)  # no weight at all is an equal one
    expected = np.array(naive.weighted_scores(models.rankings.tolist(), counted))
    panel = WeightedRank().aggregate(weighted, m, random_state=0)[0]
    assert_allclose(expected[panel], -np.sort(-expected)[:m])


@given(scores.map(ranked))
def test_equal_weights_are_mean_ranks(models):
    weighted = FeatureModels(models.subsets, 6, models.rankings, np.full(4, 0.7))
    expected = AverageRank().aggregate(models, 4, random_state=0)
    assert_array_equal(WeightedRank().aggregate(weighted, 4, random_state=0), expected)


def test_a_weight_is_a_number_of_copies_without_rankings_too():
    subsets = [[0, 3], [3], [5, 0, 1]]
    weighted = FeatureModels(subsets, 9, weights=[1, 2, 3])
    copies = FeatureModels([subsets[0], *[subsets[1]] * 2, *[subsets[2]] * 3], 9)
    found = WeightedRank().aggregate(weighted, 4, random_state=0)[0]
    expected = copies.mean_ranks
    assert_allclose(expected[found], np.sort(expected)[:4])
    with pytest.warns(ConsilienceWarning, match="Only 4 of the 6"):
        WeightedRank().aggregate(weighted, 6)


def test_models_without_weights_are_refused_with_the_way_out():
    with pytest.raises(UsageError, match="WeightedRank needs a weight for each model") as error:
        WeightedRank().aggregate(FeatureModels([[0, 1]], 3), 1)
    assert "or use AverageRank." in str(error.value)


@given(st.one_of(scores.map(ranked), plain.map(lambda s: FeatureModels(s, 6))))
def test_the_lists_are_those_of_the_definition(models):
    features, ranks = candidates(models, 3, np.random.default_rng(0))
    assert sorted(features) == np.flatnonzero(models.counts).tolist()
    assert (np.diff(models.counts[features]) <= 0).all()
    expected = lists_of(models, features.tolist())
    assert_array_equal(ranks, expected)
    above = preferences(ranks)
    for a, b in itertools.product(range(features.size), repeat=2):
        assert above[a, b] == sum(r[a] < r[b] for r in expected)
    assert_allclose(_stationary(above), naive.walk(expected, n_rounds=600), atol=1e-9)


def test_the_walk_prefers_what_most_lists_have_above():
    # Feature 0 beats each other one in two lists of three, whatever the third says.
    rankings = [[1, 2, 3, 4], [1, 3, 2, 4], [4, 1, 2, 3]]
    models = FeatureModels([[0, 1, 2], [0, 2, 1], [1, 2, 3]], 4, rankings)
    assert MarkovChainRank().aggregate(models, 1, random_state=0)[0].tolist() == [0]
    assert MostFrequent().aggregate(models, 1, random_state=0)[0].tolist() != [0]


@given(st.one_of(scores.map(ranked), plain.map(lambda s: FeatureModels(s, 6))), st.data())
def test_costs_are_those_of_the_definition(models, data):
    features, ranks = candidates(models, 3, np.random.default_rng(0))
    size = data.draw(st.integers(1, features.size))
    panel = data.draw(st.permutations(range(features.size)))[:size]
    weights = np.arange(1.0, models.n_models + 1)
    named = features[panel].tolist()
    terms = [(w, r.tolist(), s) for w, r, s in zip(weights, ranks, models.sizes, strict=True)]
    found = kendall_cost(ranks, models.sizes, weights, size)(np.array([panel]))
    assert_allclose(found, sum(w * naive.kendall(named, r, features) for w, r, _ in terms))
    found = footrule_cost(ranks, models.sizes, weights, size)(np.array([panel]))
    assert_allclose(found, sum(w * naive.footrule(named, r, features, s) for w, r, s in terms))


@settings(max_examples=15)
@given(scores.map(ranked), st.sampled_from(["kendall", "spearman"]))
def test_the_search_finds_the_best_of_all_lists(models, distance):
    features = np.flatnonzero(models.counts).tolist()
    lists = lists_of(models, features)

    def cost(panel):
        if distance == "kendall":
            return sum(naive.kendall(panel, r, features) for r in lists)
        return sum(naive.footrule(panel, r, features, 3) for r in lists)

    panel = CrossEntropyRank(distance).aggregate(models, 3, random_state=0)[0]
    best = min(cost(p) for p in itertools.permutations(features, 3))
    assert cost(panel.tolist()) == best


def test_the_search_comes_near_the_optimum_of_many_lists():
    # The footrule is a sum over features and positions: its optimum is an assignment.
    rng = np.random.default_rng(0)
    noisy = np.linspace(3, 0, 300) + 0.3 * rng.normal(size=(60, 300))
    models = ranked(noisy, size=10)
    features, ranks = candidates(models, 10, rng)
    listed = ranks < 11
    absent = np.where(listed, 11 - ranks, 0).sum(axis=0)
    gains = np.stack([abs(ranks - q).sum(axis=0) for q in range(1, 11)], axis=1) - absent[:, None]
    best = absent.sum() + gains[linear_sum_assignment(gains)].sum()
    panel = CrossEntropyRank("spearman").aggregate(models, 10, random_state=0)[0]
    place = [int(np.flatnonzero(features == j)[0]) for j in panel]
    found = footrule_cost(ranks, models.sizes, np.ones(60), 10)(np.array([place]))[0]
    assert best - 1e-9 <= found <= 1.003 * best


def test_weights_of_the_models_count_in_the_search():
    rankings = [[1, 2, 3], [2, 1, 3], [2, 1, 3]]
    subsets = [[0, 1], [1, 0], [1, 0]]
    alike = FeatureModels(subsets, 3, rankings)
    weighted = FeatureModels(subsets, 3, rankings, weights=[5, 1, 1])
    for distance in ("kendall", "spearman"):
        search = CrossEntropyRank(distance)
        assert search.aggregate(alike, 2, random_state=0)[0].tolist() == [1, 0]
        assert search.aggregate(weighted, 2, random_state=0)[0].tolist() == [0, 1]


@pytest.mark.parametrize("distance", ["kendall", "spearman"])
def test_no_model_has_a_better_list_however_many_there_are(distance):
    rng = np.random.default_rng(0)
    subsets = [*(rng.permutation(30)[:5] for _ in range(300)), np.arange(30, 35)]
    models = FeatureModels(subsets, 40, weights=np.r_[np.zeros(300), 1.0])
    panel = CrossEntropyRank(distance, n_rounds=5).aggregate(models, 5, random_state=0)[0]
    assert set(panel.tolist()) == set(range(30, 35))


def test_the_search_starts_from_the_mean_rank_by_weight():
    ranks = np.array([[1.0, 2.0, 3.0, 3.0], [3.0, 3.0, 1.0, 2.0], [3.0, 3.0, 1.0, 2.0]])
    own, weights = np.array([[0, 1], [2, 3], [2, 3]]), np.array([5.0, 1.0, 1.0])
    cost = kendall_cost(ranks, np.full(3, 2), weights, 2)
    assert _first_lists(cost, own, ranks, weights)[1].tolist() == [0, 1]
    assert _first_lists(cost, own, ranks, np.ones(3))[1, 0] == 2


@pytest.mark.parametrize("method", BY_LISTS, ids=ids)
def test_features_in_no_list_are_never_taken(method):
    models = FeatureModels([[4, 0], [4]], 6)
    with pytest.warns(ConsilienceWarning, match="Only 2 of the 3 features"):
        assert method.aggregate(models, 3, random_state=0)[0].tolist() == [4, 0]


@pytest.mark.parametrize("method", [*BY_LISTS, ExponentialRank()], ids=[*ids, "exponential"])
def test_one_model_without_a_ranking_gives_its_features(method):
    panel = method.aggregate(FeatureModels([[3, 1, 4]], 6), 3, random_state=0)[0]
    assert set(panel.tolist()) == {1, 3, 4}


def test_many_features_are_cut_to_those_selected_most(monkeypatch):
    monkeypatch.setattr("consilience.aggregation.rank_lists.MOST_CANDIDATES", 3)
    models = FeatureModels([[0, 1, 5], [0, 1, 2], [0, 4, 2]], 6)
    features, ranks = candidates(models, 2, np.random.default_rng(0))
    assert features[0] == 0
    assert set(features.tolist()) == {0, 1, 2}
    assert ranks.shape == (3, 3)
    assert candidates(models, 5, np.random.default_rng(0))[0].size == 5


def test_bad_options_get_a_sentence():
    models = FeatureModels([[0, 1]], 3)
    with pytest.raises(UsageError, match="Unknown distance 'hamming'; known are kendall, spearman"):
        CrossEntropyRank("hamming").aggregate(models, 1)
    for n_samples in (3, 20.5, "many"):
        with pytest.raises(UsageError, match=r"n_samples is .*; give a whole number, 10 or more"):
            CrossEntropyRank(n_samples=n_samples).aggregate(models, 1)
    with pytest.raises(UsageError, match="n_rounds is 0; give a whole number, 1 or more"):
        CrossEntropyRank(n_rounds=0).aggregate(models, 1)
