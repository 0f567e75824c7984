"""Slow, obvious twin of ReliefF: every copy of a row stands for itself."""


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
