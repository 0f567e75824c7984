"""Names of methods for checks, tab completion and `consilience methods`.

Registries and classifiers are imported only when they are asked for, so that `--help` stays
instant.
"""

# Those of EnsembleSelector; named here, because importing it for `--help` would take seconds.
SELECTOR, AGGREGATOR, SHARE = "ridge-rfe", "average-rank", 0.8
ENSEMBLES = ("ensemble",)
BACKENDS = ("threads", "processes")


def registries() -> dict:
    """All registries by what they hold, in the order of the pipeline."""
    from ..aggregation import AGGREGATORS
    from ..selectors import SELECTORS

    return {"selectors": SELECTORS, "aggregators": AGGREGATORS}


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


def complete_method(incomplete: str) -> list[str]:
    """Ensembles that start like this."""
    return [name for name in ENSEMBLES if name.startswith(incomplete)]


def complete_classifier(incomplete: str) -> list[str]:
    """Classifiers that start like this."""
    return [name for name in classifiers() if name.startswith(incomplete)]


def complete_backend(incomplete: str) -> list[str]:
    """Backends that start like this."""
    return [name for name in BACKENDS if name.startswith(incomplete)]


def _starting(family: str, incomplete: str) -> list[tuple[str, str]]:
    entries = registries()[family]
    return [(e.name, e.summary) for e in entries if e.name.startswith(incomplete.casefold())]
