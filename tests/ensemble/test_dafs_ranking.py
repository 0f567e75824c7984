"""What DAFS says of its ranking: features never sampled, scores opposite to accuracy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import spearmanr

from consilience.ensemble.dafs_ranking import (
    FEW,
    remark_inversion,
    remark_never_sampled,
    score_agreement,
)
from consilience.sampling.subspace import plan_subspaces

few_values = arrays(np.float64, (2, 14), elements=st.integers(0, 5))


@given(few_values)
def test_the_agreement_is_spearmans(values):
    found = score_agreement(*values)
    if np.ptp(values, axis=1).min() == 0:
        assert np.isnan(found)
    else:
        assert found == pytest.approx(spearmanr(*values).statistic, abs=1e-9)


def test_features_without_a_score_do_not_count():
    scores, accuracies = np.arange(FEW + 2.0), -np.arange(FEW + 2.0)
    scores[0] = accuracies[1] = np.nan
    assert score_agreement(scores, accuracies) == -1
    scores[2] = np.nan
    assert np.isnan(score_agreement(scores, accuracies))


def test_rounding_makes_no_order():
    scores = np.full(FEW, 0.3) + 1e-17 * np.arange(FEW)
    scores[::2] = 0.1 + 0.2
    assert np.isnan(score_agreement(scores, np.arange(FEW)))


def test_a_warning_is_given_exactly_where_they_run_oppositely():
    accuracies = np.arange(FEW) / FEW
    said = remark_inversion(-accuracies, accuracies, "q_statistic", 1.0)
    assert "(rank correlation -1.00)" in said
    for scores in (accuracies, np.zeros(FEW), np.full(FEW, np.nan)):
        assert remark_inversion(scores, accuracies, "q_statistic", 1.0) is None
    assert remark_inversion(-accuracies[1:], accuracies[1:], "q_statistic", 1.0) is None


@pytest.mark.parametrize(
    ("missed", "said"),
    [([1], "1 of 3 features ('b') is in none"), ([0, 1], "2 of 3 features ('a', 'b') are in none")],
)
def test_one_feature_never_sampled_is_told_in_the_singular(missed, said):
    remark = remark_never_sampled(np.array(missed), ["a", "b", "c"], plan_subspaces(3, 1, 2))
    assert remark.startswith(said + " of the 2 subspaces of 1 ")
