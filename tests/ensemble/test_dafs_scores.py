"""The default score on made data: features that matter come first, where the paper's do not."""

import warnings

import numpy as np
import pytest

from consilience import DAFS, make_planted
from consilience.ensemble.dafs_scores import robust_z
from consilience.exceptions import ConsilienceWarning

MADE = make_planted(100, 200, n_blocks=4, block_size=3, effect=3.0, random_state=1)
IN_BLOCKS = np.concatenate(MADE.blocks)


def share_found(**options):
    """Share of the planted features among as many of the best."""
    with warnings.catch_warnings():  # of rankings the wrong way round
        warnings.simplefilter("ignore", ConsilienceWarning)
        fitted = DAFS(**options, random_state=0).fit(MADE.X, MADE.y)
    return np.isin(np.argsort(fitted.ranking_)[: IN_BLOCKS.size], IN_BLOCKS).mean()


@pytest.mark.parametrize("estimator", ["svm", "knn", "ridge"])
@pytest.mark.parametrize("evaluation", ["oof", "holdout"])
def test_hidden_features_that_matter_are_missed_most(estimator, evaluation):
    found = share_found(estimator=estimator, evaluation=evaluation)
    assert found >= 0.75
    for measure in ("double_fault", "disagreement", "q_statistic", "correlation"):
        rival = share_found(estimator=estimator, evaluation=evaluation, diversity=measure)
        assert found >= rival


@pytest.mark.parametrize("values", [np.full(4, np.nan), np.full(4, 0.3), np.zeros(0)])
def test_robust_z_where_nothing_differs(values):
    found = robust_z(values)
    assert found.shape == values.shape
    assert np.all(np.isnan(found) | (found == 0))
