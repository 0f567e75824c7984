"""Classifiers that judge a panel: filled in, scaled and trained on the training rows alone."""

import difflib
from dataclasses import dataclass
from functools import partial

import numpy as np
from scipy import sparse
from sklearn.base import clone
from sklearn.impute import SimpleImputer
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from ..exceptions import UsageError
from .seeding import seeded_clone

SVM_COST = 0.5
# Stops libsvm on data where it would hardly ever converge; far above what usual data need.
SVM_ITERATIONS = 2_000_000
BLOCK_CELLS = 4_000_000  # of a table of all features that are scaled at once


@dataclass(frozen=True)
class Judge:
    """A classifier with its name, how it is called in print, and the unfitted estimator."""

    name: str
    label: str
    estimator: object


def _j48():
    """The tree of scikit-learn that comes nearest to WEKA's J48, which is C4.5.

    As there, splits are by entropy and a leaf has at least two rows. Otherwise than there, the
    split is by gain and not by gain ratio, nothing is pruned afterwards (J48 does, at a confidence
    of 0.25), and categories are spread into columns instead of one branch each.
    """
    return DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2, random_state=0)


def _balanced_forest():
    """A forest whose trees see every class with the same weight, whatever its size."""
    from sklearn.ensemble import RandomForestClassifier  # half a second that others need not wait

    return RandomForestClassifier(100, min_samples_leaf=2, class_weight="balanced_subsample")


# All that go by a name, here and on the command line: how each is called in print, and the making.
CLASSIFIERS = {
    "svm": (
        "linear SVM, C = 0.5",
        partial(SVC, kernel="linear", C=SVM_COST, max_iter=SVM_ITERATIONS),
    ),
    "knn": ("1 nearest neighbour", partial(KNeighborsClassifier, n_neighbors=1)),
    "tree": ("decision tree", partial(DecisionTreeClassifier, random_state=0)),
    "j48": ("decision tree like J48", _j48),
    # Where a class is rare, the others name the large one only: here all classes weigh the same.
    "balanced-svm": (
        "linear SVM, C = 0.5, classes weighted equally",
        partial(SVC, kernel="linear", C=SVM_COST, max_iter=SVM_ITERATIONS, class_weight="balanced"),
    ),
    "balanced-forest": (
        "random forest, classes weighted equally",
        _balanced_forest,
    ),
}


def make_judge(classifier) -> Judge:
    """Return the classifier of a name, or wrap a scikit-learn classifier.

    Examples
    --------
    >>> from consilience.evaluation.classifiers import make_judge
    >>> make_judge("svm").label
    'linear SVM, C = 0.5'
    """
    if isinstance(classifier, str):
        if classifier not in CLASSIFIERS:
            near = difflib.get_close_matches(classifier.casefold(), CLASSIFIERS, n=1)
            raise UsageError(
                f"Unknown classifier {classifier!r}; known are {', '.join(CLASSIFIERS)}, or give a "
                f"scikit-learn classifier{f'; did you mean {near[0]!r}?' if near else '.'}"
            )
        label, make = CLASSIFIERS[classifier]
        return Judge(classifier, label, make())
    if isinstance(classifier, type) or not hasattr(classifier, "predict"):
        raise UsageError(
            f"{classifier!r} is not a classifier; give {', '.join(map(repr, CLASSIFIERS))} or a "
            "scikit-learn classifier such as LogisticRegression()."
        )
    return Judge(type(classifier).__name__, " ".join(repr(classifier).split()), classifier)


def predict_columns(judges, train, y, test, nominal, seed) -> list[np.ndarray]:
    """Train several classifiers on the same dense columns: the labels that each predicts.

    The same labels as by `judge_columns`, but the columns are filled in and scaled once for all
    classifiers, and no scores are worked out. Parameters are those of `judge_columns`.
    """
    train, test = prepare(train, test, nominal)
    return [seeded_clone(judge.estimator, seed).fit(train, y).predict(test) for judge in judges]


def judge_columns(judge, train, y, test, nominal, seed):
    """Train on some dense columns and predict the test rows.

    Parameters
    ----------
    judge : Judge
        The classifier.
    train, test : float arrays of shape (n_train, k) and (n_test, k)
        The columns, before scaling.
    y : array of shape (n_train,)
        Labels of the training rows.
    nominal : bool array of shape (k,)
        Columns of codes, which are spread into one column per category.
    seed : int
        Seed for a classifier that has none of its own.

    Returns
    -------
    predicted : array of shape (n_test,)
        Labels.
    scores : float array of shape (n_test, n_classes)
        Larger for more likely, classes sorted; NaN where the classifier gives no scores.
    """
    return _predict(judge.estimator, *prepare(train, test, nominal), y, seed)


