"""Slow, obvious twins of the fast code: written from the formulas, never from the kernels."""

import itertools
import math
import struct

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


# --- filters: discretisation, tables of values by classes, and their scores


def entropy(weights):
    """Bits of a distribution given as weights."""
    total = sum(weights)
    return -sum(w / total * math.log2(w / total) for w in weights if w > 0)


def mdl_cuts(values, labels, weights=None, better=True):
    """Cuts of Fayyad and Irani 1993 by WEKA's rules, ascending; missing values take no part."""
    weights = [1] * len(values) if weights is None else weights
    rows = [(v, c, w) for v, c, w in zip(values, labels, weights, strict=True) if v == v and w > 0]
    return _cut(sorted(rows, key=lambda row: row[0]), better)


def _cut(rows, better):
    distinct = sorted({v for v, _, _ in rows})
    if len(distinct) < 2:
        return []
    n = sum(w for _, _, w in rows)
    best, best_gain = None, 1e-12  # a cut that tells nothing is none
    for a, b in itertools.pairwise(distinct):
        below = [row for row in rows if row[0] <= a]
        above = [row for row in rows if row[0] >= b]
        gain = _class_entropy(rows)
        for part in (below, above):
            gain -= sum(w for _, _, w in part) / n * _class_entropy(part)
        if gain > best_gain + 1e-12:  # so that the lowest of equally good cuts is kept
            best, best_gain = ((a + b) / 2, below, above), gain
    if best is None:
        return []
    cut, below, above = best
    k, k1, k2 = (len({c for _, c, _ in part}) for part in (rows, below, above))
    h, h1, h2 = (_class_entropy(part) for part in (rows, below, above))
    delta = math.log2(3**k - 2) - (k * h - k1 * h1 - k2 * h2)
    candidates = len(distinct) - 1 if better else n - 1
    if best_gain <= (math.log2(candidates) + delta) / n:
        return []
    return [*_cut(below, better), cut, *_cut(above, better)]


def _class_entropy(rows):
    weights = {}
    for _, c, w in rows:
        weights[c] = weights.get(c, 0) + w
    return entropy(weights.values())


def equal_width_cuts(values, n_bins):
    """Borders between intervals of equal width over the known range."""
    known = [v for v in values if v == v]
    if not known or min(known) == max(known):
        return []
    width = (max(known) - min(known)) / n_bins
    return [min(known) + width * k for k in range(1, n_bins)]


def equal_frequency_bins(values, weights, n_bins):
    """Bin of each distinct known value: the one in which the middle of its rows falls."""
    known = [(v, w) for v, w in zip(values, weights, strict=True) if v == v and w > 0]
    total = sum(w for _, w in known)
    bins, before = {}, 0
    for v in sorted({v for v, _ in known}):
        own = sum(w for u, w in known if u == v)
        bins[v] = min(int(n_bins * (before + own / 2) / total), n_bins - 1)
        before += own
    return bins


def value_table(
    values, labels, weights=None, discretize="mdl", n_bins=10, missing="spread", better=True
):
    """Weights by bin (a dict in each row: class -> weight), with the missing rows entered.

    `discretize` is None for nominal columns too: every value is a bin of its own.
    """
    weights = [1] * len(values) if weights is None else weights
    present = [
        (v, c, w) for v, c, w in zip(values, labels, weights, strict=True) if w > 0
    ]  # a row of weight 0 is not in the sample
    known = [(v, c, w) for v, c, w in present if v == v]
    if discretize == "mdl":
        cuts = mdl_cuts(values, labels, weights, better)
    elif discretize == "equal_width":
        cuts = equal_width_cuts([v for v, _, _ in known], n_bins)
    elif discretize == "equal_frequency":
        bins = equal_frequency_bins(values, weights, n_bins)
    table = {}
    for v, c, w in known:
        if discretize is None:
            place = v
        elif discretize == "equal_frequency":
            place = bins[v]
        else:
            place = sum(v > cut for cut in cuts)
        row = table.setdefault(place, {})
        row[c] = row.get(c, 0) + w
    lost = {}
    for v, c, w in present:
        if v != v:
            lost[c] = lost.get(c, 0) + w
    if missing == "category":
        if lost:
            table["missing"] = lost
    elif missing == "spread" and table:
        total = sum(w for _, _, w in known)
        shares = {place: sum(row.values()) / total for place, row in table.items()}
        for place, row in table.items():
            for c, w in lost.items():
                row[c] = row.get(c, 0) + shares[place] * w
    return list(table.values())


