"""How well each selection predicts the rows that are not in its bootstrap."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import sparse

from ..data.bits import BitMatrix
from ..data.block_matrix import BlockMatrix
from ..heard import remark

PENALTY = 1.0  # of the squared coefficients of standardised columns
UNKNOWN = 0.5  # where not one bootstrap can be judged: a classifier that guesses
EQUAL = 9  # decimals beyond which predictions differ by rounding alone


@dataclass(frozen=True)
class OutOfBag:
    """Judges selections by the rows that their bootstraps left out.

    A ridge regression on the classes is a linear classifier with one small system to solve: it
    needs no seed and no iterations, so that 150 bootstraps cost a few hundredths of a second.

    Attributes
    ----------
    X : array, sparse matrix or BitMatrix of shape (n_samples, n_features)
        The data.
    y : int array of shape (n_samples,)
        Class of each row, as 0..c-1.
    nominal : bool array of shape (n_features,)
        Columns of codes, which are spread into one column per category.
    row_weights : float array of shape (n_samples,) or None
        What each row counts where it judges; rows of weight 0 do not. None is all alike. A row of
        weight 2 judges as two, unless one of the two was drawn: then neither does, because its
        like was learned from.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.ensemble.out_of_bag import OutOfBag
    >>> X = np.array([[0.0, 5], [1, 3], [0, 4], [7, 3], [8, 5], [9, 4]])
    >>> judge = OutOfBag(X, np.array([0, 0, 0, 1, 1, 1]), np.zeros(2, dtype=bool))
    >>> judge.auc([0], np.array([2, 1, 0, 2, 1, 0]))
    1.0
    """

    X: Any
    y: np.ndarray
    nominal: np.ndarray
    row_weights: np.ndarray | None = None

    def by_columns(self) -> "OutOfBag":
        """The same with sparse data stored by columns, which are what is asked for."""
        return replace(self, X=self.X.tocsc()) if sparse.issparse(self.X) else self

    def auc(self, subset, weights) -> float:
        """Area under the ROC curve on the rows outside a bootstrap, the mean over the classes.

        Parameters
        ----------
        subset : int array
            The columns to predict from.
        weights : array of shape (n_samples,)
            How often each row is in the bootstrap.

        Returns
        -------
        float
            NaN where the rows outside lack a class, or no column was selected.
        """
        inside, outside = weights > 0, weights == 0
        counts = np.ones(weights.size) if self.row_weights is None else self.row_weights
        outside &= counts > 0
        classes = np.unique(self.y[inside | outside])
        if len(subset) == 0 or np.unique(self.y[outside]).size < classes.size:
            return np.nan
        columns = dense_columns(self.X, subset)
        nominal = self.nominal[subset]
        train, test = _scaled(columns, nominal, inside, outside, weights[inside])
        # Two classes are one question; more are one each.
        classes = classes[1:] if classes.size == 2 else classes
        targets = np.stack([self.y[inside] == c for c in classes], axis=1).astype(np.float64)
        predicted = test @ _ridge(train, targets, weights[inside])
        pairs = zip(classes, np.round(predicted.T, EQUAL), strict=True)
        judging = counts[outside]
        return float(np.mean([_auc(scores, self.y[outside] == c, judging) for c, scores in pairs]))


def fill_unjudged(values: np.ndarray) -> np.ndarray:
    """Let bootstraps that could not be judged count as the mean of the others.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.ensemble.out_of_bag import fill_unjudged
    >>> fill_unjudged(np.array([0.75, np.nan, 0.5]))
    array([0.75 , 0.625, 0.5  ])
    """
    unknown = np.isnan(values)
    if unknown.all():
        remark(
            "No sample leaves out a row of every class, so that no selection can be judged and all "
            "count alike; give rare classes more rows, or draw smaller samples or bootstraps.",
            stacklevel=4,
        )
    mean = UNKNOWN if unknown.all() else values[~unknown].mean()
    return np.where(unknown, mean, values)


def dense_columns(X, columns) -> np.ndarray:
    """Some columns as a dense float array."""
    if isinstance(X, BlockMatrix):
        X, columns = X.take(columns=columns), slice(None)
    if isinstance(X, BitMatrix):
        return X.take(columns=columns).toarray().astype(np.float64)
    chosen = X.tocsc()[:, columns].toarray() if sparse.issparse(X) else X[:, columns]
    return np.asarray(chosen, dtype=np.float64)


def _scaled(columns, nominal, inside, outside, weights):
    """Columns of the rows inside and outside, filled, spread and scaled by those inside."""
    if nominal.any():
        spread = [_one_hot(column, inside) for column in columns[:, nominal].T]
        columns = np.column_stack([columns[:, ~nominal], *spread])
    train, test = columns[inside], columns[outside]
    present = ~np.isnan(train)
    known = np.where(present, train, 0.0)
    totals = weights @ present
    means = weights @ known / np.where(totals > 0, totals, 1)
    train, test = (np.where(np.isnan(part), 0.0, part - means) for part in (train, test))
    varies = np.ptp(train, axis=0) > 0
    deviations = np.sqrt(weights @ train**2 / weights.sum())
    scale = np.divide(1.0, deviations, out=np.zeros(varies.size), where=varies & (deviations > 0))
    return train * scale, test * scale


def _one_hot(codes, inside):
    """A column for each code that rows inside have; a missing one is none of them."""
    known = np.unique(codes[inside])
    return (codes[:, None] == known[~np.isnan(known)]).astype(np.float64)


def _ridge(train, targets, weights):
    """Coefficients of the ridge regression of all targets on centred columns."""
    roots = np.sqrt(weights)[:, None]
    rows, targets = roots * train, roots * (targets - weights @ targets / weights.sum())
    n, k = rows.shape
    if k <= n:
        return np.linalg.solve(rows.T @ rows + PENALTY * np.eye(k), rows.T @ targets)
    return rows.T @ np.linalg.solve(rows @ rows.T + PENALTY * np.eye(n), targets)


def _auc(scores, positive, weights):
    """Share of the pairs of a positive and another row that the scores put right, ties half."""
    distinct, place = np.unique(scores, return_inverse=True)
    others = np.bincount(place, np.where(positive, 0.0, weights), minlength=distinct.size)
    below = np.cumsum(others) - others / 2
    return (weights * below[place])[positive].sum() / (weights[positive].sum() * others.sum())
