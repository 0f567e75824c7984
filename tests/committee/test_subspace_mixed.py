"""Random subspaces of naive Bayes: gaps and categories as they are, in whatever holds them."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.svm import SVC
from sklearn.utils import get_tags

from consilience import DiscreteNB, RandomSubspaceClassifier
from consilience.exceptions import DataError, UsageError

NOMINAL = np.array([False, True, True, False, False])


def made(n=90):
    """Codes of a table with gaps; the letters of the nominal columns come in the order of codes."""
    rng = np.random.default_rng(0)
    cells = rng.integers(0, 3, (n, 5)).astype(float)
    cells[:, ~NOMINAL] += rng.normal(size=(n, 3))
    y = np.where(cells[:, 1] == 1, "yes", "no")  # the middle code: no border tells it
    y = np.where(rng.random(n) < 0.1, rng.permutation(y), y)
    cells[rng.random((n, 5)) < 0.1] = np.nan
    return cells, y


X, y = made()


def frame(library):
    names = list("abcde")
    columns = {}
    for name, column, nominal in zip(names, X.T, NOMINAL, strict=True):
        if nominal:
            columns[name] = [None if np.isnan(code) else "xyz"[int(code)] for code in column]
        else:
            columns[name] = column
    if library is pd:
        return pd.DataFrame(columns).astype(dict.fromkeys("bc", "category"))
    return pl.DataFrame(columns).with_columns(pl.col("b", "c").cast(pl.Categorical))


def committee(estimator="bayes", **options):
    given = {"n_estimators": 12, "subspace_size": 2, "random_state": 0} | options
    return RandomSubspaceClassifier(estimator, **given)


def told(**options):
    return committee(categorical_features=NOMINAL, **options)


@pytest.mark.parametrize("rule", ["vote", "weighted", "dynamic_voting_selection"])
def test_every_storage_gives_the_same_answer(rule):
    fitted = told(integration=rule).fit(X, y)
    expected = fitted.predict_proba(X)
    for kind in (sparse.csr_array, sparse.csc_array):
        found = told(integration=rule).fit(kind(X), y)
        assert_array_equal(found.predict_proba(kind(X)), expected)
    by_number = committee(integration=rule, categorical_features=[1, 2]).fit(X, y)
    assert_array_equal(by_number.predict_proba(X), expected)
    for table in (frame(pd), frame(pl)):
        found = committee(integration=rule).fit(table, y)
        assert_array_equal(found.predict_proba(table), expected)
        if rule != "vote":
            assert_array_equal(found.member_accuracies_, fitted.member_accuracies_)


def test_members_are_naive_bayes_told_of_their_nominal_columns():
    fitted = told(integration="average").fit(X, y)
    shares = np.zeros((len(X), 2))
    for features in fitted.subsets_:
        member = DiscreteNB(categorical_features=NOMINAL[features]).fit(X[:, features], y)
        shares += member.predict_proba(X[:, features]) / len(fitted.subsets_)
    assert_allclose(fitted.predict_proba(X), shares, atol=1e-8)


def test_held_out_answers_are_those_of_fits_without_the_row():
    rows, labels = X[:25], y[:25]
    fitted = told(n_estimators=3, evaluation="loo").fit(rows, labels)
    for features, found in zip(fitted.subsets_, fitted.member_accuracies_, strict=True):
        right = 0
        for row in range(len(rows)):
            kept = np.arange(len(rows)) != row
            member = DiscreteNB(categorical_features=NOMINAL[features])
            member.fit(rows[kept][:, features], labels[kept])
            right += member.predict(rows[[row]][:, features])[0] == labels[row]
        assert found == pytest.approx(right / len(rows))
    voted = told(n_estimators=3).held_out_votes(rows, labels)
    assert_allclose(voted.member_accuracies, fitted.member_accuracies_)


def test_distances_know_the_nominal_columns():
    fitted = told(integration="dynamic_selection").fit(X, y)
    assert_array_equal(fitted._competence.heom.matched, NOMINAL)


def test_categories_tell_what_numbers_do_not():
    categories = told(subspace_size=1, integration="static").fit(X, y)
    known = ~np.isnan(X[:, 1])
    assert categories.score(X[known], y[known]) > 0.85


def test_gaps_are_for_naive_bayes_alone():
    assert get_tags(committee()).input_tags.allow_nan
    assert get_tags(committee(DiscreteNB(n_bins=4))).input_tags.allow_nan
    assert committee(DiscreteNB(n_bins=4)).fit(X, y).predict(X).shape == y.shape
    for other in ("svm", SVC(), "nb"):
        assert not get_tags(committee(other)).input_tags.allow_nan
        with pytest.raises(DataError, match="NaN"):
            committee(other).fit(X, y)
    whole = np.nan_to_num(X)
    with pytest.raises(DataError, match="Column 'x1' is nominal, and members other than estim"):
        committee("svm", categorical_features=NOMINAL).fit(whole, y)
    with pytest.raises(DataError, match="NaN"):
        committee("svm").fit(whole, y).predict(X)


def test_a_naive_bayes_with_nominal_columns_of_its_own_is_refused():
    with pytest.raises(UsageError, match="give categorical_features to the committee instead"):
        committee(DiscreteNB(categorical_features=[0])).fit(X, y)


def test_weights_and_gaps():
    weights = np.ones(len(y))
    weights[::4] = 0
    fitted = told().fit(X, y, weights)
    kept = weights > 0
    assert_array_equal(fitted.predict(X), told().fit(X[kept], y[kept]).predict(X))
