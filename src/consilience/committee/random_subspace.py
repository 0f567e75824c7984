"""Random subspaces: every member sees some of the features, drawn at random."""

import numpy as np
from sklearn.base import clone

from ..exceptions import UsageError
from ..execution import check_memory
from ..execution.local import resolve_jobs
from ..execution.progress import progress_bar
from ..integration.dynamic import DYNAMIC
from ..learners.choose import LEARNERS, as_learner
from ..sampling.content_keys import column_order, content_keys
from ..sampling.held_out import HONEST, check_evaluation, held_out_folds
from ..sampling.subspace import draw_subspaces, plan_subspaces
from ..selectors.validation import are_whole, check_count
from .base import BaseCommittee
from .held_out import HeldOutVotes, ask_members, join_votes
from .local_competence import check_neighborhood
from .members import as_classifier, fit_members
from .mixed_columns import MixedColumnsMixin
from .rules import RulesMixin
from .search_options import is_bayes
from .subspace_competence import SubspaceCompetence

COVERAGE = 0.999
# Half of a large table would make members too much alike, and slow.
MODEST = 50


class RandomSubspaceClassifier(SubspaceCompetence, RulesMixin, MixedColumnsMixin, BaseCommittee):
    """Vote of many classifiers, each trained on all rows and some random features.

    With far more features than rows one classifier fits the training rows in too many ways. Many
    on few features each err differently, and their vote errs less than most of them. It says
    little of which features matter; `DAFS` does from the same members.

    Parameters
    ----------
    estimator : {"svm", "tree", "nb", "knn", "ridge", "mlp", "bayes"} or classifier, default="svm"
        What is trained on each subspace: a linear SVM with C = 1, a decision tree by entropy,
        Gaussian naive Bayes, 3 nearest neighbours, ridge regression on the classes, a network with
        10 hidden units, naive Bayes on intervals and categories (`DiscreteNB`), or any
        scikit-learn classifier. Missing values and nominal columns are for "bayes" or a
        `DiscreteNB` alone.
    n_estimators : int, default=100
        Number of members.
    subspace_size : int, default=None
        Features of each member. None takes half of them as Ho does, but no more than 50 or what
        it takes for a feature to be in some subspace with a probability of 0.999: for 100 members
        6.7 % of the features.
    integration : {"vote", "average", "weighted", "static", "dynamic_selection", \
"dynamic_voting", "dynamic_voting_selection"}, default="vote"
        How members are joined. "vote": the majority. "average": the mean of their probabilities,
        as Ho does; decision values become probabilities by the softmax function. "weighted": a
        vote by held-out accuracy. "static": the member with the best held-out accuracy alone. The
        dynamic rules go by the held-out errors on training rows near the row to predict: the
        member that errs least there, a vote by 1 less that error, or such a vote of the better
        half; see `consilience.integration`.
    n_neighbors : int or "auto", default=15
        Training rows that a dynamic rule looks at; "auto" takes that of 1, 3, 7, 15, 31, 63, 127
        that predicts the held-out rows best. Distances are those of `HEOM` over all features.
    sampling : {"random", "partition"}, default="random"
        Whether subspaces are drawn without regard to each other, or dealt so that all features
        are in equally many, but for one.
    evaluation : {"oof", "holdout", "loo"}, default=None
        Where the accuracy of members is measured in `fit`: out of fold, on a validation part, or
        by leaving one row out. None measures it out of fold if `integration` needs it.
    n_folds : int, default=5
        Folds of "oof".
    validation_fraction : float, default=0.2
        Share of the rows in the validation part of "holdout".
    categorical_features : None, "from_dtype", bool mask or indices, default="from_dtype"
        Nominal columns; "from_dtype" takes the categories of a data frame.
    scale : bool, default=True
        Whether columns are brought to mean 0 and variance 1 over the rows given to `fit`; "bayes"
        takes them as they are.
    n_jobs : int, default=None
        Members at the same time; None is 1, -1 is all cores. Never changes the answer.
    random_state : int, RandomState or None, default=None
        Seed; the same seed gives the same answer on any number of cores.
    verbose : int, default=0
        1 shows a progress bar on a terminal.

    Attributes
    ----------
    subsets_ : list of int arrays
        The features of each member, in the order in which it sees them.
    estimators_ : list of classifiers
        The members, fitted on the scaled columns of `subsets_`, with classes as 0..c-1.
    member_accuracies_ : ndarray of shape (n_estimators,) or None
        Accuracy of each member on rows that it was not trained on, where it was measured.
    feature_importances_ : ndarray of shape (n_features,)
        Share of the members that use a feature, by their held-out accuracy where it is known.
    classes_ : ndarray
        The labels, sorted.
    class_prior_ : ndarray
        Share of each class in the training rows.
    coverage_ : float
        Probability that a feature is in at least one subspace.
    subspace_size_ : int
        Features of each member.
    n_neighbors_ : int or None
        Training rows that a dynamic rule looks at; None for the other rules.
    n_features_in_ : int
        Number of features seen in `fit`.
    feature_names_in_ : ndarray of str
        Their names, where X had them.

    See Also
    --------
    DAFS : selects the features whose members are accurate and diverse.

    References
    ----------
    T. K. Ho, "The random subspace method for constructing decision forests", IEEE Transactions on
    Pattern Analysis and Machine Intelligence 20, 1998.

    Examples
    --------
    >>> from consilience import RandomSubspaceClassifier, load_demo
    >>> demo = load_demo()
    >>> committee = RandomSubspaceClassifier(n_estimators=20, subspace_size=50, random_state=0)
    >>> committee.fit(demo.X, demo.y).predict(demo.X[[0, 20]]).tolist() == demo.y[[0, 20]].tolist()
    True
    """

    def __init__(
        self,
        estimator="svm",
        *,
        n_estimators=100,
        subspace_size=None,
        integration="vote",
        n_neighbors=15,
        sampling="random",
        evaluation=None,
        n_folds=5,
        validation_fraction=0.2,
        categorical_features="from_dtype",
        scale=True,
        n_jobs=None,
        random_state=None,
        verbose=0,
    ):
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.subspace_size = subspace_size
        self.integration = integration
        self.n_neighbors = n_neighbors
        self.sampling = sampling
        self.evaluation = evaluation
        self.n_folds = n_folds
        self.validation_fraction = validation_fraction
        self.categorical_features = categorical_features
        self.scale = scale
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def held_out_votes(self, X, y, evaluation="loo") -> HeldOutVotes:
        """How the committee and its members do on rows that they were not trained on.

        Subspaces are drawn without a look at the classes, so that all folds can share them, and
        with them what members work out: for "svm", "knn" and "ridge" one matrix of inner products
        or distances answers for all folds of a member. "mlp" is here the network of the paper on
        DAFS, trained by backpropagation, and scikit-learn's in `fit`. Nothing is learned by the
        committee itself: it need not be fitted, and stays as it is.

        Parameters
        ----------
        X : array-like, sparse matrix or BitMatrix of shape (n_samples, n_features)
            The data; columns are scaled over all their rows.
        y : array-like of shape (n_samples,)
            Class labels.
        evaluation : {"loo", "oof", "holdout"}, default="loo"
            Which rows are held out, as in the parameter of that name.

        Returns
        -------
        HeldOutVotes
            `predicted` by the vote, its `accuracy`, and the `mean_member_accuracy`.

        Examples
        --------
        >>> from consilience import RandomSubspaceClassifier, load_demo
        >>> demo = load_demo()
        >>> committee = RandomSubspaceClassifier("knn", n_estimators=30, random_state=0)
        >>> found = committee.held_out_votes(demo.X, demo.y)
        >>> found.accuracy > found.mean_member_accuracy
        True
        """
        if self.integration not in ("vote", "average"):
            self._check_integration()
            raise UsageError(
                f"integration is {self.integration!r}, whose weights must be learned without the "
                "rows that are held out; use cross_val_predict, or integration='vote'."
            )
        check_evaluation(evaluation, HONEST)
        estimator = self.estimator
        if isinstance(estimator, str) and estimator not in LEARNERS:  # fitted for each fold
            estimator = as_classifier(estimator)
        learner = as_learner(estimator)
        training = clone(self)._check_training(X, y)  # which marks what it checks as fitted
        draws, asked, rows, _ = training.seed.spawn(4)
        subsets = self._draw(training, draws)[0]
        held_out, folds = self._ask(learner, training, subsets, evaluation, asked, rows)
        return join_votes(held_out, training, folds, self.integration)

    def leave_one_out(self, X, y) -> HeldOutVotes:
        """Leave one row out at a time; see `held_out_votes`.

        Parameters
        ----------
        X : array-like, sparse matrix or BitMatrix of shape (n_samples, n_features)
            The data.
        y : array-like of shape (n_samples,)
            Class labels.

        Returns
        -------
        HeldOutVotes
            `predicted` by the vote, its `accuracy`, and the `mean_member_accuracy`.
        """
        return self.held_out_votes(X, y, evaluation="loo")

    def _learn(self, training):
        evaluation = self.evaluation
        if evaluation is None and self._integrations[self.integration]:
            evaluation = "oof"
        if evaluation is not None:
            check_evaluation(evaluation, HONEST)
        if self.integration in DYNAMIC:
            check_neighborhood(self.n_neighbors)
        classifier = as_classifier(self.estimator)
        draws, asked, rows, members = training.seed.spawn(4)
        self.subsets_, plan = self._draw(training, draws)
        self.subspace_size_, self.coverage_ = plan.subspace_size, plan.coverage
        self.member_accuracies_, self.n_neighbors_ = None, None
        self._begin_competence(training, evaluation, asked, rows)
        with progress_bar("Training", show=bool(self.verbose)) as bar:
            self.estimators_ = fit_members(
                classifier,
                training,
                self.subsets_,
                members.spawn(self.n_estimators),
                n_jobs=self.n_jobs,
                progress=bar,
            )

    def _draw(self, training, seed):
        """The features of each member, and the plan that they were drawn by.

        Drawn from the columns in the order of their content, in which members see them, too:
        permuted columns give the same committee, even one that draws columns itself.
        """
        n_members = check_count("n_estimators", self.n_estimators)
        n_samples, n_features = training.columns.X.shape
        plan = plan_subspaces(n_features, self.subspace_size, n_members, COVERAGE, self.sampling)
        if self.subspace_size is None:
            size = min(-(-n_features // 2), max(MODEST, plan.subspace_size))
            plan = plan_subspaces(n_features, size, n_members, COVERAGE, self.sampling)
        jobs = min(resolve_jobs(self.n_jobs), n_members)
        drawn, columns = 4 * n_members * plan.subspace_size, 24 * n_samples * plan.subspace_size
        what = f"A committee of {n_members} members on {plan.subspace_size} features each"
        check_memory(drawn + jobs * columns, what)
        order = column_order(training.columns.X, weighted_keys(training))
        found = draw_subspaces(plan, seed, self.sampling)
        return list(order[found]), plan

    def _scales(self):
        return self.scale and not is_bayes(self.estimator)

    def _ask(self, learner, training, subsets, evaluation, asked, rows):
        folds = held_out_folds(
            training.y,
            evaluation,
            n_folds=self.n_folds,
            validation_fraction=self.validation_fraction,
            keys=content_keys(training.columns.X, training.y).rows,
            rng=np.random.default_rng(rows),
        )
        with progress_bar("Holding out", show=bool(self.verbose)) as bar:
            held_out = ask_members(
                learner,
                training.columns,
                subsets,
                training.y,
                folds,
                training.classes.size,
                asked,
                nominal=training.nominal,
                n_jobs=self.n_jobs,
                progress=bar,
            )
        return held_out, folds


def weighted_keys(training):
    """Keys of the columns by content, in which a row of weight 2 counts as two copies of it."""
    weights = training.sample_weight
    if weights is not None and not are_whole(weights):
        weights = None
    return content_keys(training.columns.X, training.y, weights).columns
