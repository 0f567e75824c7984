import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.multiclass import OneVsRestClassifier
from sklearn.svm import SVC, LinearSVC
from sklearn.utils.estimator_checks import parametrize_with_checks

import naive_multiclass as naive
from consilience import BitMatrix, MulticlassSVM
from consilience.exceptions import ConsilienceWarning, DataError, UsageError
from consilience.learners.multiclass import STRATEGIES

every_strategy = pytest.mark.parametrize("strategy", STRATEGIES)


def made(seed, n_classes, n=24, p=6, apart=1.0):
    """Classes around centres, every class there."""
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n) % n_classes)
    return rng.normal(size=(n, p)) + apart * rng.normal(size=(n_classes, p))[y], y


def real(folder, name):
    """A data set with its columns scaled to [0, 1]."""
    path = folder / f"{name}.npz"
    if not path.is_file():
        pytest.skip(f"{name} is not here")
    with np.load(path, allow_pickle=False) as file:
        X, y = file["X"].astype(np.float64), np.unique(file["y"], return_inverse=True)[1]
    width = np.ptp(X, axis=0)
    return (X[:, width > 0] - X.min(axis=0)[width > 0]) / width[width > 0], y


@parametrize_with_checks([MulticlassSVM(strategy) for strategy in STRATEGIES])
def test_scikit_learn_finds_nothing_wrong(estimator, check):
    check(estimator)


@given(st.integers(0, 10**6), st.integers(3, 5), st.sampled_from([0.01, 0.3, 5.0]))
@settings(max_examples=15)
def test_pairs_vote_and_descend_the_graph_as_their_twins(seed, n_classes, C):
    X, y = made(seed, n_classes)
    X_new = made(seed + 1, n_classes, n=40)[0]
    votes = MulticlassSVM("ovo", C=C, tol=1e-9).fit(X, y).predict(X_new)
    assert_array_equal(votes, naive.predict_by_votes(X, y, X_new, C))
    graph = MulticlassSVM("dag", C=C, tol=1e-9).fit(X, y).predict(X_new)
    assert_array_equal(graph, naive.predict_by_graph(X, y, X_new, C))


@given(st.integers(0, 10**6), st.integers(3, 5), st.sampled_from([0.01, 0.3, 5.0]))
@settings(max_examples=15)
def test_one_against_the_rest_is_that_of_scikit_learn(seed, n_classes, C):
    X, y = made(seed, n_classes)
    peer = OneVsRestClassifier(SVC(kernel="linear", C=C, tol=1e-7)).fit(X, y)
    svm = MulticlassSVM("ovr", C=C, tol=1e-9).fit(X, y)
    assert_allclose(svm.coef_, [m.coef_[0] for m in peer.estimators_], atol=1e-4)
    ours, theirs = svm.decision_function(X), peer.decision_function(X)
    for c, machine in enumerate(peer.estimators_):
        share = np.abs(machine.dual_coef_) / C
        if ((share > 1e-6) & (share < 1 - 1e-6)).any():  # else the constant is open
            assert_allclose(ours[:, c], theirs[:, c], atol=1e-4)
        side = np.where(y == svm.classes_[c], 1, -1)
        lost, least = (np.maximum(0, 1 - side * said[:, c]).sum() for said in (ours, theirs))
        assert lost <= least + 1e-4


@given(st.integers(0, 10**6), st.integers(2, 4), st.sampled_from([0.01, 0.3, 5.0]))
@settings(max_examples=15)
def test_weston_watkins_reaches_the_least_objective(seed, n_classes, C):
    X, y = made(seed, n_classes, n=12, p=3)
    svm = MulticlassSVM("weston_watkins", C=C, tol=1e-8, max_sweeps=100_000).fit(X, y)
    objective = naive.weston_watkins_objective(svm.coef_, svm.intercept_, X, y, C)
    least, coef, _ = naive.solve_weston_watkins(X, y, n_classes, C)
    assert_allclose(objective, least, rtol=1e-6)
    assert_allclose(svm.coef_, coef, atol=1e-3 * max(1.0, np.abs(coef).max()))
    assert -1e-12 <= svm.duality_gap_ <= 1e-7 * objective
    assert objective - least <= svm.duality_gap_ + 1e-6 * least


@given(st.integers(0, 10**6), st.integers(2, 5), st.sampled_from([0.01, 0.3, 5.0]))
@settings(max_examples=15)
def test_crammer_singer_reaches_the_objective_of_liblinear(seed, n_classes, C):
    X, y = made(seed, n_classes)
    svm = MulticlassSVM("crammer_singer", C=C, tol=1e-8, max_sweeps=100_000).fit(X, y)
    objective = naive.crammer_singer_objective(svm.coef_, X, y, C)
    assert -1e-12 <= svm.duality_gap_ <= 1.1e-8 * objective
    if n_classes > 2:  # with two, liblinear has another machine
        peer = liblinear(X, y, C)
        theirs = naive.crammer_singer_objective(peer.coef_, X, y, C)
        assert objective <= theirs * (1 + 1e-7)
        assert_allclose(objective, theirs, rtol=1e-4)


