"""How differently two classifiers err: the pairwise measures of Kuncheva and Whitaker (2003).

All but kappa look at whether each was right, case by case: n11 cases that both got right, n00
that neither did, n10 and n01 that exactly one did.
"""

import numpy as np

from ..exceptions import DataError, UsageError

__all__ = [
    "correlation",
    "disagreement",
    "double_fault",
    "kappa",
    "member_diversities",
    "pairwise_diversities",
    "q_statistic",
]


def q_statistic(correct_a, correct_b) -> float:
    """Q of Yule: 1 where two classifiers err on the same cases, 0 where independently.

    Parameters
    ----------
    correct_a, correct_b : array-like of bool
        Whether each classifier was right, case by case.

    Returns
    -------
    float
        (n11 n00 - n01 n10) / (n11 n00 + n01 n10), from -1 to 1. Where that is 0/0, such as beside
        a classifier that is always right, one half is added to each of the four counts.

    Examples
    --------
    >>> from consilience.measures.diversity import q_statistic
    >>> q_statistic([True, True, False, False], [True, True, True, False])
    1.0
    """
    return float(_q(*_pair(correct_a, correct_b)))


def correlation(correct_a, correct_b) -> float:
    """Correlation of being right: 1 for the same errors, 0 for independent ones.

    Parameters
    ----------
    correct_a, correct_b : array-like of bool
        Whether each classifier was right, case by case.

    Returns
    -------
    float
        The correlation coefficient of the two columns of 0 and 1. Where one of them is constant,
        one half is added to each of the four counts.

    Examples
    --------
    >>> from consilience.measures.diversity import correlation
    >>> correlation([True, True, False, False], [True, False, True, False])
    0.0
    """
    return float(_rho(*_pair(correct_a, correct_b)))


def disagreement(correct_a, correct_b) -> float:
    """Share of the cases that exactly one of two classifiers got right.

    Parameters
    ----------
    correct_a, correct_b : array-like of bool
        Whether each classifier was right, case by case.

    Examples
    --------
    >>> from consilience.measures.diversity import disagreement
    >>> disagreement([True, True, False, False], [True, False, True, False])
    0.5
    """
    return float(_disagreement(*_pair(correct_a, correct_b)))


def double_fault(correct_a, correct_b) -> float:
    """Share of the cases that both classifiers got wrong.

    Parameters
    ----------
    correct_a, correct_b : array-like of bool
        Whether each classifier was right, case by case.

    Examples
    --------
    >>> from consilience.measures.diversity import double_fault
    >>> double_fault([True, True, False, False], [True, False, True, False])
    0.25
    """
    return float(_double_fault(*_pair(correct_a, correct_b)))


def kappa(predicted_a, predicted_b) -> float:
    """Agreement of the labels of two classifiers beyond chance, Cohen's kappa.

    Parameters
    ----------
    predicted_a, predicted_b : array-like
        The class that each classifier gave, case by case.

    Returns
    -------
    float
        1 for the same labels throughout, 0 for as much agreement as chance would give. Two
        classifiers that give all cases one and the same class agree: 1.

    Examples
    --------
    >>> from consilience.measures.diversity import kappa
    >>> kappa(["a", "a", "b", "b"], ["a", "a", "b", "a"])
    0.5
    """
    predicted_a, predicted_b = np.asarray(predicted_a), np.asarray(predicted_b)
    _check_pair(predicted_a, predicted_b)
    agreed = np.mean(predicted_a == predicted_b)
    labels = np.union1d(predicted_a, predicted_b)
    by_chance = sum(np.mean(predicted_a == c) * np.mean(predicted_b == c) for c in labels)
    return 1.0 if agreed == 1 else float((agreed - by_chance) / (1 - by_chance))


