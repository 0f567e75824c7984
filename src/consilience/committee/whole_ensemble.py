"""A genetic search whose individuals are whole committees, after Kuncheva and Jain."""

import numpy as np

from ..search.genetic import genetic_search
from ..search.genome import JointMasks
from ..search.objective import Objective, Scored
from .mean_diversity import MeanDiversity
from .search_base import BaseSearchCommittee, Found
from .search_breeding import breeding_options, join_histories


class WholeEnsembleGeneticClassifier(BaseSearchCommittee):
    """Committee of naive Bayes that was bred as a whole: an individual is a set of members.

    An individual holds the feature subsets of all members; it is as fit as their vote is accurate
    on rows set aside, less `penalty` times the share of the features that members use on average.
    No measure of diversity is needed; the price is that whole committees are judged, ten subsets
    each with ten members, and that they fit the rows set aside more closely.

    Parameters
    ----------
    estimator : {"bayes", "nb", "tree", "svm", "knn", "ridge", "mlp"} or classifier, default="bayes"
        What members are. "bayes" is `DiscreteNB`, of which whole populations of subsets are judged
        at once; any other is fitted anew for every subset, which takes far longer.
    n_estimators : int, default=10
        Number of members.
    penalty : float, default=0.05
        What using all features would cost, as accuracy; from 0 to 1.
    diversity : str, default="disagreement"
        What is told of members, and not searched for: "disagreement", "kappa",
        "label_disagreement", "q_statistic", "correlation", "double_fault" or "kappa_raw01", see
        `consilience.diversity.pairwise_diversities`; or "entropy" or "ambiguity", see
        `consilience.measures.vote_diversity`.
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
    alpha_ : None
        None: diversity has no weight here.
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
    SequentialGeneticEnsembleClassifier : members one after the other, by accuracy and diversity.

    References
    ----------
    L. I. Kuncheva and L. C. Jain, "Designing classifier fusion systems by genetic algorithms", IEEE
    Transactions on Evolutionary Computation 4, 2000.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience import WholeEnsembleGeneticClassifier
    >>> rng = np.random.default_rng(0)
    >>> y = np.arange(200) // 100
    >>> X = rng.normal(size=(200, 12)) + 2.5 * y[:, None] * (np.arange(12) < 4)
    >>> committee = WholeEnsembleGeneticClassifier(n_estimators=5, random_state=0)
    >>> bool(committee.fit(X[::2], y[::2]).score(X[1::2], y[1::2]) > 0.8)
    True
    >>> committee.masks_.shape, committee.n_evaluations_
    ((5, 12), 2050)
    """

    def __init__(
        self,
        estimator="bayes",
        *,
        n_estimators=10,
        penalty=0.05,
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
        self.penalty = penalty
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
        priors = np.bincount(problem.table.y[problem.fit_rows], minlength=problem.table.n_classes)
        objective = VoteObjective(
            problem.predictor, problem.y, priors, self.penalty, self.diversity
        )
        genome = JointMasks(self.n_estimators, problem.n_features, start=self.start)
        run = genetic_search(
            objective, genome, breeding_options(self), seed, checkpoint=checkpoint,
            progress=progress,
        )  # fmt: skip
        history = join_histories([run.history])
        # Told for each member, as for the other committees.
        history["mean_size"] = history["mean_size"] / self.n_estimators
        history["n_evaluated"] = history["n_evaluated"] * self.n_estimators
        return Found(run.population[run.best], history, run.n_evaluations * self.n_estimators)

    def _n_steps(self):
        return self.n_generations


class VoteObjective(Objective):
    """Accuracy of the vote of an ensemble, less a penalty on the features that it uses.

    Parameters
    ----------
    predictor : SubsetPredictor
        Gives the classes of the validation rows.
    y : int array of shape (n_asked,)
        Their true classes.
    priors : array of shape (n_classes,)
        Decide votes that tie.
    penalty : float
        What using all features costs.
    measure : str
        Of the diversity of members, which is told and does not count.
    """

    relative = False

    def __init__(self, predictor, y, priors, penalty=0.05, measure="disagreement"):
        self.predictor, self.y, self.penalty = predictor, np.asarray(y), penalty
        self.diversity = MeanDiversity(measure, self.y, len(priors))
        # Votes of n members come first, then the place of the class: the larger prior, the lower.
        order = np.lexsort((np.arange(len(priors)), -np.asarray(priors)))
        self._places = np.empty(len(priors), dtype=np.int64)
        self._places[order] = np.arange(len(priors))[::-1]

    def of_population(self, individuals) -> Scored:
        """Score ensembles, bool[n, n_members, n_features]."""
        n, n_members, n_features = individuals.shape
        predicted = self.predictor.predict(individuals.reshape(-1, n_features))
        predicted = predicted.reshape(n, n_members, -1)
        accuracy = np.mean(self.vote(predicted) == self.y, axis=1)
        share = individuals.mean(axis=(1, 2))
        right = (predicted == self.y).view(np.uint8)
        answers = right if self.diversity.by_right else predicted
        diversity = np.array([self.diversity.among(members).mean() for members in answers])
        return Scored(np.maximum(accuracy - self.penalty * share, 0.0), accuracy, diversity)

    def vote(self, predicted) -> np.ndarray:
        """Majority of the members of each ensemble, of int[n, n_members, n_asked]."""
        n_classes = self._places.size
        votes = np.stack([(predicted == c).sum(axis=1) for c in range(n_classes)], axis=-1)
        return (votes * n_classes + self._places).argmax(axis=-1)
