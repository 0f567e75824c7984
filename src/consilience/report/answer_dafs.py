"""The words for DAFS: features judged by many small classifiers on random subspaces."""

from ..ensemble.dafs_ranking import OPPOSITE
from .levels import panel_stability
from .sentences import (
    agreement_cautions,
    fold_sentences,
    noise_cautions,
    performance_sentences,
    rival_cautions,
    small_class_cautions,
)
from .steadiness import fold_cautions, fold_steady
from .text import clean_name, count, counted, listing, number, shorten

__all__ = ["cautions", "decisive_stability", "opening", "sentences", "steady"]

N_NAMED = 3  # features that no subspace held, named in a sentence

decisive_stability = panel_stability
steady = fold_steady


def opening(document: dict) -> str:
    """Say what was done, ending before the names of the features."""
    data, coverage = document["data"], document["coverage"]
    features = document["panels"][0]["features"]
    scores, verb = ("scores", "is") if len(features) == 1 else ("score", "are")
    return (
        f"Of {counted(data['n_features'], 'feature')} measured in "
        f"{counted(data['n_samples'], 'sample')}, the {counted(len(features), 'feature')} that "
        f"{scores} best in {counted(coverage['n_subspaces'], 'small classifier')}, each on "
        f"{counted(coverage['subspace_size'], 'random feature')}, {verb}"
    )


def sentences(document: dict) -> list[str]:
    """Say how steady the panel is over training sets, and how accurate on unseen rows."""
    return [*fold_sentences(document), *performance_sentences(document)]


def cautions(document: dict, agreed: str, predicted: str) -> list[str]:
    """List what a reader must not overlook, the gravest first."""
    found = []
    if predicted != "unchecked":
        found += noise_cautions(document, predicted)
    found += agreement_cautions(document, agreed)
    if predicted == "no better":
        return found  # nothing else matters then
    return [
        *found,
        *judging_cautions(document),
        *opposite_cautions(document),
        *rival_cautions(document),
        *fold_cautions(document),
        *coverage_cautions(document),
        *_size_cautions(document),
        *small_class_cautions(document),
    ]


def judging_cautions(document: dict) -> list[str]:
    """Say so where the members were judged on the rows that they had learned from."""
    if document["settings"]["evaluation"] != "train":
        return []
    return [
        "The features were judged on the very rows that their classifiers had learned from, where "
        "a close fit looks like skill: scores and size of the panel tell less than they seem to. "
        "Judge on rows held out, by evaluation \u201coof\u201d."
    ]


def opposite_cautions(document: dict) -> list[str]:
    """Say so where the score prefers features of the less accurate members."""
    correlation = document["scoring"]["correlation"]
    if correlation is None or not correlation < OPPOSITE:
        return []
    another = "measure of diversity" if document["scoring"]["score"] == "da" else "criterion"
    return [
        "Score and accuracy run oppositely (rank correlation "
        f"{number(correlation)}): the score prefers features whose classifiers are less accurate. "
        f"Take another {another} before you trust this panel."
    ]


def coverage_cautions(document: dict) -> list[str]:
    """Name the features that were never looked at."""
    coverage = document["coverage"]
    missed = coverage["n_never_sampled"]
    if not missed:
        return []
    names = [shorten(clean_name(name), 40) for name in coverage["never_sampled"][:N_NAMED]]
    more = missed - len(names)
    named = listing([*names, f"{count(more)} more"] if more else names)
    verb, them = ("was", "it") if missed == 1 else ("were", "them")
    return [
        f"{counted(missed, 'feature')} of {count(document['data']['n_features'])} {verb} in no "
        f"subspace and could not be chosen: {named}. More subspaces would reach {them}."
    ]


def _size_cautions(document: dict) -> list[str]:
    """Say so where the size of the panel was held back by the limit that was given."""
    size, most = len(document["panels"][0]["features"]), len(document["curve"])
    given = document["settings"]["n_features_to_select"] is not None
    if given or size < 2 or size < most:
        return []
    return [
        f"The panel has the most features that were allowed, {most}: with a higher limit it might "
        "be larger."
    ]
