"""Naive Bayes on values: by its definition, as scikit-learn has it, whatever holds the data."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.base import clone
from sklearn.naive_bayes import CategoricalNB
from sklearn.utils.estimator_checks import parametrize_with_checks

from consilience import BitMatrix, DiscreteNB
from consilience.exceptions import DataError, UsageError
from consilience.learners import discrete_nb
from naive_bayes_subsets import naive_joint, naive_predicted

cells = st.one_of(st.integers(0, 5).map(float), st.just(np.nan))


@parametrize_with_checks([DiscreteNB(), DiscreteNB(3, smoothing=0.1, prior="laplace")])
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@st.composite
def tables(draw):
    """X with missing values, y, where there are rows of each class, and options."""
    n, p, n_classes = draw(st.integers(3, 12)), draw(st.integers(1, 4)), draw(st.integers(1, 3))
    X = draw(arrays(np.float64, (n, p), elements=cells))
    y = draw(arrays(np.int64, n, elements=st.integers(0, n_classes - 1)))
    y[:n_classes] = np.arange(n_classes)
    options = {
        "nominal": draw(arrays(np.bool_, p)),
        "n_bins": draw(st.integers(1, 6)),
        "smoothing": draw(st.sampled_from([1.0, 0.5, 2.0])),
        "prior": draw(st.sampled_from(["counts", "laplace"])),
        "weights": draw(st.none() | arrays(np.float64, n, elements=st.sampled_from([0.5, 1, 3]))),
    }
    new = draw(arrays(np.float64, (4, p), elements=cells))
    return X, y, n_classes, options, new


@given(tables())
def test_it_is_the_slow_twin(table):
    X, y, n_classes, options, new = table
    given_options = dict(options)
    weights = given_options.pop("weights")
    nominal = given_options.pop("nominal")
    model = DiscreteNB(**given_options, categorical_features=nominal)
    model.fit(X, y, sample_weight=weights)
    both = np.vstack([X, new])
    if weights is not None:
        options["weights"] = np.append(weights, np.ones(len(new)))
    labels = np.append(y, np.zeros(len(new), dtype=int))
    place = labels, n_classes, np.arange(len(X)), np.arange(len(X), len(both))
    mask = np.ones(X.shape[1], dtype=bool)
    joint = np.array(naive_joint(both, *place, mask, **options), dtype=float)
    assert_allclose(np.exp(model.predict_joint_log_proba(new)), joint, rtol=1e-12)
    assert_allclose(model.predict_proba(new), joint / joint.sum(axis=1, keepdims=True), rtol=1e-9)
    assert_array_equal(model.predict(new), naive_predicted(both, *place, mask, **options))


@pytest.mark.parametrize("weighted", [False, True])
def test_it_is_the_categorical_model_of_scikit_learn(weighted):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 400)
    X = np.column_stack([(rng.integers(0, k, 400) + y * (k > 4)) % k for k in (2, 3, 5, 7, 10)])
    weights = rng.uniform(0.2, 3, 400) if weighted else None
    theirs = CategoricalNB(alpha=1.0, min_categories=[2, 3, 5, 7, 10])
    theirs.fit(X[:300], y[:300], None if weights is None else weights[:300])
    ours = DiscreteNB().fit(X[:300], y[:300], None if weights is None else weights[:300])
    assert_allclose(ours.class_count_, theirs.class_count_)
    assert_allclose(ours.class_log_prior_, theirs.class_log_prior_)
    for own, other in zip(ours.feature_log_prob_, theirs.feature_log_prob_, strict=True):
        assert_allclose(own[:, :-1], other)
    for ask in ("predict_joint_log_proba", "predict_log_proba", "predict_proba"):
        assert_allclose(getattr(ours, ask)(X[300:]), getattr(theirs, ask)(X[300:]), rtol=1e-10)
    assert_array_equal(ours.predict(X[300:]), theirs.predict(X[300:]))
    assert_array_equal(ours.n_values_, [2, 3, 5, 7, 10])


def test_whole_weights_are_copies_and_0_is_none():
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(40, 3)), rng.integers(0, 3, 40)
    weights = rng.integers(0, 3, 40)
    y[-1], weights[-1], X[-1] = 7, 0, 1e6  # neither its class nor its range counts
    weighted = DiscreteNB(4).fit(X, y, weights)
    copied = DiscreteNB(4).fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    assert_array_equal(weighted.classes_, [0, 1, 2])
    assert_allclose(weighted.predict_proba(X), copied.predict_proba(X), rtol=1e-12)


def test_missing_values_are_skipped():
    rng = np.random.default_rng(2)
    X, y = rng.integers(0, 3, (60, 4)).astype(float), rng.integers(0, 2, 60)
    X[rng.random(X.shape) < 0.2] = np.nan
    new = X[:10].copy()
    new[:, 2] = np.nan
    without = DiscreteNB().fit(X[:, [0, 1, 3]], y).predict_joint_log_proba(new[:, [0, 1, 3]])
    assert_allclose(DiscreteNB().fit(X, y).predict_joint_log_proba(new), without)
    # The rows in which a feature is missing say nothing of it.
    known = ~np.isnan(X[:, 0])
    shares = DiscreteNB().fit(X, y).feature_log_prob_[0]
    assert_allclose(shares, DiscreteNB().fit(X[known, :1], y[known]).feature_log_prob_[0])


def test_a_row_of_missing_values_has_the_prior():
    X, y = np.array([[1.0], [2.0], [2.0]]), np.array(["a", "b", "b"])
    model = DiscreteNB().fit(X, y)
    assert_allclose(model.predict_proba([[np.nan]]), [[1 / 3, 2 / 3]])
    assert model.predict([[np.nan]]) == ["b"]
    smooth = DiscreteNB(prior="laplace", smoothing=2.0).fit(X, y)
    assert_allclose(smooth.predict_proba([[np.nan]]), [[3 / 7, 4 / 7]])


def test_ties_go_to_the_larger_class_then_to_the_first():
    # Both features say the same of both classes, to the last digit or almost.
    X = np.array([[0, 1], [1, 0], [0, 1], [1, 0]])
    assert_array_equal(DiscreteNB().fit(X, ["b", "b", "a", "a"]).predict([[0, 0]]), ["a"])
    X, y = np.array([[0], [0], [1], [0], [0], [1], [1], [1], [1]]), np.array([0] * 3 + [1] * 6)
    model = DiscreteNB(smoothing=1e-9).fit(X, y)  # 1/3 * 2/3 against 2/3 * 1/3
    assert_allclose(model.predict_proba([[0]]), [[0.5, 0.5]], atol=1e-8)
    assert model.predict([[0]]) == [1]


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame], ids=["pandas", "polars"])
def test_categories_keep_their_numbers_in_other_frames(frame):
    def nominal(column):
        return column.astype("category") if frame is pd.DataFrame else column.cast(pl.Categorical)

    def make(colours, sizes):
        table = frame({"colour": colours, "size": sizes})
        if frame is pd.DataFrame:
            return table.assign(colour=nominal(table["colour"]))
        return table.with_columns(nominal(table["colour"]))

    fitted = make(["red", "blue", "red", "green", None], [1.0, 2.0, 3.0, None, 5.0])
    y = ["x", "y", "x", "y", "x"]
    model = DiscreteNB().fit(fitted, y)
    assert model.feature_names_in_.tolist() == ["colour", "size"]
    codes = np.array([[2, 1], [0, 2], [2, 3], [1, np.nan], [np.nan, 5]])
    plain = DiscreteNB(categorical_features=[0]).fit(codes, y)
    new = make(["blue", "violet", "red"], [2.0, 2.0, None])
    expected = plain.predict_proba([[0, 2], [9, 2], [2, np.nan]])
    assert_allclose(model.predict_proba(new), expected)
    assert_allclose(model.predict_proba(new[2:]), expected[2:])  # red alone is still red
    with pytest.raises(ValueError, match="feature names"):
        model.predict(new[["size", "colour"]])


def test_text_is_nominal_where_the_caller_says_so():
    X = pd.DataFrame({"colour": ["red", "blue", "red", "blue"], "size": [1, 2, 3, 4]})
    with pytest.raises(DataError, match="Column 'colour' holds 'red'"):
        DiscreteNB().fit(X, [0, 1, 0, 1])
    model = DiscreteNB(categorical_features=[0]).fit(X, [0, 1, 0, 1])
    assert_array_equal(model.predict(X), [0, 1, 0, 1])
    assert_array_equal(model.predict(X.astype({"colour": "category"})), [0, 1, 0, 1])
    model.fit(X[["size"]].to_numpy(), [0, 0, 1, 1])  # no trace of the frame is left
    assert not hasattr(model, "feature_names_in_")


def test_every_storage_gives_the_same_answer(monkeypatch):
    rng = np.random.default_rng(3)
    ones, y = rng.integers(0, 2, (90, 33)), rng.integers(0, 3, 90)
    expected = DiscreteNB().fit(ones, y, np.arange(90) % 3).predict_log_proba(ones)
    stores = (np.asarray, sparse.csr_array, sparse.csc_array, BitMatrix.from_array, pd.DataFrame)
    for cells_at_once in (discrete_nb.BLOCK_CELLS, 1000, 1):
        monkeypatch.setattr(discrete_nb, "BLOCK_CELLS", cells_at_once)
        for store in stores:
            model = DiscreteNB().fit(store(ones), y, np.arange(90) % 3)
            assert len(model.feature_log_prob_) == model.n_values_.size == 33
            for ask in stores[:4]:
                asked = ask(ones) if store is not pd.DataFrame else store(ones)
                assert model.predict_log_proba(asked).tobytes() == expected.tobytes()


def test_it_survives_pickling_and_cloning():
    rng = np.random.default_rng(4)
    X, y = rng.normal(size=(30, 3)), rng.integers(0, 2, 30)
    model = DiscreteNB(5, categorical_features=[1]).fit(X, y)
    again = pickle.loads(pickle.dumps(model))
    assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    assert clone(model).get_params() == model.get_params()


def test_one_class_is_always_predicted():
    model = DiscreteNB().fit([[1.0], [2.0]], ["a", "a"])
    assert_array_equal(model.predict([[5.0], [np.nan]]), ["a", "a"])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"n_bins": 0}, "n_bins is 0"),
        ({"smoothing": 0}, "smoothing is 0"),
        ({"smoothing": "much"}, "smoothing is 'much'"),
        ({"smoothing": True}, "smoothing is True"),
        ({"prior": "flat"}, "prior is 'flat'; choose one of 'counts', 'laplace'"),
        ({"categorical_features": [7]}, "categorical_features must be"),
    ],
)
def test_wrong_requests_get_a_sentence(options, words):
    with pytest.raises(UsageError, match=words):
        DiscreteNB(**options).fit([[1.0], [2.0]], [0, 1])


def test_infinite_values_get_a_sentence():
    with pytest.raises(DataError, match="'x0' holds infinity"):
        DiscreteNB().fit([[1.0], [np.inf]], [0, 1])
