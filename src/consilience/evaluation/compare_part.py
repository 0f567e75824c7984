"""One part of a comparison: a data set, a fold and a selector, by every aggregator and classifier.

The bootstraps are drawn and selected from once, whatever the number of aggregators, and a panel
that two of them agree on is judged once.
"""

from dataclasses import dataclass

import numpy as np
from sklearn.base import clone
from sklearn.utils import check_random_state

from ..ensemble.out_of_bag import OutOfBag
from ..ensemble.tasks import batches, fit_batch, join, models_per_task
from ..models import FeatureModels
from ..sampling.bootstrap import plan_bootstrap
from ..sampling.row_keys import row_keys
from ..selectors.base import BaseSelector
from .classifiers import Judge, predict_columns
from .seeding import seeded_clone
from .study import Fold, Study

PLAIN = "nobagg"  # the paper's name of one selection without resampling
LARGEST_SEED = 2**31 - 1


@dataclass(frozen=True)
class Work:
    """What all parts share.

    Attributes
    ----------
    studies : list of list of Study
        For each data set its rows and folds, with the nominal columns of each selector.
    workers : list of list of selectors
        For each data set the selectors, sized and told of its nominal columns.
    sizes : list of int
        Size of a panel in each data set.
    aggregators : list of aggregators
        Those to compare, without the plain selection.
    judges : list of Judge
        The classifiers.
    n_models : int
        Number of bootstraps.
    sample_share : float or None
        Share of the training rows in a sample; None draws bootstraps.
    """

    studies: list[list[Study]]
    workers: list[list]
    sizes: list[int]
    aggregators: list
    judges: list[Judge]
    n_models: int
    sample_share: float | None


@dataclass(frozen=True)
class Part:
    """One task: which data set, which fold, which selector."""

    data: int
    fold: int
    selector: int


def run_part(work: Work, part: Part) -> dict[str, np.ndarray]:
    """Select in every way from the training rows of a fold and predict its test rows.

    Returns
    -------
    dict of arrays
        "panel_k" are the features of method k, best first, where method 0 is the plain selection
        and the others are the aggregators in their order; "predicted" is int[n_methods,
        n_classifiers, n_test]; "itemsets" is float[n_methods, 3]: how many itemsets made the
        panel, their mean size and mean support, NaN for methods without any.
    """
    study, worker = (of[part.data][part.selector] for of in (work.studies, work.workers))
    fold, size = study.folds[part.fold], work.sizes[part.data]
    prepared = worker.prepare(study.storage.rows(fold.train), study.labels(fold.train))
    panels = [select_plainly(study, fold, worker, prepared)]
    itemsets = [np.full(3, np.nan)]
    needed = [getattr(aggregator, "needs_weights", False) for aggregator in work.aggregators]
    models, seed = fit_models(work, study, fold, worker, prepared, weighted=any(needed))
    # Whoever asks for no weights sees none, so that the company of others changes nothing.
    plain = models and FeatureModels(models.subsets, models.n_features, models.rankings)
    for aggregator, weighted in zip(work.aggregators, needed, strict=True):
        aggregator, given = clone(aggregator), models if weighted else plain
        if given is None:
            panels.append(np.empty(0, dtype=np.intp))
        else:
            panels.append(aggregator.aggregate(given, size, random_state=seed)[0])
        itemsets.append(itemset_statistics(aggregator, given))
    panels = [np.asarray(panel, dtype=np.intp) for panel in panels]
    result = {f"panel_{k}": panel for k, panel in enumerate(panels)}
    predicted = judge_panels(study, fold, work.judges, panels)
    return result | {"predicted": predicted, "itemsets": np.array(itemsets)}


def fit_models(
    work: Work, study: Study, fold: Fold, worker, prepared, *, weighted: bool
) -> tuple[FeatureModels | None, np.random.SeedSequence]:
    """Select from every bootstrap of a fold's training rows, as `EnsembleSelector` would.

    The seeds hang on the fold alone, so that all selectors see the same bootstraps, and are those
    that `evaluate_selection` uses, so that both give the same figures. Weights, where they are
    wanted, come from the training rows outside each bootstrap.

    Returns
    -------
    models : FeatureModels or None
        None where no bootstrap led to any feature.
    seed : SeedSequence
        For the aggregators.
    """
    groups = None if study.groups is None else study.groups[fold.train]
    values = study.storage.values[fold.train]
    plan = plan_bootstrap(prepared.y, groups=groups, rate=work.sample_share, keys=row_keys(values))
    judge = OutOfBag(values, prepared.y, prepared.nominal).by_columns() if weighted else None
    state = int(np.random.default_rng(fold.seed).integers(LARGEST_SEED))
    seed = int(check_random_state(state).randint(LARGEST_SEED))
    for_aggregator, *seeds = np.random.SeedSequence(seed).spawn(work.n_models + 1)
    rankings = np.empty((work.n_models, prepared.n_features), dtype=np.float32)
    parts = [
        fit_batch(worker, prepared, plan, rankings, task, judge)
        for task in batches(seeds, models_per_task(worker, prepared.n_features))
    ]
    if not any(part["indices"].size for part in parts):
        return None, for_aggregator
    return join(parts, rankings), for_aggregator


def select_plainly(study: Study, fold: Fold, worker, prepared) -> np.ndarray:
    """Select once from all training rows, with what was prepared for the bootstraps."""
    if not isinstance(worker, BaseSelector):
        fitted = study.fit(worker.selector, fold, fold.plain_seed)
        return np.flatnonzero(fitted.get_support())
    # Not a sample like the others: for those, Ridge-RFE draws a shrinkage.
    fitted = seeded_clone(worker, fold.plain_seed, replace=True).fit_prepared(prepared)
    return np.argsort(fitted.ranking_)[: np.count_nonzero(fitted.support_)]


def itemset_statistics(aggregator, models: FeatureModels | None) -> np.ndarray:
    """Number, mean size and mean support (a share of the models) of the itemsets of a panel."""
    itemsets = getattr(aggregator, "itemsets_", None)
    if models is None or not itemsets:
        return np.full(3, np.nan)
    sizes = [len(itemset.features) for itemset in itemsets]
    supports = [itemset.support / models.n_models for itemset in itemsets]
    return np.array([len(itemsets), np.mean(sizes), np.mean(supports)])


def judge_panels(study: Study, fold: Fold, judges, panels) -> np.ndarray:
    """Class codes that each classifier predicts from each panel: [n_panels, n_judges, n_test]."""
    known: dict[bytes, np.ndarray] = {}
    y = study.labels(fold.train)
    for panel in panels:
        columns = np.sort(panel)  # the order of the panel would decide ties inside a tree
        key = columns.tobytes()
        if key in known:
            continue
        if columns.size == 0:
            known[key] = np.tile(study.predict_largest(fold)[0], (len(judges), 1))
            continue
        train, test = (study.storage.columns(rows, columns) for rows in (fold.train, fold.test))
        nominal = study.storage.nominal[columns]
        labels = predict_columns(judges, train, y, test, nominal, fold.judge_seed)
        known[key] = np.searchsorted(study.classes, labels)
    predicted = [known[np.sort(panel).tobytes()] for panel in panels]
    return np.array(predicted, dtype=np.int32)
