"""Nearest neighbours of held-out rows: all folds of a subspace from one matrix of distances."""

import numpy as np

from ._numba import jit, jit_loose, lesser

# A distance above all others that still differs from that of rows which do not count.
FARTHEST = 1.7e308


@jit
def knn_held_out(stack, y, folds, n_neighbors, predicted, shares, right):
    """Vote of the nearest rows of other folds, for each subspace float64[n_columns, n] of a stack.

    Fills `predicted` int64[n_members, n], -1 for rows that no fold holds out, and adds to `shares`
    float64[n, n_classes]. Folds below 0 are trained on by all. Adds to `right` float64[n_members,
    n_columns] the rows that are right with each feature hidden, for which columns must have mean
    0; a `right` of no members is left alone.
    """
    n_members, _, n = stack.shape
    distances = np.empty((n, n))
    room, near = np.empty(n), np.empty(n_neighbors, np.int64)
    votes = np.empty(shares.shape[1])
    share = 1.0 / n_neighbors
    for member in range(n_members):
        squared_distances(stack[member], distances)
        for i in range(n):
            predicted[member, i] = -1
            if folds[i] < 0:
                continue
            find_nearest(distances[i], folds, folds[i], room, near)
            for c in range(votes.size):
                votes[c] = 0.0
            for q in range(n_neighbors):
                votes[y[near[q]]] += 1.0
            best = 0
            for c in range(votes.size):
                shares[i, c] += votes[c] * share
                if votes[c] > votes[best]:
                    best = c
            predicted[member, i] = best
        if right.shape[0] > 0:
            hide_in_distances(
                stack[member], y, folds, n_neighbors, votes.size, distances, right[member]
            )


@jit
def squared_distances(columns, distances):
    """Fill float64[n, n] from float64[n_columns, n].

    By differences, in one order for all pairs: equal rows get equal distances to the last bit,
    which a product of matrices does not promise, and small distances keep their digits.
    """
    n_columns, n = columns.shape
    for i in range(n):
        row = distances[i, i:]
        for j in range(row.size):
            row[j] = 0.0
        for k in range(0, n_columns - 3, 4):  # four columns to a pass over the row
            c0, c1, c2, c3 = (
                columns[k, i:],
                columns[k + 1, i:],
                columns[k + 2, i:],
                columns[k + 3, i:],
            )
            x0, x1, x2, x3 = c0[0], c1[0], c2[0], c3[0]
            for j in range(row.size):
                d0, d1, d2, d3 = c0[j] - x0, c1[j] - x1, c2[j] - x2, c3[j] - x3
                row[j] += (d0 * d0 + d1 * d1) + (d2 * d2 + d3 * d3)
        for k in range(n_columns - n_columns % 4, n_columns):
            c0 = columns[k, i:]
            x0 = c0[0]
            for j in range(row.size):
                d0 = c0[j] - x0
                row[j] += d0 * d0
        for j in range(row.size):
            distances[i + j, i] = row[j]


@jit_loose
def find_nearest(row, folds, own, room, near):
    """Find the nearest rows outside fold `own`, nearest first; of equal ones the first row.

    A search for each, without branches but for the last: to keep a list of the nearest so far takes
    half as long again, as no processor foresees which rows enter it. `room` is float64[n].
    """
    n = row.size
    for j in range(n):
        room[j] = np.inf if folds[j] == own else lesser(row[j], FARTHEST)
    for q in range(near.size):
        least = np.inf
        for j in range(n):
            least = lesser(least, room[j])
        j = 0
        while j < n - 1 and room[j] != least:
            j += 1
        near[q] = j
        room[j] = np.inf


@jit
def hide_in_distances(columns, y, folds, n_neighbors, n_classes, distances, right):
    """Rows that the vote of the nearest gets right while each feature is hidden.

    A hidden feature has its mean, 0, in the row that is predicted: one term of each distance
    changes. Adds to `right` float64[n_columns].
    """
    n_columns, n = columns.shape
    changed = np.empty(n)
    room, near = np.empty(n), np.empty(n_neighbors, np.int64)
    votes = np.empty(n_classes, np.int64)
    for i in range(n):
        if folds[i] < 0:
            continue
        row = distances[i]
        for f in range(n_columns):
            column = columns[f]
            own = column[i]
            for j in range(n):
                gap = column[j] - own
                changed[j] = row[j] - gap * gap + column[j] * column[j]
            find_nearest(changed, folds, folds[i], room, near)
            votes[:] = 0
            for q in range(n_neighbors):
                votes[y[near[q]]] += 1
            best = 0
            for c in range(n_classes):
                if votes[c] > votes[best]:
                    best = c
            if best == y[i]:
                right[f] += 1.0
