"""The alternating tree: by its formulas, whatever holds the data and in whatever order."""

import pickle
from itertools import combinations_with_replacement, product

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
from sklearn.multiclass import OneVsRestClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

import naive_adtree
from consilience import ADTree, BitMatrix
from consilience.exceptions import DataError, UsageError
from naive_adtree import assert_same_tree, nested


@parametrize_with_checks([ADTree(), ADTree(3, tolerance=0.0)])
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@st.composite
def tables(draw):
    """X with many ties and some missing values, y, weights, nominal columns and rounds."""
    n, p = draw(st.integers(2, 16)), draw(st.integers(1, 4))
    cells = st.integers(0, draw(st.integers(1, 5))).map(float)
    if draw(st.booleans()):
        cells |= st.just(np.nan)
    X = draw(arrays(np.float64, (n, p), elements=cells))
    y = draw(arrays(np.int64, n, elements=st.integers(0, 1)))
    y[:2] = 0, 1
    weights = draw(st.none() | arrays(np.float64, n, elements=st.sampled_from([0.5, 1, 3])))
    nominal = draw(arrays(np.bool_, p))
    return X, y, weights, nominal, draw(st.integers(1, 8))


@given(tables())
def test_it_is_the_slow_twin(table):
    X, y, weights, nominal, n_rounds = table
    model = ADTree(n_rounds, categorical_features=nominal).fit(X, y, weights)
    twin = naive_adtree.grow(
        X.tolist(), y.tolist(), n_rounds, np.flatnonzero(nominal).tolist(), weights
    )
    assert_same_tree(nested(model.rules_), twin)
    new = np.vstack([X, X + 0.5, np.full(X.shape[1], np.nan)])  # halves are thresholds
    sums = naive_adtree.add_up(new.tolist(), twin)
    assert_allclose(model.decision_function(new), sums, rtol=1e-9, atol=1e-11)
    assert_allclose(model.predict_proba(new)[:, 1], 1 / (1 + np.exp(-np.array(sums))), rtol=1e-9)


@given(tables(), st.floats(0.0, 2.5))
def test_thresholds_lie_between_values_farther_apart_than_the_tolerance(table, tolerance):
    X, y, _, _, n_rounds = table
    model = ADTree(n_rounds, tolerance=tolerance).fit(X, y)
    twin = naive_adtree.grow(X.tolist(), y.tolist(), n_rounds, tolerance=tolerance)
    assert_same_tree(nested(model.rules_), twin)


@given(st.lists(st.booleans(), min_size=10, max_size=10).filter(lambda y: 0 < sum(y) < 10))
def test_of_places_and_columns_that_can_be_exchanged_the_first_wins(labels):
    label = dict(zip(combinations_with_replacement(range(3), 3), labels, strict=True))
    X = [[float(cell) for cell in row] for row in product(range(3), repeat=3)]
    y = [int(label[tuple(sorted(map(int, row)))]) for row in X]
    for nominal in ([], [0, 1, 2]):
        model = ADTree(7, categorical_features=nominal).fit(X, y)
        assert_same_tree(nested(model.rules_), naive_adtree.grow(X, y, 7, nominal))


def test_of_places_with_the_same_rows_the_first_in_depth_wins():
    negative, positive = [5, 2, 1, 3], [2, 3, 7, 5]
    X = [[float(x)] for counts in (negative, positive) for x in range(4) for _ in range(counts[x])]
    y = [0] * sum(negative) + [1] * sum(positive)
    model = ADTree(7).fit(X, y)
    assert_same_tree(nested(model.rules_), naive_adtree.grow(X, y, 7))
    # The rows above 1.5 are at two places, of which the second was there first.
    assert model.rules_.parent.tolist() == [-1, 0, 0, 5, 3, 9]
    assert model.rules_.cut[[2, 4]].tolist() == [1.5, 1.5]


