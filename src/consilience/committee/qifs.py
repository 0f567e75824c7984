"""Qifs: each round asks for the features that tell apart what the committee is unsure of."""

import numpy as np

from ..sampling.held_out import held_out_folds
from ..sampling.query import least_sure, vote_margins
from .qifs_init import first_features
from .qifs_options import check_options, count_instances, warn_of_many, warn_of_unmeasured
from .query_base import BaseQueryCommittee
from .query_threshold import best_threshold, can_be_judged, judge, rarer_class
from .query_wanted import chooses_there, most_wanted
from .query_work import FOLDS

UNSURE = 1  # votes of margin


class QIFSClassifier(BaseQueryCommittee):
    """Vote of classifiers on features that are asked for where the committee is unsure.

    Each round looks at the rows on which the members so far disagree most, takes the features
    whose values there deviate most from those in all rows, and trains a further member on all rows
    with these features. A round costs one scan of the data, whatever learner is used: made for
    a hundred thousand to a million binary features. The choice of features looks at no label, so
    that wrong labels and noisy cells harm it less than they harm filters.

    Parameters
    ----------
    estimator : {"svm", "tree", "nb", "knn", "ridge", "mlp", "bayes"} or classifier, default="svm"
        What is trained on each subset: a linear SVM, a decision tree in the manner of C4.5, naive
        Bayes, 3 nearest neighbours, ... or any scikit-learn classifier. It sees zeros and ones.
    init : {"fss", "igr", "random"} or selector, default="fss"
        What chooses the features of the first member: Markov blanket filtering of the 1000 with
        the largest information gain, information gain alone, chance, or any selector with
        `n_features_to_select`.
    n_rounds : int, default=50
        Rounds after the first member, at most; 0 is the first member alone.
    n_instances : float or int, default=0.5
        How many rows are asked about in each round, or which share of all. Well below all: in
        all rows nothing deviates.
    n_features : int, default=None
        Features of each member; None is half of all, at most 500. Fewer than there are rows is
        advised.
    distance : {"square", "block2", "block", "kl"}, default="square"
        How the deviation of a feature is measured, see `value_distances`. For features of two
        values the first three choose alike.
    normalize : {None, "variance"}, default=None
        "variance" divides the squares by what chance alone gives them. None is the published form,
        which prefers features with balanced values.
    train_on : {"all", "selected"}, default="all"
        Rows that members are trained on: all, or those that were asked about.
    ties : {"random", "index"}, default="random"
        Which of the rows with equal margins are taken: any, or those that stand first.
    votes : {"training", "oof"}, default="training"
        Whose votes make the margins. "training": the members', as published; one that fits its own
        rows without error is never unsure of any. "oof": those of the chain that left the row out,
        see `n_folds`.
    patience : int, default=10
        Stop if `stopping` has not become better for so many rounds; None makes all rounds.
    stopping : {"average_precision", "balanced_accuracy", "accuracy"}, default="average_precision"
        What is watched, on the votes of the chains on the rows that each left out.
    n_folds : int, default=5
        Folds, where `patience`, `votes` or `threshold` needs them. For each there is a chain of
        rounds of its own on the rows outside it, with its own first features, margins, rows asked
        about, features and members: a cross-validation of the whole procedure that goes along
        with it. Chains ask by the votes of their own members. A round then costs `n_folds` fits
        more, and still one scan.
    discretize : {"mixture", "quantile", None}, default="mixture"
        How columns of more than `n_bins` values are cut, without the labels: at the border of two
        Gaussians, as published, or into `n_bins` parts of the same size. None: every value counts
        for itself.
    n_bins : int, default=3
        Number of parts.
    threshold : float or {"f1", "balanced_accuracy"}, default=None
        For two classes: share of the votes from which the rarer one is predicted, or what is made
        largest by it on the votes of the chains on rows that they left out. None is the majority.
    tie_class : label, default=None
        Class that is predicted if classes have equally many votes; None is the most frequent.
    warm_start : bool, default=False
        Whether `fit` adds rounds to those of the last one, for the same data. To fit 10 and then
        20 rounds gives the committee of 20 rounds.
    checkpoint : str, Path or Checkpoint, default=None
        Directory where finished rounds are kept; a run that was interrupted goes on there. Needs
        `random_state`.
    n_jobs : int, default=None
        Members of a round that are fitted at the same time; -1 is all cores. Never changes the
        answer.
    random_state : int, RandomState or None, default=None
        Seed; each round has its own, by its number.
    verbose : int, default=0
        1 shows a progress bar on a terminal.

    Attributes
    ----------
    subsets_ : list of int arrays
        The features of each member, most wanted first.
    estimators_ : list of classifiers
        The members, with classes as 0..c-1.
    feature_importances_ : ndarray of shape (n_features,)
        Share of the members that use a feature.
    selection_counts_ : int array of shape (n_features,)
        Their number.
    distances_ : ndarray of shape (n_features,)
        Distance of a feature, summed over the rounds that took it.
    margins_ : int array of shape (n_samples,)
        Margin of each training row at the end, in votes.
    rounds_ : dict of str to ndarray of shape (n_rounds_ + 1,)
        What was measured, the first member being number 0: seconds by part (`seconds_rows`,
        `seconds_scan`, `seconds_choose`, `seconds_train`, `seconds_predict`, `seconds_total`),
        `mean_margin` and `unsure_share` (of rows with a margin of at most one vote) before it,
        `largest_distance` and `least_distance` taken, `n_features`; `accuracy`,
        `balanced_accuracy` and `average_precision` so far of the majority of each chain on the rows
        that it left out, rows by their weights. No label of such a row had a say in any step, so
        that these figures are honest; the best of them, which stopping looks for, is a little too
        high as every largest of several is. NaN is "not measured".
    n_rounds_ : int
        Rounds that were made after the first member.
    result_ : QIFSResult
        All of this with a panel of the features that most members use, for a report.
    threshold_ : float or None
        Share of the votes from which the rarer class is predicted.
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
    EFSClassifier : random halves of the features, filtered by their labels in each round.
    EIFSClassifier : the same by information gain alone.
    RandomSubspaceClassifier : features drawn at random.
    MarkovBlanket : one subset, for one classifier.

    References
    ----------
    H. Mamitsuka, "Query-learning-based iterative feature-subset selection for learning from
    high-dimensional data sets", Knowledge and Information Systems 9, 2006.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience import QIFSClassifier
    >>> rng = np.random.default_rng(0)
    >>> y = rng.integers(0, 2, 200)
    >>> X = (rng.random((200, 1000)) < 0.05 + 0.4 * y[:, None] * (np.arange(1000) < 50)).astype(int)
    >>> committee = QIFSClassifier(n_rounds=5, n_features=20, random_state=0).fit(X[::2], y[::2])
    >>> len(committee.subsets_), bool(committee.score(X[1::2], y[1::2]) > 0.9)
    (6, True)
    """

    _first_round_counts = False
    _can_tune = True

    def __init__(
        self,
        estimator="svm",
        *,
        init="fss",
        n_rounds=50,
        n_instances=0.5,
        n_features=None,
        distance="square",
        normalize=None,
        train_on="all",
        ties="random",
        votes="training",
        patience=10,
        stopping="average_precision",
        n_folds=5,
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
        self.init = init
        self.n_rounds = n_rounds
        self.n_instances = n_instances
        self.n_features = n_features
        self.distance = distance
        self.normalize = normalize
        self.train_on = train_on
        self.ties = ties
        self.votes = votes
        self.patience = patience
        self.stopping = stopping
        self.n_folds = n_folds
        self.discretize = discretize
        self.n_bins = n_bins
        self.threshold = threshold
        self.tie_class = tie_class
        self.warm_start = warm_start
        self.checkpoint = checkpoint
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def _check_parameters(self, n_samples):
        check_options(self)
        count_instances(self.n_instances, n_samples)

    def _prepare(self, work):
        warn_of_many(count_instances(self.n_instances, work.training.y.size), work.training.y.size)
        work.hold_out(self._deal(work) if self._n_chains() else None)
        warn_of_unmeasured(self, work.training, work.folds)

    def _choose(self, work, number, seed, watch):
        if number == 0:
            if not chooses_there(work.columns):
                work.totals()
            watch.lap("scan")
            folds = (None, *range(work.n_folds))
            subsets = [first_features(self.init, work, seed, fold) for fold in folds]
            watch.lap("choose")
            return subsets, None, None, {}
        seeds = seed.spawn(2 * len(work.chains))
        margins = vote_margins(self._margin_votes(work))
        rows = self._asked_about(work, margins, seeds[::2])
        watch.lap("rows")
        how = {"distance": self.distance, "normalize": self.normalize}
        wanted = most_wanted(work, rows, seeds[1::2], how, watch)
        watch.lap("choose")
        found = wanted[0][1]
        line = {
            "mean_margin": margins.mean(),
            "unsure_share": np.mean(margins <= UNSURE),
            "largest_distance": found.max(),
            "least_distance": found.min(),
        }
        trained_on = rows if self.train_on == "selected" else None
        return [subset for subset, _ in wanted], found, trained_on, line

    def _asked_about(self, work, margins, seeds):
        """The rows that each chain is least sure of among its own, bool[n_chains, n_samples]."""
        asked = np.zeros_like(work.chains)
        for k, own in enumerate(work.chains):
            known = (margins if k == 0 else vote_margins(work.rounds.chain_votes[k]))[own]
            n_rows = count_instances(self.n_instances, known.size, of=own.size)
            asked[k, own] = least_sure(known, n_rows, np.random.default_rng(seeds[k]), self.ties)
        return asked

    def _margin_votes(self, work):
        """The members' votes, or those of the chain that left a row out, where one did."""
        if self.votes == "training" or work.folds is None:
            return work.rounds.votes
        return np.where((work.folds >= 0)[:, None], work.rounds.held_votes, work.rounds.votes)

    def _figures(self, work):
        if work.folds is None:
            return {}
        training, judged = work.training, work.folds >= 0
        return judge(work.rounds.held_votes, training.y, judged, self._tie, training.sample_weight)

    def _saturated(self, work):
        if self.patience is None or work.folds is None or not len(work.rounds):
            return False
        curve = work.rounds.table()[self.stopping]
        if np.isnan(curve).all():  # cannot be measured, which was warned of
            return False
        best = int(np.argmax(curve >= np.nanmax(curve) - 1e-12))
        return len(curve) - 1 - best >= self.patience

    def _keep(self, work):
        super()._keep(work)
        self.distances_ = work.rounds.summed_distances(self.n_features_in_)

    def _be_constant(self, training):
        super()._be_constant(training)
        self.distances_ = np.zeros(self.n_features_in_)

    def _find_threshold(self, work):
        if not isinstance(self.threshold, str):
            return super()._find_threshold(work)
        if not can_be_judged(work.training.y, work.folds):
            return 0.5
        held, rarer = work.folds >= 0, rarer_class(self.class_prior_)
        votes, weights = work.rounds.held_votes[held], work.training.sample_weight
        shares = votes[:, rarer] / votes.sum(axis=1)
        weights = None if weights is None else weights[held]
        return best_threshold(shares, work.training.y[held] == rarer, self.threshold, weights)

    def _n_chains(self):
        needed = self.patience is not None or self.votes == "oof" or isinstance(self.threshold, str)
        return self.n_folds if needed else 0

    def _deal(self, work):
        """Folds of the chains; None where no class has a second row to be held out."""
        y = work.training.y
        if np.bincount(y).max() < 2:
            return None
        rng = np.random.default_rng(work.seeds(FOLDS))
        return held_out_folds(y, "oof", n_folds=self.n_folds, rng=rng)
