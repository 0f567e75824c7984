"""Row samples as multiplicities: a bootstrap is a weight per row, never a copy of the rows."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..exceptions import DataError, UsageError

MAX_COPIES = 100  # per row on average; beyond it whole weights are scales, not copies
MAX_REDRAWS = 100  # a plain bootstrap that misses all but one class this often is hopeless


@dataclass(frozen=True)
class Bootstrap:
    """How to draw one sample of the rows; every draw takes its own random generator.

    Attributes
    ----------
    codes : int array of shape (n_samples,)
        Class of each row, as 0..c-1.
    unit_of_row : int array of shape (n_samples,)
        What is drawn together: the row itself, or its group.
    strata : list of int arrays
        Units that are drawn from among themselves; a single one means a plain draw.
    shares : list of float arrays or None
        Running sums of the weights of each stratum's units; None draws all alike.
    row_weights : array of shape (n_samples,) or None
        What each drawn row counts, where its weight is not a matter of the draw.
    rate : float or None
        Share of the units drawn without replacement; None draws as many as there are, with
        replacement.
    redraw : bool
        Whether a draw may miss a class, and so must be checked.
    """

    codes: np.ndarray
    unit_of_row: np.ndarray
    strata: list[np.ndarray]
    shares: list[np.ndarray] | None
    row_weights: np.ndarray | None
    rate: float | None
    redraw: bool

    def draw(self, rng: np.random.Generator) -> np.ndarray:
        """Draw what each row counts in the sample, 0 where it is not in it: [n_samples]."""
        for _ in range(MAX_REDRAWS if self.redraw else 1):
            weights = self._draw_once(rng)
            if not self.redraw or np.ptp(self.codes[weights > 0]) > 0:
                return weights if self.row_weights is None else weights * self.row_weights
        raise DataError(
            f"{MAX_REDRAWS} samples of the {weights.size} rows in a row held one class only; "
            "give the rare class more rows or groups, or draw within the classes (stratified=True)."
        )

    def _draw_once(self, rng):
        counts = np.zeros(self.unit_of_row.max() + 1, dtype=np.int32)
        for number, units in enumerate(self.strata):
            size = units.size
            sums = None if self.shares is None else self.shares[number]
            if self.rate is not None:
                drawn = _draw_part(size if sums is None else int(sums[-1]), self.rate, rng)
                drawn = drawn if sums is None else np.searchsorted(sums, drawn, side="right")
            elif sums is None:
                drawn = rng.integers(size, size=size)
            else:
                drawn = _draw_by_share(sums, rng)
            counts[units] = np.bincount(drawn, minlength=size)
        return counts[self.unit_of_row]


def _draw_part(size, rate, rng):
    """A share of the numbers below `size`, none twice; at least one, so that no class vanishes."""
    kept = max(1, round(rate * size))
    return rng.choice(size, size=kept, replace=False, shuffle=False)


def _are_copies(sums):
    """Whether weights with these running sums are whole, and so few that they can be copies."""
    return sums[-1] <= MAX_COPIES * sums.size and np.array_equal(sums, np.rint(sums))


def _draw_by_share(sums, rng):
    """Positions drawn in proportion to weights with the running sums `sums`.

    Whole weights are numbers of copies, and the draw is that from the copies, unless there are
    very many: then they are relative, as others are, and as many are drawn as have any weight.
    """
    total = sums[-1]
    if _are_copies(sums):
        places = rng.integers(int(total), size=int(total))
    else:
        places = total * rng.random(np.count_nonzero(np.diff(sums, prepend=0.0)))
    return np.searchsorted(sums, places, side="right")


def plan_bootstrap(
    y,
    *,
    groups=None,
    stratified: bool = True,
    rate: float | None = None,
    sample_weight=None,
    keys=None,
):
    """Check the request once and return the `Bootstrap` that draws the samples.

    Parameters are those of `bootstrap_weights`, and two more.

    Parameters
    ----------
    y, groups, stratified, rate
        As for `bootstrap_weights`.
    sample_weight : array-like of shape (n_samples,), default=None
        Rows are drawn in proportion to their weights; whole weights are numbers of copies. With
        groups, or with a rate and weights that are not whole, all are drawn alike and count by
        their weights.
    keys : array-like of shape (n_samples,), default=None
        Rows (or groups) are drawn in the order of their keys, so that the order of the rows does
        not matter; see `row_keys`. None draws them in the order of the data.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.sampling.bootstrap import plan_bootstrap
    >>> plan = plan_bootstrap(["a", "a", "b", "b"], rate=0.5)
    >>> int(plan.draw(np.random.default_rng(0)).sum())
    2
    """
    if rate is not None and not 0 < rate < 1:
        raise UsageError(
            f"The rate of rows to draw is {rate}; give a number between 0 and 1, such as 0.5, "
            "or None for a bootstrap."
        )
    classes, codes = np.unique(np.asarray(y), return_inverse=True)
    n_samples = codes.size
    if n_samples == 0:
        raise DataError("There is no row to draw a sample from; give at least one per class.")
    unit_of_row, unit_class = np.arange(n_samples), codes
    if groups is not None:
        if len(groups) != n_samples:
            raise DataError(
                f"There are {len(groups)} group labels for {n_samples} rows; give one per row."
            )
        unit_of_row = np.unique(np.asarray(groups), return_inverse=True)[1]
        unit_class = np.empty(unit_of_row.max() + 1, dtype=codes.dtype)
        unit_class[unit_of_row] = codes
        # A group with several classes belongs to no class: then the groups are drawn plainly.
        stratified = stratified and np.array_equal(unit_class[unit_of_row], codes)
    units = np.arange(unit_class.size)
    if keys is not None:
        unit_keys = np.zeros(units.size, dtype=np.uint64)
        np.add.at(unit_keys, unit_of_row, np.asarray(keys, dtype=np.uint64))
        units = units[np.argsort(unit_keys, kind="stable")]
    strata = [units]
    if stratified:
        strata = [units[unit_class[units] == code] for code in range(classes.size)]
    shares, row_weights = None, None
    if sample_weight is not None:
        weights = np.asarray(sample_weight, dtype=np.float64)
        row_weights = weights
        if groups is None:
            strata = [units[weights[units] > 0] for units in strata]
            strata = [units for units in strata if units.size]
            sums = [np.cumsum(weights[units]) for units in strata]
            if rate is None or all(_are_copies(each) for each in sums):
                shares, row_weights = sums, None
    return Bootstrap(codes, unit_of_row, strata, shares, row_weights, rate, redraw=not stratified)


def bootstrap_weights(
    y, seeds: Sequence, *, groups=None, stratified: bool = True, rate: float | None = None
) -> np.ndarray:
    """Draw one sample of the rows per seed, as the number of copies of each row.

    Row multiplicities stand for the copied rows in every method that takes `sample_weight`, so X
    is sorted, packed or centred once for all samples. Each sample has its own seed: how the
    samples are split into batches cannot change a draw.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        Class labels.
    seeds : sequence of numpy.random.SeedSequence, int or numpy.random.Generator
        One per sample. A generator is advanced by its draw, so that the caller can go on with it.
    groups : array-like of shape (n_samples,), default=None
        Rows that belong together, such as the samples of one patient. Whole groups are drawn, as
        many as there are, so the number of rows in a sample varies with their sizes. They are
        drawn within each class when every group is of one class, otherwise plainly.
    stratified : bool, default=True
        Draw within each class, so that every class keeps its number of rows and none vanishes.
        False draws from all rows, anew while fewer than two classes are present, at most 100
        times.
    rate : float between 0 and 1, default=None
        Draw this share of the rows (of each class, at least one) without replacement. None draws
        n of n with replacement, the bootstrap.

    Returns
    -------
    int32 array of shape (len(seeds), n_samples)
        How often each row is in each sample.

    References
    ----------
    Woznica, Nguyen, Kalousis: Model mining for robust feature selection. KDD 2012.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.sampling import bootstrap_weights
    >>> seeds = np.random.SeedSequence(0).spawn(3)
    >>> weights = bootstrap_weights(["ALL", "ALL", "ALL", "AML", "AML"], seeds)
    >>> weights.shape, weights[:, :3].sum(axis=1).tolist()
    ((3, 5), [3, 3, 3])
    """
    plan = plan_bootstrap(y, groups=groups, stratified=stratified, rate=rate)
    weights = np.empty((len(seeds), plan.codes.size), dtype=np.int32)
    for row, seed in zip(weights, seeds, strict=True):
        row[:] = plan.draw(np.random.default_rng(seed))
    return weights
