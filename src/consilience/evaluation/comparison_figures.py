"""Figures of a comparison from panels and predictions: errors, stability, tests, points, front."""

import numpy as np

from ..measures.accuracy import balanced_accuracy, error_rate
from ..measures.significance import mcnemar, paired_t, points
from ..measures.similarity import jaccard
from ..measures.stability import nogueira

ALPHA = 0.05


def pair_similarities(panels) -> np.ndarray:
    """Jaccard similarity of every pair of panels: 45 figures for ten folds.

    Two empty panels are alike (1), an empty one is unlike any other (0).

    Examples
    --------
    >>> from consilience.evaluation.comparison_figures import pair_similarities
    >>> pair_similarities([[0, 1], [1, 2], []])
    array([0.33333333, 0.        , 0.        ])
    """
    panels = [np.asarray(panel, dtype=np.intp) for panel in panels]
    features, columns = np.unique(np.concatenate(panels), return_inverse=True)
    sizes = np.array([panel.size for panel in panels])
    membership = np.zeros((sizes.size, features.size))
    membership[np.repeat(np.arange(sizes.size), sizes), columns] = 1
    return jaccard(membership, membership)[np.triu_indices(sizes.size, k=1)]


def figures_of(outcomes: list, y: np.ndarray, n_features: int) -> list[dict]:
    """Figures of all methods of one data set and selector, by classifier and method.

    Parameters
    ----------
    outcomes : list of Outcome
        The methods; the first is the plain selection, against which the others are tested.
    y : int array of shape (n_samples,)
        True classes.
    n_features : int
        Number of columns of X.

    Returns
    -------
    list of dict
        One for each classifier and method.
    """
    similar = [pair_similarities(outcome.panels) for outcome in outcomes]
    stability_p = _stability_tests(similar)
    stability_better = _better(stability_p, [-s.mean() for s in similar])
    stability_points = points(stability_better)
    stabilities = [nogueira(outcome.panels, n_features) for outcome in outcomes]
    rows = []
    for classifier in outcomes[0].predicted:
        right = [outcome.predicted[classifier] == y for outcome in outcomes]
        error_p = _pairs(right, lambda a, b: mcnemar(a, b).p_value)
        error_better = _better(error_p, [-r.mean() for r in right])
        error_points = points(error_better)
        for k, outcome in enumerate(outcomes):
            error = error_rate(~right[k])
            balanced = balanced_accuracy(y, outcome.predicted[classifier])
            rows.append(
                {
                    "data": outcome.data,
                    "selector": outcome.selector,
                    "aggregator": outcome.aggregator,
                    "classifier": classifier,
                    "error": error.value,
                    "error_low": error.low,
                    "error_high": error.high,
                    "balanced_accuracy": balanced.value,
                    "balanced_accuracy_low": balanced.low,
                    "balanced_accuracy_high": balanced.high,
                    "jaccard": float(similar[k].mean()),
                    "nogueira": stabilities[k].value,
                    "nogueira_low": stabilities[k].low,
                    "nogueira_high": stabilities[k].high,
                    "n_features": float(np.mean([panel.size for panel in outcome.panels])),
                    "error_p": error_p[k, 0],
                    "error_verdict": _verdict(error_better, k),
                    "stability_p": stability_p[k, 0],
                    "stability_verdict": _verdict(stability_better, k),
                    "error_points": error_points[k],
                    "stability_points": stability_points[k],
                }
            )
    return rows


def on_front(errors, stabilities) -> np.ndarray:
    """Mark the methods that no other beats in one respect without losing in the other.

    Examples
    --------
    >>> from consilience.evaluation.comparison_figures import on_front
    >>> on_front([0.1, 0.2, 0.2, 0.3], [0.5, 0.6, 0.5, 0.6])
    array([ True,  True, False, False])
    """
    errors, stabilities = np.asarray(errors, float), np.asarray(stabilities, float)
    no_worse = (errors[:, None] <= errors) & (stabilities[:, None] >= stabilities)
    better = (errors[:, None] < errors) | (stabilities[:, None] > stabilities)
    return ~(no_worse & better).any(axis=0)


def _stability_tests(similar):
    if similar[0].size < 2:  # two folds are one pair, which decides nothing
        return np.ones((len(similar), len(similar)))
    return _pairs(similar, lambda a, b: paired_t(a, b).p_value)


def _pairs(figures, test) -> np.ndarray:
    """p of every pair of methods, symmetric; 1 with itself."""
    p_values = np.ones((len(figures), len(figures)))
    for i, first in enumerate(figures):
        for j in range(i):
            p_values[i, j] = p_values[j, i] = test(first, figures[j])
    return p_values


def _better(p_values, losses) -> np.ndarray:
    """Whether the method of the row is significantly better than that of the column."""
    losses = np.asarray(losses)
    return (p_values < ALPHA) & (losses[:, None] < losses)


def _verdict(better, k) -> str:
    """How method k stands against the first."""
    return "better" if better[k, 0] else "worse" if better[0, k] else ""
