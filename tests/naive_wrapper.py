"""Slow twins of the imbalance wrapper, written from its formulas: trees, samples, areas, fitness.

They are given the same random numbers as the kernels, drawn here with Python's whole numbers.
"""

import itertools
import math

from naive_search import GAMMA, MASK, Stream, scatter

TIE = 1e-9


def entropy(counts, weights=(1.0, 1.0)):
    """Entropy of two classes in bits."""
    masses = [n * w for n, w in zip(counts, weights, strict=True)]
    total = sum(masses)
    return -sum(m / total * math.log2(m / total) for m in masses if m > 0) if total else 0.0


def gini(counts, weights=(1.0, 1.0)):
    masses = [n * w for n, w in zip(counts, weights, strict=True)]
    return 1 - sum((m / sum(masses)) ** 2 for m in masses) if sum(masses) else 0.0


def mass(counts, weights):
    return counts[0] * weights[0] + counts[1] * weights[1]


def count(rows, y, copies):
    """Copies of negative and positive rows."""
    return [sum(copies[i] for i in rows if y[i] == c) for c in (0, 1)]


class Tree:
    """A tree on columns X[q][i] of rows with classes y[i] and numbers of copies."""

    def __init__(self, X, y, copies=None, *, nominal=None, criterion="entropy", min_leaf=2,
                 min_split=2, max_depth=None, weights=(1.0, 1.0), laplace=False):  # fmt: skip
        self.X, self.y = X, y
        self.copies = [1] * len(y) if copies is None else copies
        self.nominal = [False] * len(X) if nominal is None else nominal
        self.criterion, self.min_leaf, self.min_split = criterion, min_leaf, min_split
        self.max_depth, self.weights, self.laplace = max_depth, weights, laplace
        self.root = self.grow(list(range(len(y))), 0)

    def impurity(self, rows):
        counts = count(rows, self.y, self.copies)
        measure = gini if self.criterion == "gini" else entropy
        return measure(counts, self.weights) * mass(counts, self.weights)

    def splits(self, q, rows):
        """All ways to part rows by one column: threshold, first rows, other rows."""
        values = sorted({self.X[q][i] for i in rows})
        if self.nominal[q]:
            for value in values if len(values) > 1 else ():
                first = [i for i in rows if self.X[q][i] == value]
                yield value, first, [i for i in rows if self.X[q][i] != value]
            return
        for low, high in itertools.pairwise(values):
            border = low / 2 + high / 2
            first = [i for i in rows if self.X[q][i] <= low]
            yield (low if border >= high else border), first, [i for i in rows if i not in first]

    def best_of_column(self, q, rows, least):
        """Gain (rows times bits), split, and number of splits with enough rows on both sides."""
        best, found, n = -math.inf, None, 0
        for border, first, others in self.splits(q, rows):
            sizes = [sum(count(side, self.y, self.copies)) for side in (first, others)]
            if min(sizes) < least:
                continue
            n += 1
            gain = self.impurity(rows) - self.impurity(first) - self.impurity(others)
            if gain > best + TIE:
                best, found = gain, (q, border, first, others)
        return best, found, n

    def choose(self, rows):
        total = sum(count(rows, self.y, self.copies))
        if self.criterion != "gain_ratio":
            best, found = -math.inf, None
            for q in range(len(self.X)):
                gain, split, _ = self.best_of_column(q, rows, self.min_leaf)
                if split is not None and gain > best + TIE:
                    best, found = gain, split
            return found
        able = []
        least = max(self.min_leaf, min(25, 0.1 * total / 2))
        for q in range(len(self.X)):
            gain, split, n = self.best_of_column(q, rows, least)
            if split is None:
                continue
            gain = (gain - (0 if self.nominal[q] else math.log2(n))) / total
            if gain > TIE:
                able.append((gain, split))
        best, found = 0.0, None
        for gain, split in able:
            if gain < sum(g for g, _ in able) / len(able) - 1e-3:
                continue
            sizes = [sum(count(side, self.y, self.copies)) for side in split[2:]]
            ratio = gain / entropy(sizes)
            if ratio > best + TIE:
                best, found = ratio, split
        return found

    def grow(self, rows, depth):
        counts = count(rows, self.y, self.copies)
        node = {"counts": counts}
        if 0 in counts or sum(counts) < max(2 * self.min_leaf, self.min_split):
            return node
        if depth == self.max_depth:
            return node
        found = self.choose(rows)
        if found is not None:
            node["feature"], node["border"], first, others = found
            node["sides"] = self.grow(first, depth + 1), self.grow(others, depth + 1)
        return node

    def share(self, values):
        """Share of the positive class in the leaf of a row."""
        node = self.root
        while "feature" in node:
            value, border = values[node["feature"]], node["border"]
            goes = value == border if self.nominal[node["feature"]] else value <= border
            node = node["sides"][0 if goes else 1]
        _, positive = node["counts"]
        whole = mass(node["counts"], self.weights)
        if self.laplace:
            return (positive * self.weights[1] + 1) / (whole + 2)
        return positive * self.weights[1] / whole

    def nodes(self):
        """Counts, column and border of the nodes, depth first."""

        def walk(node):
            yield node["counts"], node.get("feature", -1), node.get("border")
            for side in node.get("sides", ()):
                yield from walk(side)

        return list(walk(self.root))


