"""From scores to an order of features, and what a user should hear of it."""

import numpy as np
from scipy.stats import rankdata

# Decimals of the largest beyond which scores differ by the order in which means were added up.
EQUAL = 12

# Features that a warning names.
NAMED = 5

# With fewer features the sign of a rank correlation says little.
FEW = 10

# Below this correlation, score and accuracy of the features run oppositely.
OPPOSITE = 0.0


def order_by_score(scores, hits, accuracies, varies, ties) -> np.ndarray:
    """Feature indices, best first.

    Equal scores: more members first, then the larger mean accuracy, then the lower of `ties`.
    Features without a member come after all others, constant columns last.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.ensemble.dafs_ranking import order_by_score
    >>> scores, hits = np.array([0.5, np.nan, 0.5, 0.9]), np.array([2, 0, 3, 1])
    >>> order_by_score(scores, hits, scores, np.ones(4, dtype=bool), np.arange(4))
    array([3, 2, 0, 1])
    """
    known = np.isfinite(scores)
    keys = [np.where(known, rounded(values), -np.inf) for values in (scores, accuracies)]
    return np.lexsort((ties, -keys[1], -hits, -keys[0], ~varies, ~known))


def rounded(values) -> np.ndarray:
    """Values as shares of the largest, without the digits that rounding makes up."""
    largest = np.nanmax(np.abs(values))
    return np.round(values / largest, EQUAL) if largest > 0 else values


def remark_never_sampled(never_sampled, names, plan) -> str:
    """Name some of the features that no member has used."""
    shown = ", ".join(repr(str(names[j])) for j in never_sampled[:NAMED])
    more = ", ..." if never_sampled.size > NAMED else ""
    verb = "is" if never_sampled.size == 1 else "are"
    return (
        f"{never_sampled.size} of {plan.n_features} features ({shown}{more}) {verb} in none of the "
        f"{plan.n_subspaces} subspaces of {plan.subspace_size} (P_cov {plan.coverage:.4f}) and "
        "cannot be selected; draw more or larger subspaces, or sampling='partition'."
    )


def remark_inversion(scores, accuracies, measure: str, r: float) -> str | None:
    """Say where the better the members of a feature are, the lower it scores."""
    agreement = score_agreement(scores, accuracies)
    if not agreement < OPPOSITE:  # NaN, where nothing can be told, is no reason to warn
        return None
    other = "" if measure == "double_fault" else "diversity='double_fault', or "
    return (
        f"Features with more accurate members score lower (rank correlation {agreement:.2f}): the "
        f"diversity outweighs the accuracy; choose {other}r above {r:g}."
    )


def score_agreement(scores, accuracies) -> float:
    """Spearman's correlation of score and accuracy over the features that have both.

    NaN where it cannot be told: with fewer than `FEW` features, or where either is constant.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.ensemble.dafs_ranking import score_agreement
    >>> score_agreement(np.arange(12.0), -np.arange(12.0))
    -1.0
    >>> score_agreement(np.arange(3.0), -np.arange(3.0))
    nan
    """
    known = np.isfinite(scores) & np.isfinite(accuracies)
    if np.count_nonzero(known) < FEW:
        return float("nan")
    ranks = [rankdata(rounded(values[known])) for values in (scores, accuracies)]
    ranks = [own - own.mean() for own in ranks]
    spread = np.sqrt((ranks[0] @ ranks[0]) * (ranks[1] @ ranks[1]))
    return float(np.round(ranks[0] @ ranks[1] / spread, EQUAL)) if spread > 0 else float("nan")
