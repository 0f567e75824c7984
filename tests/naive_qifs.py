"""Slow, obvious twins of the query committees, written from the formulas of the paper."""

import math

import numpy as np


def margin(votes_of_row):
    """Votes for the most popular class minus those for the second (Eq. 1)."""
    ordered = sorted(votes_of_row, reverse=True)
    return ordered[0] - (ordered[1] if len(ordered) > 1 else 0)


def frequencies(column):
    """Share of each value, missing being a value."""
    values = ["missing" if value != value else value for value in column]
    return {value: values.count(value) / len(values) for value in set(values)}


def distance(column, rows, kind="square", normalize=None):
    """How much the values in some rows deviate from those in all (Eq. 2)."""
    everywhere = frequencies(column)
    chosen = [column[i] for i in rows]
    here = frequencies(chosen)
    if kind == "kl":
        if len(everywhere) == 1:
            return 0.0
        total = 0.0
        names = ["missing" if value != value else value for value in column]
        picked = [names[i] for i in rows]
        for value in everywhere:
            p = (names.count(value) + 0.5) / (len(names) + 0.5 * len(everywhere))
            q = (picked.count(value) + 0.5) / (len(picked) + 0.5 * len(everywhere))
            total += q * math.log2(q / p)
        return total
    differences = [abs(everywhere[v] - here.get(v, 0.0)) for v in everywhere]
    if normalize == "variance":
        return sum((everywhere[v] - here.get(v, 0.0)) ** 2 / everywhere[v] for v in everywhere)
    if kind == "square":
        return sum(d**2 for d in differences)
    return sum(differences) if kind == "block" else sum(differences) ** 2


def information_gain(column, y):
    """H(Y) - H(Y | column), in bits."""

    def entropy(labels):
        shares = [labels.count(c) / len(labels) for c in set(labels)]
        return -sum(p * math.log2(p) for p in shares)

    y = list(y)
    names = ["missing" if value != value else value for value in column]
    rest = 0.0
    for value in set(names):
        inside = [label for name, label in zip(names, y, strict=True) if name == value]
        rest += len(inside) / len(y) * entropy(inside)
    return entropy(y) - rest


def chosen_rows(votes, n_rows):
    """The least sure rows, those that stand first among equals."""
    order = sorted(range(len(votes)), key=lambda i: (margin(votes[i]), i))
    return sorted(order[:n_rows])


def majority(predicted, n_classes, priors):
    """Class of most votes for each row; the larger prior has the ties (Eq. 3)."""
    winners = []
    for i in range(len(predicted[0])):
        votes = [sum(member[i] == c for member in predicted) for c in range(n_classes)]
        winners.append(max(range(n_classes), key=lambda c: (votes[c], priors[c], -c)))
    return winners


def chain(cells, y, own, first, *, n_rounds, share, size, places, fit):
    """Qifs on some rows alone, by their votes and counts: what each member says of all rows.

    `places[number]` orders features of equal distance in a round; of equal rows the first go first.
    """
    subset, said = list(first), []
    for number in range(n_rounds + 1):
        if number > 0:
            votes = [[sum(member[i] == c for member in said) for c in sorted(set(y))] for i in own]
            n_rows = min(max(1, round(share * len(own))), len(own) - 1)
            picked = chosen_rows(votes, n_rows)
            found = [round(distance([column[i] for i in own], picked), 12) for column in cells.T]
            order = sorted(range(len(found)), key=lambda j: (-found[j], places[number][j]))
            subset = [j for j in order[:size] if found[j] > 0]
        member = fit(cells[own][:, subset], y[own])
        said.append(member.predict(cells[:, subset]))
    return said


def best_threshold_figure(shares, positive, criterion, weights=None):
    """The best figure that any threshold above 0 and up to 1 reaches."""
    weights = weights or [1] * len(shares)
    figures = []
    for threshold in sorted({s for s in shares if s > 0} | {1.0}):
        says = [s >= threshold for s in shares]
        rows = list(zip(says, positive, weights, strict=True))
        hits = sum(w for s, p, w in rows if s and p)
        n_said, n_positive = sum(w for s, p, w in rows if s), sum(w for s, p, w in rows if p)
        if criterion == "f1":
            figures.append(2 * hits / (n_said + n_positive))
        else:
            rejected = sum(w for s, p, w in rows if not s and not p)
            n_negative = sum(weights) - n_positive
            figures.append((hits / n_positive + rejected / n_negative) / 2)
    return max(figures)


def indicator_columns(X):
    """One column of bits for features of two values, one for each value of the others."""
    columns = []
    for column in np.asarray(X, dtype=float).T:
        known = sorted({value for value in column if value == value})
        tests = [lambda v, w=value: v == w for value in known]
        if any(value != value for value in column):
            tests.append(lambda v: v != v)
        if len(tests) <= 2:
            tests = tests[1:] or [lambda v: v != v]
        columns += [[int(test(value)) for value in column] for test in tests]
    return np.array(columns, dtype=np.uint8).T
