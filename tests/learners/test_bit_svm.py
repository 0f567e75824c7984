import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.svm import LinearSVC

import naive_bits
from consilience import BitMatrix
from consilience.exceptions import ConsilienceWarning, UsageError
from consilience.learners import BitLinearSVC


def noisy(n_samples, n_features, n_classes, seed=0, density=0.3):
    rng = np.random.default_rng(seed)
    X = (rng.random((n_samples, n_features)) < density).astype(np.uint8)
    scores = X @ rng.normal(size=(n_features, n_classes)) + rng.normal(size=(n_samples, n_classes))
    return X, scores.argmax(axis=1)


tables = st.tuples(st.integers(2, 70), st.integers(1, 6)).flatmap(
    lambda size: st.tuples(
        arrays(np.uint8, size, elements=st.integers(0, 1)),
        arrays(np.int64, size[0], elements=st.integers(0, 1)),
    )
)


@given(tables, st.sampled_from([0.1, 1.0, 10.0]), st.data())
def test_no_other_weights_do_better(table, C, data):
    X, y = table
    y[:2] = 0, 1
    machine = BitLinearSVC(C, tol=1e-8, max_iter=100_000, random_state=0).fit(X, y)
    signs, prices = np.where(y == 1, 1, -1), np.full(y.size, C)
    weights, bias = machine.coef_[0], machine.intercept_[0]
    best = naive_bits.hinge_objective(X, signs, prices, weights, bias)
    for _ in range(5):  # the problem is convex: no point nearby is lower if none far away is
        step = data.draw(arrays(np.float64, weights.size + 1, elements=st.floats(-0.1, 0.1)))
        other = naive_bits.hinge_objective(X, signs, prices, weights + step[:-1], bias + step[-1])
        assert best <= other + 1e-7 * (1 + other)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("class_weight", [None, "balanced"])
@pytest.mark.parametrize("shape", [(300, 20), (150, 200)])
def test_it_is_the_machine_of_scikit_learn(n_classes, class_weight, shape):
    X, y = noisy(*shape, n_classes)
    options = {"tol": 1e-9, "max_iter": 1_000_000, "class_weight": class_weight, "random_state": 0}
    ours = BitLinearSVC(0.5, **options).fit(BitMatrix.from_array(X), y)
    theirs = LinearSVC(C=0.5, loss="hinge", **options).fit(X.astype(np.float64), y)
    assert_allclose(ours.coef_, theirs.coef_, atol=1e-6)
    assert_allclose(ours.intercept_, theirs.intercept_, atol=1e-6)
    assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=1e-5)
    assert_array_equal(ours.predict(X), theirs.predict(X))


@pytest.mark.parametrize("class_weight", [None, "balanced"])
def test_weights_are_prices(class_weight):
    X, y = noisy(200, 30, 3)
    weights = np.random.default_rng(0).choice([0.0, 0.3, 1.0, 2.5], 200)
    options = {"tol": 1e-9, "max_iter": 1_000_000, "class_weight": class_weight, "random_state": 0}
    ours = BitLinearSVC(**options).fit(X, y, sample_weight=weights)
    theirs = LinearSVC(loss="hinge", **options).fit(X.astype(float), y, sample_weight=weights)
    assert_allclose(ours.coef_, theirs.coef_, atol=1e-6)
    kept = weights > 0
    fewer = BitLinearSVC(**options).fit(X[kept], y[kept], sample_weight=weights[kept])
    assert_allclose(ours.coef_, fewer.coef_, atol=1e-6)


def test_at_the_usual_tolerance_the_objective_is_as_low_as_that_of_scikit_learn():
    X, y = noisy(600, 120, 2, density=0.1)
    signs, prices = np.where(y == 1, 1, -1), np.ones(y.size)
    ours = BitLinearSVC(random_state=0).fit(X, y)
    theirs = LinearSVC(loss="hinge", random_state=0, max_iter=10_000).fit(X.astype(float), y)
    found = [
        naive_bits.hinge_objective(X, signs, prices, machine.coef_[0], machine.intercept_[0])
        for machine in (ours, theirs)
    ]
    assert found[0] <= found[1] * (1 + 1e-4)


def test_a_row_that_is_heavier_than_all_decides():
    X, y = np.array([[1], [1], [1]]), np.array([0, 0, 1])
    assert_array_equal(BitLinearSVC().fit(X, y).predict(X), [0, 0, 0])
    assert_array_equal(BitLinearSVC().fit(X, y, sample_weight=[1, 1, 9]).predict(X), [1, 1, 1])


def test_constant_columns_and_rows_of_zeros():
    X, y = np.zeros((4, 3)), np.array([0, 0, 0, 1])
    machine = BitLinearSVC(random_state=0).fit(X, y)
    assert_array_equal(machine.coef_, 0)
    assert_array_equal(machine.predict(X), 0)


def test_what_does_not_converge_is_said_once():
    X, y = noisy(200, 50, 2)
    with pytest.warns(ConsilienceWarning, match="in 1 passes; raise max_iter, or lower C=100") as w:
        machine = BitLinearSVC(100, max_iter=1).fit(X, y)
    assert len(w) == 1
    assert machine.n_iter_ == 1


@pytest.mark.parametrize("wrong", [{"C": 0}, {"tol": -1}, {"max_iter": 0}, {"C": "big"}])
def test_wrong_requests_get_a_sentence(wrong):
    with pytest.raises(UsageError, match=f"{next(iter(wrong))} is"):
        BitLinearSVC(**wrong).fit(np.eye(2), [0, 1])


@pytest.mark.parametrize("seed", range(30))
def test_rows_that_pull_equally_hard_are_not_taken_for_a_solution(seed):
    X, y = np.array([[1], [1], [1]]), np.array([0, 0, 1])
    machine = BitLinearSVC(random_state=seed).fit(X, y, sample_weight=[1, 1, 9])
    assert_allclose(machine.coef_, 0.5, atol=1e-3)
