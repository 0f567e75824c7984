"""BIRS: walk down a ranking and keep what makes a classifier significantly better."""

from numbers import Real

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state

from ..data.bits import BitMatrix
from ..exceptions import DataError, UsageError
from ..execution import run_tasks
from ..execution.progress import progress_bar
from ..learners.choose import as_learner
from ..measures.significance import paired_t
from ..sampling.content_keys import column_order, content_keys
from ..sampling.held_out import held_out_folds
from ..selectors import SymmetricalUncertainty
from ..selectors.adapter import as_model_selector
from ..selectors.support import SupportMixin
from ..selectors.validation import (
    check_count,
    check_labels,
    check_numeric_X,
)
from .dafs_columns import MemberColumns, by_columns

# Candidates that are judged together, all against the same panel: a walk keeps few of many.
TOGETHER = 64


class BIRS(SupportMixin, BaseEstimator):
    """Walk down a ranking, keeping each feature that makes a classifier significantly better.

    The best feature of a filter starts the panel. Every further one of its list is tried once: it
    stays where the accuracy over the folds rises, by a paired t-test between folds. Panels are
    very small, free of what repeats the features before, and fitted to the classifier. With few
    rows hardly any rise is significant; a larger `alpha` then keeps more.

    The folds have judged every feature of the panel: the last of `accuracies_` is too good. Judge
    the whole on rows that `fit` has not seen.

    Parameters
    ----------
    selector : selector, default=None
        What ranks the features; None is `SymmetricalUncertainty()`.
    estimator : {"svm", "knn", "ridge", "mlp"}, classifier or Learner, default="svm"
        What is trained on the panel. The paper takes naive Bayes, one nearest neighbour and
        decision trees: ``GaussianNB()``, ``KNeighborsClassifier(1)``, ``DecisionTreeClassifier()``.
    n_folds : int, default=5
        Folds, 2 or more.
    alpha : float, default=0.1
        The two-sided p value below which a rise is believed.
    n_candidates : int, default=None
        How far down the list to walk; None is to its end.
    scale : bool, default=True
        Whether the classifier sees columns of mean 0 and variance 1 over the rows given to `fit`.
    random_state : int, RandomState or None, default=None
        Seed of the folds and of the order among features with equal scores.
    verbose : int, default=0
        1 shows a progress bar on a terminal.

    Attributes
    ----------
    selected_ : ndarray of int
        The features of the panel in the order in which they were kept.
    accuracies_ : ndarray of float
        Mean accuracy over the folds when each of them had been added.
    n_features_ : int
        How many were kept.
    support_ : ndarray of shape (n_features,)
        Mask of the panel.
    ranking_ : ndarray of shape (n_features,)
        The panel first, then the others in the order of the list, constant columns last.
    folds_ : ndarray of shape (n_samples,)
        Fold in which each row is held out; -1 for rows that were only trained on.
    classes_ : ndarray
        Class labels.
    n_features_in_ : int
        Number of features seen in `fit`.
    feature_names_in_ : ndarray of str
        Their names, where X had them.

    See Also
    --------
    PanelSizeSearch : cuts a ranking, and keeps all that is above the cut.
    CFS : leaves out what repeats other features, without a classifier.

    References
    ----------
    R. Ruiz, J. C. Riquelme, J. S. Aguilar-Ruiz, "Incremental wrapper-based gene selection from
    microarray data for cancer classification", Pattern Recognition 39, 2006.

    Examples
    --------
    >>> from consilience import BIRS, load_demo
    >>> demo = load_demo()
    >>> method = BIRS(estimator="knn", n_candidates=100, random_state=0).fit(demo.X, demo.y)
    >>> method.transform(demo.X).shape[1] == method.n_features_ < 10
    True
    """

    def __init__(
        self,
        selector=None,
        estimator="svm",
        *,
        n_folds=5,
        alpha=0.1,
        n_candidates=None,
        scale=True,
        random_state=None,
        verbose=0,
    ):
        self.selector = selector
        self.estimator = estimator
        self.n_folds = n_folds
        self.alpha = alpha
        self.n_candidates = n_candidates
        self.scale = scale
        self.random_state = random_state
        self.verbose = verbose

    def fit(self, X, y):
        """Rank the features and walk down the list.

        Parameters
        ----------
        X : array-like, sparse matrix or BitMatrix of shape (n_samples, n_features)
            The data.
        y : array-like of shape (n_samples,)
            Class labels.

        Returns
        -------
        self : object
            The fitted selector.
        """
        alpha = self.alpha
        if not isinstance(alpha, Real) or isinstance(alpha, bool) or not 0 < alpha <= 1:
            raise UsageError(f"alpha is {alpha!r}; give a number above 0, up to 1, such as 0.1.")
        learner = as_learner(self.estimator)
        X = check_numeric_X(self, X)
        self.classes_, codes = check_labels(y, X.shape[0])
        X = by_columns(X)
        columns = MemberColumns.from_data(X, self, scale=self.scale)
        if not columns.varies.any():
            raise DataError(
                f"All {X.shape[1]} columns are constant; give features that differ between rows."
            )
        seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        ranked, rows, trained = np.random.SeedSequence(seed).spawn(3)
        candidates, rest = self._list(X, codes, columns.varies, np.random.default_rng(ranked))
        self.folds_ = held_out_folds(
            codes,
            n_folds=self.n_folds,
            keys=content_keys(X, codes).rows,
            rng=np.random.default_rng(rows),
        )
        shared = (learner, columns, codes, self.folds_, self.classes_.size, trained)
        self._walk(candidates, shared)
        others = candidates[~np.isin(candidates, self.selected_)]
        order = np.concatenate([self.selected_, others, rest])
        self.ranking_ = np.empty(order.size, dtype=np.int64)
        self.ranking_[order] = np.arange(1, order.size + 1)
        self.support_ = self.ranking_ <= self.n_features_
        return self

    def _list(self, X, y, varies, rng):
        """Features to try, best first, and all others, those that vary first.

        The selector sees the columns in the order of their content, so that what it leaves to
        chance does not depend on where a column stands.
        """
        n_features = X.shape[1]
        size = n_features
        if self.n_candidates is not None:
            size = min(check_count("n_candidates", self.n_candidates), n_features)
        order = column_order(X, content_keys(X, y).columns)
        seen = X.take(columns=order) if isinstance(X, BitMatrix) else X[:, order]
        selector = SymmetricalUncertainty() if self.selector is None else self.selector
        worker = as_model_selector(selector, size)
        prepared = worker.prepare(seen, y)
        (found,), _ = worker.select_many(prepared, np.ones((1, y.size)), [rng])
        candidates = order[found]
        candidates = candidates[varies[candidates]]
        rest = rng.permutation(np.setdiff1d(np.arange(n_features), found))
        rest = order[np.concatenate([rest, found[~varies[order[found]]]])]
        rest = rest[np.argsort(~varies[rest], kind="stable")]
        if candidates.size == 0:
            raise DataError(
                f"{type(selector).__name__} keeps no feature that varies, so that there is nothing "
                "to try; give another selector."
            )
        return candidates, rest

    def _walk(self, candidates, shared):
        """Try the candidates one after the other; many at a time, until one is kept."""

        def judge(panels):  # as a task, for one BLAS thread whatever the machine has
            return run_tasks(fold_accuracies, [panels], shared=shared)[0]["accuracies"]

        kept, at = candidates[:1], 1
        (best,) = judge([kept])
        accuracies = [best.mean()]
        with progress_bar("Walking down the list", show=bool(self.verbose)) as bar:
            bar.start(candidates.size, done=1)
            while at < candidates.size:
                tried = candidates[at : at + TOGETHER]
                found = judge([np.append(kept, feature) for feature in tried])
                rises = [k for k, own in enumerate(found) if self._rises(own, best)]
                passed = tried.size
                if rises:  # those after it were tried beside a panel that is no more
                    passed = rises[0] + 1
                    kept, best = np.append(kept, tried[rises[0]]), found[rises[0]]
                    accuracies.append(best.mean())
                at += passed
                bar.advance(passed)
        self.selected_, self.accuracies_ = kept, np.array(accuracies)
        self.n_features_ = kept.size

    def _rises(self, accuracies, best):
        return accuracies.mean() > best.mean() and paired_t(accuracies, best).p_value < self.alpha

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.sparse = True
        return tags


def fold_accuracies(learner, columns, y, folds, n_classes, seed, panels):
    """Accuracy of each panel in each fold, float64[n_panels, n_folds]."""
    rngs = None
    if learner.draws:  # the same draws for all: panels differ by their features alone
        rngs = [np.random.default_rng(seed) for _ in panels]
    found = learner.held_out(columns, panels, y, folds, n_classes, rngs)
    right = found.predicted == y
    numbers = np.unique(folds[folds >= 0])
    parts = [right[:, folds == number].mean(axis=1) for number in numbers]
    return {"accuracies": np.stack(parts, axis=1)}
