"""Where each member of a committee is good: learned from held-out errors, asked of new rows."""

from dataclasses import dataclass, replace
from numbers import Integral

import numpy as np

from ..exceptions import UsageError
from ..integration.dynamic import DYNAMIC, dynamic_weights
from ..integration.heom import HEOM
from ..integration.neighbours import check_weighting, local_errors
from ..integration.static import decide, vote_shares

# What "auto" chooses from: 2^n - 1, as in the paper on GAS-SEFS.
NEIGHBORS = (1, 3, 7, 15, 31, 63, 127)

CACHE_CELLS = 1 << 16  # distances that are measured, sorted and left before the next


@dataclass(frozen=True)
class LocalCompetence:
    """Held-out errors of all members on the training rows, and a distance to these rows.

    Attributes
    ----------
    heom : HEOM
        The distance to the rows that errors are known of.
    errors : float64 array of shape (n_samples, n_members)
        1 where a member errs on a row that it was not trained on, else 0.
    n_neighbors : int
        How many rows count in a local error.
    weights : {"inverse", "uniform", "linear"}
        What they count, as in `local_errors`.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.committee.local_competence import LocalCompetence
    >>> rows = np.array([[1.0], [2.0], [8.0], [9.0]])
    >>> held_out = np.array([[0, 0, 0, 0], [1, 1, 1, 1]])  # two members that never change
    >>> learned = LocalCompetence.of(rows, held_out, np.array([0, 0, 1, 1]), n_neighbors=2)
    >>> learned.vote_weights("dynamic_selection", np.array([[0.0], [7.0]]))
    array([[1., 0.],
           [0., 1.]])
    """

    heom: HEOM
    errors: np.ndarray
    n_neighbors: int
    weights: str = "inverse"

    @classmethod
    def of(
        cls,
        X,
        predicted,
        y,
        *,
        nominal=None,
        n_neighbors=15,
        weights="inverse",
        rule="dynamic_voting_selection",
        priors=None,
        n_jobs=None,
    ) -> "LocalCompetence":
        """Learn from what members said of rows that they were not trained on.

        Parameters
        ----------
        X : ndarray, sparse matrix or BitMatrix of shape (n_samples, n_features)
            The training rows; NaN is missing.
        predicted : int array of shape (n_members, n_samples)
            Class codes; rows with a code below 0 are left out, as they were not held out.
        y : int array of shape (n_samples,)
            True class codes.
        nominal : bool array of shape (n_features,), default=None
            Columns that hold codes of categories.
        n_neighbors : int or "auto", default=15
            How many rows count; "auto" takes that of 1, 3, 7, 15, 31, 63, 127 which predicts the
            held-out rows best by the rule, each from the others.
        weights : {"inverse", "uniform", "linear"}, default="inverse"
            As in `local_errors`.
        rule : str, default="dynamic_voting_selection"
            The rule that "auto" judges by.
        priors : array of shape (n_classes,), default=None
            What decides ties there.
        n_jobs : int, default=None
            Blocks of rows at the same time, for "auto".
        """
        given = check_neighborhood(n_neighbors, weights)
        predicted, y = np.asarray(predicted), np.asarray(y)
        judged = (predicted >= 0).all(axis=0)
        if not judged.any():
            raise UsageError("No row was held out from the members; errors cannot be learned.")
        if not judged.all():
            X, predicted, y = X[np.flatnonzero(judged)], predicted[:, judged], y[judged]
        errors = np.ascontiguousarray((predicted != y).T, dtype=np.float64)
        found = cls(HEOM.of(X, nominal), errors, given or NEIGHBORS[0], weights)
        if given is not None:
            return found
        sizes, accuracies = found.accuracies_by_size(rule, X, predicted, y, priors, n_jobs)
        best = int(np.flatnonzero(accuracies == accuracies.max())[-1])  # the steadiest of equals
        return replace(found, n_neighbors=int(sizes[best]))

    @property
    def accuracies(self) -> np.ndarray:
        """Accuracy of each member over all rows."""
        return 1.0 - self.errors.mean(axis=0)

    def local_errors(self, X, n_neighbors=None, n_jobs=None) -> np.ndarray:
        """How much each member errs near each row.

        Parameters
        ----------
        X : ndarray, sparse matrix or BitMatrix of shape (n_new, n_features)
            The new rows.
        n_neighbors : int or sequence of int, default=None
            None is what was learned or given; a sequence gives all from one sort.
        n_jobs : int, default=None
            Blocks of rows at the same time; never changes the answer.

        Returns
        -------
        float64 array of shape (n_new, n_members), or (n_k, n_new, n_members) for a sequence
        """
        sizes = self.n_neighbors if n_neighbors is None else n_neighbors
        return self._local_errors(X, sizes, n_jobs, itself=False)

    def vote_weights(self, rule: str, X, n_neighbors=None, n_jobs=None) -> np.ndarray:
        """What the vote of each member counts for each row, by a dynamic rule.

        Parameters
        ----------
        rule : {"dynamic_selection", "dynamic_voting", "dynamic_voting_selection"}
            The rule.
        X, n_neighbors, n_jobs
            As in `local_errors`.

        Returns
        -------
        float64 array of shape (n_members, n_new), or (n_k, n_members, n_new) for a sequence
        """
        local = self.local_errors(X, n_neighbors, n_jobs)
        if local.ndim == 2:
            return self.weigh(rule, local)
        return np.stack([self.weigh(rule, part) for part in local])

    def weigh(self, rule: str, local) -> np.ndarray:
        """Weights of the first members from their local errors, one row to each member.

        Parameters
        ----------
        rule : str
            As in `vote_weights`.
        local : array of shape (n_new, n_some)
            Errors of the first n_some members.
        """
        local = np.asarray(local)
        return dynamic_weights(local, rule, self.accuracies[: local.shape[1]])

    def accuracies_by_size(self, rule: str, X, predicted, y, priors=None, n_jobs=None):
        """Accuracy of a rule on the training rows for each number of neighbours.

        The weights of a row come from its neighbours, never from itself; members that vote on it
        were not trained on it, if `predicted` are held-out answers.

        Parameters
        ----------
        rule : str
            As in `vote_weights`.
        X : ndarray, sparse matrix or BitMatrix of shape (n_samples, n_features)
            The rows that this was made of.
        predicted : int array of shape (n_members, n_samples)
            Their held-out class codes.
        y : int array of shape (n_samples,)
            Their true codes.
        priors : array of shape (n_classes,), default=None
            What decides ties.
        n_jobs : int, default=None
            Blocks of rows at the same time.

        Returns
        -------
        sizes : int array
            Those of 1, 3, 7, ... 127 that are below the number of rows, or 1.
        accuracies : float64 array
            Of each.
        """
        if rule not in DYNAMIC:
            raise UsageError(
                f"n_neighbors='auto' belongs to the rules {', '.join(DYNAMIC)}, and {rule!r} needs "
                "no neighbours; give a number."
            )
        sizes = [k for k in NEIGHBORS if k < len(y)] or [1]
        n_classes = int(max(np.max(predicted), np.max(y))) + 1
        if priors is not None:
            n_classes = max(n_classes, len(priors))
        found = []
        for local in self._local_errors(X, sizes, n_jobs, itself=True):
            shares = vote_shares(predicted, n_classes, self.weigh(rule, local))
            found.append((decide(shares, None, priors) == y).mean())
        return np.array(sizes), np.array(found)

    def _local_errors(self, X, sizes, n_jobs, itself):
        shared = (self, sizes, itself)
        return self.heom.by_block(_block_errors, shared, X, n_jobs=n_jobs, axis=-2)


