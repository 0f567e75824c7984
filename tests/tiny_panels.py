"""The simplest aggregator that gives several panels: the first models that differ."""

from consilience.aggregation import BaseAggregator


class FirstModels(BaseAggregator):
    """Take the first distinct models as panels."""

    def __init__(self, n_panels=10):
        self.n_panels = n_panels

    def _aggregate(self, models, m, rng):
        distinct = {tuple(sorted(subset)): subset for subset in models.subsets[::-1]}
        first = [s for s in models.subsets if distinct[tuple(sorted(s))] is s]
        return first[: self.n_panels]
