"""How a committee does on rows that it has not seen, beside its rivals on the same folds."""

import numpy as np

from ..committee.answer import PANEL
from ..committee.query_members import member_view
from ..committee.selection import CommitteeSelector
from ..data.discrete import is_binary
from ..execution import Checkpoint, Progress, open_checkpoint
from .classifiers import Judge, judge_everything, make_judge
from .committee_outcome import TUNED, CommitteeEvaluation
from .committee_rivals import RIVALS, SEARCH_RIVALS, is_searched, make_rivals
from .committee_rules import Rules, rule_answers
from .committee_stages import fold_area, is_tuned, join_stages, one_member_scores, stage, stages
from .outcome import MethodOutcome
from .study import Fold, Study

LABELS = {
    "committee": "committee",
    TUNED: "committee, tuned threshold",
    **{key: rival.label for key, rival in (RIVALS | SEARCH_RIVALS).items()},
    "ensemble": "panel alone",
    "majority": "largest class",
}


def evaluate_committee(
    committee,
    X,
    y,
    *,
    n_features_to_select: int | None = None,
    rivals=None,
    groups=None,
    n_splits: int = 10,
    classifier="svm",
    random_state=None,
    n_jobs: int | None = None,
    backend: str = "threads",
    checkpoint: Checkpoint | str | None = None,
    progress: Progress | None = None,
) -> CommitteeEvaluation:
    """Tell how a committee predicts rows that it has not seen, and whether its choice helps.

    Each fold is set aside in turn; the committee and every rival learn from the other rows alone.
    The rivals have the committee's own learner and number of features: a committee on random
    features, one classifier on the features that remain after Markov blanket filtering, and the
    two committees that select from random halves of the features. A committee whose members were
    searched for is compared with random features, one classifier on all features and a random
    forest, and with itself under every other rule of integration. Judged like any panel are the
    features that members use most, see `CommitteeSelector`. Where a class is rare, look at the
    average precision and the balanced accuracy: naming the largest class always has a small error,
    too. Rivals tune no threshold: where the committee does, all are compared by the majority of
    their votes, and what it predicts with its own threshold stands beside them as "tuned".
    `groups` are kept together in these folds, and not in those that a committee makes in training.

    Parameters
    ----------
    committee : classifier with `subsets_` after `fit`, or CommitteeSelector
        What to evaluate; cloned, never changed.
    X : array-like, data frame, sparse matrix or BitMatrix of shape (n_samples, n_features)
        The data.
    y : array-like of shape (n_samples,)
        Class labels.
    n_features_to_select : int, default=None
        Size of the panel; a CommitteeSelector brings its own. None is 20 or, of a committee whose
        members were searched for, what at least half of them use.
    rivals : sequence of str, default=None
        Whom to compare with: some of "subspace", "fss", "efs" and "eifs", of searched committees
        some of "subspace", "one" and "forest"; None is all of its kind.
    groups : array-like of shape (n_samples,), default=None
        Rows that belong together are trained on or tested together.
    n_splits : int, default=10
        Number of stratified folds; lowered, with a warning, to the size of the rarest class.
    classifier : str or classifier, default="svm"
        What judges the panel, as in `evaluate_selection`.
    random_state : int, RandomState or None, default=None
        Seed of the folds and of all that happens in them.
    n_jobs : int, default=None
        Number of folds at the same time.
    backend : {"threads", "processes"}, default="threads"
        What `n_jobs` counts; never changes the figures.
    checkpoint : Checkpoint, str or Path, default=None
        Where finished folds are kept.
    progress : Progress, default=None
        Told of every finished fold.

    Returns
    -------
    CommitteeEvaluation
        Error, balanced accuracy, AUC and average precision of each, the curves of precision over
        recall, the figures after each round, and those of every rule of integration.

    Examples
    --------
    >>> from consilience import RandomSubspaceClassifier, evaluate_committee, make_planted
    >>> made = make_planted(60, 50, effect=2.0, random_state=0)
    >>> committee = RandomSubspaceClassifier("ridge", n_estimators=10)
    >>> found = evaluate_committee(
    ...     committee, made.X, made.y, rivals=[], n_splits=3, random_state=0
    ... )
    >>> found.average_precision("committee").value > 0.7
    True
    """
    selector = committee
    if not isinstance(committee, CommitteeSelector):
        if n_features_to_select is None and not is_searched(committee):
            n_features_to_select = PANEL
        selector = CommitteeSelector(committee, n_features_to_select=n_features_to_select)
    judge = make_judge(classifier)
    study = Study.from_data(
        selector, X, y, groups=groups, n_splits=n_splits, random_state=random_state
    )
    configured = selector.configured()
    others = make_rivals(configured, rivals, study.storage.values)
    manifest = study.manifest(selector, judge) | {"rivals": list(others)}
    results, _ = study.run(
        _run_fold,
        selector,
        others,
        judge,
        n_jobs=n_jobs,
        backend=backend,
        checkpoint=open_checkpoint(checkpoint, manifest),
        progress=progress,
    )
    return pool(study, judge, results, getattr(configured, "integration", None))


