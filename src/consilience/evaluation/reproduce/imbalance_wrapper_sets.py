"""The data sets of the paper on imbalanced data, and its halves.

Which leukemia data its ALL is cannot be told any more: there are two readings of it, which count
as one witness. Of the oil slicks the first column is a running number of the region in its image,
and hence no feature.
"""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from ...data.readers import read_table
from ...data.table import Table
from ...exceptions import DataError
from ...execution import fingerprint
from ..folds import make_folds

# Name here -> name of the npz file.
SETS = {
    "fbis": "fbis",
    "re0": "re0",
    "oh5": "oh5",
    "oil": "oil_spill",
    "all-chiaretti": "all_chiaretti",
    "all-stjude": "all_stjude_985",
}
# Name here -> name in the paper, where they differ; sets of one name are readings of the same.
READINGS = {"all-chiaretti": "ALL", "all-stjude": "ALL"}


class Problem(NamedTuple):
    """A data set as the runs take it.

    Attributes
    ----------
    X : array or sparse array of shape (n_samples, n_features)
        The data.
    y : int64 array of shape (n_samples,)
        1 for the smallest class, 0 for all others.
    """

    X: Any
    y: np.ndarray

    @classmethod
    def of(cls, table: Table) -> "Problem":
        """Return what the runs need of a table: its smallest class against all others.

        Examples
        --------
        >>> from consilience import load_demo
        >>> from consilience.evaluation.reproduce.imbalance_wrapper_sets import Problem
        >>> Problem.of(load_demo()).y.sum()
        np.int64(8)
        """
        nominal = table.categorical_features
        if nominal is not None and np.any(nominal):
            name = table.feature_names[int(np.argmax(nominal))]
            raise DataError(
                f"Column '{name}' holds categories, and nearest neighbours, logistic regression "
                "and the perceptron of this paper need numbers; choose other --sets."
            )
        X = table.X
        X = sparse.csr_array(X) if sparse.issparse(X) else np.asarray(X, dtype=np.float64)
        labels, codes, counts = np.unique(table.y, return_inverse=True, return_counts=True)
        if labels.size < 2:
            raise DataError(f"All {codes.size} rows are of class '{labels[0]}'; give two classes.")
        return cls(X, (codes == counts.argmin()).astype(np.int64))


def read_set(folder: Path, name: str) -> Table:
    """Read one of the sets by its name; any other name is that of an npz file."""
    path = Path(folder) / f"{SETS.get(name, name)}.npz"
    if not path.is_file():
        raise DataError(
            f"There is no data set '{path.name}' in '{folder}'; give the folder with --data, or "
            "the sets that are there with --sets."
        )
    table = read_table(path)
    if name != "oil":
        return table
    return Table(table.X[:, 1:], table.y, table.feature_names[1:], source=table.source)


def describe(problem: Problem) -> dict:
    """Sizes of a set, as the paper's Table 1 must have had them, and its fingerprint."""
    rows, minority = problem.y.size, int(problem.y.sum())
    return {
        "rows": rows,
        "features": problem.X.shape[1],
        "minority": minority,
        "content": fingerprint(problem.X, problem.y),
    }


def halves(y, seed: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """Rows to select and learn from and rows to be judged by, twice: the halves change places.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.evaluation.reproduce.imbalance_wrapper_sets import halves
    >>> [(train.size, test.size) for train, test in halves(np.arange(20) % 5 == 0, seed=0)]
    [(10, 10), (10, 10)]
    """
    return make_folds(y, None, n_splits=2, seed=seed)
