"""Which features can stand in for which: those that the models choose instead of each other."""

from dataclasses import asdict, dataclass

import numpy as np
from scipy.stats import false_discovery_control, hypergeom, rankdata

# Expected together in fewer models than this, even two features that never meet prove nothing:
# by chance alone that happens with probability exp(-3), about 0.05.
LEAST_EXPECTED = 3.0
MOST_LIFT = 0.5  # together at most half as often as chance would have it
SIGNIFICANT = 0.05
MOST_PER_FEATURE = 5


@dataclass(frozen=True)
class StandIn:
    """A feature that the models choose where another one is missing.

    Attributes
    ----------
    feature, other : int
        A feature of the panel, and the one that can stand in for it; column indices.
    without, together : float
        Share of the models that choose `other` among those without `feature` and with it.
    p : float
        Fisher's exact test that they meet this seldom by chance, corrected for all pairs looked
        at (false discovery rate, Benjamini and Hochberg).
    companions : float
        How alike the company of the two is, from 0 to 1: of the features chosen beside the one
        (without the other) and beside the other (without the one), the shared part of the mean
        numbers (weighted Jaccard). Low: they belong to different families of models.
    correlation : float or None
        Spearman's rank correlation of the two columns; None where values were not kept, hold
        categories or do not vary.
    """

    feature: int
    other: int
    without: float
    together: float
    p: float
    companions: float
    correlation: float | None

    def to_dict(self, names) -> dict:
        """Return plain values, with names in place of columns."""
        told = asdict(self)
        return told | {"feature": str(names[self.feature]), "other": str(names[self.other])}


def stand_ins(models, panel, profiled=(), values=None, nominal=None) -> list[StandIn]:
    """Find for each feature of a panel the features that stand in for it.

    Feature j stands in for feature i if the models choose both together at most half as often as
    their frequencies alone would give, and if chance makes that unlikely: Fisher's one-sided exact
    test over the models, corrected for all pairs that could have shown something (expected
    together in at least 3 models; a rule on frequencies alone, so it favours nobody). A feature
    that every model chooses has no stand-in.

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
    >>> [(pair.feature, pair.other, pair.without) for pair in stand_ins(models, [0, 1])]
    [(1, 2, 1.0)]
    """
    panel = np.asarray(panel)
    counts = models.counts
    n_models = models.n_models
    member = models.membership().astype(np.float64)
    candidates = np.flatnonzero((counts > 0) & (counts < n_models))
    columns = member.tocsc()
    together = np.rint((columns[:, panel].T @ columns[:, candidates]).toarray()).astype(int)
    expected = np.outer(counts[panel], counts[candidates]) / n_models
    tested = (expected >= LEAST_EXPECTED) & (panel[:, None] != candidates)
    tested &= (counts[panel] < n_models)[:, None]
    row, column = np.nonzero(tested)
    if not row.size:
        return []
    met = together[row, column]
    chance = hypergeom.cdf(met, n_models, counts[panel[row]], counts[candidates[column]])
    corrected = false_discovery_control(np.clip(chance, 0.0, 1.0))
    seldom = met <= MOST_LIFT * expected[row, column]
    known = np.flatnonzero(seldom & (corrected <= SIGNIFICANT))
    # Clearest first; of equal p the more frequent, then the better ranked, never the column.
    order = np.lexsort(
        (
            models.mean_ranks[candidates[column[known]]],
            -counts[candidates[column[known]]],
            corrected[known],
            row[known],
        )
    )
    found, taken = [], np.zeros(panel.size, dtype=int)
    correlate = _correlations(profiled, values, nominal)
    for k in known[order]:
        i, j = int(panel[row[k]]), int(candidates[column[k]])
        if taken[row[k]] == MOST_PER_FEATURE:
            continue
        taken[row[k]] += 1
        found.append(
            StandIn(
                feature=i,
                other=j,
                without=float((counts[j] - met[k]) / (n_models - counts[i])),
                together=float(met[k] / counts[i]),
                p=float(corrected[k]),
                companions=_companions(member, i, j),
                correlation=correlate(i, j),
            )
        )
    return found


def _companions(member, i, j) -> float:
    """Weighted Jaccard of what is chosen beside i without j, and beside j without i."""
    has_i, has_j = member[:, [i, j]].toarray().T > 0
    beside = []
    for mask in (has_i & ~has_j, has_j & ~has_i):
        if not mask.any():
            return 0.0
        means = np.asarray(member[np.flatnonzero(mask)].mean(axis=0)).ravel()
        means[[i, j]] = 0.0
        beside.append(means)
    total = np.maximum(*beside).sum()
    return float(np.minimum(*beside).sum() / total) if total else 1.0


def _correlations(profiled, values, nominal):
    """Return a function of two columns that gives their rank correlation where it is known."""
    place = {int(j): k for k, j in enumerate(profiled)}

    def correlate(i, j):
        if i not in place or j not in place:
            return None
        first, second = place[i], place[j]
        if nominal is not None and (nominal[first] or nominal[second]):
            return None
        pair = np.asarray(values)[:, [first, second]]
        pair = pair[~np.isnan(pair).any(axis=1)]
        if len(pair) < 3 or (np.ptp(pair, axis=0) == 0).any():
            return None
        return float(np.corrcoef(rankdata(pair, axis=0).T)[0, 1])

    return correlate
