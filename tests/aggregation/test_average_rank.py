import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_array_equal
from scipy.stats import rankdata

from consilience.aggregation import AverageRank
from consilience.exceptions import ConsilienceWarning
from consilience.models import FeatureModels

scores = arrays(np.float64, (5, 7), elements=st.integers(0, 4))


def ranked(scores, size=3):
    rankings = rankdata(-scores, axis=1)
    return FeatureModels(np.argsort(rankings, axis=1)[:, :size], scores.shape[1], rankings)


@given(scores, st.integers(1, 7))
def test_takes_the_smallest_sums_of_ranks(scores, m):
    models = ranked(scores)
    panel = AverageRank().aggregate(models, m, random_state=0)[0]
    sums = models.rankings.astype(float).sum(axis=0)
    assert_array_equal(sums[panel], np.sort(sums)[:m])


@given(scores)
def test_monotone_transforms_of_the_scores_change_nothing(scores):
    panels = [AverageRank().aggregate(ranked(s), 3, random_state=0)[0] for s in (scores, 2**scores)]
    assert_array_equal(*panels)


def test_equal_mean_ranks_are_ordered_by_frequency():
    models = FeatureModels([[0], [1], [1]], 3, [[1, 2, 3], [3, 1, 2], [1, 2, 3]])
    assert models.mean_ranks[0] == models.mean_ranks[1]
    for seed in range(5):
        assert AverageRank().aggregate(models, 1, random_state=seed)[0].tolist() == [1]


def test_subsets_without_rankings_are_ordered_by_frequency():
    models = FeatureModels([[0, 3], [3], [3, 5, 0], [5, 3]], 9)
    panel = AverageRank().aggregate(models, 3, random_state=0)[0]
    assert panel[0] == 3
    assert set(panel[1:]) == {0, 5}


def test_features_that_no_unranked_model_selected_are_left_out():
    with pytest.warns(ConsilienceWarning, match="Only 2 of the 4 features"):
        panel = AverageRank().aggregate(FeatureModels([[0, 3], [3]], 9), 4)[0]
    assert panel.tolist() == [3, 0]


def test_a_ranking_orders_features_that_were_never_selected():
    models = FeatureModels([[2]], 3, [[2, 3, 1]])
    assert AverageRank().aggregate(models, 3)[0].tolist() == [2, 0, 1]