def _run_fold(study: Study, checkpoint, selector, rivals, judge: Judge, fold: Fold) -> dict:
    """Learn everything from the training rows and predict the test rows, by every method."""
    inner = None if checkpoint is None else checkpoint.scope(f"fold-{fold.number}")
    chosen = study.fit(selector, fold, fold.seed, inner)
    panel = np.flatnonzero(chosen.get_support())
    result = _answers("committee", study, fold, chosen.committee_)
    result |= rule_answers(chosen.committee_, study.storage.rows(fold.test), study.classes)
    for key, rival in rivals.items():
        result |= _rival_answers(key, study, fold, rival)
    judged = {
        "ensemble": (panel, *study.predict(judge, fold, panel)),
        "majority": (np.empty(0, dtype=int), *study.predict_largest(fold)),
    }
    for key, (used, predicted, scores) in judged.items():
        result |= {f"predicted_{key}": predicted, f"scores_{key}": scores, f"used_{key}": used}
    return result


def _answers(key: str, study: Study, fold: Fold, model) -> dict[str, np.ndarray]:
    """What one committee says of the test rows, at the end and after every member."""
    X = study.storage.rows(fold.test)
    positive = rarest(study.codes, study.classes.size)
    found, shares = stages(model, X, study.codes[fold.test], positive)
    said = {f"predicted_{key}": np.searchsorted(study.classes, model.predict(X))}
    if is_tuned(model):
        majority = np.searchsorted(study.classes, model.classes_[shares.argmax(axis=1)])
        said = {f"predicted_{key}": majority, f"predicted_{TUNED}": said[f"predicted_{key}"]}
    if len(model.subsets_) == 1:
        # One member votes 0 or 1; its own scores rank the rows, where its columns can be had.
        if hasattr(model, "member_columns") and model.estimators_[0] is not None:
            columns = member_view(model.estimators_[0], model.member_columns(X, 0))
        else:
            columns = study.storage.columns(fold.test, model.subsets_[0])
        if is_binary(columns):
            shares = one_member_scores(model, columns, shares)
            found[0, -1] = fold_area(study.codes[fold.test] == positive, shares[:, positive])
    return said | {
        f"scores_{key}": shares,
        f"used_{key}": np.unique(np.concatenate(model.subsets_)),
        f"stages_{key}": found,
    }


def _rival_answers(key: str, study: Study, fold: Fold, rival) -> dict[str, np.ndarray]:
    """What a rival says of the test rows: a committee, one classifier, or one that is prepared."""
    everything = np.arange(study.storage.n_features)
    if isinstance(rival, Judge):  # which takes scaled numbers, without gaps and categories
        labels = study.labels(fold.train)
        predicted, scores = judge_everything(
            rival, study.storage, fold.train, labels, fold.test, fold.judge_seed
        )
    else:
        model = study.fit(rival, fold, fold.plain_seed)
        if hasattr(model, "subsets_"):
            return _answers(key, study, fold, model)
        X = study.storage.rows(fold.test)
        predicted, scores = model.predict(X), np.full((fold.test.size, study.classes.size), np.nan)
        scores[:, np.searchsorted(study.classes, model.classes_)] = model.predict_proba(X)
    predicted, codes = np.searchsorted(study.classes, predicted), study.codes[fold.test]
    return {
        f"predicted_{key}": predicted,
        f"scores_{key}": scores,
        f"used_{key}": everything,
        f"stages_{key}": stage(codes, predicted, scores, rarest(study.codes, scores.shape[1]))[
            None
        ],
    }


def rarest(codes: np.ndarray, n_classes: int) -> int:
    """The class that is looked for: the one with the fewest rows, of equal ones the last.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.evaluation.committees import rarest
    >>> rarest(np.array([0, 0, 1]), 2), rarest(np.array([0, 1]), 2)
    (1, 1)
    """
    counts = np.bincount(codes, minlength=n_classes)
    return int(n_classes - 1 - counts[::-1].argmin())


def pool(
    study: Study, judge: Judge, results: list[dict], integration: str | None = None
) -> CommitteeEvaluation:
    """Put the predictions of all folds together, row by row."""
    n_features = study.storage.n_features
    positive = rarest(study.codes, study.classes.size)
    methods, ranked, staged = [], {}, {}
    for key, label in LABELS.items():
        if f"predicted_{key}" not in results[0]:
            continue
        whose = "committee" if key == TUNED else key
        predicted, scores = study.pooled(results, key, whose)
        used = [result[f"used_{whose}"] for result in results]
        outcome = MethodOutcome.from_predictions(
            key=key,
            label=label,
            y=study.codes,
            predicted=predicted,
            scores=scores,
            folds=study.fold_of_row,
            panels=used if key in ("ensemble", "fss") else None,
            n_used=float(np.mean([features.size for features in used])),
            n_features=n_features,
        )
        methods.append(outcome)
        ranked[key] = scores[:, positive]
        if f"stages_{key}" in results[0]:
            staged[key] = join_stages([result[f"stages_{key}"] for result in results])
    return CommitteeEvaluation(
        study.protocol(judge),
        study.codes,
        study.classes,
        study.fold_of_row,
        methods,
        None,
        positive,
        ranked,
        staged,
        Rules.pooled(study, results, integration),
    )
