"""How much two columns of any kind go together, as one number from 0 to 1."""

import numpy as np

# Indicator columns of nominal features are multiplied in blocks of about this many products.
BLOCK_PRODUCTS = 1 << 22


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
    widths = np.where(wide, n_values, 1)
    starts = np.concatenate([[0], np.cumsum(widths)])
    columns = np.zeros((share.size, starts[-1]))
    columns[:, starts[:-1][~wide]] = standardised(values[:, ~wide], share)
    at = np.flatnonzero(np.repeat(wide, widths))
    columns[np.arange(share.size), starts[:-1][wide, None] + codes[wide]] = 1.0
    columns[:, at] = indicators(columns[:, at], share)
    freedom = np.where(wide, n_values - 1, 1)
    out = np.empty((widths.size, widths.size))
    step = max(1, int(BLOCK_PRODUCTS // (starts[-1] * widths.max())))
    for first in range(0, widths.size, step):
        last = min(first + step, widths.size)
        products = (columns[:, starts[first] : starts[last]].T @ columns) ** 2
        squares = np.add.reduceat(products, starts[:-1], axis=1)
        squares = np.add.reduceat(squares, starts[first:last] - starts[first], axis=0)
        out[first:last] = np.sqrt(squares / np.minimum(freedom[first:last, None], freedom))
    return out


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