def check_neighborhood(n_neighbors, weights="inverse") -> int | None:
    """Number of neighbours, or None for "auto"; refuse what is neither, and unknown weights.

    For committees to call before they begin to fit.

    Examples
    --------
    >>> from consilience.committee.local_competence import check_neighborhood
    >>> check_neighborhood(7), check_neighborhood("auto")
    (7, None)
    """
    check_weighting(weights)
    if isinstance(n_neighbors, str) and n_neighbors == "auto":
        return None
    whole = isinstance(n_neighbors, Integral) and not isinstance(n_neighbors, bool)
    if not whole or n_neighbors < 1:
        raise UsageError(
            f"n_neighbors is {n_neighbors!r}; give a whole number, 1 or more, or 'auto'."
        )
    return int(n_neighbors)


def _block_errors(competence, sizes, itself, X, rows):
    """Local errors of a block of rows, a few at a time, so that distances stay in the cache."""
    step = max(1, CACHE_CELLS // len(competence.errors))
    starts = range(rows.start, max(rows.stop, rows.start + 1), step)
    few = [slice(start, min(start + step, rows.stop)) for start in starts]
    parts = [_few_errors(competence, sizes, itself, X, some) for some in few]
    return np.concatenate(parts, axis=-2)


def _few_errors(competence, sizes, itself, X, rows):
    distances = competence.heom.block(X, rows)
    if itself:  # a training row is no neighbour of itself
        distances[np.arange(rows.stop - rows.start), np.arange(rows.start, rows.stop)] = np.inf
    return local_errors(distances, competence.errors, sizes, competence.weights)
