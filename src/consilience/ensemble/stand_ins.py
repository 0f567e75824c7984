"""Which features can stand in for which: chosen instead of each other, or with the same values."""

from dataclasses import asdict, dataclass

import numpy as np
from scipy.stats import false_discovery_control, hypergeom, rankdata
from scipy.stats import t as student

# Expected together in fewer models than this, even two features that never meet prove nothing:
# by chance alone that happens with probability exp(-3), about 0.05.
LEAST_EXPECTED = 3.0
MOST_LIFT = 0.5  # together at most half as often as chance would have it
LEAST_CORRELATION = 0.7  # half of the variance in common
LEAST_ROWS = 20  # with fewer, the test of a correlation promises too much in its far tail
SIGNIFICANT = 0.05
MOST_PER_FEATURE = 5


@dataclass(frozen=True)
class StandIn:
    """A feature that can take the place of another one.

    Attributes
    ----------
    feature, other : int
        A feature of the panel, and the one that can stand in for it; column indices.
    evidence : {"choice", "values", "both"}
        Whether the models choose `other` where `feature` is missing, or the two columns hold
        much the same values.
    without, together : float or None
        Share of the models that choose `other` among those without `feature` and with it; None
        where there is no such model.
    p : float or None
        Fisher's exact test that the two meet this seldom by chance, corrected for all pairs looked
        at (false discovery rate, Benjamini and Hochberg); None where too few models choose them.
    companions : float
        How alike the company of the two is, from 0 to 1: of the features chosen beside the one
        (without the other) and beside the other (without the one), the shared part of the mean
        numbers (weighted Jaccard). Low: they belong to different families of models.
    correlation : float or None
        Spearman's rank correlation of the two columns (each ranked among its known values, on the
        rows that both have); None where values were not kept, hold categories or do not vary.
    """

    feature: int
    other: int
    evidence: str
    without: float | None
    together: float | None
    p: float | None
    companions: float
    correlation: float | None

    def to_dict(self, names) -> dict:
        """Return plain values, with names in place of columns."""
        told = asdict(self)
        return told | {"feature": str(names[self.feature]), "other": str(names[self.other])}


def stand_ins(models, panel, profiled=(), values=None, nominal=None) -> list[StandIn]:
    """Find for each feature of a panel the features that can stand in for it.

    There are two kinds of evidence. By choice: the models take both together at most half as often
    as their frequencies alone would give, and chance makes that unlikely (Fisher's one-sided exact
    test over the models, corrected for all pairs that could have shown something: expected
    together in at least 3 models, a rule on frequencies alone that favours nobody). By values: the
    feature is not in the panel itself, some model chooses it, and its rank correlation with the one
    in the panel is at least 0.7 either way on 20 rows or more, and not by chance (corrected
    likewise).

    Parameters
    ----------
    models : FeatureModels
        The selections.
    panel : int array
        Features for which stand-ins are wanted, in order of importance.
    profiled : int array, default=()
        Columns whose values are known.
    values : float array of shape (n_samples, len(profiled)), default=None
        Their values.
    nominal : bool array of shape (len(profiled),), default=None
        Which of them hold codes of categories.

    Returns
    -------
    list of StandIn
        In the order of the panel, for each feature the clearest first, at most five.

    Examples
    --------
    >>> from consilience import FeatureModels
    >>> from consilience.ensemble.stand_ins import stand_ins
    >>> models = FeatureModels([[0, 1], [0, 2]] * 20, n_features=4)
    >>> [(pair.feature, pair.other, pair.evidence) for pair in stand_ins(models, [0, 1])]
    [(1, 2, 'choice')]
    """
    panel, counts, n_models = np.asarray(panel), models.counts, models.n_models
    chosen = np.flatnonzero(counts)
    member = models.membership().tocsc().astype(np.float64)
    met = np.rint((member[:, panel].T @ member[:, chosen]).toarray()).astype(int)
    by_choice = _seldom_together(met, panel, chosen, counts, n_models)
    by_values = _alike(panel, profiled, values, nominal)
    place, ranks = {int(j): k for k, j in enumerate(chosen)}, models.mean_ranks
    found = []
    for row, i in enumerate(panel):
        choice = {j: p for j, (p, shown) in by_choice[row].items() if shown}
        close = {j: value for j, (value, shown) in by_values[row].items() if shown}
        alike = {j for j in close if j in place and j not in panel}

        def clearest(j, choice=choice, alike=alike, close=close):
            """Both kinds of evidence first, then choice, clearest first; never by column."""
            kinds = (j in choice) + (j in alike)
            told = choice.get(j, 1.0), -abs(close.get(j, 0.0)), -counts[j], ranks[j]
            return -kinds, j not in choice, *told

        for j in sorted(choice.keys() | alike, key=clearest)[:MOST_PER_FEATURE]:
            together, absent = met[row, place[j]], n_models - counts[i]
            kind = "choice" if j in choice else "values"
            found.append(
                StandIn(
                    feature=int(i),
                    other=int(j),
                    evidence="both" if j in choice and j in alike else kind,
                    without=float((counts[j] - together) / absent) if absent else None,
                    together=float(together / counts[i]) if counts[i] else None,
                    p=by_choice[row].get(j, (None, False))[0],
                    companions=_companions(member, chosen, i, j),
                    correlation=by_values[row].get(j, (None, False))[0],
                )
            )
    return found


