"""Searched committees beside slow ones: classifiers fitted anew, fitness pair by pair, loops."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.neighbors import KNeighborsClassifier

import naive_genetic
import naive_search
from consilience import (
    GEFS,
    GeneticEnsembleClassifier,
    HillClimbingEnsembleClassifier,
    ParetoEnsembleClassifier,
    SequentialGeneticEnsembleClassifier,
    SequentialSelectionEnsembleClassifier,
    WholeEnsembleGeneticClassifier,
)
from consilience.committee.mean_diversity import MeanDiversity
from consilience.committee.search_breeding import breeding_options
from consilience.committee.search_table import SearchTable
from consilience.committee.whole_ensemble import VoteObjective
from consilience.measures.diversity import PAIRWISE, pairwise_diversities
from consilience.measures.vote_diversity import BY_VOTES
from consilience.search import Masks, genetic_search, sequential_search
from consilience.search.draws import random_words, seed_word

RNG = np.random.default_rng(0)
Y = np.arange(120) % 3
# Codes 0, 1, 2 with some sense: every value is in every part of the rows.
X = np.where(RNG.random((120, 7)) < 0.45, Y[:, None], RNG.integers(0, 3, (120, 7)))
BRED = {"n_estimators": 3, "population": 5, "n_crossover": 6, "n_mutation": 2, "n_generations": 3}


def seeds_of(random_state):
    """Seeds of the search of a committee, as `fit` spawns them."""
    root = np.random.SeedSequence(int(np.random.RandomState(random_state).randint(2**31 - 1)))
    return root.spawn(5)[1]


def judged(committee, fitted, classifier=None, alpha=1.0, X=X):
    """The slow judge of the rows and columns that a fitted committee was searched on."""
    table = SearchTable.of(X, Y, 3, np.zeros(X.shape[1], dtype=bool))
    fit_rows = np.setdiff1d(np.arange(Y.size), fitted.validation_rows_)
    refitted = naive_genetic.Refitted(
        table.X, Y, fit_rows, fitted.validation_rows_, classifier, np.full(7, 3)
    )
    masks = fitted.masks_[:, table.features]
    judge = naive_genetic.Judge(refitted, committee.diversity, alpha)
    return judge, [naive_genetic.as_set(mask) for mask in masks]


def last_generation(committee, seed, fitness_of, p=7, population=None):
    """Population after the last generation, by loops with the same random numbers."""
    size = population or committee.population
    options = breeding_options(committee, population=size)
    words = seed.generate_state(options.n_generations + 2, np.uint64)
    start = Masks(p, start=committee.start).start(size, words[1])
    # There an individual is a list of sets, one for each member; here of one.
    generations = naive_search.genetic_search(
        fitness_of, [[naive_genetic.as_set(mask)] for mask in start], p, options, words[2:]
    )
    return generations[-1]


@pytest.mark.parametrize("measure", ["disagreement", "kappa", "q_statistic", *BY_VOTES])
@pytest.mark.parametrize("random_state", [0, 1])
def test_gas_sefs_is_that_of_the_words_with_classifiers_fitted_anew(measure, random_state):
    committee = SequentialGeneticEnsembleClassifier(
        **BRED, alpha=2.0, diversity=measure, integration="vote", random_state=random_state
    )
    fitted = committee.fit(X, Y)
    judge, members = judged(committee, fitted, alpha=2.0)
    for i, seed in enumerate(seeds_of(random_state).spawn(3)):
        before = members[:i]  # the first process goes by accuracy alone
        last = last_generation(committee, seed, lambda one, _, b=before: judge(one[0], b)[0])
        able = naive_genetic.best_of([one for (one,) in last], lambda one, b=before: judge(one, b))
        assert members[i] in able
        assert_allclose(fitted.member_accuracies_[i], judge(members[i], [])[1])
    for i, member in enumerate(members):
        others = members[:i] + members[i + 1 :]
        assert_allclose(fitted.member_diversities_[i], judge(member, others)[2])


def test_gas_sefs_with_other_classifiers_is_the_same_search():
    neighbours = KNeighborsClassifier(3)
    committee = SequentialGeneticEnsembleClassifier(
        neighbours, **BRED, scale=False, integration="vote", random_state=0
    )
    fitted = committee.set_params(n_estimators=2, n_generations=2).fit(X, Y)
    judge, members = judged(committee, fitted, neighbours)
    for i, seed in enumerate(seeds_of(0).spawn(2)):
        before = members[:i]
        last = last_generation(committee, seed, lambda one, _, b=before: judge(one[0], b)[0])
        assert members[i] in naive_genetic.best_of(
            [one for (one,) in last], lambda one, b=before: judge(one, b)
        )


def against_others(judge, one, population):
    """Fitness in GA: an individual is not compared with itself, an offspring with all."""
    return judge(one[0], [other[0] for other in population if other is not one])


@pytest.mark.parametrize(
    "measure", ["disagreement", "double_fault", "label_disagreement", *BY_VOTES]
)
def test_ga_is_that_of_the_words_with_classifiers_fitted_anew(measure):
    committee = GeneticEnsembleClassifier(
        **BRED, diversity=measure, integration="vote", random_state=3
    )
    fitted = committee.fit(X, Y)
    judge, members = judged(committee, fitted)
    bred = seeds_of(3).spawn(2)[0]
    last = last_generation(committee, bred, lambda one, all_: against_others(judge, one, all_)[0])
    found = sorted((against_others(judge, one, last)[0] for one in last), reverse=True)[:3]
    for member, worth in zip(members, found, strict=True):
        beside = [against_others(judge, one, last)[0] for one in last if one == [member]]
        assert any(abs(value - worth) < 1e-12 for value in beside)


def test_hill_climbing_is_the_plain_loop():
    committee = HillClimbingEnsembleClassifier(
        n_estimators=3, max_passes=3, integration="vote", random_state=0
    )
    fitted = committee.fit(X, Y)
    judge, members = judged(committee, fitted)
    drawn, *passes = seeds_of(0).spawn(4)
    climbing = [naive_genetic.as_set(mask) for mask in Masks(7).start(3, drawn)]
    n_evaluations = 3
    for own in passes:
        before = [set(one) for one in climbing]
        for k, seed in enumerate(own.spawn(3)):
            others = climbing[:k] + climbing[k + 1 :]
            words = random_words(random_words(seed_word(seed), 1)[0], 7)
            found = naive_search.hill_climb(
                lambda one, o=others: judge(one, o)[0], climbing[k], [np.argsort(words)]
            )
            climbing[k] = found[0]
            n_evaluations += found[3] - 1
        if climbing == before:
            break
    assert climbing == members
    assert fitted.n_evaluations_ == n_evaluations
    history = fitted.fitness_history_
    for k in range(3):  # a pass never makes a member worse, others as they are
        own = history["process"] == k
        assert_array_equal(history["generation"][own], np.arange(own.sum()))
        assert_allclose(
            history["best_fitness"][own][-1], judge(members[k], members[:k] + members[k + 1 :])[0]
        )


@pytest.mark.parametrize("direction", ["forward", "backward"])
def test_sequential_selection_judges_by_members_fitted_anew(direction):
    committee = SequentialSelectionEnsembleClassifier(
        n_estimators=3, direction=direction, alpha=2.0, integration="vote", random_state=0
    )
    fitted = committee.fit(X, Y)
    judge, members = judged(committee, fitted, alpha=2.0)
    for i, seed in enumerate(seeds_of(0).spawn(3)):

        class Loops(naive_genetic.Against):
            score_masks = naive_genetic.Against.of_population

            def score(self, mask):
                return self.score_masks(mask[None])

            def score_flips(self, mask, features):
                return self.score_masks(np.array([mask ^ (np.arange(7) == j) for j in features]))

        fixed = [judge.answers(member) for member in members[:i]]
        objective = Loops(judge.refitted, "disagreement", 2.0, fixed=fixed)
        run = sequential_search(objective, 7, seed, direction=direction)
        assert naive_genetic.as_set(run.mask) == members[i]


def test_gefs_adapts_the_weight_by_the_words():
    committee = GEFS(**BRED, integration="vote", random_state=1)
    fitted = committee.set_params(n_generations=6).fit(X, Y)
    judge, members = judged(committee, fitted)

    class Loops(naive_genetic.Against):
        relative = True
        told, weights = [], [1.0]

        def after_generation(self, scored):
            error, diversity = 1 - scored.accuracy.mean(), scored.diversity.mean()
            if self.told:
                error_before, diversity_before = self.told[-1]
                if error <= error_before and diversity < diversity_before:
                    self.alpha *= 1.1
                elif error > error_before and diversity >= diversity_before:
                    self.alpha *= 0.9
            self.told.append((error, diversity))
            self.weights.append(self.alpha)
            return scored._replace(fitness=scored.accuracy + self.alpha * scored.diversity)

    objective = Loops(judge.refitted, "disagreement", 1.0)
    options = breeding_options(committee, parents="proportional", survivors="fittest")
    run = genetic_search(objective, Masks(7, start="opitz"), options, seeds_of(1).spawn(2)[0])
    assert_allclose(fitted.fitness_history_["alpha"], objective.weights)
    assert len(set(objective.weights)) > 1  # it does change
    assert fitted.alpha_ == fitted.fitness_history_["alpha"][-1]
    assert_allclose(fitted.fitness_history_["mean_fitness"], run.history["mean_fitness"])
    assert all(member in map(naive_genetic.as_set, run.population) for member in members)


def test_a_whole_ensemble_is_as_fit_as_its_vote():
    committee = WholeEnsembleGeneticClassifier(**BRED, penalty=0.3, random_state=0)
    fitted = committee.fit(X, Y)
    judge, members = judged(committee, fitted)
    counts = np.bincount(Y[judge.refitted.fit_rows])
    right = 0
    for k, truth in enumerate(judge.y):
        votes = [0, 0, 0]
        for member in members:
            votes[judge.answers(member)[k]] += 1
        right += max(range(3), key=lambda c: (votes[c], counts[c], -c)) == truth
    share = sum(len(member) for member in members) / (3 * 7)
    history = fitted.fitness_history_
    assert_allclose(history["best_accuracy"][-1], right / judge.y.size)
    assert_allclose(history["best_fitness"][-1], right / judge.y.size - 0.3 * share)
    assert fitted.n_evaluations_ == 3 * (5 + 3 * 10)


def test_votes_that_tie_go_to_the_larger_class():
    class Said:
        predict = staticmethod(lambda masks: np.array([[0, 1], [1, 2]], dtype=np.int16))

    objective = VoteObjective(Said(), np.array([1, 2]), priors=[2, 5, 5], penalty=0.0)
    found = objective.of_population(np.ones((1, 2, 4), dtype=bool))
    assert found.accuracy == 0.5  # of 0 and 1 the larger, of 1 and 2 as large the first


def front_of(committee, judge, seed, fixed=None):
    """The first front of a last population that was judged by loops, as different sets."""
    objective = naive_genetic.Against(judge.refitted, "disagreement", 1.0, fixed=fixed)
    objective.relative = fixed is None
    options = breeding_options(committee, parents="tournament", survivors="pareto")
    run = genetic_search(objective, Masks(7), options, seed)
    aims = np.stack([run.scored.accuracy, run.scored.diversity], axis=1)
    first = [number == 0 for number in naive_search.fronts(aims)]
    assert any(first)
    return aims[first], [naive_genetic.as_set(mask) for mask in run.population[first]]


def test_knees_are_of_the_front_that_loops_find():
    committee = ParetoEnsembleClassifier(**BRED, integration="vote", random_state=0)
    judge, members = judged(committee, committee.fit(X, Y))
    for i, seed in enumerate(seeds_of(0).spawn(3)):
        aims, front = front_of(
            committee, judge, seed, fixed=[judge.answers(member) for member in members[:i]]
        )
        # Farthest from the line between the extremes: the largest sum of aims, each scaled.
        ranges = np.ptp(aims, axis=0)
        sums = ((aims - aims.min(axis=0)) / np.where(ranges > 0, ranges, 1)).sum(axis=1)
        best = [one for one, value in zip(front, sums, strict=True) if value > sums.max() - 1e-9]
        assert members[i] in best


def test_a_front_becomes_a_committee_without_copies():
    committee = ParetoEnsembleClassifier(
        **BRED, choose="front", integration="vote", random_state=0
    ).set_params(n_estimators=5)
    judge, members = judged(committee, committee.fit(X, Y))
    _, front = front_of(committee, judge, seeds_of(0))
    different = {frozenset(one) for one in front}
    assert {frozenset(member) for member in members} == different
    assert len(members) == len(different)
    two = committee.set_params(n_estimators=2).fit(X, Y)
    assert len(two.subsets_) == min(2, len(different))


answers = st.tuples(st.integers(1, 5), st.integers(0, 4), st.integers(1, 9)).flatmap(
    lambda shape: st.tuples(
        arrays(np.int16, (shape[0], shape[2]), elements=st.integers(0, 2)),
        arrays(np.int16, (shape[1], shape[2]), elements=st.integers(0, 2)),
        arrays(np.int64, shape[2], elements=st.integers(0, 2)),
    )
)


@pytest.mark.parametrize("measure", PAIRWISE)
@settings(max_examples=30)
@given(answers)
def test_mean_diversity_is_the_mean_over_the_pairs(measure, given_answers):
    some, others, y = given_answers
    diversity = MeanDiversity(measure, y)

    def told(predicted):
        return (predicted == y).view(np.uint8) if diversity.by_right else predicted

    pairs = pairwise_diversities(some, others, y, measure)
    expected = pairs.mean(axis=1) if len(others) else np.zeros(len(some))
    reference = diversity.reference(told(others))
    assert_allclose(diversity.to(told(some), reference), expected, atol=1e-12)
    n_right = (some == y).sum(axis=1)
    assert_allclose(diversity.to(told(some), reference, n_right), expected, atol=1e-12)
    among = pairwise_diversities(some, some, y, measure)
    np.fill_diagonal(among, 0.0)
    expected = among.sum(axis=1) / max(len(some) - 1, 1)
    assert_allclose(diversity.among(told(some)), expected, atol=1e-12)
