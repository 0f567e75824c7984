"""Dynamic integration as a router of metadata: members get weights if they ask for them."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn import config_context
from sklearn.exceptions import UnsetMetadataPassedError
from sklearn.model_selection import cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from dynamic_made import NEW, X, model, y

WEIGHTS = np.where(y == "ill", 5.0, 1.0)


@pytest.fixture(autouse=True)
def routing():
    with config_context(enable_metadata_routing=True):
        yield


class Heard(GaussianNB):
    """Remembers the weights that it was fitted with."""

    def fit(self, X, y, sample_weight=None):
        self.weights_ = sample_weight
        return super().fit(X, y, sample_weight)


def asks(**request):
    return Heard().set_fit_request(**request)


def test_members_get_weights_only_if_they_ask():
    members = [("yes", asks(sample_weight=True)), ("no", asks(sample_weight=False))]
    fitted = model(members).fit(X, y, sample_weight=WEIGHTS)
    assert_array_equal(fitted.named_estimators_["yes"].weights_, WEIGHTS)
    assert fitted.named_estimators_["no"].weights_ is None
    # Held-out errors are those of members that were fitted likewise.
    alone = model([Heard()]).fit(X, y)
    assert fitted.member_accuracies_[1] == alone.member_accuracies_[0]
    extreme = np.where(y == "ill", 1e9, 1.0)
    held = model(members).fit(X, y, sample_weight=extreme).member_accuracies_
    assert held[0] == pytest.approx((y == "ill").mean())
    assert held[1] == alone.member_accuracies_[0]


def test_members_that_said_nothing_are_asked_to():
    members = [("silent", Heard()), ("yes", asks(sample_weight=True))]
    with pytest.raises(UnsetMetadataPassedError, match="sample_weight"):
        model(members).fit(X, y, sample_weight=WEIGHTS)
    assert model(members).fit(X, y).predict(NEW).shape == (200,)


def test_weights_that_nobody_wants_are_refused():
    with pytest.raises(TypeError, match="sample_weight"):
        model([asks(sample_weight=False)]).fit(X, y, sample_weight=WEIGHTS)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_weights_reach_into_pipelines_and_out_of_cross_validation(n_jobs):
    inner = make_pipeline(StandardScaler().set_fit_request(sample_weight=False),
                          asks(sample_weight=True))  # fmt: skip
    tree = DecisionTreeClassifier(max_depth=2, random_state=0).set_fit_request(sample_weight=False)
    given = model([("pipe", inner), ("tree", tree)], cv=3, n_jobs=n_jobs)
    with config_context(enable_metadata_routing=False):
        plain = model([Heard()]).fit(X, y, sample_weight=WEIGHTS)  # as ever
    assert_array_equal(plain.estimators_[0].weights_, WEIGHTS)
    found = cross_validate(
        given, X, y, params={"sample_weight": WEIGHTS}, cv=2, return_estimator=True,
        return_indices=True,
    )  # fmt: skip
    trained = found["indices"]["train"]
    for fitted, rows in zip(found["estimator"], trained, strict=True):
        assert_array_equal(fitted.named_estimators_["pipe"][-1].weights_, WEIGHTS[rows])


def test_fitted_members_ask_for_nothing():
    members = [Heard().fit(X, y), DecisionTreeClassifier(max_depth=2).fit(X, y)]
    weighed = np.where(np.arange(len(y)) % 3 == 0, 0.0, 1.0)
    fitted = model(members, cv="prefit").fit(X, y, sample_weight=weighed)
    assert fitted.competence_.errors.shape == (80, 2)
    requests = model(members, cv="prefit").set_fit_request(sample_weight=True)
    assert requests.get_metadata_routing().consumes("fit", {"sample_weight"}) == {"sample_weight"}
