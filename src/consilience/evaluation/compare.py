"""Many ways to a panel on many data sets, all on the same folds and the same bootstraps."""

import contextlib
import re
from dataclasses import replace

import numpy as np

from .. import __version__
from ..aggregation import AGGREGATORS
from ..ensemble import EnsembleSelector
from ..ensemble.selector import check_share
from ..exceptions import UsageError
from ..execution import Checkpoint, Progress, check_memory, fingerprint, open_checkpoint, run_tasks
from ..execution.local import resolve_jobs
from ..execution.memory import affordable_jobs
from ..heard import Heard, hear, remark
from ..selectors import SELECTORS
from ..selectors.adapter import as_model_selector
from ..selectors.base import check_size
from ..selectors.validation import check_count
from .classifiers import make_judge
from .compare_part import PLAIN, Part, Work, run_part
from .comparison import Comparison, DataFacts, Outcome
from .contenders import fitted_to, named_methods, named_tables
from .study import Study, decisive


def compare(
    datasets,
    selectors=("ridge-rfe", "symmetrical-uncertainty"),
    aggregators=("average-rank", "most-frequent", "closed-itemsets"),
    classifiers=("svm", "knn", "j48"),
    *,
    n_features_to_select: int = 20,
    n_models: int = 150,
    sample_share: float | None = None,
    n_splits: int = 10,
    random_state=None,
    n_jobs: int | None = None,
    backend: str = "threads",
    checkpoint: Checkpoint | str | None = None,
    progress: Progress | None = None,
) -> Comparison:
    """Compare ways to select features: how often each errs, and how stable it is.

    In each of the stratified folds of each data set, every selector selects from the same
    bootstraps of the training rows, once, and every aggregator makes its panel of these. Beside
    them stands "nobagg": the selector used once on all training rows. Filling in, scaling and the
    classifiers see the training rows only; each panel is judged by each classifier, on rows that
    no step of its selection saw. What two ways have in common is computed once.

    The outcome of a method does not depend on what else it is compared with, and is that of
    `evaluate_selection` with the same seed.

    Parameters
    ----------
    datasets : Table, sequence of Table, or dict of str to Table or (X, y)
        Where to compare; tables are named by their source.
    selectors : sequence of str or selectors, or dict of str to selector
        How to select from one sample; see `consilience methods`. Those without a size of their
        own, such as CFS, take part too.
    aggregators : sequence of str or aggregators, or dict of str to aggregator
        How selections become a panel. Of several panels the first counts.
    classifiers : sequence of str or classifiers, default=("svm", "knn", "j48")
        Whose errors are counted, as in `evaluate_selection`; "j48" is a tree by entropy with at
        least two rows per leaf.
    n_features_to_select : int, default=20
        Size of a panel.
    n_models : int, default=150
        Number of bootstraps.
    sample_share : float or None, default=None
        Share of the training rows of each class that a sample holds, drawn without replacement;
        None draws bootstraps, as the paper does.
    n_splits : int, default=10
        Number of folds; lowered, with a warning, to the size of the rarest class.
    random_state : int, RandomState or None, default=None
        Seed of folds, bootstraps and ties.
    n_jobs : int, default=None
        How many parts (data set, fold, selector) at the same time; never changes the answer.
    backend : {"threads", "processes"}, default="threads"
        What `n_jobs` counts.
    checkpoint : Checkpoint, str or Path, default=None
        Where finished parts are kept, so that an interrupted comparison goes on.
    progress : Progress, default=None
        Told of every finished part.

    Returns
    -------
    Comparison
        Figures, tests, points and the front of methods.

    References
    ----------
    Woznica, Nguyen, Kalousis: Model mining for robust feature selection. KDD 2012.

    Examples
    --------
    >>> from consilience import load_demo
    >>> from consilience.evaluation import compare
    >>> found = compare(
    ...     {"leukemia": load_demo()}, ["information-gain"], ["most-frequent"], ["knn"],
    ...     n_models=15, n_splits=3, random_state=0,
    ... )
    >>> list(found.table()["aggregator"])
    ['nobagg', 'most-frequent']
    """
    tables = named_tables(datasets)
    selectors = named_methods(selectors, SELECTORS, "fit")
    aggregators = named_methods(aggregators, AGGREGATORS, "aggregate")
    if PLAIN in aggregators:
        raise UsageError(
            f"'{PLAIN}' names the selection without resampling, which always takes part; give that "
            "aggregator another name."
        )
    judges = _judges(classifiers)
    check_count("n_models", n_models)
    check_share(sample_share)
    share = None if sample_share is None else float(sample_share)
    studies, workers, sizes = _studies(
        tables, selectors, n_features_to_select, n_splits, random_state
    )
    work = Work(studies, workers, sizes, list(aggregators.values()), judges, int(n_models), share)
    seed = work.studies[0][0].seed
    settings = {
        "n_features_to_select": int(n_features_to_select),
        "n_models": int(n_models),
        "sample_share": share,
        "n_splits": int(n_splits),
        "random_state": seed,
        "classifiers": {judge.name: judge.label for judge in judges},
    }
    manifest = {
        "consilience": __version__,
        **settings,
        "classifiers": {judge.name: decisive(judge.estimator) for judge in judges},
        "selectors": {name: decisive(selector) for name, selector in selectors.items()},
        "aggregators": {name: decisive(aggregator) for name, aggregator in aggregators.items()},
        "data": {name: _content(each) for name, each in zip(tables, work.studies, strict=True)},
    }
    # A data set after the other, and selectors in turn: the time left is then a fair guess.
    parts = [
        Part(data, fold.number, selector)
        for data, (study, *_) in enumerate(work.studies)
        for fold in study.folds
        for selector in range(len(selectors))
    ]
    with _summed_up():
        results = run_tasks(
            run_part,
            parts,
            shared=(work,),
            n_jobs=_affordable(work, n_jobs),
            backend=backend,
            anywhere=True,
            checkpoint=open_checkpoint(checkpoint, manifest),
            keys=[f"data-{p.data}.fold-{p.fold}.selector-{p.selector}" for p in parts],
            progress=progress,
        )
    found = dict(zip(parts, results, strict=True))
    methods = [PLAIN, *aggregators]
    outcomes = [
        outcome
        for data, name in enumerate(tables)
        for number, selector in enumerate(selectors)
        for outcome in _pool(work, found, data, number, name, selector, methods)
    ]
    facts = [
        DataFacts.from_study(name, table, study, outcomes)
        for (name, table), (study, *_) in zip(tables.items(), work.studies, strict=True)
    ]
    return Comparison(settings, facts, list(selectors), methods, outcomes)


