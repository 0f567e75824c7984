"""Which features deviate most where a query committee is unsure, in one piece or by block."""

import numpy as np

from .query_blocks import BlockColumns, as_whole_keys
from .query_columns import Places, QueryColumns
from .value_distances import distance_keys, key_distances


def chooses_there(columns: QueryColumns) -> bool:
    """Whether blocks choose among their own columns, and only the best of them come here."""
    return isinstance(columns.discrete, BlockColumns) and columns.discrete.chooses


def most_wanted(work, rows, seeds, how: dict, watch) -> list[tuple[np.ndarray, np.ndarray]]:
    """Features that deviate most in some rows of each chain, with their distances.

    Of those that do not deviate at most one is taken.

    Parameters
    ----------
    work : Work
        Columns, chains and number of features.
    rows : bool array of shape (n_chains, n_samples)
        The rows that each chain asks about.
    seeds : list of numpy.random.SeedSequence
        For the order among equals, one for each chain.
    how : dict
        Distance and normalisation.
    watch : Stopwatch
        Told when the data have been scanned.
    """
    columns = work.columns
    if chooses_there(columns):
        found = columns.discrete.candidates(work.chains, rows, work.size, how)
    else:
        every, counts = np.arange(columns.n_features), columns.counts(rows)
        totals, starts = work.totals(), columns.encoding.starts
        found = [
            (every, distance_keys(totals[k], counts[k], *_sizes(work, rows, k), starts, **how))
            for k in range(len(rows))
        ]
    watch.lap("scan")
    return [_choose(work, rows, k, *found[k], seed, how) for k, seed in enumerate(seeds)]


def _choose(work, rows, chain: int, features, keys, seed, how: dict):
    """The best of some features by their keys."""
    from ..kernels.top_features import top_features

    places = Places(work.columns, seed, features)
    best = top_features(as_whole_keys(keys), work.size, places)
    if best.size == 0:  # nothing deviates: any feature, but a constant one only in need
        return _any_feature(work, chain, seed)
    starts = work.columns.encoding.starts
    sizes = (*_sizes(work, rows, chain), starts)
    return features[best], key_distances(keys[best], *sizes, **how)


def _any_feature(work, chain: int, seed):
    totals = work.columns.counts(work.chains[chain])
    n_all, starts = np.count_nonzero(work.chains[chain]), work.columns.encoding.starts
    able = np.flatnonzero(_varying(totals, n_all, starts))
    able = able if able.size else np.arange(work.columns.n_features)
    return able[[np.argmin(work.columns.ranks(able, seed))]], np.zeros(1)


def _sizes(work, rows, chain: int) -> tuple[int, int]:
    """Rows of a chain, and those that it asks about."""
    return np.count_nonzero(work.chains[chain]), np.count_nonzero(rows[chain])


def _varying(totals, n_samples, starts):
    """Whether each feature takes more than one value."""
    varies = (totals > 0) & (totals < n_samples)
    return varies if starts is None else varies[starts[:-1]] | (np.diff(starts) > 1)
