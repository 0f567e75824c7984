"""EFSS and EBSS: features added, or dropped, one at a time for each member."""

import numpy as np

from ..search.forward import sequential_search
from .search_base import BaseSearchCommittee, Found
from .search_breeding import finished, flip_history, join_histories
from .search_objective import MembersObjective


class SequentialSelectionEnsembleClassifier(BaseSearchCommittee):
    """Committee of naive Bayes by forward or backward selection for each member (EFSS, EBSS).

    The members come one after the other. Each begins with the best single feature, or with all, and
    adds the feature, or drops it, that makes it fittest: accuracy on rows set aside plus `alpha`
    times the mean diversity to the members before. It ends where no step helps; a feature whose
    loss does no harm is dropped. With `alpha=0` all members would be alike.

    Parameters
    ----------
    estimator : {"bayes", "nb", "tree", "svm", "knn", "ridge", "mlp"} or classifier, default="bayes"
        What members are. "bayes" is `DiscreteNB`, of which whole populations of subsets are judged
        at once; any other is fitted anew for every subset, which takes far longer.
    n_estimators : int, default=10
        Number of members.
    direction : {"forward", "backward"}, default="forward"
        Whether features are added or dropped.
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
        A row for each member (`process`) and step (`generation`): the columns of the genetic
        committees, in which best and mean are the same.
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
    HillClimbingEnsembleClassifier : flips features of random subsets both ways.

    References
    ----------
    A. Tsymbal, M. Pechenizkiy and P. Cunningham, "Diversity in search strategies for ensemble
    feature selection", Information Fusion 6, 2005.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience import SequentialSelectionEnsembleClassifier
    >>> rng = np.random.default_rng(0)
    >>> y = np.arange(200) // 100
    >>> X = rng.normal(size=(200, 12)) + 2.5 * y[:, None] * (np.arange(12) < 4)
    >>> committee = SequentialSelectionEnsembleClassifier(n_estimators=3, random_state=0)
    >>> bool(committee.fit(X[::2], y[::2]).score(X[1::2], y[1::2]) > 0.8)
    True
    >>> committee.masks_.shape
    (3, 12)
    """

    def __init__(
        self,
        estimator="bayes",
        *,
        n_estimators=10,
        direction="forward",
        alpha=1.0,
        diversity="disagreement",
        integration="dynamic_voting_selection",
        n_neighbors=15,
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
        self.direction = direction
        self.alpha = alpha
        self.diversity = diversity
        self.integration = integration
        self.n_neighbors = n_neighbors
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

    _grows = True

    def _search(self, problem, alpha, seed, checkpoint=None, progress=None):
        objective = MembersObjective(problem.predictor, problem.y, self.diversity, alpha)
        masks = np.empty((self.n_estimators, problem.n_features), dtype=bool)
        told = []
        for member, own in enumerate(seed.spawn(self.n_estimators)):
            if member:
                objective.refer_to(masks[:member])
            found = finished(
                checkpoint,
                f"member-{member:04d}",
                lambda own=own: self._one(objective, problem.n_features, own),
            )
            masks[member] = found["mask"]
            told.append(found)
            if progress is not None:
                progress.advance()
        columns = ("fitness", "accuracy", "diversity", "size", "n_evaluated")
        histories = (flip_history(**{name: part[name] for name in columns}) for part in told)
        n_evaluations = sum(int(part["n_evaluations"]) for part in told)
        return Found(masks, join_histories(histories), n_evaluations)

    def _one(self, objective, n_features, seed):
        run = sequential_search(objective, n_features, seed, direction=self.direction)
        return {"mask": run.mask, **run.history, "n_evaluations": run.n_evaluations}

    def _n_steps(self):
        return self.n_estimators
