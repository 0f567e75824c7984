"""Who a committee of searched subsets must beat: no search, no committee, another committee."""

from sklearn.ensemble import RandomForestClassifier

from ..committee.members import as_classifier
from .classifiers import Judge

# Settings that all kinds of committees share: who learns what, how data are prepared and joined.
SHARED = (
    "estimator",
    "n_estimators",
    "integration",
    "n_neighbors",
    "validation_fraction",
    "refit",
    "n_bins",
    "n_candidates",
    "categorical_features",
    "scale",
    "random_state",
)


def random_subspaces(committee, X):
    """As many members of the same kind on random features, joined by the same rule.

    A population that is not bred: each feature that may be used is in a member with probability
    1/2, as where the searches start.
    """
    from ..committee.genetic import GeneticEnsembleClassifier

    given = committee.get_params(deep=False)
    shared = {name: given[name] for name in SHARED if name in given}
    if given["integration"] not in GeneticEnsembleClassifier._integrations:
        shared["integration"] = "vote"
    population = max(given["n_estimators"], 2)  # all of them, but for a committee of one
    return GeneticEnsembleClassifier(population=population, n_generations=0, **shared)


def one_classifier(committee, X):
    """The learner of the members alone, on all features."""
    given = committee.get_params(deep=False)
    estimator = given["estimator"]
    if isinstance(estimator, str) and estimator == "bayes":
        from ..learners.discrete_nb import DiscreteNB

        names = ("n_bins", "categorical_features")
        return DiscreteNB(**{name: given[name] for name in names if name in given})
    if hasattr(estimator, "categorical_features"):  # takes gaps and categories as they are
        return estimator
    return Judge("one", "one classifier, all features", as_classifier(estimator))


def random_forest(committee, X):
    """A hundred trees of scikit-learn, as they come."""
    return Judge("forest", "random forest", RandomForestClassifier(n_estimators=100))


# Key -> how readers call it, and what makes it of a committee and the data.
SEARCH_MAKERS = {
    "subspace": ("random features", random_subspaces),
    "one": ("one classifier, all features", one_classifier),
    "forest": ("random forest", random_forest),
}
