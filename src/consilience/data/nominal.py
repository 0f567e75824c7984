"""Columns that somebody said are nominal: which they are, and their values as codes."""

from __future__ import annotations

import numpy as np

from ..exceptions import UsageError


def nominal_mask(categorical, n_features: int) -> np.ndarray:
    """Bool mask of the nominal columns, from a mask, indices or None.

    Examples
    --------
    >>> from consilience.data.nominal import nominal_mask
    >>> nominal_mask([2], 3)
    array([False, False,  True])
    """
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


def encode_nominal(cells: np.ndarray) -> tuple[np.ndarray, list[str]]:
    """Codes of the values of a column, and what each code stands for.

    Parameters
    ----------
    cells : ndarray of shape (n_samples,)
        Numbers, or texts; NaN, None and empty texts are missing.

    Returns
    -------
    codes : ndarray of float64 of shape (n_samples,)
        Position of each value among the categories, NaN where it is missing.
    categories : list of str
        The distinct values: numbers in their order, then texts in theirs.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.data.nominal import encode_nominal
    >>> codes, categories = encode_nominal(np.array(["5more", "10", None, "2"], dtype=object))
    >>> codes, categories
    (array([ 2.,  1., nan,  0.]), ['2', '10', '5more'])
    >>> encode_nominal(np.array([4.0, 2.5, 4.0]))[1]
    ['2.5', '4']
    """
    codes = np.full(len(cells), np.nan)
    if cells.dtype.kind in "biuf":
        known = cells == cells
        distinct, codes[known] = np.unique(cells[known], return_inverse=True)
        return codes, [_spelled(value) for value in distinct]
    known = np.array([cell is not None and cell == cell and cell != "" for cell in cells], bool)
    values = [str(cell) for cell in cells[known]]
    categories = sorted(set(values), key=_numbers_first)
    place = {value: code for code, value in enumerate(categories)}
    codes[known] = [place[value] for value in values]
    return codes, categories


def _spelled(number) -> str:
    """Text of a number, whole ones without a point."""
    whole = number.dtype.kind == "f" and float(number).is_integer() and abs(number) < 1e15
    return str(int(number)) if whole else str(number)


def _numbers_first(value: str) -> tuple[bool, float, str]:
    try:
        number = float(value)
    except ValueError:
        number = np.nan
    return (True, 0.0, value) if np.isnan(number) else (False, number, value)
