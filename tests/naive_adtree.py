"""Slow twin of the alternating tree: nested dictionaries, all tests of all places in each round.

A node is {"value": its vote, "tests": [...]}, a test {"order", "feature", "below" or "equals",
"yes": node, "no": node}; WEKA's answers are kept in the same form.
"""

import itertools
import math

TIE = 1e-10


def grow(
    X, y, n_rounds=10, nominal=(), weights=None, tolerance=1e-6, choose=lambda tied, root: tied[0]
):
    """The tree of the formulas; `choose` decides between tests whose Z tie."""
    weight = [1.0] * len(y) if weights is None else [float(w) for w in weights]
    everyone = list(range(len(y)))

    def total(rows, label):
        return math.fsum(weight[i] for i in rows if y[i] == label)

    def vote(node, rows):
        value = 0.5 * math.log((total(rows, 1) + 1) / (total(rows, 0) + 1))
        node["value"] += value
        for i in rows:
            weight[i] *= math.exp(-value if y[i] == 1 else value)

    def roots(rows):
        return math.sqrt((total(rows, 1) + 1) * (total(rows, 0) + 1))

    def judged(node, rows):
        """All tests at a place in their order, with their Z."""
        if len({y[i] for i in rows}) < 2:
            return
        for feature, name, cut in questions(X, nominal, tolerance, rows):
            yes, no = sides(X, rows, feature, name, cut)
            outside = math.fsum(weight[i] for i in set(everyone) - set(yes) - set(no))
            yield 2 * (roots(yes) + roots(no)) + outside, node, rows, feature, name, cut

    root = {"value": 0.0, "tests": []}
    vote(root, everyone)
    n_tests = 0
    for _ in range(n_rounds):
        found = [one for place in places(X, root, everyone) for one in judged(*place)]
        if not found:
            break
        least = min(z for z, *_ in found)
        tied = [rest for z, *rest in found if z <= least * (1 + TIE)]
        node, rows, feature, name, cut = choose(tied, root)
        test = known(node, feature, name, cut)
        if test is None:
            n_tests += 1
            test = {"order": n_tests, "feature": feature, name: cut}
            test |= {answer: {"value": 0.0, "tests": []} for answer in ("yes", "no")}
            node["tests"].append(test)
        for answer, own in zip(("yes", "no"), sides(X, rows, feature, name, cut), strict=True):
            vote(test[answer], own)
    return root


def known(node, feature, name, cut):
    """The same test at the same place, if it is there already."""
    for test in node["tests"]:
        if test["feature"] == feature and test.get(name) == cut:
            return test
    return None


def sides(X, rows, feature, name, cut):
    """Rows that pass a test, and rows that fail it; missing values do neither."""
    have = [i for i in rows if not math.isnan(X[i][feature])]
    passed = [i for i in have if (X[i][feature] < cut if name == "below" else X[i][feature] == cut)]
    return passed, [i for i in have if i not in passed]


def places(X, node, rows):
    """Every node of the tree with its rows, depth first."""
    yield node, rows
    for test in node["tests"]:
        name = "below" if "below" in test else "equals"
        both = sides(X, rows, test["feature"], name, test[name])
        for answer, own in zip(("yes", "no"), both, strict=True):
            yield from places(X, test[answer], own)


def questions(X, nominal, tolerance, rows):
    """What can be asked of some rows: nominal columns first, then thresholds, ascending."""
    n_features = len(X[0])
    for feature in range(n_features):
        if feature in nominal:
            values = sorted({row[feature] for row in X if not math.isnan(row[feature])})
            for value in values[:1] if len(values) == 2 else values:
                yield feature, "equals", value
    for feature in range(n_features):
        if feature not in nominal:
            values = sorted(X[i][feature] for i in rows if not math.isnan(X[i][feature]))
            for low, high in itertools.pairwise(values):
                if high - low > tolerance:
                    yield feature, "below", (low + high) / 2


def add_up(X, root):
    """Sum of the votes that each row meets."""
    return [math.fsum(node["value"] for node, own in places(X, root, [i]) if own)
            for i in range(len(X))]  # fmt: skip


def nested(rules):
    """The rules of an `ADTree` in the form of this file."""

    def node(number):
        below = [t for t in range(1, len(rules.parent)) if rules.parent[t] == number]
        tests = [
            {"order": t, "feature": int(rules.feature[t]),
             "equals" if rules.nominal[t] else "below": float(rules.cut[t]),
             "yes": node(2 * t), "no": node(2 * t + 1)}
            for t in below
        ]  # fmt: skip
        return {"value": float(rules.votes[number // 2, number % 2]), "tests": tests}

    return node(0)


def assert_same_tree(ours, theirs, rtol=1e-9):
    """Both trees ask the same at the same places, in the same order, and vote alike."""
    assert math.isclose(ours["value"], theirs["value"], rel_tol=rtol, abs_tol=1e-10)
    assert [asked(test) for test in ours["tests"]] == [asked(test) for test in theirs["tests"]]
    for one, other in zip(ours["tests"], theirs["tests"], strict=True):
        assert_same_tree(one["yes"], other["yes"], rtol)
        assert_same_tree(one["no"], other["no"], rtol)


def asked(test):
    return tuple(sorted((name, test[name]) for name in test if name not in ("yes", "no")))
