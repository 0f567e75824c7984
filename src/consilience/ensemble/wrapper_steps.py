"""Steps of a wrapper: what a search asks, and a referee that does not trust one lucky draw."""

from dataclasses import replace

import numpy as np

from ..search import FlipObjective, Objective, Referee, Scored
from ..search.flips import flipped_masks
from ..search.racing import HEATS, race
from .wrapper_judge import Judge, Rounds
from .wrapper_path import Evidence
from .wrapper_shuffle import Shuffler

CHOICES = ("race", "plain")


class FlipFitness(FlipObjective):
    """Fitness of masks that a sequential or floating search asks for; a question is an iteration.

    Parameters
    ----------
    judge : Judge
        Who judges.
    n_screened : int or None, default=None
        From the second question on, only so many of the features that were best in the first one
        are judged; None judges all.
    """

    def __init__(self, judge: Judge, n_screened: int | None = None):
        self.judge, self.n_screened, self.iteration = judge, n_screened, -1
        self.first = self.screened = None
        # Of the last question: which of the masks were judged, their features and scores.
        self.able = self.subsets = self.scores = None
        self.evidence: dict[tuple[bytes, float], Evidence] = {}

    def score_masks(self, masks) -> Scored:
        """Score masks of one size under the draws of a new iteration."""
        return Scored.of(self._ask(masks, np.arange(len(masks))))

    def score_flips(self, mask, features) -> Scored:
        """Score masks with one feature flipped; those that were screened out come last."""
        features = np.asarray(features)
        able = np.arange(features.size)
        if self.screened is not None and not mask[features[0]]:
            able = np.flatnonzero(self.screened[features])
            able = able if able.size else np.arange(features.size)
        fitness = np.full(features.size, -np.inf)
        fitness[able] = self._ask(flipped_masks(mask, features[able]), able)
        if self.first is None and not mask.any():
            self.first = fitness
            if self.n_screened is not None:
                best = np.argsort(-fitness, kind="stable")[: self.n_screened]
                self.screened = np.isin(np.arange(mask.size), features[best])
        return Scored.of(fitness)

    def _ask(self, masks, able):
        self.iteration += 1
        self.able, self.subsets = able, subsets_of(masks)
        self.scores = self.judge.ask(self.subsets, self.iteration)
        fitness = self.judge.fitness(self.scores)
        if len(masks) == 1:  # the start of backward search has no referee
            self.note(masks[0], Evidence(float(fitness[0]), self.judge.units(self.scores, 0)[None]))
        return fitness

    def note(self, mask, evidence: Evidence) -> None:
        """Keep what a mask was judged by, for the path."""
        self.evidence[np.asarray(mask, dtype=bool).tobytes(), evidence.fitness] = evidence

    def of(self, mask, fitness: float) -> Evidence:
        """What the mask was judged by when it was given this fitness."""
        return self.evidence[np.asarray(mask, dtype=bool).tobytes(), float(fitness)]


