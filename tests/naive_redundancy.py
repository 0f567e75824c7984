"""Slow, obvious twins of mRMR and Markov blankets: written from the formulas."""

import math

from naive import (
    chi_square,
    equal_frequency_bins,
    equal_width_cuts,
    information_gain,
    mdl_cuts,
    table_sums,
    value_table,
)

# -- minimum redundancy, maximum relevance -----------------------------------------------------


def states_of_mean_std(values, weights):
    """-1, 0 or 1: below, within or above mean -+ 0.5 standard deviations (of a population)."""
    total = sum(weights)
    mean = sum(w * v for v, w in zip(values, weights, strict=True)) / total
    square = sum(w * (v - mean) ** 2 for v, w in zip(values, weights, strict=True)) / total
    half = 0.5 * math.sqrt(square) * (1 + 1e-9)  # a value on the border is within
    return [(v - mean > half) - (v - mean < -half) for v in values]


def mutual_information(a, b, weights):
    """I(a; b) in bits, of two lists of categories under row weights."""
    joint, of_a, of_b, total = {}, {}, {}, sum(weights)
    for i, j, w in zip(a, b, weights, strict=True):
        joint[i, j] = joint.get((i, j), 0.0) + w
        of_a[i] = of_a.get(i, 0.0) + w
        of_b[j] = of_b.get(j, 0.0) + w
    information = 0.0
    for (i, j), w in joint.items():
        if w > 0:
            information += w / total * math.log2(w * total / (of_a[i] * of_b[j]))
    return information if information > 1e-12 else 0.0


def f_statistic(values, y, weights):
    """One-way analysis of variance; 0 where it is not defined, infinite without a spread within."""
    total, classes = sum(weights), {c for c, w in zip(y, weights, strict=True) if w > 0}
    mean = sum(w * v for v, w in zip(values, weights, strict=True)) / total
    between = within = 0.0
    for c in classes:
        rows = [(v, w) for v, k, w in zip(values, y, weights, strict=True) if k == c]
        size = sum(w for _, w in rows)
        own = sum(w * v for v, w in rows) / size
        between += size * (own - mean) ** 2
        within += sum(w * (v - own) ** 2 for v, w in rows)
    freedom = total - len(classes)
    if freedom <= 0 or between <= 1e-24 * (between + within):
        return 0.0
    if within <= 1e-24 * between:
        return math.inf
    return (between / (len(classes) - 1)) / (within / freedom)


def correlation(a, b, weights):
    """|r| of two columns under row weights; 0 if one of them is constant."""
    total = sum(weights)
    mean_a = sum(w * v for v, w in zip(a, weights, strict=True)) / total
    mean_b = sum(w * v for v, w in zip(b, weights, strict=True)) / total
    both = square_a = square_b = 0.0
    for u, v, w in zip(a, b, weights, strict=True):
        both += w * (u - mean_a) * (v - mean_b)
        square_a += w * (u - mean_a) ** 2
        square_b += w * (v - mean_b) ** 2
    return abs(both) / math.sqrt(square_a * square_b) if square_a * square_b > 0 else 0.0


def mrmr_value(columns, y, weights, criterion, feature, selected, states=states_of_mean_std):
    """Criterion of one feature given those selected so far; `states` None: columns are codes."""
    if criterion in ("mid", "miq"):
        coded = [columns[j] if states is None else states(columns[j], weights)
                 for j in [feature, *selected]]  # fmt: skip
        relevance = mutual_information(coded[0], y, weights)
        redundancies = [mutual_information(coded[0], other, weights) for other in coded[1:]]
        least = 1e-12
    else:
        relevance = f_statistic(columns[feature], y, weights)
        least = 0.001 if criterion == "fcq" else 0.0
        redundancies = [max(correlation(columns[feature], columns[j], weights), least)
                        for j in selected]  # fmt: skip
    if not selected:
        return relevance
    redundancy = sum(redundancies) / len(redundancies)
    if criterion in ("mid", "fcd"):
        return relevance - redundancy
    return relevance / max(redundancy, least)


# --- Markov blanket filtering


def value_codes(values, labels, weights, discretize="mdl", n_bins=10):
    """The bin of every row; rows of weight 0 are in none that counts."""
    present = [v for v, w in zip(values, weights, strict=True) if w > 0]
    if discretize == "equal_frequency":
        bins = equal_frequency_bins(values, weights, n_bins)
        return [bins.get(v) for v in values]
    if discretize is None:
        return list(values)
    if discretize == "mdl":
        cuts = mdl_cuts(values, labels, weights)
    else:
        cuts = equal_width_cuts(present, n_bins)
    return [sum(v > cut for cut in cuts) for v in values]


