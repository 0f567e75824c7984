"""How searched committees run: progress, candidates, refusals, the spec's invariants."""

import os
from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone

from consilience import (
    BitMatrix,
    GeneticEnsembleClassifier,
    ParetoEnsembleClassifier,
    SequentialGeneticEnsembleClassifier,
    make_planted,
)
from consilience.committee import search_base
from consilience.committee.search_objective import MembersObjective, PopulationObjective
from consilience.committee.search_table import SearchTable
from consilience.exceptions import DataError, MemoryLimitError, UsageError
from consilience.execution import Progress
from consilience.learners.bayes_subsets import BayesSubsets
from searched_committees import BRED, X, Y, every_committee


@every_committee
def test_progress_is_told_of_every_step(committee, monkeypatch):
    told, labels = [], []

    class Bar(Progress):
        def advance(self, n=1):
            told.append(n)

        def describe(self, label):
            labels.append(label)

    class Shown:
        def __init__(self, label, total, *, show):
            told.append((label, total, show))

        def __enter__(self):
            return Bar()

        def __exit__(self, *_):
            return None

    monkeypatch.setattr(search_base, "progress_bar", Shown)
    clone(committee).set_params(verbose=1).fit(X, Y)
    assert told[0] == ("Searching", committee._n_steps(), True)
    steps = sum(told[1:])
    assert 0 < steps <= committee._n_steps()
    if isinstance(committee, SequentialGeneticEnsembleClassifier):
        assert labels[-1] == "Searching member 4 of 4"
    if "n_generations" in committee.get_params():
        assert steps == committee._n_steps()


def test_evaluations_are_those_of_the_paper():
    fitted = SequentialGeneticEnsembleClassifier(n_estimators=2, random_state=0).fit(X, Y)
    assert fitted.n_evaluations_ == 2 * (10 + 40 * 10)
    history = fitted.fitness_history_
    assert_array_equal(history["process"], np.repeat([0, 1], 11))
    assert_array_equal(history["generation"], np.tile(np.arange(11), 2))
    assert_array_equal(history["n_evaluated"], np.tile([10] + [40] * 10, 2))
    assert GeneticEnsembleClassifier(random_state=0).fit(X, Y).n_evaluations_ == 10 + 40 * 10


def test_the_first_member_goes_by_accuracy_alone():
    history = SequentialGeneticEnsembleClassifier(**BRED, random_state=0).fit(X, Y).fitness_history_
    first = history["process"] == 0
    assert_array_equal(history["best_fitness"][first], history["best_accuracy"][first])
    assert (history["mean_diversity"][first] == 0).all()
    assert (history["mean_diversity"][~first] > 0).all()


def test_with_alpha_zero_all_processes_share_one_objective():
    predictor = BayesSubsets.of(X, Y, 2, np.arange(50), np.arange(50, 80))
    masks = np.random.default_rng(0).random((6, 20)) < 0.4
    objective = MembersObjective(predictor, Y[50:], alpha=0.0)
    before = objective.of_population(masks).fitness
    objective.refer_to(masks[:3])
    assert_array_equal(objective.of_population(masks).fitness, before)
    population = PopulationObjective(predictor, Y[50:], alpha=0.0)
    assert_array_equal(population.of_population(masks).fitness, before)


@pytest.mark.parametrize("measure", ["disagreement", "kappa", "label_disagreement"])
def test_a_copy_of_the_only_member_is_not_diverse(measure):
    predictor = BayesSubsets.of(X, Y, 2, np.arange(50), np.arange(50, 80))
    masks = np.random.default_rng(0).random((2, 20)) < 0.4
    objective = MembersObjective(predictor, Y[50:], measure)
    objective.refer_to(masks[:1])
    found = objective.of_population(masks)
    assert found.diversity[0] == 0
    assert found.fitness[0] == found.accuracy[0]
    flips = objective.score_flips(masks[1], np.arange(20))
    one_by_one = [objective.score(masks[1] ^ (np.arange(20) == j)).fitness[0] for j in range(20)]
    assert_array_equal(flips.fitness, one_by_one)


def test_a_front_that_is_smaller_than_the_committee_is_not_filled_with_copies():
    fitted = ParetoEnsembleClassifier(
        **{**BRED, "n_estimators": 9}, choose="front", integration="vote", random_state=0
    ).fit(X[:, :3], Y)  # of three features there are six subsets, for nine individuals
    assert len(np.unique(fitted.masks_, axis=0)) == len(fitted.masks_) <= 6


def test_no_subset_is_empty_and_none_of_a_start_or_a_crossover_full():
    fitted = SequentialGeneticEnsembleClassifier(n_estimators=6, n_mutation=0, random_state=0).fit(
        X[:, :3], Y
    )
    sizes = fitted.masks_.sum(axis=1)
    assert sizes.min() >= 1
    assert sizes.max() <= 2


def test_one_member_is_the_same_by_every_rule():
    fitted = SequentialGeneticEnsembleClassifier(n_estimators=1, random_state=0).fit(X, Y)
    found = fitted.integrated(X)
    for predicted in found.values():
        assert_array_equal(predicted, found["vote"])


@every_committee
def test_without_errors_the_dynamic_rules_are_votes(committee):
    fitted = clone(committee).fit(X, Y)
    fitted._learned = type(fitted._learned)(
        fitted._learned.heom, np.zeros_like(fitted._learned.errors), 15
    )
    found = fitted.integrated(X)
    assert_array_equal(found["dynamic_voting"], found["vote"])
    assert_array_equal(found["dynamic_voting_selection"], found["vote"])


