"""Naive Bayes of many subsets says what one fitted to each says, to the last tie."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_array_equal
from scipy import sparse
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import CategoricalNB

from consilience import BitMatrix, DiscreteNB
from consilience.exceptions import DataError, UsageError
from consilience.learners import BayesSubsets, cross_predicted, subset_sums
from consilience.learners.subsets import SubsetPredictor, flipped
from naive_bayes_subsets import naive_cross_predicted, naive_predicted

cells = st.one_of(st.integers(0, 3).map(float), st.just(np.nan))


@st.composite
def tables(draw):
    """A table in which few values make many ties, options, and subsets; some classes absent."""
    n, p, n_classes = draw(st.integers(3, 14)), draw(st.integers(1, 6)), draw(st.integers(1, 4))
    X = draw(arrays(np.float64, (n, p), elements=cells))
    y = draw(arrays(np.int64, n, elements=st.integers(0, n_classes - 1)))
    masks = draw(arrays(np.bool_, (draw(st.integers(1, 5)), p)))
    options = {
        "nominal": draw(st.none() | arrays(np.bool_, p)),
        "n_bins": draw(st.integers(1, 4)),
        "smoothing": draw(st.sampled_from([1.0, 0.5, 2.0])),
        "prior": draw(st.sampled_from(["counts", "laplace"])),
    }
    return X, y, n_classes, masks, options


@given(tables(), st.data())
def test_it_is_the_slow_twin(table, data):
    X, y, n_classes, masks, options = table
    in_fit = data.draw(arrays(np.bool_, len(y)))
    in_fit[0], in_fit[-1] = True, False
    fit, asked = np.flatnonzero(in_fit), np.flatnonzero(~in_fit)
    expected = np.array([naive_predicted(X, y, n_classes, fit, asked, m, **options) for m in masks])
    ours = BayesSubsets.of(X, y, n_classes, fit, asked, **options)
    found = ours.predict(masks)
    assert found.dtype == np.int16
    assert_array_equal(found, expected)
    right = ours.correct(masks, y[asked])
    assert right.dtype == bool
    assert_array_equal(right, expected == y[asked])
    assert_array_equal(ours.accuracies(masks, y[asked]), right.mean(axis=1))
    flips = data.draw(arrays(np.int64, 4, elements=st.integers(0, X.shape[1] - 1)))
    turned = flipped(masks[0], flips)
    by_flips = [naive_predicted(X, y, n_classes, fit, asked, m, **options) for m in turned]
    before = masks[0].copy()
    assert_array_equal(ours.predict_flips(masks[0], flips), by_flips)
    assert_array_equal(ours.correct_flips(masks[0], flips, y[asked]), by_flips == y[asked])
    assert_array_equal(masks[0], before)


@given(tables(), st.data())
def test_folds_are_predicted_without_themselves(table, data):
    X, y, n_classes, masks, options = table
    folds = data.draw(arrays(np.int64, len(y), elements=st.integers(-1, 2)))
    folds[:2] = [0, 1]
    expected = [naive_cross_predicted(X, y, n_classes, folds, m, **options) for m in masks]
    assert_array_equal(cross_predicted(X, y, n_classes, folds, masks, **options), expected)


def wide(seed=0, n=260, p=70, n_classes=3):
    """Numbers, few values and categories with missing ones, of which a third tells the class."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, n_classes, n)
    X = rng.normal(size=(n, p))
    X[:, ::2] = rng.integers(0, 4, X[:, ::2].shape)
    X[:, ::3] += y[:, None]
    X[rng.random(X.shape) < 0.03] = np.nan
    masks = rng.random((25, p)) < rng.uniform(0.05, 0.9, (25, 1))
    return X, y, masks, np.arange(p) % 4 == 2


def test_it_is_a_fit_to_each_subset():
    X, y, masks, nominal = wide()
    fit, asked = np.arange(200), np.arange(200, 260)
    found = BayesSubsets.of(X, y, 3, fit, asked, nominal=nominal).predict(masks)
    for mask, own in zip(masks, found, strict=True):
        model = DiscreteNB(categorical_features=nominal[mask]).fit(X[fit][:, mask], y[fit])
        assert_array_equal(model.predict(X[asked][:, mask]), own)
    folds = np.arange(260) % 4
    crossed = cross_predicted(X, y, 3, folds, masks[:4], nominal=nominal)
    for mask, own in zip(masks, crossed, strict=False):
        for fold in range(4):
            model = DiscreteNB(categorical_features=nominal[mask])
            model.fit(X[folds != fold][:, mask], y[folds != fold])
            assert_array_equal(model.predict(X[folds == fold][:, mask]), own[folds == fold])


