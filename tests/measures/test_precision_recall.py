import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics

import naive_protocol
from consilience.exceptions import DataError, UsageError
from consilience.measures import precision_recall as pr

# Few values: many ties; at least one positive row.
rows = st.lists(st.tuples(st.booleans(), st.integers(0, 4)), min_size=1, max_size=25)
scored = rows.map(lambda pairs: [*pairs, (True, 2)])


def parts(pairs):
    positive, scores = zip(*pairs, strict=True)
    return np.array(positive), np.array(scores) / 4


@given(scored)
def test_the_curve_agrees_with_scikit_learn(pairs):
    positive, scores = parts(pairs)
    curve = pr.precision_recall_curve(positive, scores)
    precision, recall, thresholds = metrics.precision_recall_curve(positive, scores)
    np.testing.assert_allclose(curve.precision[::-1], precision[:-1])
    np.testing.assert_allclose(curve.recall[::-1], recall[:-1])
    np.testing.assert_array_equal(curve.thresholds[::-1], thresholds)


@given(scored)
def test_average_precision_agrees_with_scikit_learn(pairs):
    positive, scores = parts(pairs)
    found = pr.average_precision(positive, scores)
    assert found.value == pytest.approx(metrics.average_precision_score(positive, scores))
    assert 0 <= found.low <= found.value <= found.high <= 1
    assert found.low < found.high


@given(scored, st.integers(1, 12))
def test_precision_at_a_recall_agrees_with_the_walk_down_the_thresholds(pairs, twelfths):
    positive, scores = parts(pairs)
    expected = naive_protocol.precision_at_recall(positive, scores, twelfths / 12)
    found = pr.precision_at_recall(positive, scores, twelfths / 12)
    assert found == pytest.approx(expected, abs=1e-9)


@given(scored)
def test_at_the_recall_of_a_threshold_it_is_the_best_precision_there(pairs):
    curve = pr.precision_recall_curve(*parts(pairs))
    for recall in np.unique(curve.recall[curve.recall > 0]):
        best = curve.precision[curve.recall == recall].max()
        assert curve.precision_at(recall) == pytest.approx(best)


def test_between_thresholds_it_is_what_taking_rows_at_random_gives():
    positive = np.array([True] + [False, True, True] * 20 + [False] * 30)
    scores = np.array([0.9] + [0.5] * 60 + [0.1] * 30)
    order = np.argsort(-scores, kind="stable")
    rng = np.random.default_rng(0)
    found = []
    for _ in range(2000):
        mixed = order.copy()
        mixed[1:61] = rng.permutation(mixed[1:61])
        hits = np.cumsum(positive[mixed])
        end = np.flatnonzero(hits == 21)[0]  # as many hits as the recall asks for
        found.append(end + 1)
    expected = 21 / np.mean(found)
    assert pr.precision_at_recall(positive, scores, 21 / 41) == pytest.approx(expected, abs=0.01)


def test_average_precision_is_averaged_over_the_folds():
    rng = np.random.default_rng(1)
    positive, scores = rng.random(60) < 0.4, rng.integers(0, 5, 60)
    folds = np.arange(60) % 3
    expected = [
        metrics.average_precision_score(positive[folds == k], scores[folds == k]) for k in range(3)
    ]
    found = pr.mean_average_precision(positive, scores, folds)
    assert found.value == pytest.approx(np.mean(expected))


def test_a_fold_without_a_positive_row_leaves_the_average_open():
    assert pr.mean_average_precision([1, 0, 0], [3, 2, 1], [0, 0, 1]) is None
    assert pr.mean_average_precision([1, 0, 1], [3, np.nan, 1], [0, 0, 1]) is None


@given(scored)
def test_plain_answers_agree_with_scikit_learn(pairs):
    positive, scores = parts(pairs)
    precision, recall = pr.precision_and_recall(positive, scores > 0.5)
    assert recall == pytest.approx(metrics.recall_score(positive, scores > 0.5))
    if (scores > 0.5).any():
        assert precision == pytest.approx(metrics.precision_score(positive, scores > 0.5))
    else:
        assert np.isnan(precision)


def test_nothing_found_has_no_precision():
    assert np.isnan(pr.precision_at_recall([True, False], [1, 0], 0.0))


@pytest.mark.parametrize(
    ("positive", "scores", "message"),
    [
        ([False, False], [0.1, 0.2], "None of the 2 rows is positive"),
        ([True, False], [0.1], "1 scores for 2 rows"),
        ([True, False], [0.1, np.nan], "1 of 2 scores are missing"),
    ],
)
def test_what_cannot_be_measured_is_told(positive, scores, message):
    with pytest.raises(DataError, match=message):
        pr.precision_recall_curve(positive, scores)


@pytest.mark.parametrize("recall", [-0.1, 1.1, np.nan])
def test_a_recall_lies_between_0_and_1(recall):
    with pytest.raises(UsageError, match="between 0 and 1"):
        pr.precision_at_recall([True, False], [1, 0], recall)
