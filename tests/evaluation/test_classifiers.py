import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.dummy import DummyClassifier
from sklearn.feature_selection import SelectKBest
from sklearn.linear_model import LogisticRegression, Perceptron
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from consilience.data.bits import BitMatrix
from consilience.evaluation import classifiers, storage
from consilience.evaluation.classifiers import (
    judge_columns,
    judge_everything,
    make_judge,
    predict_columns,
)
from consilience.evaluation.storage import Storage
from consilience.exceptions import UsageError

SELECTOR = SelectKBest()
PRODUCTS = ("svm", "balanced-svm", "knn")  # which see the rows through inner products alone


@pytest.fixture(scope="module")
def binary():
    """Sparse binary rows with a constant column, three classes, and a split."""
    rng = np.random.default_rng(0)
    y = np.arange(60) % 3
    X = (rng.random((60, 300)) < 0.05 + 0.2 * (y[:, None] == np.arange(300) % 7)).astype(float)
    X[:, 5], X[:, 6] = 1, 0
    return X, np.array(["u", "v", "w"])[y], np.arange(45), np.arange(45, 60)


def scaled(X, train, test, centred=True):
    scaler = StandardScaler(with_mean=centred).fit(X[train])
    return scaler.transform(X[train]), scaler.transform(X[test])


@pytest.mark.parametrize("stay_sparse", [False, True])
@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array, BitMatrix.from_array])
def test_inner_products_are_those_of_scaled_rows_in_every_storage(
    binary, kind, stay_sparse, monkeypatch
):
    monkeypatch.setattr(storage, "DENSE_CELLS", 0 if stay_sparse else 10**9)
    monkeypatch.setattr(classifiers, "BLOCK_CELLS", 45 * 40)
    X, _, train, test = binary
    a, b = scaled(X, train, test)
    varies = np.ptp(X[train], axis=0) > 0
    table = Storage.from_data(kind(X), SELECTOR)
    products, test_products, squares = classifiers.inner_products(table, train, test)
    assert_allclose(products, a[:, varies] @ a[:, varies].T, atol=1e-9)
    assert_allclose(test_products, b[:, varies] @ a[:, varies].T, atol=1e-9)
    assert_allclose(squares, (b[:, varies] ** 2).sum(axis=1), atol=1e-9)


@pytest.mark.parametrize("stay_sparse", [False, True])
@pytest.mark.parametrize(
    ("name", "model"),
    [
        ("svm", SVC(kernel="linear", C=0.5)),
        ("balanced-svm", SVC(kernel="linear", C=0.5, class_weight="balanced")),
        ("knn", KNeighborsClassifier(1)),
        ("tree", None),
        ("lr", LogisticRegression()),
    ],
)
def test_all_features_are_judged_as_scikit_learn_would(
    binary, name, model, stay_sparse, monkeypatch
):
    monkeypatch.setattr(storage, "DENSE_CELLS", 0 if stay_sparse else 10**9)
    X, y, train, test = binary
    # Centring would make a large sparse table dense; only inner products get around that.
    a, b = scaled(X, train, test, centred=not stay_sparse or name in PRODUCTS)
    judge = make_judge(model if name == "lr" else name)
    model = judge.estimator if model is None else model
    table = Storage.from_data(sparse.csr_array(X), SELECTOR)
    predicted, scores = judge_everything(judge, table, train, y[train], test, seed=0)
    model.fit(a, y[train])
    assert_array_equal(predicted, model.predict(b))
    assert scores.shape == (15, 3)
    if "svm" not in name:
        assert_allclose(scores.argmax(axis=1), np.searchsorted(["u", "v", "w"], predicted))


@pytest.mark.parametrize("name", ["svm", "balanced-svm", "balanced-forest"])
def test_a_rare_class_is_named_where_classes_weigh_the_same(name):
    rng = np.random.default_rng(0)
    y = np.arange(400) % 20 == 0
    X = rng.normal(size=(400, 1)) + 1.2 * y[:, None]
    plain = np.zeros(1, dtype=bool)
    predicted, _ = judge_columns(make_judge(name), X[:200], y[:200], X[200:], plain, seed=0)
    assert predicted.any() == (name != "svm")
    if name != "svm":
        assert predicted[y[200:]].mean() > predicted[~y[200:]].mean()