def table_sums(table):
    """Row sums, class sums and the total of a table."""
    classes = {c for row in table for c in row}
    rows = [sum(row.values()) for row in table]
    return rows, {c: sum(row.get(c, 0) for row in table) for c in classes}, sum(rows)


def information_gain(table):
    """H(Y) - H(Y | f) in bits."""
    rows, classes, total = table_sums(table)
    if not total:
        return 0.0
    gain = entropy(classes.values())
    for n, row in zip(rows, table, strict=True):
        gain -= n / total * entropy(row.values())
    return gain


def symmetrical_uncertainty(table):
    """Twice the gain over the entropies of feature and class."""
    rows, classes, total = table_sums(table)
    if not total:
        return 0.0
    both = entropy(rows) + entropy(classes.values())
    return 2 * information_gain(table) / both if both > 0 else 0.0


def chi_square(table):
    """Sum of (O - E)^2 / E."""
    rows, classes, total = table_sums(table)
    chi = 0.0
    for n, row in zip(rows, table, strict=True):
        for c, m in classes.items():
            expected = n * m / total
            chi += (row.get(c, 0) - expected) ** 2 / expected if expected > 0 else 0.0
    return chi


def mean_ranks(scores):
    """Rank 1 for the largest score; equal scores share the mean of their ranks."""
    return [
        sum(other > score for other in scores) + (sum(other == score for other in scores) + 1) / 2
        for score in scores
    ]


def class_effect(values, codes, code):
    """Mean, standard deviation and Hedges' g of one class against the rest, NaN left out."""
    inside = [v for v, c in zip(values, codes, strict=True) if c == code and v == v]
    outside = [v for v, c in zip(values, codes, strict=True) if c != code and v == v]
    mean = sum(inside) / len(inside) if inside else math.nan
    squares_in = sum((v - mean) ** 2 for v in inside)
    sd = math.sqrt(squares_in / (len(inside) - 1)) if len(inside) > 1 else math.nan
    if len(inside) < 2 or len(outside) < 2:
        return mean, sd, math.nan
    mean_out = sum(outside) / len(outside)
    freedom = len(inside) + len(outside) - 2
    pooled = math.sqrt((squares_in + sum((v - mean_out) ** 2 for v in outside)) / freedom)
    if pooled == 0:
        return mean, sd, math.nan
    return mean, sd, (1 - 3 / (4 * freedom - 1)) * (mean - mean_out) / pooled


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


# ReliefF: every copy of a row stands for itself.


def relieff_difference(column, a, b, is_nominal, n_values):
    """How far the values a and b of a column are apart, from 0 to 1."""
    known = [v for v in column if v == v]
    if is_nominal:
        return 1 - 1 / n_values if a != a or b != b else float(a != b)
    low, high = (min(known), max(known)) if known else (0.0, 0.0)
    a, b = ((v - low) / (high - low) if high - low >= 1e-6 else v - v for v in (a, b))
    if a != a and b != b:
        return 1.0
    if a != a or b != b:
        place = b if a != a else a
        return max(place, 1 - place)
    return abs(a - b)


def relieff_nearest(candidates, k, ties):
    """Pairs (row, mass) of the k nearest of [(distance, row, mass), ...], given in row order."""
    if ties == "weka":
        slots = []
        for distance, row, mass in candidates:
            if len(slots) < k:
                slots.append((distance, row, mass))
                continue
            worst = max(d for d, _, _ in slots)
            if distance < worst:
                at = [d for d, _, _ in slots].index(worst)
                slots[at] = (distance, row, mass)
        return [(row, mass) for _, row, mass in slots]
    taken, room = [], k
    rest = sorted(candidates)
    while rest and room > 1e-12:
        nearest = rest[0][0]
        tied = [c for c in rest if c[0] - nearest <= 1e-9]
        rest = rest[len(tied) :]
        mass = sum(c[2] for c in tied)
        share = min(1.0, room / mass)
        taken += [(row, share * m) for _, row, m in tied]
        room -= share * mass
    return taken


