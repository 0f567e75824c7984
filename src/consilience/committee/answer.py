"""How a fitted committee becomes its result, and which of its features make the panel."""

import time
from datetime import UTC, datetime
from numbers import Integral

import numpy as np
from scipy import sparse

from ..data.bits import BitMatrix
from ..data.block_matrix import BlockMatrix
from ..results.data_facts import data_facts
from ..results.plain import WITHOUT_EFFECT, clean, versions
from ..sampling.content_keys import column_order, content_keys
from ..selectors.validation import feature_names
from .remarks import fit_remarks, value_facts
from .result import CommitteeResult, EFSResult, EIFSResult, QIFSResult
from .search_result import (
    SEARCHED,
    SearchCommitteeResult,
    member_figures,
    search_facts,
    search_parts,
)

PANEL = 20
N_LISTED = 100  # features by how often they are asked for; the arrays have all
TIME = "seconds_"  # how the keys of `rounds_` begin that tell the time of a part
FEW = 0.5  # of the draws that a feature has on average: with fewer, its mean place proves little
SAID_ELSEWHERE = ("n_features",)
# By the name of the class, because the classes import this module.
RESULTS = {"QIFSClassifier": QIFSResult, "EFSClassifier": EFSResult, "EIFSClassifier": EIFSResult}
RESULTS |= SEARCHED
HALF = 0.5  # of the members: what more of them use makes a panel whose size nobody gave


def make_result(
    committee,
    X,
    codes,
    *,
    n_features: int | None = PANEL,
    nominal=None,
    started: float | None = None,
    grouped: bool = False,
    warnings=(),
) -> CommitteeResult:
    """The result of a fitted committee.

    Parameters
    ----------
    committee : BaseCommittee
        Fitted.
    X : array, sparse matrix or BitMatrix of shape (n_samples, n_features)
        The data that it was fitted on, checked.
    codes : int array of shape (n_samples,)
        Class of each row as an index into `classes_`.
    n_features : int, default=20
        Size of the panel: that many of the features with the largest `use_scores`; None takes
        `usual_size`.
    nominal : bool array of shape (n_features,), default=None
        Which columns hold codes of categories; None is none of them.
    started : float, default=None
        When `fit` began, by `time.perf_counter`.
    grouped : bool, default=False
        Whether rows belong together.
    warnings : sequence of str, default=()
        What `fit` has warned of, in sentences.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience import RandomSubspaceClassifier, make_planted
    >>> from consilience.committee.answer import make_result
    >>> made = make_planted(40, 50, random_state=0)
    >>> committee = RandomSubspaceClassifier("ridge", n_estimators=10, random_state=0)
    >>> committee = committee.fit(made.X, made.y)
    >>> codes = np.searchsorted(committee.classes_, made.y)
    >>> make_result(committee, made.X, codes, n_features=5).panels[0].size
    5
    """
    subsets = [np.asarray(subset, dtype=np.intp) for subset in committee.subsets_]
    distances = np.asarray(getattr(committee, "distances_", ()), dtype=np.float64)
    scores = use_scores(subsets, X.shape[1], getattr(committee, "draw_counts_", None))
    size = usual_size(scores) if n_features is None else n_features
    n_listed = max(size, min(3 * max(size, PANEL if n_features is None else 0), N_LISTED))
    asked = best_scored(scores, _second(committee, distances), X, codes, n_listed)
    panel = asked[:size]
    kept = np.sort(panel)
    classes = [str(label) for label in committee.classes_]
    rounds, per_round, parts = _rounds(committee, len(subsets))
    spent = {} if started is None else {"select": time.perf_counter() - started}
    kind = result_class(committee)
    more, facts = {}, _facts(committee)
    if issubclass(kind, SearchCommitteeResult):
        more, facts = search_parts(committee), facts | search_facts(committee)
        rounds = rounds | member_figures(committee)
    return kind(
        **more,
        panels=[panel],
        feature_names=feature_names(committee),
        classes=classes,
        y_codes=codes,
        profiled=kept,
        panel_values=dense_columns(X, kept),
        nominal=np.zeros(kept.size, dtype=bool) if nominal is None else nominal[kept],
        settings=_settings(committee, n_features, grouped),
        data=data_facts(X, codes, classes),
        warnings=[*warnings, *fit_remarks(committee)],
        versions=versions(),
        seconds={**parts, **spent},
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        subsets=subsets,
        asked=asked,
        scores=scores,
        distances=distances,
        rounds=rounds,
        round_seconds=per_round,
        margins=np.asarray(getattr(committee, "margins_", ()), dtype=np.float64),
        facts=facts,
    )


def result_class(committee) -> type[CommitteeResult]:
    """The kind of result that a committee has, by its class or the first base that has one.

    Examples
    --------
    >>> from consilience import QIFSClassifier
    >>> from consilience.committee.answer import result_class
    >>> result_class(QIFSClassifier()).__name__
    'QIFSResult'
    """
    names = (cls.__name__ for cls in type(committee).__mro__)
    return next((RESULTS[name] for name in names if name in RESULTS), CommitteeResult)


def usual_size(scores) -> int:
    """Size of a panel that nobody gave: what half of the members or more use, 20 at most.

    Where no feature is used by so many, it is what is used most: by as many as any other.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.committee.answer import usual_size
    >>> usual_size(np.array([0.9, 0.5, 0.4, 0.0])), usual_size(np.array([0.4, 0.3, 0.4]))
    (2, 2)
    """
    often = np.count_nonzero(scores >= min(HALF, scores.max()))
    return int(min(often, PANEL))


