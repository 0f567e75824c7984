"""What DAFS scores a feature by: functions of the evidence that the members give.

A score takes `Evidence` and gives a number for each feature, larger is better, NaN for features
in no subspace. A new one is a function here and a line in `SCORES`, and in `HIDING` if it asks how
members do with a feature hidden.
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

DIVERSITY = "double_fault"  # where none is given
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


def mean_drop(evidence: Evidence) -> np.ndarray:
    """How much accuracy the members that use the feature lose when it is hidden from them."""
    return evidence.feature_means(evidence.accuracies[:, None] - evidence.hidden)


SCORES = {"da": diversity_accuracy, "accuracy": mean_accuracy, "drop": mean_drop}
HIDING = {"drop"}
DEFAULT = "da"  # where neither a score nor a diversity is given


def check_options(score, diversity, r, form, orientation, agreement):
    """The score, the measure and the exponent to use, from what was given.

    Examples
    --------
    >>> from consilience.ensemble.dafs_scores import check_options
    >>> check_options(None, "q_statistic", None, "ratio", "diverse", "correctness")
    ('da', 'q_statistic', 3.0)
    """
    if score is None:
        score = DEFAULT if diversity is None else "da"
    for name, value, known in (
        ("score", score, SCORES),
        ("form", form, FORMS),
        ("agreement", agreement, ("correctness", "label")),
    ):
        if not isinstance(value, str) or value not in known:
            raise UsageError(f"{name} is {value!r}; choose one of {', '.join(known)}.")
    measure = DIVERSITY if diversity is None else diversity
    check_measure(measure)
    check_orientation(orientation)
    if agreement == "label" and measure != "disagreement":
        raise UsageError(
            f"agreement='label' compares labels, which diversity={measure!r} does not; choose "
            "diversity='disagreement', or agreement='correctness'."
        )
    if r is None:
        # The double fault alone does not fall as members become more accurate.
        r = 0.5 if form == "linear" else 1 if measure == "double_fault" else 3
    most = 1 if form == "linear" else np.inf
    if not isinstance(r, Real) or isinstance(r, bool) or not 0 <= r <= most or np.isinf(r):
        wanted = "a number from 0 to 1" if form == "linear" else "a number, 0 or more"
        raise UsageError(f"r is {r!r}; give {wanted}, or None.")
    return score, measure, float(r)
