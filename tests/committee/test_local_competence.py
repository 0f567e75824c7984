"""What a committee learns of where its members err, and random subspaces that are joined by it."""

import pickle
import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.model_selection import GridSearchCV

import naive_integration
from consilience import BitMatrix, RandomSubspaceClassifier, make_planted
from consilience.committee.local_competence import NEIGHBORS, LocalCompetence
from consilience.data.scaled_columns import ScaledColumns
from consilience.exceptions import UsageError
from consilience.integration import DYNAMIC, HEOM, local_errors

PLANTED = make_planted(90, 40, n_blocks=4, block_size=3, effect=2.0, random_state=0)
X, y = PLANTED.X[::2], np.array(["ill", "well"])[PLANTED.y[::2]]
NEW, TRUTH = PLANTED.X[1::2], np.array(["ill", "well"])[PLANTED.y[1::2]]
RNG = np.random.default_rng(0)


@st.composite
def held_out_answers(draw):
    """Rows, held-out codes of some members, true codes, and a rule."""
    n, p, n_members = (draw(st.integers(low, top)) for low, top in ((2, 9), (1, 3), (1, 4)))
    rows = draw(arrays(np.float64, (n, p), elements=st.integers(0, 3).map(float)))
    predicted = draw(arrays(np.int64, (n_members, n), elements=st.integers(0, 2)))
    codes = draw(arrays(np.int64, n, elements=st.integers(0, 2)))
    return rows, predicted, codes, draw(st.sampled_from(DYNAMIC))


@given(held_out_answers(), st.sampled_from(["inverse", "uniform", "linear"]))
@settings(max_examples=60)
def test_auto_agrees_with_the_plain_loop(case, weights):
    rows, predicted, codes, rule = case
    priors = np.array([0.5, 0.3, 0.2])
    n = len(codes)
    errors = (predicted != codes).astype(float)
    distances = np.array(naive_integration.heom(rows.tolist(), rows.tolist(), [False] * 9))
    np.fill_diagonal(distances, np.inf)
    accuracies = 1 - errors.mean(axis=1)
    sizes = [k for k in NEIGHBORS if k < n]
    expected = []
    for k in sizes:
        right = 0
        for i in range(n):
            local = [naive_integration.local_error(distances[i], e, k, weights) for e in errors]
            right += codes[i] == naive_integration.dynamic_vote(
                rule, predicted[:, i], local, 3, accuracies, priors
            )
        expected.append(right / n)
    options = {"weights": weights, "rule": rule, "priors": priors}
    learned = LocalCompetence.of(rows, predicted, codes, n_neighbors="auto", **options)
    found = learned.accuracies_by_size(rule, rows, predicted, codes, priors)
    assert found[0].tolist() == sizes
    assert_allclose(found[1], expected)
    best = max(k for k, share in zip(sizes, expected, strict=True) if share == max(expected))
    assert learned.n_neighbors == best


def test_a_row_is_never_its_own_neighbour_in_auto():
    # The member is right on one row and its copy errs: from the other row alone, it errs.
    rows, codes = np.array([[0.0], [0.0]]), np.array([0, 1])
    predicted = np.array([[0, 0]])
    learned = LocalCompetence.of(rows, predicted, codes, n_neighbors=1)
    local = learned._local_errors(rows, 1, None, itself=True)
    assert local.tolist() == [[1.0], [0.0]]
    assert learned.local_errors(rows).tolist() == [[0.5], [0.5]]


def test_all_sizes_and_rules_come_from_the_plain_functions():
    rows, new = RNG.normal(size=(50, 4)), RNG.normal(size=(20, 4))
    predicted, codes = RNG.integers(0, 3, (5, 50)), RNG.integers(0, 3, 50)
    learned = LocalCompetence.of(rows, predicted, codes, weights="linear", n_neighbors=7)
    assert_allclose(learned.accuracies, (predicted == codes).mean(axis=1))
    distances = HEOM.of(rows).distances(new)
    expected = local_errors(distances, learned.errors, [3, 99], "linear")
    assert_array_equal(learned.local_errors(new, [3, 99]), expected)
    for rule in DYNAMIC:
        weights = learned.vote_weights(rule, new, [3, 7])
        assert weights.shape == (2, 5, 20)
        assert_array_equal(weights[1], learned.vote_weights(rule, new))
        assert_array_equal(learned.weigh(rule, expected[0]), weights[0])


def test_rows_that_were_not_held_out_are_left_out():
    rows, codes = np.arange(6.0)[:, None], np.array([0, 1, 0, 1, 0, 1])
    predicted = np.array([[0, 0, -1, 1, 1, 1]])
    learned = LocalCompetence.of(rows, predicted, codes)
    assert learned.errors[:, 0].tolist() == [0, 1, 0, 1, 0]
    assert learned.heom.n_samples == 5
    with pytest.raises(UsageError, match="No row was held out"):
        LocalCompetence.of(rows, np.full((1, 6), -1), codes)
    with pytest.raises(UsageError, match="'vote' needs no neighbours"):
        LocalCompetence.of(rows, predicted, codes, n_neighbors="auto", rule="vote")


