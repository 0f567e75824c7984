"""The small tree as a classifier: scikit-learn's checks, its own tree, and WEKA's J48."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

import naive_wrapper as naive
from consilience.exceptions import DataError, UsageError
from consilience.learners import CompactTreeClassifier
from consilience.learners.tree_settings import TreeSettings, settings_of


@parametrize_with_checks([
    CompactTreeClassifier(),
    CompactTreeClassifier("gain_ratio", pruning="pessimistic"),
    CompactTreeClassifier("gini", balanced=True, laplace=True),
])  # fmt: skip
def test_scikit_learn_finds_nothing_to_say(estimator, check):
    check(estimator)


def made(seed, n=80, p=3, share=0.4, gap=0.8):
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < share).astype(int)
    return (rng.normal(size=(n, p)) + gap * y[:, None]).astype(np.float32).astype(float), y


@pytest.mark.parametrize("balanced", [False, True])
@pytest.mark.parametrize("criterion", ["entropy", "gini"])
def test_it_predicts_as_scikit_learn_where_nothing_ties(criterion, balanced):
    for seed in (0, 1, 2, 4):
        X, y = made(seed, share=0.3)
        # One column, and no seed at which two mirrored splits of it tie.
        options = {"criterion": criterion, "min_samples_leaf": 6}
        own = CompactTreeClassifier(**options, balanced=balanced).fit(X[:, :1], y)
        weight = "balanced" if balanced else None
        other = DecisionTreeClassifier(**options, class_weight=weight, random_state=0)
        other.fit(X[:, :1], y)
        grid = np.linspace(-4, 4, 200)[:, None]
        assert_allclose(own.predict_proba(grid), other.predict_proba(grid), atol=1e-12)
        assert_array_equal(own.predict(grid), other.predict(grid))


def test_it_is_its_twin():
    X, y = made(1)
    own = CompactTreeClassifier(laplace=True).fit(X, y)
    twin = naive.Tree(X.T.tolist(), y.tolist(), laplace=True)
    assert_allclose(own.predict_proba(X)[:, 1], [twin.share(row) for row in X.tolist()])
    found = [(c.tolist(), int(f)) for c, f in zip(own.counts_, own.feature_, strict=True)]
    assert found == [(c, f) for c, f, _ in twin.nodes()]


def test_smoothed_shares_weigh_the_classes():
    X, y = made(1)
    own = CompactTreeClassifier(laplace=True, balanced=True, max_depth=2).fit(X, y)
    weights = y.size / (2 * np.bincount(y))
    twin = naive.Tree(X.T.tolist(), y.tolist(), laplace=True, weights=weights, max_depth=2)
    assert_allclose(own.predict_proba(X)[:, 1], [twin.share(row) for row in X.tolist()])
    plain = naive.Tree(X.T.tolist(), y.tolist(), laplace=True, max_depth=2)
    assert any(twin.share(row) != plain.share(row) for row in X.tolist())


ANSWERS = Path(__file__).parents[1] / "golden" / "j48_numeric.json"


@pytest.mark.parametrize("name", sorted(json.loads(ANSWERS.read_text("utf-8"))))
def test_it_is_the_j48_of_weka(name):
    # weka.classifiers.trees.J48 3.6.14 -S, which does not raise subtrees.
    answer = json.loads(ANSWERS.read_text("utf-8"))[name]
    X, y = np.array(answer["X"]), np.array(answer["y"])
    for told in answer["trees"]:
        options = {key: told[key] for key in ("confidence", "min_samples_leaf")}
        tree = CompactTreeClassifier("gain_ratio", pruning="pessimistic", **options).fit(X, y)
        assert np.count_nonzero(tree.feature_ < 0) == told["n_leaves"]
        assert_allclose(tree.predict_proba(X)[:, 1], told["shares"], atol=1e-12)


def test_categories_are_parted_one_from_all_others():
    X = np.array([[0], [1], [2], [1], [0], [2], [1], [2]] * 2)
    y = (X[:, 0] == 1).astype(int)
    numbers = CompactTreeClassifier().fit(X, y)
    names = CompactTreeClassifier(categorical_features=[0]).fit(X, y)
    assert numbers.feature_.size == 5  # two cuts
    assert names.feature_.size == 3
    assert names.threshold_[0] == 1
    assert_array_equal(names.predict(X), y)


def test_more_classes_than_two_are_refused():
    with pytest.raises(DataError, match="there are 3 classes, and CompactTreeClassifier tells two"):
        CompactTreeClassifier().fit(np.eye(6), [0, 1, 2, 0, 1, 2])


def test_missing_values_are_refused_by_name():
    frame = pd.DataFrame({"age": [1.0, np.nan, 3.0], "dose": [1.0, 2.0, 3.0]})
    with pytest.raises(DataError, match="Column 'age' holds NaN in row 1"):
        CompactTreeClassifier().fit(frame, [0, 1, 0])


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"criterion": "log"}, "criterion is 'log'; give one of 'entropy', 'gini', 'gain_ratio'"),
        ({"min_samples_leaf": 0}, "min_samples_leaf is 0; give a whole number, 1 or more"),
        ({"min_samples_split": 1.5}, "min_samples_split is 1.5; give a whole number, 2"),
        ({"max_depth": -1}, "max_depth is -1"),
        ({"pruning": "hard"}, "pruning is 'hard'; it may be"),
        ({"confidence": 0.9}, "confidence is 0.9; give a number above 0, at most 0.5"),
        ({"balanced": True, "pruning": "pessimistic"}, "Pruning counts rows and class"),
        ({"balanced": True, "criterion": "gain_ratio"}, "C4.5 knows no class weights"),
    ],
)
def test_bad_settings_get_a_sentence(options, said):
    with pytest.raises(UsageError, match=said):
        CompactTreeClassifier(**options).fit([[1.0], [2.0]], [0, 1])


def test_trees_of_scikit_learn_are_known_by_their_settings():
    known = settings_of(DecisionTreeClassifier(criterion="log_loss", max_depth=4))
    assert known == TreeSettings("entropy", 1, 2, 4)
    for other in ({"max_features": 2}, {"splitter": "random"}, {"ccp_alpha": 0.1},
                  {"class_weight": {0: 1, 1: 3}}, {"min_samples_leaf": 0.1}):  # fmt: skip
        assert settings_of(DecisionTreeClassifier(**other)) is None
