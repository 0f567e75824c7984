"""Features of any kind as columns of bits."""

import warnings
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.model_selection import KFold, cross_val_score

import naive_qifs
from consilience import BitMatrix, EIFSClassifier, QIFSClassifier
from consilience.committee import query_encoding
from consilience.committee.query_columns import QueryColumns
from consilience.data.mixture import apply_cuts, fit_cuts
from consilience.exceptions import ConsilienceWarning, DataError, UsageError

RNG = np.random.default_rng(0)
ONES = (RNG.random((70, 40)) < 0.1).astype(np.uint8)


class Named:
    """An estimator as far as names go."""

    n_features_in_ = 4


def held(X, **options):
    return QueryColumns.of(X, estimator=Named(), **options)


@st.composite
def tables(draw):
    X = draw(arrays(np.float64, st.tuples(st.integers(2, 9), st.integers(1, 5)),
                    elements=st.integers(0, 3).map(float)))  # fmt: skip
    X[draw(arrays(np.bool_, X.shape))] = np.nan
    return X


@given(tables())
def test_values_become_the_columns_of_the_naive_twin(X):
    columns = held(X, discretize=None)
    bits = columns.bits(np.arange(X.shape[1])).toarray()
    expected = naive_qifs.indicator_columns(X)
    if columns.encoding.starts is None:  # zeros and ones stay, even where all are ones
        assert_array_equal(bits, X)
    else:
        assert_array_equal(bits, expected)
    assert_array_equal(columns.counts(), bits.sum(axis=0))


@given(tables(), st.randoms(use_true_random=False))
def test_features_are_taken_in_any_order(X, random):
    columns = held(X, discretize=None)
    features = [random.randrange(X.shape[1]) for _ in range(4)]
    parts = [columns.bits([j]).toarray() for j in features]
    assert_array_equal(columns.bits(features).toarray(), np.hstack(parts))
    assert_array_equal(
        columns.encoding.encode(X, np.array(features), Named()).toarray(), np.hstack(parts)
    )


@given(tables())
def test_places_do_not_depend_on_where_a_feature_stands(X):
    seed, order = np.random.SeedSequence(1), np.arange(X.shape[1])[::-1]
    found = held(X, discretize=None).places(order, seed)
    turned = held(X[:, order], discretize=None).places(np.arange(order.size), seed)
    assert_array_equal(turned, found)


@pytest.mark.parametrize("kind", [
    np.asarray, np.float32, sparse.csr_array, sparse.csc_matrix, BitMatrix.from_array,
])  # fmt: skip
def test_every_storage_of_binary_data_holds_the_same(kind):
    columns = held(kind(ONES))
    assert columns.encoding.starts is None
    mask = np.arange(70) % 3 == 0
    assert_array_equal(columns.counts(mask), ONES[mask].sum(axis=0))
    assert_array_equal(columns.bits([7, 3]).toarray(), ONES[:, [7, 3]])
    weights = RNG.random(70)
    assert_allclose(columns.weighted_counts(weights), weights @ ONES)


def test_the_smaller_storage_is_chosen_and_said():
    rare = sparse.random_array((4000, 50), density=0.001, rng=0, dtype=float)
    rare.data[:] = 1
    assert held(rare).storage.startswith("Lists of the rows with a one")
    dense = sparse.csr_array(ONES)
    assert held(dense).storage.startswith("Packed bits, ")
    assert "as given" in held(BitMatrix.from_array(ONES)).storage
    assert "in place of" in held(ONES).storage
    assert "3 features cut into few values are" in held(RNG.normal(size=(9, 3))).storage


