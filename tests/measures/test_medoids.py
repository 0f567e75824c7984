"""Clusters around medoids: twins, FasterPAM, scikit-learn's silhouette and the rules for ties."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.metrics import silhouette_samples

import naive_medoids as naive
from consilience.exceptions import DataError, UsageError
from consilience.measures.medoids import (
    best_clustering,
    count_distinct,
    jaccard_distances,
    k_medoids,
    medoid,
    silhouette,
)
from consilience.models import FeatureModels

sets = st.lists(st.sets(st.integers(0, 6)), min_size=1, max_size=7)


@st.composite
def whole_distances(draw, least=1):
    """Symmetric tables of few whole numbers: many ties, and sums without rounding."""
    n = draw(st.integers(least, 8))
    table = draw(arrays(np.float64, (n, n), elements=st.integers(0, 4)))
    table = np.triu(table, 1)
    return table + table.T


def grouped_models(n_models=90, n_groups=5, seed=0):
    """Models of groups: most features of each are from the core of its group."""
    rng = np.random.default_rng(seed)
    cores = [rng.choice(400, 20, replace=False) for _ in range(n_groups)]
    picked = [
        np.union1d(rng.choice(cores[i % n_groups], 11, replace=False), rng.choice(400, 5))
        for i in range(n_models)
    ]
    return FeatureModels(picked, 400)


@given(sets)
def test_distances_are_those_of_the_definition(subsets):
    members = np.array([[j in s for j in range(7)] for s in subsets])
    expected = [[naive.jaccard_distance(a, b) for b in subsets] for a in subsets]
    for kind in (np.array, sparse.csr_array, sparse.csc_matrix):
        assert_allclose(jaccard_distances(kind(members)), expected, atol=1e-15)
    if all(subsets):
        models = FeatureModels([sorted(s, reverse=True) for s in subsets], 7)
        assert_array_equal(jaccard_distances(models), jaccard_distances(members))


def test_equal_sets_are_at_no_distance_to_the_last_bit():
    models = FeatureModels([[2, 0, 1], [1, 2, 0], [3, 4, 5]], 9)
    distances = jaccard_distances(models)
    assert distances[0, 1] == 0.0
    assert distances[0, 2] == 1.0


@given(whole_distances(), st.data())
def test_clusters_are_those_of_the_twin(distances, data):
    k = data.draw(st.integers(1, len(distances)))
    found = k_medoids(distances, k)
    expected = naive.k_medoids(distances.tolist(), k)
    assert set(found.medoids.tolist()) == set(expected)
    assert found.loss == naive.loss(distances.tolist(), expected)


@given(arrays(np.float64, (9, 2), elements=st.floats(0, 1, width=32)), st.integers(1, 9))
def test_no_swap_lowers_the_loss_any_more(points, k):
    distances = np.abs(points[:, None] - points).sum(axis=2)
    found = k_medoids(distances, k)
    assert naive.no_swap_helps(distances.tolist(), found.medoids.tolist())
    assert_allclose(found.loss, distances[np.arange(9), found.medoids[found.labels]].sum())


@pytest.mark.parametrize("tiny", [1e-300, 1e-30, 1e-14])
def test_swaps_end_where_they_gain_but_rounding(tiny):
    # Sums over distances of 1/3 round far above the distances within a cluster.
    points = np.repeat([0.0, 1 / 3, 0.7], 5)
    distances = np.abs(points[:, None] - points)
    jitter = tiny * np.random.default_rng(0).random(distances.shape)
    distances += np.triu(jitter, 1) + np.triu(jitter, 1).T
    for k in range(2, 15):
        assert np.isfinite(k_medoids(distances, k).loss)


@given(whole_distances(), st.data())
def test_clusters_are_never_empty_and_the_largest_comes_first(distances, data):
    found = k_medoids(distances, data.draw(st.integers(1, len(distances))))
    sizes = np.bincount(found.labels, minlength=found.medoids.size)
    assert (sizes > 0).all()
    assert (np.diff(sizes) <= 0).all()
    assert_array_equal(found.labels[found.medoids], np.arange(found.medoids.size))
    to_medoid = distances[np.arange(len(distances)), found.medoids[found.labels]]
    assert_array_equal(to_medoid, distances[:, found.medoids].min(axis=1))
    means = np.bincount(found.labels, to_medoid) / sizes
    assert (np.diff(means)[np.diff(sizes) == 0] >= 0).all()


# kmedoids 0.5.5 on these models: fasterpam(init="build") of any seed, and pam(init="build").
FASTERPAM_LOSS = {
    2: 75.91514185016457, 3: 70.5854424539115, 5: 60.82103504386111, 8: 56.9726611150524,
    10: 54.84230870578695, 13: 52.01894750177356,
}  # fmt: skip


def test_the_loss_is_that_of_fasterpam():
    distances = jaccard_distances(grouped_models())
    for k, expected in FASTERPAM_LOSS.items():
        assert_allclose(k_medoids(distances, k).loss, expected, rtol=1e-9)


def test_the_loss_is_that_of_the_installed_fasterpam():
    peer = pytest.importorskip("kmedoids", reason="kmedoids, an oracle, is not installed")
    for seed in range(3):
        distances = jaccard_distances(grouped_models(seed=seed))
        for k in (2, 3, 5, 8, 13):
            # The order of its swaps is random, and it ends in one local optimum or another.
            losses = [
                peer.fasterpam(distances, k, init="build", random_state=s).loss for s in range(5)
            ]
            found = k_medoids(distances, k).loss
            assert found <= max(losses) * (1 + 1e-9)
            assert found <= min(losses) * 1.005


@given(whole_distances(least=3), st.data())
def test_the_silhouette_is_that_of_the_twin(distances, data):
    labels = data.draw(arrays(np.int64, len(distances), elements=st.integers(0, 3)))
    assert_allclose(silhouette(distances, labels), naive.silhouette(distances, labels), atol=1e-12)


def test_the_silhouette_is_that_of_scikit_learn():
    distances = jaccard_distances(grouped_models())
    for k in (2, 5, 11):
        labels = k_medoids(distances, k).labels
        expected = silhouette_samples(distances, labels, metric="precomputed")
        assert_allclose(silhouette(distances, labels), expected, atol=1e-12)


def test_the_groups_are_found_and_counted():
    found = best_clustering(jaccard_distances(grouped_models()))
    assert found.medoids.size == 5
    groups = np.arange(90) % 5
    assert len({(int(a), int(b)) for a, b in zip(groups, found.labels, strict=True)}) == 5


@given(whole_distances(), st.integers(1, 6))
def test_the_number_of_clusters_has_the_best_mean_silhouette(distances, most):
    found = best_clustering(distances, most)
    most = min(most, count_distinct(distances) - 1)
    if most < 2:
        assert found.medoids.size == 1
        assert found.loss == distances.sum(axis=1).min()
        return
    means = [np.mean(silhouette(distances, k_medoids(distances, k).labels))
             for k in range(2, most + 1)]  # fmt: skip
    # The first of equals: the smaller number.
    assert found.medoids.size == 2 + np.flatnonzero(np.isclose(means, max(means)))[0]
    assert_allclose(found.silhouette, max(means))


def test_of_equal_totals_the_medoid_is_the_preferred_one_then_the_first():
    distances = 1.0 - np.eye(4)
    assert medoid(distances) == 0
    assert medoid(distances, [1, 3, 3, 2]) == 1
    distances[2, :] = distances[:, 2] = [0.9, 0.9, 0.0, 0.9]
    assert medoid(distances, [1, 3, 0, 2]) == 2


def test_sums_that_differ_by_rounding_alone_are_equal():
    a, b, c = 0.1, 0.2, 0.3  # (a + b) + c and a + (b + c) differ in the last bit
    distances = np.array([[0, a, b, c], [a, 0, c, b], [b, c, 0, a], [c, b, a, 0]])
    assert len(set(distances.sum(axis=1))) > 1
    assert medoid(distances, [0, 0, 0, 1]) == 3


def test_one_point_and_equal_points():
    one = best_clustering([[0.0]])
    assert (one.medoids.tolist(), one.labels.tolist(), one.silhouette) == ([0], [0], 0.0)
    equal = best_clustering(np.zeros((4, 4)))
    assert equal.medoids.tolist() == [0]
    assert k_medoids(np.zeros((4, 4)), 3).labels.tolist() == [0, 1, 2, 0]


def test_bad_requests_get_a_sentence():
    with pytest.raises(UsageError, match="k is 3, but there are 2 points; ask for at most 2"):
        k_medoids(np.zeros((2, 2)), 3)
    with pytest.raises(UsageError, match="k is 0"):
        k_medoids(np.zeros((2, 2)), 0)
    with pytest.raises(UsageError, match=r"max_clusters is 2\.5"):
        best_clustering(np.zeros((2, 2)), 2.5)
    with pytest.raises(DataError, match=r"shape \(2, 3\)"):
        k_medoids(np.zeros((2, 3)), 1)
    with pytest.raises(DataError, match="3 labels for 2 points"):
        silhouette(np.zeros((2, 2)), [0, 1, 1])
