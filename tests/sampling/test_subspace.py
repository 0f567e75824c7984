import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from scipy.stats import chisquare

from consilience.exceptions import UsageError
from consilience.sampling.subspace import (
    HITS,
    SubspacePlan,
    coverage,
    draw_subspaces,
    enough_subspaces,
    plan_subspaces,
    reaching_subspaces,
)


def seed(number=0):
    return np.random.SeedSequence(number)


@pytest.mark.parametrize(("m", "L", "expected", "missed"), [
    (10, 10000, 1.0000, 0), (50, 500, 0.9899, 55), (500, 100, 0.9999, None),
    (1000, 20, 0.9824, None), (1000, 10, 0.8673, 726), (20, 2500, 0.9999, None),
    (2500, 20, 1.0000, None),
])  # fmt: skip
def test_the_coverage_of_the_pairs_in_the_paper(m, L, expected, missed):
    assert round(coverage(5469, m, L), 4) == expected
    plan = plan_subspaces(5469, m, L)
    assert plan.coverage == coverage(5469, m, L)
    assert plan.expected_hits == L * m / 5469
    if missed is not None:
        assert round(plan.expected_uncovered) == missed


def test_all_features_at_once_cover_all():
    assert coverage(30, 30, 1) == 1
    assert enough_subspaces(30, 30, 0.999) == 1


@given(st.integers(2, 6), st.integers(1, 4), st.integers(1, 3))
def test_the_coverage_is_the_share_of_all_draws(n, m, L):
    m = min(m, n)
    subsets = list(itertools.combinations(range(n), m))
    draws = list(itertools.product(subsets, repeat=L))
    share = np.mean([any(0 in subset for subset in draw) for draw in draws])
    assert coverage(n, m, L) == pytest.approx(share)


@given(
    st.integers(2, 3000),
    st.data(),
    st.sampled_from([0.5, 0.9, 0.99, 0.999, 1 - 1e-9]),
    st.sampled_from(["random", "partition"]),
)
def test_one_subspace_fewer_would_not_do(n, data, target, sampling):
    m = data.draw(st.integers(1, n))
    found = enough_subspaces(n, m, target, sampling)
    assert coverage(n, m, found, sampling) >= target
    assert found == 1 or coverage(n, m, found - 1, sampling) < target
    assert -1 < found - reaching_subspaces(n, m, target, sampling) < 1 + 1e-6


def test_dealt_subspaces_cover_all_as_soon_as_they_hold_as_many():
    needed = [enough_subspaces(100, 10, target, "partition") for target in (0.9, 0.99, 0.999)]
    assert needed == [9, 10, 10]
    plan = plan_subspaces(100, 10, 10, sampling="partition")
    assert plan.coverage == 1
    assert np.unique(draw_subspaces(plan, seed(), "partition")).size == 100


@given(st.integers(1, 20_000), st.sampled_from(["random", "partition"]))
def test_a_free_plan_covers_and_hits_every_feature_often(n, sampling):
    plan = plan_subspaces(n, sampling=sampling)
    assert plan.subspace_size == min(-(-n // 2), max(10, round(np.sqrt(n))))
    assert plan.coverage >= 0.999
    assert HITS <= plan.expected_hits < HITS + plan.subspace_size / n + 1


@given(st.integers(1, 20_000), st.integers(1, 500), st.sampled_from(["random", "partition"]))
def test_a_given_number_of_subspaces_finds_the_size_that_covers(n, L, sampling):
    plan = plan_subspaces(n, n_subspaces=L, sampling=sampling)
    assert plan.n_subspaces == L
    assert plan.coverage >= 0.999 - 1e-9
    least = min(-(-n // 2), max(10, round(np.sqrt(n))))
    fewer = coverage(n, plan.subspace_size - 1, L, sampling) if plan.subspace_size > 1 else 0
    assert plan.subspace_size == least or fewer < 0.999


def test_a_given_size_finds_the_number():
    assert plan_subspaces(5469, 50).n_subspaces == 3282  # 30 hits need more than coverage
    assert plan_subspaces(5469, 50, target=1 - 1e-15).n_subspaces > 3282
    assert plan_subspaces(5469, 50, 2).n_subspaces == 2  # as given


@given(st.integers(1, 40), st.data())
def test_subspaces_hold_different_features(n, data):
    m, L = data.draw(st.integers(1, n)), data.draw(st.integers(1, 150))
    plan = SubspacePlan(n, m, L, 1.0)
    for sampling in ("random", "partition"):
        found = draw_subspaces(plan, seed(n), sampling)
        assert found.shape == (L, m)
        assert found.dtype == np.int32
        assert found.min() >= 0
        assert found.max() < n
        assert (np.diff(found, axis=1) > 0).all()
        hits = np.bincount(found.ravel(), minlength=n)
        if sampling == "partition":
            assert hits.min() == L * m // n
            assert hits.max() == -(-L * m // n)


def test_all_subsets_are_equally_likely():
    found = draw_subspaces(SubspacePlan(6, 3, 6000, 1.0), seed())
    _, counts = np.unique(found, axis=0, return_counts=True)
    assert counts.size == 20
    assert chisquare(counts).pvalue > 1e-4


def test_dealt_pairs_are_about_equally_likely():
    found = draw_subspaces(SubspacePlan(7, 3, 7000, 1.0), seed(), "partition")
    together = np.zeros((7, 7))
    for a, b in itertools.permutations(range(3), 2):
        np.add.at(together, (found[:, a], found[:, b]), 1)
    pairs = together[np.triu_indices(7, 1)]
    assert pairs.max() / pairs.min() < 1.2


def test_more_subspaces_begin_with_the_same_ones():
    few = draw_subspaces(SubspacePlan(50, 5, 100, 1.0), seed())
    many = draw_subspaces(SubspacePlan(50, 5, 300, 1.0), seed())
    assert_array_equal(many[:64], few[:64])
    assert_array_equal(many[64:100], few[64:])


def test_another_seed_gives_other_subspaces():
    plan = SubspacePlan(50, 5, 10, 1.0)
    for sampling in ("random", "partition"):
        first, again, other = (draw_subspaces(plan, seed(s), sampling) for s in (0, 0, 1))
        assert_array_equal(first, again)
        assert (first != other).any()


@pytest.mark.parametrize(("options", "message"), [
    ({"subspace_size": 0}, "subspace_size is 0; give a whole number"),
    ({"subspace_size": 2.5}, "subspace_size is 2.5"),
    ({"subspace_size": True}, "subspace_size is True"),
    ({"n_subspaces": 0}, "n_subspaces is 0; give a whole number, 1 or more, or None"),
    ({"subspace_size": 21}, "subspace_size is 21 and there are 20 features .* up to 20"),
    ({"target": 1.0}, "coverage is 1.0; give a number between 0 and 1"),
    ({"target": "all"}, "coverage is 'all'"),
    ({"sampling": "grid"}, "sampling is 'grid'; choose 'random' or 'partition'"),
])  # fmt: skip
def test_plans_that_make_no_sense_are_refused(options, message):
    with pytest.raises(UsageError, match=message):
        plan_subspaces(20, **options)