def _seldom_together(met, panel, chosen, counts, n_models) -> list[dict]:
    """For each feature of the panel: the p value of each other one, and whether it says enough."""
    candidates = chosen[counts[chosen] < n_models]
    expected = np.outer(counts[panel], counts[candidates]) / n_models
    tested = (expected >= LEAST_EXPECTED) & (panel[:, None] != candidates)
    tested &= (counts[panel] < n_models)[:, None]
    row, column = np.nonzero(tested)
    found = [{} for _ in panel]
    if not row.size:
        return found
    together = met[row, np.searchsorted(chosen, candidates[column])]
    chance = hypergeom.cdf(together, n_models, counts[panel[row]], counts[candidates[column]])
    corrected = false_discovery_control(np.clip(chance, 0.0, 1.0))
    shown = (together <= MOST_LIFT * expected[row, column]) & (corrected <= SIGNIFICANT)
    for k, p, enough in zip(range(row.size), corrected, shown, strict=True):
        found[row[k]][int(candidates[column[k]])] = float(p), bool(enough)
    return found


def _alike(panel, profiled, values, nominal) -> list[dict]:
    """For each feature of the panel: its correlation with the known ones, and whether high."""
    found = [{} for _ in panel]
    profiled = np.asarray(profiled, dtype=int)
    measured = np.ones(profiled.size, dtype=bool) if nominal is None else ~np.asarray(nominal)
    places = {int(j): k for k, j in enumerate(profiled) if measured[k]}
    rows = [row for row, i in enumerate(panel) if int(i) in places]
    if not rows:
        return found
    columns = np.flatnonzero(measured)
    own = np.array([places[int(panel[row])] for row in rows])
    correlation, n_samples = _rank_correlations(np.asarray(values, dtype=float), own, columns)
    correlation[own[:, None] == columns] = np.nan
    known = np.isfinite(correlation)
    freedom = n_samples[known] - 2
    spread = np.sqrt(np.clip(1 - correlation[known] ** 2, 1e-12, None) / freedom)
    chance = 2 * student.sf(np.abs(correlation[known]) / spread, freedom)
    high = np.zeros(known.shape, dtype=bool)
    if known.any():
        high[known] = false_discovery_control(chance) <= SIGNIFICANT
        high &= (np.abs(correlation) >= LEAST_CORRELATION) & (n_samples >= LEAST_ROWS)
    for k, c in zip(*np.nonzero(known), strict=True):
        told = float(correlation[k, c]), bool(high[k, c])
        found[rows[k]][int(profiled[columns[c]])] = told
    return found


def _rank_correlations(values, own, columns):
    """Correlate the ranks of some columns with those of others, on the rows that both have.

    Every column is ranked once, among its known values. Returns the correlations, NaN where
    undefined, and the number of rows behind each, both [len(own), len(columns)].
    """
    known = ~np.isnan(values)
    ranks = rankdata(values, axis=0, nan_policy="omit")
    # Centred first, so that the sums below keep their digits.
    ranks = np.where(known, ranks - (known.sum(axis=0) + 1) / 2, 0.0)
    marks = known.astype(float)
    a, b, in_a, in_b = ranks[:, own], ranks[:, columns], marks[:, own], marks[:, columns]
    n_samples = (in_a.T @ in_b).round().astype(int)
    shared = np.maximum(n_samples, 1)
    sum_a, sum_b = a.T @ in_b, in_a.T @ b
    spread_a = (a**2).T @ in_b - sum_a**2 / shared
    spread_b = in_a.T @ b**2 - sum_b**2 / shared
    varies = (n_samples > 3) & (np.minimum(spread_a, spread_b) > 1e-9 * shared)
    root = np.sqrt(np.where(varies, spread_a * spread_b, 1.0))
    correlation = np.clip((a.T @ b - sum_a * sum_b / shared) / root, -1.0, 1.0)
    return np.where(varies, correlation, np.nan), n_samples


def _companions(member, chosen, i, j) -> float:
    """Weighted Jaccard of what is chosen beside i without j, and beside j without i."""
    has_i, has_j = member[:, [i, j]].toarray().T > 0
    others = member[:, chosen[(chosen != i) & (chosen != j)]]
    beside = []
    for mask in (has_i & ~has_j, has_j & ~has_i):
        if not mask.any():
            return 0.0
        beside.append((mask @ others) / mask.sum())
    total = np.maximum(*beside).sum()
    # Rounded, because the order of the columns decides the last bit of a sum.
    return round(float(np.minimum(*beside).sum() / total), 12) if total else 1.0
