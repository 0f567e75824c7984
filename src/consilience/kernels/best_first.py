"""One step of CFS's best-first search: all subsets with one column more."""

import numpy as np

from ._numba import jit


@jit
def weigh_additions(
    told, spread, relevance, to_others, to_last, members, best_merit, gain, to_members, merits, top
):
    """Merit of adding each column to a subset; returns the best column or -1, and how many in top.

    `told` is the sum of relevance of the subset and `spread` what stands under its root;
    to_others float64[n_columns] are the redundancies of each column with all `members` but the
    last, to_last float32[n_columns] those with the last; their sum goes to to_members, the merits
    to merits, -inf for members. The best column beats `best_merit`, and any better one before it,
    by more than `gain`. `top` gets the columns of highest merit, of equals the first.
    """
    for j in range(relevance.size):
        to_members[j] = to_others[j] + to_last[j]
        merits[j] = (told + relevance[j]) / np.sqrt(spread + 1.0 + 2.0 * to_members[j])
    for m in range(members.size):
        merits[members[m]] = -np.inf
    best = -1
    n_top = 0
    for j in range(relevance.size):
        merit = merits[j]
        if merit - best_merit > gain:
            best_merit = merit
            best = j
        if n_top == top.size:
            if merit <= merits[top[n_top - 1]]:
                continue
            n_top -= 1
        elif merit == -np.inf:
            continue
        place = n_top
        while place > 0 and merits[top[place - 1]] < merit:
            top[place] = top[place - 1]
            place -= 1
        top[place] = j
        n_top += 1
    return best, n_top
