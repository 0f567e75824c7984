"""Searched committees on unseen rows: every rule on the same members, rivals on the same folds."""

import json

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import balanced_accuracy_score
from sklearn.preprocessing import StandardScaler

from consilience import (
    CommitteeSelector,
    DiscreteNB,
    GeneticEnsembleClassifier,
    QIFSClassifier,
    RandomSubspaceClassifier,
    SequentialGeneticEnsembleClassifier,
    evaluate_committee,
)
from consilience.evaluation.committee_rivals import SEARCH_RIVALS, make_rivals
from consilience.evaluation.committee_rules import RULES
from consilience.evaluation.seeding import seeded_clone
from consilience.exceptions import UsageError
from consilience.significance import mcnemar
from report.real import mixed_table

FRAME, Y = mixed_table()
NUMBERS = FRAME.drop(columns="colour").fillna(0.0).to_numpy()
CHOSEN = "dynamic_voting_selection"


def committee(**options):
    return SequentialGeneticEnsembleClassifier(**{"n_estimators": 4, "n_generations": 2} | options)


def evaluate(X=FRAME, **options):
    rivals = options.pop("rivals", [])
    return evaluate_committee(committee(**options), X, Y, rivals=rivals, n_splits=3, random_state=0)


@pytest.fixture(scope="module")
def found():
    return evaluate(rivals=None)


def training(found, fold):
    return np.flatnonzero(found.folds != fold), np.flatnonzero(found.folds == fold)


def test_everybody_is_there_on_the_same_rows(found):
    keys = ["committee", "subspace", "one", "forest", "ensemble", "majority"]
    assert [m.key for m in found.methods] == keys
    assert list(SEARCH_RIVALS) == keys[1:4]
    assert all(m.predicted.size == Y.size for m in found.methods)
    assert list(found.rules.predicted) == list(RULES)
    assert len(found.stages["committee"]) == len(found.stages["subspace"]) == 4
    assert len(found.stages["one"]) == len(found.stages["forest"]) == 1


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_beside_the_others_is_a_committee_that_uses_it(found, rule):
    """Slowly: the search knows nothing of the rule, so that the members are the same."""
    alone = evaluate(integration=rule)
    assert_array_equal(alone["committee"].predicted, found.rules.predicted[rule])
    assert alone.rules.chosen == rule


def test_the_chosen_rule_is_what_the_committee_predicts(found):
    assert_array_equal(found.rules.predicted[CHOSEN], found["committee"].predicted)
    rows = {row["rule"]: row for row in found.to_dict()["integrations"]}
    assert [rule for rule, row in rows.items() if row["chosen"]] == [CHOSEN]
    assert rows[CHOSEN]["difference"] is None
    assert rows[CHOSEN]["error"] == found.to_dict()["methods"][0]["error"]


def test_figures_of_the_rules_are_those_of_scikit_learn(found):
    right = found["committee"].predicted == found.y
    for row in found.to_dict()["integrations"]:
        predicted = found.rules.predicted[row["rule"]]
        assert_allclose(row["error"]["value"], np.mean(predicted != found.y))
        assert row["error"]["low"] < row["error"]["value"] < row["error"]["high"]
        expected = balanced_accuracy_score(found.y, predicted)
        assert_allclose(row["balanced_accuracy"]["value"], expected)
        assert_allclose(np.mean(row["fold_errors"]), row["error"]["value"])  # folds of one size
        if row["difference"] is not None:
            assert row["difference"]["p"] == mcnemar(predicted == found.y, right).p_value
            assert_allclose(
                row["difference"]["value"], right.mean() - np.mean(predicted == found.y)
            )


def test_one_classifier_is_the_learner_of_the_members_on_all_features(found):
    for fold in range(3):
        train, test = training(found, fold)
        alone = DiscreteNB().fit(FRAME.iloc[train], Y[train])
        assert_array_equal(
            found.classes[found["one"].predicted[test]], alone.predict(FRAME.iloc[test])
        )


def test_the_forest_is_that_of_scikit_learn():
    found = evaluate_committee(
        committee(), NUMBERS, Y, rivals=["forest"], n_splits=3, random_state=0
    )
    seed = np.random.SeedSequence(0).spawn(3)[0].generate_state(3)[2]
    train, test = training(found, 0)
    scaled = StandardScaler().fit(NUMBERS[train]).transform(NUMBERS)
    forest = seeded_clone(RandomForestClassifier(), int(seed)).fit(scaled[train], Y[train])
    assert_array_equal(found.classes[found["forest"].predicted[test]], forest.predict(scaled[test]))


