"""What may come into `fit`: the kinds of X, nominal columns, labels and weights.

The answer must not depend on what holds the data, so everything is reduced here to one of three
storages: a dense numeric array, a sparse matrix, or a `BitMatrix`.
"""

from numbers import Integral

import numpy as np
from sklearn.utils import check_array
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d, validate_data

from ..data import refusals
from ..data.bits import BitMatrix
from ..data.block_matrix import BlockMatrix
from ..data.frames import (
    categorical_columns,
    column_kinds,
    needs_codes,
    refuse_repeated_names,
    with_codes,
)
from ..data.nominal import nominal_mask
from ..exceptions import DataError, UsageError
from ..heard import remark
from .block_cells import check_blocks

# Weights of a lower mean were rather meant as shares.
LIGHT = 0.1


def check_numeric_X(estimator, X, *, allow_missing=False, blocks=False):
    """X for classifiers that need numbers: as `check_X`, nominal columns refused by name.

    Examples
    --------
    >>> import pandas as pd
    >>> from consilience import BIRS
    >>> from consilience.selectors.validation import check_numeric_X
    >>> frame = pd.DataFrame({"age": [1.0, 2.0], "sex": pd.Categorical(["f", "m"])})
    >>> check_numeric_X(BIRS(), frame)
    Traceback (most recent call last):
        ...
    consilience.exceptions.DataError: Column 'sex' is nominal and BIRS needs numbers; encode it ...
    """
    how = {"allow_missing": allow_missing, "categorical": "from_dtype", "blocks": blocks}
    X, nominal = check_X(estimator, X, reset=True, **how)
    if nominal.any():
        name = str(feature_names(estimator)[np.argmax(nominal)])
        raise DataError(
            f"Column {name!r} is nominal and {type(estimator).__name__} needs numbers; encode it "
            "first, for example with OneHotEncoder."
        )
    return X


def check_X(
    estimator, X, *, reset: bool, allow_missing: bool, categorical=None, blocks: bool = False
):
    """X as a dense array, a sparse matrix, bits or blocks, and its mask of nominal columns.

    Parameters
    ----------
    estimator : estimator
        Receives `n_features_in_` and `feature_names_in_` when `reset`, is compared with them
        otherwise.
    X : array-like, data frame, sparse matrix or BitMatrix
        The data as the caller has them.
    reset : bool
        Whether this is the X of `fit`.
    allow_missing : bool
        Whether NaN is meant as "missing"; infinite values never are.
    categorical : None, "from_dtype", bool mask or indices
        Which columns are nominal.
    blocks : bool, default=False
        Whether a table in blocks can be used.

    Returns
    -------
    X : ndarray, sparse matrix, BitMatrix or BlockMatrix
    nominal : ndarray of shape (n_features,), bool
    """
    if isinstance(X, (BitMatrix, BlockMatrix)):
        if isinstance(X, BlockMatrix) and not blocks:
            refuse_blocks(estimator)
        # A member of a committee on bits may be given none and then knows the classes' shares only.
        if not X.shape[1] and not getattr(estimator, "takes_bits", False):
            raise DataError(f"There are no columns to select from: X has the shape {X.shape}.")
        if reset:
            estimator.n_features_in_ = X.shape[1]
            vars(estimator).pop("feature_names_in_", None)
        elif X.shape[1] != estimator.n_features_in_:
            raise DataError(
                f"X has {X.shape[1]} features, but {type(estimator).__name__} was fitted with "
                f"{estimator.n_features_in_}."
            )
        if isinstance(X, BlockMatrix):
            check_blocks(X, estimator, allow_missing)
        return X, nominal_mask(categorical, X.shape[1])
    names, by_dtype = None, None
    if (kinds := column_kinds(X)) is not None:
        refuse_repeated_names(X)
        by_dtype = categorical_columns(kinds)
        if needs_codes(kinds):
            names, X = list(X.columns), with_codes(X, by_dtype)
    X = validate_data(
        estimator,
        X,
        reset=reset,
        accept_sparse=("csc", "csr"),
        dtype="numeric",
        ensure_all_finite=False,
        ensure_min_samples=2 if reset else 1,
    )
    if names is not None and reset and all(isinstance(name, str) for name in names):
        estimator.feature_names_in_ = np.asarray(names, dtype=object)  # an encoded frame went in
    refuse_not_finite(X, estimator, allow_missing)
    if isinstance(categorical, str) and categorical == "from_dtype":
        return X, np.zeros(X.shape[1], bool) if by_dtype is None else by_dtype
    return X, nominal_mask(categorical, X.shape[1])


