import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import norm
from sklearn.tree import DecisionTreeClassifier

import naive_bits
from consilience import BitMatrix
from consilience.exceptions import DataError, UsageError
from consilience.learners import BitTreeClassifier

GOLDEN = Path(__file__).parents[1] / "golden" / "j48.json"
tables = st.tuples(st.integers(2, 80), st.integers(1, 6), st.integers(1, 4)).flatmap(
    lambda size: st.tuples(
        arrays(np.uint8, size[:2], elements=st.integers(0, 1)),
        arrays(np.int64, size[0], elements=st.integers(0, size[2] - 1)),
    )
)
criteria = st.sampled_from(["gain_ratio", "entropy", "gini"])


def reached(tree, X):
    """Rows of each node, walked cell by cell."""
    rows = {0: list(range(len(X)))}
    for node, (feature, children) in enumerate(zip(*tree.nodes_[:2], strict=True)):
        if feature >= 0:
            for value in (0, 1):
                rows[children[value]] = [i for i in rows[node] if X[i, feature] == value]
    return rows


@given(tables, criteria, st.integers(1, 3), st.none() | st.integers(0, 3), st.integers(0, 9))
def test_every_split_is_the_best_that_is_allowed(table, criterion, min_leaf, max_depth, seed):
    X, y = table
    tree = BitTreeClassifier(
        criterion, min_samples_leaf=min_leaf, max_depth=max_depth, pruning=None, random_state=seed
    ).fit(BitMatrix.from_array(X), y)
    depth = {0: 0}
    rows = reached(tree, X)
    assert len(rows) == tree.nodes_.feature.size
    for node, own in rows.items():
        labels = y[own].tolist()
        assert_array_equal(tree.nodes_.counts[node], [labels.count(c) for c in tree.classes_])
        worth = naive_bits.allowed_splits(X[own], labels, criterion, min_leaf)
        feature = tree.nodes_.feature[node]
        if feature < 0:
            assert len(set(labels)) == 1 or depth[node] == max_depth or not worth
        else:
            assert_allclose(worth[feature], max(worth.values()), rtol=1e-9, atol=1e-12)
            depth |= dict.fromkeys(tree.nodes_.children[node].tolist(), depth[node] + 1)
    assert tree.get_depth() == max(depth.values())
    for node in np.flatnonzero(tree.nodes_.feature < 0):
        assert (tree.apply(X)[rows[node]] == node).all()


@given(tables, criteria, st.sampled_from([0.05, 0.25, 0.5]))
def test_subtrees_are_pruned_where_a_leaf_is_expected_to_err_as_often(table, criterion, confidence):
    X, y = table
    whole = BitTreeClassifier(criterion, pruning=None, random_state=0).fit(X, y)
    pruned = BitTreeClassifier(criterion, confidence=confidence, random_state=0).fit(X, y)
    z, rows = norm.ppf(1 - confidence), reached(whole, X)

    def wrong(node):
        return len(rows[node]) - np.bincount(y[rows[node]]).max()

    def leaves_below(node):
        if whole.nodes_.feature[node] < 0:
            return [node]
        return [leaf for child in whole.nodes_.children[node] for leaf in leaves_below(child)]

    def walk(node):
        """Nested tuples of what is left, and its expected errors."""
        leaf = naive_bits.expected_errors(y[rows[node]].tolist(), z, confidence)
        feature = whole.nodes_.feature[node]
        if feature < 0 or sum(map(wrong, leaves_below(node))) >= wrong(node):
            return (), leaf
        parts = [walk(child) for child in whole.nodes_.children[node]]
        below = sum(errors for _, errors in parts)
        if leaf <= below + 0.1:
            return (), leaf
        return (feature, *(part for part, _ in parts)), below

    def left(node):
        feature = pruned.nodes_.feature[node]
        return () if feature < 0 else (feature, *map(left, pruned.nodes_.children[node]))

    assert left(0) == walk(0)[0]


