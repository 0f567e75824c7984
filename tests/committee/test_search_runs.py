"""How searched committees run: checkpoints, progress, tuning, candidates, the spec's invariants."""

import os

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import BernoulliNB

from consilience import (
    GEFS,
    BitMatrix,
    GeneticEnsembleClassifier,
    HillClimbingEnsembleClassifier,
    ParetoEnsembleClassifier,
    SequentialGeneticEnsembleClassifier,
    SequentialSelectionEnsembleClassifier,
    WholeEnsembleGeneticClassifier,
    evaluate_committee,
    make_planted,
)
from consilience.committee import search_base, search_options
from consilience.committee.search_objective import MembersObjective, PopulationObjective
from consilience.exceptions import CheckpointError, DataError, MemoryLimitError, UsageError
from consilience.execution import Checkpoint, Progress
from consilience.learners.bayes_subsets import BayesSubsets

PLANTED = make_planted(80, 20, n_blocks=3, block_size=2, effect=2.0, random_state=0)
X, Y = PLANTED.X, PLANTED.y
BRED = {"n_estimators": 4, "population": 6, "n_crossover": 8, "n_mutation": 3, "n_generations": 3}
COMMITTEES = [
    pytest.param(SequentialGeneticEnsembleClassifier(**BRED, random_state=0), id="gas-sefs"),
    pytest.param(GeneticEnsembleClassifier(**BRED, random_state=0), id="ga"),
    pytest.param(HillClimbingEnsembleClassifier(n_estimators=4, random_state=0), id="climbing"),
    pytest.param(GEFS(**BRED, random_state=0), id="gefs"),
    pytest.param(WholeEnsembleGeneticClassifier(**BRED, random_state=0), id="whole"),
    pytest.param(SequentialSelectionEnsembleClassifier(n_estimators=4, random_state=0), id="sequ"),
    pytest.param(ParetoEnsembleClassifier(**BRED, random_state=0), id="knee"),
]
every_committee = pytest.mark.parametrize("committee", COMMITTEES)


def assert_same(one, two):
    assert_array_equal(one.masks_, two.masks_)
    assert one.n_evaluations_ == two.n_evaluations_
    assert one.alpha_ == two.alpha_
    for name, values in one.fitness_history_.items():
        assert_array_equal(values, two.fitness_history_[name])
    assert_array_equal(one.predict_proba(X), two.predict_proba(X))


class Interruption(Checkpoint):
    """Stops the run when it has kept so many parts, as Ctrl-C would."""

    left = 10**6

    def store(self, key, arrays):
        if Interruption.left == 0:
            raise KeyboardInterrupt
        Interruption.left -= 1
        super().store(key, arrays)

    def scope(self, name):
        return Interruption(self.directory / "scopes" / name, None)


@every_committee
def test_an_interrupted_run_is_resumed_as_if_nothing_had_happened(committee, tmp_path, monkeypatch):
    expected = clone(committee).fit(X, Y)
    directory = tmp_path / "run"
    run = clone(committee).set_params(checkpoint=directory)
    manifests = []

    def opened(where, random_state, manifest):
        manifests.append(manifest())
        return Interruption(where, manifests[-1])

    monkeypatch.setattr(search_base, "open_seeded", opened)
    monkeypatch.setattr(Interruption, "left", 1)
    with pytest.raises(KeyboardInterrupt):
        run.fit(X, Y)
    assert len(list(directory.rglob("*.npz"))) == 1
    monkeypatch.undo()
    assert_same(clone(run).fit(X, Y), expected)
    # Once more, now that all is there: nothing is judged again.
    monkeypatch.setattr(BayesSubsets, "predict_flips", None)
    assert_same(clone(run).fit(X, Y), expected)


def test_more_members_go_on_from_fewer(tmp_path):
    committee = SequentialGeneticEnsembleClassifier(**BRED, random_state=0)
    few = clone(committee).set_params(checkpoint=tmp_path / "run", n_estimators=2).fit(X, Y)
    many = clone(committee).set_params(checkpoint=tmp_path / "run").fit(X, Y)
    assert_array_equal(many.masks_[:2], few.masks_)
    assert_same(many, clone(committee).fit(X, Y))


