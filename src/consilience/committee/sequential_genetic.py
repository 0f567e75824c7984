"""GAS-SEFS: a genetic search for each member, diverse from the members before."""

import numpy as np

from .search_base import BaseSearchCommittee, Found
from .search_breeding import breed, breeding_options, for_member, join_histories
from .search_objective import MembersObjective


class SequentialGeneticEnsembleClassifier(BaseSearchCommittee):
    """Committee of naive Bayes, each on features that a genetic search of its own found (GAS-SEFS).

    The members come one after the other. For each a population of feature subsets is bred for
    accuracy on rows set aside plus `alpha` times the mean diversity to the members that are there
    already; the first goes by accuracy alone. The fittest of the last generation joins. With ten
    members and the defaults 4,100 subsets are judged, ten times those of one search for all members
    (`GeneticEnsembleClassifier`). It is more accurate, above all with many features, and takes some
    two times as long with naive Bayes and up to ten times with other classifiers.

    For a given `alpha` a committee of three is the first three members of a committee of ten, so
    that a run with a checkpoint can be made longer; "auto" chooses it for a number of members.

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
    population : int, default=10
        Individuals of a generation.
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
        A row for each generation of each process: `process`, `generation`, and `best_fitness`,
        `mean_fitness`, `best_accuracy`, `mean_accuracy`, `best_diversity`, `mean_diversity`,
        `mean_size`, `n_evaluated`.
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
    GeneticEnsembleClassifier : one population is the committee.
    ParetoEnsembleClassifier : accuracy and diversity without a weight between them.

    References
    ----------
    A. Tsymbal, M. Pechenizkiy and P. Cunningham, "Sequential genetic search for ensemble feature
    selection", IJCAI, 2005.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience import SequentialGeneticEnsembleClassifier
    >>> rng = np.random.default_rng(0)
    >>> y = np.arange(200) // 100
    >>> X = rng.normal(size=(200, 12)) + 2.5 * y[:, None] * (np.arange(12) < 4)
    >>> committee = SequentialGeneticEnsembleClassifier(n_estimators=3, random_state=0)
    >>> bool(committee.fit(X[::2], y[::2]).score(X[1::2], y[1::2]) > 0.8)
    True
    >>> committee.masks_.shape, committee.n_evaluations_
    ((3, 12), 1230)
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

    _grows = True

    def _search(self, problem, alpha, seed, checkpoint=None, progress=None):
        objective = MembersObjective(problem.predictor, problem.y, self.diversity, alpha)
        options, runs = breeding_options(self), []
        masks = np.empty((self.n_estimators, problem.n_features), dtype=bool)
        for member, own in enumerate(seed.spawn(self.n_estimators)):
            if member:
                objective.refer_to(masks[:member])
            part = for_member(member, self.n_estimators, checkpoint, progress)
            run = breed(self, problem, objective, options, own, checkpoint=part, progress=progress)
            masks[member] = run.population[run.best]
            runs.append(run)
        n_evaluations = sum(run.n_evaluations for run in runs)
        return Found(masks, join_histories(run.history for run in runs), n_evaluations)

    def _n_steps(self):
        return self.n_estimators * self.n_generations
