import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from consilience.aggregation import MostFrequent
from consilience.exceptions import ConsilienceWarning
from consilience.models import FeatureModels

subsets = st.lists(st.lists(st.integers(0, 6), unique=True, min_size=1), min_size=1, max_size=8)


@given(subsets, st.data())
def test_takes_the_largest_counts(subsets, data):
    models = FeatureModels(subsets, 7)
    m = data.draw(st.integers(1, np.count_nonzero(models.counts)))
    panel = MostFrequent().aggregate(models, m, random_state=0)[0]
    assert_array_equal(models.counts[panel], -np.sort(-models.counts)[:m])


def test_equal_counts_are_ordered_by_mean_rank():
    models = FeatureModels([[0, 1], [2, 1]], 4, [[2, 1, 4, 3], [4, 2, 1, 3]])
    for seed in range(5):
        panel = MostFrequent().aggregate(models, 3, random_state=seed)[0]
        assert panel.tolist() == [1, 2, 0]


def test_mean_ranks_that_differ_only_by_rounding_are_equal():
    # 1 + 2 + 2 and 2 + 2 + 1 thirds: equal sums, added in another order.
    rankings = [[1, 2, 3], [2, 1, 3], [1.5, 1.5, 3]]
    models = FeatureModels([[0, 1]] * 3, 3, rankings)
    firsts = {int(MostFrequent().aggregate(models, 1, random_state=s)[0][0]) for s in range(40)}
    assert firsts == {0, 1}


def test_features_that_were_never_selected_are_left_out_with_a_warning():
    with pytest.warns(ConsilienceWarning, match="Only 2 of the 3 features"):
        panel = MostFrequent().aggregate(FeatureModels([[4, 0], [4]], 6), 3)[0]
    assert panel.tolist() == [4, 0]
