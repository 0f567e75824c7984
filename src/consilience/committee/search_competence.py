"""The learning phase of dynamic integration, for members that were searched for.

Every row is predicted by members that were fitted without its fold. That is ten fits of each
member, so it happens only if a dynamic rule is asked for.
"""

from dataclasses import dataclass, field

import numpy as np

from ..data.rows import take_rows
from .local_competence import LocalCompetence
from .search_members import cross_answers
from .search_table import SearchTable

N_FOLDS = 10
USUAL = 15  # neighbours, where their number is nothing to anybody


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
    _said: list = field(default_factory=list, repr=False, compare=False)

    def learn(self, committee, n_neighbors: int, n_jobs=None) -> LocalCompetence:
        """Ask the members of rows that they were not fitted to.

        Parameters
        ----------
        committee : BaseSearchCommittee
            Whose classifier is fitted.
        n_neighbors : int
            Neighbours that count where nobody says how many.
        n_jobs : int, default=None
            Tasks at the same time.

        Returns
        -------
        LocalCompetence
            What was learned.
        """
        predicted = self._crossed(committee, n_jobs)
        X, y = self._all_or_some(self.rows), self.table.y[self.rows]
        return LocalCompetence.of(
            X, predicted, y, nominal=self.table.nominal, n_neighbors=n_neighbors
        )

    def judge_sizes(self, committee, learned: LocalCompetence, rule: str, n_jobs=None) -> dict:
        """Accuracy of a dynamic rule for each number of neighbours, each row by the others.

        Parameters
        ----------
        committee, n_jobs
            As in `learn`.
        learned : LocalCompetence
            From `learn`.
        rule : str
            The rule that members are joined by.

        Returns
        -------
        dict of arrays
            `n_neighbors` and `accuracy`.
        """
        predicted, y = self._crossed(committee, n_jobs), self.table.y[self.rows]
        judged = (predicted >= 0).all(axis=0)
        priors = np.bincount(y, minlength=self.table.n_classes) / y.size
        sizes, accuracies = learned.accuracies_by_size(
            rule,
            self._all_or_some(self.rows[judged]),
            predicted[:, judged],
            y[judged],
            priors,
            n_jobs,
        )
        return {"n_neighbors": sizes, "accuracy": accuracies}

    def _crossed(self, committee, n_jobs):
        """What members say of rows that they were not fitted to; asked once."""
        if not self._said:
            words = np.random.SeedSequence(self.seed.entropy, spawn_key=self.seed.spawn_key)
            crossed, dealt = words.spawn(2)
            folds = self.table.folds(N_FOLDS, dealt, self.rows)
            self._said.append(
                cross_answers(
                    committee, self.columns, self.rows, folds, self.masks, crossed, n_jobs
                )
            )
        return self._said[0]

    def _all_or_some(self, rows):
        return self.table.X if rows.size == self.table.y.size else take_rows(self.table.X, rows)


def best_size(tried: dict) -> int:
    """Number of neighbours with the largest accuracy; of equal ones the steadiest, the most.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.committee.search_competence import best_size
    >>> best_size({"n_neighbors": np.array([1, 3, 7]), "accuracy": np.array([0.8, 0.9, 0.9])})
    7
    """
    best = np.flatnonzero(tried["accuracy"] == tried["accuracy"].max())[-1]
    return int(tried["n_neighbors"][best])
