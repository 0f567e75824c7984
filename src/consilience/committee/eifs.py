"""Eifs: an ensemble of information-gain filters, each on a random half of the features."""

from .halves import BaseHalves


class EIFSClassifier(BaseHalves):
    """Vote of classifiers on the features of largest information gain in random halves of all.

    Each round draws half of the features and trains a member on those with the largest information
    gain. Rounds know nothing of each other. Rival of `QIFSClassifier` in its paper; one scan of the
    data serves all rounds, but near copies of good features fill the subsets.

    Parameters
    ----------
    estimator : {"svm", "tree", "nb", "knn", "ridge", "mlp", "bayes"} or classifier, default="svm"
        What is trained on each subset, as in `QIFSClassifier`.
    n_rounds : int, default=20
        Number of members.
    share : float, default=0.5
        Part of the features that a round chooses from.
    n_features : int, default=None
        Features of each member, at most; None is half of all, at most 500.
    discretize : {"mixture", "quantile", None}, default="mixture"
        How columns of more than `n_bins` values are cut, as in `QIFSClassifier`.
    n_bins : int, default=3
        Number of parts.
    threshold : float, default=None
        For two classes: share of the votes from which the rarer one is predicted; None is the
        majority. `TunedThresholdClassifierCV` of scikit-learn finds one.
    tie_class : label, default=None
        Class that is predicted if classes have equally many votes; None is the most frequent.
    warm_start : bool, default=False
        Whether `fit` adds rounds to those of the last one, for the same data.
    checkpoint : str, Path or Checkpoint, default=None
        Directory where finished rounds are kept. Needs `random_state`.
    n_jobs : int, default=None
        Rounds at the same time; None is 1, -1 is all cores. Never changes the answer.
    random_state : int, RandomState or None, default=None
        Seed; each round has its own, by its number.
    verbose : int, default=0
        1 shows a progress bar on a terminal.

    Attributes
    ----------
    subsets_ : list of int arrays
        The features of each member, largest gain first.
    estimators_ : list of classifiers
        The members, with classes as 0..c-1.
    gains_ : ndarray of shape (n_features,)
        Information gain of each feature, in bits.
    feature_importances_ : ndarray of shape (n_features,)
        Share of the members that use a feature.
    selection_counts_ : int array of shape (n_features,)
        Their number.
    draw_counts_ : int array of shape (n_features,)
        Number of the members that met a feature, and so could choose it.
    margins_ : int array of shape (n_samples,)
        Votes for the most popular class of each training row less those for the second.
    rounds_ : dict of str to ndarray of shape (n_rounds_,)
        Seconds by part and `n_features`, as in `QIFSClassifier`.
    n_rounds_ : int
        Rounds that were made.
    result_ : EIFSResult
        All of this with a panel of the features that members put first, for a report.
    threshold_ : float or None
        As given.
    storage_ : str
        What held the data, and why.
    classes_ : ndarray
        The labels, sorted.
    class_prior_ : ndarray
        Share of each class in the training rows.
    n_features_in_ : int
        Number of features seen in `fit`.
    feature_names_in_ : ndarray of str
        Their names, where X had them.

    See Also
    --------
    QIFSClassifier : asks for features where the committee is unsure.
    EFSClassifier : drops what other features cover.

    References
    ----------
    H. Mamitsuka, "Query-learning-based iterative feature-subset selection for learning from
    high-dimensional data sets", Knowledge and Information Systems 9, 2006.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience import EIFSClassifier
    >>> rng = np.random.default_rng(0)
    >>> y = rng.integers(0, 2, 200)
    >>> X = (rng.random((200, 1000)) < 0.05 + 0.4 * y[:, None] * (np.arange(1000) < 50)).astype(int)
    >>> committee = EIFSClassifier(n_rounds=5, n_features=20, random_state=0).fit(X[::2], y[::2])
    >>> len(committee.subsets_), bool(committee.score(X[1::2], y[1::2]) > 0.9)
    (5, True)
    """

    def __init__(
        self,
        estimator="svm",
        *,
        n_rounds=20,
        share=0.5,
        n_features=None,
        discretize="mixture",
        n_bins=3,
        threshold=None,
        tie_class=None,
        warm_start=False,
        checkpoint=None,
        n_jobs=None,
        random_state=None,
        verbose=0,
    ):
        self.estimator = estimator
        self.n_rounds = n_rounds
        self.share = share
        self.n_features = n_features
        self.discretize = discretize
        self.n_bins = n_bins
        self.threshold = threshold
        self.tie_class = tie_class
        self.warm_start = warm_start
        self.checkpoint = checkpoint
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def _select(self, work, able, seed):
        return work.gains.best(able, work.size, seed)