@given(
    st.integers(0, 10**6), st.integers(3, 5), st.sampled_from([0.01, 0.3, 5.0]),
    st.sampled_from([3.0, 100.0]),
)  # fmt: skip
@settings(max_examples=15)
@pytest.mark.filterwarnings("ignore:Liblinear failed to converge")
def test_crammer_singer_bears_columns_far_from_0(seed, n_classes, C, far):
    X, y = made(seed, n_classes, p=30)
    X += far * np.random.default_rng(seed).random(30)
    svm = MulticlassSVM("crammer_singer", C=C, tol=1e-7, max_sweeps=2000).fit(X, y)
    objective = naive.crammer_singer_objective(svm.coef_, X, y, C)
    assert -1e-10 * objective <= svm.duality_gap_ <= 1.1e-7 * objective
    peer = liblinear(X, y, C, tol=1e-4, max_iter=2000)  # which crawls
    theirs = naive.crammer_singer_objective(peer.coef_, X, y, C)
    assert objective <= theirs * (1 + 1e-6)


@pytest.mark.parametrize("name", ["brain_tumor1", "11_tumors"])
@pytest.mark.filterwarnings("ignore:Liblinear failed to converge")
def test_crammer_singer_is_quick_on_columns_from_0_to_1(shared_data, name):
    X, y = real(shared_data, name)
    svm = MulticlassSVM("crammer_singer", tol=1e-6, max_sweeps=300).fit(X, y)  # was above 10,000
    objective = naive.crammer_singer_objective(svm.coef_, X, y, 1.0)
    assert svm.duality_gap_ <= 1e-6 * objective
    # The same problem in the span of the rows: the peer is spared thousands of columns.
    values, vectors = np.linalg.eigh(X @ X.T)
    rows = vectors * np.sqrt(np.maximum(values, 0.0))
    peer = liblinear(rows, y, 1.0, tol=1e-3, max_iter=1000)
    assert objective <= naive.crammer_singer_objective(peer.coef_, rows, y, 1.0) * (1 + 1e-6)


def liblinear(X, y, C, tol=1e-7, max_iter=200_000):
    return LinearSVC(
        multi_class="crammer_singer", fit_intercept=False, C=C, tol=tol, max_iter=max_iter
    ).fit(X, y)


@pytest.mark.parametrize("name", ["srbct", "leukemia1", "9_tumors"])
def test_all_are_as_their_references_on_real_data(shared_data, name):
    X, y = real(shared_data, name)
    X, X_new, y = X[::2], X[1::2], y[::2]
    svm = {s: MulticlassSVM(s, tol=1e-8).fit(X, y) for s in STRATEGIES}
    peer = OneVsRestClassifier(SVC(kernel="linear", tol=1e-8)).fit(X, y)
    ours = svm["ovr"].decision_function(X_new)
    assert_allclose(ours, peer.decision_function(X_new), atol=1e-5)
    assert_array_equal(svm["ovo"].predict(X_new), naive.predict_by_votes(X, y, X_new, 1.0))
    assert_array_equal(svm["dag"].predict(X_new), naive.predict_by_graph(X, y, X_new, 1.0))
    peer = liblinear(X, y, 1.0)
    assert_array_equal(svm["crammer_singer"].predict(X_new), peer.predict(X_new))
    ours = naive.crammer_singer_objective(svm["crammer_singer"].coef_, X, y, 1.0)
    assert_allclose(ours, naive.crammer_singer_objective(peer.coef_, X, y, 1.0), rtol=1e-4)
    joint = svm["weston_watkins"]
    objective = naive.weston_watkins_objective(joint.coef_, joint.intercept_, X, y, 1.0)
    assert -1e-12 <= joint.duality_gap_ <= 1e-7 * objective


@pytest.mark.parametrize("C", [1e-3, 0.5, 20.0])
def test_with_two_classes_all_are_one_machine(C):
    X, y = made(3, 2)
    X_new = made(4, 2)[0]
    plain = SVC(kernel="linear", C=C, tol=1e-9).fit(X, y).decision_function(X_new)
    for strategy in ("ovr", "ovo", "dag"):
        assert_allclose(MulticlassSVM(strategy, C=C).fit(X, y).decision_function(X_new), plain,
                        atol=1e-5)  # fmt: skip
    joint = MulticlassSVM("weston_watkins", C=C, tol=1e-10).fit(X, y)
    # Its decision value is that of one class less that of the other: twice as much.
    assert_allclose(joint.coef_[1] - joint.coef_[0], 2 * joint.coef_[1], atol=1e-6)
    if C > 0.1:  # else all rows are at their bound, and many biases are as good
        assert_allclose(joint.decision_function(X_new), 2 * plain, atol=1e-4)
    nearest = MulticlassSVM("crammer_singer", C=C, tol=1e-10).fit(X, y)
    peer = LinearSVC(loss="hinge", C=2 * C, fit_intercept=False, tol=1e-9, max_iter=10**6)
    assert_allclose(
        nearest.decision_function(X_new), peer.fit(X, y).decision_function(X_new), atol=1e-3
    )


