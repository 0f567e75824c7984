"""How many of a selector's best features to keep: as many as predict held-out rows best."""

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.utils import check_random_state, get_tags

from ..data.scaled_columns import ScaledColumns
from ..exceptions import UsageError
from ..execution import run_tasks
from ..execution.progress import progress_bar
from ..learners.base import ALWAYS
from ..learners.choose import as_learner
from ..sampling.content_keys import content_keys
from ..sampling.held_out import HONEST, check_evaluation, held_out_folds
from ..selectors import MRMR
from ..selectors.adapter import as_model_selector
from ..selectors.ranking import order_features
from ..selectors.support import SupportMixin
from ..selectors.validation import (
    check_count,
    check_labels,
    check_numeric_X,
)


class PanelSizeSearch(SupportMixin, BaseEstimator):
    """Cut the ranking of a selector where a classifier predicts held-out rows best.

    This is how `DAFS` chooses the number of its features, for any selector that ranks: in the
    training part of each fold the features are ranked anew, a classifier is trained on the best
    g of them for each g up to `max_features`, and predicts the rows held out. The g with the most
    rows right is kept, the smallest of several. The selector is then fitted on all rows.

    The curve chooses among `max_features` sizes on the same rows: its best value is a little too
    good. Judge the whole on rows that `fit` has not seen.

    Parameters
    ----------
    selector : selector, default=None
        What ranks the features; None is `MRMR()`, whose mutual information of three states below,
        within and above mean -+ 0.5 standard deviations is that of the paper on DAFS.
        `InformationGain()` ranks by mutual information alone, of intervals by description length;
        the paper's, of three states, is scikit-learn's `SelectKBest(score)` where `score(X, y)`
        returns ``MRMR(1).fit(X, y).relevance_``. The selector's own number of features yields to
        `max_features`.
    estimator : {"svm", "knn", "ridge", "mlp"} or classifier, default="svm"
        What is trained on the best features.
    max_features : int, default=30
        The largest panel that is tried.
    evaluation : {"oof", "holdout", "loo"}, default="oof"
        Which rows are held out: each fold in turn, a validation part as in the paper, or each row.
    n_folds : int, default=5
        Folds of "oof".
    validation_fraction : float, default=0.2
        Share of the rows in the validation part of "holdout".
    scale : bool, default=True
        Whether the classifier sees columns of mean 0 and variance 1 over the rows given to `fit`.
    n_jobs : int, default=None
        Folds at the same time; None is 1, -1 is all cores. Never changes the answer.
    random_state : int, RandomState or None, default=None
        Seed of the folds and of the choice between features with equal scores.
    verbose : int, default=0
        1 shows a progress bar on a terminal.

    Attributes
    ----------
    validation_curve_ : ndarray of shape (n_sizes,)
        Accuracy on the rows held out with the best 1, 2, ... features.
    n_features_ : int
        Number of features kept.
    support_ : ndarray of shape (n_features,)
        Mask of the kept features.
    ranking_ : ndarray of shape (n_features,)
        Rank of every feature by the selector on all rows, 1 is best.
    selector_ : selector
        The selector, fitted on all rows.
    folds_ : ndarray of shape (n_samples,)
        Fold of each row; -1 for rows that were only trained on.
    classes_ : ndarray
        The labels, sorted.
    n_features_in_ : int
        Number of features seen in `fit`.
    feature_names_in_ : ndarray of str
        Their names, where X had them.

    See Also
    --------
    DAFS : ranks features by the random subspaces that they are in, and cuts alike.

    References
    ----------
    N. Hatami, C. Chira, "Diverse accurate feature selection for microarray cancer diagnosis",
    Intelligent Data Analysis 17, 2013.

    Examples
    --------
    >>> from consilience import InformationGain, PanelSizeSearch, load_demo
    >>> demo = load_demo()
    >>> search = PanelSizeSearch(InformationGain(), "knn", max_features=10, random_state=0)
    >>> search.fit(demo.X, demo.y).validation_curve_.shape
    (10,)
    >>> search.transform(demo.X).shape[1] == search.n_features_
    True
    """

    def __init__(
        self,
        selector=None,
        estimator="svm",
        *,
        max_features=30,
        evaluation="oof",
        n_folds=5,
        validation_fraction=0.2,
        scale=True,
        n_jobs=None,
        random_state=None,
        verbose=0,
    ):
        self.selector = selector
        self.estimator = estimator
        self.max_features = max_features
        self.evaluation = evaluation
        self.n_folds = n_folds
        self.validation_fraction = validation_fraction
        self.scale = scale
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def fit(self, X, y):
        """Rank, find the size, and rank all rows.

        Parameters
        ----------
        X : array-like, sparse matrix or BitMatrix of shape (n_samples, n_features)
            The data.
        y : array-like of shape (n_samples,)
            Class labels.

        Returns
        -------
        self : object
            The fitted search.
        """
        given = X
        X = check_numeric_X(self, X)
        self.classes_, codes = check_labels(y, X.shape[0])
        check_evaluation(self.evaluation, HONEST)
        size = min(check_count("max_features", self.max_features), X.shape[1])
        learner = as_learner(self.estimator)
        seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        final, rows, *seeds = np.random.SeedSequence(seed).spawn(2 + X.shape[0])
        self.selector_, order = self._rank_all(given, y, size, np.random.default_rng(final))
        self.folds_ = held_out_folds(
            codes,
            self.evaluation,
            n_folds=self.n_folds,
            validation_fraction=self.validation_fraction,
            keys=content_keys(X, codes).rows,
            rng=np.random.default_rng(rows),
        )
        right = self._judge(X, codes, learner, size, seeds)
        self.validation_curve_ = right / np.count_nonzero(self.folds_ >= 0)
        self.n_features_ = int(np.argmax(right)) + 1  # the first of the best
        self.ranking_ = np.empty(order.size, dtype=np.int64)
        self.ranking_[order] = np.arange(1, order.size + 1)
        self.support_ = self.ranking_ <= self.n_features_
        return self

    def _base_selector(self):
        return MRMR() if self.selector is None else self.selector

    def _rank_all(self, X, y, size, rng):
        """The selector fitted on all rows, and all features in its order."""
        worker = as_model_selector(self._base_selector(), size)
        selector = clone(getattr(worker, "selector", worker))
        if selector.get_params(deep=False).get("random_state", 0) is None:
            selector.set_params(random_state=int(rng.integers(2**31 - 1)))
        selector.fit(X, y)
        return selector, _order(selector, self.n_features_in_, rng)

    def _judge(self, X, y, learner, size, seeds):
        """How many rows are right with the best 1, 2, ... features of each fold's own ranking."""
        worker = as_model_selector(self._base_selector(), size)
        # Where rows of weight 0 do not show, one preparation serves the rankings of all folds.
        sees = getattr(worker, "_sees_weightless_rows", False)
        prepared = None if sees else worker.prepare(X, y)
        columns = ScaledColumns(X, scale=self.scale)
        shared = (worker, prepared, X, columns, learner, y, self.folds_, self.classes_.size, size)
        tasks = list(zip(np.unique(self.folds_[self.folds_ >= 0]).tolist(), seeds, strict=False))
        with progress_bar("Judging panels", show=bool(self.verbose)) as bar:
            parts = run_tasks(judge_fold, tasks, shared=shared, n_jobs=self.n_jobs, progress=bar)
        return np.sum([part["right"] for part in parts], axis=0)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        if isinstance(selector := self._base_selector(), BaseEstimator):  # `fit` refuses others
            tags.input_tags.sparse = get_tags(selector).input_tags.sparse
        return tags


