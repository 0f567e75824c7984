"""Panels from closed itemsets: pyfim at the threshold that the answer needs, and at a blind one.

pyfim lists sets; to be compared with `ClosedItemsets().aggregate` its sets are sorted and joined
until they hold 20 features, in plain Python as a user would. "Best-known threshold" is the least
support of any itemset in our answer: nobody knows it beforehand. The panels may differ in ties.
"""

import sys
import warnings

import numpy as np

from consilience import ClosedItemsets, FeatureModels
from consilience.exceptions import ConsilienceWarning
from timing import Line, best_times

N_MODELS, SIZE = 150, 20
COLLECTIONS = (("stable", 200), ("stable", 2000), ("unstable", 200), ("unstable", 2000),
               ("dense", 40))  # fmt: skip
ORDERS = ("area", "support", "min_len")


def run():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConsilienceWarning)  # where itemsets do not fill a panel
        return against_pyfim() + many_models()


def selections(kind, n_features, n_models=N_MODELS, size=SIZE, seed=0):
    """Models that are much alike but for some noise, hardly alike, or near-identical."""
    rng = np.random.default_rng(seed)
    n_core = size * 3 // 5
    odds = {
        "unstable": 1 / np.arange(1, n_features + 1) ** 0.7,
        "dense": np.linspace(3, 0.2, n_features),
    }
    models = []
    for _ in range(n_models):
        if kind == "stable":  # each of the core with probability 0.9
            core = np.flatnonzero(rng.random(n_core) < 0.9)
            noise = rng.choice(np.arange(n_core, n_features), size - core.size, replace=False)
            models.append(np.sort(np.concatenate([core, noise])))
        else:
            chances = odds[kind] / odds[kind].sum()
            models.append(np.sort(rng.choice(n_features, size, replace=False, p=chances)))
    return models


def against_pyfim():
    try:
        import fim
    except ImportError as error:
        print(f"left out: pyfim cannot be run from here ({error})", file=sys.stderr)
        return []
    lines = []
    for kind, n_features in COLLECTIONS:
        subsets = selections(kind, n_features)
        models = FeatureModels(subsets, n_features)
        transactions = [s.tolist() for s in subsets]
        blind = 8 if kind == "dense" else 2  # lower ones take pyfim minutes on dense models
        for order in ORDERS:
            aggregator = ClosedItemsets(order)
            aggregator.aggregate(models, SIZE, random_state=0)
            known = min(itemset.support for itemset in aggregator.itemsets_)
            times = best_times({
                "ours": lambda a=aggregator, m=models: a.aggregate(m, SIZE, random_state=0),
                "known": lambda t=transactions, o=order, s=known: panel_of(fim, t, o, s),
                "blind": lambda t=transactions, o=order, s=blind: panel_of(fim, t, o, s),
            }, rounds=3 if kind == "dense" else 10)  # fmt: skip
            name = f"panel by {order}, {N_MODELS} x {SIZE} of {n_features:,}, {kind}"
            lines += [
                Line(name, f"pyfim eclat at its best-known support {known}, sorted and joined",
                     times["known"], times["ours"], 2, at_most=True),
                Line(name, f"pyfim eclat at a blind support of {blind}, sorted and joined",
                     times["blind"], times["ours"], 8),
            ]  # fmt: skip
    return lines


def panel_of(fim, transactions, order, support):
    """The panel as one gets it from pyfim's list."""
    least = 2 if order == "min_len" else 1
    sets = fim.eclat(transactions, target="c", supp=-support, zmin=least, report="a")
    if order == "area":
        sets.sort(key=lambda pair: (pair[1] * len(pair[0]), pair[1]), reverse=True)
    else:
        sets.sort(key=lambda pair: (pair[1], len(pair[0])), reverse=True)
    union = set()
    for items, _ in sets:
        union.update(items)
        if len(union) >= SIZE:
            break
    return union


def many_models():
    """5,000 models of 50 features, beside reading them: checks and counts of FeatureModels."""
    lines = []
    for kind, n_features in (("stable", 2000), ("unstable", 2000), ("dense", 100)):
        subsets = selections(kind, n_features, n_models=5000, size=50)
        models = FeatureModels(subsets, n_features)
        for order in ORDERS:
            aggregator = ClosedItemsets(order)
            with warnings.catch_warnings(record=True) as told:
                warnings.simplefilter("always", ConsilienceWarning)
                aggregator.aggregate(models, 50, random_state=0)
            stopped = any("bound of work" in str(warning.message) for warning in told)
            times = best_times({
                "ours": lambda a=aggregator, m=models: a.aggregate(m, 50, random_state=0),
                "read": lambda s=subsets, p=n_features: FeatureModels(s, p).counts,
            }, rounds=3)  # fmt: skip
            end = ", ended by the bound on work" if stopped else ""
            lines.append(
                Line(f"panel by {order}, 5,000 x 50 of {n_features:,}, {kind}{end}",
                     "reading the models", times["read"], times["ours"], 10, at_most=True)
            )  # fmt: skip
    return lines