@every_committee
def test_another_run_is_not_mixed_in(committee, tmp_path):
    run = clone(committee).set_params(checkpoint=tmp_path / "run").fit(X, Y)
    with pytest.raises(CheckpointError, match="holds another run: its n_bins is 10"):
        clone(run).set_params(n_bins=5).fit(X, Y)
    with pytest.raises(CheckpointError, match="holds another run: its data is"):
        clone(run).fit(-X, Y)
    with pytest.raises(CheckpointError, match="holds another run: its random_state is"):
        clone(run).set_params(random_state=1).fit(X, Y)
    # What joins members later does not belong to the run.
    again = clone(run).set_params(integration="vote", n_jobs=2, refit=False).fit(X, Y)
    assert_array_equal(again.masks_, run.masks_)


def test_a_run_inside_another_takes_its_checkpoint(tmp_path):
    committee = SequentialGeneticEnsembleClassifier(**BRED, random_state=0)
    found = [
        evaluate_committee(
            committee, X, Y, rivals=[], n_splits=2, random_state=0, checkpoint=tmp_path / "run"
        )
        for _ in range(2)
    ]
    expected = evaluate_committee(
        committee, X, Y, rivals=[], n_splits=2, random_state=0, n_jobs=2, backend="processes"
    )
    for each in found:
        assert each.average_precision("committee") == expected.average_precision("committee")


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


def test_the_search_never_sees_the_rows_to_predict():
    shuffled = Y.copy()
    train, test = train_test_split(np.arange(80), random_state=0)
    shuffled[test] = np.random.default_rng(0).permutation(shuffled[test])
    one, two = (
        SequentialGeneticEnsembleClassifier(**BRED, alpha="auto", random_state=0).fit(
            X[train], labels[train]
        )
        for labels in (Y, shuffled)
    )
    assert_same(one, two)


@pytest.mark.parametrize("integration", ["dynamic_voting_selection", "weighted"])
def test_alpha_is_chosen_on_rows_set_aside(integration):
    committee = SequentialGeneticEnsembleClassifier(
        **BRED, alpha="auto", n_neighbors="auto", integration=integration, random_state=0
    )
    fitted = committee.fit(X, Y)
    tried = fitted.tuning_
    sizes = [1, 3, 7, 15, 31, 63, 127] if "dynamic" in integration else [15]
    assert_array_equal(np.unique(tried["alpha"]), search_options.ALPHAS)
    assert_array_equal(np.unique(tried["n_neighbors"]), sizes)
    assert tried["accuracy"].size == 7 * len(sizes)
    best = tried["accuracy"] >= tried["accuracy"].max() - 1e-12
    assert fitted.alpha_ == tried["alpha"][best].min()
    if "dynamic" in integration:
        same = best & (tried["alpha"] == fitted.alpha_)
        assert fitted.n_neighbors_ == tried["n_neighbors"][same].max()
    given = clone(committee).set_params(alpha=fitted.alpha_, n_neighbors=fitted.n_neighbors_ or 15)
    assert_array_equal(given.fit(X, Y).masks_, fitted.masks_)
    assert_array_equal(given.predict_proba(X), fitted.predict_proba(X))
    two = clone(committee).set_params(n_jobs=2).fit(X, Y)
    assert_array_equal(two.tuning_["accuracy"], tried["accuracy"])
    assert_same(two, fitted)


@every_committee
def test_alpha_auto_works_for_every_committee_that_has_one(committee):
    if "alpha" not in committee.get_params():
        pytest.skip("this committee weighs nothing")
    committee = clone(committee).set_params(alpha="auto", n_estimators=2)
    fitted = committee.fit(X, Y)
    order = np.random.default_rng(0).permutation(20)
    turned = clone(committee).fit(X[:, order], Y)
    assert_array_equal(fitted.tuning_["accuracy"], turned.tuning_["accuracy"])
    assert_array_equal(fitted.masks_[:, order], turned.masks_)


