"""The rivals of a committee: the same learner on features that were chosen otherwise."""

from collections.abc import Callable
from dataclasses import dataclass

from ..exceptions import UsageError

# Settings that rivals take over: what is learned by whom, and how data are prepared.
SHARED = (
    "estimator", "n_features", "scale", "discretize", "n_bins", "threshold", "random_state",
)  # fmt: skip


@dataclass(frozen=True)
class Rival:
    """How readers call a rival, and what makes it for a committee."""

    label: str
    make: Callable


def make_rivals(committee, names) -> dict[str, object]:
    """The rivals of a committee, unfitted, by name; one of its own kind is left out.

    Parameters
    ----------
    committee : committee
        Whose learner and number of features they share.
    names : sequence of {"subspace", "fss", "efs", "eifs"}
        Which of them.
    """
    unknown = [name for name in names if name not in RIVALS]
    if isinstance(names, str) or unknown:
        raise UsageError(
            f"rivals is {names!r}; give a list of some of {', '.join(RIVALS)}, or an empty one."
        )
    made = {name: RIVALS[name].make(committee) for name in RIVALS if name in names}
    return {name: rival for name, rival in made.items() if type(rival) is not type(committee)
            or name == "fss"}  # fmt: skip


def _like(cls, committee, **settings):
    """A committee of another kind with the settings that both kinds know."""
    given, made = committee.get_params(deep=False), cls()
    known = made.get_params(deep=False)
    shared = {name: given[name] for name in SHARED if name in given and name in known}
    return made.set_params(**shared | settings)


def _random_subspaces(committee):
    from ..committee.random_subspace import RandomSubspaceClassifier

    return _like(RandomSubspaceClassifier, committee)


def _one_classifier(committee):
    """One classifier on the features of FSS: a committee before its first round."""
    from ..committee.qifs import QIFSClassifier

    return _like(QIFSClassifier, committee, init="fss", n_rounds=0)


def _efs(committee):
    from ..committee.efs import EFSClassifier

    return _like(EFSClassifier, committee)


def _eifs(committee):
    from ..committee.eifs import EIFSClassifier

    return _like(EIFSClassifier, committee)


RIVALS = {
    "subspace": Rival("random features", _random_subspaces),
    "fss": Rival("one classifier, FSS", _one_classifier),
    "efs": Rival("EFS", _efs),
    "eifs": Rival("EIFS", _eifs),
}
