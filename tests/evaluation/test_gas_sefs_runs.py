"""The searches and ensembles behind the GAS-SEFS paper, against plain ways to the same."""

import numpy as np
import pytest

from consilience import SequentialGeneticEnsembleClassifier, make_led
from consilience.evaluation.reproduce import gas_sefs_measures as measures
from consilience.evaluation.reproduce import gas_sefs_runs as runs
from consilience.evaluation.reproduce.gas_sefs_ensembles import N_FOLDS, Ensembles
from consilience.evaluation.reproduce.gas_sefs_searches import search_ga, search_gas_sefs
from consilience.evaluation.reproduce.gas_sefs_sets import (
    FIT,
    TEST,
    VALIDATION,
    Problem,
    deal_folds,
    split_rows,
)
from consilience.execution import Checkpoint
from consilience.integration import (
    HEOM,
    dynamic_selection,
    dynamic_voting,
    dynamic_voting_selection,
    local_errors,
)
from consilience.learners import BayesSubsets, DiscreteNB


@pytest.fixture(scope="module")
def problem():
    """Numbers, categories and gaps, three classes."""
    rng = np.random.default_rng(0)
    y = np.arange(75) % 3
    X = np.column_stack(
        [rng.normal(size=(75, 3)) + y[:, None], rng.integers(3, size=(75, 3)) + y[:, None]]
    )
    X[rng.random(X.shape) < 0.05] = np.nan
    return Problem(X, y, np.arange(6) >= 3)


@pytest.fixture(scope="module")
def part(problem):
    return split_rows(problem.y, np.random.default_rng(1))


@pytest.fixture(scope="module")
def predictor(problem, part):
    return BayesSubsets.of(
        problem.X, problem.y, 3, part == FIT, part == VALIDATION, nominal=problem.nominal
    )


def disagreement(right, others):
    return np.mean([np.mean(right != other) for other in others])


def test_members_of_ga_are_a_population_with_the_fittest_first(problem, part, predictor):
    y = problem.y[part == VALIDATION]
    masks, early, n_evaluated = search_ga(predictor, y, "disagreement", 2.0, seed=3)
    assert masks.shape == (10, 6)
    assert n_evaluated == 410
    assert set(early) == {1, 3, 5}
    right = predictor.predict(masks) == y
    fitness = [
        row.mean() + 2.0 * disagreement(row, np.delete(right, i, axis=0))
        for i, row in enumerate(right)
    ]
    assert (np.diff(fitness) <= 1e-9).all()
    assert not (early[1] == masks).all()


def test_members_of_gas_sefs_come_one_after_the_other(problem, part, predictor):
    y = problem.y[part == VALIDATION]
    masks, n_evaluated = search_gas_sefs(predictor, y, "disagreement", 4.0, seed=3)
    assert masks.shape == (10, 6)
    assert n_evaluated == 4100
    right = predictor.predict(masks) == y
    accurate, _ = search_gas_sefs(predictor, y, "disagreement", 0.0, seed=3)
    assert (masks[0] == accurate[0]).all()  # the first member knows nothing of diversity
    kappa, _ = search_gas_sefs(predictor, y, "kappa", 4.0, seed=3)
    assert (masks[0] == kappa[0]).all()
    alone = predictor.predict(accurate) == y
    assert right.mean() < alone.mean()  # others pay for their diversity with accuracy
    spread = [disagreement(own[i], own[:i]) for own in (right, alone) for i in range(1, 10)]
    assert np.mean(spread[:9]) > np.mean(spread[9:])
    again, _ = search_gas_sefs(predictor, y, "disagreement", 4.0, seed=3)
    assert (again == masks).all()
    _, n_evaluated = search_gas_sefs(predictor, y, "disagreement", 4.0, 3, n_generations=1)
    assert n_evaluated == 500


def test_ensembles_equal_members_refitted_and_joined_for_each_k(problem, part):
    X, y, nominal = problem
    masks = np.random.default_rng(2).random((6, 6)) < 0.6
    masks[:, 0] |= ~masks.any(axis=1)
    ensembles = Ensembles(problem, part, masks, np.random.default_rng(5))
    rows, members = ensembles.ask(TEST), np.array([4, 0, 3])
    weights = np.array([0.5, 0.7, 0.6])
    found = rows.accuracies(members, weights)

    fit, test = np.flatnonzero(part == FIT), np.flatnonzero(part == TEST)
    folds = deal_folds(y[fit], N_FOLDS, np.random.default_rng(5))

    def predict(mask, train, asked):
        learner = DiscreteNB(categorical_features=nominal[mask]).fit(X[train][:, mask], y[train])
        return learner.predict(X[asked][:, mask])

    predicted = np.array([predict(masks[m], fit, test) for m in members])
    errors = np.empty((fit.size, members.size))
    for j, m in enumerate(members):
        for fold in range(N_FOLDS):
            held = folds == fold
            errors[held, j] = predict(masks[m], fit[~held], fit[held]) != y[fit][held]
    distances = HEOM.of(X[fit], nominal).distances(X[test])
    priors = np.bincount(y[fit]) / fit.size

    votes = {"vote": np.ones(3), "WV": weights}
    for name, counts in votes.items():
        shares = np.array([(counts[:, None] * (predicted == c)).sum(axis=0) for c in range(3)])
        best = np.lexsort([np.tile(priors[:, None], test.size), shares], axis=0)[-1]
        assert (found[measures.RULES.index(name)] == (best == y[test]).mean()).all()
    assert (found[measures.RULES.index("SS")] == (predicted[1] == y[test]).mean()).all()
    for place, k in enumerate(measures.NEIGHBOURS):
        local = local_errors(distances, errors, k)
        told = {
            "DS": dynamic_selection(predicted, local, weights, n_classes=3, priors=priors),
            "DV": dynamic_voting(predicted, local, n_classes=3, priors=priors),
            "DVS": dynamic_voting_selection(predicted, local, n_classes=3, priors=priors),
        }
        for name, classes in told.items():
            accuracy = (classes == y[test]).mean()
            assert found[measures.RULES.index(name), place] == pytest.approx(accuracy)
    assert rows.member_accuracies[members] == pytest.approx((predicted == y[test]).mean(axis=1))