def area(scores, positive, measure="auc"):
    """AUC by counting pairs, or average precision threshold by threshold; None without a class."""
    scores = [round(score * 2**40) for score in scores]
    pos = [s for s, p in zip(scores, positive, strict=True) if p]
    neg = [s for s, p in zip(scores, positive, strict=True) if not p]
    if not pos or not neg:
        return None
    if measure == "auc":
        return sum((a > b) + 0.5 * (a == b) for a in pos for b in neg) / (len(pos) * len(neg))
    total = 0.0
    for threshold in set(pos):
        named = sum(s >= threshold for s in scores)
        total += pos.count(threshold) * sum(s >= threshold for s in pos) / named
    return total / len(pos)


def without_replacement(size, n, stream):
    """Fisher and Yates, the first n."""
    pool = list(range(size))
    for i in range(n):
        k = i + stream.below(size - i)
        pool[i], pool[k] = pool[k], pool[i]
    return pool[:n]


def distance(X, features, nominal, deviations, i, j):
    """Squared distance of two rows, with the median deviation between categories."""
    numeric = sorted(deviations[f] for f in features if not nominal[f])
    middle = len(numeric) // 2
    apart = 1.0
    if any(numeric):
        apart = numeric[middle]
        if len(numeric) % 2 == 0:
            apart = 0.5 * (numeric[middle - 1] + numeric[middle])
    total = 0.0
    for f in features:
        step = X[f][j] - X[f][i]
        total += (apart**2 if step else 0.0) if nominal[f] else step * step
    return total


def synthetic(first, second, feature, nominal, word, per_column):
    if per_column or nominal:
        word = scatter((word + (feature + 1) * GAMMA) & MASK)
    if nominal:
        return second if word & 1 else first
    return first + (word >> 11) / 2**53 * (second - first)


class Wrapper:
    """Judges feature subsets of columns X[f][i] by ensembles on balanced samples."""

    def __init__(self, X, positive, *, nominal=None, n_members=3, sizes=None, k_neighbors=5,
                 per_column=False, full=False, measure="auc", tree=None):  # fmt: skip
        self.X, self.positive = X, positive
        self.nominal = [False] * len(X) if nominal is None else nominal
        self.n_members, self.sizes, self.k_neighbors = n_members, sizes, k_neighbors
        self.per_column, self.full, self.measure = per_column, full, measure
        self.tree = {} if tree is None else tree

    def sample(self, minority, majority, features, deviations, seed, split, member):
        """Rows of one sample as (values, class, copies)."""
        if self.sizes is None:
            rows = [(i, 1) for i in majority] + [(i, 1) for i in minority]
            return [([self.X[f][i] for f in features], self.positive[i], n) for i, n in rows]
        n_majority, n_synthetic, n_repeated = self.sizes(len(minority), len(majority))
        stream = Stream(seed, split * (self.n_members + 1))
        fates = [stream.uniform() for _ in minority]
        stream = Stream(seed, split * (self.n_members + 1) + member + 1)
        drawn = without_replacement(len(majority), n_majority, stream)
        copies = [1] * len(minority)
        for _ in range(n_repeated):
            copies[stream.below(len(minority))] += 1
        seeds = []
        while len(seeds) < n_synthetic:
            n = min(len(minority), n_synthetic - len(seeds))
            seeds += without_replacement(len(minority), n, stream)
        n_near = max(1, min(self.k_neighbors, len(minority) - 1))
        rows = [([self.X[f][majority[i]] for f in features], 0, 1) for i in drawn]
        rows += [
            ([self.X[f][i] for f in features], 1, n) for i, n in zip(minority, copies, strict=True)
        ]
        near_in = range(len(self.X)) if self.full else features
        for place in seeds:
            turn, word = stream.below(n_near), stream.word()
            others = sorted(
                (
                    distance(self.X, near_in, self.nominal, deviations, minority[place], j),
                    fates[p],
                    j,
                )
                for p, j in enumerate(minority)
                if p != place
            )
            i, j = minority[place], others[turn][2]
            rows.append((
                [
                    synthetic(self.X[f][i], self.X[f][j], f, self.nominal[f], word, self.per_column)
                    for f in features
                ],
                1,
                1,
            ))  # fmt: skip
        return rows

    def scores(self, train, test, features, seed, split):
        """Mean share of the positive class over the members, for each test row."""
        minority = [i for i in train if self.positive[i]]
        majority = [i for i in train if not self.positive[i]]
        deviations = []
        for column in self.X:
            own = [column[i] for i in minority]
            mean = sum(own) / len(own)
            deviations.append(math.sqrt(sum((v - mean) ** 2 for v in own) / len(own)))
        sums = [0.0] * len(test)
        for member in range(self.n_members):
            rows = self.sample(minority, majority, features, deviations, seed, split, member)
            columns = [[values[q] for values, _, _ in rows] for q in range(len(features))]
            tree = Tree(
                columns, [c for _, c, _ in rows], [n for _, _, n in rows],
                nominal=[self.nominal[f] for f in features], **self.tree,
            )  # fmt: skip
            for place, i in enumerate(test):
                sums[place] += tree.share([self.X[f][i] for f in features])
        return [total / self.n_members for total in sums]

    def judge(self, splits, features, seed):
        """Area of each split, None where there is none, and the pooled one."""
        folds, held = [], {}
        for k, (train, test) in enumerate(splits):
            if len({self.positive[i] for i in train}) < 2:
                folds.append(None)
                continue
            scores = self.scores(train, test, features, seed, k)
            for i, score in zip(test, scores, strict=True):
                held.setdefault(i, []).append(score)
            folds.append(area(scores, [self.positive[i] for i in test], self.measure))
        rows = sorted(held)
        means = [sum(held[i]) / len(held[i]) for i in rows]
        return folds, area(means, [self.positive[i] for i in rows], self.measure)