def test_scaling_and_filling_in_learn_from_the_training_rows_alone():
    train = np.array([[1.0, 0, 5], [3, np.nan, 5], [5, 1, 5], [np.nan, 0, 5]])
    test = np.array([[np.nan, 2, 9], [7, np.nan, 5]])
    nominal = np.array([False, True, False])
    a, b = classifiers.prepare(train, test, nominal)
    # Column 0: median 3, mean 3, sd sqrt(2). Column 2 is constant. Column 1: codes 0 and 1.
    root = np.sqrt(2)
    assert_allclose(a, [[-root, 0, 1, 0], [0, 0, 1, 0], [root, 0, 0, 1], [0, 0, 1, 0]])
    assert_allclose(b, [[0, 0, 0, 0], [4 / root, 0, 1, 0]])


def test_a_column_without_any_known_training_value_is_ignored():
    train, test = np.array([[np.nan, 1.0], [np.nan, 2]]), np.array([[4.0, 3]])
    a, b = classifiers.prepare(train, test, np.zeros(2, dtype=bool))
    assert_allclose(a, [[0, -1], [0, 1]])
    assert_allclose(b, [[0, 3]])


def test_missing_values_of_a_large_sparse_table_are_filled_in(binary, monkeypatch):
    monkeypatch.setattr(storage, "DENSE_CELLS", 0)
    X, y, train, test = binary
    X = X.copy()
    X[3, 7] = X[50, 8] = np.nan
    table = Storage.from_data(sparse.csr_array(X), SELECTOR)
    predicted, _ = judge_everything(make_judge("svm"), table, train, y[train], test, seed=0)
    filled = np.where(np.isnan(X), 0, X)  # the medians of two rare columns
    clean = Storage.from_data(filled, SELECTOR)
    expected, _ = judge_everything(make_judge("svm"), clean, train, y[train], test, seed=0)
    assert_array_equal(predicted, expected)


def test_classifiers_without_scores_are_judged_without_auc():
    class Silent(DummyClassifier):
        predict_proba = property()

    X, y = np.zeros((4, 1)), np.array(["a", "b", "b", "b"])
    plain = np.zeros(1, dtype=bool)
    predicted, scores = judge_columns(make_judge(Silent()), X, y, X[:2], plain, seed=0)
    assert_array_equal(predicted, ["b", "b"])
    assert np.isnan(scores).all()
    _, scores = judge_columns(make_judge(Perceptron()), X, y, X[:2], plain, seed=0)
    assert_allclose(scores[:, 0], -scores[:, 1])


@pytest.mark.parametrize("classifier", ["SVM", SVC, SelectKBest(), None])
def test_what_is_no_classifier_is_refused(classifier):
    with pytest.raises(UsageError, match="scikit-learn classifier"):
        make_judge(classifier)


def test_a_classifier_of_the_user_is_named_by_its_repr():
    judge = make_judge(LogisticRegression(C=2))
    assert (judge.name, judge.label) == ("LogisticRegression", "LogisticRegression(C=2)")


def test_several_classifiers_predict_as_each_alone(binary):
    X, y, train, test = binary
    judges = [make_judge(name) for name in ("svm", "knn", "tree", "j48")]
    nominal = np.arange(9) % 2 == 0
    columns = X[:, :9]
    found = predict_columns(judges, columns[train], y[train], columns[test], nominal, 5)
    for judge, labels in zip(judges, found, strict=True):
        alone, _ = judge_columns(judge, columns[train], y[train], columns[test], nominal, 5)
        assert_array_equal(labels, alone)


def test_the_tree_like_j48_splits_by_entropy_and_keeps_two_rows_in_a_leaf(binary):
    X, y, train, _ = binary
    tree = make_judge("j48").estimator.fit(X[train], y[train])
    inner = tree.tree_
    assert inner.n_node_samples[inner.children_left < 0].min() >= 2
    shares = inner.value[0, 0] / inner.value[0, 0].sum()
    assert inner.impurity[0] == pytest.approx(-(shares * np.log2(shares)).sum())
