"""Neighbours that the dynamic rules of a searched committee look at, chosen rule by rule."""

import numpy as np

from ..exceptions import UsageError
from ..integration.dynamic import DYNAMIC
from .answer import take_columns
from .search_competence import USUAL, Lesson, best_size
from .search_options import is_auto


class NeighboursByRule:
    """Part of `BaseSearchCommittee`: where members err, learned when a dynamic rule asks for it.

    With `n_neighbors="auto"` each rule has a number of neighbours of its own, which is the same
    whatever was asked before.
    """

    def _begin_competence(self, lesson: Lesson, tuned: int | None):
        """Keep what can be learned from; learn it if the committee's own rule is a dynamic one.

        Parameters
        ----------
        lesson : Lesson
            The members and their rows.
        tuned : int or None
            Neighbours that were chosen together with alpha, for the committee's own rule.
        """
        self._lesson, self._learned = lesson, None
        self._told_rule, self._tried, self._tuned = None, {}, self.tuning_ is not None
        self._sizes = {} if tuned is None else {self.integration: tuned}
        if not is_auto(self.n_neighbors):
            self._sizes = dict.fromkeys(DYNAMIC, int(self.n_neighbors))
        if self.integration in DYNAMIC:
            self._tell_neighbors()

    @property
    def _competence(self):
        """Where members err, learned when a dynamic rule first asks for it."""
        if self._learned is None:
            size = self._sizes.get(self.integration, USUAL)
            self._learned = self._lesson_left().learn(self, size, self.n_jobs)
        return self._learned

    def _lesson_left(self) -> Lesson:
        if self._lesson is None:
            raise UsageError(
                "A dynamic rule needs the errors of members near a row, which were not learned "
                "for that rule before the committee was pickled; fit it again with that rule."
            )
        return self._lesson

    def _size(self, rule: str) -> int:
        """Neighbours that a dynamic rule looks at: the same whatever was asked before."""
        if rule not in self._sizes:
            tried = self._lesson_left().judge_sizes(self, self._competence, rule, self.n_jobs)
            self._tried[rule], self._sizes[rule] = tried, best_size(tried)
        return self._sizes[rule]

    def _tell_neighbors(self):
        """Set what is told of the neighbours of the committee's own rule, a dynamic one."""
        self.n_neighbors_, self._told_rule = self._size(self.integration), self.integration
        _ = self._competence  # learned while there are data to learn from
        tried = self._tried.get(self.integration)
        if tried is not None and not self._tuned:
            alpha = np.nan if self.alpha_ is None else self.alpha_
            self.tuning_ = {"alpha": np.full(tried["accuracy"].size, alpha), **tried}

    def _local_errors(self, X):
        if self.integration not in DYNAMIC:
            return None
        if self._told_rule != self.integration:
            self._tell_neighbors()  # the rule is another than in fit
        return self._errors_near(X, [self.integration])[self.integration]

    def _errors_near(self, X, rules) -> dict[str, np.ndarray]:
        """Errors of the members near each row, for each dynamic rule, all from one sort."""
        if not rules:
            return {}
        sizes = [self._size(rule) for rule in rules]
        # Columns add up in the order of their content: permuted ones give the same distances.
        X = take_columns(X, self._order)
        local = self._competence.local_errors(X, sizes, n_jobs=self.n_jobs)
        return dict(zip(rules, local, strict=True))
