"""Parameters of committees whose members are searched for, checked before any work."""

from numbers import Integral, Real

import numpy as np
from sklearn.utils import check_random_state

from ..exceptions import UsageError
from ..execution.local import resolve_jobs
from ..learners.discrete_nb import DiscreteNB
from ..learners.value_codes import check_bins
from ..search.genome import STARTS
from ..selectors.validation import check_count
from .mean_diversity import check_diversity
from .members import as_classifier

# Above this many features a search begins with those that tell most of the classes.
ALL_UP_TO = 1000
OTHERWISE = 500
CHOICES = {"start": STARTS, "direction": ("forward", "backward"), "choose": ("knee", "front")}
# What alpha="auto" tries.
ALPHAS = (0.0, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
# Above this accuracy is nothing beside diversity, and sums of fitness near the end of floats.
LARGEST_ALPHA = 1e6


def check_search_options(committee) -> None:
    """Refuse parameters that make no sense, each with one sentence.

    Parameters
    ----------
    committee : BaseSearchCommittee
        Those of its parameters that it has are looked at.

    Examples
    --------
    >>> from consilience import SequentialGeneticEnsembleClassifier
    >>> from consilience.committee.search_options import check_search_options
    >>> check_search_options(SequentialGeneticEnsembleClassifier(alpha=-1))
    Traceback (most recent call last):
        ...
    consilience.exceptions.UsageError: alpha is -1; give a number from 0 to 1,000,000, or 'auto'.
    """
    given = committee.get_params(deep=False)
    check_count("n_estimators", given["n_estimators"])
    as_classifier(given["estimator"])
    resolve_jobs(given["n_jobs"])
    _check_seed(given["random_state"])
    check_bins(given["n_bins"])
    _check_neighbors(given["n_neighbors"])
    check_diversity(given["diversity"])
    _check_fraction(given["validation_fraction"])
    _check_truth("refit", given["refit"])
    _check_truth("scale", given["scale"])
    _check_candidates(given["n_candidates"])
    if "alpha" in given:
        check_alpha(given["alpha"])
    for name, words in CHOICES.items():
        if name in given and not (isinstance(given[name], str) and given[name] in words):
            known = " or ".join(filter(None, [", ".join(map(repr, words[:-1])), repr(words[-1])]))
            raise UsageError(f"{name} is {given[name]!r}; choose {known}.")
    if "max_passes" in given:
        check_count("max_passes", given["max_passes"])
    if "penalty" in given and not (_is_number(given["penalty"]) and 0 <= given["penalty"] <= 1):
        raise UsageError(f"penalty is {given['penalty']!r}; give a number from 0 to 1.")
    if "mutation_rate" in given:
        check_breeding(given)


def check_breeding(given: dict) -> None:
    """Refuse sizes and rates of a genetic search that make no sense."""
    if check_count("population", given["population"]) < 2:
        raise UsageError("population is 1; a search crosses individuals, so give 2 or more.")
    for name in ("n_crossover", "n_generations"):
        _check_whole(name, given[name])
    _check_whole("n_mutation", given["n_mutation"])
    if given["n_crossover"] + given["n_mutation"] == 0 and given["n_generations"] > 0:
        raise UsageError(
            "n_crossover and n_mutation are 0, so that no generation would bring anything new; "
            "give one of them 1 or more."
        )
    rate = given["mutation_rate"]
    if not _is_number(rate) or not 0 < rate <= 1:
        raise UsageError(f"mutation_rate is {rate!r}; give a share above 0 and up to 1.")
    elitism, most = given.get("elitism", 0), given["population"]
    if not _is_whole(elitism) or not 0 <= elitism <= most:
        raise UsageError(
            f"elitism is {elitism!r}; give how many of the best are kept for sure, a "
            f"whole number from 0 to the population, {most}."
        )
    if given["patience"] is not None:
        check_count("patience", given["patience"])


def check_alpha(alpha) -> None:
    """Refuse what is no weight of diversity."""
    if is_auto(alpha):
        return
    if not _is_number(alpha) or not 0 <= alpha <= LARGEST_ALPHA:
        raise UsageError(
            f"alpha is {alpha!r}; give a number from 0 to {LARGEST_ALPHA:,.0f}, or 'auto'."
        )


def count_candidates(n_candidates, n_features: int) -> int:
    """How many features a search may use.

    Examples
    --------
    >>> from consilience.committee.search_options import count_candidates
    >>> count_candidates("auto", 1000), count_candidates("auto", 20_000), count_candidates(40, 9)
    (1000, 500, 9)
    """
    if n_candidates is None:
        return n_features
    if isinstance(n_candidates, str):
        return n_features if n_features <= ALL_UP_TO else OTHERWISE
    return min(int(n_candidates), n_features)


def is_auto(value) -> bool:
    """Whether a parameter is to be chosen."""
    return isinstance(value, str) and value == "auto"


def is_bayes(estimator) -> bool:
    """Whether members are the naive Bayes whose populations are judged all at once."""
    return estimator == "bayes" if isinstance(estimator, str) else type(estimator) is DiscreteNB


def _check_seed(random_state):
    try:
        check_random_state(random_state)
    except ValueError:
        raise UsageError(
            f"random_state is {random_state!r}; give a whole number from 0 to {2**32 - 1:,}, a "
            "numpy.random.RandomState, or None."
        ) from None


def _check_candidates(n_candidates):
    if n_candidates is None or is_auto(n_candidates):
        return
    if not _is_whole(n_candidates) or n_candidates < 1:
        raise UsageError(
            f"n_candidates is {n_candidates!r}; give how many features may be used, a whole "
            "number of 1 or more, 'auto', or None for all."
        )


def _check_neighbors(n_neighbors):
    if is_auto(n_neighbors):
        return
    if not _is_whole(n_neighbors) or n_neighbors < 1:
        raise UsageError(
            f"n_neighbors is {n_neighbors!r}; give a whole number, 1 or more, or 'auto'."
        )


def _check_fraction(fraction):
    if not _is_number(fraction) or not 0 < fraction < 1:
        raise UsageError(
            f"validation_fraction is {fraction!r}; give the share of the rows that judge members, "
            "above 0 and below 1."
        )


def _check_truth(name, value):
    if not isinstance(value, (bool, np.bool_)):
        raise UsageError(f"{name} is {value!r}; give True or False.")


def _check_whole(name, value):
    if not _is_whole(value) or value < 0:
        raise UsageError(f"{name} is {value!r}; give a whole number, 0 or more.")


def _is_whole(value):
    return isinstance(value, Integral) and not isinstance(value, bool)


def _is_number(value):
    return isinstance(value, Real) and not isinstance(value, bool) and value == value
