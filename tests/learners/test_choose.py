import numpy as np
import pytest
from sklearn.linear_model import Ridge, RidgeClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from consilience.exceptions import UsageError
from consilience.learners import (
    GeneralLearner,
    KNNLearner,
    LinearSVMLearner,
    RidgeLearner,
    as_learner,
)


class OwnSVC(SVC):
    """A subclass may say anything."""


@pytest.mark.parametrize(
    ("given", "expected", "parameters"),
    [
        ("svm", LinearSVMLearner, {"C": 1.0}),
        ("knn", KNNLearner, {"n_neighbors": 3}),
        ("ridge", RidgeLearner, {"alpha": 1.0}),
        (SVC(kernel="linear", C=0.3), LinearSVMLearner, {"C": 0.3}),
        (KNeighborsClassifier(7), KNNLearner, {"n_neighbors": 7}),
        (KNeighborsClassifier(metric="euclidean"), KNNLearner, {"n_neighbors": 5}),
        (RidgeClassifier(alpha=2), RidgeLearner, {"alpha": 2}),
    ],
)
def test_fast_learners_are_found(given, expected, parameters):
    learner = as_learner(given)
    assert type(learner) is expected
    assert {name: getattr(learner, name) for name in parameters} == parameters


@pytest.mark.parametrize(
    "given",
    [
        SVC(),
        SVC(kernel="linear", class_weight="balanced"),
        SVC(kernel="linear", break_ties=True, decision_function_shape="ovr"),
        SVC(kernel="linear", max_iter=10),
        OwnSVC(kernel="linear"),
        KNeighborsClassifier(weights="distance"),
        KNeighborsClassifier(p=1),
        KNeighborsClassifier(metric="cosine"),
        RidgeClassifier(fit_intercept=False),
        RidgeClassifier(class_weight="balanced"),
        RidgeClassifier(positive=True),
        RidgeClassifier(solver="sag"),
        RidgeClassifier(alpha=0),
        make_pipeline(StandardScaler(), SVC(kernel="linear")),
        GaussianNB(),
    ],
)
def test_what_a_fast_path_cannot_say_is_fitted(given):
    learner = as_learner(given)
    assert type(learner) is GeneralLearner
    assert learner.estimator is given


def test_a_learner_stays_as_it_is():
    learner = KNNLearner(9)
    assert as_learner(learner) is learner


def test_unknown_names_are_told_the_known_ones():
    with pytest.raises(UsageError, match=r"Unknown estimator 'svc'; it may be 'svm', 'knn'.*\.$"):
        as_learner("svc")


@pytest.mark.parametrize("given", [None, 3, SVC, np.zeros(3)])
def test_what_is_no_classifier_is_refused(given):
    with pytest.raises(UsageError, match=r"estimator must be a name or a scikit-learn classifier"):
        as_learner(given)


@pytest.mark.parametrize("given", [Ridge(), make_pipeline(StandardScaler(), Ridge())])
def test_a_regressor_is_refused_as_one(given):
    with pytest.raises(UsageError, match=r"Ridge\(\).* is a regressor; give a classifier.*\.$"):
        as_learner(given)


class Constant:
    """A classifier that knows nothing of scikit-learn but its three methods."""

    def fit(self, X, y):
        return self

    def predict(self, X):
        return np.zeros(len(X))

    def get_params(self, deep=True):
        return {}


def test_a_classifier_without_tags_is_taken_as_it_is():
    assert type(as_learner(Constant())) is GeneralLearner