@pytest.fixture
def few(monkeypatch):
    """Two values of alpha and k, so that a run takes little time."""
    shape = (*measures.SHAPE[:4], 2, measures.SHAPE[5])
    arrays = {
        "validation": shape, "test": shape, "features": (*shape[:3], 2),
        "members": (*shape[:3], 2, 2), "early": (2, 4, *shape[3:]), "seconds": (2,),
        "evaluated": (2,), "plain": (),
    }  # fmt: skip
    monkeypatch.setattr(measures, "ARRAYS", arrays)
    monkeypatch.setattr(runs, "ARRAYS", arrays)
    monkeypatch.setattr(runs, "ALPHAS", (0.0, 2.0))
    runs.warm_up.cache_clear()
    yield
    runs.warm_up.cache_clear()


def same(first, second, but=("seconds",)):
    return all(
        np.array_equal(first[name].arrays[key], second[name].arrays[key])
        for name in first
        for key in first[name].arrays
        if key not in but
    )


def test_runs_are_the_same_for_any_number_of_workers_and_after_a_stop(problem, few, tmp_path):
    led = Problem.of(make_led(60, random_state=0))
    problems = {"mixed": problem, "led": led}
    told = []
    found = runs.run_all(problems, n_runs=2, random_state=1, tell=told.append)
    assert len(told) == 1
    assert told[0] > 0
    assert same(found, runs.run_all(problems, n_runs=2, random_state=1, n_jobs=2))
    checkpoint = Checkpoint(tmp_path / "kept", {"kind": "a test"})
    first = runs.run_all({"led": led}, n_runs=1, random_state=1, checkpoint=checkpoint)
    again = runs.run_all(problems, n_runs=2, random_state=1, checkpoint=checkpoint)
    assert same(found, again)  # and the sets beside it do not matter
    assert (first["led"].arrays["seconds"][0] == again["led"].arrays["seconds"][0]).all()
    other = runs.run_all({"led": led}, n_runs=2, random_state=2)
    assert not np.array_equal(other["led"].arrays["test"], found["led"].arrays["test"])
    held = found["mixed"].arrays
    assert (held["early"][:, :, -1] == held["test"][:, :, 0, -1]).all()
    assert (held["evaluated"] == [410, 4100]).all()
    assert np.isfinite(held["test"]).all()
    assert found["mixed"].group == 1
    assert 0.3 < held["test"].mean() <= 1


def test_classes_of_test_rows_change_nothing_but_the_test(problem, few, monkeypatch):
    part = split_rows(problem.y, np.random.default_rng(1))
    monkeypatch.setattr(runs, "split_rows", lambda y, rng: part)
    y = problem.y.copy()
    y[part == TEST] = (y[part == TEST] + 1) % 3
    first, second = (
        runs._judge(own, [7]) for own in (problem, Problem(problem.X, y, problem.nominal))
    )
    for name in ("validation", "features", "evaluated"):
        assert np.array_equal(first[name], second[name])
    assert np.array_equal(first["members"][..., 0], second["members"][..., 0])
    for name in ("test", "early", "plain"):
        assert not np.array_equal(first[name], second[name])


def test_members_are_those_of_the_committee_for_users(problem):
    """What is judged here is what `SequentialGeneticEnsembleClassifier` would predict."""
    X, y, nominal = problem
    train = np.arange(75) < 60
    committee = SequentialGeneticEnsembleClassifier(
        refit=False, integration="static", categorical_features=nominal, random_state=0
    ).fit(X[train], y[train])
    part = np.where(train, FIT, TEST)
    part[committee.validation_rows_] = VALIDATION
    ensembles = Ensembles(problem, part, committee.masks_, np.random.default_rng(0))
    known = ensembles.ask(VALIDATION).member_accuracies
    assert known == pytest.approx(committee.member_accuracies_)
    found = ensembles.ask(TEST).accuracies(np.arange(10), known)
    assert found[measures.RULES.index("SS"), 0] == pytest.approx(
        committee.score(X[~train], y[~train])
    )
