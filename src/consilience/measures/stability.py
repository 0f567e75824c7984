"""How far the subsets selected from perturbed data agree.

`nogueira` is the one to report: corrected for chance, with an interval. All measures come from
counts, without a Python loop over the pairs of subsets.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

import numpy as np
from scipy import sparse
from scipy.stats import hypergeom

from ..exceptions import DataError, UsageError
from .similarity import jaccard

NORMAL_QUANTILE_975 = 1.959963984540054
ROWS_AT_ONCE = 500  # bounds the memory of the overlaps of thousands of subsets


@dataclass(frozen=True)
class Stability:
    """A stability and its 95 % interval; `low` and `high` are None where no theory gives one."""

    value: float
    low: float | None = None
    high: float | None = None


def nogueira(subsets: Sequence, n_features: int) -> Stability:
    """Measure stability beyond chance, for subsets of any size, with a 95 % interval.

    1 for identical subsets, 0 on average for random ones, whatever their sizes.

    Parameters
    ----------
    subsets : sequence of integer arrays
        The selected features, as column indices; at least two subsets.
    n_features : int
        Number of features that could be selected.

    Returns
    -------
    Stability
        The estimate and its asymptotic interval, not clipped to [-1, 1]. Where every subset is
        empty, or holds every feature, nothing could differ: the value is 1.

    References
    ----------
    Nogueira, Sechidis, Brown: On the stability of feature selection algorithms. Journal of Machine
    Learning Research 18(174), 2018.

    Examples
    --------
    >>> from consilience import stability
    >>> found = stability.nogueira([[0, 1, 2], [0, 1, 3], [0, 1, 2]], n_features=10)
    >>> round(found.value, 3), round(found.low, 3), round(found.high, 3)
    (0.683, 0.513, 0.852)
    """
    membership = _membership(subsets, n_features)
    n_subsets = membership.shape[0]
    frequencies = membership.sum(axis=0) / n_subsets
    share = membership.sum(axis=1) / n_features
    mean_share = share.mean()
    by_chance = mean_share * (1 - mean_share)
    if by_chance == 0:
        return Stability(1.0, 1.0, 1.0)
    spread = n_subsets / (n_subsets - 1) * (frequencies * (1 - frequencies)).sum() / n_features
    value = 1 - spread / by_chance
    # What each subset contributes; four times the variance of its mean is that of the estimate.
    overlap = membership @ frequencies / n_features
    part = (
        overlap - share * mean_share + value / 2 * (2 * share * mean_share - share - mean_share + 1)
    ) / by_chance
    margin = NORMAL_QUANTILE_975 * 2 * np.sqrt(((part - part.mean()) ** 2).sum()) / n_subsets
    return Stability(float(value), float(value - margin), float(value + margin))


def kuncheva(subsets: Sequence, n_features: int) -> Stability:
    """Measure the mean consistency of all pairs, for subsets of one size.

    (r p - k^2) / (k (p - k)) for two subsets of k of p features that share r, averaged over the
    pairs. For one size this equals `nogueira`, so it carries that interval.

    Parameters
    ----------
    subsets : sequence of integer arrays
        The selected features, as column indices; at least two subsets, all of one size.
    n_features : int
        Number of features that could be selected.

    Returns
    -------
    Stability
        Value and interval; 1 where every subset is empty or holds every feature.

    References
    ----------
    Kuncheva: A stability index for feature selection. Artificial Intelligence and Applications
    2007.

    Examples
    --------
    >>> from consilience import stability
    >>> round(stability.kuncheva([[0, 1, 2], [0, 1, 3]], n_features=10).value, 3)
    0.524
    """
    sizes = np.diff(_membership(subsets, n_features).indptr)
    if np.ptp(sizes) > 0:
        raise DataError(
            f"Kuncheva's index needs subsets of one size, and these have {sizes.min()} to "
            f"{sizes.max()} features; use nogueira, which equals it for one size and takes any."
        )
    return nogueira(subsets, n_features)


def tanimoto(subsets: Sequence, n_features: int) -> Stability:
    """Measure the mean Jaccard similarity of all pairs: shared features over all features of both.

    Easy to read, but not corrected for chance, which `expected_by_chance` tells. Two empty
    subsets are alike (1), an empty one is unlike any other (0).

    Parameters
    ----------
    subsets : sequence of integer arrays
        The selected features, as column indices; at least two subsets.
    n_features : int
        Number of features that could be selected.

    Returns
    -------
    Stability
        The value, without an interval: the pairs are not independent.

    References
    ----------
    Kalousis, Prados, Hilario: Stability of feature selection algorithms. Knowledge and Information
    Systems 12, 2007.

    Examples
    --------
    >>> from consilience import stability
    >>> stability.tanimoto([[0, 1, 2], [0, 1, 3]], n_features=10)
    Stability(value=0.5, low=None, high=None)
    """
    membership = _membership(subsets, n_features)
    n_subsets = membership.shape[0]
    total = 0.0
    for start in range(0, n_subsets, ROWS_AT_ONCE):
        total += jaccard(membership[start : start + ROWS_AT_ONCE], membership).sum()
    return Stability(float((total - n_subsets) / (n_subsets * (n_subsets - 1))))


MEASURES = {"nogueira": nogueira, "kuncheva": kuncheva, "tanimoto": tanimoto}


def all_measures(subsets: Sequence, n_features: int) -> dict[str, dict | None]:
    """Measure stability in all three ways, as plain dicts; None for Kuncheva with mixed sizes.

    Examples
    --------
    >>> from consilience.measures import stability
    >>> stability.all_measures([[0], [1, 0]], n_features=4)["kuncheva"] is None
    True
    """
    sizes = {len(subset) for subset in subsets}
    return {
        name: None
        if name == "kuncheva" and len(sizes) > 1
        else asdict(measure(subsets, n_features))
        for name, measure in MEASURES.items()
    }


def expected_by_chance(measure: str, sizes: Sequence[int], n_features: int) -> float:
    """Tell the stability of random subsets, the zero line of a plot.

    Parameters
    ----------
    measure : {"nogueira", "kuncheva", "tanimoto"}
        Name of the measure.
    sizes : sequence of int
        Sizes of the subsets; a single one stands for two subsets of that size.
    n_features : int
        Number of features that could be selected.

    Returns
    -------
    float
        0 for the measures that are corrected for chance; for `tanimoto` the mean over all pairs
        of the expected Jaccard similarity, exact by the hypergeometric distribution.

    Examples
    --------
    >>> from consilience.measures import stability
    >>> round(stability.expected_by_chance("tanimoto", [20, 20], n_features=7129), 5)
    0.00144
    """
    if measure not in MEASURES:
        raise UsageError(f"Unknown stability measure {measure!r}; known are {', '.join(MEASURES)}.")
    if measure != "tanimoto":
        return 0.0
    distinct, counts = np.unique(sizes, return_counts=True)
    if counts.sum() == 1:
        counts = counts + 1
    if distinct[0] < 0 or distinct[-1] > n_features:
        raise DataError(
            f"Subsets of {distinct[0]} to {distinct[-1]} features cannot be drawn from "
            f"{n_features} features."
        )
    total = 0.0
    for i, a in enumerate(distinct):
        total += counts[i] * (counts[i] - 1) / 2 * _expected_jaccard(a, a, n_features)
        for b, n_b in zip(distinct[:i], counts[:i], strict=True):
            total += counts[i] * n_b * _expected_jaccard(a, b, n_features)
    n_subsets = counts.sum()
    return float(total / (n_subsets * (n_subsets - 1) / 2))


def _expected_jaccard(a, b, n_features):
    if a == b == 0:
        return 1.0
    shared = np.arange(max(0, a + b - n_features), min(a, b) + 1)
    return hypergeom.pmf(shared, n_features, a, b) @ (shared / (a + b - shared))


def _membership(subsets, n_features):
    """Check the subsets and return them as a sparse table of ones, a row per subset."""
    rows = [np.asarray(list(subset) if isinstance(subset, set) else subset) for subset in subsets]
    if len(rows) < 2:
        raise DataError(f"Stability compares subsets and needs at least two, but got {len(rows)}.")
    if any(row.ndim != 1 or (row.size and row.dtype.kind not in "iu") for row in rows):
        raise DataError(
            "Stability needs each subset as a flat list of column indices; "
            "np.flatnonzero turns a mask into them."
        )
    indices = np.concatenate([row.astype(np.intp) for row in rows])
    indptr = np.cumsum([0, *(row.size for row in rows)])
    if indices.size and not (0 <= indices.min() and indices.max() < n_features):
        raise DataError(
            f"The subsets hold feature indices from {indices.min()} to {indices.max()}, but those "
            f"of {n_features} features go from 0 to {n_features - 1}."
        )
    ones = np.ones(indices.size, dtype=np.int32)
    table = sparse.csr_array((ones, indices, indptr), shape=(len(rows), n_features))
    table.sum_duplicates()
    if table.nnz < indices.size:
        raise DataError("A subset holds a feature twice; list each feature once.")
    return table
