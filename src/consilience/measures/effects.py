"""How a feature differs between classes, in plain numbers for a reader."""

import numpy as np


def class_effects(values, codes, n_classes: int) -> list[dict[str, np.ndarray]]:
    """Mean, standard deviation and standardised difference of each class against the rest.

    Parameters
    ----------
    values : array-like of shape (n_samples, n_features)
        Columns to describe; NaN is left out.
    codes : array-like of shape (n_samples,)
        Class of each row as 0..n_classes - 1.
    n_classes : int
        Number of classes.

    Returns
    -------
    list of dict
        One per class, with arrays `mean`, `sd` and `effect` over the features. `effect` is
        Hedges' g, the difference of means in pooled standard deviations with the correction for
        small samples; NaN where a side has fewer than two values or nothing varies.

    References
    ----------
    L. Hedges, "Distribution theory for Glass's estimator of effect size and related estimators",
    Journal of Educational Statistics 6, 1981.

    Examples
    --------
    >>> from consilience.measures.effects import class_effects
    >>> effects = class_effects([[1.0], [2.0], [5.0], [6.0]], [0, 0, 1, 1], 2)
    >>> effects[1]["mean"].tolist(), effects[1]["effect"].round(2).tolist()
    ([5.5], [3.23])
    """
    values = np.asarray(values, dtype=np.float64)
    codes = np.asarray(codes)
    effects = []
    for code in range(n_classes):
        n_in, mean_in, square_in = _moments(values[codes == code])
        n_out, mean_out, square_out = _moments(values[codes != code])
        freedom = n_in + n_out - 2
        with np.errstate(invalid="ignore", divide="ignore"):
            pooled = np.sqrt((square_in + square_out) / freedom)
            correction = 1 - 3 / (4 * freedom - 1)
            effect = correction * (mean_in - mean_out) / pooled
            sd = np.sqrt(square_in / (n_in - 1))
        told = (n_in > 1) & (n_out > 1) & (pooled > 0)
        effects.append(
            {
                "mean": mean_in,
                "sd": np.where(n_in > 1, sd, np.nan),
                "effect": np.where(told, effect, np.nan),
            }
        )
    return effects


def _moments(values):
    """Count, mean and sum of squared deviations of each column, NaN left out."""
    known = ~np.isnan(values)
    n = known.sum(axis=0)
    filled = np.where(known, values, 0.0)
    mean = np.where(n > 0, filled.sum(axis=0) / np.maximum(n, 1), np.nan)
    deviations = np.where(known, values - np.where(n > 0, mean, 0.0), 0.0)
    return n, mean, (deviations**2).sum(axis=0)