def member_diversities(
    correct, ensemble_correct, measure: str = "double_fault", *, orientation: str = "diverse"
) -> np.ndarray:
    """How each member of an ensemble differs from the ensemble, all members at once.

    Parameters
    ----------
    correct : array-like of bool, shape (n_members, n_cases)
        Whether each member was right, case by case.
    ensemble_correct : array-like of bool, shape (n_cases,)
        Whether the ensemble was.
    measure : {"q_statistic", "correlation", "disagreement", "double_fault"}
        Which of the measures.
    orientation : {"diverse", "raw"}, default="diverse"
        "diverse" turns each measure so that larger is more diverse, from 0 to 1: (1 - Q) / 2,
        (1 - correlation) / 2, disagreement, 1 - double fault. "raw" gives the published values.

    Returns
    -------
    ndarray of shape (n_members,)

    Examples
    --------
    >>> from consilience.measures.diversity import member_diversities
    >>> members = [[True, True, False, False], [False, True, True, True]]
    >>> member_diversities(members, [True, True, True, False], "double_fault")
    array([0.75, 1.  ])
    """
    check_measure(measure)
    check_orientation(orientation)
    correct, ensemble_correct = _right_or_wrong(correct), _right_or_wrong(ensemble_correct)
    if correct.ndim != 2 or ensemble_correct.shape != correct.shape[1:]:
        raise DataError(
            f"The members were right or wrong in an array of shape {correct.shape}, and the "
            f"ensemble in one of {ensemble_correct.shape}; give (members, cases) and (cases,)."
        )
    raw = MEASURES[measure](*_counts(correct, ensemble_correct))
    return raw if orientation == "raw" else TURNED[measure](raw)


def pairwise_diversities(
    answers, reference_answers, y, measure: str = "disagreement"
) -> np.ndarray:
    """How much each classifier differs from each of a reference set, larger being more diverse.

    Parameters
    ----------
    answers : array-like of shape (n_classifiers, n_cases)
        The class that each classifier gave, case by case.
    reference_answers : array-like of shape (n_reference, n_cases)
        The same of the classifiers that they are compared with.
    y : array-like of shape (n_cases,)
        The true classes.
    measure : str, default="disagreement"
        "disagreement", "double_fault", "q_statistic" and "correlation" as `member_diversities`
        turns them, by who was right; "label_disagreement", the share of the cases with different
        answers, right or wrong; "kappa", which is (1 - kappa) / 2, and "kappa_raw01", which is
        (1 + kappa) / 2 and so rewards agreement.

    Returns
    -------
    ndarray of shape (n_classifiers, n_reference)
        From 0 to 1; all 0 where there are no cases.

    Examples
    --------
    >>> from consilience.measures.diversity import pairwise_diversities
    >>> members = [[0, 1, 2, 2], [0, 1, 1, 1]]
    >>> pairwise_diversities(members, members, [0, 1, 2, 1])
    array([[0. , 0.5],
           [0.5, 0. ]])
    """
    check_pairwise(measure)
    answers, reference_answers, y = map(np.asarray, (answers, reference_answers, y))
    if answers.ndim != 2 or {answers.shape[1:], reference_answers.shape[1:]} != {y.shape}:
        raise DataError(
            f"The answers of classifiers came in arrays of shape {answers.shape} and "
            f"{reference_answers.shape} for true classes of shape {y.shape}; give (classifiers, "
            "cases) for both, and (cases,)."
        )
    if y.size == 0:
        return np.zeros((len(answers), len(reference_answers)))
    if measure in MEASURES:
        right, reference_right = answers == y, reference_answers == y
        n11 = _shared(right, reference_right)
        n10 = np.count_nonzero(right, axis=1)[:, None] - n11
        n01 = np.count_nonzero(reference_right, axis=1) - n11
        return TURNED[measure](MEASURES[measure](n11, n10, n01, y.size - n11 - n10 - n01))
    labels = np.union1d(answers, reference_answers)
    agreed = sum(_shared(answers == c, reference_answers == c) for c in labels)
    if measure == "label_disagreement":
        return (y.size - agreed) / y.size
    counts, reference_counts = (
        np.stack([np.count_nonzero(given == c, axis=1) for c in labels], axis=1, dtype=np.float64)
        for given in (answers, reference_answers)
    )
    turned = turned_kappa(agreed, counts @ reference_counts.T, y.size)
    return turned if measure == "kappa" else 1 - turned


def _shared(some, others):
    """Number of cases in which both are true, for each pair: one product of matrices."""
    # float32 holds whole numbers up to 16 million, and has the faster product.
    kind = np.float32 if some.shape[1] < 1 << 24 else np.float64
    # BLAS may work on lanes beyond the end, where whatever is there can raise a false alarm.
    with np.errstate(all="ignore"):
        return (some.astype(kind) @ others.astype(kind).T).astype(np.float64)


def turned_kappa(agreed, by_chance, n_cases):
    """(1 - kappa) / 2 from numbers of cases: n (n - agreed) / 2 (n^2 - by_chance).

    By whole numbers, so that equal answers give 0 and no rounding; two classifiers that give all
    cases one and the same class agree.
    """
    least = n_cases**2 - by_chance
    differ = n_cases * (n_cases - agreed)
    return np.divide(differ, 2 * least, out=np.zeros_like(agreed), where=least > 0)


