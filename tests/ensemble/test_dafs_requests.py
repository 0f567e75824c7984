"""What DAFS is given: storages, groups, odd columns, and what it refuses, in one sentence each."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse

from consilience import DAFS, make_planted
from consilience.exceptions import ConsilienceWarning, DataError, UsageError

PLANTED = make_planted(40, 30, n_blocks=3, block_size=3, effect=4.0, random_state=1)
X, y = PLANTED.X, PLANTED.y


def dafs(**options):
    return DAFS(
        **{"estimator": "knn", "subspace_size": 5, "n_subspaces": 60, "random_state": 0} | options
    )


def one_sentence(error):
    text = str(error.value)
    assert "\n" not in text
    assert text.endswith("."), text


@pytest.mark.parametrize(("options", "message"), [
    ({"subspace_size": 31}, "subspace_size is 31 and there are 30 features"),
    ({"subspace_size": 0}, "subspace_size is 0"),
    ({"n_subspaces": 0}, "n_subspaces is 0; give a whole number, 1 or more, or None"),
    ({"coverage": 2, "n_subspaces": None}, "coverage is 2"),
    ({"sampling": "sobol"}, "sampling is 'sobol'"),
    ({"diversity": "entropy"}, "diversity is 'entropy'; choose one of q_statistic"),
    ({"diversity": ["kappa"]}, "diversity is .'kappa'.; choose"),
    ({"criterion": "gini"}, "criterion is 'gini'; choose one of occlusion, da, accuracy"),
    ({"form": "sum"}, "form is 'sum'; choose one of ratio, linear, num"),
    ({"orientation": "up"}, "orientation is 'up'"),
    ({"agreement": "both"}, "agreement is 'both'; choose one of correctness, label"),
    ({"criterion": "da", "agreement": "label"}, "agreement='label' .* diversity='disagreement'"),
    ({"r": -1}, "r is -1; give a number from 0 to 100, or None"),
    ({"criterion": "occlusion", "form": "linear"}, "form='linear' is a choice of criterion='da'"),
    ({"r": np.inf}, "r is inf"),
    ({"r": 2, "form": "linear"}, "r is 2; give a number from 0 to 1"),
    ({"max_features": 0}, "max_features is 0"),
    ({"n_features_to_select": 0}, "n_features_to_select is 0"),
    ({"evaluation": "cv"}, "evaluation is 'cv'"),
    ({"n_folds": 1}, "n_folds is 1"),
    ({"validation_fraction": 0}, "validation_fraction is 0"),
    ({"estimator": "tree"}, "tree"),
    ({"final_estimator": "tree"}, "tree"),
    ({"scale": "yes"}, "scale is 'yes'; give True or False"),
    ({"backend": "gpu"}, "Unknown backend 'gpu'"),
])  # fmt: skip
def test_requests_that_make_no_sense_are_refused(options, message):
    with pytest.raises(UsageError, match=message) as error:
        dafs(**options).fit(X, y)
    one_sentence(error)


@pytest.mark.parametrize("options", [{"final_estimator": "tree"}, {"n_features_to_select": -1}])
def test_what_is_needed_last_is_refused_first(options, tmp_path):
    with pytest.raises(UsageError):
        dafs(checkpoint=tmp_path / "run", **options).fit(X, y)
    assert not (tmp_path / "run").exists()


def test_sample_weights_are_no_part_of_it():
    with pytest.raises(TypeError, match="sample_weight"):
        dafs().fit(X, y, sample_weight=np.ones(40))


def test_one_class_is_refused():
    with pytest.raises(DataError, match="All 40 rows have the class 'a'") as error:
        dafs().fit(X, ["a"] * 40)
    one_sentence(error)


def test_classes_of_one_row_each_are_refused():
    with pytest.raises(DataError, match="No class has a second row"):
        dafs().fit(X[:15], np.arange(15))


@pytest.mark.parametrize("evaluation", ["oof", "holdout", "loo"])
def test_a_class_with_one_row_is_trained_on_and_judges_nobody(evaluation):
    labels = y.copy()
    labels[7] = 2
    fitted = dafs(evaluation=evaluation).fit(X, labels)
    assert fitted.folds_[7] == -1
    n_rows = (fitted.folds_ >= 0).sum()
    assert n_rows == (8 if evaluation == "holdout" else 39)
    hits = fitted.member_accuracies_ * n_rows
    assert_allclose(hits, np.rint(hits))


@pytest.mark.parametrize("value", [np.nan, np.inf])
@pytest.mark.parametrize("kind", [pd.DataFrame, sparse.csr_array, sparse.csc_array, np.asarray])
def test_values_that_are_not_finite_are_named(value, kind):
    bad = X.copy()
    bad[3, 4] = value
    name = "4" if kind is pd.DataFrame else "x4"
    table = pd.DataFrame(bad, columns=[str(j) for j in range(30)]) if name == "4" else kind(bad)
    with pytest.raises(DataError, match=f"Column '{name}' holds .* in row 3") as error:
        dafs().fit(table, y)
    one_sentence(error)


def test_categories_are_refused_unless_there_are_two():
    frame = pd.DataFrame(X, columns=[f"g{j}" for j in range(30)])
    frame["g2"] = pd.Categorical(np.random.default_rng(0).choice(["a", "b", "c"], 40))
    with pytest.raises(DataError, match="Column 'g2' holds categories, more than two") as error:
        dafs().fit(frame, y)
    one_sentence(error)
    words = np.random.default_rng(0).choice(["no", "yes"], 40)
    frame["g2"] = pd.Categorical(words)
    expected = X.copy()
    expected[:, 2] = words == "yes"
    for table in (frame, pl.from_pandas(frame)):
        assert_array_equal(dafs().fit(table, y).scores_, dafs().fit(expected, y).scores_)


def test_constant_columns_take_part_in_nothing():
    padded = np.insert(X, [0, 10, 30], [[0.0, 0.1, 7.0]], axis=1)
    constant = np.flatnonzero(np.ptp(padded, axis=0) == 0)
    fitted, plain = dafs().fit(padded, y), dafs().fit(X, y)
    assert np.isnan(fitted.scores_[constant]).all()
    assert (fitted.ranking_[constant] > 30).all()
    assert fitted.never_sampled_.size == 0
    assert fitted.coverage_ == plain.coverage_
    assert (fitted.n_hits_[constant] == 0).all()
    with pytest.raises(DataError, match="All 3 columns are constant"):
        dafs(subspace_size=None).fit(np.ones((40, 3)), y)


def test_subspaces_are_no_larger_than_what_varies():
    padded = np.column_stack([X[:, :4], np.ones((40, 6))])
    with pytest.warns(ConsilienceWarning, match="Only 4 of the 10 columns vary"):
        fitted = dafs(subspace_size=8).fit(padded, y)
    assert fitted.subspace_size_ == 4


def test_more_features_than_there_are_are_no_error():
    fitted = dafs(max_features=1000).fit(X, y)
    assert fitted.validation_curve_.size == 30
    with pytest.warns(ConsilienceWarning, match="50 features were asked for and the data have 30"):
        fitted = dafs(n_features_to_select=50).fit(X, y)
    assert fitted.support_.all()


def test_a_number_of_features_is_taken_as_given():
    free, fixed = dafs().fit(X, y), dafs(n_features_to_select=7).fit(X, y)
    assert fixed.n_features_ == fixed.support_.sum() == 7
    assert_array_equal(fixed.ranking_, free.ranking_)
    assert_array_equal(fixed.validation_curve_, free.validation_curve_)
    padded = np.column_stack([X[:, :4], np.ones((40, 6))])
    with pytest.warns(ConsilienceWarning, match="Only 4 of the 8 features asked for vary"):
        fitted = dafs(n_features_to_select=8, subspace_size=2).fit(padded, y)
    assert fitted.n_features_ == 4


def test_copied_columns_and_rows_are_no_trouble():
    twice = np.column_stack([X, X[:, :5]])
    fitted = dafs().fit(twice, y)
    assert np.isfinite(fitted.scores_).all()
    assert sorted(fitted.ranking_) == list(range(1, 36))
    fitted = dafs().fit(np.vstack([X, X]), np.tile(y, 2))
    assert sorted(fitted.ranking_) == list(range(1, 31))


def test_cells_that_are_stored_twice_are_their_sum():
    thin = sparse.csr_array(np.where(np.abs(X) > 1, X, 0))
    halves, columns = np.repeat(thin.data / 2, 2), np.repeat(thin.indices, 2)
    twice = sparse.csr_array((halves, columns, 2 * thin.indptr), shape=X.shape)
    assert twice.nnz == 2 * thin.nnz
    assert_array_equal(dafs().fit(twice, y).scores_, dafs().fit(thin.toarray(), y).scores_)


@pytest.mark.parametrize("evaluation", ["oof", "holdout", "loo"])
def test_groups_are_held_out_together(evaluation):
    groups = np.repeat(np.arange(20), 2)
    fitted = dafs(evaluation=evaluation).fit(X, y, groups=groups)
    for group in range(20):
        assert np.unique(fitted.folds_[groups == group]).size == 1
    assert (fitted.scores_ != dafs(evaluation=evaluation).fit(X, y).scores_).any()


def test_labels_may_be_compared_themselves():
    three = np.random.default_rng(0).integers(3, size=40)
    options = {"diversity": "disagreement", "r": 10}
    by_label = dafs(agreement="label", **options).fit(X, three)
    by_correctness = dafs(**options).fit(X, three)
    assert (by_label.member_diversities_ >= by_correctness.member_diversities_).all()
    assert (by_label.member_diversities_ > by_correctness.member_diversities_).any()


def test_the_memory_is_told_and_grows_with_the_members():
    few, many = (dafs(n_subspaces=n).estimate_memory(X) for n in (100, 10_000))
    assert 0 < few < many
    assert many < 20e6


def test_values_beyond_scaling_are_named():
    huge = X.copy()
    huge[:2, 3] = 1.5e308, -1.5e308
    with pytest.raises(DataError, match="Column 'x3' has values too large") as error:
        dafs().fit(huge, y)
    one_sentence(error)
