"""Row samples as multiplicities: a bootstrap is a weight per row, never a copy of the rows."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..exceptions import DataError, UsageError

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
    rate : float or None
        Share of the units drawn without replacement; None draws as many as there are, with
        replacement.
    redraw : bool
        Whether a draw may miss a class, and so must be checked.
    """

    codes: np.ndarray
    unit_of_row: np.ndarray
    strata: list[np.ndarray]
    rate: float | None
    redraw: bool

    def draw(self, rng: np.random.Generator) -> np.ndarray:
        """Draw how often each row is in the sample, int32[n_samples]."""
        for _ in range(MAX_REDRAWS if self.redraw else 1):
            weights = self._draw_once(rng)
            if not self.redraw or np.ptp(self.codes[weights > 0]) > 0:
                return weights
        raise DataError(
            f"{MAX_REDRAWS} samples of the {weights.size} rows in a row held one class only; "
            "give the rare class more rows or groups, or draw within the classes (stratified=True)."
        )

    def _draw_once(self, rng):
        counts = np.zeros(self.unit_of_row.max() + 1, dtype=np.int32)
        for units in self.strata:
            size = units.size
            if self.rate is None:
                counts[units] = np.bincount(rng.integers(size, size=size), minlength=size)
            else:
                # At least one unit, so that no stratum vanishes.
                kept = max(1, round(self.rate * size))
                counts[rng.choice(units, size=kept, replace=False, shuffle=False)] = 1
        return counts[self.unit_of_row]


def plan_bootstrap(y, *, groups=None, stratified: bool = True, rate: float | None = None):
    """Check the request once and return the `Bootstrap` that draws the samples.

    Parameters are those of `bootstrap_weights`.

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
    if stratified:
        strata = [units[unit_class == code] for code in range(classes.size)]
    else:
        strata = [units]
    return Bootstrap(codes, unit_of_row, strata, rate, redraw=not stratified)


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
