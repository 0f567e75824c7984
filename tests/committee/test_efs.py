"""Efs: Markov blanket filtering of random halves of the features."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from consilience import EFSClassifier, InformationGain, MarkovBlanket
from consilience.exceptions import UsageError

RNG = np.random.default_rng(0)
Y = np.arange(120) % 2
X = (RNG.random((120, 300)) < 0.2 + 0.4 * Y[:, None] * (np.arange(300) < 30)).astype(np.uint8)
TRAIN, TEST = np.arange(120) < 80, np.arange(120) >= 80


def efs(estimator="nb", **options):
    defaults = {"n_rounds": 4, "n_features": 20, "n_candidates": 50, "random_state": 0}
    return EFSClassifier(estimator, **defaults | options)


def test_each_round_filters_its_own_half():
    committee = efs().fit(X, Y)
    gains = InformationGain(5, discretize=None).fit(X, Y).scores_
    assert_allclose(committee.gains_, gains, atol=1e-12)
    for subset in committee.subsets_:
        assert np.unique(subset).size == 20
        # From half of the features: with all of them others would be among the best 50.
        assert set(subset) <= set(np.argsort(-gains)[: 50 * 3])
    assert len({tuple(sorted(subset)) for subset in committee.subsets_}) == 4


def test_with_all_features_a_round_is_the_selector():
    committee = efs(share=1.0, n_rounds=2).fit(X, Y)
    expected = MarkovBlanket(20, n_candidates=50, random_state=0).fit(X, Y)
    for subset in committee.subsets_:
        assert set(subset) == set(np.flatnonzero(expected.support_))


def test_a_round_is_the_selector_on_its_half():
    # The features that a round may take are those of its half: with 10 features and as many
    # candidates as there are, what is left out is what was not drawn.
    committee = efs(n_rounds=30, n_features=5, n_candidates=5).fit(X[:, :10], Y)
    assert all(subset.size == 5 for subset in committee.subsets_)
    drawn = [tuple(sorted(subset)) for subset in committee.subsets_]
    assert len(set(drawn)) > 15
    counts = committee.selection_counts_
    assert (abs(counts - 15) < 12).all()
    for own in set(drawn):
        part = MarkovBlanket(5, n_candidates=5, random_state=0).fit(X[:, own], Y)
        assert_array_equal(part.support_, True)


def test_larger_blankets_are_those_of_the_selector():
    committee = efs(share=1.0, n_rounds=1, blanket_size=2).fit(X, Y)
    expected = MarkovBlanket(20, n_candidates=50, blanket_size=2, random_state=0).fit(X, Y)
    assert set(committee.subsets_[0]) == set(np.flatnonzero(expected.support_))


def test_it_predicts_rows_that_it_has_not_seen():
    committee = efs("svm", n_rounds=9).fit(X[TRAIN], Y[TRAIN])
    assert committee.score(X[TEST], Y[TEST]) > 0.85
    assert len(committee.subsets_) == committee.n_rounds_ == 9


def test_more_features_than_candidates_are_taken_all_the_same():
    committee = efs(n_candidates=5, n_features=40, n_rounds=1).fit(X, Y)
    assert committee.subsets_[0].size == 40


def test_constant_features_are_left_out():
    cells = np.hstack([X[:, :4], np.ones((120, 30), np.uint8)])
    committee = efs(n_features=10, n_rounds=8).fit(cells, Y)
    assert all(subset.max() < 4 or subset.size == 1 for subset in committee.subsets_)
    assert (
        not efs(n_features=3, n_rounds=2)
        .fit(np.ones((9, 5)), [0] * 6 + [1] * 3)
        .predict(np.ones((2, 5)))
        .any()
    )


@pytest.mark.parametrize(("options", "said"), [
    ({"share": 0}, "share is 0; give the part of the features"),
    ({"share": 1.5}, "share is 1.5;"),
    ({"n_candidates": 0}, "n_candidates is 0; give a whole number, 1 or more"),
    ({"blanket_size": 0}, "blanket_size is 0; give a whole number, 1 or more"),
    ({"n_rounds": 0}, "n_rounds is 0; give a whole number, 1 or more"),
    ({"n_features": 301}, "n_features is 301 and the data have 300"),
    ({"threshold": "f1"}, "threshold is 'f1'; give None or a share of the votes"),
])  # fmt: skip
def test_what_cannot_be_is_refused_in_a_sentence(options, said):
    with pytest.raises(UsageError) as caught:
        efs(**options).fit(X, Y)
    assert said in str(caught.value)
    assert str(caught.value).endswith(".")
