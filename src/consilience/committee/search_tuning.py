"""The weight of diversity chosen by inner validation, and with it the number of neighbours.

For each of a few splits some rows are set aside; the search runs on the others for every weight,
with rows of its own to judge by, and the committee that it gives predicts the rows set aside. No
row that chooses the weight has been seen by the search or by the members.
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ..data.rows import take_rows
from ..execution import run_tasks
from ..integration.dynamic import DYNAMIC
from ..integration.static import decide, vote_shares
from .local_competence import NEIGHBORS
from .search_competence import USUAL, Lesson
from .search_options import ALPHAS, is_auto, is_bayes

N_SPLITS = 3
TUNING = 0.25  # share of the rows that choose
SAME = 1e-12  # means of accuracies that differ by less are equal


class Tuned(NamedTuple):
    """What was chosen.

    Attributes
    ----------
    alpha : float or None
        Weight of diversity; None where the method has none.
    n_neighbors : int or None
        Number of neighbours; None where it was not chosen here.
    table : dict of arrays or None
        `alpha`, `n_neighbors` and the mean `accuracy` of all that was tried.
    """

    alpha: float | None
    n_neighbors: int | None
    table: dict | None


def tune(committee, table, seed, checkpoint=None, progress=None) -> Tuned:
    """Try every weight of diversity, and with a dynamic rule all numbers of neighbours.

    Parameters
    ----------
    committee : BaseSearchCommittee
        Whose search and rule are tried.
    table : SearchTable
        The rows given to `fit`.
    seed : numpy.random.SeedSequence
        Of splits and searches.
    checkpoint : Checkpoint, default=None
        Where finished searches are kept.
    progress : Progress, default=None
        Told of every finished search.

    Returns
    -------
    Tuned
        The best; of equal ones the smallest weight, then the most neighbours.
    """
    splits = [_Split(committee, table, own) for own in seed.spawn(N_SPLITS)]
    sizes = _sizes(committee, min(split.learned.size for split in splits))
    tasks = [(alpha, k) for k in range(N_SPLITS) for alpha in ALPHAS]
    results = run_tasks(
        _try,
        tasks,
        shared=(committee, splits, sizes),
        n_jobs=committee.n_jobs,
        checkpoint=checkpoint,
        keys=[f"alpha-{alpha}-split-{k}" for alpha, k in tasks],
        progress=progress,
    )
    found = np.stack([result["accuracies"] for result in results])
    means = found.reshape(N_SPLITS, len(ALPHAS), len(sizes)).mean(axis=0)
    best = np.argwhere(means >= means.max() - SAME)
    row, column = max(best.tolist(), key=lambda place: (-place[0], place[1]))
    tried = {
        "alpha": np.repeat(np.array(ALPHAS), len(sizes)),
        "n_neighbors": np.tile(np.array(sizes), len(ALPHAS)),
        "accuracy": means.ravel(),
    }
    chosen = sizes[column] if committee.integration in DYNAMIC else None
    return Tuned(float(ALPHAS[row]), chosen, tried)


def _sizes(committee, n_rows: int) -> list[int]:
    """Numbers of neighbours to try, of as many rows."""
    if not is_auto(committee.n_neighbors):
        return [int(committee.n_neighbors)]
    if committee.integration not in DYNAMIC:
        return [USUAL]
    return [size for size in NEIGHBORS if size <= n_rows]


class _Split:
    """Rows to learn from, to judge subsets by, and to choose by; the same for every weight."""

    def __init__(self, committee, table, seed):
        apart, judged, self.searched, self.crossed = seed.spawn(4)
        self.table = table
        self.rest, self.tuning = table.hold_out(TUNING, apart)
        rows = table.hold_out(committee.validation_fraction, judged, rows=self.rest)
        self.problem = committee._problem(table, *rows, self.searched, None)
        self.learned = self.rest if committee.refit else rows[0]  # what members are fitted to
        if not is_bayes(committee.estimator):
            # What was said of a subset is remembered, for all weights; naive Bayes is quicker
            # asked again, and its tables are not for several threads.
            _ = self.problem.predictor

    def own_problem(self, committee):
        """The problem for one search."""
        if is_bayes(committee.estimator):
            return replace(self.problem)  # a copy that has built no predictor yet
        return self.problem


def _try(committee, splits, sizes, task):
    """Accuracy of the committee that one weight gives, on the rows set aside, for each size."""
    alpha, number = task
    split = splits[number]
    table, problem = split.table, split.own_problem(committee)
    masks = committee._search(problem, alpha, _fresh(split.searched)).masks
    rows = split.learned
    predicted = problem.maker(problem.table, rows, split.tuning).predict(masks)
    priors = np.bincount(table.y[rows], minlength=table.n_classes) / rows.size
    if committee.integration in DYNAMIC:
        lesson = Lesson(table, problem.table, rows, masks, split.crossed)
        learned = lesson.learn(committee, sizes[0])
        new = take_rows(table.X, split.tuning)
        weights = learned.vote_weights(committee.integration, new, sizes)
        shares = [vote_shares(predicted, table.n_classes, some) for some in weights]
    else:
        known = problem.predictor.accuracies(masks, problem.y)
        shares = [joined(committee.integration, predicted, table.n_classes, known)]
    truth = table.y[split.tuning]
    return {"accuracies": [np.mean(decide(share, None, priors) == truth) for share in shares]}


def _fresh(seed):
    """The same seed, of which nobody has spawned yet."""
    return np.random.SeedSequence(seed.entropy, spawn_key=seed.spawn_key)


def joined(rule: str, answers, n_classes: int, accuracies) -> np.ndarray:
    """Shares of classes by a rule that is the same for all rows.

    Parameters
    ----------
    rule : {"vote", "weighted", "static"}
        The rule.
    answers : int array of shape (n_members, n_samples)
        Class codes.
    n_classes : int
        Number of classes.
    accuracies : array of shape (n_members,)
        Accuracy of each member on rows that it was not trained on.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.committee.search_tuning import joined
    >>> joined("static", np.array([[0, 0], [1, 0]]), 2, np.array([0.7, 0.8]))
    array([[0., 1.],
           [1., 0.]])
    """
    if rule == "static":
        return vote_shares(answers[[np.argmax(accuracies)]], n_classes)
    return vote_shares(answers, n_classes, accuracies if rule == "weighted" else None)
