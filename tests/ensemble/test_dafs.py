"""DAFS as a whole: what it learns, the same answer however it is asked, the planted truth."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.base import clone

from consilience import DAFS, BitMatrix, make_planted
from consilience.exceptions import CheckpointError, UsageError
from consilience.learners.knn import KNNLearner
from consilience.sampling.subspace import coverage

PLANTED = make_planted(60, 120, n_blocks=4, block_size=3, effect=4.0, random_state=1)
X, y = PLANTED.X, PLANTED.y
RELEVANT = np.flatnonzero(PLANTED.relevant)


def dafs(**options):
    defaults = {"estimator": KNNLearner(), "subspace_size": 12, "n_subspaces": 200}
    return DAFS(**defaults | {"random_state": 0} | options)


def assert_same(found, expected):
    for name in ("scores_", "ranking_", "support_", "n_hits_", "validation_curve_", "folds_",
                 "member_accuracies_", "member_diversities_", "subspaces_"):  # fmt: skip
        assert_array_equal(getattr(found, name), getattr(expected, name), err_msg=name)


@pytest.fixture(scope="module")
def fitted():
    return dafs().fit(X, y)


def test_the_learned_attributes_belong_together(fitted):
    assert fitted.subspaces_.shape == (200, 12)
    assert (fitted.subspace_size_, fitted.n_subspaces_) == (12, 200)
    assert fitted.coverage_ == coverage(120, 12, 200)
    assert_array_equal(fitted.n_hits_, np.bincount(fitted.subspaces_.ravel(), minlength=120))
    assert sorted(fitted.ranking_) == list(range(1, 121))
    assert (np.diff(fitted.scores_[np.argsort(fitted.ranking_)]) < 1e-12).all()
    assert fitted.validation_curve_.shape == (30,)
    best = fitted.validation_curve_.max()
    assert fitted.n_features_ == np.flatnonzero(fitted.validation_curve_ == best)[0] + 1
    assert_array_equal(fitted.support_, fitted.ranking_ <= fitted.n_features_)
    assert set(np.unique(fitted.folds_)) == {0, 1, 2, 3, 4}
    assert fitted.never_sampled_.size == 0
    assert set(fitted.seconds_) == {"members", "curve", "total"}
    own = [(fitted.subspaces_ == j).any(axis=1) for j in range(120)]
    means = [fitted.member_accuracies_[mask].mean() for mask in own]
    assert_allclose(fitted.feature_accuracies_, means)


def test_no_feature_is_twice_in_a_subspace(fitted):
    assert all(np.unique(features).size == 12 for features in fitted.subspaces_)


def test_the_planted_features_are_found(fitted):
    assert np.isin(np.argsort(fitted.ranking_)[:12], RELEVANT).mean() > 0.8


@pytest.mark.parametrize("options", [{"n_jobs": 2}, {"n_jobs": 2, "backend": "processes"}])
def test_any_number_of_workers_gives_the_same_bits(fitted, options):
    assert_same(dafs(**options).fit(X, y), fitted)


def test_permuted_columns_give_permuted_answers(fitted):
    order = np.random.default_rng(1).permutation(120)
    found = dafs().fit(X[:, order], y)
    assert_array_equal(found.scores_, fitted.scores_[order])
    assert_array_equal(found.ranking_, fitted.ranking_[order])
    assert_array_equal(order[found.subspaces_], fitted.subspaces_)


def test_permuted_rows_give_the_same_folds_and_subspaces(fitted):
    order = np.random.default_rng(1).permutation(60)
    found = dafs().fit(X[order], y[order])
    assert_array_equal(found.folds_, fitted.folds_[order])
    assert_array_equal(found.subspaces_, fitted.subspaces_)
    assert_allclose(found.scores_, fitted.scores_)


def test_every_storage_gives_the_same_bits():
    ones = (X > 1).astype(np.uint8)
    expected = dafs().fit(ones, y)
    for table in (sparse.csr_array(ones), sparse.csc_array(ones), BitMatrix.from_array(ones)):
        assert_same(dafs().fit(table, y), expected)
    thin = np.where(np.abs(X) > 1, X, 0)
    assert_same(dafs().fit(sparse.csr_array(thin), y), dafs().fit(thin, y))


def test_an_interrupted_run_goes_on_where_it_stopped(fitted, tmp_path, monkeypatch):
    from consilience.ensemble import dafs_members

    plain, calls = dafs_members.predict_block, []

    def interrupted(*arguments):
        calls.append(arguments[-1].key)
        if len(calls) == 5:
            raise KeyboardInterrupt
        return plain(*arguments)

    monkeypatch.setattr(dafs_members, "predict_block", interrupted)
    with pytest.raises(KeyboardInterrupt):
        dafs(checkpoint=tmp_path / "run").fit(X, y)
    assert len(list((tmp_path / "run" / "tasks").glob("*.npz"))) == 4
    assert_same(dafs(checkpoint=tmp_path / "run").fit(X, y), fitted)
    assert len(calls) == len(set(calls)) + 1  # the one that was interrupted
    with pytest.raises(CheckpointError, match="another run"):
        dafs(checkpoint=tmp_path / "run", n_folds=4).fit(X, y)
    with pytest.raises(UsageError, match="random_state is None"):
        dafs(checkpoint=tmp_path / "other", random_state=None).fit(X, y)


def test_the_plan_is_told_before_the_work_and_changes_nothing(fitted, capsys):
    assert_same(dafs(verbose=1).fit(X, y), fitted)
    told = capsys.readouterr().err
    assert "200 random subspaces of 12 of 120 features, judged on 60 rows" in told
    assert "P_cov" in told
    assert "A feature is in 20 of them on average; hardly any will be in none" in told
    assert "with one worker" in told
    assert "B of memory" in told


def test_an_estimator_is_left_as_it_was(fitted):
    assert not hasattr(clone(fitted), "support_")
    assert fitted.get_params()["subspace_size"] == 12
