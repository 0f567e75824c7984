"""HC: random feature subsets, improved by flipping one feature after the other."""

import numpy as np

from ..search.genome import Masks
from ..search.hill_climbing import hill_climb
from .search_base import BaseSearchCommittee, Found
from .search_breeding import finished, flip_history, join_histories
from .search_objective import MembersObjective


class HillClimbingEnsembleClassifier(BaseSearchCommittee):
    """Committee of naive Bayes on random subsets, improved feature by feature (HC).

    Each member begins with a random subset. Pass after pass, each feature of each member is
    flipped, and stays so if that makes the member fitter: accuracy on rows set aside plus `alpha`
    times the mean diversity to the other members. It ends when a pass over all members changes
    nothing.

    Parameters
    ----------
    estimator : {"bayes", "nb", "tree", "svm", "knn", "ridge", "mlp"} or classifier, default="bayes"
        What members are. "bayes" is `DiscreteNB`, of which whole populations of subsets are judged
        at once; any other is fitted anew for every subset, which takes far longer.
    n_estimators : int, default=10
        Number of members.
    alpha : float or "auto", default=1.0
        Weight of diversity beside accuracy. "auto" tries 0, 0.25, 0.5, 1, 2, 4 and 8 on three inner
        splits and takes the one whose committee predicts rows set aside best.
    diversity : str, default="disagreement"
        How members differ: "disagreement", "kappa", "label_disagreement", "q_statistic",
        "correlation", "double_fault" or "kappa_raw01", the mean over pairs, see
        `consilience.diversity.pairwise_diversities`; or by the votes of all together, "entropy" or
        "ambiguity", see `consilience.measures.vote_diversity`.
    integration : {"vote", "weighted", "static", "dynamic_selection", "dynamic_voting", \
"dynamic_voting_selection"}, default="dynamic_voting_selection"
        How members are joined: the majority; a vote by accuracy on the validation rows; the member
        that is best there; or by the errors near the row to predict, see `consilience.integration`.
    n_neighbors : int or "auto", default=15
        Training rows that a dynamic rule looks at; "auto" takes the best of 1, 3, 7, 15, 31, 63 and
        127, together with alpha where that is "auto", too.
    max_passes : int, default=4
        Passes over all members and features at most.
    start : {"bernoulli", "size", "opitz"}, default="bernoulli"
        First subsets: each feature with probability 1/2, any size with the same probability, or
        drawn with replacement up to twice the number of features.
    validation_fraction : float, default=0.25
        Share of the rows, of each class, that judge subsets in the search.
    refit : bool, default=True
        Whether members are fitted to all rows after the search, the validation rows among them;
        False leaves them as the search knew them, as the papers do.
    n_bins : int, default=10
        Intervals of a numeric feature, for "bayes".
    n_candidates : int, "auto" or None, default="auto"
        Features that the search may use: so many with the largest information gain in the rows to
        learn from. "auto" is all up to 1,000, else 500; None is all.
    categorical_features : None, "from_dtype", bool mask or indices, default="from_dtype"
        Nominal columns, for "bayes"; "from_dtype" takes the categorical ones of a data frame.
    scale : bool, default=True
        Whether members other than "bayes" see columns of mean 0 and variance 1.
    checkpoint : str, path-like or Checkpoint, default=None
        Directory that keeps what is finished: a run that was stopped goes on from there.
    n_jobs : int, default=None
        Tasks at the same time; None is 1, -1 is all cores. Never changes the answer.
    random_state : int, RandomState or None, default=None
        Seed; the same seed gives the same answer on any number of cores.
    verbose : int, default=0
        1 shows a progress bar on a terminal.

    Attributes
    ----------
    subsets_ : list of int arrays
        The features of each member, in the order in which it sees them.
    masks_ : bool array of shape (n_estimators, n_features)
        The same as masks.
    estimators_ : list of classifiers
        The members, fitted on the columns of `subsets_`, with classes as 0..c-1.
    member_accuracies_ : ndarray of shape (n_estimators,)
        Accuracy of each member on the validation rows, which the search has seen.
    member_diversities_ : ndarray of shape (n_estimators,)
        Mean diversity of each member to the others, on the same rows.
    fitness_history_ : dict of arrays
        A row for each member (`process`) and pass (`generation`, 0 is the start): the columns of
        the genetic committees, in which best and mean are the same.
    n_evaluations_ : int
        Feature subsets that were judged.
    alpha_ : float
        Weight of diversity, as given or chosen.
    n_neighbors_ : int or None
        Training rows that a dynamic rule looks at, as given or chosen; None for the other rules.
    tuning_ : dict of arrays or None
        `alpha`, `n_neighbors` and `accuracy` of what "auto" tried.
    candidates_ : int array
        Features that the search could use.
    validation_rows_ : int array
        Rows that judged subsets.
    feature_importances_ : ndarray of shape (n_features,)
        Share of the members that use a feature, by their accuracy.
    result_ : SearchCommitteeResult
        What was found, for reports.
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
    RandomSubspaceClassifier : stays with the random subsets.
    SequentialGeneticEnsembleClassifier : a wider search.

    References
    ----------
    P. Cunningham and J. Carney, "Diversity versus quality in classification ensembles based on
    feature selection", ECML, 2000.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience import HillClimbingEnsembleClassifier
    >>> rng = np.random.default_rng(0)
    >>> y = np.arange(200) // 100
    >>> X = rng.normal(size=(200, 12)) + 2.5 * y[:, None] * (np.arange(12) < 4)
    >>> committee = HillClimbingEnsembleClassifier(n_estimators=5, random_state=0)
    >>> bool(committee.fit(X[::2], y[::2]).score(X[1::2], y[1::2]) > 0.8)
    True
    >>> committee.masks_.shape
    (5, 12)
    """

    def __init__(
        self,
        estimator="bayes",
        *,
        n_estimators=10,
        alpha=1.0,
        diversity="disagreement",
        integration="dynamic_voting_selection",
        n_neighbors=15,
        max_passes=4,
        start="bernoulli",
        validation_fraction=0.25,
        refit=True,
        n_bins=10,
        n_candidates="auto",
        categorical_features="from_dtype",
        scale=True,
        checkpoint=None,
        n_jobs=None,
        random_state=None,
        verbose=0,
    ):
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.alpha = alpha
        self.diversity = diversity
        self.integration = integration
        self.n_neighbors = n_neighbors
        self.max_passes = max_passes
        self.start = start
        self.validation_fraction = validation_fraction
        self.refit = refit
        self.n_bins = n_bins
        self.n_candidates = n_candidates
        self.categorical_features = categorical_features
        self.scale = scale
        self.checkpoint = checkpoint
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def _search(self, problem, alpha, seed, checkpoint=None, progress=None):
        objective = MembersObjective(problem.predictor, problem.y, self.diversity, alpha)
        drawn, *passes = seed.spawn(1 + self.max_passes)
        masks = Masks(problem.n_features, start=self.start).start(self.n_estimators, drawn)
        told = [finished(checkpoint, "start", lambda start=masks: _told(objective, start))]
        for number, own in enumerate(passes):
            done = finished(
                checkpoint,
                f"pass-{number:04d}",
                lambda masks=masks, own=own: _one_pass(objective, masks, own, progress),
            )
            told.append(done)
            changed, masks = (done["masks"] != masks).any(), done["masks"]
            if not changed:
                break
        columns = ("fitness", "accuracy", "diversity", "size", "n_evaluated")
        steps = {name: np.stack([part[name] for part in told]) for name in columns}
        histories = (
            flip_history(**{name: steps[name][:, member] for name in columns})
            for member in range(self.n_estimators)
        )
        return Found(masks, join_histories(histories), int(steps["n_evaluated"].sum()))

    def _n_steps(self):
        return self.n_estimators * self.max_passes


def _one_pass(objective, masks, seed, progress):
    """Climb once over all features of each member, all others as they are then."""
    masks = masks.copy()
    n_evaluated = np.zeros(len(masks), dtype=np.int64)
    for member, own in enumerate(seed.spawn(len(masks))):
        objective.refer_to(np.delete(masks, member, axis=0))
        run = hill_climb(objective, masks[member], own, max_passes=1)
        masks[member], n_evaluated[member] = run.mask, run.n_evaluations - 1
        if progress is not None:
            progress.advance()
    # The start of a climb was judged when it was the end of the last one.
    return {**_told(objective, masks), "n_evaluated": n_evaluated}


def _told(objective, masks):
    """Masks with how good each is beside the others."""
    scored = []
    for member in range(len(masks)):
        objective.refer_to(np.delete(masks, member, axis=0))
        scored.append(objective.score(masks[member]).only())
    fitness, accuracy, diversity = (np.array(part) for part in zip(*scored, strict=True))
    return {
        "masks": masks,
        "fitness": fitness,
        "accuracy": accuracy,
        "diversity": diversity,
        "size": masks.sum(axis=1),
        "n_evaluated": np.ones(len(masks), dtype=np.int64),
    }
