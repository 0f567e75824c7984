"""EGSG: members that take one feature from each group of features that tell the same."""

import numpy as np
from sklearn.naive_bayes import GaussianNB

from ..execution.progress import progress_bar
from ..heard import remark
from ..sampling.content_keys import column_order
from ..selectors import SymmetricalUncertainty
from ..selectors.filters import check_method
from ..selectors.pair_uncertainty import pair_uncertainty
from ..selectors.validation import check_count
from .base import BaseCommittee
from .members import as_classifier, fit_members
from .random_subspace import weighted_keys

# Members are joined by their votes or probabilities; their accuracy is not measured.
INTEGRATIONS = {"vote": False, "average": False}
# Uncertainties that differ by less are equal: the same table may be added up in another order.
EQUAL = 1e-12


class EGSGClassifier(BaseCommittee):
    """Vote of classifiers that each see one feature of every group of redundant features.

    Features are grouped by approximate Markov blankets: the most relevant one that is in no group
    yet takes with it all that it covers, those that tell less of the class than it does and more
    of it than of the class. A member then draws one feature from each group. Members see nothing
    twice and still differ, because groups hold many ways to say the same.

    Features that tell nothing of the class are left out, where the formula would let the best
    feature cover them all.

    Parameters
    ----------
    estimator : classifier or {"svm", "tree", "nb", "knn", "ridge", "mlp", "bayes"}, default=None
        What is trained on each subset; None is ``GaussianNB()``. The paper takes naive Bayes and
        nearest neighbours.
    n_estimators : int, default=25
        Number of members; the paper tries 2 to 48.
    integration : {"vote", "average"}, default="vote"
        How members are joined: the majority, or the mean of their probabilities.
    discretize : {"mdl", "equal_width", "equal_frequency", None}, default="mdl"
        How numeric columns become intervals for the grouping, as for `SymmetricalUncertainty`.
    n_bins : int, default=10
        Number of intervals of "equal_width" and "equal_frequency".
    scale : bool, default=True
        Whether columns are brought to mean 0 and variance 1 over the rows given to `fit`.
    n_jobs : int, default=None
        Members at the same time; None is 1, -1 is all cores. Never changes the answer.
    random_state : int, RandomState or None, default=None
        Seed; the same seed gives the same answer on any number of cores.
    verbose : int, default=0
        1 shows a progress bar on a terminal.

    Attributes
    ----------
    groups_ : list of int arrays
        The features of each group, that which covers the others first; most relevant groups first.
    relevance_ : ndarray of shape (n_features,)
        Symmetrical uncertainty of each feature with the class.
    subsets_ : list of int arrays
        The features of each member, one of each group.
    estimators_ : list of classifiers
        The members, fitted on the scaled columns of `subsets_`, with classes as 0..c-1.
    member_accuracies_ : None
        Not measured.
    feature_importances_ : ndarray of shape (n_features,)
        Share of the members that use a feature.
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
    MarkovBlanket : drops what others cover.
    RandomSubspaceClassifier : subsets without regard to what features tell.

    References
    ----------
    H. Liu, L. Liu, H. Zhang, "Ensemble gene selection by grouping for microarray data
    classification", Journal of Biomedical Informatics 43, 2010.

    Examples
    --------
    >>> from consilience import EGSGClassifier, load_demo
    >>> demo = load_demo()
    >>> committee = EGSGClassifier(n_estimators=9, random_state=0).fit(demo.X, demo.y)
    >>> committee.predict(demo.X[[0, 37]]).tolist() == demo.y[[0, 37]].tolist()
    True
    """

    _integrations = INTEGRATIONS

    def __init__(
        self,
        estimator=None,
        *,
        n_estimators=25,
        integration="vote",
        discretize="mdl",
        n_bins=10,
        scale=True,
        n_jobs=None,
        random_state=None,
        verbose=0,
    ):
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.integration = integration
        self.discretize = discretize
        self.n_bins = n_bins
        self.scale = scale
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def _learn(self, training):
        classifier = as_classifier(GaussianNB() if self.estimator is None else self.estimator)
        n_members = check_count("n_estimators", self.n_estimators)
        draws, ties, members = training.seed.spawn(3)
        # Ties by content and seed: where a column stands makes no difference.
        order = column_order(training.columns.X, weighted_keys(training))
        order = order[np.random.default_rng(ties).permutation(order.size)]
        self.relevance_, pairs = self._measure(training, order)
        relevance = self.relevance_[pairs.columns]
        self.groups_ = [pairs.columns[own] for own in group_features(relevance, pairs.with_column)]
        if not self.groups_:
            remark(
                f"No feature tells anything of the class by itself, as far as "
                f"discretize={self.discretize!r} sees; they all make one group.",
                stacklevel=4,
            )
            self.groups_ = [order]
        self.subsets_ = [
            np.array([group[rng.integers(group.size)] for group in self.groups_])
            for rng in map(np.random.default_rng, draws.spawn(n_members))
        ]
        self.member_accuracies_ = None
        with progress_bar("Training", show=bool(self.verbose)) as bar:
            self.estimators_ = fit_members(
                classifier,
                training,
                self.subsets_,
                members.spawn(n_members),
                n_jobs=self.n_jobs,
                progress=bar,
            )

    def _measure(self, training, order):
        """Relevance of all features, and the uncertainty between those that have any."""
        method = check_method(self.discretize, self.n_bins, "spread")
        filtering = SymmetricalUncertainty(1, discretize=self.discretize, n_bins=self.n_bins)
        prepared = filtering.prepare(training.columns.X, training.y)
        weights = training.sample_weight
        weights = np.ones(training.y.size) if weights is None else weights
        relevance = filtering.fit_prepared(prepared, weights).scores_
        relevant = order[relevance[order] > EQUAL]
        return relevance, pair_uncertainty(prepared, weights, method, relevant)


def group_features(relevance, uncertainty_with) -> list[np.ndarray]:
    """Group features by approximate Markov blankets.

    Parameters
    ----------
    relevance : ndarray of shape (n_features,)
        Symmetrical uncertainty with the class; of equals the first is taken first.
    uncertainty_with : callable
        `uncertainty_with(i)` gives that of every feature with feature i.

    Returns
    -------
    list of int arrays
        Each group begins with the feature that covers the others.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.committee.egsg import group_features
    >>> between = np.array([[1.0, 0.7, 0.1], [0.7, 1.0, 0.1], [0.1, 0.1, 1.0]])
    >>> group_features(np.array([0.5, 0.6, 0.2]), between.__getitem__)
    [array([1, 0]), array([2])]
    """
    waiting = np.argsort(-relevance, kind="stable")
    groups = []
    while waiting.size:
        cover = waiting[0]
        covered = uncertainty_with(cover)[waiting] >= relevance[waiting] - EQUAL
        covered[0] = True
        groups.append(waiting[covered])
        waiting = waiting[~covered]
    return groups