def _judges(classifiers):
    if isinstance(classifiers, str) or not hasattr(classifiers, "__iter__"):
        classifiers = [classifiers]
    judges = [make_judge(classifier) for classifier in classifiers]
    names = [judge.name for judge in judges]
    if not names:
        raise UsageError("There is no classifier to judge by; give at least one, such as 'svm'.")
    for name in names:
        if names.count(name) > 1:
            raise UsageError(f"The classifier '{name}' is given twice; name it once.")
    return judges


def _studies(tables, selectors, wanted, n_splits, random_state):
    """Check all data against all methods before the first of them is fitted.

    The studies of one data set share its rows and folds; each has the nominal columns of its
    selector, as `evaluate_selection` would have, so that the order of selectors decides nothing.
    """
    studies, workers, sizes = [], [], []
    for where, table in tables.items():
        table.validate()
        size = check_size(wanted, table.n_features)
        known = [fitted_to(s, name, table, where) for name, s in selectors.items()]
        first = Study.from_data(
            known[0], table.X, table.y,
            groups=table.groups, n_splits=n_splits, random_state=random_state,
        )  # fmt: skip
        random_state = first.seed  # one for all, drawn once
        studies.append([first, *(_study_of(selector, first, table) for selector in known[1:])])
        workers.append([as_model_selector(selector, size) for selector in known])
        sizes.append(size)
    return studies, workers, sizes


def _study_of(selector, first, table):
    """The study that another selector has, holding the same data and not a copy of them."""
    own = Study.from_data(
        selector, table.X, table.y,
        groups=table.groups, n_splits=len(first.folds), random_state=first.seed,
    )  # fmt: skip
    return replace(first, storage=replace(first.storage, nominal=own.storage.nominal))


def _affordable(work, n_jobs):
    """As many jobs as fit into memory at their largest; refuse what cannot fit alone."""
    needed = 0
    for studies, workers, size in zip(work.studies, work.workers, work.sizes, strict=True):
        for study, worker in zip(studies, workers, strict=True):
            ensemble = EnsembleSelector(
                getattr(worker, "selector", worker),
                n_features_to_select=size,
                n_models=work.n_models,
            )
            needed = max(needed, ensemble.estimate_memory(study.storage.values))
    check_memory(needed, f"Comparing with {work.n_models} bootstraps at a time")
    return affordable_jobs(resolve_jobs(n_jobs), needed)


def _content(studies):
    first, nominal = studies[0], [study.storage.nominal for study in studies]
    groups = [] if first.groups is None else first.groups
    return fingerprint(first.storage.values, np.array(nominal), first.codes, groups)


def _pool(work, found, data, number, name, selector, methods):
    """Put the folds of one data set and selector together, method by method."""
    study = work.studies[data][number]
    results = [found[Part(data, fold.number, number)] for fold in study.folds]
    for k, method in enumerate(methods):
        predicted = np.empty((len(work.judges), study.codes.size), dtype=np.int32)
        for fold, result in zip(study.folds, results, strict=True):
            predicted[:, fold.test] = result["predicted"][k]
        yield Outcome(
            data=name,
            selector=selector,
            aggregator=method,
            panels=[result[f"panel_{k}"] for result in results],
            predicted=dict(zip([judge.name for judge in work.judges], predicted, strict=True)),
            itemsets=np.array([result["itemsets"][k] for result in results]),
        )


@contextlib.contextmanager
def _summed_up():
    """Say once what many parts warned of, with how many said the like."""
    with hear() as heard:
        yield
    alike: dict[str, list[Heard]] = {}
    for each in heard:
        alike.setdefault(re.sub(r"\d+", "#", each.sentence), []).append(each)
    for first, *others in alike.values():
        text = first.sentence
        if others:
            text += f" ({len(others)} more such remarks in this comparison.)"
        remark(text, stacklevel=4)
