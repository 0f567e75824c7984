"""The result of a searched committee: what it tells of members, generations and tuning."""

import json
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from consilience import (
    CommitteeSelector,
    GeneticEnsembleClassifier,
    RandomSubspaceClassifier,
    SequentialGeneticEnsembleClassifier,
    load_result,
)
from consilience.committee.answer import make_result, result_class, usual_size
from consilience.committee.methods import COMMITTEES
from consilience.committee.search_result import (
    SEARCHED,
    SearchCommitteeResult,
    SequentialGeneticResult,
)
from report.real import mixed_table, search_result

FRAME, Y = mixed_table()
SMALL = {"n_estimators": 3, "n_generations": 2, "random_state": 0}


@pytest.fixture(scope="module")
def fitted():
    return SequentialGeneticEnsembleClassifier(**SMALL).fit(FRAME, Y)


def test_the_result_is_what_the_committee_learned(fitted):
    result = fitted.result_
    assert type(result) is SequentialGeneticResult
    document = result.to_dict()
    for row, subset in zip(document["members"], fitted.subsets_, strict=True):
        assert row["features"] == FRAME.columns[subset].tolist()
    for key, learned in (
        ("validation_accuracy", fitted.member_accuracies_),
        ("diversity", fitted.member_diversities_),
        ("n_features", fitted.masks_.sum(axis=1)),
    ):
        assert_allclose([row[key] for row in document["rounds"]], learned)
    assert set(document["search"]) == set(fitted.fitness_history_)
    for name, values in fitted.fitness_history_.items():
        assert_allclose(np.array(document["search"][name], dtype=float), values)
    told = document["committee"]
    assert (told["alpha"], told["n_neighbors"], told["n_evaluations"]) == (1.0, 15, 3 * 90)
    assert told["n_validation"] == fitted.validation_rows_.size
    assert (told["integration"], told["diversity"]) == ("dynamic_voting_selection", "disagreement")
    assert (told["n_candidates"], document["tuning"]) == (7, None)


def test_what_was_tuned_is_told():
    tuned = SequentialGeneticEnsembleClassifier(alpha="auto", n_neighbors="auto", **SMALL)
    tuned.fit(FRAME, Y)
    document = tuned.result_.to_dict()
    rows = document["tuning"]
    for name in ("alpha", "n_neighbors", "accuracy"):
        assert_allclose([row[name] for row in rows], tuned.tuning_[name])
    chosen = document["committee"]["alpha"], document["committee"]["n_neighbors"]
    assert chosen in {(row["alpha"], row["n_neighbors"]) for row in rows}
    assert document["settings"]["alpha"] == "auto"


@pytest.mark.parametrize("method", sorted({e.name for e in COMMITTEES} - {"qifs", "efs", "eifs"}))
def test_every_searched_committee_has_a_result_that_is_read_again(tmp_path, method):
    result = search_result(method, evaluated=False)
    assert isinstance(result, SearchCommitteeResult)
    assert result.method == method
    result.save(tmp_path)
    again = load_result(tmp_path)
    assert type(again) is type(result)
    assert json.dumps(again.to_dict()) == json.dumps(result.to_dict())
    assert (again.history == {}) == (method == "random-subspace")
    assert json.dumps(pickle.loads(pickle.dumps(result)).to_dict()) == json.dumps(result.to_dict())


def test_every_registered_search_is_known_by_its_class():
    for entry in COMMITTEES:
        if entry.cls.__name__ in SEARCHED:
            assert result_class(entry.cls()).method == entry.name


def test_a_class_of_ones_own_has_the_result_of_its_base(fitted):
    class Mine(SequentialGeneticEnsembleClassifier):
        pass

    assert result_class(Mine()) is SequentialGeneticResult


@given(st.lists(st.sampled_from([0.0, 0.1, 0.3, 0.5, 0.7, 1.0]), min_size=1, max_size=30))
def test_the_usual_panel_is_what_half_of_the_members_use_or_what_most_do(scores):
    if not any(scores):
        scores[0] = 0.1
    often = [score for score in scores if score >= 0.5]
    expected = often or [score for score in scores if score == max(scores)]
    assert usual_size(np.array(scores)) == min(len(expected), 20)


def test_a_panel_without_a_size_and_one_with():
    selector = CommitteeSelector(GeneticEnsembleClassifier(**SMALL), n_features_to_select=None)
    fitted = selector.fit(FRAME, Y)
    shares = fitted.committee_.masks_.mean(axis=0)
    assert_array_equal(np.sort(fitted.result_.panels[0]), np.flatnonzero(shares >= 0.5))
    assert fitted.result_.settings["n_features_to_select"] is None
    two = selector.set_params(n_features_to_select=2).fit(FRAME, Y).result_
    assert two.panels[0].size == 2
    assert set(two.panels[0]) <= set(np.flatnonzero(shares >= np.sort(shares)[-2]))


def test_of_features_used_as_often_those_of_better_members_come_first():
    X = np.random.default_rng(0).normal(size=(40, 6))
    codes = np.arange(40) % 2
    committee = RandomSubspaceClassifier("nb", n_estimators=2, subspace_size=3, random_state=0)
    committee.fit(X, codes)
    committee.subsets_ = [np.array([0, 1, 2]), np.array([3, 4, 5])]
    for accuracies in ([0.9, 0.6], [0.6, 0.9]):
        committee.member_accuracies_ = np.array(accuracies)
        first = make_result(committee, X, codes, n_features=3).panels[0]
        assert set(first) == set(committee.subsets_[int(np.argmax(accuracies))])


def test_nominal_columns_that_were_named_are_kept_as_such():
    X = np.column_stack([np.arange(60) % 3, np.random.default_rng(0).normal(size=60)])
    y = np.arange(60) % 3
    committee = GeneticEnsembleClassifier(categorical_features=[0], **SMALL)
    result = CommitteeSelector(committee, n_features_to_select=2).fit(X, y).result_
    assert dict(zip(result.profiled.tolist(), result.nominal.tolist(), strict=True))[0]


def test_too_many_names_are_left_out_of_the_document(fitted, monkeypatch):
    from consilience.committee import search_result as module

    monkeypatch.setattr(module, "MAX_NAMES", 2)
    assert fitted.result_.to_dict()["members"] is None
