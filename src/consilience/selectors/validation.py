"""What may come into `fit`: the kinds of X, nominal columns, labels and weights.

The answer must not depend on what holds the data, so everything is reduced here to one of three
storages: a dense numeric array, a sparse matrix, or a `BitMatrix`.
"""

import numpy as np
from scipy import sparse
from sklearn.utils import check_array
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_consistent_length, column_or_1d, validate_data

from ..data.bits import BitMatrix
from ..exceptions import DataError, UsageError


def check_X(estimator, X, *, reset: bool, allow_missing: bool, categorical=None):
    """X as a dense array, a sparse matrix or a BitMatrix, and its mask of nominal columns.

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

    Returns
    -------
    X : ndarray, sparse matrix or BitMatrix
    nominal : ndarray of shape (n_features,), bool
    """
    if isinstance(X, BitMatrix):
        if reset:
            estimator.n_features_in_ = X.shape[1]
            vars(estimator).pop("feature_names_in_", None)
        elif X.shape[1] != estimator.n_features_in_:
            raise DataError(
                f"X has {X.shape[1]} features, but {type(estimator).__name__} was fitted with "
                f"{estimator.n_features_in_}."
            )
        return X, nominal_mask(categorical, X.shape[1])
    names = None
    by_dtype = _categorical_dtypes(X)
    if by_dtype is not None and by_dtype.any():
        names, X = X, _with_codes(X, by_dtype)
    X = validate_data(
        estimator,
        X,
        reset=reset,
        accept_sparse=("csc", "csr"),
        dtype="numeric",
        ensure_all_finite=False,
        ensure_min_samples=2 if reset else 1,
    )
    if names is not None and reset:  # an encoded frame went in; its column names stay
        estimator.feature_names_in_ = np.asarray(names.columns, dtype=object)
    refuse_not_finite(X, estimator, allow_missing)
    if isinstance(categorical, str) and categorical == "from_dtype":
        return X, np.zeros(X.shape[1], bool) if by_dtype is None else by_dtype
    return X, nominal_mask(categorical, X.shape[1])


def nominal_mask(categorical, n_features: int) -> np.ndarray:
    """Bool mask of the nominal columns, from a mask, indices or None."""
    mask = np.zeros(n_features, dtype=bool)
    if categorical is None or (isinstance(categorical, str) and categorical == "from_dtype"):
        return mask
    chosen = np.asarray(categorical)
    if chosen.dtype == bool and chosen.shape == mask.shape:
        return chosen.copy()
    if chosen.size and (
        chosen.dtype.kind not in "iu" or chosen.min() < 0 or chosen.max() >= n_features
    ):
        raise UsageError(
            f"categorical_features must be None, 'from_dtype', a mask of {n_features} booleans or "
            f"column indices from 0 to {n_features - 1}; got {categorical!r}."
        )
    mask[chosen.astype(np.intp)] = True
    return mask


def feature_names(estimator) -> np.ndarray:
    """Names of the fitted columns: the caller's, or x0, x1, ... as scikit-learn has them."""
    names = getattr(estimator, "feature_names_in_", None)
    if names is None:
        names = np.array([f"x{i}" for i in range(estimator.n_features_in_)], dtype=object)
    return names


def refuse_not_finite(X, estimator, allow_missing: bool) -> None:
    """Raise for infinite values, and for NaN unless they mean "missing", naming the column."""
    values = X.data if sparse.issparse(X) else X
    if values.dtype.kind != "f" or np.isfinite(values).all():
        return
    bad = np.isinf(values) if allow_missing else ~np.isfinite(values)
    if not bad.any():
        return
    if sparse.issparse(X):
        at = int(np.argmax(bad))
        coordinates = X.tocoo()
        row, column = int(coordinates.coords[0][at]), int(coordinates.coords[1][at])
        value = coordinates.data[at]
    else:
        row, column = (int(i) for i in np.argwhere(bad)[0])
        value = X[row, column]
    kind = "NaN" if np.isnan(value) else "infinity"
    way_out = "impute or drop the column" if kind == "NaN" else "replace it by a finite number"
    name, method = str(feature_names(estimator)[column]), type(estimator).__name__
    raise DataError(
        f"Column {name!r} holds {kind} in row {row}, which {method} cannot use; {way_out}."
    )


def check_labels(y, n_samples: int) -> tuple[np.ndarray, np.ndarray]:
    """Classes, sorted, and each row's class as an index into them."""
    if y is None:
        raise UsageError(
            "This estimator requires y to be passed, but the target y is None: "
            "selection needs the class of every row."
        )
    y = column_or_1d(y, warn=True)
    if y.dtype.kind == "f" and not np.isfinite(y).all():
        row = int(np.argmax(~np.isfinite(y)))
        raise DataError(
            f"The class of row {row} is {y[row]}: Input y contains NaN or infinity; "
            "drop the rows without a class."
        )
    check_classification_targets(y)
    classes, codes = np.unique(y, return_inverse=True)
    if codes.size != n_samples:
        raise DataError(
            f"Found input variables with inconsistent numbers of samples: X has {n_samples} rows "
            f"and y has {codes.size}."
        )
    if classes.size < 2:
        raise DataError(
            f"All {codes.size} rows have the class {classes[0]!r}; selection compares classes, "
            "so give data with 2 classes or more (1 class found)."
        )
    return classes, codes.astype(np.int64)


def check_weights(sample_weight, n_samples: int) -> np.ndarray:
    """Row weights as float64[n_samples]; ones when None."""
    if sample_weight is None:
        return np.ones(n_samples)
    weights = check_array(
        sample_weight, ensure_2d=False, dtype=np.float64, input_name="sample_weight"
    )
    if weights.ndim != 1:
        raise DataError(f"Sample weights must be 1D array or scalar; got {weights.ndim}D.")
    check_consistent_length(weights, np.empty(n_samples))
    if (weights < 0).any():
        row = int(np.argmax(weights < 0))
        raise DataError(f"The weight of row {row} is {weights[row]}; weights cannot be negative.")
    if not weights.any():
        raise DataError("All sample weights are zero; give at least some rows a positive weight.")
    return weights


def _categorical_dtypes(X):
    """Mask of a data frame's categorical columns, or None where X is no data frame."""
    if hasattr(X, "dtypes") and hasattr(X, "columns") and hasattr(X, "shape"):
        kinds = [str(kind) for kind in X.dtypes]
        return np.array(
            [kind == "category" or kind.startswith(("Categorical", "Enum")) for kind in kinds]
        )
    return None


def _with_codes(X, nominal):
    """Data frame as a float array in which nominal columns hold their category codes."""
    out = np.empty(X.shape)
    for j, name in enumerate(X.columns):
        column = X[name]
        if not nominal[j]:
            out[:, j] = np.asarray(column, dtype=np.float64)
        elif hasattr(column, "cat") and hasattr(column.cat, "codes"):  # pandas
            codes = np.asarray(column.cat.codes, dtype=np.float64)
            out[:, j] = np.where(codes < 0, np.nan, codes)
        else:  # polars
            codes = column.to_physical().cast(float).to_numpy()
            out[:, j] = codes
    return out
