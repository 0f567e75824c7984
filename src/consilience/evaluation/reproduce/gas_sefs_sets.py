"""The 21 data sets of the GAS-SEFS paper, and its split of the rows in three.

Most are read as they are. The monks are the 432 rows that UCI calls their test part, which is the
whole space of their features; LED and LED17 are made; the small soybean set is cut out of the
large one, of which it is a part; legs of the zoo are nominal, and numbers of soybean numeric, as in
the paper's table.
"""

from pathlib import Path
from typing import NamedTuple

import numpy as np

from ...data.led import make_led
from ...data.readers import read_table
from ...data.table import Table
from ...exceptions import DataError, UsageError
from ...execution import fingerprint

# Name in the paper's table -> name of the npz file; None is made here.
SETS = {
    "balance": "balance",
    "breast-cancer": "breast_cancer_ljubljana",
    "car": "car",
    "diabetes": "diabetes_pima",
    "glass": "glass",
    "heart": "heart_statlog",
    "ionosphere": "ionosphere",
    "iris": "iris",
    "led": None,
    "led17": None,
    "liver": "liver_disorders",
    "lymphography": "lymphography",
    "monk-1": "monk1",
    "monk-2": "monk2",
    "monk-3": "monk3",
    "soybean": "soybean",
    "thyroid": "thyroid_new",
    "tic-tac-toe": "tic_tac_toe",
    "vehicle": "vehicle",
    "voting": "voting",
    "zoo": "zoo",
}
FEW_FEATURES = 9  # sets with fewer make group 1
FIT, VALIDATION, TEST = 0, 1, 2
# Rows of the small soybean set in the file of the large one, found by comparing their cells.
SMALL_SOYBEAN = (
    0, 2, 6, 7, 8, 10, 11, 12, 13, 15, 16, 22, 23, 24, 30, 36, 37, 42, 43, 44, 48, 49, 50, 55, 62,
    65, 68, 307, 308, 309, 313, 314, 317, 318, 321, 322, 327, 329, 332, 333, 334, 335, 336, 337,
    338, 339, 340,
)  # fmt: skip


class Problem(NamedTuple):
    """A data set as the runs take it.

    Attributes
    ----------
    X : float64 array of shape (n_samples, n_features)
        Missing values are NaN, nominal features codes.
    y : int64 array of shape (n_samples,)
        Class codes 0, 1, ...
    nominal : bool array of shape (n_features,)
        Which features are nominal.
    """

    X: np.ndarray
    y: np.ndarray
    nominal: np.ndarray

    @property
    def n_classes(self) -> int:
        """Number of classes."""
        return int(self.y.max()) + 1

    @classmethod
    def of(cls, table: Table) -> "Problem":
        """Return what the runs need of a table."""
        X = np.asarray(table.X, dtype=np.float64)
        nominal = table.categorical_features
        nominal = np.zeros(X.shape[1], dtype=bool) if nominal is None else nominal
        return cls(X, np.unique(table.y, return_inverse=True)[1], nominal)


def read_set(folder: Path, name: str) -> Table:
    """Read, or make, one of the 21 sets by its name in the paper.

    Any other name is that of an npz file, which is taken as it is.

    Examples
    --------
    >>> from pathlib import Path
    >>> from consilience.evaluation.reproduce.gas_sefs_sets import read_set
    >>> read_set(Path("nowhere"), "led17")
    Table of 300 samples x 24 features, 10 classes
    """
    if name in SETS and SETS[name] is None:
        return make_led(300, n_noise=17 * (name == "led17"), random_state=2005)
    path = Path(folder) / f"{SETS.get(name, name)}.npz"
    if not path.is_file():
        raise DataError(
            f"There is no data set '{path.name}' in '{folder}'; give the folder with --data, or "
            "the sets that are there with --sets."
        )
    table = read_table(path)
    if name.startswith("monk-"):
        with np.load(path, allow_pickle=False) as held:
            return _part(table, held["split"] == "test")
    if name == "soybean" and table.n_samples == 683:
        return _small_soybean(table)
    if name == "zoo":
        return _part(table, slice(None), nominal=np.ones(table.n_features, dtype=bool))
    return table


def _part(table, rows, X=None, nominal=None):
    X = table.X if X is None else X
    nominal = table.categorical_features if nominal is None else nominal
    return Table(
        X[rows], table.y[rows], table.feature_names, categorical_features=nominal,
        source=table.source,
    )  # fmt: skip


def _small_soybean(table):
    """The 47 rows without a gap; their only difference to UCI's small file is put right.

    In that file the roots of all plants with phytophthora rot are rotted, in the large one normal.
    """
    X = np.array(table.X, dtype=np.float64)
    rotted = table.categories["roots"].index("rotted")
    X[table.y == "phytophthora-rot", list(table.feature_names).index("roots")] = rotted
    return _part(table, list(SMALL_SOYBEAN), X, np.zeros(table.n_features, dtype=bool))


def describe(problem: Problem) -> dict:
    """Sizes of a set, as the paper's Table 1 has them, and its fingerprint."""
    return {
        "rows": problem.y.size,
        "classes": problem.n_classes,
        "nominal": int(problem.nominal.sum()),
        "numeric": int((~problem.nominal).sum()),
        "missing": int(np.isnan(problem.X).sum()),
        "content": fingerprint(problem.X, problem.y, problem.nominal),
    }


def split_rows(y, rng: np.random.Generator) -> np.ndarray:
    """Part of each row: 60 % to fit, 20 % to validate and 20 % to test, in each class.

    Of every five rows of a class three are fit rows; of what is left over the parts are drawn
    without replacement, but a class never lacks a fit row, without which nobody could tell it.

    Parameters
    ----------
    y : int array of shape (n_samples,)
        Class codes.
    rng : numpy.random.Generator
        Draws the rows.

    Returns
    -------
    int8 array of shape (n_samples,)
        0 for fit rows, 1 for validation rows, 2 for test rows.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.evaluation.reproduce.gas_sefs_sets import split_rows
    >>> np.bincount(split_rows(np.repeat([0, 1], [50, 50]), np.random.default_rng(0)))
    array([60, 20, 20])
    """
    y = np.asarray(y)
    five = np.array([FIT, FIT, FIT, VALIDATION, TEST], dtype=np.int8)
    part = np.empty(y.size, dtype=np.int8)
    for code in np.unique(y):
        rows = rng.permutation(np.flatnonzero(y == code))
        whole, left = divmod(rows.size, five.size)
        rest = rng.permutation(five)[:left]
        if not whole and FIT not in rest:
            rest[rng.integers(left)] = FIT
        part[rows] = np.concatenate([np.tile(five, whole), rest])
    if y.size < five.size or not all((part == p).any() for p in (VALIDATION, TEST)):
        raise UsageError(f"{y.size} rows cannot be split into fit, validation and test rows.")
    return part


def deal_folds(y, n_folds: int, rng: np.random.Generator) -> np.ndarray:
    """Fold of each row: rows of a class are dealt out in turn, in a random order.

    Unlike scikit-learn's folds it takes classes with fewer rows than folds.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.evaluation.reproduce.gas_sefs_sets import deal_folds
    >>> np.bincount(deal_folds(np.repeat([0, 1], [9, 2]), 3, np.random.default_rng(0)))
    array([4, 4, 3])
    """
    order = np.lexsort([rng.random(len(y)), y])
    fold = np.empty(len(y), dtype=np.int64)
    fold[order] = np.arange(len(y)) % n_folds
    return fold
