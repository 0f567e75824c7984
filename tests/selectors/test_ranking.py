import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import naive
from consilience.selectors.ranking import mean_ranks, order_features, rank_models

scores_with_ties = arrays(np.float64, st.integers(1, 12), elements=st.integers(-2, 2))


@given(scores_with_ties)
def test_mean_ranks_agree_with_the_definition(scores):
    assert mean_ranks(scores).tolist() == naive.mean_ranks(scores.tolist())


def test_mean_ranks_of_constant_features_come_last():
    keys = np.array([0.5, -np.inf, 0.0, -np.inf, 0.0])
    assert mean_ranks(keys).tolist() == [1, 4.5, 2.5, 4.5, 2.5]


@given(scores_with_ties, st.integers(0, 100), st.data())
def test_the_order_is_by_score_with_constant_features_last(scores, seed, data):
    varies = data.draw(arrays(bool, scores.size))
    order = order_features(scores, varies, np.random.default_rng(seed))
    assert sorted(order) == list(range(scores.size))
    n_varying = varies.sum()
    assert varies[order[:n_varying]].all()
    assert (np.diff(scores[order[:n_varying]]) <= 0).all()


@given(arrays(np.float64, st.tuples(st.integers(1, 4), st.integers(1, 8)),
              elements=st.integers(-1, 2)), st.data())  # fmt: skip
def test_selections_are_the_best_of_their_ranking(scores, data):
    size = data.draw(st.integers(1, scores.shape[1]))
    varies = data.draw(arrays(bool, scores.shape))
    rngs = [np.random.default_rng(m) for m in range(len(scores))]
    subsets, ranks = rank_models(scores, varies, size, rngs)
    for subset, own, row, able in zip(subsets, ranks, scores, varies, strict=True):
        keys = np.where(able, row, -np.inf)
        assert own.tolist() == naive.mean_ranks(keys.tolist())
        assert subset.size == np.unique(subset).size == size
        assert (np.diff(own[subset]) >= 0).all()
        left_out = np.setdiff1d(np.arange(row.size), subset)
        assert not left_out.size or own[subset].max() <= own[left_out].min()


def test_equal_scores_are_drawn_evenly_and_not_by_column():
    scores, varies = np.zeros((4000, 5)), np.ones((4000, 5), dtype=bool)
    seeds = np.random.SeedSequence(0).spawn(4000)
    subsets, _ = rank_models(scores, varies, 1, [np.random.default_rng(s) for s in seeds])
    counts = np.bincount(np.concatenate(subsets), minlength=5)
    assert (abs(counts - 800) < 100).all()  # 800 with a standard deviation of 25
    orders = [order_features(scores[0], varies[0], np.random.default_rng(s)) for s in seeds]
    firsts = np.bincount([order[0] for order in orders], minlength=5)
    assert (abs(firsts - 800) < 100).all()


def test_the_same_seed_gives_the_same_order():
    scores, varies = np.array([0.0, 1, 0, 0, 1]), np.ones(5, dtype=bool)
    orders = {tuple(order_features(scores, varies, np.random.default_rng(3))) for _ in range(5)}
    assert len(orders) == 1
