"""Slow, obvious twins of the fast code: written from the formulas, never from the kernels."""

import itertools
import math

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
