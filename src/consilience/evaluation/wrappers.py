"""How a wrapper for imbalanced classes does on unseen rows, beside the ordinary single wrapper."""

import numpy as np
from sklearn.base import clone

from ..ensemble.balanced_wrapper import BalancedWrapper
from ..exceptions import UsageError
from ..execution import Checkpoint, Progress, open_checkpoint
from ..heard import hear
from ..selectors.validation import check_labels
from .classifiers import Judge, make_judge
from .protocol import LABELS, judge_methods, panel_label, pooled_methods
from .study import Fold, Study
from .wrapper_outcome import WrapperEvaluation
from .wrapper_sizes import SINGLE, pool_sizes

OTHERS = "all others"  # classes that are told from the smallest one together
STEPWISE = ("forward", "floating")  # searches that meet every size on their way


def evaluate_wrapper(
    wrapper,
    X,
    y,
    *,
    groups=None,
    n_splits: int = 10,
    classifier="balanced-svm",
    random_state=None,
    n_jobs: int | None = None,
    backend: str = "threads",
    checkpoint: Checkpoint | str | None = None,
    progress: Progress | None = None,
) -> WrapperEvaluation:
    """Tell what a wrapper's panel finds of a rare class, and what its balanced ensembles are for.

    Each fold is set aside in turn. From the other rows alone the wrapper searches and a classifier
    is trained on its panel; then it predicts the rows set aside. On the same folds run the rivals:
    the *single wrapper* (the same search by one tree on the rows as they are, without races and
    without a rule to stop), all features, and the largest class. The fitness that a search tells is
    that of the subset which looked best to it. What it is worth, the same classifier tells on
    unseen rows, for the subset of every size that each of the two wrappers took.

    With more than two classes and ``multiclass="smallest"`` all others are one class here, too, as
    they are to the wrapper: predicted is whether a row is of the smallest.

    Parameters
    ----------
    wrapper : BalancedWrapper
        What to evaluate; cloned, never changed.
    X : array-like, data frame, sparse matrix or BitMatrix of shape (n_samples, n_features)
        The data.
    y : array-like of shape (n_samples,)
        Class labels.
    groups : array-like of shape (n_samples,), default=None
        Rows that belong together are trained on or tested together, also inside the search.
    n_splits : int, default=10
        Number of stratified folds; lowered, with a warning, to the size of the rarest class.
    classifier : str or classifier, default="balanced-svm"
        What judges the panels, as in `evaluate_selection`. One to which all rows weigh the same
        hardly ever names a rare class.
    random_state : int, RandomState or None, default=None
        Seed of the folds and of all that happens in them.
    n_jobs : int, default=None
        Number of folds at the same time.
    backend : {"threads", "processes"}, default="threads"
        What `n_jobs` counts; never changes the figures.
    checkpoint : Checkpoint, str or Path, default=None
        Where finished folds, and the finished steps of unfinished ones, are kept.
    progress : Progress, default=None
        Told of every finished fold.

    Returns
    -------
    WrapperEvaluation
        Error, balanced accuracy, AUC, average precision and stability of each method, precision and
        recall of each class, and both wrappers at every size.

    Examples
    --------
    >>> from consilience import BalancedWrapper, evaluate_wrapper, make_planted
    >>> made = make_planted(80, 12, n_blocks=2, class_balance=[4, 1], random_state=0)
    >>> wrapper = BalancedWrapper(n_features_to_select=3, ensemble_size=5, choice="plain")
    >>> found = evaluate_wrapper(wrapper, made.X, made.y, n_splits=3, random_state=0)
    >>> found["ensemble"].auc.value > 0.7, [row.size for row in found.sizes.rows]
    (True, [1, 2, 3])
    """
    if not isinstance(wrapper, BalancedWrapper):
        raise UsageError(
            f"wrapper is {wrapper!r}; give a BalancedWrapper, or ask evaluate_selection about "
            "other selectors."
        )
    judge = make_judge(classifier)
    labels, minority = told_apart(wrapper, y)
    study = Study.from_data(
        wrapper, X, labels, groups=groups, n_splits=n_splits, random_state=random_state
    )
    results, _ = study.run(
        _run_fold,
        wrapper,
        single_wrapper(wrapper),
        judge,
        n_jobs=n_jobs,
        backend=backend,
        checkpoint=open_checkpoint(checkpoint, study.manifest(wrapper, judge)),
        progress=progress,
    )
    positive = None if minority is None else int(np.searchsorted(study.classes, minority))
    return pool(study, judge, results, positive, wrapper)


