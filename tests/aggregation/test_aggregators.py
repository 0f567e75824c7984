"""What every aggregator promises, over the whole registry."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from scipy.stats import rankdata
from sklearn.base import clone

from consilience import aggregation
from consilience.aggregation import AGGREGATORS
from consilience.exceptions import UsageError
from consilience.models import FeatureModels

EVERY = [entry.cls for entry in AGGREGATORS]


@st.composite
def models_of_distinct_ranks(draw):
    """Rankings without ties between features: the mean ranks and counts may still tie."""
    n_models, n_features = draw(st.integers(1, 6)), draw(st.integers(2, 8))
    rankings = np.array([draw(st.permutations(range(1, n_features + 1))) for _ in range(n_models)])
    size = draw(st.integers(1, n_features))
    return FeatureModels(np.argsort(rankings, axis=1)[:, :size], n_features, rankings)


def test_the_paper_names_are_known():
    assert AGGREGATORS["avgRank"].cls is aggregation.AverageRank
    assert AGGREGATORS["mostFreq"].cls is aggregation.MostFrequent
    assert AGGREGATORS.names() == ["average-rank", "most-frequent"]


@pytest.mark.parametrize("aggregator", EVERY)
@given(models=models_of_distinct_ranks(), seed=st.integers(0, 3), data=st.data())
def test_a_panel_is_distinct_features_and_the_seed_decides_it(aggregator, models, seed, data):
    m = data.draw(st.integers(1, models.sizes[0]))
    panels = aggregator().aggregate(models, m, random_state=seed)
    assert [panel.size for panel in panels] == [m]
    assert np.unique(panels[0]).size == m
    again = aggregator().aggregate(models, m, random_state=np.random.default_rng(seed))
    assert_array_equal(panels[0], again[0])


@pytest.mark.parametrize("aggregator", EVERY)
@given(st.permutations(range(6)), st.integers(1, 6), st.integers(1, 5))
def test_identical_models_give_that_model(aggregator, order, size, n_models):
    ranks = rankdata(order)
    subset = np.argsort(ranks)[:size]
    models = FeatureModels([subset] * n_models, 6, [ranks] * n_models)
    assert_array_equal(aggregator().aggregate(models, size)[0], subset)


@pytest.mark.parametrize("aggregator", EVERY)
def test_permuted_columns_give_the_same_features(aggregator):
    rng = np.random.default_rng(1)
    rankings = np.array([rng.permutation(40) + 1 for _ in range(12)])
    subsets = np.argsort(rankings, axis=1)[:, :15]
    order = rng.permutation(40)
    moved = FeatureModels(np.argsort(order)[subsets], 40, rankings[:, order])
    panel = aggregator().aggregate(FeatureModels(subsets, 40, rankings), 5, random_state=0)[0]
    assert_array_equal(order[aggregator().aggregate(moved, 5, random_state=0)[0]], panel)


@pytest.mark.parametrize("aggregator", EVERY)
def test_ties_go_to_the_seed_not_to_the_column(aggregator):
    models = FeatureModels([[0, 1, 2, 3, 4, 5]], 6)
    firsts = {int(aggregator().aggregate(models, 2, random_state=s)[0][0]) for s in range(60)}
    assert firsts == set(range(6))


@pytest.mark.parametrize("aggregator", EVERY)
def test_bad_requests_get_a_sentence(aggregator):
    models = FeatureModels([[0, 1]], 3)
    with pytest.raises(UsageError, match="4 features were asked for, but the data have 3"):
        aggregator().aggregate(models, 4)
    with pytest.raises(UsageError, match="0 features were asked for"):
        aggregator().aggregate(models, 0)
    with pytest.raises(UsageError, match=r"2\.5"):
        aggregator().aggregate(models, 2.5)
    with pytest.raises(UsageError, match="got a list; give it FeatureModels"):
        aggregator().aggregate([[0, 1]], 1)


@pytest.mark.parametrize("aggregator", EVERY)
def test_aggregators_are_cloned_and_pickled(aggregator):
    assert repr(clone(aggregator())) == repr(pickle.loads(pickle.dumps(aggregator())))
