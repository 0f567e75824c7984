"""From a name or a classifier to the learner that answers fastest."""

import importlib
from numbers import Real

from ..exceptions import UsageError
from .base import Learner
from .general import GeneralLearner
from .knn import KNNLearner
from .linear_svm import LinearSVMLearner
from .ridge import RidgeLearner

# Module and class of the learners with a name; imported when they are asked for.
LEARNERS = {
    "svm": ("linear_svm", "LinearSVMLearner"),
    "knn": ("knn", "KNNLearner"),
    "ridge": ("ridge", "RidgeLearner"),
    "mlp": ("mlp", "MLPLearner"),
}

EUCLIDEAN = ({"metric": "euclidean"}, {"metric": "l2"}, {"metric": "minkowski", "p": 2})


def as_learner(estimator) -> Learner:
    """Find the learner that says what a classifier says, in the fastest way there is.

    Parameters
    ----------
    estimator : "svm", "knn", "ridge", "mlp", Learner or classifier
        A `KNeighborsClassifier`, `RidgeClassifier` or `SVC(kernel="linear")` is recognised where
        its parameters allow a fast path; any other classifier is fitted for each fold.

    Returns
    -------
    Learner

    Examples
    --------
    >>> from sklearn.svm import SVC
    >>> from consilience.learners import as_learner
    >>> as_learner(SVC(kernel="linear", C=0.5)).C
    0.5
    >>> as_learner("knn").n_neighbors
    3
    """
    if isinstance(estimator, Learner):
        return estimator
    if isinstance(estimator, str):
        if estimator not in LEARNERS:
            known = ", ".join(repr(name) for name in LEARNERS)
            raise UsageError(
                f"Unknown estimator {estimator!r}; it may be {known} or a scikit-learn classifier."
            )
        module, name = LEARNERS[estimator]
        return getattr(importlib.import_module(f".{module}", __package__), name)()
    if isinstance(estimator, type) or not all(
        hasattr(estimator, name) for name in ("fit", "predict", "get_params")
    ):
        raise UsageError(
            f"estimator must be a name or a scikit-learn classifier, not {estimator!r}; an "
            "instance, not its class."
        )
    if _predicts_numbers(estimator):
        raise UsageError(
            f"estimator must be a name or a scikit-learn classifier, and {estimator!r} is a "
            "regressor; give a classifier, such as 'ridge' or LogisticRegression()."
        )
    return _fast(estimator) or GeneralLearner(estimator)


def _predicts_numbers(estimator) -> bool:
    """Whether it is a regressor; what has no tags, and so cannot say, is taken as it is."""
    from sklearn.base import is_regressor

    return hasattr(estimator, "__sklearn_tags__") and is_regressor(estimator)


def _fast(estimator):
    """The fast learner of a classifier of scikit-learn, or None; a subclass may do anything."""
    from sklearn.linear_model import RidgeClassifier
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.svm import SVC

    given = estimator.get_params(deep=False)

    def has(**wanted):
        return all(given[name] == value for name, value in wanted.items())

    if type(estimator) is KNeighborsClassifier:
        euclidean = any(has(**metric) for metric in EUCLIDEAN)
        if euclidean and has(weights="uniform", metric_params=None):
            return KNNLearner(given["n_neighbors"])
    if type(estimator) is RidgeClassifier:
        exact = given["solver"] in ("auto", "svd", "cholesky")
        plain = has(fit_intercept=True, class_weight=None, positive=False)
        if exact and plain and isinstance(given["alpha"], Real) and given["alpha"] > 0:
            return RidgeLearner(given["alpha"])
    if type(estimator) is SVC:
        plain = has(kernel="linear", class_weight=None, break_ties=False, max_iter=-1)
        if plain and not hasattr(estimator, "predict_proba"):
            return LinearSVMLearner(given["C"])
    return None
