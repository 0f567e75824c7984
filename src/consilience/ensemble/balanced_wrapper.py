"""A wrapper for imbalanced classes: feature subsets judged by ensembles on balanced samples."""

import time

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.callback import CallbackSupportMixin, with_callbacks
from sklearn.utils import check_random_state

from ..data.unchanged import check_unchanged
from ..execution.progress import progress_bar
from ..heard import remark
from ..selectors.support import SupportMixin
from .methods import ENSEMBLES
from .reporting import CallbackProgress
from .wrapper_answer import make_result
from .wrapper_options import check_wrapper, n_candidates
from .wrapper_path import make_path
from .wrapper_search import dealing_of, run_search
from .wrapper_work import contributions, memory_for, prepare


@ENSEMBLES.add(name="balanced-wrapper", paper="ensemble wrapper", source="Yang et al. 2013")
class BalancedWrapper(CallbackSupportMixin, SupportMixin, BaseEstimator):
    """Search for features that find the rare class, judged by ensembles on balanced samples.

    A wrapper judges a feature subset by how well a classifier does with it. With few rows of one
    class among many of the other, ordinary wrappers pick features for the majority. Here a subset
    is judged by an ensemble of small trees. Each tree learns from another balanced sample of the
    training rows: all of the minority, half as many synthetic ones (SMOTE), and as many of the
    majority. The ensemble then ranks rows that it has not seen, as imbalanced as they are, and the
    area under the ROC curve is the fitness of the subset.

    The best of hundreds of noisy scores is a lucky one, so that a plain search soon follows noise.
    By default the leaders of each step are therefore judged again with other draws and folds
    (``choice="race"``). On request the search ends where shuffled candidates do as well as the best
    real one (``stop="permutation"``, the default of the command line). The search of the paper is
    ``choice="plain"`` and ``stop=None``.

    Parameters
    ----------
    estimator : classifier, default=None
        What is trained on each sample. None is `CompactTreeClassifier`: entropy, two rows or more
        in a leaf. Such trees, and scikit-learn's `DecisionTreeClassifier`, are grown by compiled
        code; any other classifier is fitted as usual, some hundred times slower.
    search : {"forward", "backward", "floating", "genetic", "swarm"}, default="forward"
        Add the best feature step by step; drop the least useful; add and take back; breed subsets
        of a fixed size; let a swarm of them fly.
    n_features_to_select : int, default=20
        Number of features; at most so many where there is a rule to stop by.
    ensemble_size : int, default=20
        Samples and classifiers of an ensemble.
    balance : {"hybrid", "rus", "ros", "smote", "cost"} or bool, default="hybrid"
        How samples are balanced: SMOTE and undersampling as above; random undersampling; random
        oversampling; SMOTE to the size of the majority; class weights and all rows as they are.
        True is "hybrid". With False and ``ensemble_size=1`` this is the ordinary single wrapper.
    cv : int, splitter or iterable, default=5
        Inner folds, stratified. Of a number the folds are dealt anew for repeated draws; splits
        that are given, by rows of X, stay as they are.
    choice : {"race", "plain"}, default="race"
        Whether the leaders of a step (of the last generation) are judged by repeated draws and
        folds before one is taken, or the first draw decides.
    stop : {"permutation", "one_se"} or None, default=None
        None goes on to `n_features_to_select`. "permutation" stops forward and floating search
        before a feature that is no better than the best of shuffled candidates; a first one is
        always taken, with a warning if need be, because features may need company. Shuffled columns
        pass the filter anew, and rows of a group stay together. "one_se" takes the smallest size
        within one standard error of the fittest; a search by generations is then run for each size.
    n_permutations : int, default=9
        How often candidates are shuffled at each step, which costs as much as the step itself.
    alpha : float, default=0.1
        A step is taken if the probability that shuffled candidates do as well is no larger. They
        are shuffled until that is clear: of a larger p value no more is known.
    fitness : {"auc", "average_precision"}, default="auc"
        Area under the ROC curve, or under that of precision and recall of the minority.
    combine : {"mean", "pooled"}, default="mean"
        Mean over the folds, or one area over all held-out rows: steadier where a fold holds one or
        two rows of the minority, but it compares scores of different ensembles.
    oversample : float, default=0.5
        Synthetic rows for each row of the minority, for "hybrid".
    k_neighbors : int, default=5
        Neighbours of a row, to one of which a synthetic row goes.
    smote_space : {"subset", "full"}, default="subset"
        Whether rows are near in the columns of the subset, or in all candidates.
    smote_gap : {"row", "column"}, default="row"
        Whether a synthetic row goes equally far in all columns.
    redraw : {"iteration", "evaluation", "never"}, default="iteration"
        Samples are drawn once per step or generation, for all candidates alike; for each subset;
        or once for all.
    multiclass : {"smallest", "ovr"}, default="smallest"
        With more than two classes: the smallest against all others together, or each against the
        others, with the mean of the areas as fitness. The smaller side is always the minority.
    n_candidates : int or "all", default=None
        So many columns with the largest chi-square take part, by the rows given to `fit` alone.
        None is 500, and 50 for backward search.
    n_screened : int, default=None
        From the second step on only so many of the best single features are candidates; None is
        all.
    population, n_generations : int, default=20
        Of the genetic search and of the swarm.
    crossover_rate, mutation_rate : float, default=0.7, 0.1
        Of the genetic search.
    crossover : {"one_point", "uniform"}, default="one_point"
        Of the genetic search.
    selection : {"tournament", "roulette"}, default="tournament"
        How the genetic search draws parents.
    categorical_features : None, "from_dtype", bool mask or indices, default="from_dtype"
        Nominal columns: synthetic rows take the category of either row, splits part one category
        from all others.
    n_jobs : int, default=None
        Subsets judged at the same time; None is 1, -1 is all cores. Never changes the answer.
    random_state : int, RandomState or None, default=None
        Seed; the same seed gives the same answer on any number of cores.
    checkpoint : str, Path or None, default=None
        Directory where finished steps are kept, so that an interrupted `fit` goes on where it
        stopped. A directory of other data or settings is refused.
    backend : {"threads", "processes"}, default="threads"
        What `n_jobs` counts. Processes suit classifiers that are written in Python.
    verbose : int, default=0
        1 shows a progress bar on a terminal.

    Attributes
    ----------
    support_ : ndarray of shape (n_features,)
        Mask of the selected features.
    selected_ : ndarray of int
        The selected features, in the order in which the search took them.
    n_features_ : int
        How many were selected.
    ranking_ : ndarray of shape (n_features,)
        The selected ones first in their order, then by fitness alone where that is known, then by
        chi-square.
    scores_ : ndarray of shape (n_features,)
        Fitness of each feature alone; NaN for columns that were no candidates, and for searches
        that do not ask for it (backward, genetic, swarm).
    fitness_path_ : FitnessPath
        Fitness of each step with its interval, and what shuffled candidates reach. It has chosen
        the features: judge them on rows that `fit` has not seen.
    refused_ : dict or None
        The step that ``stop="permutation"`` did not take, which is why the search ended there:
        `feature` (a column), `fitness`, `reference` and `p_value` as in the path.
    subsets_ : dict of int to ndarray
        The subset of every size that the search took.
    contributions_ : ndarray of shape (n_features_, 3)
        What the fitness of the panel loses without each selected feature, and the interval.
    candidates_ : ndarray of int
        Columns that passed the filter.
    minority_ : object
        The class that is looked for; None with ``multiclass="ovr"`` and several classes.
    classes_ : ndarray
        Class labels.
    n_evaluations_ : int
        Subsets that were judged, repeated draws counted.
    history_ : dict or None
        Generations of the genetic search or the swarm.
    seconds_ : dict
        Time spent: "prepare", "search", "total".
    result_ : BalancedWrapperResult
        The whole answer, savable.
    n_features_in_ : int
        Number of features seen in `fit`.
    feature_names_in_ : ndarray of str
        Their names, where X had them.

    See Also
    --------
    HybridSampler : the balanced samples, for pipelines of imbalanced-learn.
    EnsembleSelector : many selections joined; much faster, and blind to imbalance.

    References
    ----------
    P. Yang, W. Liu, B. B. Zhou, S. Chawla, A. Y. Zomaya, "Ensemble-based wrapper methods for
    feature selection and class imbalance learning", PAKDD 2013.

    Examples
    --------
    >>> from consilience import BalancedWrapper, make_planted
    >>> made = make_planted(120, 40, n_blocks=2, class_balance=[5, 1], random_state=0)
    >>> wrapper = BalancedWrapper(n_features_to_select=5, stop="permutation", random_state=0)
    >>> wrapper.fit(made.X, made.y).transform(made.X).shape[1] <= 5
    True
    >>> bool(made.relevant[wrapper.selected_[0]])
    True
    """

    def __init__(
        self,
        estimator=None,
        *,
        search="forward",
        n_features_to_select=20,
        ensemble_size=20,
        balance="hybrid",
        cv=5,
        choice="race",
        stop=None,
        n_permutations=9,
        alpha=0.1,
        fitness="auc",
        combine="mean",
        oversample=0.5,
        k_neighbors=5,
        smote_space="subset",
        smote_gap="row",
        redraw="iteration",
        multiclass="smallest",
        n_candidates=None,
        n_screened=None,
        population=20,
        n_generations=20,
        crossover_rate=0.7,
        mutation_rate=0.1,
        crossover="one_point",
        selection="tournament",
        categorical_features="from_dtype",
        n_jobs=None,
        random_state=None,
        checkpoint=None,
        backend="threads",
        verbose=0,
    ):
        self.estimator = estimator
        self.search = search
        self.n_features_to_select = n_features_to_select
        self.ensemble_size = ensemble_size
        self.balance = balance
        self.cv = cv
        self.choice = choice
        self.stop = stop
        self.n_permutations = n_permutations
        self.alpha = alpha
        self.fitness = fitness
        self.combine = combine
        self.oversample = oversample
        self.k_neighbors = k_neighbors
        self.smote_space = smote_space
        self.smote_gap = smote_gap
        self.redraw = redraw
        self.multiclass = multiclass
        self.n_candidates = n_candidates
        self.n_screened = n_screened
        self.population = population
        self.n_generations = n_generations
        self.crossover_rate = crossover_rate
        self.mutation_rate = mutation_rate
        self.crossover = crossover
        self.selection = selection
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.checkpoint = checkpoint
        self.backend = backend
        self.verbose = verbose

    @with_callbacks
    def fit(self, X, y, groups=None):
        """Filter the columns, search, and judge the panel.

        There are no sample weights: every row counts once.

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
            The fitted wrapper.
        """
        started = time.perf_counter()
        check_wrapper(self)
        seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        work = prepare(self, X, y, groups, seed)
        ready = time.perf_counter()
        context = self._init_callback_context(max_subtasks=work.request.n_steps)
        with progress_bar("Searching", show=bool(self.verbose)) as bar:
            progress = CallbackProgress(self, context, bar)
            progress.start(work.request.n_steps)
            try:
                found = run_search(work.request, work.judge, progress, work.checkpoint)
            finally:
                progress.finish()
        self._learn(work, found)
        check_unchanged(work.X)
        ended = time.perf_counter()
        self.seconds_ = {"prepare": ready - started, "search": ended - ready}
        self.seconds_ |= {"total": ended - started}
        self.result_ = make_result(self, work, started=started, grouped=groups is not None)
        for sentence in work.remarks:
            remark(sentence, stacklevel=3)
        return self

    def estimate_memory(self, X) -> int:
        """Bytes that `fit` will hold at its peak beside X itself, about.

        Parameters
        ----------
        X : array, sparse matrix or BitMatrix of shape (n_samples, n_features)
            The data.
        """
        return memory_for(self, X, n_candidates(self))

    def _learn(self, work, found):
        """Set what was learned, by columns of X."""
        table, features = work.table, work.table.features
        self.candidates_ = np.sort(features)
        self.subsets_ = {size: features[own] for size, own in found.subsets.items()}
        self.selected_ = self.subsets_[found.chosen]
        self.n_features_ = self.selected_.size
        self.support_ = np.zeros(self.n_features_in_, dtype=bool)
        self.support_[self.selected_] = True
        self.scores_ = np.full(self.n_features_in_, np.nan)
        if found.first is not None:
            self.scores_[features] = found.first
        steps = [
            (size, int(features[feature]) if feature >= 0 else -1, added, evidence)
            for size, feature, added, evidence in found.steps
        ]
        self.fitness_path_ = make_path(steps, dealing_of(work.judge))
        self.refused_ = None
        if found.refused is not None:
            feature, evidence = found.refused
            names = ("fitness", "reference", "p_value")
            told = {name: float(getattr(evidence, name)) for name in names}
            self.refused_ = {"feature": int(features[feature])} | told
        self.contributions_ = contributions(work, found.subsets[found.chosen])
        self.history_ = found.history
        self.n_evaluations_ = work.judge.n_subsets
        self.ranking_ = self._rank(table)
        work.remark(self)

    def _rank(self, table):
        """The selected first, then by fitness alone, by chi-square, and in the seeded order."""
        rest = table.features[~self.support_[table.features]]
        liking = table.preference[~self.support_[table.features]]
        alone = np.nan_to_num(self.scores_[rest], nan=-np.inf)
        rest = rest[np.lexsort((-liking, -alone))]
        order = np.concatenate([self.selected_, rest, table.others])
        ranking = np.empty(order.size, dtype=np.int64)
        ranking[order] = np.arange(1, order.size + 1)
        return ranking

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.sparse = True
        return tags
