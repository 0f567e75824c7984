"""What DAFS scores a feature by: functions of the evidence that the members give.

A score takes `Evidence` and gives a number for each feature, larger is better, NaN for features
in no subspace. A new one is a function here and a line in `SCORES`, and in `HIDING` if it asks how
members do with a feature hidden. `DAFS` calls them by its parameter `criterion`.
"""

from dataclasses import dataclass
from numbers import Real

import numpy as np

from ..exceptions import UsageError
from ..measures.diversity import (
    check_measure,
    check_orientation,
    label_disagreements,
    member_diversities,
)

# Where none is given: what "da" measures, and what is only told beside other criteria.
DIVERSITY, TOLD = "double_fault", "disagreement"
FORMS = ("ratio", "linear", "num")


@dataclass(frozen=True)
class Evidence:
    """What is known when the members have predicted the rows that were held out.

    Attributes
    ----------
    subspaces : int array of shape (n_members, subspace_size)
        Features of each member.
    n_features : int
        Number of all features.
    y : int array of shape (n_rows,)
        Classes of the rows that are held out.
    predicted : int array of shape (n_members, n_rows)
        What each member says of them.
    voted : int array of shape (n_rows,)
        What the ensemble says.
    measure, orientation, agreement, form : str
        How diversity is measured, and joined with accuracy.
    r : float
        Exponent, or share in the linear form.
    hidden : float array of shape (n_members, subspace_size) or None
        Accuracy of each member with each of its features hidden; None where no score asks.
    """

    subspaces: np.ndarray
    n_features: int
    y: np.ndarray
    predicted: np.ndarray
    voted: np.ndarray
    measure: str
    orientation: str
    agreement: str
    form: str
    r: float
    hidden: np.ndarray | None = None

    @property
    def accuracies(self) -> np.ndarray:
        """Share of the rows that each member gets right."""
        return np.mean(self.predicted == self.y, axis=1)

    @property
    def ensemble_accuracy(self) -> float:
        """Share of the rows that the ensemble gets right."""
        return float(np.mean(self.voted == self.y))

    @property
    def diversities(self) -> np.ndarray:
        """How each member differs from the ensemble."""
        if self.agreement == "label":
            return label_disagreements(self.predicted, self.voted)
        return member_diversities(
            self.predicted == self.y,
            self.voted == self.y,
            self.measure,
            orientation=self.orientation,
        )

    @property
    def hits(self) -> np.ndarray:
        """Number of members that use each feature."""
        return np.bincount(self.subspaces.ravel(), minlength=self.n_features)

    def feature_means(self, values) -> np.ndarray:
        """Mean over a feature's members of what each has; NaN without a member.

        `values` is one number for each member, or one for each of its features.
        """
        spread = values if values.ndim == 2 else np.repeat(values, self.subspaces.shape[1])
        sums = np.bincount(self.subspaces.ravel(), spread.ravel(), minlength=self.n_features)
        hits = self.hits
        return np.divide(sums, hits, out=np.full(self.n_features, np.nan), where=hits > 0)


def diversity_accuracy(evidence: Evidence) -> np.ndarray:
    """DA of the paper: the mean of the members' relative accuracies, weighted by diversity.

    "ratio": (a / a_ensemble)^r d; "linear": r (a / a_ensemble) d + (1 - r) a / a_ensemble;
    "num": a^r / a_ensemble d, which ranks as "ratio" does.
    """
    accuracies, d, r = evidence.accuracies, evidence.diversities, evidence.r
    ensemble = evidence.ensemble_accuracy or 1 / (2 * evidence.y.size)
    ratio = accuracies / ensemble
    if evidence.form == "ratio":
        terms = ratio**r * d
    elif evidence.form == "linear":
        terms = r * ratio * d + (1 - r) * ratio
    else:
        terms = accuracies**r / ensemble * d
    return evidence.feature_means(terms)


def mean_accuracy(evidence: Evidence) -> np.ndarray:
    """Mean accuracy of the members that use the feature."""
    return evidence.feature_means(evidence.accuracies)


