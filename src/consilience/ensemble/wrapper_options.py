"""What may be asked of a wrapper: words and numbers, refused in a sentence where they make none."""

from numbers import Integral, Real

from sklearn.base import is_classifier

from ..exceptions import UsageError
from ..learners.compact_tree import CompactTreeClassifier
from ..learners.tree_settings import settings_of
from ..sampling.balance import check_oversample
from ..selectors.validation import check_count
from .wrapper_judge import REDRAWS
from .wrapper_scorer import COMBINATIONS, GAPS, MEASURES, SPACES, Balance, check_balance
from .wrapper_search import SEARCHES, SEQUENTIAL, STOPS
from .wrapper_splits import check_folds
from .wrapper_steps import CHOICES

MULTICLASS = ("smallest", "ovr")
PARENTS = {"tournament": "tournament", "roulette": "proportional"}
# Candidates where nobody says how many; backward search begins with all of them in every tree.
N_CANDIDATES = {"backward": 50}
MOST_CANDIDATES = 500
WORDS = {
    "search": SEARCHES,
    "choice": CHOICES,
    "smote_space": SPACES,
    "smote_gap": GAPS,
    "redraw": REDRAWS,
    "fitness": MEASURES,
    "combine": COMBINATIONS,
    "multiclass": MULTICLASS,
    "selection": tuple(PARENTS),
    "crossover": ("one_point", "uniform"),
}


def check_wrapper(wrapper) -> None:
    """Refuse parameters that make no sense, whatever the data."""
    for name, words in WORDS.items():
        if getattr(wrapper, name) not in words:
            known = ", ".join(map(repr, words))
            raise UsageError(f"{name} is {getattr(wrapper, name)!r}; give one of {known}.")
    if wrapper.stop is not None and wrapper.stop not in STOPS:
        known = ", ".join(map(repr, STOPS))
        raise UsageError(f"stop is {wrapper.stop!r}; give one of {known}, or None.")
    if wrapper.stop == "permutation" and wrapper.search not in ("forward", "floating"):
        raise UsageError(
            f"stop is 'permutation', which asks at each added feature, and search is "
            f"{wrapper.search!r}; choose stop='one_se', or search='forward'."
        )
    check_balance(wrapper.balance)
    check_folds(wrapper.cv)
    check_oversample(wrapper.oversample)
    for name in ("ensemble_size", "k_neighbors", "n_permutations", "population", "n_generations"):
        check_count(name, getattr(wrapper, name))
    if wrapper.n_screened is not None:
        check_count("n_screened", wrapper.n_screened)
    _check_candidates(wrapper.n_candidates)
    alpha = wrapper.alpha
    if not isinstance(alpha, Real) or isinstance(alpha, bool) or not 0 < alpha < 1:
        raise UsageError(f"alpha is {alpha!r}; give a number between 0 and 1, such as 0.1.")
    if wrapper.stop == "permutation" and alpha * (1 + wrapper.n_permutations) < 1 - 1e-9:
        least = int(-(-1 // alpha)) - 1
        raise UsageError(
            f"{wrapper.n_permutations} permutations cannot show a p value of {alpha:g}; give "
            f"n_permutations={least} or more, or a larger alpha."
        )
    estimator = base_estimator(wrapper)
    fits = hasattr(estimator, "fit") and not isinstance(estimator, type)
    if not (fits and is_classifier(estimator)):
        raise UsageError(
            f"estimator is {estimator!r}; give a classifier of scikit-learn, or None for small "
            "decision trees."
        )
    settings = settings_of(estimator)
    by_weight = check_balance(wrapper.balance) == "cost" and settings is not None
    if by_weight and (settings.confidence or settings.criterion == "gain_ratio"):
        raise UsageError(
            "balance is 'cost', and trees that are pruned or choose by gain ratio know no class "
            "weights; choose another balance such as 'hybrid', or criterion='entropy' and "
            "pruning=None."
        )


def base_estimator(wrapper):
    """What is trained on each sample: the estimator given, or a small tree."""
    return CompactTreeClassifier() if wrapper.estimator is None else wrapper.estimator


def n_candidates(wrapper) -> int | None:
    """How many columns pass the filter; None is all."""
    given = wrapper.n_candidates
    if given is None:
        return N_CANDIDATES.get(wrapper.search, MOST_CANDIDATES)
    return None if isinstance(given, str) else int(given)


def make_balance(wrapper) -> Balance:
    """How samples are drawn, and how many members there are."""
    kind = check_balance(wrapper.balance)
    alike = kind in (None, "cost") and settings_of(base_estimator(wrapper)) is not None
    return Balance(
        kind,
        1 if alike else int(wrapper.ensemble_size),  # such trees would all be the same
        float(wrapper.oversample),
        int(wrapper.k_neighbors),
        wrapper.smote_space,
        wrapper.smote_gap,
    )


def search_options(wrapper) -> dict:
    """Settings of a search by generations, as `search` takes them."""
    numbers = {"population": wrapper.population, "n_generations": wrapper.n_generations}
    if wrapper.search in SEQUENTIAL or wrapper.search == "swarm":
        return numbers
    return numbers | {
        "n_crossover": wrapper.population,
        "mutation_rate": wrapper.mutation_rate,
        "parents": PARENTS[wrapper.selection],
        "crossover": wrapper.crossover,
        "crossover_rate": wrapper.crossover_rate,
        "mutate": "in_place",
        "survivors": "offspring",
        "elitism": 1,
    }


def _check_candidates(given) -> None:
    if given is None or (isinstance(given, str) and given == "all"):
        return
    if not isinstance(given, Integral) or isinstance(given, bool) or given < 1:
        raise UsageError(
            f"n_candidates is {given!r}; give a whole number of 1 or more, 'all', or None."
        )
