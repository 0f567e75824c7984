import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import fisher_exact, rankdata, spearmanr

from consilience import FeatureModels
from consilience.ensemble.stand_ins import MOST_PER_FEATURE, _rank_correlations, stand_ins


def random_models(n_models=200, seed=0):
    """Features 0 and 1 take turns; 2 is always there; the others come as they like."""
    rng = np.random.default_rng(seed)
    chosen = []
    for _ in range(n_models):
        free = 3 + np.flatnonzero(rng.random(20) < 0.4)
        chosen.append(np.concatenate([[rng.integers(2), 2], free]))
    return FeatureModels(chosen, 23)


def test_features_that_take_turns_stand_in_for_each_other_and_nobody_else():
    found = stand_ins(random_models(), np.arange(23))
    assert {(pair.feature, pair.other) for pair in found} == {(0, 1), (1, 0)}
    assert all((pair.without, pair.together) == (1.0, 0.0) for pair in found)
    assert all(pair.companions > 0.8 for pair in found)


def test_the_p_value_is_fishers_before_the_correction():
    rng = np.random.default_rng(2)
    first = rng.random(100) < 0.5
    second = np.where(first, rng.random(100) < 0.1, rng.random(100) < 0.9)
    models = FeatureModels(
        [np.flatnonzero([a, b, True]) for a, b in zip(first, second, strict=True)], 3
    )
    (pair,) = stand_ins(models, [0])  # the one pair that is tested
    table = [[(first & second).sum(), (first & ~second).sum()],
             [(~first & second).sum(), (~first & ~second).sum()]]  # fmt: skip
    assert pair.p == pytest.approx(fisher_exact(table, alternative="less").pvalue)
    assert pair.without == pytest.approx(second[~first].mean())
    assert pair.together == pytest.approx(second[first].mean())


def test_chance_alone_has_hardly_any_stand_ins():
    rng = np.random.default_rng(3)
    found = 0
    for _ in range(20):
        chosen = [rng.choice(40, 10, replace=False) for _ in range(150)]
        found += len(stand_ins(FeatureModels(chosen, 40), np.arange(10)))
    assert found <= 2


def test_families_of_models_have_other_companions():
    one, other = [0, 2, 3, 4], [1, 5, 6, 7]
    found = stand_ins(FeatureModels([one, other] * 30, 8), [0])
    assert {pair.other for pair in found} == {1, 5, 6, 7}
    assert all(pair.companions == 0 for pair in found)


def test_a_feature_without_company_has_the_same_company():
    (pair,) = stand_ins(FeatureModels([[0], [1]] * 20, 3), [0])
    assert pair.companions == 1.0


def test_at_most_five_are_told_for_each_feature():
    families = [[0, 1], list(range(2, 12))] * 20
    found = stand_ins(FeatureModels(families, 12), [0, 1])
    assert [pair.feature for pair in found] == [0] * MOST_PER_FEATURE + [1] * MOST_PER_FEATURE


@pytest.mark.parametrize("models", [[[0, 1]], [[0, 1]] * 30, [[0], [1]]])
def test_nothing_can_be_told_from_one_or_equal_or_few_models(models):
    assert stand_ins(FeatureModels(models, 3), [0]) == []


def test_the_correlation_is_spearmans_where_values_are_known():
    rng = np.random.default_rng(4)
    values = rng.normal(size=(30, 3)).round(1)
    values[3, 1] = np.nan
    models = FeatureModels([[0], [1], [2], [3]] * 30, 4)
    nominal = np.array([False, False, True])
    found = stand_ins(models, [0], np.array([0, 1, 2]), values, nominal)
    by_other = {pair.other: pair.correlation for pair in found}
    known = ~np.isnan(values[:, 1])
    ranks = rankdata(values[:, 0])[known], rankdata(values[known, 1])
    assert_allclose(by_other[1], np.corrcoef(*ranks)[0, 1])
    assert by_other[2] is None  # categories
    assert by_other[3] is None  # not kept


def test_a_column_that_never_varies_has_no_correlation():
    models = FeatureModels([[0], [1]] * 20, 2)
    (pair,) = stand_ins(models, [0], [0, 1], np.ones((5, 2)), np.zeros(2, bool))
    assert pair.correlation is None


def correlated(n_samples=40, seed=5):
    """Columns 0 and 3 hold much the same, 4 the opposite of 0, the others chance."""
    values = np.random.default_rng(seed).normal(size=(n_samples, 6))
    values[:, 3] = values[:, 0] + 0.1 * values[:, 3]
    values[:, 4] = -values[:, 0] + 0.1 * values[:, 4]
    return values


def test_columns_with_the_same_values_stand_in_whatever_the_models_choose():
    models = FeatureModels([[0, 1, 3], [0, 1, 4], [0, 1, 5]] * 10, 6)
    found = stand_ins(models, [0, 1], np.arange(6), correlated(), np.zeros(6, bool))
    by_values = {(pair.feature, pair.other) for pair in found if pair.evidence == "values"}
    assert by_values == {(0, 3), (0, 4)}
    assert all(pair.p is None and pair.without is None for pair in found)  # 0 is in all models
    assert {round(pair.correlation) for pair in found} == {-1, 1}


def test_what_is_in_the_panel_or_never_chosen_does_not_stand_in_by_values():
    models = FeatureModels([[0, 3], [0, 3], [0, 3]], 6)
    assert stand_ins(models, [0, 3], np.arange(6), correlated(), np.zeros(6, bool)) == []


def test_both_kinds_of_evidence_come_first():
    models = FeatureModels([[0, 1], [3, 1], [3, 2]] * 20, 6)
    found = stand_ins(models, [0], np.arange(6), correlated(), np.zeros(6, bool))
    assert [(pair.other, pair.evidence) for pair in found] == [(3, "both"), (2, "choice")]


@pytest.mark.parametrize("n_samples", [6, 12, 20])
def test_a_high_correlation_of_few_rows_among_many_columns_is_chance(n_samples):
    values = np.random.default_rng(0).normal(size=(n_samples, 200))
    assert np.abs(np.triu(np.corrcoef(values.T), 1)).max() > 0.7
    models = FeatureModels([np.arange(k, 200, 10) for k in range(10)], 200)
    found = stand_ins(models, np.arange(0, 200, 10), np.arange(200), values, np.zeros(200, bool))
    assert not any(pair.evidence == "values" for pair in found)


def test_without_gaps_the_correlation_is_spearmans():
    values = np.random.default_rng(7).integers(0, 5, size=(25, 6)).astype(float)
    values[:, 5] = 3  # never varies
    own, columns = np.array([0, 2]), np.arange(6)
    found, n_samples = _rank_correlations(values, own, columns)
    assert_allclose(found[:, :5], spearmanr(values[:, :5]).statistic[own], atol=1e-12)
    assert np.isnan(found[:, 5]).all()
    assert (n_samples == 25).all()
