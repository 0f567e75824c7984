"""Cuts of sorted columns: between two Gaussians, or into equal parts."""

import math

from ._numba import jit

COLLAPSED = 1e-6  # a component narrower than this share of the column's variance is one value
FAR = 700.0  # exp of more is no number


@jit
def border_near(values, n_known, wanted):
    """Midpoint between two different neighbours of sorted float64[n], inf for a constant column.

    The border has the number of values below nearest to `wanted`, the larger of two as near.
    """
    best, found = math.inf, math.inf
    for i in range(1, n_known):
        if values[i] > values[i - 1]:
            gap = abs(i - wanted)
            if gap <= best:
                best, found = gap, values[i - 1] + 0.5 * (values[i] - values[i - 1])
                if found >= values[i]:  # neighbours so near that nothing lies between
                    found = values[i - 1]
    return found


@jit
def quantile_cuts(values, n_known, cuts):
    """Borders of each column of sorted float64[p, n] nearest to equal parts, float64[p, n_cuts].

    Cuts that fall together are told once; inf fills the row.
    """
    n_cuts = cuts.shape[1]
    for j in range(values.shape[0]):
        used = 0
        for k in range(n_cuts):
            cuts[j, k] = math.inf
            cut = border_near(values[j], n_known[j], (k + 1) * n_known[j] / (n_cuts + 1))
            if used == 0 or cut > cuts[j, used - 1]:
                cuts[j, used] = cut
                used += 1


@jit
def start_mixture(values, n, found):
    """Two Gaussians of one spread, from the split of sorted float64[n] with the least squares.

    `found` is float64[6]: share, mean and variance of the lower and the upper; says whether there
    are two.
    """
    total = 0.0
    for i in range(n):
        total += values[i]
    best, size, lower = -1.0, 0, 0.0
    below = 0.0
    for i in range(1, n):
        below += values[i - 1]
        if values[i] > values[i - 1]:
            above = total - below
            between = below * below / i + above * above / (n - i)
            if between > best:
                best, size, lower = between, i, below
    if size == 0:
        return False
    low, high = lower / size, (total - lower) / (n - size)
    spread = 0.0
    for i in range(n):
        centre = low if i < size else high
        spread += (values[i] - centre) ** 2
    found[0], found[1], found[2] = size / n, low, spread / n
    found[3], found[4], found[5] = 1.0 - size / n, high, spread / n
    return True


@jit
def log_odds(value, found):
    """Log of how much likelier the upper of two Gaussians is than the lower."""
    lower = math.log(found[0]) - 0.5 * math.log(found[2])
    lower -= 0.5 * (value - found[1]) ** 2 / found[2]
    upper = math.log(found[3]) - 0.5 * math.log(found[5])
    upper -= 0.5 * (value - found[4]) ** 2 / found[5]
    return upper - lower


@jit
def fit_mixture(values, n, max_iter, tol, found):
    """Fit two Gaussians to float64[n] of variance 1 by EM; says whether both kept a width.

    `found` as in `start_mixture`. Ends when no mean and no share moves by more than `tol`.
    """
    if not start_mixture(values, n, found):
        return False
    for _ in range(max_iter):
        if found[2] < COLLAPSED or found[5] < COLLAPSED:
            return False
        base = math.log(found[3] / found[0]) + 0.5 * math.log(found[2] / found[5])
        weight = first = second = 0.0  # of the upper
        first_of_both = second_of_both = 0.0
        for i in range(n):
            value = values[i]
            odds = base + 0.5 * (value - found[1]) ** 2 / found[2]
            odds -= 0.5 * (value - found[4]) ** 2 / found[5]
            share = 0.0
            if odds > FAR:
                share = 1.0
            elif odds > -FAR:
                share = 1.0 / (1.0 + math.exp(-odds))
            weight += share
            first += share * value
            second += share * value * value
            first_of_both += value
            second_of_both += value * value
        rest = n - weight
        if weight < 1e-9 * n or rest < 1e-9 * n:
            return False
        low, high = (first_of_both - first) / rest, first / weight
        moved = max(abs(low - found[1]), abs(high - found[4]), abs(weight / n - found[3]))
        found[0], found[1] = rest / n, low
        found[2] = (second_of_both - second) / rest - low * low
        found[3], found[4] = weight / n, high
        found[5] = second / weight - high * high
        if moved < tol:
            break
    return found[2] >= COLLAPSED and found[5] >= COLLAPSED


@jit
def equal_posterior(found):
    """Point between the two means where both Gaussians are as likely, inf where there is none."""
    low, high = found[1], found[4]
    if not low < high or log_odds(low, found) >= 0.0 or log_odds(high, found) <= 0.0:
        return math.inf
    for _ in range(60):  # halved below the last bit
        middle = 0.5 * (low + high)
        if log_odds(middle, found) < 0.0:
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)


@jit
def mixture_cuts(values, n_known, max_iter, tol, scaled, found, cuts):
    """One cut for each column of sorted float64[p, n]; says how many fell back to the middle.

    `scaled` float64[n] and `found` float64[6] are room to work in; cuts is float64[p, 1].
    """
    n_fallen = 0
    for j in range(values.shape[0]):
        n = n_known[j]
        mean = spread = 0.0
        for i in range(n):
            mean += values[j, i] / n
        for i in range(n):
            spread += (values[j, i] - mean) ** 2 / n
        cut = math.inf
        if 0.0 < spread < math.inf:
            scale = math.sqrt(spread)
            for i in range(n):
                scaled[i] = (values[j, i] - mean) / scale
            if fit_mixture(scaled, n, max_iter, tol, found):
                cut = mean + scale * equal_posterior(found)
        if n > 0 and not values[j, 0] <= cut < values[j, n - 1]:
            cut = border_near(values[j], n, 0.5 * n)
            n_fallen += 1
        cuts[j, 0] = cut
    return n_fallen
