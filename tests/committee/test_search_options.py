"""Parameters of searched committees that make no sense get one sentence."""

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.ensemble import IsolationForest
from sklearn.linear_model import LinearRegression

from consilience import (
    GeneticEnsembleClassifier,
    HillClimbingEnsembleClassifier,
    ParetoEnsembleClassifier,
    SequentialGeneticEnsembleClassifier,
    SequentialSelectionEnsembleClassifier,
    WholeEnsembleGeneticClassifier,
)
from consilience.committee.gefs import AdaptiveObjective
from consilience.committee.search_options import LARGEST_ALPHA
from consilience.exceptions import UsageError
from consilience.search import Scored
from searched_committees import BRED, X, Y

WRONG = [
    ({"n_estimators": 0}, "n_estimators is 0; give a whole number, 1 or more"),
    ({"estimator": "bays"}, "Unknown estimator 'bays'; known are"),
    ({"alpha": -0.5}, "alpha is -0.5; give a number from 0 to 1,000,000, or 'auto'"),
    ({"alpha": 1e308}, "alpha is 1e.308; give a number from 0 to 1,000,000, or 'auto'"),
    ({"alpha": "best"}, "alpha is 'best'; give a number from 0 to 1,000,000, or 'auto'"),
    ({"alpha": np.nan}, "alpha is nan; give a number from 0 to"),
    ({"diversity": "kapa"}, "diversity is 'kapa'; choose one of disagreement, kappa"),
    ({"integration": "average"}, "Unknown integration 'average'; known are vote, weighted"),
    ({"n_neighbors": 0}, "n_neighbors is 0; give a whole number, 1 or more"),
    ({"n_neighbors": "best"}, "n_neighbors is 'best'; give a whole number, 1 or more"),
    ({"n_neighbors": [1, 3]}, "n_neighbors is .1, 3.; give a whole number, 1 or more"),
    ({"population": 1}, "population is 1; a search crosses individuals, so give 2 or more"),
    ({"n_crossover": -1}, "n_crossover is -1; give a whole number, 0 or more"),
    ({"n_mutation": 1.5}, "n_mutation is 1.5; give a whole number, 0 or more"),
    ({"n_crossover": 0, "n_mutation": 0}, "n_crossover and n_mutation are 0"),
    ({"n_generations": -1}, "n_generations is -1; give a whole number, 0 or more"),
    ({"mutation_rate": 0}, "mutation_rate is 0; give a share above 0 and up to 1"),
    ({"elitism": 11}, "elitism is 11; give how many of the best are kept for sure"),
    ({"patience": 0}, "patience is 0; give a whole number, 1 or more"),
    ({"start": "half"}, "start is 'half'; choose 'bernoulli', 'size' or 'opitz'."),
    ({"validation_fraction": 1}, "validation_fraction is 1; give the share of the rows"),
    ({"refit": "yes"}, "refit is 'yes'; give True or False"),
    ({"scale": 1}, "scale is 1; give True or False"),
    ({"n_bins": 0}, "n_bins is 0; give a whole number, 1 or more"),
    ({"n_candidates": 0}, "n_candidates is 0; give how many features may be used"),
    ({"n_candidates": "some"}, "n_candidates is 'some'; give how many features may be used"),
    ({"checkpoint": 3, "random_state": 0}, "checkpoint is 3; give the path of a directory"),
    ({"checkpoint": "run"}, "checkpoint is given and random_state is None"),
    ({"n_jobs": 0}, "0 jobs do nothing"),
    ({"random_state": -1}, "random_state is -1; give a whole number from 0 to 4,294,967,295, a"),
    ({"random_state": "x"}, "random_state is 'x'; give a whole number from 0 to"),
    ({"estimator": KMeans()}, r"estimator is KMeans\(\); give .* or a classifier"),
    ({"estimator": IsolationForest()}, r"estimator is IsolationForest\(\); give .* or a class"),
    ({"estimator": LinearRegression()}, r"estimator is LinearRegression\(\); give .* or a clas"),
    ({"categorical_features": [99]}, "categorical_features must be None, 'from_dtype'"),
]  # fmt: skip


@pytest.mark.parametrize(("given", "sentence"), WRONG, ids=[str(given) for given, _ in WRONG])
def test_bad_parameters_get_one_sentence(given, sentence):
    with pytest.raises(UsageError, match=sentence) as told:
        SequentialGeneticEnsembleClassifier(**given).fit(X, Y)
    assert str(told.value).endswith(".")
    assert "\n" not in str(told.value)


@pytest.mark.parametrize(
    ("committee", "sentence"),
    [
        (ParetoEnsembleClassifier(choose="best"), "choose is 'best'; choose 'knee' or 'front'."),
        (SequentialSelectionEnsembleClassifier(direction="up"), "direction is .up.; choose"),
        (HillClimbingEnsembleClassifier(max_passes=0), "max_passes is 0; give a whole number"),
        (WholeEnsembleGeneticClassifier(penalty=2), "penalty is 2; give a number from 0 to 1."),
        (WholeEnsembleGeneticClassifier(penalty="x"), "penalty is 'x'; give a number from 0 to"),
    ],
)
def test_parameters_of_one_committee_are_checked_too(committee, sentence):
    with pytest.raises(UsageError, match=sentence):
        committee.fit(X, Y)


def test_rules_that_nobody_knows_are_refused():
    fitted = GeneticEnsembleClassifier(**BRED).fit(X, Y)
    with pytest.raises(UsageError, match="Unknown integration 'average'; known are vote"):
        fitted.integrated(X, ["vote", "average"])


def test_a_weight_that_adapts_stays_one_that_can_be_summed():
    objective = AdaptiveObjective(None, np.array([0, 1]), alpha=LARGEST_ALPHA / 1.05)
    for diversity in (0.5, 0.4, 0.3):  # falls while members get no worse: it shall count more
        objective.after_generation(Scored.of(np.array([0.6]), np.array([diversity])))
    assert objective.alpha == LARGEST_ALPHA
