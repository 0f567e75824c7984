"""The five methods of the Qifs paper, two other forms of Qifs, and one of them on one fold."""

import time
from pathlib import Path

import numpy as np

from ...committee.efs import EFSClassifier
from ...committee.eifs import EIFSClassifier
from ...committee.qifs import QIFSClassifier
from ...committee.random_subspace import RandomSubspaceClassifier
from ...data.bits import BitMatrix
from ...learners.bit_svm import BitLinearSVC
from ...learners.bit_tree import BitTreeClassifier
from ..committee_stages import one_member_scores
from .qifs_measures import FORMS, HELD_OUT, RIVALS, VARIANCE, Fold

N_FEATURES, N_CANDIDATES = 500, 1000  # of each member, in all methods; before Markov blankets
METHODS = (*FORMS, *RIVALS)
# The same for all methods, without particular options. Machines are solved to 0.01, which takes a
# quarter to half of the time of 0.0001 on hiva; in a check all answers on test rows were the same.
MEMBERS = {"svm": BitLinearSVC(C=1.0, tol=0.01), "tree": BitTreeClassifier()}


def make_method(name: str, learner: str, n_columns: int, n_rounds: int, seed: int):
    """One of the methods, with the settings of the paper's Table 3 and Section 3.3.

    Parameters
    ----------
    name : str
        One of `METHODS`.
    learner : {"svm", "tree"}
        What members are: linear SVM, or C4.5.
    n_columns : int
        Number of features of the data; no member has more than half of them.
    n_rounds : int
        Rounds of Qifs; Rand has as many members as Qifs then.
    seed : int
        Seed.

    Examples
    --------
    >>> from consilience.evaluation.reproduce.qifs_methods import make_method
    >>> method = make_method("Eifs", "svm", n_columns=139_351, n_rounds=50, seed=0)
    >>> method.n_rounds, method.n_features
    (20, 500)
    """
    size, member = min(N_FEATURES, n_columns // 2), MEMBERS[learner]
    if name == "Efs":
        return EFSClassifier(
            member, n_rounds=10, share=0.5, n_candidates=min(N_CANDIDATES, n_columns // 2),
            n_features=size, random_state=seed,
        )  # fmt: skip
    if name == "Eifs":
        return EIFSClassifier(member, n_rounds=20, share=0.5, n_features=size, random_state=seed)
    if name == "Rand":
        return RandomSubspaceClassifier(
            member, n_estimators=n_rounds + 1, subspace_size=size,
            scale=False, random_state=seed,
        )  # fmt: skip
    return QIFSClassifier(
        member,
        init="fss",
        n_rounds=0 if name == "FSS" else n_rounds,  # before its first round Qifs is FSS
        n_instances=0.5,
        n_features=size,
        normalize="variance" if name == VARIANCE else None,
        votes="oof" if name == HELD_OUT else "training",
        patience=None,
        random_state=seed,
    )


def judge_method(method, path: Path, y, X_test, positive) -> Fold:
    """Train a method from a file of packed rows and let it tell of the test rows.

    Parameters
    ----------
    method : committee
        Unfitted.
    path : Path
        The training rows; reading them counts.
    y : int array
        Their classes, 1 is the rarer.
    X_test : BitMatrix
        The test rows.
    positive : bool array
        Whether they are of the rarer class.

    Returns
    -------
    Fold
    """
    wall, cpu = time.perf_counter(), time.thread_time()
    method.fit(BitMatrix.open(path), y)
    wall, cpu = time.perf_counter() - wall, time.thread_time() - cpu
    shares = np.array([stage[:, 1] for stage in method.staged_predict_proba(X_test)])
    scores = shares[-1]
    if len(shares) == 1:
        bits = X_test.take(columns=method.subsets_[0])
        scores = one_member_scores(method, bits, np.column_stack([1 - scores, scores]))[:, 1]
    return Fold(positive, shares, scores, timeline(method, wall, cpu, len(shares)))


def timeline(method, wall, cpu, n_members) -> np.ndarray:
    """CPU seconds until each member was there; what came before the rounds counts to the first.

    Committees measure their rounds by the clock of the wall, which other work on the machine
    slows; the CPU seconds of the whole are dealt out in their proportion. Members of random
    subspaces are all alike.
    """
    if hasattr(method, "rounds_"):
        rounds = np.cumsum(method.rounds_["seconds_total"])
        return (rounds + max(0.0, wall - rounds[-1])) * cpu / max(wall, rounds[-1])
    return cpu * np.arange(1, n_members + 1) / n_members
