"""Names of methods for checks, tab completion and `consilience methods`.

Registries and classifiers are imported only when they are asked for, so that `--help` stays
instant.
"""

# Those of EnsembleSelector; named here, because importing it for `--help` would take seconds.
SELECTOR, AGGREGATOR, SHARE = "ridge-rfe", "average-rank", 0.8
BACKENDS = ("threads", "processes")
VOTES = ("training", "oof")
DIRECTIONS = ("forward", "backward")
CHOICES = ("knee", "front")


def registries() -> dict:
    """All registries by what they hold, in the order of the pipeline."""
    from ..aggregation import AGGREGATORS
    from ..committee.methods import COMMITTEES
    from ..ensemble import ENSEMBLES
    from ..selectors import SELECTORS

    methods = ENSEMBLES.joined(COMMITTEES)
    return {"selectors": SELECTORS, "aggregators": AGGREGATORS, "methods": methods}


def classifiers() -> tuple[str, ...]:
    """All classifiers that go by a name."""
    from ..evaluation.classifiers import CLASSIFIERS

    return tuple(CLASSIFIERS)


def complete_selector(incomplete: str) -> list[tuple[str, str]]:
    """Selectors that start like this, with what each does."""
    return _starting("selectors", incomplete)


def complete_aggregator(incomplete: str) -> list[tuple[str, str]]:
    """Aggregators that start like this, with what each does."""
    return _starting("aggregators", incomplete)


def complete_method(incomplete: str) -> list[tuple[str, str]]:
    """Methods that start like this, with what each does."""
    return _starting("methods", incomplete)


def complete_classifier(incomplete: str) -> list[str]:
    """Classifiers that start like this."""
    return [name for name in classifiers() if name.startswith(incomplete)]


def learners() -> tuple[str, ...]:
    """All classifiers of subspaces that go by a name."""
    from ..learners.choose import LEARNERS

    return tuple(LEARNERS)


def diversities() -> tuple[str, ...]:
    """All measures of diversity, as the command line spells them."""
    from ..measures.diversity import MEASURES

    return tuple(name.replace("_", "-") for name in MEASURES)


def criteria() -> tuple[str, ...]:
    """All that features of DAFS can be scored by."""
    from ..ensemble.dafs_scores import SCORES

    return tuple(SCORES)


def complete_criterion(incomplete: str) -> list[str]:
    """Criteria that start like this."""
    return [name for name in criteria() if name.startswith(incomplete)]


def evaluations() -> tuple[str, ...]:
    """All ways to hold out rows that judge the members."""
    from ..sampling.held_out import EVALUATIONS

    return tuple(EVALUATIONS)


def committee_learners() -> tuple[str, ...]:
    """All classifiers that members of committees go by."""
    from ..committee.members import CLASSIFIERS

    return tuple(CLASSIFIERS)


def discretizers() -> tuple[str, ...]:
    """All ways in which committees cut columns of many values."""
    from ..data.mixture import METHODS

    return tuple(METHODS)


def rivals() -> tuple[str, ...]:
    """All that a committee can be compared with."""
    from ..evaluation.committee_rivals import RIVALS

    return tuple(RIVALS)


def search_rivals() -> tuple[str, ...]:
    """All that a committee of searched members can be compared with."""
    from ..evaluation.search_rivals import SEARCH_MAKERS

    return tuple(SEARCH_MAKERS)


def integrations(method: str = "gas-sefs") -> tuple[str, ...]:
    """All rules by which a committee can join its members, as the command line spells them."""
    rules = registries()["methods"][method].cls._integrations
    return tuple(rule.replace("_", "-") for rule in rules)


def search_diversities() -> tuple[str, ...]:
    """All measures of diversity that a search can reward, as the command line spells them."""
    from ..committee.mean_diversity import DIVERSITIES

    return tuple(name.replace("_", "-") for name in DIVERSITIES)


def complete_integration(incomplete: str) -> list[str]:
    """Rules of integration that start like this."""
    return [name for name in integrations() if name.startswith(incomplete)]


def wrapper_words(option: str) -> tuple[str, ...]:
    """All words that an option of the balanced wrapper takes, as the command line spells them."""
    from ..ensemble.wrapper_options import WORDS
    from ..ensemble.wrapper_search import STOPS
    from ..sampling.balance import KINDS

    known = WORDS | {
        "balance": (*KINDS, "cost", "none"),
        "stop": (*sorted(STOPS, reverse=True), "none"),
        "space": WORDS["smote_space"],
    }
    return tuple(word.replace("_", "-") for word in known[option])


def completing(option: str):
    """Return what completes an option of the balanced wrapper."""

    def complete(incomplete: str) -> list[str]:
        return [word for word in wrapper_words(option) if word.startswith(incomplete)]

    return complete


def complete_direction(incomplete: str) -> list[str]:
    """Directions that start like this."""
    return [name for name in DIRECTIONS if name.startswith(incomplete)]


def complete_choose(incomplete: str) -> list[str]:
    """What is taken of a front, that starts like this."""
    return [name for name in CHOICES if name.startswith(incomplete)]


def complete_learner(incomplete: str) -> list[str]:
    """Learners that start like this."""
    known = dict.fromkeys([*learners(), *committee_learners()])
    return [name for name in known if name.startswith(incomplete)]


def complete_discretize(incomplete: str) -> list[str]:
    """Ways to cut columns that start like this."""
    return [name for name in discretizers() if name.startswith(incomplete)]


def complete_votes(incomplete: str) -> list[str]:
    """Whose votes make the margins, that start like this."""
    return [name for name in VOTES if name.startswith(incomplete)]


def complete_diversity(incomplete: str) -> list[str]:
    """Measures of diversity that start like this."""
    known = dict.fromkeys([*diversities(), *search_diversities()])
    return [name for name in known if name.startswith(incomplete)]


def complete_evaluation(incomplete: str) -> list[str]:
    """Ways to judge the members that start like this."""
    return [name for name in evaluations() if name.startswith(incomplete)]


def complete_backend(incomplete: str) -> list[str]:
    """Backends that start like this."""
    return [name for name in BACKENDS if name.startswith(incomplete)]


def _starting(family: str, incomplete: str) -> list[tuple[str, str]]:
    entries = registries()[family]
    return [(e.name, e.summary) for e in entries if e.name.startswith(incomplete.casefold())]