def test_a_threshold_that_falls_on_a_value_divides_as_it_says():
    one, two, three = 1.0, 1.0 + 2**-52, 1.0 + 2**-51
    for low, high in ((one, two), (two, three)):
        X, y = [[low], [high], [low], [high], [low]], [0, 1, 0, 1, 0]
        model = ADTree(2, tolerance=0.0).fit(X, y)
        assert model.rules_.cut[1] in (low, high)
        assert_same_tree(nested(model.rules_), naive_adtree.grow(X, y, 2, tolerance=0.0))


@given(tables(), st.randoms(use_true_random=False))
def test_the_order_of_the_rows_does_not_matter(table, random):
    X, y, weights, nominal, n_rounds = table
    order = list(range(len(y)))
    random.shuffle(order)
    model = ADTree(n_rounds, categorical_features=nominal)
    expected = nested(model.fit(X, y, weights).rules_)
    shuffled = model.fit(X[order], y[order], None if weights is None else weights[order])
    assert_same_tree(nested(shuffled.rules_), expected)


@given(tables())
def test_more_rounds_go_on_from_fewer(table):
    X, y, weights, nominal, n_rounds = table
    few = ADTree(n_rounds, categorical_features=nominal).fit(X, y, weights).rules_
    many = ADTree(n_rounds + 5, categorical_features=nominal).fit(X, y, weights).rules_
    for ours, theirs in zip(few[:4], many[:4], strict=True):
        assert_array_equal(ours, theirs[: len(ours)])


def test_whole_weights_are_copies_and_0_is_none():
    rng = np.random.default_rng(1)
    X, y = rng.integers(0, 6, (60, 3)).astype(float), rng.integers(0, 2, 60)
    weights = rng.integers(0, 4, 60)
    y[-1], weights[-1] = 7, 0  # its class does not count
    weighted = ADTree(categorical_features=[2]).fit(X, y, weights)
    copied = ADTree(categorical_features=[2])
    copied.fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    assert_array_equal(weighted.classes_, [0, 1])
    assert_same_tree(nested(weighted.rules_), nested(copied.rules_))


def test_rounds_that_find_a_test_again_add_to_its_votes():
    X, y = [[0.0], [0.0], [1.0], [1.0]], [0, 0, 1, 1]
    one, many = (ADTree(rounds).fit(X, y).rules_ for rounds in (1, 9))
    assert len(one.parent) == len(many.parent) == 2
    assert (np.abs(many.votes[1]) > np.abs(one.votes[1])).all()


def test_missing_values_add_nothing():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(80, 3))
    model = ADTree().fit(X, X[:, 0] * X[:, 1] > 0)
    root = model.rules_.votes[0, 0]
    assert_allclose(model.decision_function(np.full((1, 3), np.nan)), root)
    X[:, 2] = np.nan  # a column without values is never asked for
    assert 2 not in ADTree().fit(X, X[:, 0] > 0).rules_.feature


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame], ids=["pandas", "polars"])
def test_categories_keep_their_numbers_in_other_frames(frame):
    def make(colours, sizes):
        table = frame({"size": sizes, "colour": colours})
        if frame is pd.DataFrame:
            return table.astype({"colour": "category"})
        return table.with_columns(table["colour"].cast(pl.Categorical))

    colours, sizes = ["red", "blue", "red", "green", None] * 4, [1.0, 2.0, 3.0, None, 5.0] * 4
    y = ["x", "y", "x", "y", "x"] * 4
    model = ADTree(2).fit(make(colours, sizes), y)
    codes = {"blue": 0, "green": 1, "red": 2, "violet": 3, None: np.nan}
    cells = np.array([[np.nan if s is None else s for s in sizes], [codes[c] for c in colours]]).T
    plain = ADTree(2, categorical_features=[1]).fit(cells, y)
    assert_same_tree(nested(model.rules_), nested(plain.rules_))
    new, numbers = ["violet", "red", None], [[2.0, 3], [2.0, 2], [2.0, np.nan]]
    found = model.decision_function(make(new, [2.0] * 3))
    assert_array_equal(found, plain.decision_function(numbers))
    assert "(1) colour = red: " in model.export_text()
    assert "(1) x1 != 2: " in plain.export_text()


