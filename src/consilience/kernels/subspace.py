"""Random subsets of the features: the first steps of a shuffle, undone after each."""

from ._numba import jit


@jit
def draw_subsets(uniform, order, subsets):
    """Turn uniform numbers in [0, 1), float64[n, m], into n subsets, int32[n, m], none twice.

    `order` is int32[n_features], the numbers from 0 on, and is so again at the end.
    """
    n_features = order.size
    size = uniform.shape[1]
    for member in range(uniform.shape[0]):
        for t in range(size):
            other = t + int(uniform[member, t] * (n_features - t))
            subsets[member, t] = order[other]
            order[other] = order[t]
            order[t] = subsets[member, t]
        # Undone by writing back: places were touched at most at t and where a drawn number was.
        for t in range(size):
            order[subsets[member, t]] = subsets[member, t]
        for t in range(size):
            order[t] = t