@every_strategy
def test_storage_does_not_matter(strategy):
    X = (made(0, 3, n=40, p=90)[0] > 0.5).astype(np.uint8)
    y = made(0, 3, n=40, p=90)[1]
    dense = MulticlassSVM(strategy).fit(X, y)
    for kind in (sparse.csr_array, sparse.csc_array, BitMatrix.from_array):
        other = MulticlassSVM(strategy).fit(kind(X), y)
        assert_allclose(other.decision_function(kind(X)), dense.decision_function(X), atol=1e-5)


@every_strategy
def test_columns_in_another_order_change_nothing(strategy):
    X, y = made(1, 4, n=30, p=60)
    order = np.random.default_rng(0).permutation(60)
    svm = MulticlassSVM(strategy, tol=1e-9).fit(X, y)
    other = MulticlassSVM(strategy, tol=1e-9).fit(X[:, order], y)
    assert_allclose(other.coef_, svm.coef_[:, order], atol=1e-6)


@every_strategy
def test_awkward_tables_are_learned(strategy):
    X, y = made(2, 4, n=20, p=30)
    y[y == 3] = 0
    y[0] = 3  # a class with one row
    X = np.c_[X, np.ones(20), np.zeros(20)]  # constant columns
    X, y = np.r_[X, X[:5]], np.r_[y, y[:5]]  # the same rows again
    for C in (1e-9, 1.0, 1e6):
        svm = MulticlassSVM(strategy, C=C).fit(X, y)
        assert np.isfinite(svm.decision_function(X)).all()
    assert_array_equal(svm.predict(X), y)  # C is large now, and columns are more than rows


@every_strategy
def test_rows_that_are_all_equal_teach_nothing_and_break_nothing(strategy):
    svm = MulticlassSVM(strategy).fit(np.ones((6, 3)), [0, 0, 0, 0, 1, 2])
    assert set(svm.predict(np.ones((2, 3)))) <= {0, 1, 2}


def test_rows_of_zeros_cost_no_digits():
    X, y = made(0, 3, n=30, p=3)
    X[:6] = 0.0
    svm = MulticlassSVM("crammer_singer", tol=1e-9, C=0.1).fit(X, y)
    objective = naive.crammer_singer_objective(svm.coef_, X, y, 0.1)
    rest = liblinear(X[6:], y[6:], 0.1).coef_  # a row of zeros has a loss of 1 in any case
    assert_allclose(objective, naive.crammer_singer_objective(rest, X, y, 0.1), rtol=1e-6)


def test_impossible_requests_are_refused_in_a_sentence():
    X, y = made(0, 3)
    with pytest.raises(UsageError, match=r"strategy is 'oao'; choose one of 'ovr'.*\."):
        MulticlassSVM("oao").fit(X, y)
    with pytest.raises(UsageError, match="C is -1; give a positive number"):
        MulticlassSVM(C=-1).fit(X, y)
    with pytest.raises(UsageError, match="tol is 2; give a positive number below 1"):
        MulticlassSVM(tol=2).fit(X, y)
    with pytest.raises(UsageError, match="max_sweeps is 0"):
        MulticlassSVM(max_sweeps=0).fit(X, y)
    with pytest.raises(DataError, match="All 24 rows have the class 1; a classifier"):
        MulticlassSVM().fit(X, np.ones(24, dtype=int))
    with pytest.raises(DataError, match=r"5,001 rows, more than 5,000; use LinearSVC"):
        MulticlassSVM().fit(np.zeros((5001, 1)), np.arange(5001) % 2)


def test_the_gap_bounds_the_objective_with_many_rows_too():
    X, y = made(0, 4, n=300, p=20, apart=0.4)
    rough = MulticlassSVM("weston_watkins", tol=1e-4).fit(X, y)
    exact = MulticlassSVM("weston_watkins", tol=1e-7, max_sweeps=100_000).fit(X, y)
    objectives = [
        naive.weston_watkins_objective(svm.coef_, svm.intercept_, X, y, 1.0)
        for svm in (rough, exact)
    ]
    assert exact.duality_gap_ <= 1e-7 * objectives[1]
    assert 0 <= objectives[0] - objectives[1] <= rough.duality_gap_ <= 1e-4 * objectives[0]


def test_a_search_that_ends_too_early_says_so():
    X, y = made(0, 3, n=60, p=2)
    with pytest.warns(ConsilienceWarning, match="did not reach the tolerance 1e-12"):
        MulticlassSVM("crammer_singer", C=1e3, tol=1e-12, max_sweeps=2).fit(X, y)