def test_the_text_shows_where_each_test_stands():
    rng = np.random.default_rng(3)
    X = rng.integers(0, 9, (100, 3))
    model = ADTree(12).fit(X, np.where((X[:, 0] > 4) ^ (X[:, 1] > 3), "good", "bad"))
    rules, lines = model.rules_, model.export_text(decimals=2).splitlines()
    assert lines[0] == "above 0: 'good', else 'bad'"
    assert len(lines) == 2 * len(rules.parent)  # two for each test, and two at the top
    depth = {0: -1}
    for rule in range(1, len(rules.parent)):
        depth[2 * rule] = depth[2 * rule + 1] = depth[rules.parent[rule]] + 1
        own = [line for line in lines if f"({rule}) " in line]
        name, cut = f"x{rules.feature[rule]}", rules.cut[rule]
        for line, sign, vote in zip(own, ("<", ">="), rules.votes[rule], strict=True):
            margin = "|   " * depth[2 * rule]
            assert line == f"{margin}({rule}) {name} {sign} {cut:g}: {vote:+.2f}"
    assert max(depth.values()) > 0


def test_every_storage_gives_the_same_answer():
    rng = np.random.default_rng(4)
    ones = rng.integers(0, 2, (90, 12))
    y = (ones[:, 0] + ones[:, 1] + rng.integers(0, 2, 90)) > 1
    expected = ADTree().fit(ones, y).decision_function(ones)
    stores = (np.asfortranarray, np.float32, sparse.csr_array, sparse.csc_array,
              BitMatrix.from_array, pd.DataFrame, pl.DataFrame)  # fmt: skip
    for store in stores:
        table = store(ones)
        model = ADTree().fit(table, y)
        assert model.decision_function(table).tobytes() == expected.tobytes()


def test_even_votes_are_0_and_go_to_the_first_class():
    X = np.array([[0, 1], [2, 2], [2, 0], [0, 2], [1, 0], [0, 2], [1, 0], [1, 1]])
    model = ADTree(3).fit(X, ["a", "b"] * 4)
    row = [[np.nan, 1]]  # two votes that cancel but for their last digits
    met = model.rules_.votes[[1, 2], [1, 0]]
    assert 0 < abs(met.sum()) < 1e-15 < abs(met).min()
    assert model.decision_function(row)[0] == 0.0
    assert model.predict(row) == ["a"]
    assert_array_equal(model.predict_proba(row), [[0.5, 0.5]])


def test_it_survives_pickling_cloning_and_several_classes():
    rng = np.random.default_rng(5)
    X, y = rng.normal(size=(60, 3)), rng.integers(0, 3, 60)
    model = ADTree(5, tolerance=0.1).fit(X, y > 0)
    again = pickle.loads(pickle.dumps(model))
    assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    assert clone(model).get_params() == model.get_params()
    wrapped = OneVsRestClassifier(ADTree(40)).fit(X, y)
    assert (wrapped.predict(X) == y).mean() > 0.8


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"n_rounds": 0}, "n_rounds is 0; give a whole number, 1 or more"),
        ({"n_rounds": 2.5}, r"n_rounds is 2\.5"),
        ({"tolerance": -1}, "tolerance is -1; give a number of 0 or more"),
        ({"tolerance": "small"}, "tolerance is 'small'"),
        ({"categorical_features": [7]}, "categorical_features must be"),
    ],
)
def test_wrong_requests_get_a_sentence(options, words):
    with pytest.raises(UsageError, match=words):
        ADTree(**options).fit([[1.0], [2.0]], [0, 1])


def test_other_than_two_classes_get_a_sentence():
    X = [[1.0], [2.0], [3.0]]
    with pytest.raises(DataError, match="y has 3 classes, so wrap ADTree in"):
        ADTree().fit(X, [0, 1, 2])
    with pytest.raises(DataError, match="All 2 rows that count have the class 'b'"):
        ADTree().fit(X, ["a", "b", "b"], [0, 1, 1])
    with pytest.raises(DataError, match="'x0' holds infinity"):
        ADTree().fit([[1.0], [np.inf]], [0, 1])
