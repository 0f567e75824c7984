"""Distances between the values in some rows and in all."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal

import naive_qifs
from consilience.committee.query_columns import QueryColumns
from consilience.committee.value_distances import (
    DISTANCES,
    check_distance,
    distance_keys,
    value_distances,
)
from consilience.exceptions import UsageError

KINDS = [*((kind, None) for kind in DISTANCES), ("square", "variance")]
every_kind = pytest.mark.parametrize(("kind", "normalize"), KINDS)


@st.composite
def tables(draw, largest=3, missing=False):
    """Columns of few values, and a choice of some of their rows."""
    n, p = draw(st.integers(3, 14)), draw(st.integers(1, 6))
    X = draw(arrays(np.float64, (n, p), elements=st.integers(0, largest).map(float)))
    if missing:
        X[draw(arrays(np.bool_, (n, p)))] = np.nan
    chosen = draw(st.sets(st.integers(0, n - 1), min_size=1, max_size=n - 1))
    return X, sorted(chosen)


def distances(X, rows, kind, normalize):
    columns = QueryColumns.of(X, discretize=None)
    mask = np.zeros(len(X), dtype=bool)
    mask[rows] = True
    given = columns.counts(), columns.counts(mask), len(X), len(rows), columns.encoding.starts
    how = {"distance": kind, "normalize": normalize}
    return value_distances(*given, **how), distance_keys(*given, **how)


@every_kind
@given(tables(largest=1))
def test_binary_distances_are_those_of_the_naive_twin(kind, normalize, table):
    X, rows = table
    found, keys = distances(X, rows, kind, normalize)
    assert_allclose(found, [naive_qifs.distance(c, rows, kind, normalize) for c in X.T], atol=1e-12)
    assert_array_equal(found == 0, keys == 0)
    order = np.argsort(keys, kind="stable")
    assert (np.diff(found[order]) >= 0).all()


@every_kind
@given(tables(missing=True))
def test_distances_of_many_values_are_those_of_the_naive_twin(kind, normalize, table):
    X, rows = table
    found, _ = distances(X, rows, kind, normalize)
    assert_allclose(found, [naive_qifs.distance(c, rows, kind, normalize) for c in X.T], atol=1e-12)


@given(tables(largest=1))
def test_binary_features_are_ordered_by_the_difference_of_shares(table):
    X, rows = table
    apart = np.abs(X.mean(axis=0) - X[rows].mean(axis=0))
    for kind in ("square", "block2", "block"):
        found, keys = distances(X, rows, kind, None)
        assert keys.dtype == np.int64
        assert_array_equal(
            np.sign(keys[:, None] - keys), np.sign((apart[:, None] - apart).round(9))
        )
        assert_allclose(np.sqrt(found) if kind != "block" else found, apart * found_factor(kind))


def found_factor(kind):
    return {"square": np.sqrt(2), "block2": 2.0, "block": 2.0}[kind]


@every_kind
@given(tables(largest=2))
def test_constant_features_have_no_distance(kind, normalize, table):
    X, rows = table
    X[:, 0] = 1.0
    assert distances(X, rows, kind, normalize)[0][0] == 0


@every_kind
@given(tables(missing=True), st.randoms(use_true_random=False))
def test_permuted_columns_have_the_same_distances_to_the_last_bit(kind, normalize, table, random):
    X, rows = table
    order = list(range(X.shape[1]))
    random.shuffle(order)
    for plain, turned in zip(
        distances(X, rows, kind, normalize),
        distances(X[:, order], rows, kind, normalize),
        strict=True,
    ):
        assert_array_equal(turned, plain[order])


@given(tables(largest=1))
def test_a_feature_and_its_reverse_tie(table):
    X, rows = table
    assume(X.shape[1] > 1)
    X[:, 1] = 1 - X[:, 0]
    for kind, normalize in KINDS:
        keys = distances(X, rows, kind, normalize)[1]
        assert keys[0] == keys[1]


@pytest.mark.parametrize("kind", ["square", "block", "block2"])
@given(tables(largest=4), st.permutations(range(5)))
def test_what_a_value_is_called_makes_no_difference(kind, table, names):
    """The same values in another order: a sum of floats would differ in its last bits."""
    X, rows = table
    assume(X.shape[1] > 1)
    X[:, 1] = np.array(names)[X[:, 0].astype(int)]
    found, keys = distances(X, rows, kind, None)
    assert keys.dtype == np.int64
    assert keys[0] == keys[1]
    assert found[0] == found[1]


@pytest.mark.parametrize("n", [70_000, 50_000_000])
def test_squares_of_many_rows_are_exact_or_floats(n):
    some = n // 2
    totals = np.array([some, n - some, 0, some, n // 4])  # three values, then two features of two
    counts = np.array([some, 0, 0, some, n // 4])
    given = totals, counts, n, some, np.array([0, 3, 4, 5])
    keys = distance_keys(*given, distance="square", normalize=None)
    assert keys.dtype == (np.int64 if n == 70_000 else np.float64)
    assert keys[0] == keys[1] > 0
    assert_allclose(value_distances(*given), [0.5, 0.5, 0.125])
    assert_allclose(value_distances(*given, distance="block"), [1.0, 1.0, 0.5])


def test_large_numbers_of_rows_do_not_overflow():
    n = 3_000_000
    given = np.array([n // 2]), np.array([n // 2]), n, n // 2
    assert_allclose(value_distances(*given), [0.5])
    assert distance_keys(*given, distance="square", normalize=None)[0] == n * n // 4
    assert_allclose(value_distances(*given, normalize="variance"), [1.0])


@pytest.mark.parametrize(("kind", "normalize", "said"), [
    ("euclid", None, "distance is 'euclid'; choose one of square, block2, block, kl."),
    ("square", "sd", "normalize is 'sd'; choose None or 'variance'."),
    ("kl", "variance", "divides squares and distance is 'kl'"),
])  # fmt: skip
def test_other_words_are_refused(kind, normalize, said):
    with pytest.raises(UsageError, match=said):
        check_distance(kind, normalize)