class StepReferee(Referee):
    """Chooses the feature of each step, by one draw or by a race, and may end the search.

    Parameters
    ----------
    objective : FlipFitness
        What the search asks.
    choice : {"race", "plain"}
        Whether leaders are judged by repeated draws, or the first draw decides as in the paper.
    n_permutations : int
        How often the candidates are shuffled at each step, for what chance would reach; 0: never.
    alpha : float
        The search ends where shuffled candidates reach as much with a probability above it.
    shuffler : Shuffler, default=None
        Who shuffles them.
    seed : numpy.random.SeedSequence
        Of the shuffling.
    progress : Progress
        Told of every feature more, or less in backward search.
    """

    def __init__(self, objective: FlipFitness, choice: str, *, n_permutations: int = 0,
                 alpha: float = 0.1, shuffler: Shuffler | None = None, seed=None,
                 progress=None):  # fmt: skip
        self.objective, self.choice, self.shuffler = objective, choice, shuffler
        self.n_permutations, self.alpha, self.seed = n_permutations, alpha, seed
        self.progress = progress
        self.p_value = np.nan  # of the last choice of a feature to add
        self.refused = None  # the feature at which the search ended, and what it was judged by
        self.largest = 0  # features of the largest mask so far; floating search goes back and forth

    def choose(self, mask, asked, scored, order):
        """The feature that a race finds, or the first by the plain rule."""
        objective, able = self.objective, self.objective.able
        place = np.full(len(asked), -1)
        place[able] = np.arange(able.size)
        order = place[order][place[order] >= 0]  # of those that were judged
        subsets, first = objective.subsets, scored.fitness[able]
        best, value, units = self._decide(subsets, objective.scores, first, order, None)
        index, evidence = int(able[best]), Evidence(value, units)
        adds = not mask[asked[0]]
        if adds and self.n_permutations:
            reference, self.p_value = self._reference(mask, asked, value)
            evidence = replace(evidence, reference=reference, p_value=self.p_value)
        objective.note(flipped_masks(mask, [asked[index]])[0], evidence)
        self._tell(mask, adds)
        return index, Scored(value, value, 0.0)

    def _tell(self, mask, adds):
        """Count a step, unless floating search takes it again."""
        again = mask.sum() < self.largest if adds else self.largest > 0
        self.largest += adds and not again
        if not again and self.progress is not None:
            self.progress.advance()

    def goes_on(self, mask, feature, scored, before):
        """Whether a feature is better than shuffled ones; other searches follow the plain rule."""
        if not self.n_permutations:
            return None
        if self.p_value <= self.alpha:
            return True
        wider = flipped_masks(mask, [feature])[0]
        self.refused = int(feature), self.objective.of(wider, scored.fitness)
        return False

    def _decide(self, subsets, scores, first, order, tables):
        """Index of the winner, its fitness, and the scores of its folds in each draw."""
        judge, iteration = self.objective.judge, self.objective.iteration
        if self.choice == "plain" or len(order) == 1:
            best = int(order[0])
            return best, float(first[best]), judge.units(scores, best)[None]
        rounds = Rounds(judge, subsets, iteration, tables)
        raced = race(first, order, rounds, HEATS)
        return raced.winner, raced.value, np.array(rounds.units[raced.winner])

    def _reference(self, mask, asked, value):
        """The most that shuffled candidates reach in this step, and the p value of `value`.

        Features that were taken keep their rows. The search for the best goes on as with the
        candidates themselves, among all of them: those that were screened out were so by their own
        rows. It ends early when enough have reached as much for the step to be refused.
        """
        objective, judge = self.objective, self.objective.judge
        kept, subsets = np.flatnonzero(mask), subsets_of(flipped_masks(mask, asked))
        enough = self.alpha * (1 + self.n_permutations)  # p above alpha from so many on
        most, n_reached, n_done = -np.inf, 0, 0
        key = (*self.seed.spawn_key, objective.iteration)
        seed = np.random.SeedSequence(self.seed.entropy, spawn_key=key)
        for own in seed.spawn(self.n_permutations):
            columns, nominal = self.shuffler(kept, np.random.default_rng(own))
            tables = judge.scorer.kernel_tables(columns, nominal)
            scores = judge.ask(subsets, objective.iteration, 0, tables)
            first = judge.fitness(scores)
            best = np.argsort(-first, kind="stable")
            found = self._decide(subsets, scores, first, best, tables)[1]
            most, n_done = max(most, found), n_done + 1
            n_reached += found >= value
            if 1 + n_reached > enough:
                break
        return most, (1 + n_reached) / (1 + n_done)


class StringFitness(Objective):
    """Fitness of strings of features that a genetic search or a swarm asks for.

    Parameters
    ----------
    judge : Judge
        Who judges.
    """

    def __init__(self, judge: Judge):
        self.judge = judge
        # Drawn anew for each evaluation, those who survive are judged again, too.
        self.relative = judge.redraw == "evaluation"
        self.generation = self.number = 0

    def of_population(self, individuals) -> Scored:
        """Score strings under the draws of this generation."""
        strings = np.sort(np.asarray(individuals), axis=1)
        subsets, places = np.unique(strings, axis=0, return_inverse=True)
        scores = self.judge.ask(subsets, self.generation, self.number)
        self.number += 1  # a second question of a generation has draws of its own
        return Scored.of(self.judge.fitness(scores)[places.ravel()])

    def after_generation(self, scored):
        """Count generations; a search that is resumed tells of all before."""
        self.generation += 1
        self.number = 0


def subsets_of(masks) -> np.ndarray:
    """Features of masks of one size, ascending: int64 of shape (n_masks, size)."""
    masks = np.asarray(masks, dtype=bool)
    return np.nonzero(masks)[1].reshape(len(masks), -1).astype(np.int64)
