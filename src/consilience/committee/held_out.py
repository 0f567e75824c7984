"""What the members of a committee say of rows that they were not trained on."""

from dataclasses import dataclass

import numpy as np
from sklearn.base import clone

from ..execution import run_tasks
from ..integration.static import decide, vote_shares
from ..learners.base import HeldOut, Learner

# Members that one task holds. By method alone, never by the number of workers: scores are sums.
TOGETHER = 16


@dataclass(frozen=True)
class HeldOutVotes:
    """How a committee and its members do on rows that were held out.

    Attributes
    ----------
    predicted : ndarray of shape (n_samples,)
        Labels by the committee; only the `judged` rows mean anything.
    judged : bool array of shape (n_samples,)
        Rows that were held out: all by leave-one-out, but for classes with a single row.
    accuracy : float
        Share of the judged rows that the committee predicts rightly.
    member_accuracies : float array of shape (n_members,)
        The same of each member alone.
    shares : float array of shape (n_samples, n_classes)
        Share of the members that vote for each class; 0 for rows that are not judged.
    """

    predicted: np.ndarray
    judged: np.ndarray
    accuracy: float
    member_accuracies: np.ndarray
    shares: np.ndarray

    @property
    def mean_member_accuracy(self) -> float:
        """Mean accuracy of the members."""
        return float(self.member_accuracies.mean())


def ask_members(
    learner: Learner,
    columns,
    subsets,
    y,
    folds,
    n_classes,
    seed,
    *,
    nominal=None,
    n_jobs=None,
    progress=None,
) -> HeldOut:
    """Predict the held-out rows from every subset, as tasks.

    Parameters
    ----------
    learner : Learner
        What predicts them.
    columns : ScaledColumns
        The features.
    subsets : sequence of int arrays
        The features of each member.
    y, folds, n_classes
        As `Learner.held_out` wants them.
    seed : numpy.random.SeedSequence
        Spawns one seed for each member of a learner that draws.
    nominal : bool array of shape (n_features,), default=None
        Columns that hold categories, which classifiers with `categorical_features` are told.
    n_jobs : int, default=None
        Tasks at the same time; never changes the answer.
    progress : Progress, default=None
        Told of every finished task.

    Returns
    -------
    HeldOut
        Predictions of every member, and the sum of the scores.
    """
    seeds = seed.spawn(len(subsets)) if learner.draws else None
    tasks = [
        (subsets[at : at + TOGETHER], None if seeds is None else seeds[at : at + TOGETHER])
        for at in range(0, len(subsets), TOGETHER)
    ]
    shared = (learner, columns, y, folds, n_classes, nominal)
    parts = run_tasks(_ask, tasks, shared=shared, n_jobs=n_jobs, progress=progress)
    scores = np.zeros((y.size, n_classes))
    for part in parts:
        scores += part["scores"]
    return HeldOut(np.concatenate([part["predicted"] for part in parts]), scores)


def _ask(learner, columns, y, folds, n_classes, nominal, task):
    subsets, seeds = task
    rngs = None if seeds is None else [np.random.default_rng(seed) for seed in seeds]
    if nominal is None:
        found = learner.held_out(columns.take, subsets, y, folds, n_classes, rngs)
        return {"predicted": found.predicted, "scores": found.scores}
    parts = []
    for member, features in enumerate(subsets):
        rng = None if rngs is None else rngs[member : member + 1]
        told = _told(learner, nominal[features])
        parts.append(told.held_out(columns.take, [features], y, folds, n_classes, rng))
    predicted = np.concatenate([part.predicted for part in parts])
    return {"predicted": predicted, "scores": sum(part.scores for part in parts)}


def _told(learner, nominal):
    """A learner whose classifier knows which of the columns of a member are nominal."""
    estimator = getattr(learner, "estimator", None)
    if not hasattr(estimator, "categorical_features"):
        return learner
    return type(learner)(clone(estimator).set_params(categorical_features=nominal))


def join_votes(held_out: HeldOut, training, folds, integration: str) -> HeldOutVotes:
    """Join the members' held-out answers by vote, or by the sum of their scores.

    Parameters
    ----------
    held_out : HeldOut
        What `ask_members` gave.
    training : Training
        The rows.
    folds : int64 array of shape (n_samples,)
        As in `Learner.held_out`.
    integration : {"vote", "average"}
        How to join them.
    """
    judged, y = folds >= 0, training.y
    predicted, scores = held_out.predicted, held_out.scores
    shares = vote_shares(predicted, training.classes.size)
    if integration == "average":
        codes = decide(scores - scores.min() + 1.0, None, training.priors)
    else:
        codes = decide(shares, scores, training.priors)
    return HeldOutVotes(
        predicted=training.classes[codes],
        judged=judged,
        accuracy=float((codes == y)[judged].mean()),
        member_accuracies=(predicted == y)[:, judged].mean(axis=1),
        shares=shares,
    )
