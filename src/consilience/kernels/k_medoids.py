"""Jaccard distances of sets, and partitioning around medoids (PAM): greedy start, eager swaps.

A swap exchanges a medoid for another point. What every medoid would cost to remove is kept, so
that one pass over the points tells the best medoid to give up for a candidate, as in FasterPAM.
"""

import numpy as np

from ._numba import jit

# Swaps that gain less than this share of what was added up for them are rounding: to take them
# could go on for ever.
ROUNDING = 1e-12


@jit
def jaccard_distances(indptr, indices, column_indptr, column_members, distances):
    """Fill float64[n, n] with the distances of sets, from the sets and who holds each item.

    Both are in compressed form: `indices` of each set, `column_members` of each item, ascending.
    """
    n = indptr.size - 1
    after = column_indptr.copy()  # where the sets after the present one begin among the members
    for i in range(n):
        row = distances[i]
        row[i:] = 0.0
        for at in range(indptr[i], indptr[i + 1]):
            item = indices[at]
            after[item] += 1
            for member in range(after[item], column_indptr[item + 1]):
                row[column_members[member]] += 1.0
        size = indptr[i + 1] - indptr[i]
        for j in range(i + 1, n):
            union = size + (indptr[j + 1] - indptr[j]) - row[j]
            row[j] = 1.0 - row[j] / union if union > 0.0 else 0.0
            distances[j, i] = row[j]


@jit
def build(distances, medoids):
    """Fill int64[k]: each next medoid is the point that lowers the loss most, ties the first."""
    n = distances.shape[0]
    nearest = np.full(n, np.inf)
    chosen = np.zeros(n, np.bool_)
    for m in range(medoids.size):
        best, least = -1, np.inf
        for candidate in range(n):
            if chosen[candidate]:
                continue
            row = distances[candidate]
            loss = 0.0
            for i in range(n):
                loss += min(row[i], nearest[i])
            if loss < least:
                best, least = candidate, loss
        medoids[m] = best
        chosen[best] = True
        for i in range(n):
            nearest[i] = min(nearest[i], distances[best, i])


@jit
def assign(distances, medoids, labels, nearest, second):
    """Give each point its nearest medoid, the first of equals, a medoid itself; return the loss."""
    loss = 0.0
    for i in range(distances.shape[0]):
        row = distances[i]
        label = 0
        first, next_best = np.inf, np.inf
        for m in range(medoids.size):
            distance = row[medoids[m]]
            if distance < first or medoids[m] == i:
                label, first, next_best = m, distance, first
            elif distance < next_best:
                next_best = distance
        labels[i], nearest[i], second[i] = label, first, next_best
        loss += first
    return loss


@jit
def swap(distances, medoids, labels):
    """Swap medoids for better points until no swap lowers the loss; return the loss.

    `medoids` int64[k] is where to start and what is found, `labels` int64[n] is filled. Candidates
    are tried in order, each good one taken at once, and the round goes on behind it.
    """
    n, k = distances.shape[0], medoids.size
    nearest, second = np.empty(n), np.empty(n)
    loss = assign(distances, medoids, labels, nearest, second)
    if k == 1:  # the greedy start is the optimum, and there is no second medoid to fall back to
        return loss
    is_medoid = np.zeros(n, np.bool_)
    removal, change = np.zeros(k), np.empty(k)
    for m in range(k):
        is_medoid[medoids[m]] = True
    for i in range(n):
        removal[labels[i]] += second[i] - nearest[i]
    candidate, tried = 0, 0
    while tried < n:
        tried += 1
        if not is_medoid[candidate]:
            gain = 0.0  # whichever medoid goes
            for m in range(k):
                change[m] = removal[m]
            row = distances[candidate]
            for i in range(n):
                distance = row[i]
                if distance < nearest[i]:
                    gain += distance - nearest[i]
                    change[labels[i]] += nearest[i] - second[i]
                elif distance < second[i]:
                    change[labels[i]] += distance - second[i]
            worst = 0
            for m in range(1, k):
                if change[m] < change[worst]:
                    worst = m
            if gain + change[worst] < -ROUNDING * (loss + removal[worst]):
                is_medoid[medoids[worst]] = False
                is_medoid[candidate] = True
                medoids[worst] = candidate
                loss = assign(distances, medoids, labels, nearest, second)
                for m in range(k):
                    removal[m] = 0.0
                for i in range(n):
                    removal[labels[i]] += second[i] - nearest[i]
                tried = 0
        candidate = (candidate + 1) % n
    return loss


@jit
def silhouette(distances, labels, sizes, values):
    """Fill float64[n] where a point has others in its cluster; `sizes` int64[k], k > 1."""
    n, k = labels.size, sizes.size
    sums = np.empty(k)
    for i in range(n):
        label = labels[i]
        if sizes[label] == 1:
            continue
        row = distances[i]
        sums[:] = 0.0
        for j in range(n):
            sums[labels[j]] += row[j]
        own = sums[label] / (sizes[label] - 1)
        other = np.inf
        for c in range(k):
            if c != label:
                other = min(other, sums[c] / sizes[c])
        larger = max(own, other)
        if larger > 0.0:
            values[i] = (other - own) / larger
