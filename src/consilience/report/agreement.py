"""What the many selections agree on: the map of models by features, and who goes with whom."""

import numpy as np
from scipy.cluster.hierarchy import leaves_list, linkage

MAX_MODELS = 300
MAX_FEATURES = 60
MAX_TOGETHER = 40
N_SUBSTITUTES = 10


def shown_features(frequent: list[dict], panel_size: int) -> list[dict]:
    """Return the most frequent features that fit a figure: some way beyond the panel."""
    return frequent[: min(MAX_FEATURES, max(30, 2 * panel_size))]


def model_map(models, columns: np.ndarray, panel: np.ndarray) -> dict:
    """Summarise which model selects which of some features, similar models side by side.

    Parameters
    ----------
    models : FeatureModels
    columns : int array
        Features to show, most frequent first.
    panel : int array
        Features of the panel.

    Returns
    -------
    dict
        `rows` holds a string of 0 and 1 per feature, a character per shown model; `held` tells
        how many models hold how many features of the panel.
    """
    member = models.membership().tocsc()
    held = np.asarray(member[:, panel].sum(axis=1)).ravel().astype(int)
    # Evenly spaced models stand for all of them where there are too many to see.
    kept = np.unique(np.linspace(0, models.n_models - 1, MAX_MODELS).round().astype(int))
    shown = member[kept][:, columns].toarray().astype(np.uint8)
    shown = shown[similar_order(shown)]
    sizes, n_models = np.unique(held, return_counts=True)
    return {
        "n_models": int(models.n_models),
        "n_shown": len(kept),
        "rows": ["".join(map(str, row)) for row in shown.T.tolist()],
        "held": [
            {"n_features": int(size), "n_models": int(times)}
            for size, times in zip(sizes[::-1], n_models[::-1], strict=True)
        ],
        "median_held": float(np.median(held)),
    }


def similar_order(member: np.ndarray) -> np.ndarray:
    """Order the rows of a 0/1 array so that neighbours differ little.

    Examples
    --------
    >>> similar_order(np.array([[1, 1, 1], [0, 0, 0], [1, 1, 1], [0, 0, 1]])).tolist()
    [0, 2, 3, 1]
    """
    if len(member) < 3:
        return np.argsort(-member.sum(axis=1), kind="stable")
    order = leaves_list(linkage(member, "average", metric="cityblock", optimal_ordering=True))
    # A tree may be read from either end; the fuller models come first.
    half = len(order) // 2
    if member[order[:half]].sum() < member[order[-half:]].sum():
        order = order[::-1]
    return order


def coselection(models, panel: np.ndarray) -> dict:
    """Summarise how often the features of a panel are selected together.

    Returns
    -------
    dict
        `matrix` holds the share of models that select both features, on its diagonal the
        frequency of each. `substitutes` are the pairs selected together most below what their
        frequencies alone would give: where one is in, the other tends to be out.
    """
    panel = np.asarray(panel)[:MAX_TOGETHER]
    member = models.membership().tocsc()[:, panel].toarray().astype(np.float64)
    together = member.T @ member / models.n_models
    frequencies = np.diag(together)
    expected = np.outer(frequencies, frequencies)
    first, second = np.triu_indices(len(panel), 1)
    gap = together[first, second] - expected[first, second]
    # Beyond 3.5 standard deviations: among the hundreds of pairs of a panel some reach two by luck.
    spread = np.sqrt(
        np.outer(frequencies * (1 - frequencies), frequencies * (1 - frequencies)) / models.n_models
    )[first, second]
    order = [k for k in np.argsort(gap, kind="stable") if gap[k] < -3.5 * spread[k]]
    return {
        "matrix": np.round(together, 4).tolist(),
        "substitutes": [
            {
                "first": int(first[k]),
                "second": int(second[k]),
                "together": round(float(together[first[k], second[k]]), 4),
                "expected": round(float(expected[first[k], second[k]]), 4),
            }
            for k in order[:N_SUBSTITUTES]
        ],
    }
