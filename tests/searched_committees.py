"""Searched committees on a small table, as their tests need them."""

import pytest
from numpy.testing import assert_array_equal

from consilience import (
    GEFS,
    GeneticEnsembleClassifier,
    HillClimbingEnsembleClassifier,
    ParetoEnsembleClassifier,
    SequentialGeneticEnsembleClassifier,
    SequentialSelectionEnsembleClassifier,
    WholeEnsembleGeneticClassifier,
    make_planted,
)

PLANTED = make_planted(80, 20, n_blocks=3, block_size=2, effect=2.0, random_state=0)
X, Y = PLANTED.X, PLANTED.y
BRED = {"n_estimators": 4, "population": 6, "n_crossover": 8, "n_mutation": 3, "n_generations": 3}
COMMITTEES = [
    pytest.param(SequentialGeneticEnsembleClassifier(**BRED, random_state=0), id="gas-sefs"),
    pytest.param(GeneticEnsembleClassifier(**BRED, random_state=0), id="ga"),
    pytest.param(HillClimbingEnsembleClassifier(n_estimators=4, random_state=0), id="climbing"),
    pytest.param(GEFS(**BRED, random_state=0), id="gefs"),
    pytest.param(WholeEnsembleGeneticClassifier(**BRED, random_state=0), id="whole"),
    pytest.param(SequentialSelectionEnsembleClassifier(n_estimators=4, random_state=0), id="sequ"),
    pytest.param(ParetoEnsembleClassifier(**BRED, random_state=0), id="knee"),
]
every_committee = pytest.mark.parametrize("committee", COMMITTEES)


def assert_same(one, two):
    assert_array_equal(one.masks_, two.masks_)
    assert one.n_evaluations_ == two.n_evaluations_
    assert one.alpha_ == two.alpha_
    for name, values in one.fitness_history_.items():
        assert_array_equal(values, two.fitness_history_[name])
    assert_array_equal(one.predict_proba(X), two.predict_proba(X))
