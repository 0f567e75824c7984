"""The rivals of a committee: the same learner on features that were chosen otherwise."""

from collections.abc import Callable
from dataclasses import dataclass

from ..committee.answer import result_class
from ..committee.query_base import default_subset_size
from ..committee.search_result import SearchCommitteeResult
from ..exceptions import UsageError
from .search_rivals import SEARCH_MAKERS

# Settings that rivals take over: what is learned by whom, and how data are prepared.
SHARED = ("estimator", "n_features", "discretize", "n_bins", "tie_class", "random_state")


@dataclass(frozen=True)
class Rival:
    """How readers call a rival, and what makes it from a committee and the data."""

    label: str
    make: Callable


def rivals_of(committee) -> dict[str, Rival]:
    """All that a committee can be compared with, by name: those of its kind.

    Examples
    --------
    >>> from consilience import QIFSClassifier, RandomSubspaceClassifier
    >>> from consilience.evaluation.committee_rivals import rivals_of
    >>> list(rivals_of(QIFSClassifier())), list(rivals_of(RandomSubspaceClassifier()))
    (['subspace', 'fss', 'efs', 'eifs'], ['subspace', 'one', 'forest'])
    """
    return SEARCH_RIVALS if is_searched(committee) else RIVALS


def is_searched(committee) -> bool:
    """Whether the members of a committee were searched for, or drawn as such searches start."""
    return issubclass(result_class(committee), SearchCommitteeResult)


def make_rivals(committee, names, X) -> dict[str, object]:
    """The rivals of a committee, unfitted, by name; one of its own kind is left out.

    Parameters
    ----------
    committee : committee
        Whose learner and number of features they share.
    names : sequence of str or None
        Which of `rivals_of` the committee; None is all of them.
    X : ndarray, sparse matrix or BitMatrix of shape (n_samples, n_features)
        The data.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience import EFSClassifier
    >>> from consilience.evaluation.committee_rivals import make_rivals
    >>> list(make_rivals(EFSClassifier("tree"), ["efs", "fss"], np.eye(4)))
    ['fss']
    """
    known = rivals_of(committee)
    names = list(known) if names is None else names
    if isinstance(names, str) or any(name not in known for name in names):
        raise UsageError(
            f"rivals is {names!r}; give a list of some of {', '.join(known)}, or an empty one."
        )
    own = type(committee).__name__
    return {
        name: rival.make(committee, X)
        for name, rival in known.items()
        if name in names and own != KINDS.get(name)
    }


def _like(cls, committee, **settings):
    """A committee of another kind with the settings that both kinds know."""
    given, made = committee.get_params(deep=False), cls()
    known = made.get_params(deep=False)
    shared = {name: given[name] for name in SHARED if name in given and name in known}
    if "threshold" in known and not isinstance(given.get("threshold"), str):
        shared["threshold"] = given.get("threshold")  # a tuned one is its owner's
    if "n_rounds" in known and isinstance(given.get("n_rounds"), int):
        shared["n_rounds"] = min(known["n_rounds"], max(given["n_rounds"], 1))
    return made.set_params(**shared | settings)


def _random_subspaces(committee, X):
    """As many members on as many features, drawn at random.

    A committee on all of a random part of the right size: its columns are cut, and its votes
    decide, as those of the other rivals.
    """
    from ..committee.eifs import EIFSClassifier

    given, n_features = committee.get_params(deep=False), X.shape[1]
    size = given.get("n_features") or default_subset_size(n_features)
    # Qifs has a member before its first round.
    n_members = given.get("n_rounds", 50) + (type(committee).__name__ == "QIFSClassifier")
    settings = {"n_rounds": n_members, "n_features": size, "share": size / n_features}
    return _like(EIFSClassifier, committee, **settings)


def _one_classifier(committee, X):
    """One classifier on the features of FSS: a committee before its first round."""
    from ..committee.qifs import QIFSClassifier

    return _like(QIFSClassifier, committee, init="fss", n_rounds=0, patience=None)


def _efs(committee, X):
    from ..committee.efs import EFSClassifier

    return _like(EFSClassifier, committee)


def _eifs(committee, X):
    from ..committee.eifs import EIFSClassifier

    return _like(EIFSClassifier, committee)


RIVALS = {
    "subspace": Rival("random features", _random_subspaces),
    "fss": Rival("one classifier, FSS", _one_classifier),
    "efs": Rival("EFS", _efs),
    "eifs": Rival("EIFS", _eifs),
}
SEARCH_RIVALS = {name: Rival(*told) for name, told in SEARCH_MAKERS.items()}
KINDS = {"subspace": "RandomSubspaceClassifier", "efs": "EFSClassifier", "eifs": "EIFSClassifier"}