def conditional_information(feature, blanket, labels, weights):
    """I(F; Y | M) in bits as the mean of KL(P(Y | m, f) || P(Y | m)), blanket a list of columns."""
    patterns = list(zip(*blanket, strict=True)) if blanket else [()] * len(labels)
    rows = [row for row in zip(patterns, feature, labels, weights, strict=True) if row[3] > 0]
    total = sum(w for *_, w in rows)
    delta = 0.0
    for pattern, value in {(m, f) for m, f, _, _ in rows}:
        of_both = [(c, w) for m, f, c, w in rows if m == pattern and f == value]
        of_pattern = [(c, w) for m, _, c, w in rows if m == pattern]
        n_both, n_pattern = (sum(w for _, w in part) for part in (of_both, of_pattern))
        for label in {c for c, _ in of_both}:
            p = sum(w for c, w in of_both if c == label) / n_both
            q = sum(w for c, w in of_pattern if c == label) / n_pattern
            delta += n_both / total * p * math.log2(p / q)
    return delta


def association(a, b, a_nominal, b_nominal, weights):
    """Pearson's |r|, the correlation ratio or Cramer's V, by the kinds of the columns."""
    if a_nominal and b_nominal:
        table = {}
        for x, z, w in zip(a, b, weights, strict=True):
            row = table.setdefault(x, {})
            row[z] = row.get(z, 0) + w
        table = [row for row in table.values() if sum(row.values()) > 0]
        rows, classes, total = table_sums(table)
        freedom = min(len(rows), sum(w > 0 for w in classes.values())) - 1
        return math.sqrt(chi_square(table) / total / freedom) if freedom > 0 else 0.0
    if not a_nominal and not b_nominal:
        return correlation(a, b, weights)
    if b_nominal:
        a, b = b, a
    total = sum(weights)  # from here on a is nominal and b numeric
    mean = sum(w * z for w, z in zip(weights, b, strict=True)) / total
    whole = sum(w * (z - mean) ** 2 for w, z in zip(weights, b, strict=True))
    between = 0.0
    for value in set(a):
        own = [(w, z) for w, x, z in zip(weights, a, b, strict=True) if x == value and w > 0]
        if own:
            n = sum(w for w, _ in own)
            between += n * (sum(w * z for w, z in own) / n - mean) ** 2
    return math.sqrt(between / whole) if whole > 1e-18 else 0.0


def markov_blanket(
    X, labels, weights, place, *, nominal=(), discretize="mdl", n_bins=10, n_candidates=1000,
    blanket_size=1,
):  # fmt: skip
    """Candidates from the last removed to the first, and the delta of each when it was removed.

    Everything is worked out anew at every step. `place` is the random order that decides between
    equals: the smaller is the better.
    """
    tie = 1e-12
    columns = [[float(v) for v in column] for column in zip(*X, strict=True)]
    codes, gains, minority = [], [], []
    for j, column in enumerate(columns):
        as_is = j in nominal or len(set(column)) <= 2
        codes.append(value_codes(column, labels, weights, None if as_is else discretize, n_bins))
        counted = {}
        for code, w in zip(codes[j], weights, strict=True):
            counted[code] = counted.get(code, 0) + w
        minority.append(sum(counted.values()) - max(counted.values()))
        table = value_table(codes[j], labels, weights, None)
        gains.append(information_gain(table) if minority[j] > 0 else 0.0)
    able = [j for j in range(len(columns)) if minority[j] > 0]
    candidates = []
    while able and len(candidates) < n_candidates:
        best = [j for j in able if gains[j] >= max(gains[k] for k in able) - tie]
        best = [j for j in best if minority[j] >= max(minority[k] for k in best) - 1e-9]
        candidates.append(min(best, key=lambda j: place[j]))
        able.remove(candidates[-1])

    def similar(f, g):
        kinds = (f in nominal, g in nominal)
        return association(columns[f], columns[g], *kinds, weights)

    removed, deltas = [], []
    while candidates:
        uncovered = {}
        for f in candidates:
            blanket, others = [], [g for g in candidates if g != f]
            while others and len(blanket) < blanket_size:
                most = max(similar(f, g) for g in others)
                closest = [g for g in others if similar(f, g) >= most - tie]
                blanket.append(min(closest, key=lambda g: place[g]))
                others.remove(blanket[-1])
            uncovered[f] = conditional_information(
                codes[f], [codes[g] for g in blanket], labels, weights
            )
        least = min(uncovered.values())
        tied = [f for f in candidates if uncovered[f] <= least + tie]
        tied = [f for f in tied if gains[f] <= min(gains[g] for g in tied) + tie]
        removed.append(max(tied, key=lambda f: place[f]))
        deltas.append(uncovered[removed[-1]])
        candidates.remove(removed[-1])
    return removed[::-1], deltas[::-1]
