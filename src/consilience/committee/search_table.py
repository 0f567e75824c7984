"""The rows and columns of a search: which features may be used, which rows judge subsets."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ..data.rows import take_rows
from ..sampling.content_keys import column_order, content_keys
from ..sampling.held_out import held_out_folds
from .answer import take_columns
from .search_options import count_candidates


@dataclass(frozen=True)
class SearchTable:
    """Data of a committee whose members are searched for.

    Columns are in the order of their content, in which the search sees them: permuted columns
    give the same committee. Rows are dealt by their content, too.

    Attributes
    ----------
    X : ndarray, sparse matrix or BitMatrix of shape (n_samples, n_columns)
        The columns that the search may use.
    y : int64 array of shape (n_samples,)
        Class of each row as an index into the classes.
    n_classes : int
        Number of classes.
    nominal : bool array of shape (n_columns,)
        Which columns hold codes of categories.
    features : int array of shape (n_columns,)
        What each column is a feature of, in the data as they came.
    row_keys : uint64 array of shape (n_samples,)
        Content of each row as a number.
    """

    X: object
    y: np.ndarray
    n_classes: int
    nominal: np.ndarray
    features: np.ndarray
    row_keys: np.ndarray

    @classmethod
    def of(cls, X, y, n_classes: int, nominal) -> "SearchTable":
        """All columns of a checked table, in the order of their content."""
        keys = content_keys(X, y)
        order = column_order(X, keys.columns)
        return cls(take_columns(X, order), y, n_classes, nominal[order], order, keys.rows)

    def hold_out(self, share: float, seed, rows=None) -> tuple[np.ndarray, np.ndarray]:
        """Split rows into those to keep and those to hold out, by class as far as that goes.

        Parameters
        ----------
        share : float
            Share of the rows that are held out.
        seed : numpy.random.SeedSequence
            Of the draw.
        rows : int array, default=None
            Which rows to split; None is all.

        Returns
        -------
        kept, held : int arrays
            Ascending.
        """
        rows = np.arange(self.y.size) if rows is None else rows
        codes = np.unique(self.y[rows], return_inverse=True)[1]
        folds = held_out_folds(
            codes,
            "holdout",
            validation_fraction=share,
            keys=self.row_keys[rows],
            rng=np.random.default_rng(seed),
        )
        return rows[folds < 0], rows[folds >= 0]

    def folds(self, n_folds: int, seed, rows) -> np.ndarray:
        """Fold of each of some rows; -1 for the single row of a class."""
        codes = np.unique(self.y[rows], return_inverse=True)[1]
        if np.bincount(codes).max() < 2:
            return np.full(rows.size, -1)
        rng = np.random.default_rng(seed)
        return held_out_folds(codes, "oof", n_folds=n_folds, keys=self.row_keys[rows], rng=rng)

    def with_candidates(self, n_candidates, fit_rows) -> "SearchTable":
        """The same with the columns that tell most of the classes in the rows to learn from."""
        size = count_candidates(n_candidates, self.features.size)
        if size == self.features.size:
            return self
        from ..selectors.information_gain import InformationGain

        gain = InformationGain(size, categorical_features=self.nominal, random_state=0)
        scores = gain.fit(take_rows(self.X, fit_rows), self.y[fit_rows]).scores_
        # The order of the columns is that of their content: so is which of equal ones is taken.
        best = np.sort(np.argsort(-scores, kind="stable")[:size])
        return replace(
            self,
            X=take_columns(self.X, best),
            nominal=self.nominal[best],
            features=self.features[best],
        )


@dataclass(frozen=True)
class SearchProblem:
    """Which rows members are fitted on and judged by.

    Attributes
    ----------
    table : SearchTable
        The data.
    fit_rows, validation_rows : int arrays
        Rows to learn from, and to judge by.
    maker : callable
        Gives the predictor, which is built when it is first asked for.
    """

    table: SearchTable
    fit_rows: np.ndarray
    validation_rows: np.ndarray
    maker: object

    @property
    def n_features(self) -> int:
        """Number of columns that may be used."""
        return self.table.features.size

    @property
    def y(self) -> np.ndarray:
        """Classes of the rows that judge."""
        return self.table.y[self.validation_rows]

    @cached_property
    def predictor(self):
        """Classes of the validation rows by classifiers on feature subsets."""
        return self.maker(self.table, self.fit_rows, self.validation_rows)