def label_disagreements(predicted, ensemble_predicted) -> np.ndarray:
    """Share of the cases in which each member gives another label than the ensemble.

    With more than two classes both may be wrong and yet differ.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.measures.diversity import label_disagreements
    >>> label_disagreements(np.array([[0, 1, 2, 2]]), np.array([0, 1, 2, 1]))
    array([0.25])
    """
    return np.mean(predicted != ensemble_predicted, axis=1)


def check_measure(measure) -> None:
    """Refuse what is none of the measures."""
    if not isinstance(measure, str) or measure not in MEASURES:
        raise UsageError(f"diversity is {measure!r}; choose one of {', '.join(MEASURES)}.")


def check_pairwise(measure) -> None:
    """Refuse what is none of the measures between two classifiers."""
    if not isinstance(measure, str) or measure not in PAIRWISE:
        raise UsageError(f"diversity is {measure!r}; choose one of {', '.join(PAIRWISE)}.")


def check_orientation(orientation) -> None:
    """Refuse what is no orientation."""
    if not isinstance(orientation, str) or orientation not in ("diverse", "raw"):
        raise UsageError(f"orientation is {orientation!r}; choose 'diverse' or 'raw'.")


def _pair(correct_a, correct_b):
    """The four counts of one pair, as floats."""
    correct_a, correct_b = _right_or_wrong(correct_a), _right_or_wrong(correct_b)
    _check_pair(correct_a, correct_b)
    return tuple(count[0] for count in _counts(correct_a[None], correct_b))


def _right_or_wrong(correct) -> np.ndarray:
    """Whether each case was right, as booleans; labels are refused."""
    correct = np.asarray(correct)
    if correct.dtype == bool:
        return correct
    if correct.dtype.kind not in "iuf" or not np.isin(correct, (0, 1)).all():
        raise DataError(
            "Diversity compares whether classifiers were right, True or False for each case, and "
            f"not {correct.ravel()[:1].tolist()}; give predicted == y in place of labels."
        )
    return correct.astype(bool)


def _check_pair(a, b):
    if a.ndim != 1 or a.shape != b.shape or a.size == 0:
        raise DataError(
            f"Two classifiers are compared on the same cases, but got arrays of shape {a.shape} "
            f"and {b.shape}; give one value per case in each."
        )


def _counts(correct, ensemble):
    """n11, n10, n01, n00 of each member against the ensemble: products of matrix and vector."""
    # float32 holds whole numbers up to 16 million, and has the fast product.
    right = correct.astype(np.float32)
    n11 = (right @ ensemble.astype(np.float32)).astype(np.float64)
    n10 = np.count_nonzero(correct, axis=1) - n11
    n01 = np.count_nonzero(ensemble) - n11
    return n11, n10, n01, ensemble.size - n11 - n10 - n01


def _q(n11, n10, n01, n00):
    empty = np.where(n11 * n00 + n01 * n10 == 0, 0.5, 0.0)
    n11, n10, n01, n00 = n11 + empty, n10 + empty, n01 + empty, n00 + empty
    return (n11 * n00 - n01 * n10) / (n11 * n00 + n01 * n10)


def _rho(n11, n10, n01, n00):
    empty = np.where((n11 + n10) * (n01 + n00) * (n11 + n01) * (n10 + n00) == 0, 0.5, 0.0)
    n11, n10, n01, n00 = n11 + empty, n10 + empty, n01 + empty, n00 + empty
    sides = (n11 + n10) * (n01 + n00) * (n11 + n01) * (n10 + n00)
    return (n11 * n00 - n01 * n10) / np.sqrt(sides)


def _disagreement(n11, n10, n01, n00):
    return (n01 + n10) / (n11 + n10 + n01 + n00)


def _double_fault(n11, n10, n01, n00):
    return n00 / (n11 + n10 + n01 + n00)


MEASURES = {
    "q_statistic": _q,
    "correlation": _rho,
    "disagreement": _disagreement,
    "double_fault": _double_fault,
}
# What makes larger mean more diverse, each in [0, 1].
TURNED = {
    "q_statistic": lambda raw: (1 - raw) / 2,
    "correlation": lambda raw: (1 - raw) / 2,
    "disagreement": lambda raw: raw,
    "double_fault": lambda raw: 1 - raw,
}
# What `pairwise_diversities` knows: by who was right, and by the answers themselves.
PAIRWISE = ("disagreement", "kappa", "label_disagreement", "q_statistic", "correlation",
            "double_fault", "kappa_raw01")  # fmt: skip