def test_accuracies_are_of_rows_that_no_member_was_fitted_to():
    fitted = SequentialGeneticEnsembleClassifier(**BRED, refit=False, random_state=0).fit(X, Y)
    held = fitted.validation_rows_
    (block,) = fitted._members.blocks(X[held])
    right = fitted._members.predicted(block) == Y[held]
    assert_allclose(fitted.member_accuracies_, right.mean(axis=1))
    counts = [member.class_count_.sum() for member in fitted.estimators_]
    assert counts == [60] * 4
    refitted = clone(fitted).set_params(refit=True).fit(X, Y)
    assert [member.class_count_.sum() for member in refitted.estimators_] == [80] * 4
    assert_array_equal(refitted.masks_, fitted.masks_)
    assert fitted._competence.errors.shape == (60, 4)
    assert refitted._competence.errors.shape == (80, 4)


def test_many_features_are_thinned_out_by_what_they_tell():
    made = make_planted(60, 1200, n_blocks=2, block_size=4, effect=3.0, random_state=1)
    committee = SequentialGeneticEnsembleClassifier(
        **{**BRED, "n_estimators": 2}, integration="vote", random_state=0
    )
    fitted = committee.fit(made.X, made.y)
    assert fitted.candidates_.size == 500
    assert set(np.flatnonzero(made.relevant)) <= set(fitted.candidates_)
    assert set(np.flatnonzero(fitted.masks_.any(axis=0))) <= set(fitted.candidates_)
    order = np.random.default_rng(0).permutation(1200)
    turned = clone(committee).fit(made.X[:, order], made.y)
    assert_array_equal(np.sort(order[turned.candidates_]), fitted.candidates_)
    assert_array_equal(fitted.masks_[:, order], turned.masks_)
    few = clone(committee).set_params(n_candidates=3).fit(made.X[:, :8], made.y)
    assert few.candidates_.size == 3  # and no warning of any size
    some = clone(committee).set_params(n_candidates=7).fit(made.X, made.y)
    assert some.candidates_.size == 7
    assert made.relevant[some.candidates_].all()
    every = clone(committee).set_params(n_candidates=None).fit(made.X, made.y)
    assert every.candidates_.size == 1200


def test_candidates_are_chosen_by_the_rows_to_learn_from_alone():
    table = SearchTable.of(X, Y, 2, np.zeros(20, dtype=bool))
    fit_rows, others = np.arange(50), np.arange(50, 80)
    expected = table.with_candidates(6, fit_rows).features
    values, labels = table.X.copy(), Y.copy()
    values[others] = 9 * (1 - Y[others])[:, None] * (np.arange(20) >= 10)
    labels[others] = 1 - Y[others]
    changed = replace(table, X=values, y=labels)
    assert_array_equal(changed.with_candidates(6, fit_rows).features, expected)
    assert set(changed.with_candidates(6, others).features) != set(expected)


def test_patience_and_elitism_are_heard():
    patient = SequentialGeneticEnsembleClassifier(
        **{**BRED, "n_generations": 30}, patience=1, elitism=1, random_state=0
    ).fit(X, Y)
    assert patient.n_evaluations_ < 4 * (6 + 30 * 14)
    assert patient.n_evaluations_ == patient.fitness_history_["n_evaluated"].sum()
    kept = SequentialGeneticEnsembleClassifier(**BRED, elitism=2, random_state=0).fit(X, Y)
    for process in range(4):
        own = kept.fitness_history_["process"] == process
        assert (np.diff(kept.fitness_history_["best_fitness"][own]) >= 0).all()


def test_members_in_number_make_the_population_large_enough():
    fitted = GeneticEnsembleClassifier(n_estimators=12, n_generations=1, random_state=0).fit(X, Y)
    assert len(fitted.subsets_) == 12
    assert fitted.n_evaluations_ == 12 + 40


def test_a_fit_that_is_refused_leaves_the_last_one():
    fitted = SequentialGeneticEnsembleClassifier(**BRED, random_state=0).fit(X, Y)
    expected = fitted.predict_proba(X)
    with pytest.raises(UsageError, match="alpha is -1"):
        fitted.set_params(alpha=-1).fit(X[:, :5], Y)
    with pytest.raises(DataError, match="All 80 rows have the class 0"):
        fitted.set_params(alpha=1.0).fit(X[:, :5], np.zeros(80))
    assert fitted.n_features_in_ == 20
    assert_array_equal(fitted.predict_proba(X), expected)


def test_what_cannot_fit_is_refused_before_the_work(monkeypatch):
    monkeypatch.setattr("consilience.execution.memory.available_memory", lambda: 1000)
    with pytest.raises(MemoryLimitError, match="A committee on 20 features needs about"):
        GeneticEnsembleClassifier(**BRED).fit(X, Y)


def test_packed_files_are_read_in_place_and_must_not_change(tmp_path):
    path = tmp_path / "x.bits"
    ones = (X > 0).astype(np.uint8)
    BitMatrix.from_array(ones).save(path)
    committee = SequentialGeneticEnsembleClassifier(**BRED, random_state=0)
    mapped = clone(committee).fit(BitMatrix.open(path), Y)
    assert_array_equal(mapped.masks_, clone(committee).fit(ones, Y).masks_)
    assert mapped.result_.n_members == 4
    mapped._result = None
    os.utime(path, ns=(1, 1))
    with pytest.raises(DataError, match="was changed"):
        mapped.result_  # noqa: B018
