"""Thresholds of the vote, and figures of votes on rows not seen."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from sklearn.metrics import average_precision_score, balanced_accuracy_score, f1_score

import naive_qifs
from consilience.committee.query_threshold import (
    best_threshold,
    check_threshold,
    judge,
    rarer_class,
)
from consilience.exceptions import UsageError

shares_and_truth = st.lists(st.tuples(st.integers(0, 5), st.booleans()), min_size=2, max_size=15)
FIGURES = {"f1": f1_score, "balanced_accuracy": balanced_accuracy_score}


@pytest.mark.parametrize("criterion", FIGURES)
@given(shares_and_truth, st.integers(0, 99))
def test_no_threshold_is_better(criterion, pairs, seed):
    shares = np.array([share / 5 for share, _ in pairs])
    positive = np.array([truth for _, truth in pairs])
    assume(0 < positive.sum() < positive.size)
    drawn = np.random.default_rng(seed).integers(1, 4, shares.size)
    for weights in (None, drawn):
        threshold = best_threshold(shares, positive, criterion, weights)
        assert 0 < threshold <= 1
        listed = None if weights is None else weights.tolist()
        truth = positive.tolist()
        best = naive_qifs.best_threshold_figure(shares.tolist(), truth, criterion, listed)
        reached = FIGURES[criterion](positive, shares >= threshold, sample_weight=weights)
        assert_allclose(reached, best)


def test_a_threshold_that_cannot_be_had_does_not_hide_the_best_that_can():
    # To call all positive would be best, but no share above 0 does so where some rows have none.
    shares, positive = np.array([0.9, 0.5, 0, 0, 0]), np.array([1, 0, 1, 1, 1], dtype=bool)
    assert_allclose(best_threshold(shares, positive, "f1"), 0.7)


@given(st.lists(st.tuples(st.integers(0, 4), st.booleans()), min_size=2, max_size=15))
def test_figures_are_those_of_scikit_learn(pairs):
    y = np.array([int(truth) for _, truth in pairs])
    assume(0 < y.sum() < y.size)
    votes = np.array([[4 - own, own] for own, _ in pairs])
    priors = np.bincount(y) / y.size
    rarer = rarer_class(priors)
    found = judge(votes, y, np.ones(y.size, dtype=bool))
    predicted = naive_qifs.majority(
        [[int(k < own) for own, _ in pairs] for k in range(4)], 2, priors
    )
    assert_allclose(found["accuracy"], np.mean(np.array(predicted) == y))
    assert_allclose(found["balanced_accuracy"], balanced_accuracy_score(y, predicted))
    assert_allclose(
        found["average_precision"], average_precision_score(y == rarer, votes[:, rarer])
    )


def test_rows_that_are_not_judged_do_not_count():
    votes, y = np.array([[2, 0], [0, 2], [2, 0]]), np.array([0, 1, 1])
    assert judge(votes, y, np.array([True, True, False]))["accuracy"] == 1.0
    assert judge(votes, y, np.array([True, False, False])) == {"accuracy": 1.0}


def test_several_classes_are_judged_by_the_mean():
    votes, y = np.eye(3, dtype=int) * 4, np.arange(3)
    every = np.ones(3, dtype=bool)
    assert judge(votes, y, every) == {
        "accuracy": 1.0, "balanced_accuracy": 1.0, "average_precision": 1.0,
    }  # fmt: skip


def test_the_rarer_class():
    assert rarer_class([0.1, 0.9]) == 0
    assert rarer_class([0.9, 0.1]) == 1
    assert rarer_class([0.5, 0.5]) == 1


@pytest.mark.parametrize("threshold", [0, -1, 1.5, "f2", True, [0.5]])
def test_what_is_no_threshold_is_refused(threshold):
    with pytest.raises(UsageError, match="threshold is "):
        check_threshold(threshold, 2)


def test_thresholds_are_for_two_classes():
    with pytest.raises(UsageError, match=r"threshold is 0\.3 and there are 3 classes"):
        check_threshold(0.3, 3)
    check_threshold(None, 3)