def relieff(X, y, weights=None, k=10, ties="share", exclude_copies=True, nominal=(), n_values=None):
    """Scores by the definition, one probe and one copy of a row at a time."""
    n, p = len(X), len(X[0])
    weights = [1.0] * n if weights is None else [float(w) for w in weights]
    rows = [i for i in range(n) if weights[i] > 0]
    columns = [[X[i][f] for i in rows] for f in range(p)]
    counts = [len({v for v in column if v == v}) for column in columns]
    if n_values is not None:
        counts = [max(c, d) for c, d in zip(counts, n_values, strict=True)]

    def differences(i, j):
        return [
            relieff_difference(columns[f], X[i][f], X[j][f], f in nominal, max(counts[f], 1))
            for f in range(p)
        ]

    apart = {(i, j): differences(i, j) for i in rows for j in rows}
    copies = []  # (row, mass) of every copy: index array and the share of a last, partial copy
    for i in rows:
        whole = int(weights[i])
        copies += [(i, 1.0)] * whole
        if weights[i] > whole:
            copies.append((i, weights[i] - whole))
    total = sum(weights)
    prior = {c: sum(w for w, d in zip(weights, y, strict=True) if d == c) / total for c in set(y)}
    scores = [0.0] * p
    for probe in rows:
        own = copies.index((probe, 1.0)) if weights[probe] >= 1 else None
        for c in prior:
            candidates = []
            for at, (row, mass) in enumerate(copies):
                if y[row] != c or (row == probe and exclude_copies):
                    continue
                if at == own or (row == probe and own is None):
                    continue
                candidates.append((sum(apart[probe, row]), row, mass))
            near = relieff_nearest(candidates, k, ties)
            filled = sum(mass for _, mass in near)
            if not filled:
                continue
            sign = -1.0 if c == y[probe] else prior[c] / (1 - prior[y[probe]])
            for row, mass in near:
                for f in range(p):
                    share = sign * weights[probe] / total * mass / filled
                    scores[f] += share * apart[probe, row][f]
    return scores


# --- codes of discretised columns, and CFS over all pairs of them


def value_bins(values, labels, weights=None, discretize="mdl", n_bins=10):
    """Place of each row's value among the intervals that hold anything; None: missing or absent."""
    weights = [1] * len(values) if weights is None else weights
    known = [w > 0 and v == v for v, w in zip(values, weights, strict=True)]
    present = [v for v, k in zip(values, known, strict=True) if k]
    cuts = None
    if discretize == "mdl":
        cuts = mdl_cuts(values, labels, weights)
    elif discretize == "equal_width":
        cuts = equal_width_cuts(present, n_bins)
    if cuts is not None:
        bins = {v: sum(v > cut for cut in cuts) for v in present}
    elif discretize == "equal_frequency":
        bins = equal_frequency_bins(values, weights, n_bins)
    else:
        bins = {v: v for v in present}
    used = sorted({bins[v] for v in present})
    return [used.index(bins[v]) if k else None for v, k in zip(values, known, strict=True)]


def pair_table(a, b, weights, missing="spread"):
    """Weights by values of two columns of places, with the missing (None) entered: a dict.

    "spread" is WEKA's rule: a value missing in one column has the frequencies of that column; two
    missing values have those of the rows that miss neither.
    """
    rows = [(u, v, w) for u, v, w in zip(a, b, weights, strict=True) if w > 0]
    table = {}
    for u, v, w in rows:
        if missing == "category" or (u is not None and v is not None):
            table[u, v] = table.get((u, v), 0) + w
    if missing != "spread":
        return table
    shares_a = place_shares(a, weights)
    shares_b = place_shares(b, weights)
    if not shares_a or not shares_b:
        return {}
    complete = dict(table)
    for u, v, w in rows:
        if u is None and v is not None:
            spread = {(place, v): share for place, share in shares_a.items()}
        elif u is not None and v is None:
            spread = {(u, place): share for place, share in shares_b.items()}
        elif u is None:  # without a complete row WEKA leaves them a cell of their own
            total = sum(complete.values())
            spread = {cell: x / total for cell, x in complete.items()} or {(None, None): 1}
        else:
            continue
        for cell, share in spread.items():
            table[cell] = table.get(cell, 0) + share * w
    return table


def place_shares(places, weights):
    """Frequency of each known place among the known."""
    table = {}
    for place, w in zip(places, weights, strict=True):
        if place is not None and w > 0:
            table[place] = table.get(place, 0) + w
    total = sum(table.values())
    return {place: w / total for place, w in table.items()}


