"""Small comparisons for the tests of their page, computed once per session."""

from functools import cache

import numpy as np

from consilience import Comparison, compare, make_planted
from consilience.evaluation import Outcome
from consilience.evaluation.comparison import DataFacts

EVIL = "<img src=x onerror=alert(1)>"


@cache
def planted_comparison():
    """Two made data sets, three selectors, two aggregators, two classifiers."""
    tables = {
        name: make_planted(40, 40, effect=1.0, n_blocks=3, random_state=k).table
        for k, name in enumerate(("first", "second"))
    }
    return compare(
        tables, ["chi-square", "relieff", "cfs"], ["average-rank", "most-frequent"],
        ["svm", "j48"], n_features_to_select=5, n_models=8, n_splits=4, random_state=0,
    )  # fmt: skip


@cache
def evil_comparison():
    """Names that a page could take for markup, eight selectors, itemsets, one of them steady."""
    y = np.arange(40) % 2
    rng = np.random.default_rng(0)
    selectors = [EVIL, "W" * 80, "</script><b>&amp;", *(f"selector {k}" for k in range(5))]
    aggregators = ["nobagg", EVIL, "calm"]
    outcomes = []
    for selector in selectors:
        for k, aggregator in enumerate(aggregators):
            steady = aggregator == "calm"
            panels = [np.arange(3) if steady else rng.permutation(9)[:3] for _ in range(5)]
            predicted = np.where(rng.random(40) < 0.3 - 0.14 * k, 1 - y, y).astype(np.int32)
            itemsets = np.full((5, 3), np.nan)
            if steady:
                itemsets[:] = [4, 2.5, 0.6]
            outcomes.append(
                Outcome(EVIL, selector, aggregator, panels, {EVIL: predicted}, itemsets)
            )
    facts = DataFacts(EVIL, 9, 5, ["a<b>", "b&amp;"], y, {0: EVIL})
    settings = {
        "n_features_to_select": 3,
        "n_models": 10,
        "sample_share": 0.8,
        "n_splits": 5,
        "random_state": 0,
        "classifiers": {EVIL: EVIL},
    }
    return Comparison(settings, [facts], selectors, aggregators, outcomes)
