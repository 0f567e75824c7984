"""What all classifiers on packed columns promise."""

import pickle

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import cross_val_score

from consilience import BitMatrix
from consilience.exceptions import DataError
from consilience.learners import BitBernoulliNB, BitLinearSVC, BitTreeClassifier
from consilience.learners.bit_base import BitClassifier

CLASSIFIERS = [
    BitBernoulliNB(),
    BitLinearSVC(random_state=0),
    BitTreeClassifier(random_state=0),
]
every = pytest.mark.parametrize("classifier", CLASSIFIERS, ids=lambda c: type(c).__name__)


def table(n_classes=3):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (150, 12))
    return X, np.array(["a", "b", "c"])[X[:, 0] + X[:, 1] * (n_classes - 2)]


def answers(fitted, X):
    ask = fitted.predict_proba if hasattr(fitted, "predict_proba") else fitted.decision_function
    return ask(X)


@every
@pytest.mark.parametrize("n_classes", [2, 3])
def test_every_storage_gives_the_same_answers(classifier, n_classes):
    X, y = table(n_classes)
    expected = answers(clone(classifier).fit(BitMatrix.from_array(X), y), BitMatrix.from_array(X))
    for make in (np.asarray, sparse.csr_array, sparse.csc_array, pd.DataFrame, np.float32):
        fitted = clone(classifier).fit(make(X), y)
        assert_array_equal(answers(fitted, make(X)), expected)
        assert fitted.score(make(X), y) > 0.9
    again = pickle.loads(pickle.dumps(fitted))
    assert_array_equal(answers(again, X), expected)


@every
def test_parameters_are_those_of_the_signature(classifier):
    assert classifier.get_params() == super(BitClassifier, classifier).get_params()
    assert len(classifier.get_params()) >= 2
    changed = clone(classifier).set_params(**dict.fromkeys(classifier.get_params(), 5))
    assert set(clone(changed).get_params().values()) == {5}
    assert set(classifier.get_params().values()) != {5}


@every
def test_one_class_alone_is_always_predicted(classifier):
    X, _ = table()
    fitted = clone(classifier).fit(X, np.full(150, 7))
    assert_array_equal(fitted.predict(1 - X), np.full(150, 7))
    assert answers(fitted, X).shape == (150, 1)


@every
def test_classes_of_rows_without_weight_are_unknown(classifier):
    X, y = table()
    weights = (y != "b").astype(float)
    fitted = clone(classifier).fit(X, y, sample_weight=weights)
    kept = y != "b"
    assert_array_equal(fitted.classes_, ["a", "c"])
    assert_array_equal(fitted.predict(X), clone(classifier).fit(X[kept], y[kept]).predict(X))


@every
@pytest.mark.parametrize(
    "labels",
    [[0, 1, 2], [5, 3, 8], [-1, 0, 1], [2**40, 0, 1], [0.0, 1.0, 7.0], ["a", "c", "b"],
     [True, True, False]],
    ids=str,
)  # fmt: skip
def test_classes_are_those_of_numpy(classifier, labels):
    X, y = table()
    y = np.array(labels)[(y == "b") + 2 * (y == "c")]
    for given in (y, y.tolist(), y[:, None].astype(y.dtype)[:, 0]):
        fitted = clone(classifier).fit(X, given)
        assert_array_equal(fitted.classes_, np.unique(y))
        assert fitted.classes_.dtype == y.dtype
        assert fitted.score(X, y) > 0.9


@every
def test_scikit_learn_can_split_packed_rows(classifier):
    X, y = table()
    assert cross_val_score(classifier, BitMatrix.from_array(X), y, cv=3).mean() > 0.9


@every
def test_bad_input_gets_a_sentence(classifier):
    X, y = table()
    with pytest.raises(NotFittedError):
        clone(classifier).predict(X)
    frame = pd.DataFrame(X.copy(), columns=[f"g{j}" for j in range(12)])
    frame.loc[3, "g5"] = 2
    with pytest.raises(DataError, match="Column 'g5' holds 2 in row 3"):
        clone(classifier).fit(frame, y)
    fitted = clone(classifier).fit(X, y)
    with pytest.raises(DataError, match="has 11 features"):
        fitted.predict(BitMatrix.from_array(X[:, :11]))
    with pytest.raises(DataError, match="150 rows and y has 3"):
        clone(classifier).fit(X, y[:3])
    with pytest.raises(ValueError, match="target y is None"):
        clone(classifier).fit(X, None)
    for weights, words in (
        (np.ones(3), "3 sample weights for 150 rows"),
        (-np.ones(150), "weight of row 0 is -1"),
        (np.full(150, np.nan), "weight of row 0 is nan"),
        (np.zeros(150), "All sample weights are zero"),
    ):
        with pytest.raises(DataError, match=words):
            clone(classifier).fit(X, y, sample_weight=weights)


@every
def test_no_columns_and_no_rows(classifier):
    nothing = BitMatrix(np.empty((0, 1), np.uint64), 5)
    assert_array_equal(clone(classifier).fit(nothing, [0, 1, 1, 1, 0]).predict(nothing), 1)
    X, y = table()
    fitted = clone(classifier).fit(X, y)
    assert fitted.predict(BitMatrix(np.empty((12, 0), np.uint64), 0)).shape == (0,)
    with pytest.raises(DataError, match="no rows to learn from"):
        clone(classifier).fit(BitMatrix(np.empty((12, 0), np.uint64), 0), [])
