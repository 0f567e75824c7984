"""Figures of all data sets of the GAS-SEFS paper side by side."""

import numpy as np

from .gas_sefs_measures import RULES, STRATEGIES, Chosen, Runs, choose
from .verdicts import FAILS, HOLDS, OPEN

SHOWN = "tic-tac-toe"  # the set of Figure 3
GA, GAS = range(len(STRATEGIES))
SS, WV, DS, DV, DVS = (RULES.index(rule) for rule in ("SS", "WV", "DS", "DV", "DVS"))
STATIC, DYNAMIC = [SS, WV], [DS, DV, DVS]
PAPER_RULES = STATIC + DYNAMIC


class Sets:
    """Figures of all data sets, with alpha and k chosen in one way; the first axis is the set.

    Those of disagreement stand for themselves, as in the paper; `both` has the two diversities.
    """

    def __init__(self, found: dict[str, Runs], by: str):
        chosen = {name: choose(runs, by) for name, runs in found.items()}
        self.names = list(chosen)
        self.groups = np.array([runs.group for runs in found.values()])
        self.shown: Chosen | None = chosen.get(SHOWN)
        self.per_run = [own.accuracy[:, :, 0] for own in chosen.values()]
        self.both = np.array([own.accuracy.mean(axis=0) for own in chosen.values()])
        self.accuracy = self.both[:, :, 0]
        self.early = np.array([own.early.mean(axis=0) for own in chosen.values()])
        self.alpha, self.k, self.steps, self.features, self.excess = (
            np.array([getattr(own, part)[:, 0] for own in chosen.values()])
            for part in ("alpha", "k", "steps", "features", "excess")
        )


def sign(_, low, high) -> str:
    """Verdict on "above zero" by an interval."""
    return HOLDS if low > 0 else FAILS if high < 0 else OPEN
