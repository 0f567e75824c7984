"""What every committee promises whose members are searched for."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from consilience import (
    GEFS,
    BitMatrix,
    DiscreteNB,
    GeneticEnsembleClassifier,
    HillClimbingEnsembleClassifier,
    ParetoEnsembleClassifier,
    SequentialGeneticEnsembleClassifier,
    SequentialSelectionEnsembleClassifier,
    WholeEnsembleGeneticClassifier,
    make_planted,
)
from consilience.exceptions import DataError

PLANTED = make_planted(80, 20, n_blocks=3, block_size=2, effect=3.0, random_state=0)
X, Y = PLANTED.X, PLANTED.y
ONES = (X > 1).astype(np.uint8)
NAMES = [f"gene {j}" for j in range(20)]

BRED = {"n_estimators": 4, "population": 6, "n_crossover": 8, "n_mutation": 3, "n_generations": 3}
SMALL = {"n_estimators": 4, "random_state": 0}
COMMITTEES = [
    pytest.param(SequentialGeneticEnsembleClassifier(**BRED, random_state=0), id="gas-sefs"),
    pytest.param(
        SequentialGeneticEnsembleClassifier(
            **BRED, diversity="kappa", refit=False, integration="dynamic_selection", random_state=0
        ),
        id="paper",
    ),
    pytest.param(
        SequentialGeneticEnsembleClassifier(
            DecisionTreeClassifier(max_depth=2, max_features=1), n_estimators=3, n_generations=1,
            population=3, n_crossover=3, n_mutation=1, integration="weighted", random_state=0,
        ),
        id="trees",
    ),
    pytest.param(GeneticEnsembleClassifier(**BRED, random_state=0), id="ga"),
    pytest.param(
        HillClimbingEnsembleClassifier(**SMALL, max_passes=2, integration="vote"), id="climbing"
    ),
    pytest.param(GEFS(**BRED, integration="dynamic_voting", random_state=0), id="gefs"),
    pytest.param(
        WholeEnsembleGeneticClassifier(**BRED, integration="static", random_state=0), id="whole"
    ),
    pytest.param(SequentialSelectionEnsembleClassifier(**SMALL), id="forward"),
    pytest.param(
        SequentialSelectionEnsembleClassifier(**SMALL, direction="backward"), id="backward"
    ),
    pytest.param(ParetoEnsembleClassifier(**BRED, random_state=0), id="knee"),
    pytest.param(ParetoEnsembleClassifier(**BRED, choose="front", random_state=0), id="front"),
]  # fmt: skip
every_committee = pytest.mark.parametrize("committee", COMMITTEES)
# Those of naive Bayes take all that it takes.
BAYES = [given for given in COMMITTEES if given.id != "trees"]
every_bayes = pytest.mark.parametrize("committee", BAYES)


def assert_same(one, two):
    assert_array_equal(one.masks_, two.masks_)
    for own, other in zip(one.subsets_, two.subsets_, strict=True):
        assert_array_equal(own, other)
    assert_array_equal(one.member_accuracies_, two.member_accuracies_)
    assert_array_equal(one.member_diversities_, two.member_diversities_)
    assert one.n_evaluations_ == two.n_evaluations_
    assert one.n_neighbors_ == two.n_neighbors_
    for name, values in one.fitness_history_.items():
        assert_array_equal(values, two.fitness_history_[name])


@parametrize_with_checks(
    [
        SequentialGeneticEnsembleClassifier(n_estimators=2, n_generations=1),
        SequentialGeneticEnsembleClassifier(
            "ridge", n_estimators=1, population=2, n_generations=0, integration="vote"
        ),
        GeneticEnsembleClassifier(n_estimators=2, n_generations=1),
        HillClimbingEnsembleClassifier(n_estimators=2, max_passes=1),
        GEFS(n_estimators=2, n_generations=1),
        WholeEnsembleGeneticClassifier(n_estimators=2, n_generations=1),
        SequentialSelectionEnsembleClassifier(n_estimators=2),
        ParetoEnsembleClassifier(n_estimators=2, n_generations=1),
    ]
)
def test_scikit_learn_finds_nothing_to_say(estimator, check):
    check(estimator)


@every_committee
def test_what_was_learned_fits_together(committee):
    fitted = clone(committee).fit(X[::2], Y[::2])
    n_members = len(fitted.subsets_)
    assert 1 <= n_members <= committee.n_estimators
    assert fitted.masks_.shape == (n_members, 20)
    for mask, subset, member in zip(
        fitted.masks_, fitted.subsets_, fitted.estimators_, strict=True
    ):
        assert_array_equal(np.flatnonzero(mask), np.sort(subset))
        assert member.n_features_in_ == subset.size >= 1
    assert fitted.member_accuracies_.shape == fitted.member_diversities_.shape == (n_members,)
    history = fitted.fitness_history_
    assert {"process", "generation", "best_fitness", "mean_accuracy", "mean_size"} <= set(history)
    assert len({values.size for values in history.values()}) == 1
    assert fitted.n_evaluations_ >= history["n_evaluated"].sum() > 0
    assert_array_equal(fitted.candidates_, np.arange(20))
    # A quarter of the rows judge, and each class is among them as among all.
    held = Y[::2][fitted.validation_rows_]
    assert held.size == 10
    assert abs(np.mean(held) - np.mean(Y[::2])) < 0.06
    assert fitted.tuning_ is None
    assert fitted.n_neighbors_ == (15 if "dynamic" in committee.integration else None)
    assert fitted.class_prior_.sum() == 1


@every_committee
def test_the_planted_classes_are_predicted(committee):
    fitted = clone(committee).fit(X[::2], Y[::2])
    assert fitted.score(X[1::2], Y[1::2]) > 0.7
    shares = fitted.predict_proba(X[1::2])
    assert_allclose(shares.sum(axis=1), 1)
    assert_array_equal(fitted.classes_[shares.argmax(axis=1)], fitted.predict(X[1::2]))


@every_committee
def test_any_number_of_workers_gives_the_same_answer(committee):
    one, two = (clone(committee).set_params(n_jobs=n).fit(X[::2], Y[::2]) for n in (None, 2))
    assert_same(one, two)
    assert_array_equal(one.predict_proba(X), two.predict_proba(X))


@every_committee
def test_permuted_columns_give_the_same_members(committee):
    order = np.random.default_rng(1).permutation(20)
    plain = clone(committee).fit(X[::2], Y[::2])
    turned = clone(committee).fit(X[::2][:, order], Y[::2])
    assert_array_equal(plain.validation_rows_, turned.validation_rows_)
    for own, other in zip(plain.subsets_, turned.subsets_, strict=True):
        assert_array_equal(own, order[other])
    assert_array_equal(plain.member_accuracies_, turned.member_accuracies_)
    assert_allclose(turned.predict_proba(X[:, order]), plain.predict_proba(X), atol=1e-12)


@every_committee
def test_permuted_rows_give_the_same_members(committee):
    order = np.random.default_rng(1).permutation(80)
    plain, turned = (clone(committee).fit(X[rows], Y[rows]) for rows in (slice(None), order))
    assert_array_equal(np.sort(order[turned.validation_rows_]), plain.validation_rows_)
    assert_array_equal(plain.masks_, turned.masks_)


@every_committee
def test_another_seed_gives_another_split(committee):
    one, two = (clone(committee).set_params(random_state=seed).fit(X, Y) for seed in (0, 1))
    assert (one.validation_rows_ != two.validation_rows_).any()


@every_committee
def test_every_storage_gives_the_same_answer(committee):
    expected = clone(committee).fit(ONES, Y)
    shares = expected.predict_proba(ONES)
    for kind in (np.float32, sparse.csr_array, BitMatrix.from_array):
        fitted = clone(committee).fit(kind(ONES), Y)
        assert_same(fitted, expected)
        assert_array_equal(fitted.predict_proba(kind(ONES)), shares)
        assert_array_equal(expected.predict_proba(kind(ONES)), shares)


@every_committee
def test_names_go_in_and_others_are_refused(committee):
    fitted = clone(committee).fit(pd.DataFrame(X, columns=NAMES), Y)
    assert fitted.feature_names_in_.tolist() == NAMES
    expected = fitted.predict(pd.DataFrame(X, columns=NAMES))
    assert_array_equal(fitted.predict(pl.DataFrame(X, schema=NAMES)), expected)
    with pytest.raises(ValueError, match="feature names"):
        fitted.predict(pd.DataFrame(X, columns=NAMES[::-1]))


@every_committee
def test_a_fitted_committee_survives_pickling(committee):
    fitted = clone(committee).fit(X, Y)
    again = pickle.loads(pickle.dumps(fitted))
    assert_same(again, fitted)
    assert_array_equal(again.predict_proba(X), fitted.predict_proba(X))
    with pytest.raises(AttributeError, match="pickled before its result_ was asked for"):
        again.result_  # noqa: B018


@every_committee
def test_stages_end_with_the_whole_committee(committee):
    fitted = clone(committee).fit(X[::2], Y[::2])
    stages = list(fitted.staged_predict_proba(X))
    assert len(stages) == len(fitted.subsets_)
    assert_allclose(stages[-1], fitted.predict_proba(X), atol=1e-12)
    (block,) = fitted._members.blocks(X)
    assert_array_equal(stages[0].argmax(axis=1), fitted._members.predicted(block)[0])


@every_committee
def test_every_rule_from_one_pass_is_what_the_rule_predicts(committee):
    fitted = clone(committee).fit(X[::2], Y[::2])
    found = fitted.integrated(X[1::2])
    assert set(found) == {
        "vote", "weighted", "static", "dynamic_selection", "dynamic_voting",
        "dynamic_voting_selection",
    }  # fmt: skip
    for rule, predicted in found.items():  # which the search does not hang on
        assert_array_equal(predicted, fitted.set_params(integration=rule).predict(X[1::2]))
    alone = clone(committee).set_params(integration="dynamic_voting").fit(X[::2], Y[::2])
    assert_array_equal(alone.predict(X[1::2]), found["dynamic_voting"])


@every_committee
def test_result_names_what_members_use(committee):
    result = clone(committee).fit(pd.DataFrame(X, columns=NAMES), Y).result_
    assert result.n_members >= 1
    assert set(result.panel["feature"]) <= set(NAMES)


@pytest.mark.parametrize("committee", COMMITTEES[::4])  # what scikit-learn sees is the same
def test_it_is_a_classifier_among_others(committee):
    pipeline = make_pipeline(StandardScaler(), clone(committee))
    assert cross_val_score(pipeline, X, Y, cv=2).mean() > 0.6
    name = type(committee).__name__.lower()
    search = GridSearchCV(pipeline, {f"{name}__n_estimators": [1, 2]}, cv=2).fit(X, Y)
    assert search.best_score_ > 0.6


def mixed():
    rng = np.random.default_rng(0)
    words = np.where(
        rng.random(80) < 0.8, np.array(["dry", "wet", "hot"])[Y + (rng.random(80) < 0.3)], "odd"
    )
    frame = pd.DataFrame(X[:, :6].copy(), columns=NAMES[:6])
    frame[NAMES[0]] = pd.Categorical(words)
    frame.iloc[3:9, 2] = np.nan
    frame.iloc[10, 0] = np.nan
    return frame


@every_bayes
def test_categories_and_missing_values_are_taken(committee):
    frame = mixed()
    fitted = clone(committee).fit(frame.iloc[::2], Y[::2])
    expected = fitted.predict(frame)
    # The same category is the same, whatever categories the rows to predict have.
    some = frame.iloc[[5]].copy()
    some[NAMES[0]] = some[NAMES[0]].cat.remove_unused_categories()
    assert_array_equal(fitted.predict(some), expected[[5]])
    assert_array_equal(fitted.predict(pl.from_pandas(frame)), expected)
    order = [3, 0, 5, 1, 4, 2]
    turned = clone(committee).fit(frame.iloc[::2, order], Y[::2])
    assert_array_equal(turned.predict(frame.iloc[:, order]), expected)


def test_other_members_than_bayes_need_numbers():
    committee = SequentialGeneticEnsembleClassifier("tree", n_estimators=2)
    with pytest.raises(DataError, match="Column 'gene 0' is nominal, and members other than"):
        committee.fit(mixed(), Y)
    with pytest.raises(DataError, match="holds NaN in row 3"):
        committee.fit(mixed().iloc[:, 1:], Y)


@every_committee
def test_one_feature_is_used_by_all(committee):
    fitted = clone(committee).fit(X[:, :1], Y)
    assert fitted.masks_.all()
    assert fitted.predict(X[:, :1]).shape == (80,)


@every_committee
def test_two_features_are_enough(committee):
    fitted = clone(committee).fit(X[:, :2], Y)
    assert fitted.masks_.any(axis=1).all()


@every_committee
def test_a_class_with_one_row_is_learned_and_not_judged(committee):
    labels = np.where(np.arange(80) == 7, "rare", Y.astype(str))
    fitted = clone(committee).fit(X, labels)
    assert 7 not in fitted.validation_rows_
    assert fitted.classes_.tolist() == ["0", "1", "rare"]
    assert fitted.predict_proba(X).shape == (80, 3)


@every_committee
def test_few_rows_are_enough_or_told(committee):
    rows = np.array([0, 1, 2, 3])
    fitted = clone(committee).fit(X[rows], [0, 0, 1, 1])
    assert fitted.predict(X).shape == (80,)
    with pytest.raises(DataError, match="No class has a second row"):
        clone(committee).fit(X[:2], [0, 1])
    with pytest.raises(DataError, match="All 80 rows have the class 0"):
        clone(committee).fit(X, np.zeros(80))


@every_committee
def test_before_fit_there_is_nothing(committee):
    fresh = clone(committee)
    for ask in (fresh.predict, fresh.predict_proba, fresh.integrated):
        with pytest.raises(NotFittedError):
            ask(X)
    with pytest.raises(NotFittedError):
        fresh.result_  # noqa: B018


@every_committee
def test_data_and_parameters_are_not_touched(committee):
    given_X, given_y = X.copy(), Y.copy()
    given_X.flags.writeable = given_y.flags.writeable = False
    fitted = clone(committee)
    before = repr(fitted.get_params())
    fitted.fit(given_X, given_y).predict(given_X)
    assert_array_equal(given_X, X)
    assert repr(fitted.get_params()) == before


def test_a_naive_bayes_with_settings_of_its_own_is_taken():
    committee = SequentialGeneticEnsembleClassifier(DiscreteNB(4, smoothing=0.5), **BRED)
    fitted = committee.set_params(random_state=0).fit(X, Y)
    assert all(member.n_bins == 4 and member.smoothing == 0.5 for member in fitted.estimators_)
    same = SequentialGeneticEnsembleClassifier("bayes", **BRED, n_bins=4, random_state=0).fit(X, Y)
    assert all(member.n_bins == 4 for member in same.estimators_)
