"""Sums of squares between and within classes, for the F statistic and the correlation."""

from ._numba import jit


@jit
def class_squares(block, y, weights, totals, sums, centre, between, within, varies):
    """Sums of squares of the columns of float64[n, b] around and within their class means.

    y int64[n], weights float64[n] > 0, totals float64[c] the weight of each class, sums
    float64[c, b] room to work. centre becomes the mean relative to the first row, which keeps the
    digits of a small spread far from 0; between + within is the sum of squares around the mean.
    """
    n_samples, n_columns = block.shape
    n_classes = totals.size
    origin = block[0]
    total = 0.0
    for c in range(n_classes):
        total += totals[c]
        own = sums[c]
        for j in range(n_columns):
            own[j] = 0.0
    for j in range(n_columns):
        centre[j] = 0.0
        between[j] = 0.0
        within[j] = 0.0
        varies[j] = False
    for i in range(n_samples):
        row = block[i]
        own = sums[y[i]]
        weight = weights[i]
        for j in range(n_columns):
            own[j] += weight * (row[j] - origin[j])
            varies[j] |= row[j] != origin[j]
    for c in range(n_classes):
        own = sums[c]
        if totals[c] > 0.0:
            for j in range(n_columns):
                centre[j] += own[j]
                own[j] /= totals[c]
    for j in range(n_columns):
        centre[j] /= total
    for c in range(n_classes):
        own = sums[c]
        for j in range(n_columns):
            away = own[j] - centre[j]
            between[j] += totals[c] * away * away
    for i in range(n_samples):
        row = block[i]
        own = sums[y[i]]
        weight = weights[i]
        for j in range(n_columns):
            away = row[j] - origin[j] - own[j]
            within[j] += weight * away * away


@jit
def class_squares_listed(indptr, rows, values, y, weights, totals, sizes, means, stored, n_stored,
                         centre, between, within, varies):  # fmt: skip
    """The same for sparse columns; rows of weight 0 count nowhere.

    sizes int64[c] says how many rows of each class count; means, stored float64[c] and n_stored
    int64[c] are room to work. centre is the mean itself here: zeros are what most rows hold.
    """
    n_classes = totals.size
    total = 0.0
    for c in range(n_classes):
        total += totals[c]
    for j in range(indptr.size - 1):
        for c in range(n_classes):
            means[c] = 0.0
            stored[c] = 0.0
            n_stored[c] = 0
        some, any_stored, any_zero, varies_here = 0.0, False, False, False
        for e in range(indptr[j], indptr[j + 1]):
            weight = weights[rows[e]]
            if weight > 0.0:
                if not any_stored:
                    some = values[e]
                any_stored = True
                varies_here |= values[e] != some
                c = y[rows[e]]
                means[c] += weight * values[e]
                stored[c] += weight
                n_stored[c] += 1
        mean = 0.0
        for c in range(n_classes):
            mean += means[c]
            if totals[c] > 0.0:
                means[c] /= totals[c]
        mean /= total
        centre[j] = mean
        around, inside = 0.0, 0.0
        for c in range(n_classes):
            away = means[c] - mean
            around += totals[c] * away * away
            if n_stored[c] < sizes[c]:  # counted, because a sum of weights leaves a rest
                any_zero = True
                inside += max(totals[c] - stored[c], 0.0) * means[c] * means[c]
        varies[j] = varies_here or (any_stored and any_zero)
        for e in range(indptr[j], indptr[j + 1]):
            away = values[e] - means[y[rows[e]]]
            inside += weights[rows[e]] * away * away
        between[j] = around
        within[j] = inside


@jit
def add_redundancies(products, scale, floor, out):
    """Sum of max(|r|, floor) over products float64[n_selected, b], r = product / scale[b]."""
    n_selected, n_columns = products.shape
    for j in range(n_columns):
        out[j] = 0.0
    for k in range(n_selected):
        row = products[k]
        for j in range(n_columns):
            out[j] += max(abs(row[j]) / scale[j], floor)
