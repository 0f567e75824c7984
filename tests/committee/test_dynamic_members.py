"""The members of dynamic integration: names, parameters, weights, fitted ones, refusals."""

import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from consilience.exceptions import DataError, UsageError
from consilience.integration import DYNAMIC
from dynamic_made import MEMBERS, NEW, TRUTH, OneColumn, X, model, y


def test_fitted_members_are_taken_as_they_are():
    members = [OneColumn(0).fit(X, y), OneColumn(1).fit(X, y)]
    before = [pickle.dumps(member) for member in members]
    fitted = model(members, cv="prefit").fit(X, y)
    assert all(own is given for own, given in zip(fitted.estimators_, members, strict=True))
    assert [pickle.dumps(member) for member in members] == before
    assert_array_equal(fitted.predict(NEW), model().fit(X, y).predict(NEW))
    assert fitted.score(NEW, TRUTH) > 0.85
    with pytest.raises(ValueError, match="not fitted yet"):
        model([GaussianNB()], cv="prefit").fit(X, y)
    with pytest.raises(UsageError, match="'knn' is no fitted classifier"):
        model(["knn"], cv="prefit").fit(X, y)


def test_fitted_members_may_know_more_classes_than_the_rows_given():
    three = np.where(X[:, 0] > 1, "dead", y)
    members = [GaussianNB().fit(X, three), LogisticRegression().fit(X, three)]
    rows = three != "dead"
    fitted = model(members, cv="prefit").fit(X[rows], three[rows])
    assert fitted.classes_.tolist() == ["dead", "ill", "well"]
    assert "dead" in fitted.predict(NEW)


def test_rows_of_weight_zero_are_left_out_for_fitted_members_too():
    three = np.where(X[:, 0] > 1, "dead", y)
    members = [KNeighborsClassifier().fit(X, three), LogisticRegression().fit(X, three)]
    rows = three != "dead"
    plain = model(members, cv="prefit").fit(X[rows], three[rows])
    weighted = model(members, cv="prefit").fit(X, three, sample_weight=rows.astype(float))
    assert weighted.classes_.tolist() == ["dead", "ill", "well"]
    assert_array_equal(weighted.class_prior_, plain.class_prior_)
    assert_array_equal(weighted.predict_proba(NEW), plain.predict_proba(NEW))


def test_options_are_checked_before_anything_is_fitted():
    class Expensive(OneColumn):
        def fit(self, X, y):
            raise AssertionError("should not be fitted")

    for wrong in ({"n_neighbors": -3}, {"weights": "far"}):
        with pytest.raises(UsageError):
            model([Expensive()], **wrong).fit(X, y)


def test_frozen_members_survive_a_clone():
    frozen = [FrozenEstimator(OneColumn(c).fit(X, y)) for c in (0, 1)]
    found = clone(model(frozen, cv="prefit")).fit(X, y)
    assert_array_equal(found.predict(NEW), model().fit(X, y).predict(NEW))


def test_names_and_parameters_of_members():
    trees = [DecisionTreeClassifier(max_depth=1), DecisionTreeClassifier(), GaussianNB()]
    given = model(trees)
    params = given.get_params()
    assert params["decisiontreeclassifier-1__max_depth"] == 1
    assert params["gaussiannb"] is trees[2]
    assert "gaussiannb" not in given.get_params(deep=False)
    copy = clone(given).set_params(gaussiannb__var_smoothing=0.5, n_neighbors=3)
    assert copy.estimators[2].var_smoothing == 0.5
    assert trees[2].var_smoothing == 1e-9
    copy.set_params(gaussiannb=LogisticRegression())
    assert isinstance(copy.estimators[2], LogisticRegression)
    assert isinstance(given.estimators[2], GaussianNB)
    with pytest.raises(ValueError, match="Invalid parameter 'nobody'"):
        given.set_params(nobody=1)
    fitted = model([*MEMBERS, ("nb", GaussianNB())]).set_params(nb="drop").fit(X, y)
    assert list(fitted.named_estimators_) == ["first", "second"]
    assert fitted.named_estimators_["second"] is fitted.estimators_[1]
    assert model(["bayes", "tree"]).fit(X, y).score(X, y) > 0.7
    splitter = model(cv=KFold(3))
    assert not hasattr(KFold(3), "get_params")
    assert splitter.fit(X, y).predict(X).shape == (120,)


class Method(GaussianNB):
    """Would be called as a parameter is, if nobody names it."""


@pytest.mark.parametrize("members", [[("method", GaussianNB())], [Method()]])
def test_a_member_called_like_a_parameter_leaves_the_parameter_alone(members):
    given = model(members, method="vote")
    assert given.get_params()["method"] == "vote"
    assert given.set_params(method="weighted").method == "weighted"
    assert given.estimators == members
    with pytest.raises(UsageError, match="A member is called 'method', as is a parameter"):
        given.fit(X, y)


