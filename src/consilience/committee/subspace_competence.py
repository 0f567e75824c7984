"""Held-out answers of the members on random subspaces, learned in fit or when a rule asks."""

import numpy as np

from ..data.rows import take_rows
from ..data.unchanged import check_unchanged
from ..exceptions import UsageError
from ..integration.dynamic import DYNAMIC
from ..learners.choose import as_learner
from .local_competence import LocalCompetence, check_neighborhood
from .members import as_classifier
from .search_competence import USUAL, best_size


class SubspaceCompetence:
    """Part of `RandomSubspaceClassifier`: how accurate members are, and where they err.

    With `n_neighbors="auto"` each dynamic rule has a number of neighbours of its own, which is
    the same whatever was asked before.
    """

    def _begin_competence(self, training, evaluation, asked, rows):
        """Keep what can be learned from, and learn what the committee's own rule needs.

        Parameters
        ----------
        training : Training
            The rows.
        evaluation : str or None
            Which of them are held out; None learns nothing now, and "oof" when it is asked for.
        asked, rows : numpy.random.SeedSequence
            For learners that draw, and for the folds.
        """
        self._lesson = (training, evaluation or "oof", asked, rows)
        self._held, self._learned, self._sizes = None, None, {}
        if evaluation is not None:
            self.member_accuracies_ = self._accuracies
        if self.integration in DYNAMIC:
            self.n_neighbors_, _ = self._size(self.integration), self._competence

    @property
    def _accuracies(self):
        """Accuracy of each member on held-out rows."""
        if self.member_accuracies_ is not None:
            return self.member_accuracies_
        training = self._hold_out()
        predicted, judged = self._held
        return (predicted == training.y)[:, judged].mean(axis=1)

    @property
    def _competence(self) -> LocalCompetence:
        """Where members err on held-out rows."""
        if self._learned is None:
            training = self._hold_out()
            self._learned = LocalCompetence.of(
                training.columns.X,
                self._held[0],
                training.y,
                nominal=training.nominal,
                n_neighbors=check_neighborhood(self.n_neighbors) or USUAL,
            )
        return self._learned

    def _size(self, rule: str) -> int:
        """Neighbours that a dynamic rule looks at."""
        if rule not in self._sizes:
            given = check_neighborhood(self.n_neighbors)
            self._sizes[rule] = self._best_size(rule) if given is None else given
        return self._sizes[rule]

    def _best_size(self, rule):
        training = self._hold_out()
        predicted, judged = self._held
        sizes, accuracies = self._competence.accuracies_by_size(
            rule,
            training.columns.X if judged.all() else take_rows(training.columns.X, judged),
            predicted[:, judged],
            training.y[judged],
            training.priors,
            self.n_jobs,
        )
        return best_size({"n_neighbors": sizes, "accuracy": accuracies})

    def _hold_out(self):
        """Ask the members of rows that they were not trained on, once; gives the training rows."""
        if self._lesson is None:
            raise UsageError(
                "This rule needs held-out answers of the members, which were not learned before "
                "the committee was pickled; fit it again with that rule as integration."
            )
        training, evaluation, asked, rows = self._lesson
        if training.sample_weight is not None:
            raise UsageError(
                f"Held-out accuracies of members know no sample weights, and integration is "
                f"{self.integration!r}; use integration='vote' and evaluation=None, or no weights."
            )
        if self._held is None:
            check_unchanged(training.columns.X)
            # What the members are, "mlp" included.
            learner = as_learner(as_classifier(self.estimator))
            held_out, folds = self._ask(learner, training, self.subsets_, evaluation, asked, rows)
            self._held = held_out.predicted, folds >= 0
        return training

    def _local_errors(self, X):
        if self.integration not in DYNAMIC:
            return None
        return self._errors_near(X, [self.integration])[self.integration]

    def _errors_near(self, X, rules) -> dict[str, np.ndarray]:
        """Errors of the members near each row, for each dynamic rule, all from one sort."""
        if not rules:
            return {}
        sizes = [self._size(rule) for rule in rules]
        local = self._competence.local_errors(X, sizes, n_jobs=self.n_jobs)
        return dict(zip(rules, local, strict=True))

    def __getstate__(self):
        state = super().__getstate__()
        return {**state, "_lesson": None, "_held": None} if "_lesson" in state else state