@pytest.mark.parametrize("method", ["mixture", "quantile"])
def test_many_values_are_cut_and_few_are_not(method):
    X = RNG.normal(size=(60, 4))
    X[:, 1] = RNG.integers(0, 2, 60) * 5.0
    X[:, 2] = RNG.integers(0, 3, 60)
    columns = held(X, discretize=method, n_bins=3)
    cuts = fit_cuts(X[:, [0, 3]], method, 3)
    codes = apply_cuts(X[:, [0, 3]], cuts)
    assert_array_equal(columns.bits([1]).toarray()[:, 0], X[:, 1] == 5)
    assert_array_equal(columns.bits([2]).toarray(), X[:, [2]] == [0, 1, 2])
    for at, feature in enumerate((0, 3)):
        if method == "mixture":
            assert_array_equal(columns.bits([feature]).toarray()[:, 0], codes[:, at])
        else:
            assert_array_equal(columns.bits([feature]).toarray(), codes[:, [at]] == [0, 1, 2])
    for kind in (sparse.csr_array, sparse.csc_array):
        other = held(kind(X), discretize=method, n_bins=3)
        assert_array_equal(other.counts(), columns.counts())


def test_blocks_make_no_difference(monkeypatch):
    X = RNG.normal(size=(30, 25)).round(1)
    whole = held(X, discretize="quantile", n_bins=4)
    places = whole.places(np.arange(25), np.random.SeedSequence(0))
    monkeypatch.setattr(query_encoding, "BLOCK_CELLS", 90)
    parts = held(X, discretize="quantile", n_bins=4)
    assert_array_equal(parts.discrete.bits.words, whole.discrete.bits.words)
    assert_array_equal(parts.places(np.arange(25), np.random.SeedSequence(0)), places)
    weights = RNG.random(30)
    assert_allclose(parts.weighted_counts(weights), whole.weighted_counts(weights))


def test_neighbouring_floats_are_still_told_apart():
    X = np.array([[1.0], [np.nextafter(1.0, 2.0)], [1.0]])
    assert_array_equal(held(X, discretize=None).bits([0]).toarray()[:, 0], [0, 1, 0])


def test_a_column_of_too_many_values_is_named():
    with pytest.raises(DataError, match="Column 'x0' takes 300 values, more than 255"):
        held(np.arange(300.0)[:, None], discretize=None)


@pytest.mark.parametrize(("options", "said"), [
    ({"discretize": "mdl"}, "discretize is 'mdl'; choose 'mixture', 'quantile' or None"),
    ({"n_bins": 1}, "n_bins is 1; columns are cut into 2 to 254 parts"),
    ({"n_bins": 2.5}, "n_bins is 2.5;"),
])  # fmt: skip
def test_other_ways_to_cut_are_refused(options, said):
    with pytest.raises(UsageError, match=said):
        held(ONES, **options)


def fitted(X):
    y = np.arange(len(X)) % 2
    return QIFSClassifier(n_rounds=2, patience=None, random_state=0).fit(X, y)


def test_values_other_than_zero_and_one_are_named_in_new_rows():
    frame = pd.DataFrame(ONES.copy(), columns=[f"bit {j}" for j in range(40)])
    committee = fitted(frame)
    frame.iloc[3, 5] = 2
    with pytest.raises(DataError, match="Column 'bit 5' holds 2 in row 3"):
        committee.predict(frame)
    with pytest.raises(DataError, match="Column 'x5' holds 2 in row 3"):
        fitted(ONES).predict(sparse.csr_array(frame.to_numpy()))


def test_missing_values_are_a_value_of_their_own():
    X = ONES.astype(float)
    X[::2, :10] = np.nan
    y = np.arange(70) % 2  # known by what is missing alone
    committee = QIFSClassifier(n_rounds=2, n_features=10, random_state=0).fit(X, y)
    assert committee.score(X, y) == 1.0


def test_a_missing_value_where_there_was_none_counts_as_no_value():
    X = np.column_stack([np.arange(40) % 4, (np.arange(40) % 5 > 0) * 7.0, np.arange(40) % 3])
    columns = held(X, discretize=None)
    encoding = replace(columns.encoding, common=2 * columns.counts() > 40)
    new = X[:3].copy()
    new[1] = np.nan
    with pytest.warns(ConsilienceWarning, match=NEW.format("x0", "1, and 2 more columns")) as said:
        bits = encoding.encode(new, np.arange(3), Named()).toarray()
    assert len(said) == 1
    assert_array_equal(bits[1], [0, 0, 0, 0, 1, 0, 0, 0])  # of two values the commoner
    assert_array_equal(bits[[0, 2]], columns.bits([0, 1, 2]).toarray()[[0, 2]])
    with pytest.warns(ConsilienceWarning, match=NEW.format("x2", 1)):
        assert_array_equal(encoding.encode(new, np.array([2]), Named()).toarray()[1], [0, 0, 0])


