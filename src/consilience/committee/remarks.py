"""What a fitted committee has to say about itself: members stopped early, values that were cut."""

import numpy as np


def fit_remarks(committee) -> list[str]:
    """Sentences about what did not go as wished in a fit.

    Parameters
    ----------
    committee : BaseCommittee
        Fitted.

    Examples
    --------
    >>> from consilience import QIFSClassifier, make_planted
    >>> from consilience.committee.remarks import fit_remarks
    >>> made = make_planted(40, 50, random_state=0)
    >>> fit_remarks(QIFSClassifier(n_rounds=2, random_state=0).fit(made.X, made.y))
    []
    """
    members = getattr(committee, "estimators_", ())
    stopped = [member for member in members if was_stopped(member)]
    if not stopped:
        return []
    passes = stopped[0].max_iter
    return [
        f"{len(stopped):,} of {len(members):,} members are linear SVMs that were stopped early, "
        f"after {passes:,} passes; they vote all the same. With --learner tree or nb (in Python, "
        "as `estimator`) members are trained quicker."
    ]


def was_stopped(member) -> bool:
    """Whether a linear SVM used up all its passes.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.committee.remarks import was_stopped
    >>> from consilience.heard import hear
    >>> from consilience.learners.bit_svm import BitLinearSVC
    >>> X = np.random.default_rng(0).integers(0, 2, (40, 6))
    >>> with hear():
    ...     was_stopped(BitLinearSVC(max_iter=1).fit(X, X[:, 0] ^ X[:, 1]))
    True
    """
    passes = getattr(member, "n_iter_", None)
    most = getattr(member, "max_iter", None)
    return passes is not None and most is not None and bool(np.max(passes) >= most)


def value_facts(committee) -> dict | None:
    """How values became zeros and ones; None where they are, or where members see them as such.

    Returns
    -------
    dict or None
        `cut` ("mixture", "quantile", or None where every value counts for itself), `n_bins`, and
        `n_missing`, the number of features that have missing as a value of its own.

    Examples
    --------
    >>> from consilience import QIFSClassifier, make_planted
    >>> from consilience.committee.remarks import value_facts
    >>> made = make_planted(40, 50, random_state=0)
    >>> value_facts(QIFSClassifier(n_rounds=2, random_state=0).fit(made.X, made.y))
    {'cut': 'mixture', 'n_bins': 3, 'n_missing': 0}
    """
    encoding = getattr(committee, "_encoding", None)
    if encoding is None or encoding.cuts is None:
        return None
    return {
        "cut": committee.discretize,
        "n_bins": int(committee.n_bins),
        "n_missing": int(np.count_nonzero(encoding.missing)),
    }
