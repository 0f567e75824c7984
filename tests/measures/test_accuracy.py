import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest
from sklearn.metrics import balanced_accuracy_score, roc_auc_score

from consilience.exceptions import DataError
from consilience.measures import accuracy


@given(st.integers(1, 60).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_agrees_with_scipy(counts):
    expected = binomtest(*counts).proportion_ci(method="wilson")
    assert accuracy.wilson(*counts) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_the_error_rate_counts_wrong_rows():
    found = accuracy.error_rate(np.arange(20) < 3)
    assert found.value == 0.15
    assert (found.low, found.high) == pytest.approx(np.array(accuracy.wilson(3, 20)))


labels = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=30)


@given(labels)
def test_balanced_accuracy_agrees_with_scikit_learn(pairs):
    y, predicted = np.array(pairs).T
    # Classes that occur only among the predictions have no recall.
    predicted = np.where(np.isin(predicted, y), predicted, y.min())
    found = accuracy.balanced_accuracy(y, predicted)
    expected = balanced_accuracy_score(y, predicted) if np.ptp(y) else (y == predicted).mean()
    assert found.value == pytest.approx(expected)
    assert 0 <= found.low <= found.value <= found.high <= 1
    assert found.low < found.high


def test_one_class_makes_balanced_accuracy_a_plain_proportion():
    found = accuracy.balanced_accuracy(np.zeros(9, int), np.arange(9) // 7)
    assert (found.low, found.high) == pytest.approx(np.array(accuracy.wilson(7, 9)))


@given(st.integers(0, 1000), st.sampled_from([2, 3, 4]))
def test_auc_agrees_with_scikit_learn_fold_by_fold(seed, n_classes):
    rng = np.random.default_rng(seed)
    y = np.tile(np.arange(n_classes), 12)
    folds = np.repeat([0, 1, 2], y.size // 3)
    scores = rng.integers(0, 4, size=(y.size, n_classes)).astype(float)  # with ties
    expected = []
    for fold in range(3):
        rows = folds == fold
        judged = range(n_classes) if n_classes > 2 else (1,)
        expected += [roc_auc_score(y[rows] == label, scores[rows, label]) for label in judged]
    found = accuracy.mean_auc(y, scores, folds)
    assert found.value == pytest.approx(np.mean(expected))
    assert 0 <= found.low < found.value < found.high <= 1


def test_a_perfect_or_hopeless_auc_keeps_an_interval():
    y, folds = np.tile([0, 1], 20), np.repeat(np.arange(4), 10)
    perfect = accuracy.mean_auc(y, np.c_[-y, y], folds)
    assert (perfect.value, perfect.high) == (1, 1)
    assert 0.8 < perfect.low < 1
    hopeless = accuracy.mean_auc(y, np.c_[y, -y], folds)
    assert (hopeless.value, hopeless.low) == (0, 0)
    assert hopeless.high == pytest.approx(1 - perfect.low)
    constant = accuracy.mean_auc(y, np.zeros((40, 2)), folds)
    assert constant.value == 0.5
    assert constant.low == pytest.approx(1 - constant.high)


def test_auc_intervals_cover_the_truth():
    rng = np.random.default_rng(0)
    y, folds = np.tile([0, 1], 40), np.repeat(np.arange(10), 8)
    inside = 0
    for _ in range(300):
        score = y + rng.normal(size=y.size)  # two normals one deviation apart: area 0.760
        found = accuracy.mean_auc(y, np.c_[-score, score], folds)
        inside += found.low <= 0.7602 <= found.high
    assert 0.92 <= inside / 300 <= 0.99


def test_auc_is_unknown_when_a_fold_lacks_a_class_or_a_score():
    y, scores = np.array([0, 1, 0, 0]), np.zeros((4, 2))
    assert accuracy.mean_auc(y, scores, [0, 0, 1, 1]) is None
    scores[0] = np.nan
    assert accuracy.mean_auc([0, 1, 0, 1], scores, [0, 0, 1, 1]) is None


def test_a_paired_difference_is_between_its_limits_and_changes_sign():
    rng = np.random.default_rng(0)
    for _ in range(50):
        a, b = rng.random((2, 30)) < rng.random()
        found, turned = accuracy.error_difference(a, b), accuracy.error_difference(b, a)
        assert found.value == pytest.approx(a.mean() - b.mean())
        assert -1 <= found.low <= found.value <= found.high <= 1
        assert (turned.low, turned.high) == pytest.approx((-found.high, -found.low))
    same = accuracy.error_difference(a, a)
    assert same.value == 0
    assert same.low < 0 < same.high


def test_a_paired_difference_needs_the_same_rows():
    with pytest.raises(DataError, match="3 and 2"):
        accuracy.error_difference([True, True, False], [True, False])
