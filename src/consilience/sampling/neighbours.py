"""Nearest rows of the same class, one of them drawn for each row that asks."""

import numpy as np
from scipy import sparse

from ..data.scaled_columns import dense_rows

# Cells that become dense, and distances that are held, at once: 16 megabytes.
BLOCK_CELLS = 1 << 21

LARGEST = np.finfo(np.float64).max

# Sparse rows with a larger share of stored values are measured faster as dense ones.
DENSE_SHARE = 0.1


def draw_neighbours(X, seeds, k_neighbors: int, rng, nominal=None) -> np.ndarray:
    """One of the nearest other rows for each seed, drawn at random.

    Distances are Euclidean on the columns as they are; a difference of nominal columns counts
    as in SMOTE-NC. Equally near rows come in random order, drawn anew for each seed. Sums go over
    the columns in their order, so that every storage gives the same neighbours.

    Parameters
    ----------
    X : ndarray or sparse matrix of shape (n_rows, n_features)
        All rows of one class, two or more.
    seeds : int array of shape (n_seeds,)
        Rows of X; the same may occur several times.
    k_neighbors : int
        Neighbours to draw from; all other rows where there are not as many.
    rng : numpy.random.Generator
        Where the draws come from.
    nominal : bool array of shape (n_features,), default=None
        Nominal columns; None is none.

    Returns
    -------
    int array of shape (n_seeds,)
        Rows of X.

    References
    ----------
    N. V. Chawla, K. W. Bowyer, L. O. Hall, W. P. Kegelmeyer: SMOTE: synthetic minority
    over-sampling technique. Journal of Artificial Intelligence Research 16, 2002, section 6.1.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.sampling.neighbours import draw_neighbours
    >>> X = np.array([[0.0], [1.0], [5.0], [7.0]])
    >>> draw_neighbours(X, np.array([0, 3]), 1, np.random.default_rng(0))
    array([1, 2])
    """
    n_rows, n_features = X.shape
    nominal = np.zeros(n_features, dtype=bool) if nominal is None else nominal
    if sparse.issparse(X):
        X = sparse.csc_array(X)  # of which columns are taken
    unit = nominal_unit(X, ~nominal) if nominal.any() else 0.0
    ranks = rng.integers(min(k_neighbors, n_rows - 1), size=seeds.size)
    shares = rng.random(seeds.size)
    found, step = [np.zeros(0, dtype=np.intp)], max(1, BLOCK_CELLS // n_rows)
    for start in range(0, seeds.size, step):
        block = slice(start, start + step)
        squares = np.zeros((seeds[block].size, n_rows))
        _add_differences(X, seeds[block], ~nominal, squares)
        if nominal.any():
            squares += unit * _count_mismatches(X, seeds[block], nominal)
        found.append(_at_rank(squares, seeds[block], ranks[block], shares[block]))
    return np.concatenate(found)


def nominal_unit(X, numeric) -> float:
    """What a difference of one nominal column adds to a squared distance.

    In SMOTE-NC it is the square of the median of the standard deviations of the numeric columns.
    Where none of these varies, only nominal columns count, and it is 1.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.sampling.neighbours import nominal_unit
    >>> nominal_unit(np.array([[0.0, 1.0], [4.0, 2.0]]), np.array([True, False]))
    4.0
    """
    spreads = [np.zeros(0)]
    with np.errstate(over="ignore", invalid="ignore"):
        for cells in _column_blocks(X, numeric):
            varies = cells.max(axis=1) > cells.min(axis=1)  # means of equal numbers may be rounded
            spreads.append(np.where(varies, cells.std(axis=1), 0.0))
        spreads = np.concatenate(spreads)
        unit = np.square(np.median(spreads)) if spreads.any() else 1.0
    return float(np.nan_to_num(unit, nan=LARGEST, posinf=LARGEST))


def _column_blocks(X, wanted):
    """Some columns as float64[n_columns, n_rows], block after block."""
    columns, step = np.flatnonzero(wanted), max(1, BLOCK_CELLS // X.shape[0])
    for start in range(0, columns.size, step):
        block = dense_rows(X, slice(None), columns[start : start + step])
        yield np.ascontiguousarray(block.T, dtype=np.float64)


def _add_differences(X, seeds, numeric, squares):
    """Add squared differences of numeric columns between seeds and all rows."""
    if sparse.issparse(X) and X.nnz < DENSE_SHARE * X.shape[0] * X.shape[1]:
        from ..kernels.sparse_distances import add_sparse_squares

        rows = sparse.csr_array(X if numeric.all() else X[:, np.flatnonzero(numeric)])
        rows.sum_duplicates()  # and sorts
        indptr, indices = (array.astype(np.int64) for array in (rows.indptr, rows.indices))
        add_sparse_squares(indptr, indices, rows.data.astype(np.float64), seeds, squares)
        return
    from ..kernels.heom import add_squares

    for cells in _column_blocks(X, numeric):
        add_squares(cells, np.ascontiguousarray(cells[:, seeds].T), False, squares)


def _count_mismatches(X, seeds, nominal):
    """In how many nominal columns each seed differs from each row, float64[n_seeds, n_rows]."""
    from ..kernels.heom import add_mismatches

    counts = np.zeros((seeds.size, X.shape[0]))
    for cells in _column_blocks(X, nominal):
        add_mismatches(cells, np.ascontiguousarray(cells[:, seeds].T), counts)
    return counts


def _at_rank(squares, seeds, ranks, shares):
    """The row at a rank, counted from 0, in the order of the distances from each seed.

    In a random order of equally near rows each of them is at the rank with the same chance; so
    one of them is drawn, and nothing sorted.
    """
    each = np.arange(seeds.size)
    squares[each, seeds] = np.nan  # no row is its own neighbour; NaN goes last and equals nothing
    distances = np.partition(squares, np.unique(ranks), axis=1)[each, ranks]
    tied = squares == distances[:, None]
    places = (shares * tied.sum(axis=1)).astype(np.intp)
    return np.argmax(np.cumsum(tied, axis=1) > places[:, None], axis=1)