def test_it_is_the_categorical_model_of_scikit_learn():
    rng = np.random.default_rng(1)
    sizes = rng.integers(2, 9, 40)
    y = rng.integers(0, 4, 600)
    X = np.column_stack([(rng.integers(0, k, 600) + y * (j < 8)) % k for j, k in enumerate(sizes)])
    masks = rng.random((30, 40)) < 0.4
    ours = BayesSubsets.of(X, y, 4, np.arange(400), np.arange(400, 600))
    accuracies = ours.accuracies(masks, y[400:])
    for mask, found, accuracy in zip(masks, ours.predict(masks), accuracies, strict=True):
        model = CategoricalNB(min_categories=sizes[mask]).fit(X[:400][:, mask], y[:400])
        assert_array_equal(found, model.predict(X[400:][:, mask]))
        assert accuracy == model.score(X[400:][:, mask], y[400:])


@pytest.mark.parametrize("n_features", [64, 300])
def test_sums_of_many_features_that_cancel_are_ties(n_features):
    """Each feature has a mirror image for which the classes change places: rows of equal cells
    score equally for both classes, by sums of large numbers whose roundings differ."""
    rng = np.random.default_rng(2)
    half = rng.random((101, n_features // 2)) < rng.uniform(0.02, 0.98, n_features // 2)
    fit = np.vstack([np.hstack([half, ~half]), np.hstack([~half, half])])
    y = np.repeat([0, 1], 101)
    cells = rng.integers(0, 2, (40, n_features // 2))
    X = np.vstack([fit, np.hstack([cells, cells])]).astype(float)
    labels = np.append(y, np.ones(40, dtype=int))
    asked = np.arange(202, 242)
    pairs = rng.random((50, n_features // 2)) < 0.6
    tied, masks = np.hstack([pairs, pairs]), rng.random((50, n_features)) < 0.5
    for order in (np.arange(n_features), rng.permutation(n_features)):
        ours = BayesSubsets.of(X[:, order], labels, 2, np.arange(202), asked)
        assert not ours.predict(tied[:, order]).any()  # equal priors: the lowest code
        assert not ours.correct(tied[:, order], labels[asked]).any()
        model = DiscreteNB().fit(X[:202][:, order], y)
        for mask, found in zip(masks[:, order], ours.predict(masks[:, order]), strict=True):
            model.fit(X[:202][:, order][:, mask], y)
            assert_array_equal(found, model.predict(X[asked][:, order][:, mask]))
        for mask in tied[:5, order]:
            lacking = int(np.argmax(mask))
            mask[lacking] = False  # one flip of many makes a tie
            flips = np.array([lacking, (lacking + 7) % n_features, lacking])
            expected = ours.predict(flipped(mask, flips))
            assert not expected[0].any()
            assert expected[1].any()
            assert_array_equal(ours.predict_flips(mask, flips), expected)
            assert_array_equal(ours.correct_flips(mask, flips, labels[asked]), expected == 1)
    more = BayesSubsets.of(X, labels, 2, np.append(np.arange(202), [202]), asked[1:])
    assert more.tables.order.tolist() == [1, 0]  # now class 1 is larger


@pytest.mark.parametrize(("block", "kept"), [(1, 1 << 28), (1, 0), (1 << 21, 0), (40_000, 1 << 28)])
def test_blocks_of_rows_change_nothing(block, kept, monkeypatch):
    X, y, masks, nominal = wide()
    given_rows = X, y, 3, np.arange(200), np.arange(200, 260)
    whole = BayesSubsets.of(*given_rows, nominal=nominal)
    monkeypatch.setattr(subset_sums, "BLOCK_BYTES", block)
    monkeypatch.setattr(subset_sums, "KEPT_BYTES", kept)
    parts = BayesSubsets.of(*given_rows, nominal=nominal)
    flips = np.array([3, 0, 69])
    for _ in range(2):  # what is kept serves again
        assert_array_equal(parts.predict(masks), whole.predict(masks))
        assert_array_equal(parts.correct(masks, y[200:]), whole.correct(masks, y[200:]))
        assert_array_equal(parts.accuracies(masks, y[200:]), whole.accuracies(masks, y[200:]))
        expected = whole.predict_flips(masks[1], flips)
        assert_array_equal(parts.predict_flips(masks[1], flips), expected)
        expected = whole.correct_flips(masks[1], flips, y[200:])
        assert_array_equal(parts.correct_flips(masks[1], flips, y[200:]), expected)
    n_blocks = len(list(parts._by_class))
    assert (n_blocks > 1) == (block < 1 << 21)
    assert (parts._by_class.kept is None) == (kept == 0)


def test_subsets_do_not_see_each_other_nor_the_order_of_columns():
    X, y, masks, nominal = wide()
    order = np.random.default_rng(5).permutation(70)
    ours = BayesSubsets.of(X, y, 3, np.arange(200), np.arange(200, 260), nominal=nominal)
    other = BayesSubsets.of(
        X[:, order], y, 3, np.arange(200), np.arange(200, 260), nominal=nominal[order]
    )
    found = ours.predict(masks)
    assert_array_equal(other.predict(masks[:, order]), found)
    assert_array_equal(np.vstack([ours.predict(masks[i : i + 1]) for i in range(25)]), found)
    assert_array_equal(ours.predict(masks[::-1])[::-1], found)
    assert ours.predict(masks[:0]).shape == ours.correct(masks[:0], y[200:]).shape == (0, 60)
    assert ours.accuracies(masks[:0], y[200:]).shape == (0,)
    assert ours.predict_flips(masks[0], []).shape == (0, 60)


def test_other_true_classes_are_taken_into_account():
    X, y, masks, _ = wide()
    ours = BayesSubsets.of(X, y, 3, np.arange(200), np.arange(200, 260))
    predicted = ours.predict(masks)
    for labels in (y[200:], (y[200:] + 1) % 3, y[200:].astype(np.int16)):
        assert_array_equal(ours.correct(masks, labels), predicted == labels)
    changed = y[200:].copy()
    ours.correct(masks, changed)
    changed[:] = 1
    assert_array_equal(ours.correct(masks, changed), predicted == 1)


def test_threads_may_ask_at_once():
    X, y, masks, _ = wide()
    ours = BayesSubsets.of(X, y, 3, np.arange(200), np.arange(200, 260))
    expected = ours.predict(masks)
    ours = BayesSubsets.of(X, y, 3, np.arange(200), np.arange(200, 260))

    def ask(number):
        labels = (y[200:] + number) % 3
        return np.array_equal(ours.correct(masks, labels), expected == labels)

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(ask, range(40)))


def test_a_class_without_fit_rows_is_never_predicted():
    X, y, masks, _ = wide(n_classes=4)
    fit = np.flatnonzero((y != 2) & (np.arange(260) < 200))
    ours = BayesSubsets.of(X, y, 5, fit, np.arange(200, 260))
    names, codes = np.unique(y[fit], return_inverse=True)
    packed = BayesSubsets.of(
        np.vstack([X[fit], X[200:]]), np.append(codes, np.zeros(60, int)), 3,
        np.arange(fit.size), np.arange(fit.size, fit.size + 60),
    )  # fmt: skip
    assert_array_equal(ours.predict(masks), names[packed.predict(masks)])
    assert_array_equal(ours.correct(masks, y[200:]), names[packed.predict(masks)] == y[200:])


def test_no_evidence_speaks_for_a_class_without_fit_rows():
    """Values that nobody has are a lesser surprise to a class that has nothing."""
    fit, y = np.arange(40) % 2 + np.zeros((90, 1)), np.arange(40) % 3
    X = np.hstack([fit, np.full((90, 5), 7.0)]).T
    ours = BayesSubsets.of(
        X, np.append(y, [3] * 5), 4, np.arange(40), np.arange(40, 45), nominal=np.ones(90, bool)
    )
    masks = np.arange(90) < np.array([[1], [30], [90]])
    assert_array_equal(ours.predict(masks), np.repeat([[0], [1], [1]], 5, axis=1))
    assert not ours.correct(masks, np.full(5, 3)).any()
    assert_array_equal(ours.correct(masks, np.full(5, 1))[:, 0], [False, True, True])


def test_every_storage_and_masks_of_rows():
    rng = np.random.default_rng(6)
    ones, y = rng.integers(0, 2, (120, 21)), rng.integers(0, 2, 120)
    masks = rng.random((9, 21)) < 0.5
    fit = rng.random(120) < 0.6
    expected = BayesSubsets.of(ones, y, 2, np.flatnonzero(fit), np.flatnonzero(~fit))
    expected = expected.predict(masks)
    for store in (np.asarray, sparse.csr_array, sparse.csc_array, BitMatrix.from_array):
        assert_array_equal(BayesSubsets.of(store(ones), y, 2, fit, ~fit).predict(masks), expected)


def test_other_predictors_answer_by_their_predictions():
    class Parity(SubsetPredictor):
        n_features, n_asked, n_classes = 3, 2, 2

        def predict(self, masks):
            return np.repeat(np.asarray(masks).sum(axis=1) % 2, 2).reshape(-1, 2).astype(np.int16)

    masks = np.array([[True, False, False], [True, True, False]])
    assert_array_equal(Parity().correct(masks, [1, 0]), [[True, False], [False, True]])
    assert_array_equal(Parity().accuracies(masks, [1, 1]), [1.0, 0.0])
    assert_array_equal(Parity().predict_flips(masks[0], [0, 1]), [[0, 0], [0, 0]])
    assert_array_equal(Parity().correct_flips(masks[1], [2], [1, 0]), [[True, False]])


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda b: b.predict(np.ones(3, bool)), r"shape \(3,\); give a row of 3 booleans"),
        (lambda b: b.correct(np.ones((2, 4), bool), [0]), r"shape \(2, 4\)"),
        (lambda b: b.correct(np.ones((2, 3), bool), [0, 1, 0]), "3 classes for 1 asked rows"),
        (lambda b: b.correct(np.ones((2, 3), bool), [2]), "class 2"),
        (lambda b: b.correct(np.ones((2, 3), bool), [-1]), "class -1"),
        (lambda b: b.predict_flips(np.ones(3, bool), [0, 3]), "There are 3 features"),
        (lambda b: b.correct_flips(np.ones(3, bool), [-1], [0]), "There are 3 features"),
    ],
)
def test_wrong_questions_get_a_sentence(ask, words):
    predictor = BayesSubsets.of(np.eye(3), [0, 1, 0], 2, [0, 1], [2])
    with pytest.raises(UsageError, match=words):
        ask(predictor)


@pytest.mark.parametrize("y", [[0, 2, 0], [0, -1, 0]])
def test_classes_out_of_range_get_a_sentence(y):
    with pytest.raises(UsageError, match="codes of 2 classes"):
        BayesSubsets.of(np.eye(3), y, 2, [0, 1], [2])


@pytest.mark.parametrize("name", ["vehicle", "tic_tac_toe"])
def test_real_data_and_all_their_ties(name, shared_data):
    table = np.load(shared_data / f"{name}.npz", allow_pickle=False)
    X, y = table["X"], np.unique(table["y"], return_inverse=True)[1]
    nominal = np.full(X.shape[1], name == "tic_tac_toe")
    masks = np.random.default_rng(0).random((12, X.shape[1])) < 0.5
    folds = np.empty(y.size, dtype=int)
    for fold, (_, held) in enumerate(StratifiedKFold(4).split(X, y)):
        folds[held] = fold
    found = cross_predicted(X, y, int(y.max()) + 1, folds, masks, nominal=nominal)
    for mask, own in zip(masks, found, strict=True):
        model = DiscreteNB(categorical_features=nominal[mask])
        for fold in range(4):
            model.fit(X[folds != fold][:, mask], y[folds != fold])
            assert_array_equal(model.predict(X[folds == fold][:, mask]), own[folds == fold])


def test_what_does_not_fit_together_gets_a_sentence():
    X, y, mask = np.eye(4), [0, 1, 0, 1], np.ones((1, 4), dtype=bool)
    with pytest.raises(UsageError, match=r"nominal has the shape \(3,\)"):
        BayesSubsets.of(X, y, 2, [0, 1], [2], nominal=[True] * 3)
    with pytest.raises(UsageError, match="3 folds for 4 rows"):
        cross_predicted(X, y, 2, [0, 1, 0], mask)
    with pytest.raises(UsageError, match=r"masks have the shape \(1, 3\)"):
        cross_predicted(X, y, 2, [0, 1, 0, 1], mask[:, :3])


def test_arrays_that_must_not_be_written_serve_too():
    X, y, masks, _ = wide()
    expected = BayesSubsets.of(X, y, 3, np.arange(200), np.arange(200, 260)).predict(masks)
    kept = [np.asfortranarray(X), y.copy(), masks.copy(), np.arange(70)]
    for array in kept:
        array.flags.writeable = False
    X, y, masks, features = kept
    ours = BayesSubsets.of(X, y, 3, np.arange(200), np.arange(200, 260))
    assert_array_equal(ours.predict(masks), expected)
    assert_array_equal(ours.correct(masks, y[200:]), expected == y[200:])
    assert ours.predict_flips(masks[0], features).shape == (70, 60)
    assert DiscreteNB().fit(X, y).predict(X).shape == (260,)


def test_nothing_to_learn_from_gets_a_sentence():
    with pytest.raises(DataError, match="needs rows and columns"):
        BayesSubsets.of(np.eye(3), [0, 1, 0], 2, [], [2])
    with pytest.raises(DataError, match="needs rows and columns"):
        BayesSubsets.of(np.empty((3, 0)), [0, 1, 0], 2, [0, 1], [2])
