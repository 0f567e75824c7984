"""Features by how often the random subspaces that hold them classify well."""

from numbers import Real

import numpy as np

from ..exceptions import UsageError
from ..execution import run_tasks
from ..execution.progress import progress_bar
from ..learners.choose import as_learner
from ..sampling.content_keys import content_keys
from ..sampling.held_out import HONEST, check_evaluation, held_out_folds
from .dafs_members import Task, member_blocks, predict_block
from .subspace_base import SubspaceRanking

# Share of the members that is kept where no threshold is given.
BEST = 0.1


class AccurateSubspaces(SubspaceRanking):
    """Rank features by the share of their random subspaces that classify every class well.

    Classifiers are trained on random subspaces and judged on rows that they have not seen. Those
    are kept that are accurate overall and in each class, so that none is kept which gives a rare
    class up. A feature scores by how many of the members that use it are kept. `DAFS` asks how
    much members owe to the feature itself, which is sharper; this is simple to explain.

    Parameters
    ----------
    estimator : {"svm", "knn", "ridge", "mlp"}, classifier or Learner, default="svm"
        What is trained on each subspace.
    n_features_to_select : int, default=20
        How many features to keep. `PanelSizeSearch` around this method chooses it.
    threshold : float, default=None
        What the accuracy of a kept member exceeds, overall and in each class. None keeps the
        tenth of the members whose least accuracy is the highest, and those that equal it.
    subspace_size : int, default=None
        Features of each member; None plans it, see `consilience.sampling.subspace`. The paper
        takes 200.
    n_subspaces : int, default=None
        Number of members; None takes as many as `coverage` needs, and about 30 for each feature.
        The paper takes 10000.
    coverage : float, default=0.999
        Probability with which a feature shall be in some subspace, for sizes that are None.
    sampling : {"random", "partition"}, default="random"
        Whether subspaces are drawn without regard to each other, or dealt so that all features
        are in equally many, but for one.
    evaluation : {"oof", "holdout", "loo"}, default="oof"
        Which rows judge: all, by folds; a validation part; or all, left out one by one.
    n_folds : int, default=5
        Folds of "oof".
    validation_fraction : float, default=0.2
        Share of the rows in the validation part of "holdout".
    scale : bool, default=True
        Whether columns are brought to mean 0 and variance 1 first.
    n_jobs : int, default=None
        Members trained at the same time; None is 1, -1 is all cores. Never changes the answer.
    random_state : int, RandomState or None, default=None
        Seed; the same seed gives the same answer on any number of cores.
    verbose : int, default=0
        1 shows a progress bar on a terminal.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        Share of a feature's members that are kept; NaN for constant columns and for features in
        no subspace.
    ranking_ : ndarray of shape (n_features,)
        1 is best. Equal scores: more members first, then more accurate ones, then by the seed.
    support_ : ndarray of shape (n_features,)
        Mask of the selected features, the first of the ranking.
    kept_ : bool array of shape (n_subspaces,)
        The members that are kept.
    threshold_ : float
        What their least accuracy exceeds, or where `threshold` is None, reaches.
    member_accuracies_ : ndarray of shape (n_subspaces,)
        Accuracy of each member on the held-out rows.
    class_accuracies_ : ndarray of shape (n_subspaces, n_classes)
        The same for each class; NaN for a class of which no row is held out.
    n_hits_ : ndarray of shape (n_features,)
        Number of members that use each feature.
    never_sampled_ : ndarray of int
        Features that vary and are in no subspace.
    coverage_ : float
        Probability that a feature is in some subspace.
    subspaces_ : ndarray of shape (n_subspaces, subspace_size)
        Features of each member.
    subspace_size_, n_subspaces_ : int
        As planned.
    folds_ : ndarray of shape (n_samples,)
        Fold in which each row is held out; -1 for rows that all members are trained on.
    classes_ : ndarray
        Class labels.
    n_features_in_ : int
        Number of features seen in `fit`.
    feature_names_in_ : ndarray of str
        Their names, where X had them.

    See Also
    --------
    DAFS : the same members, and what each owes to the feature.
    SubspaceSelector : a selector inside each subspace in place of a classifier.

    References
    ----------
    Kamath et al. as described by N. Hatami, C. Chira, "Diverse accurate feature selection for
    microarray cancer diagnosis", Intelligent Data Analysis 17, 2013. That counts are divided by
    the number of a feature's members, and the default threshold, are ours.

    Examples
    --------
    >>> from consilience import AccurateSubspaces, load_demo
    >>> demo = load_demo()
    >>> method = AccurateSubspaces("knn", subspace_size=50, n_subspaces=1200, random_state=0)
    >>> method.fit(demo.X, demo.y).transform(demo.X).shape
    (38, 20)
    """

    def __init__(
        self,
        estimator="svm",
        n_features_to_select=20,
        *,
        threshold=None,
        subspace_size=None,
        n_subspaces=None,
        coverage=0.999,
        sampling="random",
        evaluation="oof",
        n_folds=5,
        validation_fraction=0.2,
        scale=True,
        n_jobs=None,
        random_state=None,
        verbose=0,
    ):
        self.estimator = estimator
        self.n_features_to_select = n_features_to_select
        self.threshold = threshold
        self.subspace_size = subspace_size
        self.n_subspaces = n_subspaces
        self.coverage = coverage
        self.sampling = sampling
        self.evaluation = evaluation
        self.n_folds = n_folds
        self.validation_fraction = validation_fraction
        self.scale = scale
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def fit(self, X, y, groups=None):
        """Train the members, keep the accurate ones and count their features.

        Parameters
        ----------
        X : array-like, sparse matrix or BitMatrix of shape (n_samples, n_features)
            The data.
        y : array-like of shape (n_samples,)
            Class labels.
        groups : array-like of shape (n_samples,), default=None
            Rows that belong together, such as the samples of one patient; held out together.

        Returns
        -------
        self : object
            The fitted selector.
        """
        learner = as_learner(self.estimator)
        self._check()
        draws = self._draw(X, y)
        self.folds_ = held_out_folds(
            draws.y,
            self.evaluation,
            n_folds=self.n_folds,
            validation_fraction=self.validation_fraction,
            groups=groups,
            keys=content_keys(draws.columns.scaled.X, draws.y).rows,
            rng=np.random.default_rng(draws.seeds[0]),
        )
        held = self.folds_ >= 0
        right = self._predict(learner, draws) == draws.y[held]
        self.member_accuracies_ = right.mean(axis=1)
        rows = draws.y[held] == np.arange(self.classes_.size)[:, None]
        sizes = rows.sum(axis=1)
        self.class_accuracies_ = (right @ rows.T.astype(float)) / np.where(sizes > 0, sizes, np.nan)
        self._keep()
        self.scores_ = self._mean_over_members(self.kept_[:, None])
        return self._rank(draws, self._mean_over_members(self.member_accuracies_[:, None]))

    def _check(self):
        limit = self.threshold
        real = isinstance(limit, Real) and not isinstance(limit, bool)
        if limit is not None and not (real and 0 <= limit < 1):
            raise UsageError(
                f"threshold is {limit!r}; give an accuracy from 0 up to but not 1, or None."
            )
        check_evaluation(self.evaluation, HONEST)

    def _predict(self, learner, draws):
        """What the members say of the held-out rows: class codes [n_subspaces, n_held_out]."""
        seeds = draws.seeds[1].spawn(len(self.subspaces_)) if learner.draws else None
        tasks = [
            Task(f"members-{a:07d}", list(self.subspaces_[a:b]), seeds and seeds[a:b])
            for a, b in member_blocks(len(self.subspaces_))
        ]
        shared = learner, draws.columns, draws.y, self.folds_, self.classes_.size, False
        with progress_bar("Judging subspaces", show=bool(self.verbose)) as bar:
            parts = run_tasks(predict_block, tasks, shared=shared, n_jobs=self.n_jobs, progress=bar)
        return np.concatenate([part["predicted"] for part in parts])

    def _keep(self):
        """Keep the members whose least accuracy, overall and by class, exceeds the threshold."""
        least = np.fmin(np.nanmin(self.class_accuracies_, axis=1), self.member_accuracies_)
        if self.threshold is None:
            n_kept = max(1, round(BEST * least.size))
            self.threshold_ = float(np.sort(least)[-n_kept])
            self.kept_ = least >= self.threshold_
            return
        self.threshold_ = float(self.threshold)
        self.kept_ = least > self.threshold_
        if not self.kept_.any():
            raise UsageError(
                f"No member is more accurate than {self.threshold_:g} overall and in each class, "
                f"the best reaches {least.max():.3g}; give a lower threshold, or None."
            )