def test_fitted_members_of_other_labels_are_refused():
    codes = (y == "well").astype(int)
    members = [("nb", GaussianNB().fit(X, y)), ("tree", DecisionTreeClassifier().fit(X, codes))]
    for labels, name in ((codes, "nb"), (y, "tree"), (np.where(codes, "p", "q"), "nb")):
        with pytest.raises(DataError, match=f"The member '{name}' was fitted to the classes "):
            model(members, cv="prefit").fit(X, labels)
    assert model(members[:1], cv="prefit").fit(X, y).classes_.tolist() == ["ill", "well"]


def test_a_grid_search_reaches_the_members():
    grid = {"nb__var_smoothing": [1e-9, 1.0], "n_neighbors": [3, "auto"], "method": list(DYNAMIC)}
    members = [("nb", GaussianNB()), *MEMBERS]
    found = GridSearchCV(model(members, cv=3), grid, cv=2).fit(X, y)
    assert found.best_score_ > 0.7
    assert len(found.cv_results_["params"]) == 12


def test_sample_weights_go_to_members_that_take_them():
    members = [GaussianNB(), DecisionTreeClassifier(max_depth=2, random_state=0)]
    weights = np.ones(len(y))
    plain = model(members).fit(X, y).predict_proba(NEW)
    assert_array_equal(model(members).fit(X, y, weights).predict_proba(NEW), plain)
    weights[::3] = 0
    kept = weights > 0
    without = model(members).fit(X[kept], y[kept])
    assert_array_equal(
        model(members).fit(X, y, weights).predict_proba(NEW), without.predict_proba(NEW)
    )
    heavy = np.where(y == "ill", 5.0, 1.0)
    assert (model(members).fit(X, y, heavy).predict_proba(NEW) != plain).any()
    only = model([GaussianNB()]).fit(X, y, np.where(y == "ill", 1e9, 1.0))
    assert_allclose(only.member_accuracies_, (y == "ill").mean())  # held out, it says ill to all
    with pytest.raises(UsageError, match="'kneighborsclassifier' takes no sample weights"):
        model([KNeighborsClassifier()]).fit(X, y, weights)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"estimators": []}, "estimators is empty"),
        ({"estimators": "tree"}, "estimators is 'tree'; give a list"),
        ({"estimators": 3}, "estimators is 3; give a list"),
        ({"estimators": [("a", GaussianNB()), OneColumn()]}, "name all or none"),
        ({"estimators": [("a", GaussianNB())] * 2}, "Two members are called 'a'"),
        ({"estimators": [("a__b", GaussianNB())]}, "called 'a__b'; give it a text without '__'"),
        ({"estimators": [("a", "drop")]}, "All estimators are dropped"),
        ({"estimators": ["forest"]}, "Unknown estimator 'forest'"),
        ({"estimators": [LinearRegression()]}, "give .* or a classifier"),
        ({"method": "stacking"}, "Unknown method 'stacking'; known are vote, average"),
        ({"method": None}, "Unknown method None"),
        (
            {"estimators": [("method", GaussianNB())]},
            "called 'method', as is a parameter",
        ),
        ({"n_neighbors": 0}, "n_neighbors is 0; give a whole number, 1 or more, or 'auto'.$"),
        ({"n_neighbors": 2.5}, "n_neighbors is 2.5; give a whole number, 1 or more, or 'auto'.$"),
        (
            {"n_neighbors": [3, 7]},
            r"n_neighbors is \[3, 7\]; give a whole number, 1 or more, or 'a",
        ),
        ({"n_neighbors": "many"}, "n_neighbors is 'many'; give a whole number, 1 or more"),
        ({"weights": "far"}, "weights is 'far'; choose one of"),
        ({"cv": 1}, "cv is 1; give 2 folds or more"),
        ({"cv": "loo"}, "cv is 'loo'; give a number of folds"),
        ({"cv": None}, "cv is None; give a number of folds"),
        ({"cv": True}, "cv is True; give a number of folds"),
        ({"cv": []}, "cv tests no row"),
        ({"categorical_features": [7]}, "categorical_features must be"),
    ],
)
def test_what_cannot_be_is_said_in_fit(options, message):
    with pytest.raises(UsageError, match=message):
        model(**options).fit(X, y)


def test_data_that_cannot_be_used_are_refused():
    with pytest.raises(DataError, match="All 3 rows have the class 'a'"):
        model().fit(X[:3], ["a"] * 3)
    with pytest.raises(DataError, match="infinity in row 1"):
        model().fit([[0.0], [np.inf], [1.0]], [0, 1, 1])
    members = [GaussianNB().fit(X, np.where(X[:, 0] > 0, 7, 9))]
    del members[0].__dict__["n_features_in_"]
    with pytest.raises(ValueError, match="features"):
        model([GaussianNB(), OneColumn()]).fit(X, y).predict(X[:, :2])
