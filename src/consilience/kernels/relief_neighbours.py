"""The nearest rows of each class, with weights: a row of weight 2 fills two places."""

import numpy as np

from ._numba import jit

# Masses are sums of weights; what is left of them after rounding is no place to fill.
NOTHING = 1e-9


@jit
def list_present(order, starts, weights, present, bounds):
    """Rows of positive weight in the given order, and where each class begins among them."""
    size = 0
    for c in range(starts.size - 1):
        bounds[c] = size
        for k in range(starts[c], starts[c + 1]):
            if weights[order[k]] > 0.0:
                present[size] = order[k]
                size += 1
    bounds[starts.size - 1] = size
    return size


@jit
def farthest_place(row, candidates, weights, k, probe, copies, window, near, masses, met):
    """Distance of the k-th place among the candidates, or -1 where fewer than k are filled.

    The probe itself has the mass `copies`; `near` and `masses` are room for the distances, sorted,
    and the masses of the rows that may still be among the nearest. `met` receives, in order, the
    places of all candidates that may be within `window` of the k-th; their number comes second.
    """
    size = 0
    n_met = 0
    total = 0.0
    limit = np.iinfo(np.int64).max  # beyond it lie those that are of no interest any more
    for at in range(candidates.size):
        j = candidates[at]
        distance = row[j]
        if distance > limit:
            continue
        mass = copies if j == probe else weights[j]
        if mass <= 0.0:
            continue
        met[n_met] = at
        n_met += 1
        if total >= k and distance >= near[size - 1]:
            continue
        place = size
        while place > 0 and near[place - 1] > distance:
            near[place] = near[place - 1]
            masses[place] = masses[place - 1]
            place -= 1
        near[place] = distance
        masses[place] = mass
        size += 1
        total += mass
        while size > 0 and total - masses[size - 1] >= k:  # the last is beyond the k-th place
            size -= 1
            total -= masses[size]
        if total >= k:
            limit = near[size - 1] + window
    return (near[size - 1] if total >= k else -1), n_met


@jit
def share_places(distances, order, bounds, weights, k, tolerance, literal, indptr, columns, values):
    """Weights of the neighbours of each probe; rows tied at the k-th place share what is left.

    `order` holds the rows of the sample, class after class, beginning at `bounds`. Probe number a
    gets values[indptr[a]:indptr[a + 1]] for the rows numbered `columns`, both counted in `order`:
    what ReliefF adds for them, divided by the total weight. Distances within `tolerance` of the
    k-th are tied. Returns False when the room of `columns` does not suffice.
    """
    n_classes = bounds.size - 1
    n = order.size
    near = np.empty(n + 1, dtype=distances.dtype)
    masses = np.empty(n + 1)
    met = np.empty(n, dtype=np.int64)
    of_class = np.zeros(n_classes)
    total = 0.0
    for c in range(n_classes):
        for at in range(bounds[c], bounds[c + 1]):
            of_class[c] += weights[order[at]]
        total += of_class[c]
    position = 0
    own = 0
    for a in range(n):
        while a >= bounds[own + 1]:
            own += 1
        probe = order[a]
        row = distances[probe]
        indptr[a] = position
        for c in range(n_classes):
            copies = max(weights[probe] - 1.0, 0.0) if literal and c == own else 0.0
            available = of_class[c] - (weights[probe] if c == own else 0.0) + copies
            if available <= NOTHING * total:
                continue
            candidates = order[bounds[c] : bounds[c + 1]]
            last, n_met = farthest_place(
                row, candidates, weights, k, probe, copies, tolerance, near, masses, met
            )
            if position + n_met > columns.size:
                return False
            factor = -1.0 if c == own else of_class[c] / (total - of_class[own])
            factor *= weights[probe] / total / min(k, available)
            start = position
            nearer = 0.0
            tied = 0.0
            for at in met[:n_met]:
                j = candidates[at]
                distance = row[j]
                if last >= 0 and distance > last + tolerance:
                    continue
                mass = copies if j == probe else weights[j]
                columns[position] = bounds[c] + at
                values[position] = factor * mass
                position += 1
                if last < 0 or distance < last - tolerance:
                    nearer += mass
                else:
                    tied += mass
            if last < 0:
                continue
            share = max(k - nearer, 0.0) / tied
            for at in range(start, position):
                if row[order[columns[at]]] >= last - tolerance:
                    values[at] *= share
    indptr[n] = position
    return True