def refuse_blocks(estimator) -> None:
    """Say that a table in blocks is no use here, and what is."""
    raise DataError(
        f"{type(estimator).__name__} looks at all columns together and cannot take a BlockMatrix; "
        "use a filter, MRMR, MarkovBlanket or QIFSClassifier, or give it the columns that a filter "
        "keeps, X[:, columns]."
    )


def feature_names(estimator) -> np.ndarray:
    """Names of the fitted columns: the caller's, or x0, x1, ... as scikit-learn has them."""
    names = getattr(estimator, "feature_names_in_", None)
    if names is None:
        names = np.array([f"x{i}" for i in range(estimator.n_features_in_)], dtype=object)
    return names


def refuse_not_finite(X, estimator, allow_missing: bool) -> None:
    """Raise for infinite values, and for NaN unless they mean "missing", naming the column."""
    names = getattr(estimator, "feature_names_in_", None)
    refusals.refuse_not_finite(X, type(estimator).__name__, names, allow_missing=allow_missing)


def check_labels(y, n_samples: int, at_least: int = 2) -> tuple[np.ndarray, np.ndarray]:
    """Classes, sorted and `at_least` so many, and each row's class as an index into them."""
    if y is None:
        raise UsageError(
            "This estimator requires y to be passed, but the target y is None: "
            "selection needs the class of every row."
        )
    refusals.refuse_missing_labels(y)
    y = column_or_1d(y, warn=True)
    check_classification_targets(y)
    classes, codes = np.unique(y, return_inverse=True)
    if codes.size != n_samples:
        raise DataError(
            f"Found input variables with inconsistent numbers of samples: X has {n_samples} rows "
            f"and y has {codes.size}."
        )
    if not codes.size:
        raise DataError("There are no rows to select from; give two or more of each class.")
    if classes.size < at_least:
        raise DataError(
            f"All {codes.size} rows have the class {classes.tolist()[0]!r}; selection compares "
            "classes, so give data with 2 classes or more (1 class found)."
        )
    return classes, codes.astype(np.int64)


def check_weights(sample_weight, y: np.ndarray, classes: np.ndarray) -> np.ndarray:
    """Row weights as float64[n_samples], ones when None, for rows of the classes[y]."""
    if sample_weight is None:
        return np.ones(y.size)
    weights = check_array(
        sample_weight, ensure_2d=False, dtype=np.float64, input_name="sample_weight"
    )
    if weights.ndim != 1:
        raise DataError(f"Sample weights must be 1D array or scalar; got {weights.ndim}D.")
    if weights.size != y.size:
        raise DataError(
            f"There are {weights.size} sample weights for {y.size} rows; give one per row."
        )
    if (weights < 0).any():
        row = int(np.argmax(weights < 0))
        raise DataError(f"The weight of row {row} is {weights[row]}; weights cannot be negative.")
    n_rows, total = np.count_nonzero(weights), weights.sum()
    if 0 < total < max(LIGHT * n_rows, min(classes.size, n_rows)):
        remark(
            f"The weights of {n_rows} rows add up to {total:g}, and so "
            "count as that many rows in all; give weights of about 1.",
            stacklevel=3,
        )
    counted = np.unique(y[weights > 0])
    if counted.size == 0:
        raise DataError("All sample weights are zero; give at least some rows a positive weight.")
    if counted.size == 1:
        raise DataError(
            f"Only rows of the class {classes.tolist()[counted[0]]!r} have a positive weight; "
            "selection compares classes, so give rows of 2 classes or more some weight."
        )
    return weights


def check_count(name: str, value) -> int:
    """A whole number of 1 or more, or a sentence that says so."""
    if not isinstance(value, Integral) or isinstance(value, bool) or value < 1:
        raise UsageError(f"{name} is {value!r}; give a whole number, 1 or more.")
    return int(value)


def are_whole(weights) -> bool:
    """Whether all weights are numbers of copies."""
    return bool((weights == np.rint(weights)).all())
