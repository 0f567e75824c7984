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

# Random small models are seldom as many different ones as panels are wanted.
pytestmark = [
    pytest.mark.filterwarnings("ignore:.* panels were asked for:UserWarning"),
    pytest.mark.filterwarnings("ignore:Only .* features are in itemsets of:UserWarning"),
]

EVERY = [entry.cls for entry in AGGREGATORS]
# A model as it stands is in the order that it has.
AS_THEY_STAND = [
    aggregation.MostRepresentative,
    aggregation.LargestClusterMedoid,
    aggregation.AllMedoids,
    aggregation.ClosedItemsetMedoid,
    aggregation.MaximalItemsetMedoid,
    aggregation.ClosedItemsetMedoids,
]
MADE = [cls for cls in EVERY if cls not in AS_THEY_STAND]


@st.composite
def models_of_distinct_ranks(draw):
    """Rankings without ties between features: the mean ranks and counts may still tie."""
    n_models, n_features = draw(st.integers(1, 6)), draw(st.integers(2, 8))
    rankings = np.array([draw(st.permutations(range(1, n_features + 1))) for _ in range(n_models)])
    size = draw(st.integers(1, n_features))
    subsets = np.argsort(rankings, axis=1)[:, :size]
    return FeatureModels(subsets, n_features, rankings, np.ones(n_models))


def test_the_paper_names_are_known():
    assert AGGREGATORS["avgRank"].cls is aggregation.AverageRank
    assert AGGREGATORS["mostFreq"].cls is aggregation.MostFrequent
    assert AGGREGATORS["mostRep"].cls is aggregation.MostRepresentative
    assert AGGREGATORS["largeMed"].cls is aggregation.LargestClusterMedoid
    assert AGGREGATORS["allMed"].cls is aggregation.AllMedoids
    assert AGGREGATORS["closedApr"].cls is aggregation.ClosedItemsets
    assert AGGREGATORS["maxApr"].cls is aggregation.MaximalItemsets
    assert AGGREGATORS["medClosedApr"].cls is aggregation.ClosedItemsetMedoid
    assert AGGREGATORS["medMaxApr"].cls is aggregation.MaximalItemsetMedoid
    assert AGGREGATORS["allClosedApr"].cls is aggregation.AllClosedItemsets
    assert AGGREGATORS["allMaxApr"].cls is aggregation.AllMaximalItemsets
    assert AGGREGATORS["medClosedApr-k"].cls is aggregation.ClosedItemsetMedoids
    assert AGGREGATORS["expRank"].cls is aggregation.ExponentialRank
    assert AGGREGATORS["CWA"].cls is aggregation.WeightedRank
    assert AGGREGATORS["MC4"].cls is aggregation.MarkovChainRank
    assert AGGREGATORS["CEMC"].cls is aggregation.CrossEntropyRank


@pytest.mark.parametrize("aggregator", EVERY)
@given(models=models_of_distinct_ranks(), seed=st.integers(0, 3), data=st.data())
def test_a_panel_is_distinct_features_and_the_seed_decides_it(aggregator, models, seed, data):
    m = data.draw(st.integers(1, models.sizes[0]))
    panels = aggregator().aggregate(models, m, random_state=seed)
    if "n_panels" not in aggregator().get_params():
        assert [panel.size for panel in panels] == [m]
    for panel in panels:
        assert 1 <= np.unique(panel).size == panel.size <= m
    again = aggregator().aggregate(models, m, random_state=np.random.default_rng(seed))
    assert_array_equal(panels[0], again[0])


@pytest.mark.parametrize("aggregator", EVERY)
@given(st.permutations(range(6)), st.integers(1, 6), st.integers(1, 5))
def test_identical_models_give_that_model(aggregator, order, size, n_models):
    ranks = rankdata(order)
    subset = np.argsort(ranks)[:size]
    models = FeatureModels([subset] * n_models, 6, [ranks] * n_models, np.ones(n_models))
    assert_array_equal(aggregator().aggregate(models, size)[0], subset)


@pytest.mark.parametrize("aggregator", EVERY)
def test_permuted_columns_give_the_same_features(aggregator):
    rng = np.random.default_rng(1)
    rankings = np.array([rng.permutation(40) + 1 for _ in range(12)])
    subsets = np.argsort(rankings, axis=1)[:, :15]
    order = rng.permutation(40)
    weights = rng.random(12)
    moved = FeatureModels(np.argsort(order)[subsets], 40, rankings[:, order], weights)
    models = FeatureModels(subsets, 40, rankings, weights)
    panel = aggregator().aggregate(models, 5, random_state=0)[0]
    assert_array_equal(order[aggregator().aggregate(moved, 5, random_state=0)[0]], panel)


@pytest.mark.parametrize("aggregator", MADE)
def test_ties_go_to_the_seed_not_to_the_column(aggregator):
    models = FeatureModels([[0, 1, 2, 3, 4, 5]], 6, weights=[1.0])
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