@jit
def fill_slots(distances, order, bounds, weights, k, literal, indptr, columns, values):
    """The same by WEKA's rule for ties, for whole weights, `order` being that of the rows.

    Copies come one after the other into k slots. A later one replaces the worst slot if it is
    strictly nearer; of several worst slots the first goes. `columns` has room for all places.
    """
    n_classes = bounds.size - 1
    n = order.size
    slots = np.empty(k, dtype=np.int64)
    total = 0.0
    for a in range(n):
        total += weights[order[a]]
    position = 0
    own = 0
    for a in range(n):
        while a >= bounds[own + 1]:
            own += 1
        probe = order[a]
        of_own = 0.0
        for at in range(bounds[own], bounds[own + 1]):
            of_own += weights[order[at]]
        indptr[a] = position
        for c in range(n_classes):
            filled = 0
            worst = 0
            of_class = 0.0
            for at in range(bounds[c], bounds[c + 1]):
                j = order[at]
                of_class += weights[j]
                n_copies = np.int64(weights[j])
                if j == probe:
                    n_copies = n_copies - 1 if literal else 0
                for _ in range(n_copies):
                    if filled < k:
                        slots[filled] = at
                        filled += 1
                    elif distances[probe, j] < distances[probe, order[slots[worst]]]:
                        slots[worst] = at
                    else:
                        break
                    if filled == k:
                        worst = 0
                        for s in range(1, k):
                            other = distances[probe, order[slots[s]]]
                            if other > distances[probe, order[slots[worst]]]:
                                worst = s
            if filled == 0:
                continue
            factor = -1.0 if c == own else of_class / (total - of_own)
            factor *= weights[probe] / total / filled
            for s in range(filled):  # insertion by number: pairs are merged in this order
                place = position
                while place > indptr[a] and columns[place - 1] > slots[s]:
                    columns[place] = columns[place - 1]
                    place -= 1
                columns[place] = slots[s]
                values[position] = factor
                position += 1
    indptr[n] = position


@jit
def list_unsure(distances, order, bounds, weights, k, window, literal, first, second):
    """Pairs whose distance is within `window` of the k-th place, beside another such pair.

    Distances may be off by half the window each way, so these decide who is a neighbour. Returns
    their number, or -1 when they do not fit into `first` and `second`.
    """
    n = order.size
    near = np.empty(n + 1, dtype=distances.dtype)
    masses = np.empty(n + 1)
    met = np.empty(n, dtype=np.int64)
    size = 0
    own = 0
    for a in range(n):
        while a >= bounds[own + 1]:
            own += 1
        probe = order[a]
        row = distances[probe]
        for c in range(bounds.size - 1):
            copies = max(weights[probe] - 1.0, 0.0) if literal and c == own else 0.0
            candidates = order[bounds[c] : bounds[c + 1]]
            last, n_met = farthest_place(
                row, candidates, weights, k, probe, copies, window, near, masses, met
            )
            if last < 0:
                continue
            if size + n_met > first.size:
                return -1
            start = size
            for at in met[:n_met]:
                j = candidates[at]
                if abs(row[j] - last) <= window:
                    first[size] = min(probe, j)
                    second[size] = max(probe, j)
                    size += 1
            if size - start < 2:
                size = start
    return size


@jit
def merge_pairs(indptr, columns, values, turned_indptr, turned_columns, turned_values,
                order, first, second, weights):  # fmt: skip
    """Join what probe a adds for row b and b for a: pairs of rows, sorted, and their number.

    The transposed table is built on the way in `turned_*`; rows of a table are sorted.
    """
    n = order.size
    for a in range(n + 1):
        turned_indptr[a] = 0
    for at in range(indptr[n]):
        turned_indptr[columns[at] + 1] += 1
    for a in range(n):
        turned_indptr[a + 1] += turned_indptr[a]
    fill = turned_indptr[:n].copy()
    for a in range(n):
        for at in range(indptr[a], indptr[a + 1]):
            b = columns[at]
            turned_columns[fill[b]] = a
            turned_values[fill[b]] = values[at]
            fill[b] += 1
    size = 0
    for a in range(n):
        i, i_stop = indptr[a], indptr[a + 1]
        j, j_stop = turned_indptr[a], turned_indptr[a + 1]
        while i < i_stop or j < j_stop:
            left = columns[i] if i < i_stop else n
            right = turned_columns[j] if j < j_stop else n
            b = min(left, right)
            weight = 0.0
            while i < i_stop and columns[i] == b:  # WEKA's slots may hold a row twice
                weight += values[i]
                i += 1
            while j < j_stop and turned_columns[j] == b:
                weight += turned_values[j] if b != a else 0.0  # a copy of the probe is one pair
                j += 1
            if b >= a:
                first[size] = order[a]
                second[size] = order[b]
                weights[size] = weight
                size += 1
    return size
