"""A selector inside each of many random subspaces, and the mean rank of a feature there."""

import numpy as np
from sklearn.base import clone

from ..execution import run_tasks
from ..execution.progress import progress_bar
from ..selectors import SVMRFE
from ..selectors.adapter import as_model_selector
from .dafs_members import member_blocks
from .subspace_base import SubspaceRanking


class SubspaceSelector(SubspaceRanking):
    """Rank features by how a selector ranks them among random few, over many subspaces.

    A multivariate selector on thousands of features and few rows fits noise: too many sets of
    features part the classes perfectly. Among some dozen features drawn at random it can tell them
    apart; the mean over a feature's subspaces is then its weight, from 1 for always first to 0
    for always last.

    Parameters
    ----------
    selector : selector, default=None
        What ranks the features of each subspace; None is `SVMRFE()`. Of selectors that do not rank
        the kept features share the best ranks: scikit-learn's
        ``SelectFromModel(LinearSVC(penalty="l1"))`` is the other one of the paper.
    n_features_to_select : int, default=20
        How many features to keep. `PanelSizeSearch` around this method chooses it.
    subspace_size : int, default=None
        Features of each subspace; None plans it, see `consilience.sampling.subspace`.
    n_subspaces : int, default=None
        Number of subspaces; None takes as many as `coverage` needs, and about 30 for each feature.
    coverage : float, default=0.999
        Probability with which a feature shall be in some subspace, for sizes that are None.
    sampling : {"random", "partition"}, default="random"
        Whether subspaces are drawn without regard to each other, or dealt so that all features
        are in equally many, but for one.
    scale : bool, default=True
        Whether columns are brought to mean 0 and variance 1 first.
    n_jobs : int, default=None
        Subspaces at the same time; None is 1, -1 is all cores. Never changes the answer.
    random_state : int, RandomState or None, default=None
        Seed; the same seed gives the same answer on any number of cores.
    verbose : int, default=0
        1 shows a progress bar on a terminal.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        Mean over a feature's subspaces of 1 - (rank - 1) / (size - 1); NaN for constant columns
        and for features in no subspace.
    ranking_ : ndarray of shape (n_features,)
        1 is best. Equal scores: more subspaces first, then by the seed.
    support_ : ndarray of shape (n_features,)
        Mask of the selected features, the first of the ranking.
    n_hits_ : ndarray of shape (n_features,)
        Number of subspaces that hold each feature.
    never_sampled_ : ndarray of int
        Features that vary and are in no subspace.
    coverage_ : float
        Probability that a feature is in some subspace.
    subspaces_ : ndarray of shape (n_subspaces, subspace_size)
        Features of each subspace.
    subspace_size_, n_subspaces_ : int
        As planned.
    classes_ : ndarray
        Class labels.
    n_features_in_ : int
        Number of features seen in `fit`.
    feature_names_in_ : ndarray of str
        Their names, where X had them.

    See Also
    --------
    DAFS : judges the subspaces by rows that are held out.
    EnsembleSelector : samples of the rows in place of the columns.

    References
    ----------
    C. Lai, M. J. T. Reinders, L. Wessels, "Random subspace method for multivariate feature
    selection", Pattern Recognition Letters 27, 2006.

    Examples
    --------
    >>> from consilience import RidgeRFE, SubspaceSelector, load_demo
    >>> demo = load_demo()
    >>> method = SubspaceSelector(RidgeRFE(), subspace_size=50, n_subspaces=300,
    ...                           sampling="partition", random_state=0)
    >>> method.fit(demo.X, demo.y).transform(demo.X).shape
    (38, 20)
    """

    def __init__(
        self,
        selector=None,
        n_features_to_select=20,
        *,
        subspace_size=None,
        n_subspaces=None,
        coverage=0.999,
        sampling="random",
        scale=True,
        n_jobs=None,
        random_state=None,
        verbose=0,
    ):
        self.selector = selector
        self.n_features_to_select = n_features_to_select
        self.subspace_size = subspace_size
        self.n_subspaces = n_subspaces
        self.coverage = coverage
        self.sampling = sampling
        self.scale = scale
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def fit(self, X, y):
        """Rank the features of each subspace, and all by their mean rank.

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
        worker = _worker(SVMRFE() if self.selector is None else self.selector)
        draws = self._draw(X, y)
        seeds = draws.seeds[1].spawn(len(self.subspaces_))
        tasks = [(self.subspaces_[a:b], seeds[a:b]) for a, b in member_blocks(len(self.subspaces_))]
        shared = (worker, draws.columns, draws.y)
        with progress_bar("Ranking subspaces", show=bool(self.verbose)) as bar:
            parts = run_tasks(rank_block, tasks, shared=shared, n_jobs=self.n_jobs, progress=bar)
        weights = np.concatenate([part["weights"] for part in parts])
        self.scores_ = self._mean_over_members(weights)
        return self._rank(draws, self.scores_)


def rank_block(worker, columns, y, task):
    """Weight of each feature in each of some subspaces, 1 for the first to 0 for the last."""
    subspaces, seeds = task
    n_columns = subspaces.shape[1]
    ranks = np.empty(subspaces.shape)
    once = np.ones((1, y.size))
    for own, features, seed in zip(ranks, subspaces, seeds, strict=True):
        selector = clone(worker)
        prepared = selector.prepare(columns(features).T, y)
        rng = np.random.default_rng(seed)
        (subset,), rankings = selector.select_many(prepared, once, [rng])
        if rankings is None:  # those kept are all alike, and so are the others
            own[:] = (subset.size + 1 + n_columns) / 2
            own[subset] = (subset.size + 1) / 2
        else:
            own[:] = rankings[0]
    return {"weights": 1 - (ranks - 1) / max(1, n_columns - 1)}


def _worker(selector):
    """A copy that selects from prepared data; ours rank all, whatever they keep."""
    worker = as_model_selector(selector, 1)
    if hasattr(worker, "selector"):  # of another library: how many it keeps is its own business
        worker.selector = clone(selector)
    return worker
