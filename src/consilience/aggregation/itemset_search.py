"""Questions to the miner: the best itemsets of the best features, the next best, or all."""

import numpy as np

from .itemset_table import ItemsetTable

# Words of 64 models that one question may count until it is stopped: 0.1 s, with rare items 1.5 s.
# The best area is as hard to find as the largest biclique of a graph, so that there must be an end.
MAX_WORK = 3 * 10**8


class ItemsetSearch:
    """A miner for one table, one order and one least length.

    An answer is a pair of arrays: what the sets hold, bool[n_sets, n_features_of_table], and their
    supports, int[n_sets], in the order asked for.

    Parameters
    ----------
    table : ItemsetTable
        The transactions.
    order : str
        "area", "support", "min_len", "leverage" or "tiling".
    floor : int
        Least support.
    min_len : int
        Least number of features of a set, the core not counted.
    max_work : int
        When to stop, in words of counting.
    """

    def __init__(self, table: ItemsetTable, order, floor, min_len, max_work=MAX_WORK):
        from ..kernels.itemsets_node import AREA, LEVERAGE, SUPPORT

        kinds = {"leverage": LEVERAGE, "support": SUPPORT, "min_len": SUPPORT}
        self.table, self.order, self.floor = table, order, int(floor)
        self.kind = kinds.get(order, AREA)
        self.min_len = float(min_len)
        self.weights, self.heaviest = table.sizes, float(table.longest)
        self.ties = table.counts * table.sizes
        if order == "leverage":  # the log of how seldom independent features would be together
            self.weights = -np.log(table.counts / table.n_models) * table.sizes
            self.heaviest = float(self.weights.sum())
        self.max_work = max_work
        self.work = 0  # words counted so far, by all questions
        self.stopped = False  # whether the bound on the work was reached: others may be better

    def best_of_each(self, wanted: int):
        """Best itemsets of the best features, until these are `wanted` in number.

        Each itemset brings a new feature. Those that bring none are never looked for: the panel is
        the ranking of features by their best itemset (fact E6 of the specification).
        """
        holds, supports, _ = self._of_each(wanted)
        union, n_sets = np.zeros(self.table.features.size, dtype=bool), 0
        while n_sets < supports.size and np.count_nonzero(union) < wanted:
            union |= holds[n_sets]
            n_sets += 1
        return holds[:n_sets], supports[:n_sets]

    def _of_each(self, wanted):
        """The best itemsets of the best features in order, with their scores."""
        slots = np.arange(self.table.n_items)
        best, second, supports, sets = self._best(wanted, slots, self.table.sizes, np.inf)
        # Enough items to hold what is wanted, and all that tie with the last of them.
        ranked = np.argsort(-best, kind="stable")[: np.count_nonzero(best > 0)]
        enough = np.searchsorted(np.cumsum(self.table.sizes[ranked]), wanted)
        if enough < ranked.size:
            ranked = ranked[best[ranked] >= best[ranked[enough]]]
        # Many items share their best set.
        ranked = np.array([*{sets[i].tobytes(): i for i in ranked}.values()], dtype=np.intp)
        holds = self.table.holds(sets[ranked])
        order = _sorted(best[ranked], second[ranked], holds)
        return holds[order], supports[ranked][order], best[ranked][order]

    def next_best(self, union: np.ndarray, cap: float = np.inf):
        """The best itemset that brings at least one and at most `cap` features beyond `union`."""
        n_items = self.table.n_items
        fresh = np.bincount(self.table.item_of[~union], minlength=n_items).astype(np.float64)
        best, _, supports, sets = self._best(1, np.where(fresh > 0, 0, -1), fresh, cap)
        n_sets = np.count_nonzero(best > 0)  # one at most: they shared a place
        return self.table.holds(sets[:n_sets]), supports[:n_sets]

    def tiles(self):
        """Yield sets one by one, each by what it covers beyond those before it."""
        union = np.zeros(self.table.features.size, dtype=bool)
        while True:
            holds, supports = self.next_best(union)
            if not supports.size:
                return
            yield holds[0], supports[0]
            union |= holds[0]

    def descending(self, max_itemsets: int):
        """Yield sets one by one in order."""
        above = np.inf
        for least, (holds, supports, keys) in self._levels(max_itemsets):
            for place in np.flatnonzero(keys < above):
                yield holds[place], supports[place]
            above = least

    def top(self, n_sets: int, max_itemsets: int):
        """The first sets in order, and those that only the dictionary puts behind the last."""
        found = np.zeros((0, self.table.features.size), dtype=bool), *np.zeros((2, 0), dtype=int)
        for _, found in self._levels(max_itemsets):
            if found[2].size >= n_sets:
                break
        return self.cut(*found, n_sets)

    def cut(self, holds, supports, keys, n_sets):
        """Leave the first sets, and those that only the dictionary puts behind the last."""
        if keys.size > n_sets:
            second = self._second(holds, supports)
            equal = (keys == keys[n_sets - 1]) & (second == second[n_sets - 1])
            n_sets = 1 + np.flatnonzero(equal)[-1]
        return holds[:n_sets], supports[:n_sets]

    def _levels(self, max_itemsets):
        """Yield a score and all sets above it, then a lower one and all above that, and so on.

        Mining anew costs less than keeping the fringe of the search, and what is never asked for
        is never mined.
        """
        one_place = np.zeros(self.table.n_items, dtype=np.int64)
        top = self._best(1, one_place, self.table.sizes, np.inf)[0][:1].max(initial=0.0)
        least, n_seen, factor = top, 0, 0.95
        while top > 0.0:
            found = self.all_above(least, max_itemsets)
            if found is None or self.stopped:
                self.stopped = True
                if n_seen == 0:  # not all, but good ones
                    yield 0.0, self._of_each(self.table.features.size)
                return
            yield least, found
            if least <= 0.0:
                return
            if found[2].size < 2 * n_seen:  # too small a step to be worth a search of its own
                factor **= 2
            n_seen = found[2].size
            least = least * factor if least > 1e-3 * top else 0.0

    def _best(self, wanted, slots, fresh, cap):
        n_items = self.table.n_items
        best, second = np.zeros(n_items), np.zeros(n_items)
        supports = np.zeros(n_items, dtype=np.int64)
        sets = np.zeros((n_items, self.table.by_row.shape[1]), dtype=np.uint64)
        weights = fresh if self.order == "tiling" else self.weights
        incumbents = slots, best, second, supports, sets
        self._mine(wanted, 0.0, cap, weights, fresh, incumbents, _room(0, sets.shape[1]))
        return best, second, supports, sets

    def all_above(self, least: float, room: int):
        """Every itemset with a score of at least `least`, and the scores; None if over `room`."""
        return self._collect(least, room, maximal=False)

    def all_maximal(self, room: int):
        """Every itemset that no other frequent one contains; None if over `room` closed sets.

        A set with a low score makes those below it not maximal, so that none is left out by it.
        """
        return self._collect(-np.inf, room, maximal=True)

    def _collect(self, least, room, maximal):
        n_words = self.table.by_row.shape[1]
        found = sets, supports, keys, n_found = _room(room, n_words)
        nobody, nothing = np.zeros(0, dtype=np.int64), np.zeros(0)
        incumbents = nobody, nothing, nothing, nobody, np.zeros((0, n_words), np.uint64)
        self._mine(0, least, np.inf, self.weights, self.table.sizes, incumbents, found, maximal)
        if n_found.max() > room:
            return None
        keys, supports = keys[: n_found[0]], supports[: n_found[0]]
        holds = self.table.holds(sets[: n_found[0]])
        order = _sorted(keys, self._second(holds, supports), holds)
        return holds[order], supports[order], keys[order]

    def _mine(self, wanted, least, cap, weights, fresh, incumbents, found, maximal=False):
        from ..kernels.itemsets import make_queue, make_stack, mine

        table = self.table
        if not table.n_items:
            return
        together = bool(incumbents[0].max(initial=0) == 0)
        rules = (
            self.kind, table.n_models, self.min_len, self.floor, self.min_len, float(cap),
            int(maximal),
        )  # fmt: skip
        reachable = np.full(table.n_items, np.inf)
        items = table.bits, table.by_row, weights, table.sizes, self.ties, fresh, reachable
        budget = np.array([self.max_work])
        depth = table.longest + 2
        stack = make_stack(table.n_items, table.bits.shape[1], table.features.size, depth)
        mine(
            float(wanted), together, self.heaviest, float(least), rules, items, table.counts,
            incumbents, found, stack, make_queue(table.n_items), budget,
        )  # fmt: skip
        self.work += self.max_work - int(budget[0])
        self.stopped |= bool(budget[0] < 0)

    def _second(self, holds, supports):
        """What decides between equal scores, as the kernel has it."""
        from ..kernels.itemsets_node import AREA, SUPPORT

        sizes = holds.sum(axis=1)
        if self.kind == AREA:
            return sizes * 2.0**32 + holds @ self.table.counts[self.table.item_of]
        return np.zeros(sizes.size) if self.kind == SUPPORT else supports * 2.0**20 + sizes


def _room(size, n_words):
    """Arrays for so many sets to be collected."""
    return (
        np.zeros((size, n_words), np.uint64), np.zeros(size, np.int64), np.zeros(size),
        np.zeros(2, np.int64),
    )  # fmt: skip


def _sorted(keys, second, holds):
    """Order of sets: falling keys, then the dictionary of their features."""
    if not keys.size:
        return np.zeros(0, dtype=np.intp)
    words = np.ascontiguousarray(255 - np.packbits(holds, axis=1))
    words = np.argsort(words.view(np.dtype((np.void, words.shape[1]))).ravel(), kind="stable")
    order = np.lexsort([-second[words], -keys[words]])  # leaves ties as they are
    return words[order]