def judge_fold(worker, prepared, X, columns, learner, y, folds, n_classes, size, task):
    """Rank without one fold, and predict it from the best 1, 2, ... features.

    Returns how many of its rows are right for each number of features.
    """
    fold, seed = task
    rng = np.random.default_rng(seed)
    test = folds == fold
    weights = 1.0 - test
    if prepared is None:
        worker = clone(worker)
        prepared = worker.prepare(X, y, weights)
    (best,), _ = worker.select_many(prepared, weights[None], [rng])
    panels = [best[:g] for g in range(1, best.size + 1)]
    rngs = rng.spawn(len(panels)) if learner.draws else None
    own = np.where(test, 0, ALWAYS)
    found = learner.held_out(columns.take, panels, y, own, n_classes, rngs)
    right = np.count_nonzero(found.predicted[:, test] == y[test], axis=1)
    # A selector that fixes its own number of features may have kept fewer.
    return {"right": right[np.minimum(np.arange(size), best.size - 1)]}


def _order(selector, n_features, rng):
    """All features by a fitted selector, best first."""
    ranking = getattr(selector, "ranking_", None)
    if np.shape(ranking) == (n_features,) and np.unique(ranking).size == n_features:
        return np.argsort(ranking)
    for name in ("scores_", "feature_importances_"):
        scores = getattr(selector, name, None)
        if np.shape(scores) == (n_features,):
            known = np.isfinite(scores)
            return order_features(np.where(known, scores, 0.0), known, rng)
    raise UsageError(
        f"{type(selector).__name__} does not say in which order it keeps features; give a selector "
        "that ranks them, such as MRMR() or InformationGain()."
    )
