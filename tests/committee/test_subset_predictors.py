"""Naive Bayes is asked the fast way, others are fitted, and nobody is asked twice."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from consilience import DiscreteNB
from consilience.committee.general_subsets import GeneralSubsets, cross_predicted_general
from consilience.committee.subset_predictors import (
    CachedPredictor,
    make_cross_predicted,
    make_predictor,
)
from consilience.exceptions import UsageError
from consilience.learners import BayesSubsets, cross_predicted
from consilience.learners.subsets import SubsetPredictor

RNG = np.random.default_rng(0)
Y = RNG.integers(0, 3, 80)
X = RNG.normal(size=(80, 6)) + Y[:, None] * (np.arange(6) < 3)
X[:, 5] = RNG.integers(0, 15, 80)
NOMINAL = np.arange(6) == 5
MASKS = RNG.random((15, 6)) < 0.5
FIT, ASKED = np.arange(50), np.arange(50, 80)
FOLDS = np.arange(80) % 5


class Loud(DiscreteNB):
    """A subclass may do anything, so it is fitted."""


@pytest.mark.parametrize(
    ("estimator", "options"),
    [
        ("bayes", {"n_bins": 4}),
        (DiscreteNB(3, smoothing=0.5, prior="laplace"),
         {"n_bins": 3, "smoothing": 0.5, "prior": "laplace"}),
    ],
    ids=["by name", "by parameters"],
)  # fmt: skip
def test_naive_bayes_has_the_fast_way(estimator, options):
    made = make_predictor(estimator, X, Y, 3, FIT, ASKED, nominal=NOMINAL, n_bins=4, seed=0)
    assert isinstance(made, BayesSubsets)
    expected = BayesSubsets.of(X, Y, 3, FIT, ASKED, nominal=NOMINAL, **options).predict(MASKS)
    assert_array_equal(made.predict(MASKS), expected)
    crossed = make_cross_predicted(
        estimator, X, Y, 3, FOLDS, MASKS, nominal=NOMINAL, n_bins=4, seed=0
    )
    expected = cross_predicted(X, Y, 3, FOLDS, MASKS, nominal=NOMINAL, **options)
    assert_array_equal(crossed, expected)


@pytest.mark.parametrize("estimator", ["knn", "tree", Loud(4)], ids=str)
def test_others_are_fitted(estimator):
    options = {"nominal": NOMINAL, "scale": False, "seed": 5, "n_jobs": 2}
    made = make_predictor(estimator, X, Y, 3, FIT, ASKED, **options)
    assert isinstance(made.predictor, GeneralSubsets)
    expected = GeneralSubsets.of(estimator, X, Y, 3, FIT, ASKED, **options).predict(MASKS)
    assert_array_equal(made.predict(MASKS), expected)
    crossed = make_cross_predicted(estimator, X, Y, 3, FOLDS, MASKS[:3], **options)
    expected = cross_predicted_general(estimator, X, Y, 3, FOLDS, MASKS[:3], **options)
    assert_array_equal(crossed, expected)


def test_the_fitted_way_of_naive_bayes_agrees_with_the_fast_one():
    fitted = make_predictor(Loud(4), X, Y, 3, FIT, ASKED, nominal=NOMINAL, scale=False)
    fast = make_predictor("bayes", X, Y, 3, FIT, ASKED, nominal=NOMINAL, n_bins=4)
    assert_array_equal(fitted.predict(MASKS), fast.predict(MASKS))
    flips = np.arange(6)
    assert_array_equal(fitted.predict_flips(MASKS[0], flips), fast.predict_flips(MASKS[0], flips))


def test_nominal_columns_are_told_to_the_committee():
    with pytest.raises(UsageError, match="give categorical_features to the committee"):
        make_predictor(DiscreteNB(categorical_features=[5]), X, Y, 3, FIT, ASKED)
    with pytest.raises(UsageError, match="Unknown estimator 'bays'; known are"):
        make_predictor("bays", X, Y, 3, FIT, ASKED)


class Counting(SubsetPredictor):
    """Remembers what it was asked."""

    n_features, n_asked, n_classes = 6, 30, 3

    def __init__(self):
        self.asked = []

    def predict(self, masks):
        self.asked += [mask.tobytes() for mask in masks]
        return np.repeat(masks.sum(axis=1)[:, None], 30, axis=1).astype(np.int16)


def test_nobody_is_asked_twice():
    inner = Counting()
    cached = CachedPredictor(inner)
    assert (cached.n_features, cached.n_asked, cached.n_classes) == (6, 30, 3)
    both = np.vstack([MASKS, MASKS[::-1], MASKS[:4]])
    for masks in (MASKS[:5], both, MASKS[:0], both):
        found = cached.predict(masks)
        assert found.dtype == np.int16
        assert_array_equal(found, np.repeat(masks.sum(axis=1)[:, None], 30, axis=1))
    found[:] = 9  # the caller's own
    assert_array_equal(cached.predict(MASKS)[:, 0], MASKS.sum(axis=1))
    n_different = len(np.unique(MASKS, axis=0))
    assert len(inner.asked) == len(set(inner.asked)) == cached.n_computed == n_different
    assert cached.n_requested == 5 + 34 + 34 + 15
