"""How much each model counts travels with the models."""

import pickle

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from consilience.exceptions import ConsilienceWarning, DataError
from consilience.models import FeatureModels

RANKINGS = [[1, 2, 3], [2, 1, 3]]
WEIGHTED = FeatureModels([[0, 1], [1, 0]], 3, RANKINGS, weights=[0.9, 0.5])


def test_models_have_no_weights_unless_given():
    assert FeatureModels([[0]], 2).weights is None
    assert "weights" not in FeatureModels([[0]], 2).to_arrays()
    assert_array_equal(WEIGHTED.weights, [0.9, 0.5])
    assert WEIGHTED.weights.dtype == np.float64


def test_weights_survive_files_and_pickles(tmp_path):
    WEIGHTED.save(tmp_path / "models.npz")
    for again in (
        FeatureModels.load(tmp_path / "models.npz"),
        FeatureModels.from_arrays(WEIGHTED.to_arrays()),
        pickle.loads(pickle.dumps(WEIGHTED)),
    ):
        assert again == WEIGHTED
        assert_array_equal(again.weights, [0.9, 0.5])


def test_weights_make_a_difference_between_models():
    assert FeatureModels([[0, 1], [1, 0]], 3, RANKINGS) != WEIGHTED
    assert FeatureModels([[0, 1], [1, 0]], 3, RANKINGS, weights=[0.9, 0.6]) != WEIGHTED


def test_another_size_keeps_the_weights():
    assert_array_equal(WEIGHTED.top(1).weights, [0.9, 0.5])


def test_parts_put_together_keep_weights_when_all_have_them():
    both = FeatureModels.concatenate([WEIGHTED, FeatureModels([[2]], 3, weights=[0.7])])
    assert_array_equal(both.weights, [0.9, 0.5, 0.7])
    assert both.rankings is None
    assert FeatureModels.concatenate([WEIGHTED, FeatureModels([[2]], 3)]).weights is None


def test_empty_models_are_dropped_with_their_weights():
    with pytest.warns(ConsilienceWarning, match="1 of 3 models"):
        models = FeatureModels([[0], [], [1]], 2, weights=[0.1, 0.2, 0.3])
    assert_array_equal(models.weights, [0.1, 0.3])


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1.0], r"shape \(1,\), but 2 models need one each"),
        ([[1.0, 2.0]], r"shape \(1, 2\)"),
        ([1.0, -0.5], "Model 1 has the weight -0.5"),
        ([np.nan, 1.0], "Model 0 has the weight nan"),
        ([1.0, np.inf], "Model 1 has the weight inf"),
    ],
)
def test_weights_that_cannot_be_are_refused(weights, message):
    with pytest.raises(DataError, match=message):
        FeatureModels([[0], [1]], 2, weights=weights)
