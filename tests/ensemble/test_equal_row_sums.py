"""Rows of equal sums, as coded categories have: the order of columns and rows means nothing."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse

from consilience import DAFS, BitMatrix, InformationGain, PanelSizeSearch, RandomSubspaceClassifier

y = np.arange(60) % 2
COLUMNS = np.random.default_rng(2).permutation(80)
ROWS = np.random.default_rng(3).permutation(60)


def complementary():
    """Columns, a few of which follow the class, and what they leave."""
    rng = np.random.default_rng(0)
    half = rng.random((60, 40)) < np.where(np.arange(40) < 8, 0.3 + 0.4 * y[:, None], 0.5)
    return np.hstack([half, ~half]).astype(float)


def one_hot():
    """Categories of 4 values, of which each row has one."""
    codes = np.random.default_rng(1).integers(0, 4, size=(60, 20))
    codes[:30, 0] = y[:30]
    return (codes[:, :, None] == np.arange(4)).reshape(60, 80).astype(float)


def one_category():
    """Columns of one coded category: nothing but their rows tells them apart."""
    return np.tile(np.eye(20), (3, 1)).repeat(4, axis=1)


TABLES = {"complementary": complementary(), "one-hot": one_hot(), "category": one_category()}
tables = pytest.mark.parametrize("X", TABLES.values(), ids=TABLES.keys())


def dafs(estimator="ridge"):
    options = {"subspace_size": 9, "n_subspaces": 90, "max_features": 4}
    return DAFS(estimator, **options, random_state=0)


@tables
def test_rows_have_equal_sums(X):
    assert X.shape == (60, 80)
    assert np.unique(X.sum(axis=1)).size == 1


@tables
@pytest.mark.parametrize("estimator", ["svm", "knn", "ridge"])
def test_permuted_columns_give_permuted_features(X, estimator):
    expected, found = dafs(estimator).fit(X, y), dafs(estimator).fit(X[:, COLUMNS], y)
    assert_array_equal(found.folds_, expected.folds_)
    subspaces = [X[:, features] for features in expected.subspaces_]
    assert_array_equal([X[:, COLUMNS[features]] for features in found.subspaces_], subspaces)
    best, other = (np.argsort(fitted.ranking_) for fitted in (expected, found))
    assert_array_equal(X[:, COLUMNS][:, other], X[:, best])
    assert_array_equal(found.scores_[other], expected.scores_[best])


@pytest.mark.parametrize("name", ["complementary", "one-hot"])
def test_permuted_rows_give_the_same_folds_and_subspaces(name):
    X = TABLES[name]
    expected, found = dafs().fit(X, y), dafs().fit(X[ROWS], y[ROWS])
    assert_array_equal(found.folds_, expected.folds_[ROWS])
    assert_array_equal(found.subspaces_, expected.subspaces_)


@pytest.mark.parametrize("kind", [sparse.csr_array, sparse.csc_array, BitMatrix.from_array])
def test_any_storage_gives_the_same_subspaces(kind):
    X = TABLES["complementary"]
    expected, found = dafs().fit(X, y), dafs().fit(kind(X), y)
    assert_array_equal(found.folds_, expected.folds_)
    assert_array_equal(found.subspaces_, expected.subspaces_)


@tables
def test_permuted_columns_give_the_same_committee(X):
    def committee():
        return RandomSubspaceClassifier("ridge", n_estimators=9, subspace_size=7, random_state=0)

    expected, found = committee().fit(X, y), committee().fit(X[:, COLUMNS], y)
    assert_array_equal(
        [X[:, COLUMNS[features]] for features in found.subsets_],
        [X[:, features] for features in expected.subsets_],
    )
    held_out = committee().held_out_votes(X[:, COLUMNS], y).predicted
    assert_array_equal(held_out, committee().held_out_votes(X, y).predicted)


@pytest.mark.parametrize("name", ["complementary", "one-hot"])
def test_permuted_rows_give_the_same_folds_to_panels_and_committees(name):
    X = TABLES[name]
    search = PanelSizeSearch(InformationGain(), "ridge", max_features=3, random_state=0)
    expected = search.fit(X, y).folds_
    assert_array_equal(search.fit(X[ROWS], y[ROWS]).folds_, expected[ROWS])
    committee = RandomSubspaceClassifier("ridge", n_estimators=5, random_state=0)
    votes = committee.held_out_votes(X, y).predicted
    assert_array_equal(committee.held_out_votes(X[ROWS], y[ROWS]).predicted, votes[ROWS])