NEW = r"Column '{}' \(row {}\) holds NaN and held none when the committee was trained;"


@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array, sparse.csc_array])
def test_a_missing_value_in_binary_data_counts_as_the_commoner_one(kind):
    X = np.column_stack([np.arange(40) % 5 > 0, np.arange(40) % 5 == 0]).astype(float)
    y = X[:, 0]
    committee = EIFSClassifier("nb", n_rounds=9, n_features=2, random_state=0).fit(X, y)
    X[6:8] = np.nan  # where these were 1 and 0
    with pytest.warns(ConsilienceWarning, match=NEW.format("x0", "6, and 1 more columns")) as said:
        shares = committee.predict_proba(kind(X))
    assert len(said) == 1
    assert_array_equal(shares[6:8], shares[8:10])
    assert (shares[6:8, 1] == 1).all()
    X[3, 1] = 2
    with pytest.warns(ConsilienceWarning), pytest.raises(DataError, match="'x1' holds 2 in row 3"):
        committee.predict(kind(X))


def test_a_fold_may_hold_the_only_missing_values():
    X = ONES.astype(float)
    X[:10] = np.nan
    y = np.arange(70) % 2
    committee = QIFSClassifier("nb", n_rounds=2, n_features=10, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConsilienceWarning)
        scores = cross_val_score(committee, X, y, cv=KFold(7))
    assert np.isfinite(scores).all()


def test_one_feature_of_many_values_costs_the_others_nothing():
    X = np.tile(np.arange(300)[:, None] % 2 * 5.0, 2000)
    X[:, 1234] = np.arange(300) % 200
    columns = held(X, discretize=None)
    assert columns.encoding.cuts.size == 1999 + 199
    assert columns.encoding.starts[-1] == 1999 + 200
    assert_array_equal(columns.bits([1234]).toarray(), X[:, [1234]] == np.arange(200))


def test_copies_are_ordered_by_a_draw_that_favours_no_place():
    columns = held(np.hstack([ONES, ONES]))
    first = [columns.ranks([3, 43], np.random.SeedSequence(seed)).argmin() for seed in range(40)]
    assert 10 < np.sum(first) < 30
    ranks = columns.ranks(np.arange(80), np.random.SeedSequence(0))
    assert_array_equal(np.sort(ranks), np.arange(80))
    places = columns.places(np.arange(80), np.random.SeedSequence(0))
    assert (np.diff(places[np.argsort(ranks)].astype(float)) >= 0).all()


def test_the_name_of_the_content_is_the_same_for_every_storage():
    cells = (np.arange(4000)[:, None] % 97 == np.arange(30)).astype(np.uint8)
    kinds = (np.asarray, np.float32, sparse.csr_array, BitMatrix.from_array)
    assert len({held(kind(cells)).fingerprint() for kind in kinds}) == 1
    assert held(sparse.csr_array(cells)).storage.startswith("Lists")
    shuffled = RNG.permuted(cells, axis=0)  # as many ones in every column
    assert held(shuffled).fingerprint() != held(cells).fingerprint()
    values = RNG.normal(size=(30, 4)).round(1)
    assert held(values).fingerprint() == held(sparse.csc_array(values)).fingerprint()
    assert held(values + 1).fingerprint() != held(values).fingerprint()


def test_nominal_columns_are_refused_by_name():
    frame = pd.DataFrame({"size": [1, 2, 3, 4], "kind": pd.Categorical(list("abab"))})
    with pytest.raises(DataError, match="Column 'kind' is nominal and QIFSClassifier needs"):
        QIFSClassifier().fit(frame, [0, 1, 0, 1])


def test_features_of_many_values_can_tell_the_class():
    X = RNG.integers(0, 5, (80, 3))
    y = np.isin(X[:, 0], [0, 3])
    committee = QIFSClassifier(n_rounds=2, discretize=None, random_state=0).fit(X, y)
    assert committee.score(X, y) == 1.0
