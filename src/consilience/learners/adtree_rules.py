"""The rules of an alternating tree as arrays, and as text."""

from typing import NamedTuple

import numpy as np


class Rules(NamedTuple):
    """The rules of an alternating tree, in the order in which boosting found them.

    A rule is a test at some place in the tree, with a vote on either side. The first is the root,
    which holds for every row.

    Attributes
    ----------
    parent : int64 array of shape (n_rules,)
        Node below which a rule stands: node 2t is where rule t holds, 2t + 1 where it does not, so
        that 0 is the root. -1 for the root itself.
    feature : int64 array of shape (n_rules,)
        Column that is tested; -1 for the root.
    cut : float64 array of shape (n_rules,)
        A rule holds below this value or, in a nominal column, for it alone.
    nominal : bool array of shape (n_rules,)
        Whether the column is nominal.
    votes : float64 array of shape (n_rules, 2)
        What a row adds to its sum where the rule holds, and where it does not.
    """

    parent: np.ndarray
    feature: np.ndarray
    cut: np.ndarray
    nominal: np.ndarray
    votes: np.ndarray

    def lines(self, names, categories, decimals: int) -> list[str]:
        r"""The tree to read: a line for each node, further in than the node that it stands below.

        Parameters
        ----------
        names : sequence of str
            Names of the columns.
        categories : sequence of arrays or None
            Names of the values of nominal columns; None where their numbers are all there is.
        decimals : int
            Digits of the votes after the point.

        Examples
        --------
        >>> import numpy as np
        >>> from consilience.learners.adtree_rules import Rules
        >>> rules = Rules(
        ...     np.array([-1, 0, 3]), np.array([-1, 0, 1]), np.array([0.0, 2.5, 1.0]),
        ...     np.array([False, False, True]), np.array([[0.5, 0.0], [1.0, -1.0], [0.2, -0.1]]),
        ... )
        >>> print(*rules.lines(["age", "sex"], [None, ["f", "m"]], 1), sep="\n")
        +0.5
        (1) age < 2.5: +1.0
        (1) age >= 2.5: -1.0
        |   (2) sex = m: +0.2
        |   (2) sex != m: -0.1
        """
        below = {}
        for rule, node in enumerate(self.parent.tolist()):
            below.setdefault(node, []).append(rule)
        found = [f"{self.votes[0, 0]:+.{decimals}f}"]
        waiting = [(rule, side, "") for rule in reversed(below.get(0, [])) for side in (1, 0)]
        while waiting:
            rule, side, margin = waiting.pop()
            name, vote = names[self.feature[rule]], self.votes[rule, side]
            asked = f"{name} {self._sign(rule, side)} {self._value(rule, categories)}"
            found.append(f"{margin}({rule}) {asked}: {vote:+.{decimals}f}")
            waiting += [
                (later, other, margin + "|   ")
                for later in reversed(below.get(2 * rule + side, []))
                for other in (1, 0)
            ]
        return found

    def _sign(self, rule, side):
        return ("=", "!=")[side] if self.nominal[rule] else ("<", ">=")[side]

    def _value(self, rule, categories):
        own = categories[self.feature[rule]] if self.nominal[rule] else None
        return f"{self.cut[rule]:.6g}" if own is None else str(own[int(self.cut[rule])])
