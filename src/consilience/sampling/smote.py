"""SMOTE: new rows between a row and one of its nearest neighbours of the same class."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from scipy import sparse

from ..data.rows import take_rows
from .neighbours import draw_neighbours

# New rows are made so many cells at once: 16 megabytes.
BLOCK_CELLS = 1 << 21


class Pairs(NamedTuple):
    """Two rows for each new one, which shall lie between them.

    Attributes
    ----------
    seeds, mates : int arrays of shape (n_pairs,)
        A row, and one of its nearest neighbours of the same class.
    from_mate : bool array of shape (n_pairs, n_nominal)
        Whether the new row takes the value of the mate, or of the seed, in each nominal column.
    """

    seeds: np.ndarray
    mates: np.ndarray
    from_mate: np.ndarray

    def donors(self, place: int) -> np.ndarray:
        """Rows whose values the new ones take in the nominal column of this place."""
        return np.where(self.from_mate[:, place], self.mates, self.seeds)


def draw_pairs(X, codes, seeds, nominal, k_neighbors: int, rng) -> Pairs:
    """Draw a neighbour for each seed, and a coin for each nominal value.

    Parameters
    ----------
    X : ndarray or sparse matrix of shape (n_samples, n_features)
        The data.
    codes : int array of shape (n_samples,)
        Class of each row.
    seeds : int array of shape (n_pairs,)
        Rows that new ones start from, class after class.
    nominal : bool array of shape (n_features,)
        Nominal columns.
    k_neighbors : int
        Nearest neighbours to draw from.
    rng : numpy.random.Generator
        Where the draws come from.
    """
    mates = np.empty_like(seeds)
    for label in np.unique(codes[seeds]):
        own, chosen = np.flatnonzero(codes == label), codes[seeds] == label
        places = np.searchsorted(own, seeds[chosen])
        mates[chosen] = own[draw_neighbours(take_rows(X, own), places, k_neighbors, rng, nominal)]
    return Pairs(seeds, mates, rng.random((seeds.size, np.count_nonzero(nominal))) < 0.5)


def rows_between(X, pairs: Pairs, nominal, gap: str, rng) -> Iterator[np.ndarray]:
    """Random points between pairs of rows, block after block.

    Parameters
    ----------
    X : ndarray or sparse matrix of shape (n_samples, n_features)
        The data.
    pairs : Pairs
        Rows of X.
    nominal : bool array of shape (n_features,)
        Nominal columns: nothing is between their values.
    gap : {"row", "column"}
        Whether a new row has one random share of the way from its seed to the mate, and so lies
        on the line between them, or one in each column, and so lies in the box.
    rng : numpy.random.Generator
        Where the shares come from: uniform between 0 and 1, pair after pair.

    Yields
    ------
    float64 array of shape (n_block, n_features)
        The next new rows.
    """
    n_pairs, n_features = pairs.seeds.size, X.shape[1]
    X = sparse.csr_array(X) if sparse.issparse(X) else X  # of which rows are taken
    step = max(1, BLOCK_CELLS // n_features)
    for start in range(0, n_pairs, step):
        block = slice(start, min(start + step, n_pairs))
        seeds, mates = (_dense(take_rows(X, rows[block])) for rows in (pairs.seeds, pairs.mates))
        shares = rng.random((len(seeds), 1 if gap == "row" else n_features))
        with np.errstate(over="ignore"):
            new = seeds + shares * (mates - seeds)
        # Rounding may lead past the end, and so may a difference beyond all numbers.
        np.clip(new, np.minimum(seeds, mates), np.maximum(seeds, mates), out=new)
        new[:, nominal] = np.where(pairs.from_mate[block], mates[:, nominal], seeds[:, nominal])
        yield new


def _dense(X):
    return (X.toarray() if sparse.issparse(X) else X).astype(np.float64)