def use_scores(subsets, n_features: int, drawn=None) -> np.ndarray:
    """What the features of a panel are ranked by: how much members use them.

    Where every member chooses from all features, the share of the members that use a feature.
    Where each chooses from a random part, it uses the best whenever it meets it, so that the number
    of members only tells how often a feature was drawn. The score is then its mean place in the
    members that met it: 1 for the top, down to 0 for the end or where it is not taken. Few members
    prove little: half of those that meet a feature on average is the least that a sum is divided
    by, as if the missing ones had met it and not taken it.

    Parameters
    ----------
    subsets : list of int arrays
        The features of each member; best first where `drawn` is given.
    n_features : int
        Number of all features.
    drawn : int array of shape (n_features,), default=None
        How many members met each feature; None: all met all.

    Returns
    -------
    float array of shape (n_features,)
        From 0 to 1.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.committee.answer import use_scores
    >>> subsets = [np.array([0, 2]), np.array([2, 3])]
    >>> use_scores(subsets, 4)
    array([0.5, 0. , 1. , 0.5])
    >>> use_scores(subsets, 4, drawn=np.array([1, 1, 2, 1]))
    array([1.  , 0.  , 0.75, 0.5 ])
    """
    used = np.concatenate(subsets)
    if drawn is None:
        return np.bincount(used, minlength=n_features) / len(subsets)
    places = [np.linspace(1, 0, subset.size, endpoint=False) for subset in subsets]
    sums = np.bincount(used, np.concatenate(places), n_features)
    least = max(FEW * np.mean(drawn), 1)
    return np.round(sums / np.maximum(drawn, least), 12)


def best_scored(scores, distances, X, codes, n_features: int) -> np.ndarray:
    """The features with the largest scores, of equal ones first those with the larger distance.

    What ties in both is ordered by content, so that permuted columns give the same panel.

    Parameters
    ----------
    scores : float array of shape (n_features,)
        From `use_scores`; 0 is never taken.
    distances : float array of shape (n_features,)
        Second in the order; empty where there are none.
    X, codes
        The data, by whose content columns are told apart.
    n_features : int
        How many to take; fewer come back where members use no more.

    Returns
    -------
    int array
        Best first.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.committee.answer import best_scored
    >>> scores, distances = np.array([0.5, 0, 1, 0.5]), np.array([0.1, 0, 0.9, 0.5])
    >>> best_scored(scores, distances, np.eye(4), np.array([0, 0, 1, 1]), 2)
    array([2, 3])
    """
    used = np.flatnonzero(scores)
    if used.size == 0:  # a committee on one class asks for nothing
        return used
    n_features = min(n_features, used.size)
    least = np.partition(scores[used], used.size - n_features)[used.size - n_features]
    able = used[scores[used] >= least]
    columns = take_columns(X, able)
    able = able[column_order(columns, content_keys(columns, codes).columns)]
    second = distances[able] if distances.size else np.zeros(able.size)
    return able[np.lexsort((-second, -scores[able]))][:n_features]


def _second(committee, distances) -> np.ndarray:
    """What decides between features of equal scores: distances, or how accurate their members."""
    known = getattr(committee, "member_accuracies_", None) is not None
    return committee.feature_importances_ if known and not distances.size else distances


def take_columns(X, columns):
    """Some columns, stored as they were."""
    if isinstance(X, (BitMatrix, BlockMatrix)):
        return X.take(columns=columns)
    return X.tocsc()[:, columns] if sparse.issparse(X) else X[:, columns]


def dense_columns(X, columns) -> np.ndarray:
    """Some columns as a dense float array."""
    part = take_columns(X, columns)
    part = part if isinstance(part, np.ndarray) else part.toarray()
    return np.asarray(part, dtype=np.float64)


def _settings(committee, n_features: int | None, grouped: bool) -> dict:
    """The parameters as they were given, which decide the answer."""
    given = committee.get_params(deep=False)
    seed = given.pop("random_state", None)
    given = {key: value for key, value in given.items() if key not in WITHOUT_EFFECT}
    return {
        **clean(given),
        "class": type(committee).__name__,
        "n_features_to_select": None if n_features is None else int(n_features),
        "random_state": int(seed) if isinstance(seed, Integral) else None,
        "weighted": getattr(committee, "_weighted", False),
        "grouped": grouped,
    }


def _facts(committee) -> dict:
    """What is known of the committee as a whole."""
    learner = committee.estimator
    threshold = getattr(committee, "threshold_", None)
    return {
        "learner": learner if isinstance(learner, str) else type(learner).__name__,
        "storage": getattr(committee, "storage_", None),
        "threshold": None if threshold is None else float(threshold),
        "n_rounds": int(getattr(committee, "n_rounds_", len(committee.subsets_))),
        "values": value_facts(committee),
        "order": "places" if hasattr(committee, "draw_counts_") else "members",
    }


def _rounds(committee, n_members: int) -> tuple[dict, np.ndarray, dict]:
    """What each round told, its time, and the time of each part over all rounds.

    The first member may come before all rounds: what was not measured then is NaN.
    """
    told = getattr(committee, "rounds_", None) or {}
    timed = {key.removeprefix(TIME): _padded(told[key], n_members) for key in told if TIME in key}
    measured = {
        key: _padded(values, n_members)
        for key, values in told.items()
        if TIME not in key and key not in SAID_ELSEWHERE
    }
    per_round = timed.pop("total", np.empty(0))
    parts = {part: float(np.nansum(values)) for part, values in timed.items()}
    return measured, per_round, parts


def _padded(values, n_members: int) -> np.ndarray:
    values = np.asarray(values, dtype=np.float64)
    return np.concatenate([np.full(n_members - values.size, np.nan), values])