def occlusion(evidence: Evidence) -> np.ndarray:
    """What the members lose when the feature is hidden from them, accurate members before others.

    (a / a_ensemble)^r (a - a_hidden), the mean over the members that use the feature and three more
    that lose nothing, times exp(0.3 z) where z tells by how many robust standard deviations the
    accuracy of its members exceeds that of others'. The loss takes the place of the diversity in
    DA: it is what this feature, and none of its company, brings. See
    docs/decisions/0015-dafs-score.md.
    """
    accuracies = evidence.accuracies
    ensemble = evidence.ensemble_accuracy or 1 / (2 * evidence.y.size)
    ratio = (accuracies / ensemble) ** evidence.r
    lost = evidence.feature_means(ratio[:, None] * (accuracies[:, None] - evidence.hidden))
    lost *= evidence.hits / (evidence.hits + UNMOVED)
    company = np.exp(COMPANY * robust_z(mean_accuracy(evidence)))
    # Better company never makes a score worse, one below 0 included.
    return np.where(lost < 0, lost / company, lost * company)


def robust_z(values) -> np.ndarray:
    """Distance from the median in robust standard deviations, 10 at most either way.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.ensemble.dafs_scores import robust_z
    >>> robust_z(np.array([0.1, 0.2, 0.3, 0.4, 9.0, np.nan])).round(2)
    array([-1.35, -0.67,  0.  ,  0.67, 10.  ,   nan])
    """
    known = values[np.isfinite(values)]
    if known.size == 0:
        return values
    middle = np.median(known)
    # 1.4826 makes it the standard deviation where values are normal.
    spreads = 1.4826 * np.median(np.abs(known - middle)), known.std()
    spread = next((spread for spread in spreads if spread > ROUNDING), np.inf)
    return np.clip((values - middle) / spread, -10, 10)


# Accuracies that differ by less are equal but for rounding.
ROUNDING = 1e-9

# Members that count as having lost nothing: a feature that one member alone has seen may be lucky.
UNMOVED = 3

# What one robust standard deviation of the members' accuracy counts for, by the study.
COMPANY = 0.3

# Largest exponent: members of half the accuracy of the ensemble then count for nothing at all.
MOST = 100

SCORES = {"occlusion": occlusion, "da": diversity_accuracy, "accuracy": mean_accuracy}
HIDING = {"occlusion"}
DEFAULT = "occlusion"  # where neither a criterion nor a diversity is given


def check_options(criterion, diversity, r, form, orientation, agreement):
    """The criterion, the measure and the exponent to use, from what was given.

    Examples
    --------
    >>> from consilience.ensemble.dafs_scores import check_options
    >>> check_options(None, "q_statistic", None, "ratio", "diverse", "correctness")
    ('da', 'q_statistic', 3.0)
    """
    asked = {"diversity": (diversity, None), "form": (form, "ratio")}
    asked |= {"orientation": (orientation, "diverse"), "agreement": (agreement, "correctness")}
    of_the_paper = [name for name, (given, usual) in asked.items() if given != usual]
    if criterion is None:
        criterion = "da" if of_the_paper else DEFAULT
    for name, value, known in (
        ("criterion", criterion, SCORES),
        ("form", form, FORMS),
        ("agreement", agreement, ("correctness", "label")),
    ):
        if not isinstance(value, str) or value not in known:
            raise UsageError(f"{name} is {value!r}; choose one of {', '.join(known)}.")
    others = [name for name in of_the_paper if name != "diversity"]
    if criterion != "da" and others:
        raise UsageError(
            f"{others[0]}={asked[others[0]][0]!r} is a choice of criterion='da' and criterion is "
            f"{criterion!r}; leave one of them out."
        )
    measure = (DIVERSITY if criterion == "da" else TOLD) if diversity is None else diversity
    check_measure(measure)
    check_orientation(orientation)
    if agreement == "label" and measure != "disagreement":
        raise UsageError(
            f"agreement='label' compares labels, which diversity={measure!r} does not; choose "
            "diversity='disagreement', or agreement='correctness'."
        )
    if r is None and criterion == "da" and form == "linear":
        r = 0.5
    elif r is None:
        # Of the diversities the double fault alone does not fall as members become more accurate.
        r = 1 if criterion == "da" and measure == "double_fault" else 3
    most = 1 if form == "linear" else MOST
    if not isinstance(r, Real) or isinstance(r, bool) or not 0 <= r <= most:
        raise UsageError(f"r is {r!r}; give a number from 0 to {most}, or None.")
    return criterion, measure, float(r)
