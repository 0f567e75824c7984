"""How much two columns of any kind go together, as one number from 0 to 1."""

from itertools import pairwise

import numpy as np

# The indicators of nominal columns are made and multiplied in blocks of about this many cells.
BLOCK_CELLS = 1 << 21


def associations(values, weights, nominal, codes, n_values) -> np.ndarray:
    """Association of every pair of columns under row weights.

    Two numeric columns: the absolute value of Pearson's correlation. Two nominal ones: Cramer's V.
    One of each: the correlation ratio, the share of the variance between the categories, square
    root taken. All three are the same number where columns take two values, and all follow from
    products of standardised columns, a nominal one being the set of its indicators.

    Parameters
    ----------
    values : float64 array of shape (n_samples, n_columns)
        The data; each column varies, and rows all have a positive weight.
    weights : float64 array of shape (n_samples,)
        Row weights.
    nominal : bool array of shape (n_columns,)
        Columns whose values are categories.
    codes : int array of shape (n_columns, n_samples)
        Their categories, from 0; read where a column is nominal.
    n_values : int array of shape (n_columns,)
        How many categories there are.

    Returns
    -------
    float64 array of shape (n_columns, n_columns)

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.selectors.association import associations
    >>> values = np.array([[0.0, 3], [0, 3], [1, 5], [2, 9]])
    >>> codes = np.array([[0, 0, 1, 2], [0, 0, 1, 2]])
    >>> associations(values, np.ones(4), np.array([True, False]), codes, np.array([3, 3])).round(3)
    array([[1., 1.],
           [1., 1.]])
    """
    share = weights / weights.sum()
    wide = nominal & (n_values > 2)
    if not wide.any():
        columns = standardised(values, share)
        return np.abs(columns.T @ columns)
    freedom = np.where(wide, n_values - 1, 1)
    out = np.empty((wide.size, wide.size))
    blocks = split(np.where(wide, n_values, 1), share.size)
    for k, own in enumerate(blocks):
        left, starts = expanded(values, share, wide, codes, n_values, own)
        for other in blocks[: k + 1]:
            right, other_starts = expanded(values, share, wide, codes, n_values, other)
            squares = np.add.reduceat((left.T @ right) ** 2, starts, axis=0)
            squares = np.add.reduceat(squares, other_starts, axis=1)
            found = np.sqrt(squares / np.minimum(freedom[own, None], freedom[other]))
            out[own, other], out[other, own] = found, found.T
    return out


def split(widths, n_samples) -> list[slice]:
    """Runs of columns whose indicators have about `BLOCK_CELLS` cells, one column at least."""
    block = np.cumsum(widths) * n_samples // BLOCK_CELLS
    borders = [0, *np.flatnonzero(np.diff(block)) + 1, widths.size]
    return [slice(first, last) for first, last in pairwise(borders)]


def expanded(values, share, wide, codes, n_values, block):
    """Standardised columns of a block, indicators for the wide ones, and where each begins."""
    wide, codes, n_values = wide[block], codes[block], n_values[block]
    widths = np.where(wide, n_values, 1)
    starts = np.cumsum(widths) - widths
    columns = np.zeros((share.size, widths.sum()))
    columns[:, starts[~wide]] = standardised(values[:, block][:, ~wide], share)
    columns[np.arange(share.size), starts[wide, None] + codes[wide]] = 1.0
    of_wide = np.repeat(wide, widths)
    columns[:, of_wide] = indicators(columns[:, of_wide], share)
    return columns, starts


def standardised(values, share) -> np.ndarray:
    """Columns less their mean, of norm 1, times the root of the row's share of all weight."""
    values = values / np.abs(values).max(axis=0, initial=np.finfo(float).tiny)  # no overflow
    values = values - share @ values
    values -= share @ values  # what rounding left of a mean far from 0
    values *= np.sqrt(share)[:, None]
    norms = np.sqrt(np.einsum("ij,ij->j", values, values))
    return values / np.where(norms > 0, norms, 1.0)


def indicators(ones, share) -> np.ndarray:
    """Indicator columns so scaled that the squares of their products add up to chi-square / n."""
    parts = share @ ones
    return np.sqrt(share)[:, None] * (ones - parts) / np.sqrt(parts)
