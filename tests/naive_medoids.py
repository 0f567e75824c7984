"""Slow, obvious twins of the clusters around medoids: every loss is summed anew."""

import itertools


def jaccard_distance(a, b):
    union = set(a) | set(b)
    return 1 - len(set(a) & set(b)) / len(union) if union else 0.0


def loss(distances, medoids):
    """Sum of the distances to the nearest medoid."""
    return sum(min(row[m] for m in medoids) for row in distances)


def build(distances, k):
    """Greedy start: the next medoid is the point that leaves the least loss."""
    medoids = []
    for _ in range(k):
        others = [i for i in range(len(distances)) if i not in medoids]
        medoids.append(min(others, key=lambda i: loss(distances, [*medoids, i])))
    return medoids


def eager_swaps(distances, medoids):
    """Try the points in turn; take the best swap of each at once, until a round finds none."""
    n, medoids = len(distances), list(medoids)
    candidate = tried = 0
    while tried < n:
        tried += 1
        if candidate not in medoids:
            swapped = [[*medoids[:m], candidate, *medoids[m + 1 :]] for m in range(len(medoids))]
            best = min(swapped, key=lambda s: loss(distances, s))
            if loss(distances, best) < loss(distances, medoids):
                medoids, tried = best, 0
        candidate = (candidate + 1) % n
    return medoids


def k_medoids(distances, k):
    return eager_swaps(distances, build(distances, k))


def no_swap_helps(distances, medoids):
    now = loss(distances, medoids)
    return all(
        loss(distances, [m for m in medoids if m != out] + [i]) >= now - 1e-9
        for out, i in itertools.product(medoids, range(len(distances)))
    )


def silhouette(distances, labels):
    values = []
    clusters = sorted(set(labels))
    for i, own in enumerate(labels):
        means = {}
        for cluster in clusters:
            others = [
                distances[i][j] for j in range(len(labels)) if labels[j] == cluster and j != i
            ]
            means[cluster] = sum(others) / len(others) if others else None
        a = means.pop(own)
        if a is None or not means:
            values.append(0.0)
            continue
        b = min(means.values())
        values.append((b - a) / max(a, b) if max(a, b) > 0 else 0.0)
    return values
