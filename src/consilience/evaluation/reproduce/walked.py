"""Itemsets that are walked through until a panel is full, for the paper's Table 3.

An aggregator remembers the itemsets that brought a feature. The paper's numbers and mean sizes
are of all that were taken in turn, those that brought nothing new included, so that they are
counted here: in the paper's order, by support, over the models of all rows.
"""

from collections.abc import Iterable

import numpy as np
import pandas as pd

from ...aggregation.itemsets import Itemset, closed_itemsets, maximal_itemsets, maximal_support
from ...ensemble import EnsembleSelector
from ...exceptions import DataError
from ...execution import run_tasks
from ...heard import remark
from ...models import FeatureModels
from ...selectors import SELECTORS
from ..contenders import fitted_to

MOST = 20_000  # itemsets: beyond it the walk counts as unknown
FIGURES = ("number", "size", "support")
WALKS = ("closed-itemsets", "maximal-itemsets")


def walk_all(
    tables: dict,
    selectors,
    *,
    n_features: int = 20,
    n_models: int = 150,
    random_state: int = 0,
    n_jobs=None,
    backend: str = "threads",
    checkpoint=None,
    progress=None,
) -> pd.DataFrame:
    """Count the itemsets of closedApr and maxApr for each data set and selector.

    Parameters
    ----------
    tables : dict of str to Table
        The data sets.
    selectors : sequence of str
        Names of selectors.
    n_features : int, default=20
        Size of a panel.
    n_models : int, default=150
        Number of bootstraps, drawn from all rows.
    random_state, n_jobs, backend, checkpoint, progress
        As in `compare`.

    Returns
    -------
    DataFrame
        Columns data, selector, aggregator, number, size (core included), support (share of the
        models); NaN where more than 20,000 itemsets would have to be counted, or where there is
        none. A warning says how many walks are unknown for that.

    Examples
    --------
    >>> from consilience import load_demo
    >>> from consilience.evaluation.reproduce.walked import walk_all
    >>> found = walk_all({"leukemia": load_demo()}, ["chi-square"], n_models=20)
    >>> list(found["aggregator"])
    ['closed-itemsets', 'maximal-itemsets']
    """
    tasks = [(name, selector) for name in tables for selector in selectors]
    results = run_tasks(
        _walk,
        tasks,
        shared=(tables, n_features, n_models, random_state),
        n_jobs=n_jobs,
        backend=backend,
        anywhere=True,
        checkpoint=checkpoint,
        keys=[f"data-{list(tables).index(name)}.{selector}" for name, selector in tasks],
        progress=progress,
    )
    rows = [
        (*task, walk, *result[walk])
        for task, result in zip(tasks, results, strict=True)
        for walk in WALKS
    ]
    found = pd.DataFrame(rows, columns=["data", "selector", "aggregator", *FIGURES])
    n_unknown = int(found["number"].isna().sum())
    if n_unknown:
        remark(
            f"{n_unknown} of {len(found)} walks through itemsets are unknown and left out: they "
            f"have more than {MOST} itemsets, or none.",
            stacklevel=2,
        )
    return found


def walk(
    itemsets: Iterable[Itemset], m: int, n_models: int, most: int = MOST, reach: int = 0
) -> np.ndarray:
    """Number, mean size and mean support of itemsets until they hold `m` features.

    Parameters
    ----------
    itemsets : iterable of Itemset
        In their order; no more are asked for than needed.
    m, n_models : int
        Size of the panel, number of models.
    most : int, default=20_000
        Bound on the work.
    reach : int, default=0
        Number of features that all itemsets hold together. Where they end before `m` features and
        before that, the search for them was cut off, and the walk is unknown.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.aggregation.itemsets import Itemset
    >>> from consilience.evaluation.reproduce.walked import walk
    >>> sets = [Itemset(np.array(f), s) for f, s in (([0], 4), ([1], 4), ([0, 1], 3), ([0, 2], 2))]
    >>> walk(sets, 3, n_models=5)
    array([4.  , 1.5 , 0.65])
    """
    union, sizes, supports = set(), [], []
    for itemset in itemsets:
        if len(sizes) == most:
            return np.full(3, np.nan)
        union.update(itemset.features.tolist())
        sizes.append(itemset.features.size)
        supports.append(itemset.support)
        if len(union) >= m:
            break
    if not sizes or len(union) < min(m, reach):
        return np.full(3, np.nan)
    return np.array([len(sizes), np.mean(sizes), np.mean(supports) / n_models])


def walks(models: FeatureModels, m: int, random_state=None) -> dict[str, np.ndarray]:
    """What `walk` says of closed and of maximal itemsets, in descending order of support."""
    counts = np.bincount(np.concatenate(models.subsets), minlength=models.n_features)
    closed = closed_itemsets(models, "support", max_itemsets=MOST, random_state=random_state)
    floor = maximal_support(None, counts, models.n_models, min(m, np.count_nonzero(counts)))
    longest = maximal_itemsets(models, "support", min_support=floor, random_state=random_state)
    if (counts == models.n_models).any():
        # The core comes first; it is closed, but maximal only where nothing else is frequent.
        core = next(longest)
        longest = _or_else(longest, core)
    # Every feature is in a closed itemset, every frequent one in a maximal one.
    reaches = np.count_nonzero(counts), np.count_nonzero(counts >= floor)
    return {
        name: walk(sets, m, models.n_models, reach=reach)
        for name, sets, reach in zip(WALKS, (closed, longest), reaches, strict=True)
    }


def _or_else(itemsets, core):
    first = next(itemsets, None)
    yield core if first is None else first
    yield from itemsets


def _walk(tables, m, n_models, seed, task) -> dict[str, np.ndarray]:
    name, selector = task
    table = tables[name]
    ensemble = EnsembleSelector(
        fitted_to(SELECTORS[selector].cls(), selector, table, name),
        n_features_to_select=m,
        n_models=n_models,
        sample_share=None,
        random_state=seed,
    )
    try:
        models = ensemble.fit(table.X, table.y, groups=table.groups).models_
    except DataError:  # no model selected anything
        return {walk: np.full(3, np.nan) for walk in WALKS}
    return walks(models, m, seed)
