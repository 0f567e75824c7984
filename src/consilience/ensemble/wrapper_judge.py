"""Draw after draw, what a scorer says of feature subsets: in parallel, and kept on disk."""

import numpy as np

from ..execution import Checkpoint, run_tasks
from ..execution.local import resolve_jobs
from ..search.draws import random_words
from .wrapper_scorer import FoldScores, SubsetScorer

REDRAWS = ("iteration", "evaluation", "never")


class Judge:
    """Asks a scorer about subsets under draws that are known by their numbers.

    Parameters
    ----------
    scorer : SubsetScorer
        Who judges.
    combine : {"mean", "pooled"}
        How folds become one number.
    redraw : {"iteration", "evaluation", "never"}
        Whether draws are common to all subsets of an iteration, belong to each subset, or are
        the same in all iterations.
    seed : numpy.random.SeedSequence
        Of the draws.
    n_jobs, backend
        As in `run_tasks`.
    checkpoint : Checkpoint or None
        Where answers are kept by the number of the question: a search that asks the same
        questions in the same order is answered from there.
    """

    def __init__(self, scorer: SubsetScorer, combine: str, redraw: str, seed, *, n_jobs=None,
                 backend: str = "threads", checkpoint: Checkpoint | None = None):  # fmt: skip
        self.scorer, self.combine, self.redraw, self.seed = scorer, combine, redraw, seed
        self.n_jobs, self.backend, self.checkpoint = n_jobs, backend, checkpoint
        self.tables = scorer.kernel_tables()
        self.n_asked = self.n_subsets = 0

    def ask(self, subsets, iteration: int, number: int = 0, tables=None) -> FoldScores:
        """Fold scores of subsets of one size.

        Parameters
        ----------
        subsets : int array of shape (n_subsets, size)
            Candidates, ascending.
        iteration : int
            Step or generation of the search.
        number : int, default=0
            Of the draw in this iteration; another number deals the rows into other folds, too.
        tables : tuple, default=None
            Other columns in place of the scorer's own, such as shuffled ones.
        """
        return self.ask_often(subsets, iteration, [number], tables)[0]

    def ask_often(self, subsets, iteration: int, numbers, tables=None) -> list[FoldScores]:
        """The same for several draws; one question, which all workers share."""
        question = f"question-{self.n_asked:06d}"
        self.n_asked += 1
        self.n_subsets += len(subsets) * len(numbers)
        slow, kept = self.scorer.slow, None
        if self.checkpoint is not None and not slow:
            kept = self.checkpoint.get(question)
        if kept is None:
            kept = self._answer(subsets, iteration, numbers, tables, question)
            if self.checkpoint is not None and not slow:
                self.checkpoint.store(question, kept)
        answers = (kept[name].reshape(len(numbers), len(subsets), *kept[name].shape[1:])
                   for name in FoldScores._fields)  # fmt: skip
        return [FoldScores(*own) for own in zip(*answers, strict=True)]

    def fitness(self, scores: FoldScores) -> np.ndarray:
        """One number for each subset."""
        return scores.fitness(self.combine)

    def units(self, scores: FoldScores, index: int) -> np.ndarray:
        """Scores of the folds of one subset, averaged over the targets."""
        return scores.folds[index].mean(axis=0)

    def _answer(self, subsets, iteration, numbers, tables, question):
        subsets, block = np.ascontiguousarray(subsets, dtype=np.int64), self.scorer.block
        tasks, keys = [], []
        for number in numbers:
            splits, seeds = (
                self.scorer.prepare(number, tables),
                self._seeds(len(subsets), iteration, number),
            )
            for a in range(0, len(subsets), block):
                tasks.append((splits, subsets[a : a + block], seeds[a : a + block]))
                keys.append(f"{question}.{number:03d}.{a:06d}")
        shared = self.scorer, self.tables if tables is None else tables
        if not self.scorer.slow and (len(tasks) == 1 or resolve_jobs(self.n_jobs) == 1):
            parts = [score_block(*shared, task) for task in tasks]  # too short for more ado
        else:
            parts = run_tasks(
                score_block,
                tasks,
                shared=shared,
                n_jobs=self.n_jobs,
                backend=self.backend,
                anywhere=self.scorer.slow,  # what is quick is not worth a journey
                checkpoint=self.checkpoint if self.scorer.slow else None,
                keys=keys,
            )
        return {name: np.concatenate([part[name] for part in parts]) for name in FoldScores._fields}

    def _seeds(self, n, iteration, number):
        if self.redraw == "never":
            iteration = 0
        key = (*self.seed.spawn_key, iteration, number)
        word = np.random.SeedSequence(self.seed.entropy, spawn_key=key).generate_state(1, np.uint64)
        if self.redraw == "evaluation":
            with np.errstate(over="ignore"):
                return random_words(word[0], n)
        return np.repeat(word, n)


def score_block(scorer: SubsetScorer, tables, task) -> dict[str, np.ndarray]:
    """Judge some subsets under one draw; one task of a question."""
    splits, subsets, seeds = task
    return scorer.score(tables, splits, subsets, seeds)._asdict()


class Rounds:
    """Rounds of a race: new scores of some subsets, and the folds that they come from.

    Parameters
    ----------
    judge : Judge
        Who judges.
    subsets : int array of shape (n_subsets, size)
        The candidates.
    iteration : int
        Step or generation of the search.
    tables : tuple, default=None
        As in `Judge.ask`.
    """

    def __init__(self, judge: Judge, subsets, iteration: int, tables=None):
        self.judge, self.subsets, self.iteration, self.tables = judge, subsets, iteration, tables
        self.units: dict[int, list] = {}

    def __call__(self, candidates, numbers) -> np.ndarray:
        """Scores of some candidates in some rounds: float of shape (n_rounds, n_candidates)."""
        told = self.judge.ask_often(self.subsets[candidates], self.iteration, numbers, self.tables)
        for scores in told:
            for i, candidate in enumerate(candidates.tolist()):
                self.units.setdefault(candidate, []).append(self.judge.units(scores, i))
        return np.array([self.judge.fitness(scores) for scores in told])
