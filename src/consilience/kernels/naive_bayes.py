"""Scores of naive Bayes on many feature subsets, and what they decide.

What each feature adds to each score of each row is known beforehand. Features go in groups of
four, with the sums of all 16 subsets of a group in a table: a subset of all features is then one
line of the table for each group, and lines are added at the speed of the cache. A matrix product
does the same in more time, and on as many threads as it likes.

Scores are those of classes less that of a reference class of the row, `n_rows` of one class after
those of the other; float32, so that rows which it cannot decide are scored again in float64.
"""

import numpy as np

from ._numba import jit

EQUAL = 1e-9  # exact scores within this tie


@jit
def add_shares(cells, log_shares, scores):
    """Add to the scores[i] of each row what the features say of each class, in their order."""
    for i in range(scores.shape[0]):
        for j in range(cells.shape[0]):
            cell = cells[j, i]
            for c in range(scores.shape[1]):
                scores[i, c] += log_shares[cell, c]


@jit
def fill_steps(cells, log_shares, log_prior, reference, start, steps):
    """What each feature adds to the scores, and what they start from; returns the largest sum.

    cells[j, i] is the row of log_shares[n_cells, n_classes] of feature j in row i. The scores of
    a row are those of the classes other than reference[i], in their order. The sum is that of the
    absolute steps of one score: no subset's rounding errors are a larger part of anything.
    """
    n_rows = reference.size
    totals = np.empty(start.size)
    for s in range(start.size):
        own = reference[s % n_rows]
        other = other_class(s // n_rows, own)
        start[s] = log_prior[other] - log_prior[own]
        totals[s] = abs(log_prior[other] - log_prior[own])
        if totals[s] > 1e29:  # a class without rows: never near another one
            totals[s] = 0.0
    for j in range(cells.shape[0]):
        for k in range(log_prior.size - 1):
            for i in range(n_rows):
                cell = cells[j, i]
                other = other_class(k, reference[i])
                step = log_shares[cell, other] - log_shares[cell, reference[i]]
                steps[j, k * n_rows + i] = step
                totals[k * n_rows + i] += abs(step)
    largest = 0.0
    for s in range(start.size):
        largest = max(largest, totals[s])
    return largest


@jit
def other_class(k, own):
    """The k-th of the classes other than `own`."""
    return k if k < own else k + 1


@jit
def fill_sums(steps, start, sums):
    """Sums of every subset of four features: line 16 g + b is for the bits b of group g.

    The lines of the first group begin with `start`.
    """
    n_features, n_scores = steps.shape
    nothing = np.float32(0.0)
    for line in range(sums.shape[0]):
        bits = line & 15
        if bits == 0:
            for s in range(n_scores):
                sums[line, s] = start[s] if line == 0 else nothing
            continue
        bit = 3 if bits >= 8 else 2 if bits >= 4 else 1 if bits >= 2 else 0
        feature = (line >> 4) * 4 + bit
        less = line - (1 << bit)
        if feature < n_features:
            for s in range(n_scores):
                sums[line, s] = sums[less, s] + steps[feature, s]
        else:
            for s in range(n_scores):
                sums[line, s] = sums[less, s]


@jit
def add_lines(packed, m, sums, scores):
    """Scores of subset m, whose features are the bits of packed[m], lowest first.

    Three lines at a time: fewer passes over the scores take less time than more.
    """
    n_scores = scores.size
    n_groups = sums.shape[0] // 16
    a = line_of(packed, m, 0)
    if n_groups % 3 == 1:
        for s in range(n_scores):
            scores[s] = sums[a, s]
        group = 1
    elif n_groups % 3 == 2:
        b = line_of(packed, m, 1)
        for s in range(n_scores):
            scores[s] = sums[a, s] + sums[b, s]
        group = 2
    else:
        b = line_of(packed, m, 1)
        c = line_of(packed, m, 2)
        for s in range(n_scores):
            scores[s] = sums[a, s] + sums[b, s] + sums[c, s]
        group = 3
    while group < n_groups:
        a = line_of(packed, m, group)
        b = line_of(packed, m, group + 1)
        c = line_of(packed, m, group + 2)
        for s in range(n_scores):
            scores[s] += sums[a, s] + sums[b, s] + sums[c, s]
        group += 3


@jit
def line_of(packed, m, group):
    """The line of a group's table that holds the sums of a subset."""
    return 16 * group + ((np.int64(packed[m, group >> 1]) >> (4 * (group & 1))) & 15)


@jit
def flip_scores(base, steps, feature, present, scores):
    """Scores with one feature more than those of `base`, or less where it is present."""
    if present:
        for s in range(scores.size):
            scores[s] = base[s] - steps[feature, s]
    else:
        for s in range(scores.size):
            scores[s] = base[s] + steps[feature, s]


@jit
def judge(scores, slack, n_rows, right, at, first):
    """Whether each row scores highest for its reference class; returns how many do and may do.

    right[at, first:] takes the answers, False for rows within `slack`; scores[:n_rows] takes the
    largest score of each row.
    """
    n_others = scores.size // n_rows
    if n_others == 0:
        for i in range(n_rows):
            right[at, first + i] = True
        return n_rows, 0
    largest = scores[:n_rows]
    for k in range(1, n_others):
        others = scores[k * n_rows : (k + 1) * n_rows]
        for i in range(n_rows):
            largest[i] = max(largest[i], others[i])
    own = right[at, first : first + n_rows]
    clear, unclear = 0, 0
    for i in range(n_rows):  # one loop for each: so all of them use vectors
        own[i] = largest[i] < -slack
    for i in range(n_rows):
        clear += largest[i] < -slack
    for i in range(n_rows):
        unclear += abs(largest[i]) <= slack
    return clear, unclear


@jit
def choose(scores, slack, best, second, winners):
    """The class with the largest score of each row, class 0 being the reference with score 0.

    Returns in how many rows the best and the second score are within `slack`.
    """
    n_rows = best.size
    for i in range(n_rows):
        best[i] = np.float32(0.0)
        second[i] = -np.float32(np.inf)
        winners[i] = 0
    for k in range(scores.size // n_rows):
        code = np.int16(k + 1)
        own = scores[k * n_rows : (k + 1) * n_rows]
        for i in range(n_rows):
            value = own[i]
            larger = value > best[i]
            lesser = best[i] if larger else value
            second[i] = lesser if lesser > second[i] else second[i]
            winners[i] = code if larger else winners[i]
            best[i] = value if larger else best[i]
    unclear = 0
    for i in range(n_rows):
        unclear += best[i] - second[i] <= slack
    return unclear


@jit
def exact_class(mask, i, cells, log_shares, log_prior, order, scores):
    """The class with the largest exact score of row i on the features of a subset.

    Features are added in their order; ties go to the class that is first in `order`.
    """
    n_classes = log_prior.size
    for c in range(n_classes):
        scores[c] = log_prior[c]
    for j in range(mask.size):
        if mask[j]:
            cell = cells[j, i]
            for c in range(n_classes):
                scores[c] += log_shares[cell, c]
    largest = scores[0]
    for c in range(1, n_classes):
        largest = max(largest, scores[c])
    winner = -1
    for c in range(n_classes):
        tied = scores[c] >= largest - EQUAL
        if tied and (winner < 0 or order[c] < order[winner]):
            winner = c
    return winner


@jit
def mark_right(
    masks, packed, sums, slack, cells, log_shares, log_prior, order, y, first, right, n_right
):
    """Whether each subset predicts each row rightly, and how many rows more it does.

    The rows, whose reference class in `sums` is y, begin at `first` in right[n_masks, :]; where
    that has one line only, each subset overwrites it.
    """
    scores = np.empty(sums.shape[1], np.float32)
    exact = np.empty(log_prior.size)
    for m in range(masks.shape[0]):
        at = m if m < right.shape[0] else 0
        add_lines(packed, m, sums, scores)
        clear, unclear = judge(scores, slack, y.size, right, at, first)
        n_right[m] += clear
        if unclear > 0:
            n_right[m] += settle_right(
                masks[m], scores, slack, cells, log_shares, log_prior, order, y, exact,
                right, at, first,
            )  # fmt: skip


@jit
def mark_right_flips(
    mask, packed, features, sums, steps, slack, cells, log_shares, log_prior, order, y, first,
    right,
):  # fmt: skip
    """The same for one subset with one feature flipped each; `mask` comes back as it was."""
    base = np.empty(sums.shape[1], np.float32)
    scores = np.empty(sums.shape[1], np.float32)
    exact = np.empty(log_prior.size)
    add_lines(packed, 0, sums, base)
    for f in range(features.size):
        j = features[f]
        flip_scores(base, steps, j, mask[j], scores)
        _, unclear = judge(scores, slack, y.size, right, f, first)
        if unclear > 0:
            mask[j] = not mask[j]
            settle_right(
                mask, scores, slack, cells, log_shares, log_prior, order, y, exact, right, f, first
            )
            mask[j] = not mask[j]


@jit
def settle_right(
    mask, scores, slack, cells, log_shares, log_prior, order, y, exact, right, at, first
):
    """Score again the rows that `judge` left open; returns how many are right after all."""
    found = 0
    for i in range(y.size):
        if abs(scores[i]) <= slack:
            code = exact_class(mask, i, cells, log_shares, log_prior, order, exact)
            right[at, first + i] = code == y[i]
            found += code == y[i]
    return found


@jit
def choose_classes(masks, packed, sums, slack, cells, log_shares, log_prior, order, first, codes):
    """Class of each row by each subset; the reference class of `sums` is class 0.

    The rows begin at `first` in codes[n_masks, :].
    """
    n_rows = cells.shape[1]
    scores = np.empty(sums.shape[1], np.float32)
    best, second = np.empty(n_rows, np.float32), np.empty(n_rows, np.float32)
    winners = np.empty(n_rows, np.int16)
    exact = np.empty(log_prior.size)
    for m in range(masks.shape[0]):
        add_lines(packed, m, sums, scores)
        if choose(scores, slack, best, second, winners) > 0:
            settle_classes(
                masks[m], best, second, slack, cells, log_shares, log_prior, order, exact, winners
            )
        for i in range(n_rows):
            codes[m, first + i] = winners[i]


@jit
def choose_classes_flips(
    mask, packed, features, sums, steps, slack, cells, log_shares, log_prior, order, first, codes
):
    """The same for one subset with one feature flipped each; `mask` comes back as it was."""
    n_rows = cells.shape[1]
    base = np.empty(sums.shape[1], np.float32)
    scores = np.empty(sums.shape[1], np.float32)
    best, second = np.empty(n_rows, np.float32), np.empty(n_rows, np.float32)
    winners = np.empty(n_rows, np.int16)
    exact = np.empty(log_prior.size)
    add_lines(packed, 0, sums, base)
    for f in range(features.size):
        j = features[f]
        flip_scores(base, steps, j, mask[j], scores)
        if choose(scores, slack, best, second, winners) > 0:
            mask[j] = not mask[j]
            settle_classes(
                mask, best, second, slack, cells, log_shares, log_prior, order, exact, winners
            )
            mask[j] = not mask[j]
        for i in range(n_rows):
            codes[f, first + i] = winners[i]


@jit
def settle_classes(mask, best, second, slack, cells, log_shares, log_prior, order, exact, winners):
    """Score again the rows whose two best classes `choose` could not tell apart."""
    for i in range(best.size):
        if best[i] - second[i] <= slack:
            winners[i] = exact_class(mask, i, cells, log_shares, log_prior, order, exact)
