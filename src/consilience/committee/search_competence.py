"""The learning phase of dynamic integration, for members that were searched for.

Every row is predicted by members that were fitted without its fold. That is ten fits of each
member, so it happens only if a dynamic rule is asked for.
"""

from dataclasses import dataclass, replace

import numpy as np

from ..data.rows import take_rows
from ..integration.dynamic import DYNAMIC
from .local_competence import LocalCompetence
from .search_members import cross_answers
from .search_table import SearchTable

N_FOLDS = 10
USUAL = 15  # neighbours, where no rule is given that could choose them


@dataclass(frozen=True)
class Lesson:
    """All that is needed to learn where members err.

    Attributes
    ----------
    table : SearchTable
        All columns, which distances are made of.
    columns : SearchTable
        The columns that the search could use.
    rows : int array
        The rows that members learn from.
    masks : bool array of shape (n_members, n_columns)
        The features of each.
    seed : numpy.random.SeedSequence
        Of the folds, and of classifiers that draw.
    """

    table: SearchTable
    columns: SearchTable
    rows: np.ndarray
    masks: np.ndarray
    seed: np.random.SeedSequence

    def learn(self, committee, n_neighbors, n_jobs=None) -> tuple[LocalCompetence, dict | None]:
        """Ask the members of rows that they were not fitted to.

        Parameters
        ----------
        committee : BaseSearchCommittee
            Whose classifier is fitted, and whose rule is joined by.
        n_neighbors : int or "auto"
            Neighbours that count; "auto" chooses by the rule, each row judged by the others.
        n_jobs : int, default=None
            Tasks at the same time.

        Returns
        -------
        LocalCompetence
            What was learned.
        dict of arrays or None
            `n_neighbors` and `accuracy` of what "auto" tried.
        """
        words = np.random.SeedSequence(self.seed.entropy, spawn_key=self.seed.spawn_key)
        crossed, dealt = words.spawn(2)
        folds = self.table.folds(N_FOLDS, dealt, self.rows)
        predicted = cross_answers(
            committee, self.columns, self.rows, folds, self.masks, crossed, n_jobs
        )
        X, y = self._all_or_some(self.rows), self.table.y[self.rows]
        chooses = isinstance(n_neighbors, str) and committee.integration in DYNAMIC
        size = USUAL if isinstance(n_neighbors, str) else n_neighbors
        learned = LocalCompetence.of(X, predicted, y, nominal=self.table.nominal, n_neighbors=size)
        if not chooses:
            return learned, None
        judged = (predicted >= 0).all(axis=0)
        priors = np.bincount(y, minlength=self.table.n_classes) / y.size
        sizes, accuracies = learned.accuracies_by_size(
            committee.integration,
            X if judged.all() else self._all_or_some(self.rows[judged]),
            predicted[:, judged],
            y[judged],
            priors,
            n_jobs,
        )
        best = int(np.flatnonzero(accuracies == accuracies.max())[-1])  # the steadiest of equals
        tried = {"n_neighbors": sizes, "accuracy": accuracies}
        return replace(learned, n_neighbors=int(sizes[best])), tried

    def _all_or_some(self, rows):
        return self.table.X if rows.size == self.table.y.size else take_rows(self.table.X, rows)