def judge_everything(judge, storage, train_rows, y, test_rows, seed):
    """Train on all columns and predict the test rows, as `judge_columns` would.

    With thousands of columns the SVM and the nearest neighbour see the rows only through their
    inner products, which are cheap to get for sparse tables too.
    """
    if judge.name in ("svm", "balanced-svm", "knn"):
        products, test_products, test_squares = inner_products(storage, train_rows, test_rows)
        if judge.name != "knn":
            model = clone(judge.estimator).set_params(kernel="precomputed")
            return _predict(model, products, test_products, y, seed)
        distances = np.diag(products) - 2 * test_products + test_squares[:, None]
        # Rounded, so that equal distances stay equal whichever way the products were summed.
        nearest = np.round(distances, 6).argmin(axis=1)
        classes, codes = np.unique(y, return_inverse=True)
        return y[nearest], np.eye(classes.size)[codes[nearest]]
    train, test = storage.all_columns(train_rows), storage.all_columns(test_rows)
    if sparse.issparse(train):
        train, test = _fill(train, test, "median")
        scaler = StandardScaler(with_mean=False).fit(train)
        return _predict(judge.estimator, scaler.transform(train), scaler.transform(test), y, seed)
    return judge_columns(judge, train, y, test, storage.nominal, seed)


def prepare(train, test, nominal):
    """Fill in, spread categories and scale, all learned from the training rows.

    Missing numbers become the median, missing categories the most frequent one. Numbers get mean
    0 and variance 1; constant columns become 0.
    """
    parts = []
    if not nominal.all():
        numeric = _fill(train[:, ~nominal], test[:, ~nominal], "median")
        scaler = StandardScaler().fit(numeric[0])
        varies = np.ptp(numeric[0], axis=0) > 0
        parts.append([np.where(varies, scaler.transform(part), 0.0) for part in numeric])
    if nominal.any():
        codes = _fill(train[:, nominal], test[:, nominal], "most_frequent")
        encoder = OneHotEncoder(handle_unknown="ignore", sparse_output=False).fit(codes[0])
        parts.append([encoder.transform(part) for part in codes])
    return [np.hstack(pair) for pair in zip(*parts, strict=True)]


def inner_products(storage, train_rows, test_rows):
    """Return the inner products of the scaled rows over all columns.

    Returns
    -------
    products : float array of shape (n_train, n_train)
    test_products : float array of shape (n_test, n_train)
    test_squares : float array of shape (n_test,)
        Squared lengths of the test rows.
    """
    if storage.stays_sparse:
        return _sparse_products(storage.all_columns(train_rows), storage.all_columns(test_rows))
    n_train, n_test = len(train_rows), len(test_rows)
    products = np.zeros((n_train, n_train))
    test_products, test_squares = np.zeros((n_test, n_train)), np.zeros(n_test)
    step = max(1, BLOCK_CELLS // n_train)
    for start in range(0, storage.n_features, step):
        block = slice(start, start + step)
        train, test = storage.columns(train_rows, block), storage.columns(test_rows, block)
        scaled, scaled_test = prepare(train, test, storage.nominal[block])
        products += scaled @ scaled.T
        test_products += scaled_test @ scaled.T
        test_squares += np.einsum("ij,ij->i", scaled_test, scaled_test)
    return products, test_products, test_squares


def _sparse_products(train, test):
    """Centre inside the products: centred rows would be dense.

    (a - m)(b - m) = ab - am - bm + mm, with a, b the rows and m the means, all divided by the
    standard deviations.
    """
    train, test = _fill(train, test, "median")
    scaler = StandardScaler(with_mean=False).fit(train)
    varies = scaler.var_ > 1e-12 * scaler.mean_**2
    weights = np.divide(1.0, scaler.scale_, out=np.zeros(varies.size), where=varies)
    means = scaler.mean_ * weights
    train, test = (sparse.csr_array(part.multiply(weights)) for part in (train, test))
    shift, test_shift, constant = train @ means, test @ means, means @ means
    products = (train @ train.T).toarray() - shift[:, None] - shift + constant
    test_products = (test @ train.T).toarray() - test_shift[:, None] - shift + constant
    test_squares = np.asarray(test.multiply(test).sum(axis=1)).ravel() - 2 * test_shift + constant
    return products, test_products, test_squares


def _fill(train, test, strategy):
    cells = [part.data if sparse.issparse(part) else part for part in (train, test)]
    if not any(np.isnan(part).any() for part in cells):
        return train, test
    imputer = SimpleImputer(strategy=strategy, keep_empty_features=True).fit(train)
    return imputer.transform(train), imputer.transform(test)


def _predict(estimator, train, test, y, seed):
    model = seeded_clone(estimator, seed).fit(train, y)
    return model.predict(test), _scores(model, test, np.unique(y))


def _scores(model, test, classes):
    unknown = np.full((test.shape[0], classes.size), np.nan)
    if not np.array_equal(getattr(model, "classes_", None), classes):
        return unknown
    for method in ("decision_function", "predict_proba"):
        if hasattr(model, method):
            scores = np.asarray(getattr(model, method)(test), dtype=float)
            if scores.ndim == 1:
                scores = np.column_stack([-scores, scores])
            if scores.shape == unknown.shape:
                return scores
    return unknown
