"""DAFS against the slow twin: refits of scikit-learn for every member and fold."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

import naive_dafs
from consilience import DAFS
from consilience.measures.diversity import MEASURES

pytestmark = [
    pytest.mark.filterwarnings("ignore:Features with more accurate members:UserWarning"),
    pytest.mark.filterwarnings("ignore:.* features .* (is|are) in none of:UserWarning"),
]


def table(seed, n_samples=18, n_features=8, n_classes=3):
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n_samples) % n_classes)
    X = rng.normal(size=(n_samples, n_features))
    X[:, :3] += 1.2 * y[:, None]
    return X, y


def check(X, y, classifier, *, measure, r, form="ratio", **options):
    fitted = DAFS(
        classifier, diversity=measure, r=r, form=form, subspace_size=3, n_subspaces=8,
        max_features=4, random_state=0, **options,
    ).fit(X, y)  # fmt: skip
    evaluation = options["evaluation"]
    judged = evaluation if evaluation in ("train", "holdout") else "held out"
    expected = naive_dafs.dafs(
        X, y, fitted.subspaces_, fitted.folds_, classifier,
        measure=measure, r=r, form=form, judged=judged,
    )  # fmt: skip
    for name, value in expected.items():
        assert_allclose(getattr(fitted, name), value, rtol=1e-9, atol=1e-12, err_msg=name)
    return fitted


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("evaluation", ["oof", "holdout", "loo", "train"])
def test_all_diversities_and_evaluations_agree_with_refits(measure, evaluation):
    X, y = table(0)
    classifier = GaussianNB() if evaluation == "holdout" else KNeighborsClassifier(3)
    check(X, y, classifier, measure=measure, r=2.0, evaluation=evaluation, n_folds=3)


@pytest.mark.parametrize("form", ["ratio", "linear", "num"])
@pytest.mark.parametrize("r", [0.0, 0.5, 1.0])
def test_all_forms_agree(form, r):
    X, y = table(3)
    options = {"evaluation": "oof", "n_folds": 3}
    check(X, y, KNeighborsClassifier(3), measure="disagreement", r=r, form=form, **options)


@settings(max_examples=8)
@given(
    st.integers(0, 1000), st.integers(2, 4), st.sampled_from(list(MEASURES)),
    st.sampled_from(["oof", "holdout"]),
)  # fmt: skip
def test_any_data_agree(seed, n_classes, measure, evaluation):
    X, y = table(seed, n_classes=n_classes)
    options = {"evaluation": evaluation, "n_folds": 4, "validation_fraction": 0.3}
    check(X, y, KNeighborsClassifier(1), measure=measure, r=3.0, **options)


@pytest.mark.parametrize("classifier", [KNeighborsClassifier(3), GaussianNB()])
@pytest.mark.parametrize("evaluation", ["oof", "holdout"])
def test_what_hiding_costs_agrees_with_refits(classifier, evaluation):
    X, y = table(11)
    fitted = DAFS(
        classifier, subspace_size=3, n_subspaces=8, random_state=0,
        evaluation=evaluation,
    ).fit(X, y)  # fmt: skip
    expected = naive_dafs.occlusion(
        X, y, fitted.subspaces_, fitted.folds_, classifier, fitted.ensemble_accuracy_, r=3
    )
    assert_allclose(fitted.scores_, expected, atol=1e-12)
    assert np.nanmax(expected) > 0.1


@pytest.mark.parametrize("evaluation", ["oof", "holdout", "loo"])
def test_the_curve_and_the_choice_agree_with_refits(evaluation):
    X, y = table(5)
    classifier = KNeighborsClassifier(3)
    fitted = check(X, y, classifier, measure="double_fault", r=1.0, evaluation=evaluation)
    order = np.argsort(fitted.ranking_)
    expected = naive_dafs.curve(X, y, order, fitted.folds_, classifier, most=4)
    assert_array_equal(fitted.validation_curve_, expected)
    assert fitted.n_features_ == 1 + expected.index(max(expected))
    final = DAFS(
        classifier, final_estimator=GaussianNB(), diversity="double_fault", subspace_size=3,
        n_subspaces=8, max_features=4, random_state=0, evaluation=evaluation,
    ).fit(X, y)  # fmt: skip
    assert_array_equal(final.ranking_, fitted.ranking_)
    expected = naive_dafs.curve(X, y, order, fitted.folds_, GaussianNB(), most=4)
    assert_array_equal(final.validation_curve_, expected)


def test_columns_that_are_not_scaled_are_taken_as_they_are(monkeypatch):
    X, y = table(7)
    X *= np.geomspace(1, 100, X.shape[1])
    monkeypatch.setattr(naive_dafs, "scaled", lambda X: X)
    options = {"evaluation": "oof", "scale": False}
    check(X, y, KNeighborsClassifier(3), measure="q_statistic", r=3.0, **options)