def pair_uncertainty(a, b, weights, missing="spread"):
    """Symmetrical uncertainty of two columns of places, 0 below 1e-6, to the precision of float32.

    A column with one value tells nothing; under "category", missing is a value.
    """
    for places in (a, b):
        seen = {place for place, w in zip(places, weights, strict=True) if w > 0}
        if len(seen if missing == "category" else seen - {None}) < 2:
            return 0.0
    cells = pair_table(a, b, weights, missing)
    table = {}
    for (u, v), w in cells.items():
        table.setdefault(u, {})[v] = w
    found = symmetrical_uncertainty(list(table.values()))
    return struct.unpack("f", struct.pack("f", found))[0] if found >= 1e-6 else 0.0


def cfs(columns, labels, weights, missing="spread", zero_is_redundant=True,
        locally_predictive=True, max_stale=5, order=None):  # fmt: skip
    """CFS with WEKA's best-first search over columns of places: selected ones as added, merit.

    `order` is the order in which columns are looked at, which decides between equals.
    """
    p = len(columns)
    order = list(range(p)) if order is None else list(order)
    relevance = [pair_uncertainty(column, labels, weights, missing) for column in columns]
    redundancy = {}
    for f, g in itertools.combinations(range(p), 2):
        found = pair_uncertainty(columns[f], columns[g], weights, missing)
        if zero_is_redundant and found == 0:
            found = 1.0
        redundancy[f, g] = redundancy[g, f] = found

    def merit(subset):
        if not subset:
            return 0.0
        pairs = sum(redundancy[pair] for pair in itertools.combinations(subset, 2))
        return sum(relevance[f] for f in subset) / math.sqrt(len(subset) + 2 * pairs)

    best, best_merit = (), 0.0
    open_list, stale = [((), 0.0)], 0
    while open_list and stale < max_stale:
        parent, _ = open_list.pop(0)
        stale += 1
        for f in order:
            if f in parent:
                continue
            child = (*parent, f)
            score = merit(child)
            at = sum(other >= score for _, other in open_list)  # after its equals
            open_list.insert(at, (child, score))
            del open_list[max_stale:]
            if score - best_merit > 1e-5:
                best, best_merit, stale = child, score, 0
    if locally_predictive:
        selected = list(best)
        for f in sorted(order, key=lambda f: -relevance[f]):
            others = [g for g in selected if g != f]
            told = relevance[f] > 0 and all(redundancy[f, g] <= relevance[f] for g in others)
            if f not in selected and told:
                selected.append(f)
        best = tuple(selected)
    return list(best), merit(best)


# -- support vector machines: libsvm, trained anew for everything ---------------------------


def svm_columns(X):
    """Columns scaled to [0, 1] and centred.

    Centred, which changes nothing in the solution, because libsvm keeps its kernel in single
    precision, and a large common part of the rows would use up the digits.
    """
    import numpy as np

    width = np.ptp(X, axis=0)
    return (X - X.mean(axis=0)) / np.where(width > 0, width, 1)


def svm_sides(y):
    """The two sides of each problem: one for two classes, else one class against the rest."""
    import numpy as np

    classes = np.unique(y)
    return [y == classes[1]] if classes.size == 2 else [y == c for c in classes]


def svm_weights(X, y, C, weights=None, tol=1e-9):
    """Weights of libsvm, one row per problem."""
    import numpy as np
    from sklearn.svm import SVC

    machines = [
        SVC(kernel="linear", C=C, tol=tol, max_iter=200_000).fit(svm_columns(X), side, weights)
        for side in svm_sides(y)
    ]
    return np.concatenate([machine.coef_ for machine in machines])


def svm_objective(X, side, w, C, weights=None):
    """What a linear SVM minimises, at its best intercept for the weights w."""
    import numpy as np

    values = svm_columns(X) @ w
    signs = np.where(side, 1.0, -1.0)
    costs = C * (np.ones(signs.size) if weights is None else weights)
    # Piecewise linear in the intercept: the best is where some row is right on its margin.
    losses = [costs @ np.maximum(0, 1 - signs * (values + b)) for b in signs - values]
    return w @ w / 2 + min(losses)


def svm_rfe(X, y, C, step):
    """Features of a problem of two classes, best first, by refits on what remains."""
    import numpy as np

    remaining, gone = np.arange(X.shape[1]), []
    while remaining.size:
        w = np.abs(svm_weights(X[:, remaining], y, C))[0]
        worst = np.argsort(w)[: max(1, int(step * remaining.size))]
        gone.extend(remaining[worst])
        remaining = np.delete(remaining, worst)
    return np.array(gone[::-1])
