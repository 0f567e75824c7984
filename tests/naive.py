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


# -- stability of subsets --------------------------------------------------------------------


def tanimoto(subsets):
    """Mean Jaccard similarity over all pairs."""
    similarities = []
    for i, a in enumerate(subsets):
        for b in subsets[:i]:
            union = set(a) | set(b)
            similarities.append(len(set(a) & set(b)) / len(union) if union else 1.0)
    return sum(similarities) / len(similarities)


def kuncheva(subsets, n_features):
    """Mean consistency index over all pairs of subsets of one size."""
    k, values = len(subsets[0]), []
    for i, a in enumerate(subsets):
        for b in subsets[:i]:
            shared = len(set(a) & set(b))
            values.append((shared * n_features - k**2) / (k * (n_features - k)))
    return sum(values) / len(values)


def nogueira(subsets, n_features):
    """Estimate and variance of Nogueira, Sechidis and Brown, feature by feature."""
    m, p = len(subsets), n_features
    f = [sum(j in s for s in subsets) / m for j in range(p)]
    k = sum(len(s) for s in subsets) / m
    chance = k / p * (1 - k / p)
    value = 1 - sum(m / (m - 1) * x * (1 - x) for x in f) / p / chance
    phi = []
    for s in subsets:
        overlap = sum(f[j] for j in s) / p
        bias = value / 2 * (2 * len(s) * k / p**2 - len(s) / p - k / p + 1)
        phi.append((overlap - len(s) * k / p**2 + bias) / chance)
    mean = sum(phi) / m
    return value, 4 / m**2 * sum((x - mean) ** 2 for x in phi)


# --- report


def selected_together(member):
    """Share of the rows of a boolean table in which both of two columns are true."""
    n_models, n_features = len(member), len(member[0])
    return [
        [sum(bool(row[a] and row[b]) for row in member) / n_models for b in range(n_features)]
        for a in range(n_features)
    ]