@pytest.mark.parametrize("criterion", ["entropy", "gini"])
@pytest.mark.parametrize("n_classes", [2, 4])
def test_without_pruning_it_is_the_tree_of_scikit_learn(criterion, n_classes):
    rng = np.random.default_rng(n_classes)
    X = rng.integers(0, 2, (400, 8))
    y = (X[:, :3] @ [1, 2, 4] + (rng.random(400) < 0.2)) % n_classes
    tree = BitTreeClassifier(criterion, pruning=None, min_samples_leaf=20, random_state=0)
    theirs = DecisionTreeClassifier(criterion=criterion, min_samples_leaf=20, random_state=0)
    ours = tree.fit(X, y)
    theirs.fit(X, y)
    assert ours.get_n_leaves() == theirs.get_n_leaves() > 5
    assert ours.get_depth() == theirs.get_depth()
    assert_allclose(ours.predict_proba(X), theirs.predict_proba(X))
    assert_array_equal(ours.predict(X), theirs.predict(X))
    assert_array_equal(ours.nodes_.feature, np.maximum(theirs.tree_.feature, -1))


def test_it_is_the_j48_of_weka():
    cases = json.loads(GOLDEN.read_text(encoding="utf-8"))
    assert len(cases) >= 5
    for case in cases:
        X = np.array([[int(cell) for cell in row] for row in case["X"].split()])
        tree = BitTreeClassifier(random_state=1).fit(X, [int(label) for label in case["y"]])
        assert tree.get_n_leaves() == case["n_leaves"]
        assert "".join(map(str, tree.predict(X))) == case["predicted"]


@given(tables, criteria, st.integers(0, 5), st.data())
def test_weights_are_copies(table, criterion, seed, data):
    X, y = table
    weights = data.draw(arrays(np.int64, len(y), elements=st.integers(0, 5)))
    if not weights.any():
        weights[0] = 1
    options = {"criterion": criterion, "random_state": seed}
    copies = BitMatrix.from_array(np.repeat(X, weights, axis=0))
    weighted = BitTreeClassifier(**options).fit(X, y, sample_weight=weights)
    copied = BitTreeClassifier(**options).fit(copies, np.repeat(y, weights))
    assert_array_equal(weighted.classes_, copied.classes_)
    for ours, theirs in zip(weighted.nodes_, copied.nodes_, strict=True):
        assert_array_equal(ours, theirs)


def test_equal_columns_are_chosen_by_the_seed_and_not_by_place():
    column = np.repeat([0, 1], 10)
    X = np.column_stack([column, 1 - column, column])
    chosen = {
        int(BitTreeClassifier(random_state=seed).fit(X, column).nodes_.feature[0])
        for seed in range(30)
    }
    assert chosen == {0, 1, 2}


def test_a_tree_as_deep_as_it_can_be():
    X = np.tril(np.ones((150, 150), dtype=np.uint8))  # row i holds i + 1 ones
    y = np.arange(150) % 2
    tree = BitTreeClassifier("entropy", min_samples_leaf=1, pruning=None, random_state=0)
    assert_array_equal(tree.fit(X, y).predict(X), y)
    chain = np.eye(150, dtype=np.uint8)  # each split sets one row apart
    tree.fit(chain, np.arange(150))
    assert tree.get_depth() == 149
    assert_array_equal(tree.predict(chain), np.arange(150))


def test_constant_columns_and_no_columns_make_one_leaf():
    y = np.array([0, 1, 1])
    for X in (np.zeros((3, 2)), np.ones((3, 2))):
        tree = BitTreeClassifier().fit(X, y)
        assert tree.get_n_leaves() == 1
        assert_allclose(tree.predict_proba(X), [[1 / 3, 2 / 3]] * 3)
    empty = BitMatrix(np.empty((0, 1), np.uint64), 3)
    assert_array_equal(BitTreeClassifier().fit(empty, y).predict(empty), [1, 1, 1])


def test_wrong_requests_get_a_sentence():
    X, y = np.eye(4), [0, 0, 1, 1]
    with pytest.raises(DataError, match=r"row 2 is 0\.5, and a tree that counts bits"):
        BitTreeClassifier().fit(X, y, sample_weight=[1, 1, 0.5, 1])
    with pytest.raises(DataError, match="add up to 4e"):
        BitTreeClassifier().fit(X, y, sample_weight=np.full(4, 1e10))
    for wrong in (
        {"criterion": "mse"}, {"pruning": "cost"}, {"min_samples_leaf": 0}, {"max_depth": -1},
        {"max_depth": 1.5}, {"confidence": 0.9},
    ):  # fmt: skip
        with pytest.raises(UsageError, match=f"{next(iter(wrong))}.*{next(iter(wrong.values()))}"):
            BitTreeClassifier(**wrong).fit(X, y)
