import numpy as np
from hypothesis import given
from numpy.testing import assert_array_equal
from scipy import sparse

from consilience import BitMatrix
from consilience.sampling.content_keys import column_order, content_keys
from small_tables import binary, labelled


def complementary(n_pairs=100, seed=0):
    """60 rows of as many ones each: columns, and what they leave."""
    half = np.random.default_rng(seed).integers(0, 2, size=(60, n_pairs))
    return np.hstack([half, 1 - half]).astype(float), np.arange(60) % 2


def numbered(contents):
    """Equal contents get the same number."""
    known = sorted(set(contents))
    return [known.index(content) for content in contents]


def naive_kinds(X, y):
    """Rows and columns told apart by lists of what is in them, until nothing more is."""
    rows, columns = y.tolist(), [0] * X.shape[1]
    for _ in range(sum(X.shape)):
        columns = numbered([tuple(sorted(zip(c, rows, strict=True))) for c in X.T.tolist()])
        lists = [tuple(sorted(zip(r, columns, strict=True))) for r in X.tolist()]
        rows = numbered(list(zip(lists, y.tolist(), strict=True)))
    return rows, columns


def assert_same_kinds(keys, kinds):
    pairs = set(zip(keys.tolist(), kinds, strict=True))
    assert len(pairs) == len(set(kinds)) == np.unique(keys).size


@given(labelled(max_columns=6))
def test_keys_tell_apart_what_lists_do(data):
    X, y = data
    X = X + 0.0  # one zero
    keys, (rows, columns) = content_keys(X, y), naive_kinds(X, y)
    assert_same_kinds(keys.columns, columns)
    simple = numbered([tuple(sorted(row)) for row in X.tolist()])
    # Rows keep the keys of their values while these tell as much apart.
    assert_same_kinds(keys.rows, simple if len(set(simple)) == len(set(rows)) else rows)


@given(labelled(max_columns=6))
def test_order_and_storage_do_not_matter(data):
    X, y = data
    keys = content_keys(X, y)
    rng = np.random.default_rng(0)
    rows, columns = rng.permutation(X.shape[0]), rng.permutation(X.shape[1])
    turned = content_keys(X[rows][:, columns], y[rows])
    assert_array_equal(turned.rows, keys.rows[rows])
    assert_array_equal(turned.columns, keys.columns[columns])
    stored = sparse.csr_array(np.ones(X.shape))  # zeros are stored, too
    stored.data = X.ravel().astype(float)
    for table in (np.asfortranarray(X), X.astype(np.float32), sparse.csc_array(X), stored):
        for found, expected in zip(content_keys(table, y), keys, strict=True):
            assert_array_equal(found, expected)


@given(labelled(values=binary, max_columns=6))
def test_packed_tables_have_the_same_keys(data):
    X, y = data
    packed = BitMatrix.from_array(X)
    for found, expected in zip(content_keys(packed, y), content_keys(X, y), strict=True):
        assert_array_equal(found, expected)
    keys = content_keys(X, y).columns
    assert_array_equal(column_order(packed, keys), column_order(X, keys))


@given(labelled(max_columns=6))
def test_a_row_of_weight_two_is_two_copies(data):
    X, y = data
    weights = np.arange(y.size) % 3
    copies = np.repeat(np.arange(y.size), weights)
    expected = content_keys(X[copies], y[copies]).columns
    assert_array_equal(content_keys(X, y, weights.astype(float)).columns, expected)


def test_equal_sums_of_rows_hide_nothing():
    X, y = complementary()
    assert np.unique(X.sum(axis=1)).size == 1
    keys = content_keys(X, y)
    assert np.unique(keys.columns).size == np.unique(X, axis=1).shape[1] == 200
    assert np.unique(keys.rows).size == 60


@given(labelled(values=binary, max_columns=6))
def test_only_equal_columns_stay_in_the_order_of_the_data(data):
    X, y = data
    order = column_order(X, content_keys(X, y).columns)
    turned = X[:, ::-1]
    found = column_order(turned, content_keys(turned, y).columns)
    assert_array_equal(turned[:, found], X[:, order])