def told_apart(wrapper, y) -> tuple[np.ndarray, object]:
    """The labels that a wrapper tells apart, and the one that it looks for.

    Parameters
    ----------
    wrapper : BalancedWrapper
        Its `multiclass` says what becomes of several classes.
    y : array-like of shape (n_samples,)
        Class labels.

    Returns
    -------
    labels : array of shape (n_samples,)
        As they are, or those of the smallest class and one for all others.
    minority : object
        Label of the smallest class; None where each class is told from the others.

    Examples
    --------
    >>> from consilience import BalancedWrapper
    >>> from consilience.evaluation.wrappers import told_apart
    >>> labels, minority = told_apart(BalancedWrapper(), ["a", "b", "c", "a", "b"])
    >>> labels.tolist(), str(minority)
    (['all others', 'all others', 'c', 'all others', 'all others'], 'c')
    """
    classes, codes = check_labels(y, len(y) if np.ndim(y) else 0)
    smallest = int(np.bincount(codes).argmin())
    if classes.size == 2:
        return classes[codes], classes[smallest]
    if wrapper.multiclass == "ovr":
        return classes[codes], None
    name = str(classes[smallest])
    others = OTHERS if name != OTHERS else f"{OTHERS} but it"
    return np.where(codes == smallest, name, others), name


def single_wrapper(wrapper) -> BalancedWrapper:
    """The ordinary wrapper: the same search by one classifier on the rows as they are.

    It goes on to the number of features that was asked for. A search that would meet one size only
    is run for every size where the wrapper's own is: the rule is then kept, for its sizes and not
    for its choice, see `single_panel`.

    Examples
    --------
    >>> from consilience import BalancedWrapper
    >>> from consilience.evaluation.wrappers import single_wrapper
    >>> single = single_wrapper(BalancedWrapper(stop="permutation"))
    >>> single.balance, single.ensemble_size, single.choice, single.stop
    (False, 1, 'plain', None)
    """
    every = wrapper.stop is not None and wrapper.search not in STEPWISE
    return clone(wrapper).set_params(
        balance=False, ensemble_size=1, choice="plain", stop="one_se" if every else None
    )


def single_panel(single: BalancedWrapper) -> np.ndarray:
    """The subset of the size that was asked for, or of the nearest that the search met."""
    asked = single.n_features_to_select
    size = min(single.subsets_, key=lambda size: (size > asked, abs(size - asked)))
    return np.sort(single.subsets_[size])


def _run_fold(study: Study, checkpoint, wrapper, single, judge: Judge, fold: Fold) -> dict:
    """Search in the training rows, by both wrappers, and predict the test rows at every size."""
    inner = {
        key: None if checkpoint is None else checkpoint.scope(f"fold-{fold.number}-{key}")
        for key in ("ensemble", SINGLE)
    }
    fitted = {"ensemble": study.fit(wrapper, fold, fold.seed, inner["ensemble"])}
    with hear():  # it is a yardstick: its troubles are what is measured
        fitted[SINGLE] = study.fit(single, fold, fold.plain_seed, inner[SINGLE])
    panels = {
        "ensemble": np.flatnonzero(fitted["ensemble"].get_support()),
        SINGLE: single_panel(fitted[SINGLE]),
    }
    result = judge_methods(study, judge, fold, panels)
    for key, model in fitted.items():
        sizes = sorted(model.subsets_)
        result[f"sizes_{key}"] = np.array(sizes)
        result[f"size_scores_{key}"] = np.stack(
            [study.predict(judge, fold, model.subsets_[size])[1] for size in sizes]
        )
    return result


def pool(
    study: Study, judge: Judge, results: list[dict], positive: int | None, wrapper
) -> WrapperEvaluation:
    """Put the predictions of all folds together, row by row, and the sizes of both wrappers."""
    labels = {"ensemble": panel_label(wrapper), SINGLE: "single wrapper panel"}
    labels |= {key: LABELS[key] for key in ("all", "majority")}
    scores = {key: study.pooled(results, key)[1] for key in labels}
    looked_for = positive is not None
    return WrapperEvaluation(
        study.protocol(judge),
        study.codes,
        study.classes,
        study.fold_of_row,
        pooled_methods(study, results, labels),
        None,
        positive,
        {key: own[:, positive] for key, own in scores.items()} if looked_for else {},
        scores,
        pool_sizes(study, results, positive, wrapper.fitness),
    )
