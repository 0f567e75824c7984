"""What the selectors by a linear SVM share: parameters, problems of several classes, dealing."""

from numbers import Real

import numpy as np

from ..exceptions import DataError, UsageError
from ..heard import remark
from .base import SearchSelector
from .linear import LinearColumns, bytes_of_columns, is_tall
from .row_machine import RowMachine
from .validation import feature_names

# Steps of the solver after which it gives up, as many as libsvm takes.
MAX_ITER = 10_000_000


class SVMSelector(SearchSelector):
    """Base of the selectors that judge features by the squared weights of a linear SVM."""

    def _prepare_shared(self, X, y, nominal):
        self._check_parameters()
        data = LinearColumns.from_data(X)
        refuse_categories(self, data.columns, nominal, X.shape[0])
        return data

    def memory(self, X) -> int:
        """Bytes of the columns, one beneath the other, and of the Gram matrix and one copy of it.

        Tall data have the scaled cells in its place.
        """
        if is_tall(X.shape):
            n_cells = X.nnz if hasattr(X, "nnz") else X.shape[0] * X.shape[1]
            return bytes_of_columns(X) + 24 * n_cells
        return bytes_of_columns(X) + 3 * 8 * X.shape[0] ** 2

    def _check_parameters(self):
        for name, value, most in (("C", self.C, np.inf), ("tol", self.tol, 1.0)):
            if not isinstance(value, Real) or isinstance(value, bool) or not 0 < value < most:
                below = "" if most == np.inf else f" below {most:g}"
                raise UsageError(f"{name} is {value!r}; give a positive number{below}.")
        if self.multiclass not in ("deal", "sum"):
            raise UsageError(f"multiclass is {self.multiclass!r}; choose 'deal' or 'sum'.")
        if self.ties not in ("random", "index"):
            raise UsageError(f"ties is {self.ties!r}; choose 'random' or 'index'.")

    def _tie(self, prepared, rows, rng):
        """A number for each feature; of equal ones that with the lowest is the worst.

        Columns that are constant in the sample are the worst of all.
        """
        from ..kernels.linear import varying

        data, n_features = prepared.shared, prepared.n_features
        tie = np.arange(n_features) if self.ties == "index" else rng.permutation(n_features)
        found = np.empty(n_features, dtype=bool)
        varying(data.columns, rows, places(rows, prepared.y.size), found)
        return tie + n_features * found

    def _weights(self, prepared, weights, signs):
        """Weights of the features in each problem, float64[n_problems, n_features]."""
        data = prepared.shared
        rows = np.flatnonzero(weights)
        most = self.C * weights[rows]
        if data.gram is None:
            machine = RowMachine(data.matrix[rows], signs, most, self.tol)
            found, converged = machine.solve()
        else:
            from ..kernels.elimination import coefficients, solve_problems

            beta = np.zeros(signs.shape)
            gram = data.gram[np.ix_(rows, rows)]
            converged = solve_problems(gram, signs, most, self.tol, MAX_ITER, beta)
            spread = np.zeros((signs.shape[0], weights.size))
            spread[:, rows] = beta
            found = np.empty((signs.shape[0], prepared.n_features))
            coefficients(data.columns, data.shift, data.scale, spread, found)
        self._warn_unless(converged)
        return found

    def _judge(self, coefficients, weights):
        """What the features are ranked by, or None where the machines have no weights."""
        from ..kernels.elimination import judge

        norms = np.sqrt(np.square(coefficients).sum(axis=0))
        judged = np.zeros(norms.size)
        return judged if judge(norms, self.C * weights.sum(), judged) else None

    def _problems(self, prepared, rows):
        """Sides of the rows in each problem, one array per ranking to be made.

        Two classes are one problem. More are one against the rest each: a ranking of its own, or
        all in one ranking by the sum of their squared weights.
        """
        y = prepared.y[rows]
        present = np.unique(y)
        if present.size == 2:
            return [np.where(y == present[1], 1.0, -1.0)[None]]
        signs = np.where(y == present[:, None], 1.0, -1.0)
        return [signs] if self.multiclass == "sum" else list(signs[:, None])

    def _warn_unless(self, converged):
        if not converged:
            remark(
                f"The SVM did not reach the tolerance {self.tol:g} in {MAX_ITER:,} steps; a larger "
                "tol or a smaller C would.",
                stacklevel=2,
            )


def refuse_categories(selector, columns, nominal, n_samples: int) -> None:
    """Raise where a nominal column has more than two values, which no linear method can order."""
    for column in np.flatnonzero(nominal):
        if count_values(columns, column, n_samples) > 2:
            name = str(feature_names(selector)[column])
            raise DataError(
                f"Column {name!r} holds categories, more than two, which "
                f"{type(selector).__name__} cannot order; code it as a column of 0 and 1 for each."
            )


def count_values(columns, column: int, n_samples: int) -> int:
    """How many distinct values a column has, zeros that are not stored included."""
    if isinstance(columns, np.ndarray):
        return np.unique(columns[column]).size
    indptr, _, *values = columns
    stored = slice(indptr[column], indptr[column + 1])
    n_stored = stored.stop - stored.start
    distinct = np.unique(values[0][stored]).size if values else int(n_stored > 0)
    return distinct + (n_stored < n_samples)


def places(rows: np.ndarray, n_samples: int) -> np.ndarray:
    """Where each row of a table is among the rows of a sample, -1 for those that are not."""
    found = np.full(n_samples, -1)
    found[rows] = np.arange(rows.size)
    return found


def deal(orders: list[np.ndarray]) -> np.ndarray:
    """One order from several, as cards are dealt: the first of each, the second of each, ...

    A feature that is there already is skipped, as WEKA does.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.selectors.svm import deal
    >>> deal([np.array([2, 0, 1]), np.array([2, 1, 0])])
    array([2, 0, 1])
    """
    dealt = np.stack(orders, axis=1).ravel()
    _, first = np.unique(dealt, return_index=True)
    return dealt[np.sort(first)]