def test_a_tuned_run_is_resumed(tmp_path, monkeypatch):
    committee = SequentialGeneticEnsembleClassifier(
        **BRED, alpha="auto", random_state=0, checkpoint=tmp_path / "run"
    )
    fitted = clone(committee).fit(X, Y)
    monkeypatch.setattr("consilience.committee.search_tuning._try", None)
    assert_same(clone(committee).fit(X, Y), fitted)


def test_neighbours_alone_are_chosen_by_leaving_each_row_out():
    committee = SequentialGeneticEnsembleClassifier(**BRED, n_neighbors="auto", random_state=0)
    fitted = committee.fit(X, Y)
    tried = fitted.tuning_
    assert (tried["alpha"] == 1.0).all()
    assert_array_equal(tried["n_neighbors"], [1, 3, 7, 15, 31, 63])
    best = tried["accuracy"] == tried["accuracy"].max()
    assert fitted.n_neighbors_ == tried["n_neighbors"][best].max()
    # A rule that looks at no neighbours leaves the choice open until one does.
    other = clone(committee).set_params(integration="vote").fit(X, Y)
    assert other.n_neighbors_ is None
    assert other.tuning_ is None


def test_errors_are_learned_when_a_dynamic_rule_asks():
    import pickle

    fitted = SequentialGeneticEnsembleClassifier(**BRED, integration="vote", random_state=0)
    fitted.fit(X, Y)
    lost = pickle.loads(pickle.dumps(fitted))
    expected = clone(fitted).set_params(integration="dynamic_voting").fit(X, Y)
    assert_array_equal(fitted.integrated(X)["dynamic_voting"], expected.predict(X))
    assert_array_equal(lost.integrated(X, ["vote", "static"])["vote"], fitted.predict(X))
    with pytest.raises(UsageError, match="not learned before the committee was pickled"):
        lost.integrated(X)


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


class Interrupted(BernoulliNB):
    """Stops the run in the middle, as Ctrl-C would."""

    left = 10**6

    def fit(self, *given, **named):
        if Interrupted.left == 0:
            raise KeyboardInterrupt
        Interrupted.left -= 1
        return super().fit(*given, **named)


def test_ctrl_c_in_a_classifier_keeps_what_is_finished(tmp_path):
    committee = SequentialGeneticEnsembleClassifier(
        Interrupted(), n_estimators=3, population=3, n_crossover=3, n_mutation=1, n_generations=2,
        integration="vote", random_state=0,
    )  # fmt: skip
    expected = clone(committee).fit(X, Y)
    run = clone(committee).set_params(checkpoint=tmp_path / "run")
    Interrupted.left = 20
    with pytest.raises(KeyboardInterrupt):
        run.fit(X, Y)
    Interrupted.left = 10**6
    assert list((tmp_path / "run").rglob("generation-*.npz"))
    assert_same(clone(run).fit(X, Y), expected)


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


def test_too_few_rows_to_choose_alpha_are_told():
    committee = SequentialGeneticEnsembleClassifier(**BRED, alpha="auto", random_state=0)
    with pytest.raises(DataError, match="No class has a second row"):
        committee.fit(X[:4], [0, 0, 1, 1])


def test_what_a_classifier_said_of_a_subset_is_asked_once_for_all_weights():
    class Counted(BernoulliNB):
        n_fits = 0

        def fit(self, *given, **named):
            Counted.n_fits += 1
            return super().fit(*given, **named)

    committee = SequentialGeneticEnsembleClassifier(
        Counted(), n_estimators=1, population=4, n_crossover=4, n_mutation=1, n_generations=2,
        alpha="auto", integration="vote", random_state=0,
    )  # fmt: skip
    committee.fit(X, Y)
    # One process goes by accuracy alone: the same subsets for each of seven weights.
    assert Counted.n_fits <= 3 * (4 + 2 * 6 + 7) + (4 + 2 * 6) + 1


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
