"""The genetic search as a whole."""

import numpy as np
import pytest

from consilience.search import Masks, Objective, Scored, genetic_search


class Likeness(Objective):
    """How much a mask is like the wanted one."""

    relative = False

    def __init__(self, wanted):
        self.wanted = np.asarray(wanted, dtype=bool)

    def of_population(self, individuals):
        return Scored.of((individuals == self.wanted).mean(axis=1))


@pytest.mark.parametrize("n_features", [1, 2, 3, 8, 70])
def test_evaluations_and_populations_are_as_many_as_the_paper_says(n_features):
    run = genetic_search(Likeness(np.arange(n_features) % 2), Masks(n_features), seed=1)
    assert run.n_evaluations == 10 + 40 * 10
    assert run.populations.shape == (11, 10, n_features)
    assert (run.history["n_evaluated"] == [10] + [40] * 10).all()
    sizes = run.populations.sum(axis=2)
    assert (sizes > 0).all()
    assert (sizes < max(n_features, 2)).all()
