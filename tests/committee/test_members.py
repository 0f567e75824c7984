"""Members that take bits are told of packed columns, whatever holds the data."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse

from consilience import BitMatrix, DiscreteNB, RandomSubspaceClassifier
from consilience.committee import members
from consilience.committee.members import BitRows, Members, Training, fit_members
from consilience.data.scaled_columns import ScaledColumns
from consilience.exceptions import DataError
from consilience.learners import BitBernoulliNB, BitLinearSVC, BitTreeClassifier

MEMBERS = [BitBernoulliNB(), BitLinearSVC(), BitTreeClassifier()]
STORAGES = [np.asarray, sparse.csr_array, sparse.csc_array, BitMatrix.from_array]
every = pytest.mark.parametrize("member", MEMBERS, ids=lambda m: type(m).__name__)


class Dense:
    """The same classifier, but members are given dense numbers."""

    takes_bits = False


def table():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (130, 20))
    return X, np.array(["a", "b", "c"])[X[:, 0] + (X[:, 1] & X[:, 2])]


def committee(member):
    return RandomSubspaceClassifier(
        member, n_estimators=7, subspace_size=8, scale=False, random_state=0, integration="vote"
    )


@every
def test_packed_members_say_what_dense_ones_say(member):
    X, y = table()
    kind = type(member)
    dense = type(kind.__name__, (Dense, kind), {"__init__": kind.__init__})()
    expected = committee(dense).fit(X, y)
    for make in STORAGES:
        ours = committee(member).fit(make(X), y)
        assert [s.tolist() for s in ours.subsets_] == [s.tolist() for s in expected.subsets_]
        for ask in STORAGES:
            assert_allclose(ours.predict_proba(ask(1 - X)), expected.predict_proba(1 - X))
        last = list(ours.staged_predict_proba(make(1 - X)))[-1]
        assert_allclose(last, expected.predict_proba(1 - X))


@every
def test_rows_are_asked_in_blocks(member, monkeypatch):
    X, y = table()
    fitted = committee(member).fit(BitMatrix.from_array(X), y)
    whole = fitted.predict_proba(BitMatrix.from_array(X))
    monkeypatch.setattr(members, "BLOCK_CELLS", 300)
    assert len(list(fitted._members.blocks(X))) > 3
    assert_array_equal(fitted.predict_proba(BitMatrix.from_array(X)), whole)
    assert_array_equal(fitted.predict_proba(X), whole)


class Watched(BitMatrix):
    """Remembers which columns were read."""

    def take(self, rows=None, columns=None):
        self.read = [*getattr(self, "read", []), np.unique(columns)]
        return super().take(rows, columns)


def test_only_columns_of_members_are_read_and_those_of_one_at_a_time():
    X, y = table()
    fitted = committee(BitTreeClassifier()).fit(X, y)
    rows = Watched(BitMatrix.from_array(X).words, len(X))
    fitted.predict(rows)
    assert len(rows.read) >= len(fitted.subsets_)
    own = {tuple(np.sort(subset)) for subset in fitted.subsets_}
    assert {tuple(columns) for columns in rows.read} == own


def test_weights_reach_packed_members():
    X, y = table()
    weights = np.random.default_rng(0).integers(0, 3, len(y)).astype(float)
    copies = np.repeat(np.arange(len(y)), weights.astype(int))
    ours = committee(BitTreeClassifier()).fit(X, y, sample_weight=weights)
    theirs = committee(BitTreeClassifier()).fit(X[copies], y[copies])
    assert_array_equal(ours.predict(X), theirs.predict(X))


def test_other_values_are_named_by_their_column():
    X, y = table()
    fitted = committee(BitBernoulliNB()).fit(X, y)
    column = int(fitted._members.used[3])
    X[5, column] = 4
    with pytest.raises(DataError, match=rf"Column {column} \(counted from 0\) holds 4 in row 5"):
        fitted.predict(X)
    with pytest.raises(DataError, match=rf"Column {column} \(counted from 0\) holds 4 in row 5"):
        committee(BitBernoulliNB()).fit(X, y)


def test_rows_of_a_block_are_rows_of_the_table():
    X, _ = table()
    block = BitRows(BitMatrix.from_array(X), slice(64, 130))
    assert len(block) == 66
    assert len(block[[3, 1]]) == 2
    assert_array_equal(block[[3, 1]].take(np.array([5])).toarray(), X[[67, 65]][:, [5]])


def test_naive_bayes_by_name_is_fitted_to_values_as_they_are():
    rng = np.random.default_rng(1)
    y = rng.integers(0, 3, 80)
    X = rng.normal(size=(80, 6)) + y[:, None]
    ours = RandomSubspaceClassifier(
        "bayes", n_estimators=4, subspace_size=3, scale=False, integration="vote", random_state=0
    ).fit(X, y)
    for member, features in zip(ours.estimators_, ours.subsets_, strict=True):
        Z = X[:, features]
        assert_array_equal(member.predict_proba(Z), DiscreteNB().fit(Z, y).predict_proba(Z))
    assert ours.score(X, y) > 0.8


def test_members_are_told_of_missing_values_and_nominal_columns():
    rng = np.random.default_rng(2)
    X = rng.integers(0, 13, (60, 5)).astype(float)
    X[rng.random(X.shape) < 0.1] = np.nan
    y, nominal = rng.integers(0, 2, 60), np.arange(5) < 2
    subsets = [np.array([0, 3]), np.array([4, 1, 2])]
    seeds = np.random.SeedSequence(0).spawn(2)
    columns = ScaledColumns(X, scale=False)
    training = Training(columns, y, np.arange(2), None, seeds[0], nominal)
    fitted = fit_members(DiscreteNB(), training, subsets, seeds)
    (Z,) = Members.of(fitted, subsets, training).blocks(X)
    found = Members.of(fitted, subsets, training).predicted(Z)
    for features, own in zip(subsets, found, strict=True):
        model = DiscreteNB(categorical_features=nominal[features]).fit(X[:, features], y)
        assert_array_equal(own, model.predict(X[:, features]))