def test_random_features_are_not_bred_and_share_all_else():
    own = committee(n_neighbors=7, integration="dynamic_voting", n_bins=5, refit=False)
    rival = make_rivals(own, ["subspace"], FRAME)["subspace"]
    told = rival.get_params()
    assert type(rival) is GeneticEnsembleClassifier
    assert (told["n_generations"], told["population"], told["n_estimators"]) == (0, 4, 4)
    for name in ("estimator", "integration", "n_neighbors", "n_bins", "refit"):
        assert told[name] == own.get_params()[name]
    masks = clone(rival).set_params(random_state=0).fit(FRAME, Y).masks_
    assert masks.shape == (4, 7)
    more = clone(rival).set_params(n_estimators=200, population=200, random_state=0)
    assert abs(more.fit(FRAME, Y).masks_.mean() - 0.5) < 0.05


def test_a_fold_is_what_its_training_rows_alone_give(found):
    """Slowly: whatever the test rows hold."""
    test = found.folds == 0
    broken = FRAME.copy()
    broken.loc[test, "weight"] = 100.0
    again = evaluate(broken)
    assert_array_equal(again.folds, found.folds)
    assert_array_equal(again["ensemble"].panels[0], found["ensemble"].panels[0])
    assert not np.array_equal(
        again["committee"].predicted[test], found["committee"].predicted[test]
    )


def test_the_curve_after_the_last_member_is_the_whole_committee(found):
    for key in ("committee", "subspace", "one", "forest"):
        assert_allclose(found.stages[key][-1, 0], found[key].balanced_accuracy.value)
        assert_allclose(found.stages[key][-1, 1], found.average_precision(key).value)


def test_the_same_with_workers_and_when_it_is_resumed(found, tmp_path):
    told = json.dumps(found.to_dict())
    options = {"rivals": None, "n_splits": 3, "random_state": 0, "checkpoint": tmp_path}
    for _ in range(2):  # the second finds all folds finished
        again = evaluate_committee(committee(), FRAME, Y, n_jobs=2, **options)
        assert json.dumps(again.to_dict()) == told


def test_learners_that_need_numbers_get_them():
    own = committee(estimator="nb", n_estimators=2, n_generations=1)
    found = evaluate_committee(own, NUMBERS, Y, n_splits=3, random_state=0)
    assert [m.key for m in found.methods][1:4] == ["subspace", "one", "forest"]
    assert found["one"].error.value < 0.5


def test_a_classifier_that_takes_data_as_they_are_is_its_own_rival():
    estimator = DiscreteNB(n_bins=4)
    assert make_rivals(committee(estimator=estimator), ["one"], FRAME)["one"] is estimator


def test_random_subspaces_have_no_rival_of_their_own_kind():
    rivals = make_rivals(RandomSubspaceClassifier("bayes"), None, NUMBERS)
    assert list(rivals) == ["one", "forest"]


def test_committees_that_know_one_rule_compare_none():
    X = (NUMBERS > 0).astype(np.uint8)
    qifs = QIFSClassifier("nb", n_rounds=2, n_features=3, patience=None)
    options = {"rivals": [], "n_splits": 2, "random_state": 0, "n_features_to_select": 2}
    found = evaluate_committee(qifs, X, Y, **options)
    assert found.rules is None
    assert found.to_dict()["integrations"] is None


@pytest.mark.parametrize("rivals", [["fss"], "forest", ["subspace", "best"]])
def test_unknown_rivals_are_refused(rivals):
    with pytest.raises(UsageError, match=r"some of subspace, one, forest, or an empty one\."):
        evaluate(rivals=rivals)


def test_nominal_columns_by_mask_are_those_of_the_frame(found):
    codes = FRAME.assign(colour=FRAME["colour"].cat.codes.astype(float)).to_numpy()
    masked = committee(categorical_features=np.arange(7) == 2)
    selector = CommitteeSelector(masked, n_features_to_select=None)
    again = evaluate_committee(selector, codes, Y, rivals=None, n_splits=3, random_state=0)
    for key in ("committee", "subspace", "one", "forest"):
        assert_array_equal(again[key].predicted, found[key].predicted)
    for rival in make_rivals(masked, ["subspace", "one"], codes).values():
        assert rival.categorical_features is masked.categorical_features


def test_many_categories_are_no_numbers_to_any_rival():
    """Twelve categories, of which every other one means the same class: bins would mix them."""
    rng = np.random.default_rng(0)
    category = rng.integers(0, 12, 180)
    y = np.where(rng.random(180) < 0.95, category % 2, 1 - category % 2)
    table = np.column_stack([rng.permutation(12)[category], rng.normal(size=(180, 2))])
    own = committee(n_estimators=2, categorical_features=[0])
    found = evaluate_committee(own, table, y, rivals=["one"], n_splits=3, random_state=0)
    assert found["one"].error.value < 0.15
    assert found["committee"].error.value < 0.15
