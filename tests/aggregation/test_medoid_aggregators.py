"""Panels that are models as they stand: the medoid of all, of the largest cluster, of each."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import naive_medoids as naive
from consilience.aggregation import AllMedoids, LargestClusterMedoid, MostRepresentative
from consilience.aggregation.representative import representative
from consilience.exceptions import ConsilienceWarning, UsageError
from consilience.models import FeatureModels

subsets = st.lists(st.lists(st.integers(0, 6), unique=True, min_size=1), min_size=1, max_size=8)
# Two answers: seven models around [0, 1, 2], three around [7, 8, 9].
TWO_ANSWERS = [[0, 1, 2], [2, 1, 3], [0, 1, 4], [1, 0, 2], [7, 8, 9], [9, 8, 7], [0, 2, 1],
               [7, 8, 6], [0, 1, 5], [0, 1, 2]]  # fmt: skip


def totals(models):
    return [sum(naive.jaccard_distance(a, b) for b in models.subsets) for a in models.subsets]


@given(subsets)
def test_the_most_representative_model_has_the_least_total_distance(subsets):
    models = FeatureModels(subsets, 7)
    sums = np.round(totals(models), 9)
    liked = [models.counts[s].sum() for s in models.subsets]
    expected = min(range(len(subsets)), key=lambda i: (sums[i], -liked[i], i))
    assert representative(models) == expected
    panel = MostRepresentative().aggregate(models, models.sizes.max())[0]
    assert_array_equal(panel, subsets[expected])  # in the model's own order


def test_only_the_models_asked_for_count():
    models = FeatureModels([[0, 1], [0, 1], [0, 2], [5, 6], [5, 7], [5, 6]], 8)
    assert representative(models) == 0
    assert representative(models, among=np.array([2, 3, 4, 5])) == 3


def test_a_panel_is_never_larger_than_asked_for():
    models = FeatureModels([[3, 0, 2], [3, 0, 1], [0, 3, 2]], 5)
    assert MostRepresentative().aggregate(models, 2)[0].tolist() == [3, 0]
    with_seven = FeatureModels([[6, 5, 4], [6, 5, 4]], 8)
    assert MostRepresentative().aggregate(with_seven, 7)[0].tolist() == [6, 5, 4]


def test_the_largest_cluster_decides():
    models = FeatureModels(TWO_ANSWERS, 10)
    panel = LargestClusterMedoid().aggregate(models, 3)[0]
    assert panel.tolist() == [0, 1, 2]


def test_of_equal_clusters_the_denser_one_is_taken():
    loose, dense = [[0, 1, 2], [0, 1, 3], [0, 4, 2]], [[7, 8, 9], [7, 8, 9], [7, 8, 6]]
    for models in (loose + dense, dense + loose):
        panel = LargestClusterMedoid(max_clusters=2).aggregate(FeatureModels(models, 10), 3)[0]
        assert panel.tolist() == [7, 8, 9]


@pytest.mark.parametrize("models", [[[0, 1]], [[0, 1]] * 4, [[0, 1], [2, 3], [2, 3]]])
def test_without_three_distinct_models_it_is_the_most_representative(models):
    models = FeatureModels(models, 5)
    expected = MostRepresentative().aggregate(models, 2)
    assert_array_equal(LargestClusterMedoid().aggregate(models, 2), expected)


def test_weak_clusters_may_count_as_none():
    loose = FeatureModels([[2, 3], [5, 1], [2, 3], [4, 1], [2, 4], [1, 4], [2, 0]], 6)
    assert LargestClusterMedoid().aggregate(loose, 2)[0].tolist() == [2, 3]
    strict = LargestClusterMedoid(min_silhouette=0.5).aggregate(loose, 2)[0]
    assert strict.tolist() == [2, 4] == MostRepresentative().aggregate(loose, 2)[0].tolist()
    clear = FeatureModels(TWO_ANSWERS, 10)
    assert_array_equal(LargestClusterMedoid(min_silhouette=0.25).aggregate(clear, 3)[0], [0, 1, 2])


def test_one_cluster_at_most_is_the_most_representative():
    models = FeatureModels(TWO_ANSWERS, 10)
    assert_array_equal(
        LargestClusterMedoid(max_clusters=1).aggregate(models, 3),
        MostRepresentative().aggregate(models, 3),
    )


@given(subsets, st.integers(1, 4))
def test_all_medoids_are_distinct_models(subsets, n_panels):
    models = FeatureModels(subsets, 7)
    n_distinct = len({frozenset(s) for s in subsets})
    if n_distinct < n_panels:
        with pytest.warns(ConsilienceWarning, match=f"there are {n_distinct} distinct models"):
            panels = AllMedoids(n_panels).aggregate(models, 7)
    else:
        panels = AllMedoids(n_panels).aggregate(models, 7)
    found = [tuple(panel) for panel in panels]
    assert len({frozenset(panel) for panel in found}) == min(n_panels, n_distinct)
    assert set(found) <= {tuple(s) for s in subsets}
    if n_panels > 1:
        distances = [[naive.jaccard_distance(a, b) for b in subsets] for a in subsets]
        medoids = [[tuple(s) for s in subsets].index(panel) for panel in found]
        assert naive.no_swap_helps(distances, medoids)


def test_the_panel_of_the_largest_cluster_comes_first():
    panels = AllMedoids(n_panels=2).aggregate(FeatureModels(TWO_ANSWERS, 10), 3)
    assert [panel.tolist() for panel in panels] == [[0, 1, 2], [7, 8, 9]]


def test_models_that_are_all_panels_come_in_the_order_of_their_copies():
    models = FeatureModels([[5], [1, 2], [3], [1, 2], [3], [3]], 6)
    with pytest.warns(ConsilienceWarning, match="10 panels were asked for"):
        panels = AllMedoids().aggregate(models, 2)
    assert [panel.tolist() for panel in panels] == [[3], [1, 2], [5]]


def test_one_panel_is_the_most_representative():
    models = FeatureModels(TWO_ANSWERS, 10)
    assert_array_equal(
        AllMedoids(1).aggregate(models, 3), MostRepresentative().aggregate(models, 3)
    )


@pytest.mark.parametrize("wanted", [0, -1, 2.5, True, "3", None])
def test_a_number_of_panels_that_cannot_be_is_refused(wanted):
    with pytest.raises(UsageError, match=r"n_panels is .*; give a whole number"):
        AllMedoids(n_panels=wanted).aggregate(FeatureModels([[0]], 2), 1)


def test_bad_limits_of_clusters_are_refused():
    models = FeatureModels(TWO_ANSWERS, 10)
    with pytest.raises(UsageError, match="max_clusters is 0"):
        LargestClusterMedoid(max_clusters=0).aggregate(models, 3)
    for bad in (2, "high", np.nan):
        with pytest.raises(UsageError, match="min_silhouette is"):
            LargestClusterMedoid(min_silhouette=bad).aggregate(models, 3)
