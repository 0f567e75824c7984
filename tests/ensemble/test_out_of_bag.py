"""Selections judged by the rows that their bootstraps left out."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.linear_model import RidgeClassifier
from sklearn.metrics import roc_auc_score
from sklearn.preprocessing import StandardScaler
from sklearn.utils import check_random_state

from consilience import (
    CFS,
    BitMatrix,
    EnsembleSelector,
    MostFrequent,
    MostRepresentative,
    SelectionResult,
    WeightedRank,
    make_planted,
)
from consilience.ensemble.out_of_bag import OutOfBag, fill_unjudged
from consilience.exceptions import ConsilienceWarning
from consilience.execution import Checkpoint
from consilience.sampling import bootstrap_weights
from consilience.sampling.bootstrap import plan_bootstrap
from consilience.sampling.row_keys import row_keys

PLANTED = make_planted(60, 80, n_blocks=3, block_size=3, random_state=0)
X, y = PLANTED.X, PLANTED.y
ONES = (X > 0).astype(np.uint8)
NUMBERS = np.zeros(80, dtype=bool)


def fit(table=X, labels=y, sample_weight=None, groups=None, **options):
    defaults = {"aggregator": WeightedRank(), "n_features_to_select": 5, "n_models": 20}
    ensemble = EnsembleSelector(**{"random_state": 0} | defaults | options)
    return ensemble.fit(table, labels, sample_weight=sample_weight, groups=groups)


def sample(labels=y, seed=0):
    return bootstrap_weights(labels, np.random.SeedSequence(seed).spawn(1))[0]


def ridge_auc(columns, labels, weights):
    """The same by scikit-learn: standardised, ridge on the classes, one against the rest."""
    inside, outside = weights > 0, weights == 0
    scaler = StandardScaler().fit(columns[inside], sample_weight=weights[inside])
    model = RidgeClassifier(alpha=1.0).fit(
        scaler.transform(columns[inside]), labels[inside], sample_weight=weights[inside]
    )
    scores = model.decision_function(scaler.transform(columns[outside]))
    if scores.ndim == 1:
        return roc_auc_score(labels[outside], scores)
    return np.mean([roc_auc_score(labels[outside] == c, s) for c, s in enumerate(scores.T)])


@given(st.integers(0, 200), st.integers(2, 4), st.integers(1, 50))
def test_the_figure_is_that_of_scikit_learn(seed, n_classes, size):
    rng = np.random.default_rng(seed)
    labels = np.arange(60) % n_classes
    columns = rng.choice(80, size, replace=False)  # more columns than rows inside, too
    weights = sample(labels, seed)
    found = OutOfBag(X, labels, NUMBERS).auc(columns, weights)
    assert_allclose(found, ridge_auc(X[:, columns], labels, weights), atol=1e-9)


def test_every_storage_gives_the_same_figure():
    weights = sample()
    expected = OutOfBag(ONES, y, NUMBERS).auc([3, 1, 40], weights)
    for table in (ONES.astype(np.float32), sparse.csr_array(ONES), sparse.csc_matrix(ONES),
                  BitMatrix.from_array(ONES)):  # fmt: skip
        assert OutOfBag(table, y, NUMBERS).by_columns().auc([3, 1, 40], weights) == expected


def test_constant_and_missing_columns_change_nothing():
    weights = sample()
    wider = np.column_stack([X[:, :3], np.full(60, 7.3), np.full(60, np.nan)])
    judge = OutOfBag(wider, y, np.zeros(5, dtype=bool))
    assert_allclose(judge.auc([0, 1, 2, 3, 4], weights), judge.auc([0, 1, 2], weights))


def test_missing_values_count_as_the_mean():
    weights, holed = sample(), X[:, :4].copy()
    holed[::7, 0] = np.nan
    filled = holed.copy()
    known = ~np.isnan(holed[:, 0])
    filled[~known, 0] = np.average(holed[known, 0], weights=weights[known])
    found = [OutOfBag(t, y, np.zeros(4, dtype=bool)).auc([0, 1], weights) for t in (holed, filled)]
    assert found[0] == found[1]


def test_categories_have_no_order():
    rng = np.random.default_rng(0)
    codes = np.where(y == 1, 2, rng.choice([1, 3], 60)).astype(float)  # in the middle: not linear
    weights = sample()
    as_numbers = OutOfBag(codes[:, None], y, np.array([False])).auc([0], weights)
    as_codes = OutOfBag(codes[:, None], y, np.array([True])).auc([0], weights)
    assert as_codes == 1.0
    assert as_numbers < 0.9


def test_rows_outside_that_lack_a_class_cannot_judge():
    labels = np.array([0, 0, 0, 0, 1, 1])
    judge = OutOfBag(X[:6], labels, NUMBERS)
    assert np.isnan(judge.auc([0], np.array([1, 1, 0, 0, 1, 2])))
    assert np.isnan(judge.auc([], np.array([1, 1, 0, 0, 1, 0])))
    assert not np.isnan(judge.auc([0], np.array([1, 1, 0, 0, 1, 0])))


def test_bootstraps_that_cannot_be_judged_count_as_the_mean_of_the_others():
    assert_array_equal(fill_unjudged(np.array([0.5, np.nan, 1.0])), [0.5, 0.75, 1.0])
    with pytest.warns(ConsilienceWarning, match="No sample leaves out a row of every class"):
        assert_array_equal(fill_unjudged(np.full(3, np.nan)), [0.5, 0.5, 0.5])
    rare = np.array([1, *[0] * 59])  # its only row is in every bootstrap
    with pytest.warns(ConsilienceWarning, match="all count alike"):
        assert_array_equal(fit(labels=rare).models_.weights, np.full(20, 0.5))


def test_the_weights_of_an_ensemble_are_these_figures():
    found = fit(n_models=8).models_
    seed = int(check_random_state(0).randint(2**31 - 1))
    seeds = np.random.SeedSequence(seed).spawn(9)[1:]
    plan = plan_bootstrap(y, keys=row_keys(X), rate=0.8)
    samples = [plan.draw(np.random.default_rng(seed)) for seed in seeds]
    expected = [ridge_auc(X[:, s], y, w) for s, w in zip(found.subsets, samples, strict=True)]
    assert_allclose(found.weights, expected, atol=1e-9)


def test_only_who_needs_weights_gets_them():
    assert fit(aggregator=MostFrequent()).models_.weights is None
    weighted = fit().models_
    assert weighted.weights.min() > 0.5
    assert weighted.weights.max() <= 1.0


@pytest.mark.parametrize("options", [
    {"n_jobs": 2}, {"n_jobs": 2, "backend": "processes"}, {"table": sparse.csr_array(ONES)},
    {"table": BitMatrix.from_array(ONES)}, {"table": pd.DataFrame(ONES)},
])  # fmt: skip
def test_the_weights_are_the_same_however_they_are_computed(options):
    expected = fit(ONES, n_models=100).models_
    found = fit(**{"table": ONES, "n_models": 100} | options).models_
    assert_array_equal(found.weights, expected.weights)
    assert found == expected


def test_the_order_of_the_rows_does_not_matter():
    order = np.random.default_rng(0).permutation(60)
    assert fit(X[order], y[order]).models_ == fit().models_


def test_the_weights_are_in_the_checkpoint(tmp_path, monkeypatch):
    first = fit(n_models=100, checkpoint=tmp_path)
    monkeypatch.setattr(Checkpoint, "store", None)  # nothing is computed anew
    again = fit(n_models=100, checkpoint=tmp_path)
    assert again.models_ == first.models_
    assert again.models_.weights is not None


def test_rows_without_weight_do_not_judge():
    weights = np.where(np.arange(60) < 45, 1.0, 0.0)
    changed = X.copy()
    changed[45:] = -50.0
    assert_array_equal(
        fit(sample_weight=weights).models_.weights,
        fit(changed, sample_weight=weights).models_.weights,
    )


def test_rows_of_a_group_inside_do_not_judge():
    # Copies of a row predict each other: left apart, the judges would know the answer.
    rng = np.random.default_rng(0)
    noise, labels = rng.normal(size=(20, 300)), np.arange(20) % 2
    table, copies = np.repeat(noise, 4, axis=0), np.repeat(labels, 4)
    apart = fit(table, copies, n_features_to_select=20).models_.weights.mean()
    together = fit(table, copies, groups=np.repeat(np.arange(20), 4), n_features_to_select=20)
    assert apart > 0.95
    assert together.models_.weights.mean() < apart - 0.02


def test_weights_are_saved_with_the_result(tmp_path):
    found = fit()
    found.result_.save(tmp_path / "run")
    again = SelectionResult.load(tmp_path / "run")
    assert_array_equal(again.models.weights, found.models_.weights)


def test_a_model_of_another_size_is_remarked_upon():
    # A medoid of CFS has its own size, and yet more features were selected.
    found = fit(selector=CFS(), aggregator=MostRepresentative(), n_features_to_select=60)
    size = found.panels_[0].size
    assert size < np.count_nonzero(found.frequencies_)
    assert found.result_.warnings == [f"The panel holds {size} of the 60 features asked for."]


def test_rows_judge_by_their_weights():
    weights = np.arange(y.size) % 2
    counts = 1.0 + np.arange(y.size) % 3
    outside = np.repeat(np.flatnonzero(weights == 0), counts[weights == 0].astype(int))
    rows = np.concatenate([np.flatnonzero(weights), outside])
    copies = OutOfBag(X[rows], y[rows], NUMBERS).auc([3, 1], weights[rows])
    assert OutOfBag(X, y, NUMBERS, counts).auc([3, 1], weights) == pytest.approx(copies, abs=1e-12)
