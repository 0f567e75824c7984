"""GEFS: a genetic search that adapts the weight of diversity on the way."""

import numpy as np

from ..search.objective import Scored
from .search_base import BaseSearchCommittee, Found
from .search_breeding import breed, breeding_options, fittest, join_histories
from .search_objective import PopulationObjective
from .search_options import LARGEST_ALPHA

STEP = 0.1  # by which the weight of diversity changes


class GEFS(BaseSearchCommittee):
    """Committee of naive Bayes from one population, with an adapted weight of diversity (GEFS).

    As `GeneticEnsembleClassifier`, but first subsets have any size, parents are drawn in proportion
    to their fitness, the fittest survive, and after each generation the weight of diversity changes
    by a tenth: up, if the error of the population does not rise while its diversity falls; down, if
    its error rises and its diversity does not fall.

    Parameters
    ----------
    estimator : {"bayes", "nb", "tree", "svm", "knn", "ridge", "mlp"} or classifier, default="bayes"
        What members are. "bayes" is `DiscreteNB`, of which whole populations of subsets are judged
        at once; any other is fitted anew for every subset, which takes far longer.
    n_estimators : int, default=10
        Number of members.
    alpha : float or "auto", default=1.0
        Weight of diversity at the beginning. "auto" tries 0, 0.25, 0.5, 1, 2, 4 and 8 on three
        inner splits and takes the one whose committee predicts rows set aside best.
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
    population : int, default=10
        Individuals of a generation; no fewer than members.
    n_crossover : int, default=20
        Children of two parents in each generation.
    n_mutation : int, default=10
        Offspring in each generation from which features are deleted, and as many to which features
        are added.
    n_generations : int, default=10
        Generations after the first.
    mutation_rate : float, default=0.5
        Probability that a feature is deleted, or added, in a mutation.
    elitism : int, default=0
        How many of the fittest survive for sure.
    patience : int, default=None
        Stop after so many generations without a better best; None never does.
    start : {"bernoulli", "size", "opitz"}, default="opitz"
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
        A row for each generation of each process: `process`, `generation`, and `best_fitness`,
        `mean_fitness`, `best_accuracy`, `mean_accuracy`, `best_diversity`, `mean_diversity`,
        `mean_size`, `n_evaluated`, `alpha`.
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
    GeneticEnsembleClassifier : leaves the weight as it is.

    References
    ----------
    D. W. Opitz, "Feature selection for ensembles", AAAI, 1999.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience import GEFS
    >>> rng = np.random.default_rng(0)
    >>> y = np.arange(200) // 100
    >>> X = rng.normal(size=(200, 12)) + 2.5 * y[:, None] * (np.arange(12) < 4)
    >>> committee = GEFS(n_estimators=5, random_state=0)
    >>> bool(committee.fit(X[::2], y[::2]).score(X[1::2], y[1::2]) > 0.8)
    True
    >>> committee.masks_.shape, committee.fitness_history_["alpha"].size
    ((5, 12), 11)
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
        population=10,
        n_crossover=20,
        n_mutation=10,
        n_generations=10,
        mutation_rate=0.5,
        elitism=0,
        patience=None,
        start="opitz",
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
        self.population = population
        self.n_crossover = n_crossover
        self.n_mutation = n_mutation
        self.n_generations = n_generations
        self.mutation_rate = mutation_rate
        self.elitism = elitism
        self.patience = patience
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
        objective = AdaptiveObjective(problem.predictor, problem.y, self.diversity, alpha)
        bred, drawn = seed.spawn(2)
        options = breeding_options(
            self,
            population=max(self.population, self.n_estimators),
            parents="proportional",
            survivors="fittest",
        )
        run = breed(
            self, problem, objective, options, bred, checkpoint=checkpoint, progress=progress
        )
        masks = fittest(run, self.n_estimators, drawn)
        history = join_histories([run.history])
        weights = np.array([*objective.alphas, objective.alpha])  # that scored each generation
        return Found(masks, {**history, "alpha": weights}, run.n_evaluations, objective.alpha)

    def _n_steps(self):
        return self.n_generations


class AdaptiveObjective(PopulationObjective):
    """Accuracy plus a weight times diversity, the weight adapted after each generation.

    Attributes
    ----------
    alphas : list of float
        The weight in each generation that is over.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.committee.gefs import AdaptiveObjective
    >>> from consilience.search import Scored
    >>> objective = AdaptiveObjective(None, np.array([0, 1]))
    >>> _ = objective.after_generation(Scored.of(np.array([0.6]), np.array([0.4])))
    >>> _ = objective.after_generation(Scored.of(np.array([0.7]), np.array([0.3])))
    >>> objective.alpha  # more accurate and less diverse: diversity shall count more
    1.1
    """

    def __init__(self, predictor, y, measure: str = "disagreement", alpha: float = 1.0):
        super().__init__(predictor, y, measure, alpha)
        self.alphas, self._before = [], None

    def after_generation(self, scored: Scored) -> Scored:
        """Adapt the weight, and score the population by the new one."""
        now = float(scored.accuracy.mean()), float(scored.diversity.mean())
        self.alphas.append(self.alpha)
        if self._before is not None:
            turned = self.alpha * (1 + STEP * _direction(self._before, now))
            self.alpha = min(turned, LARGEST_ALPHA)
        self._before = now
        fitness = scored.accuracy + self.alpha * scored.diversity
        return Scored(fitness, scored.accuracy, scored.diversity)


def _direction(before, now) -> int:
    """1 where diversity shall count more, -1 where less, 0 where as much."""
    rises, falls = now[0] < before[0], now[1] < before[1]  # the error, and the diversity
    if not rises and falls:
        return 1
    return -1 if rises and not falls else 0