def test_memory_does_not_grow_with_the_number_of_new_rows():
    rows, codes = RNG.normal(size=(1000, 3)), RNG.integers(0, 2, 1000)
    learned = LocalCompetence.of(rows, RNG.integers(0, 2, (2, 1000)), codes)
    new = RNG.normal(size=(20_000, 3))
    learned.local_errors(new[:10])  # compiled
    tracemalloc.start()
    learned.local_errors(new)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 20_000 * 1000 * 8 / 3  # all distances at once


def committee(**options):
    defaults = {"n_estimators": 8, "subspace_size": 6, "integration": DYNAMIC[2], "random_state": 0}
    return RandomSubspaceClassifier("nb", **defaults | options)


@pytest.mark.parametrize("rule", DYNAMIC)
@pytest.mark.parametrize("evaluation", [None, "loo", "holdout"])
def test_a_committee_is_joined_by_its_held_out_errors(rule, evaluation):
    fitted = committee(integration=rule, evaluation=evaluation, n_neighbors=5).fit(X, y)
    learned = fitted._competence
    assert_allclose(fitted.member_accuracies_, learned.accuracies)
    table = ScaledColumns(X)
    centres, scales = table.moments(np.arange(40))
    Z = (NEW - centres) * scales
    pairs = zip(fitted.estimators_, fitted.subsets_, strict=True)
    predicted = np.array([member.predict(Z[:, features]) for member, features in pairs])
    shares, found = fitted.predict_proba(NEW), learned.local_errors(NEW)
    assert (len(learned.errors) < len(y)) == (evaluation == "holdout")
    for i, row in enumerate(learned.heom.distances(NEW)):
        local = [naive_integration.local_error(row, e, 5, "inverse") for e in learned.errors.T]
        assert_allclose(found[i], local, rtol=1e-9)
        code = naive_integration.dynamic_vote(
            rule, predicted[:, i], local, 2, fitted.member_accuracies_, fitted.class_prior_
        )
        if abs(shares[i, 0] - shares[i, 1]) > 1e-6:  # ties are for the members' scores to decide
            assert shares[i].argmax() == code
    assert fitted.score(NEW, TRUTH) > 0.6


@pytest.mark.parametrize("rule", DYNAMIC)
def test_one_member_is_that_member_and_stages_are_committees_of_the_first(rule):
    fitted = committee(integration=rule).fit(X, y)
    stages = list(fitted.staged_predict_proba(NEW))
    assert_array_equal(stages[-1], fitted.predict_proba(NEW))
    few = committee(integration=rule, n_estimators=3).fit(X, y)
    assert_array_equal(stages[2], few.predict_proba(NEW))
    alone = committee(integration="vote", n_estimators=1).fit(X, y)
    assert_array_equal(stages[0].argmax(axis=1), alone.predict_proba(NEW).argmax(axis=1))


@pytest.mark.parametrize("rule", DYNAMIC)
def test_workers_storage_blocks_and_column_order_change_nothing(rule, monkeypatch):
    ones = (X > 0).astype(np.uint8)
    plain = committee(integration=rule).fit(ones, y)
    expected = plain.predict_proba(ones)
    for kind in (np.float32, sparse.csr_array, sparse.csc_matrix, BitMatrix.from_array):
        fitted = committee(integration=rule, n_jobs=2).fit(kind(ones), y)
        assert_array_equal(fitted.predict_proba(kind(ones)), expected)
        assert_array_equal(plain.predict_proba(kind(ones)), expected)
    order = RNG.permutation(40)
    turned = committee(integration=rule).fit(X[:, order], y).predict_proba(NEW[:, order])
    fitted = committee(integration=rule).fit(X, y)
    assert_allclose(turned, fitted.predict_proba(NEW), atol=1e-8)
    before = fitted.predict_proba(NEW)
    monkeypatch.setattr("consilience.committee.members.BLOCK_CELLS", 100)
    monkeypatch.setattr("consilience.integration.heom.TASK_CELLS", 500)
    monkeypatch.setattr("consilience.committee.local_competence.CACHE_CELLS", 100)
    assert_allclose(fitted.predict_proba(NEW), before, rtol=1e-12)
    assert_array_equal(pickle.loads(pickle.dumps(fitted)).predict(NEW), fitted.predict(NEW))


def test_the_number_of_neighbours_is_learned_or_given():
    assert committee(n_neighbors=9).fit(X, y).n_neighbors_ == 9
    assert committee(n_neighbors="auto").fit(X, y).n_neighbors_ in NEIGHBORS
    assert committee(integration="weighted").fit(X, y).n_neighbors_ is None
    found = GridSearchCV(committee(), {"n_neighbors": [1, 40]}, cv=2)
    assert found.fit(X, y).best_score_ > 0.6
    for wrong in (0, "few", [3]):
        with pytest.raises(UsageError, match=r"n_neighbors is .*; give a whole number"):
            committee(n_neighbors=wrong).fit(X, y)
    with pytest.raises(UsageError, match="know no sample weights"):
        committee().fit(X, y, np.ones(45))
    with pytest.raises(UsageError, match="must be learned without the rows that are held out"):
        committee().held_out_votes(X, y)
