"""Slow, obvious twins of balanced samples, from Yang et al. (2013) and Chawla et al. (2002)."""

from fractions import Fraction
from statistics import median, pstdev


def sizes(n_min, n_maj, kind, rate):
    """Rows of the majority, synthetic rows and repeated rows, in exact numbers."""
    if kind == "rus":
        return min(n_min, n_maj), 0, 0
    if kind == "ros":
        return n_maj, 0, max(0, n_maj - n_min)
    if kind == "smote":
        return n_maj, (max(0, n_maj - n_min) if n_min > 1 else 0), 0
    n_syn = int(Fraction(str(rate)) * n_min) if n_min > 1 else 0
    n_r = n_min + n_syn
    if n_r > n_maj:
        n_r, n_syn = n_maj, max(0, n_maj - n_min)
    return n_r, n_syn, 0


def class_sizes(counts, kind, rate):
    """Rows that each class has in the end: the smallest and the largest set the size of all."""
    size = sizes(min(counts), max(counts), kind, rate)[0]
    alone = 1 if kind == "smote" else size  # a row alone has no neighbour
    return [alone if count == 1 else size for count in counts]


def nominal_unit(rows, nominal):
    """The squared median of the standard deviations of the numeric columns."""
    columns = zip(*rows, strict=True)
    spreads = [pstdev(column) for column, named in zip(columns, nominal, strict=True) if not named]
    return median(spreads) ** 2 if any(spreads) else 1.0


def squared_distance(a, b, nominal, unit):
    """Squares of the differences of numbers; `unit` for each difference of nominal values."""
    columns = list(zip(a, b, nominal, strict=True))
    numbers = sum((u - v) ** 2 for u, v, named in columns if not named)
    return numbers + unit * sum(u != v for u, v, named in columns if named)


def neighbour_chances(rows, seed, k, nominal):
    """How probable each row is to be drawn as the neighbour of a seed.

    One of the k nearest is drawn. Equally near rows come in random order: each of them is at each
    of the places that they share with the same chance.
    """
    unit = nominal_unit(rows, nominal)
    others = [j for j in range(len(rows)) if j != seed]
    far = {j: squared_distance(rows[seed], rows[j], nominal, unit) for j in others}
    places = sorted(far.values())[: min(k, len(others))]
    chances = dict.fromkeys(others, Fraction(0))
    for distance in places:
        tied = [j for j in others if far[j] == distance]
        for j in tied:
            chances[j] += Fraction(1, len(places) * len(tied))
    return chances


def lies_between(new, a, b, nominal, gap):
    """Whether a new row may be a + u (b - a), u once for all columns or for each of them."""
    shares = []
    for x, u, v, named in zip(new, a, b, nominal, strict=True):
        if named or u == v:
            if x not in (u, v):
                return False
        else:
            shares.append((x - u) / (v - u))
    inside = all(-1e-12 <= share <= 1 + 1e-12 for share in shares)
    return inside and (gap == "column" or not shares or max(shares) - min(shares) < 1e-9)


def may_come_from(new, seed, rows, k, nominal, gap):
    """Whether a synthetic row may have been made from a seed."""
    chances = neighbour_chances(rows, seed, k, nominal)
    return any(
        chance > 0 and lies_between(new, rows[seed], rows[j], nominal, gap)
        for j, chance in chances.items()
    )
