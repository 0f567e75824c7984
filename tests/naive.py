"""Slow, obvious twins of the fast code: written from the formulas, never from the kernels."""


# -- feature models --------------------------------------------------------------------------


def mean_ranks_of_subsets(subsets, n_features):
    """Mean rank when a model only tells which features it selected."""
    totals = [0.0] * n_features
    for subset in subsets:
        k = len(subset)
        for j in range(n_features):
            totals[j] += (k + 1) / 2 if j in set(subset) else (k + 1 + n_features) / 2
    return [total / len(subsets) for total in totals]
