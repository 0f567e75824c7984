"""Eifs: the features of largest information gain in random halves of all."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from consilience import EIFSClassifier, InformationGain
from consilience.exceptions import UsageError

RNG = np.random.default_rng(0)
Y = np.arange(120) % 3
SIGNAL = 0.4 * (Y[:, None] == np.arange(300) % 3) * (np.arange(300) < 30)
X = (RNG.random((120, 300)) < 0.2 + SIGNAL).astype(np.uint8)
TRAIN, TEST = np.arange(120) < 80, np.arange(120) >= 80


def eifs(estimator="nb", **options):
    defaults = {"n_rounds": 6, "n_features": 20, "random_state": 0}
    return EIFSClassifier(estimator, **defaults | options)


def test_with_all_features_a_round_takes_those_of_the_largest_gain():
    committee = eifs(share=1.0, n_rounds=2).fit(X, Y)
    gains = InformationGain(5, discretize=None).fit(X, Y).scores_
    for subset in committee.subsets_:
        assert_allclose(gains[subset], np.sort(gains)[::-1][:20], atol=1e-12)


def test_each_round_takes_the_best_of_its_own_half():
    committee = eifs(n_rounds=40).fit(X, Y)
    order = np.argsort(np.argsort(-committee.gains_, kind="stable"))
    for subset in committee.subsets_:
        # Half of the features are drawn: the 20th best of a half is about the 40th of all.
        assert 28 < order[subset].max() < 70
        assert (np.diff(committee.gains_[subset]) <= 1e-12).all()
    # The ten best features are in every second half.
    best = np.argsort(order)[:10]
    assert (abs(committee.selection_counts_[best] - 20) < 16).all()
    assert abs(committee.selection_counts_[best].mean() - 20) < 5


def test_it_predicts_rows_that_it_has_not_seen():
    committee = eifs("svm", n_rounds=12).fit(X[TRAIN], Y[TRAIN])
    assert committee.score(X[TEST], Y[TEST]) > 0.8


def test_the_number_of_drawn_features_is_a_share():
    committee = eifs(share=0.1, n_features=60, n_rounds=3).fit(X, Y)
    assert all(subset.size == 30 for subset in committee.subsets_)


def test_who_met_a_feature_is_known_also_after_a_warm_start():
    committee = eifs(share=0.1, n_features=60, n_rounds=3, warm_start=True).fit(X, Y)
    committee.set_params(n_rounds=5).fit(X, Y)
    # As many as a member may have are drawn, so that all that vary are taken.
    assert_array_equal(committee.draw_counts_, committee.selection_counts_)
    few = eifs(share=0.5, n_features=20, n_rounds=4).fit(X, Y)
    assert few.draw_counts_.sum() == 4 * round(0.5 * X.shape[1])
    assert (few.draw_counts_ >= few.selection_counts_).all()


def test_equal_features_are_taken_by_chance():
    cells = np.tile(X[:, :1], (1, 40))
    cells[:, 20:] = 1 - cells[:, 20:]  # the same gain in other columns
    committee = eifs(n_features=3, n_rounds=30).fit(cells, Y)
    sides = [tuple(subset >= 20) for subset in committee.subsets_]
    assert len(set(sides)) > 1


@pytest.mark.parametrize(("options", "said"), [
    ({"share": True}, "share is True; give the part of the features"),
    ({"threshold": 0.4}, "threshold is 0.4 and there are 3 classes"),
    ({"estimator": object()}, "estimator is <object object"),
])  # fmt: skip
def test_what_cannot_be_is_refused_in_a_sentence(options, said):
    with pytest.raises(UsageError) as caught:
        eifs(**options).fit(X, Y)
    assert said in str(caught.value)
