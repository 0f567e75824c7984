"""CERP: trees on the blocks of random partitions of the features."""

import numpy as np
from sklearn.tree import DecisionTreeClassifier

from ..exceptions import UsageError
from ..execution.progress import progress_bar
from ..integration.static import decide, vote_shares
from ..sampling.content_keys import column_order
from ..selectors.validation import are_whole, check_count
from .base import BaseCommittee
from .members import as_classifier, fit_members
from .random_subspace import weighted_keys

# Complexity below which a branch of the default tree is cut.
PRUNED = 0.02
# Members are joined by a vote of votes alone, which needs no accuracy.
VOTE = {"vote": False}


class CERPClassifier(BaseCommittee):
    """Vote of trees that share no feature, over several random partitions of the features.

    The features are dealt at random into blocks, and one pruned tree is trained on each: none of
    the trees uses a feature of another, so that they err more independently than those of random
    subspaces, and every feature is used. Their majority is the vote of the partition; the majority
    of several partitions is the answer.

    The paper searches the number of blocks inside of each training part; here `GridSearchCV` does,
    and the default is a rule.

    Parameters
    ----------
    estimator : classifier or {"svm", "tree", "nb", "knn", "ridge", "mlp", "bayes"}, default=None
        What is trained on each block; None is a decision tree pruned by cost and complexity,
        ``DecisionTreeClassifier(ccp_alpha=0.02)``.
    n_blocks : int, default=None
        Number of blocks of each partition, an odd one for two classes. None takes the odd number
        with which blocks have about half as many features as there are rows.
    n_partitions : int, default=5
        Number of partitions; odd ones do not tie between two classes.
    scale : bool, default=True
        Whether columns are brought to mean 0 and variance 1 over the rows given to `fit`, which
        trees do not notice.
    n_jobs : int, default=None
        Members at the same time; None is 1, -1 is all cores. Never changes the answer.
    random_state : int, RandomState or None, default=None
        Seed; the same seed gives the same answer on any number of cores.
    verbose : int, default=0
        1 shows a progress bar on a terminal.

    Attributes
    ----------
    subsets_ : list of int arrays
        The features of each member, block after block, partition after partition.
    estimators_ : list of classifiers
        The members, fitted on the scaled columns of `subsets_`, with classes as 0..c-1.
    partitions_ : ndarray of shape (n_members,)
        Partition of each member.
    n_blocks_ : int
        Blocks of each partition.
    member_accuracies_ : None
        Not measured.
    feature_importances_ : ndarray of shape (n_features,)
        Share of the members that use a feature: one of each partition.
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
    RandomSubspaceClassifier : subspaces that may overlap, one vote.

    References
    ----------
    H. Moon, H. Ahn, R. L. Kodell, S. Baek, C. Lin, J. J. Chen, "Ensemble methods for classification
    of patients for personalized medicine with high-dimensional data", Artificial Intelligence in
    Medicine 41, 2007.

    Examples
    --------
    >>> from consilience import CERPClassifier, load_demo
    >>> demo = load_demo()
    >>> committee = CERPClassifier(n_blocks=51, n_partitions=3, random_state=0)
    >>> committee.fit(demo.X, demo.y).predict(demo.X[[0, 37]]).tolist() == demo.y[[0, 37]].tolist()
    True
    """

    integration = "vote"
    _integrations = VOTE

    def __init__(
        self,
        estimator=None,
        *,
        n_blocks=None,
        n_partitions=5,
        scale=True,
        n_jobs=None,
        random_state=None,
        verbose=0,
    ):
        self.estimator = estimator
        self.n_blocks = n_blocks
        self.n_partitions = n_partitions
        self.scale = scale
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def _learn(self, training):
        tree = DecisionTreeClassifier(ccp_alpha=PRUNED)
        classifier = as_classifier(tree if self.estimator is None else self.estimator)
        n_partitions = check_count("n_partitions", self.n_partitions)
        weights = training.sample_weight
        counted = weights is not None and are_whole(weights)  # rows that are there several times
        n_samples = int(weights.sum()) if counted else training.y.size
        self.n_blocks_ = self._count_blocks(n_samples, training.columns.X.shape[1])
        draws, members = training.seed.spawn(2)
        # In the order of their content: where a column stands makes no difference.
        order = column_order(training.columns.X, weighted_keys(training))
        self.subsets_ = []
        for seed in draws.spawn(n_partitions):
            dealt = order[np.random.default_rng(seed).permutation(order.size)]
            self.subsets_ += np.array_split(dealt, self.n_blocks_)
        self.partitions_ = np.repeat(np.arange(n_partitions), self.n_blocks_)
        self.member_accuracies_ = None
        with progress_bar("Training", show=bool(self.verbose)) as bar:
            self.estimators_ = fit_members(
                classifier,
                training,
                self.subsets_,
                members.spawn(len(self.subsets_)),
                n_jobs=self.n_jobs,
                progress=bar,
            )

    def _count_blocks(self, n_samples, n_features):
        if self.n_blocks is None:
            return 2 * (min(round(2 * n_features / n_samples), n_features - 1) // 2) + 1
        n_blocks = check_count("n_blocks", self.n_blocks)
        if n_blocks > n_features:
            raise UsageError(
                f"n_blocks is {n_blocks} and there are {n_features} features to deal; give a "
                f"number up to {n_features}, or None."
            )
        return n_blocks

    def _shares(self, answers):
        """Share of the partitions whose members vote for each class; ties there go by prior."""
        n_classes = self.classes_.size
        partitions = self.partitions_[: len(answers)]
        votes = [
            decide(vote_shares(answers[partitions == own], n_classes), priors=self.class_prior_)
            for own in np.unique(partitions)
        ]
        return vote_shares(np.stack(votes), n_classes)
