"""Small trees equal their slow twin node by node, and scikit-learn's trees but for ties."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.tree import DecisionTreeClassifier

import naive_wrapper as naive
from consilience.kernels.small_trees import add_shares, grow, tree_room
from consilience.kernels.tree_splits import HALF
from consilience.learners.tree_settings import TreeSettings


@st.composite
def small_tables(draw):
    """A few columns of few values, so that many splits tie, with classes and copies."""
    n_rows, n_columns = draw(st.integers(1, 14)), draw(st.integers(1, 4))
    cells = st.lists(st.integers(0, 4), min_size=n_rows, max_size=n_rows)
    X = [draw(cells) for _ in range(n_columns)]
    y = draw(st.lists(st.integers(0, 1), min_size=n_rows, max_size=n_rows))
    copies = draw(st.lists(st.integers(1, 3), min_size=n_rows, max_size=n_rows))
    nominal = draw(st.lists(st.booleans(), min_size=n_columns, max_size=n_columns))
    return [[float(v) for v in column] for column in X], y, copies, nominal


def grown(X, y, copies, nominal, settings, table=True, weights=None):
    """Nodes, their number, and the rules of a tree on columns."""
    X, y, copies = np.array(X), np.array(y), np.array(copies)
    rows, nodes, work = tree_room(*X.shape)
    rows.values[:] = X
    rows.orders[:] = np.argsort(X, axis=1, kind="stable")
    rows.nominal[:] = nominal
    rows.packed[:] = copies << (HALF * y)
    rules = settings.rules(int(copies[y == 0].sum()), int(copies[y == 1].sum()), weights=weights)
    if not table:
        rules = rules._replace(purities=np.empty((0, 0)))
    return nodes, grow(rows, y.size, rules, nodes, work), rules


def walked(nodes, node=0):
    """Counts, column and border of the nodes, depth first."""
    q = int(nodes.feature[node])
    border = None if q < 0 else float(nodes.threshold[node])
    found = [(nodes.counts[node].tolist(), q, border)]
    for child in nodes.children[node] if q >= 0 else ():
        found += walked(nodes, child)
    return found


@given(
    small_tables(),
    st.sampled_from(["entropy", "gini", "gain_ratio"]),
    st.integers(1, 3),
    st.integers(2, 6),
    st.sampled_from([None, 0, 1, 2]),
)
def test_the_tree_is_that_of_the_twin(table, criterion, min_leaf, min_split, max_depth):
    settings = TreeSettings(criterion, min_leaf, min_split, max_depth)
    X, y, copies, nominal = table
    nodes, n_nodes, _ = grown(*table, settings)
    twin = naive.Tree(
        X, y, copies, nominal=nominal, criterion=criterion, min_leaf=min_leaf,
        min_split=min_split, max_depth=max_depth,
    )  # fmt: skip
    found = walked(nodes)
    assert found == twin.nodes()
    assert len(found) == n_nodes


@given(small_tables(), st.sampled_from(["entropy", "gini"]), st.floats(0.2, 5.0))
def test_weights_of_classes_are_those_of_the_twin(table, criterion, weight):
    X, y, copies, nominal = table
    settings = TreeSettings(criterion, 1)
    nodes, _, _ = grown(*table, settings, weights=(1.0, weight))
    twin = naive.Tree(
        X, y, copies, nominal=nominal, criterion=criterion, min_leaf=1, weights=(1.0, weight)
    )
    assert walked(nodes) == twin.nodes()


@given(small_tables(), st.sampled_from(["entropy", "gini", "gain_ratio"]))
def test_purities_that_are_worked_out_give_the_tree_of_those_looked_up(table, criterion):
    settings = TreeSettings(criterion, 1)
    assert walked(grown(*table, settings, table=False)[0]) == walked(grown(*table, settings)[0])


@given(small_tables(), st.booleans())
def test_rows_go_to_the_leaves_of_the_twin(table, laplace):
    X, y, copies, nominal = table
    nodes, n_nodes, rules = grown(*table, TreeSettings(min_samples_leaf=1, laplace=laplace))
    twin = naive.Tree(X, y, copies, nominal=nominal, min_leaf=1, laplace=laplace)
    asked = np.array(X) + 0.5 * (np.arange(len(y)) % 2)  # half of them between values
    shares = np.zeros(len(y))
    ids, aside = np.empty((2, len(y)), dtype=np.uint32)
    ranges = np.empty((n_nodes, 2), dtype=np.int64)
    add_shares(nodes, n_nodes, asked, np.array(nominal), len(y), rules, ids, aside, ranges, shares)
    assert_allclose(shares, [twin.share(row) for row in asked.T], rtol=1e-15)


def impurity_of(counts, criterion):
    measure = naive.gini if criterion == "gini" else naive.entropy
    return measure(counts) * sum(counts)


@pytest.mark.parametrize("criterion", ["entropy", "gini"])
@pytest.mark.parametrize("min_leaf", [1, 2, 5])
@pytest.mark.parametrize("seed", range(6))
def test_scikit_learn_grows_the_same_tree_but_for_ties(criterion, min_leaf, seed):
    # Values that float32 holds, as scikit-learn reads them.
    rng = np.random.default_rng(seed)
    y = (rng.random(120) < 0.4).astype(int)
    X = (rng.normal(size=(120, 4)) + 0.7 * y[:, None]).astype(np.float32).astype(float)
    nodes, _, _ = grown(X.T, y, np.ones(120, int), [False] * 4, TreeSettings(criterion, min_leaf))
    other = DecisionTreeClassifier(
        criterion=criterion, min_samples_leaf=min_leaf, random_state=seed
    ).fit(X, y)
    tree, n_equal = other.tree_, 0

    def compare(own, theirs, rows):
        """Walk both trees; where they part ways, the two splits must be equally good."""
        nonlocal n_equal
        assert nodes.counts[own].tolist() == np.bincount(y[rows], minlength=2).tolist()
        assert (nodes.feature[own] < 0) == (tree.feature[theirs] < 0)
        if nodes.feature[own] < 0:
            return
        sides = []
        for q, border in (
            (nodes.feature[own], nodes.threshold[own]),
            (tree.feature[theirs], tree.threshold[theirs]),
        ):
            first = rows[X[rows, q] <= border]
            sides.append((first, np.setdiff1d(rows, first)))
        left = [
            sum(impurity_of(np.bincount(y[side], minlength=2), criterion) for side in both)
            for both in sides
        ]
        assert left[0] == pytest.approx(left[1], abs=1e-8)
        if np.array_equal(sides[0][0], sides[1][0]):
            n_equal += 1
            compare(nodes.children[own, 0], tree.children_left[theirs], sides[0][0])
            compare(nodes.children[own, 1], tree.children_right[theirs], sides[0][1])

    compare(0, 0, np.arange(120))
    assert n_equal >= 5  # the comparison went deep


def test_the_first_column_wins_a_tie():
    X, y = [[1.0, 2, 3, 4]] * 3, [0, 0, 1, 1]
    nodes, _, _ = grown(X, y, [1] * 4, [False] * 3, TreeSettings(min_samples_leaf=1))
    assert nodes.feature[0] == 0
    assert nodes.threshold[0] == 2.5


def test_a_border_between_neighbouring_floats_parts_them():
    low = 1.0
    high = np.nextafter(low, 2)
    nodes, _, _ = grown([[low, low, high, high]], [0, 0, 1, 1], [1] * 4, [False],
                        TreeSettings())  # fmt: skip
    assert low <= nodes.threshold[0] < high
    assert_array_equal(nodes.counts[:3], [[2, 2], [2, 0], [0, 2]])
