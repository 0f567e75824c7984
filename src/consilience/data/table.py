"""What a table is: the features of samples, their classes, and the names of both."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ..exceptions import DataError
from ..heard import remark


@dataclass(frozen=True, eq=False)
class Table:
    """Features and classes of samples, with names; what every reader returns.

    Parameters
    ----------
    X : ndarray, scipy.sparse array in CSR or CSC, or BitMatrix, of shape (n_samples, n_features)
        One row per sample. Missing values are NaN; nominal columns hold codes.
    y : array-like of shape (n_samples,)
        Class of each sample: text, whole numbers or booleans.
    feature_names : array-like of shape (n_features,), default=None
        None makes ``x1``, ``x2``, ...
    sample_names : array-like of shape (n_samples,), default=None
        None where the source names none.
    categorical_features : array-like of bool of shape (n_features,), default=None
        Which columns are nominal; None where all are numeric.
    categories : dict of str to list of str, default={}
        For each nominal feature the text of its codes 0, 1, ...
    target : str, default=None
        Name of what `y` holds.
    source : str, default=""
        Where the table comes from.
    groups : array-like of shape (n_samples,), default=None
        What each sample belongs to, such as its patient; None where each stands for itself.

    Examples
    --------
    >>> from consilience import Table
    >>> table = Table([[0.5, 1.0], [2.5, float("nan")]], ["well", "ill"], ["TP53", "MYC"])
    >>> table
    Table of 2 samples x 2 features, 2 classes
    >>> print(table.describe_missing())
    Column 'MYC' has a missing value in row 2 (1 such value in all).
    """

    X: object
    y: np.ndarray
    feature_names: np.ndarray = None
    sample_names: np.ndarray | None = None
    categorical_features: np.ndarray | None = None
    categories: dict[str, list[str]] = field(default_factory=dict)
    target: str | None = None
    source: str = ""
    groups: np.ndarray | None = None

    def __post_init__(self):
        def put(name, value):
            object.__setattr__(self, name, value)  # the dataclass is frozen to everybody else

        if not hasattr(self.X, "shape"):
            put("X", np.asarray(self.X))
        if len(self.X.shape) != 2:
            raise DataError(f"A table has rows and columns, and this one is {len(self.X.shape)}-D.")
        n_samples, n_features = self.X.shape
        put("y", np.asarray(self.y))
        if self.feature_names is None:
            put("feature_names", default_names(n_features))
        put("feature_names", np.asarray(self.feature_names, dtype=str))
        if self.sample_names is not None:
            put("sample_names", np.asarray(self.sample_names, dtype=str))
            self._fits("sample names", self.sample_names, n_samples, "rows")
        if self.categorical_features is not None:
            put("categorical_features", np.asarray(self.categorical_features, dtype=bool))
            self._fits("marks of nominal", self.categorical_features, n_features, "columns")
        if self.groups is not None:
            put("groups", np.asarray(self.groups))
            self._fits("groups", self.groups, n_samples, "rows")
        self._fits("classes", self.y, n_samples, "rows")
        self._fits("feature names", self.feature_names, n_features, "columns")

    def _fits(self, what: str, values: np.ndarray, size: int, of: str) -> None:
        if values.shape != (size,):
            raise DataError(f"{self._where()}there are {len(values)} {what} for {size} {of}.")

    def _where(self) -> str:
        return f"'{self.source}': " if self.source else ""

    @property
    def n_samples(self) -> int:
        """Number of rows."""
        return self.X.shape[0]

    @property
    def n_features(self) -> int:
        """Number of columns."""
        return self.X.shape[1]

    @property
    def classes(self) -> np.ndarray:
        """The distinct values of `y`, sorted."""
        return np.unique(self.y)

    def __repr__(self) -> str:
        return (
            f"Table of {self.n_samples} samples x {self.n_features} features, "
            f"{len(self.classes)} classes"
        )

    def validate(self) -> Table:
        """Refuse what no method can use; give the table back.

        Raises
        ------
        DataError
            No rows, no features, a feature name used twice, a missing class, a single class.

        Warns
        -----
        ConsilienceWarning
            Sample names that occur more than once and are not kept together by groups.
        """
        where, target = self._where(), f"target '{self.target}'" if self.target else "target"
        if self.n_samples == 0:
            raise DataError(f"{where}there are no rows of data; check the file.")
        if self.n_features == 0:
            raise DataError(
                f"{where}no features are left beside the {target} and the sample names; check "
                "the separator and the columns that were dropped."
            )
        missing = np.flatnonzero(missing_labels(self.y))
        if missing.size:
            raise DataError(
                f"{where}the {target} has no value in row {missing[0] + 1} ({missing.size} such "
                "rows in all); remove these rows or fill the class in."
            )
        if len(self.classes) < 2:
            raise DataError(
                f"{where}the {target} has one class only ({str(self.classes[0])!r} in all "
                f"{self.n_samples} rows), and a selection needs two or more."
            )
        repeated = first_repeated(self.feature_names)
        if repeated is not None:
            first, second = np.flatnonzero(self.feature_names == repeated)[:2] + 1
            raise DataError(
                f"{where}two features are named '{repeated}' (features {first} and {second}); "
                "rename or drop one."
            )
        self._warn_of_twins()
        return self

    def _warn_of_twins(self) -> None:
        """Tell of samples that could be in training and test at once."""
        names = self.sample_names
        if names is None or len(set(names.tolist())) == len(names):
            return
        seen, counts = np.unique(names, return_counts=True)
        if self.groups is not None:
            pairs = set(zip(names.tolist(), self.groups.tolist(), strict=True))
            if len(pairs) == len(seen):  # each name within one group
                return
        n_twice = int((counts > 1).sum())
        some = "1 sample name occurs" if n_twice == 1 else f"{n_twice} sample names occur"
        remark(
            f"{self._where()}{some} more than once (such as '{first_repeated(names)}'), and a "
            "sample that is both in training and in test makes figures too good; remove the "
            "copies, or give groups that keep them together.",
            stacklevel=3,
        )

    def first_bad(self) -> tuple[int, str, float] | None:
        """Find the first column, then row, that holds NaN or an infinite value.

        Returns
        -------
        tuple of (int, str, float) or None
            Position of the row, name of the column, the value; None when all is finite.
        """
        for row, column, value in _bad_cells(self.X):
            return row, str(self.feature_names[column]), value
        return None

    def describe_missing(self) -> str:
        """Say in a sentence where the first NaN or infinite value is; empty when there is none.

        Of a table in blocks, too: they may be anywhere, and are looked at by whoever uses them.
        """
        bad = self.first_bad()
        if bad is None:
            return ""
        row, name, value = bad
        what = "a missing value" if np.isnan(value) else f"the infinite value {value}"
        sample = f" ('{self.sample_names[row]}')" if self.sample_names is not None else ""
        total = _count_bad(self.X)
        return (
            f"Column '{name}' has {what} in row {row + 1}{sample} ("
            f"{total} such value{'s' if total > 1 else ''} in all)."
        )


def default_names(n_features: int) -> np.ndarray:
    """Make the names x1, x2, ... for data that come without."""
    return np.array([f"x{i}" for i in range(1, n_features + 1)], dtype=str)


def first_repeated(names: np.ndarray) -> str | None:
    """Give the first name that stands a second time, or None."""
    if len(set(names.tolist())) == len(names):  # the usual case, several times faster
        return None
    _, first = np.unique(names, return_index=True)
    again = np.setdiff1d(np.arange(len(names)), first)
    return str(names[again[0]])


def missing_labels(y: np.ndarray) -> np.ndarray:
    """Mark labels that say nothing: NaN, None and empty text."""
    if y.dtype.kind == "f":
        return np.isnan(y)
    if y.dtype.kind == "U":
        return y == ""
    if y.dtype.kind == "O":
        return np.array([label is None or label != label or label == "" for label in y], bool)
    return np.zeros(len(y), dtype=bool)


def _float_blocks(X):
    """Dense or sparse float cells in blocks of whole columns, with the first column of each."""
    if getattr(X, "dtype", np.dtype(int)).kind != "f" or hasattr(X, "grid"):
        return
    step = max(1, (1 << 22) // max(1, X.shape[0]))
    if hasattr(X, "tocsc"):
        X = X.tocsc()
    for start in range(0, X.shape[1], step):
        block = X[:, start : start + step]
        yield start, block


def _bad_cells(X):
    for start, block in _float_blocks(X):
        if hasattr(block, "tocsc"):
            bad = np.flatnonzero(~np.isfinite(block.data))
            if bad.size:
                column = int(np.searchsorted(block.indptr, bad[0], side="right")) - 1
                yield int(block.indices[bad[0]]), start + column, float(block.data[bad[0]])
        else:
            bad = ~np.isfinite(block)
            if bad.any():
                column = int(bad.any(axis=0).argmax())
                row = int(bad[:, column].argmax())
                yield row, start + column, float(block[row, column])


def _count_bad(X) -> int:
    cells = (block.data if hasattr(block, "tocsc") else block for _, block in _float_blocks(X))
    return sum(int((~np.isfinite(block)).sum()) for block in cells)
