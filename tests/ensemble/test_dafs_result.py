"""The result of DAFS: what it says of the fit, and that it survives its files."""

import dataclasses
import json

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy.stats import spearmanr

from consilience import (
    DAFS,
    DAFSResult,
    EnsembleSelector,
    SelectionResult,
    load_result,
    make_planted,
)
from consilience.ensemble.dafs_result import spread
from consilience.exceptions import DataError

PLANTED = make_planted(40, 60, n_blocks=4, block_size=3, effect=2.0, random_state=0)
QUICK = {"n_subspaces": 30, "subspace_size": 8, "max_features": 6, "random_state": 0}


@pytest.fixture(scope="module")
def fitted():
    X = PLANTED.X.copy()
    X[:, 5] = 1.0  # took no part
    return DAFS("ridge", **QUICK).fit(X, PLANTED.y)


def test_it_says_what_the_fit_found(fitted):
    result = fitted.result_
    (panel,) = result.panels
    assert_array_equal(np.sort(panel), np.flatnonzero(fitted.support_))
    assert_array_equal(fitted.ranking_[panel], np.arange(1, panel.size + 1))
    frame = result.panel
    assert_array_equal(frame["score"], fitted.scores_[panel])
    assert_array_equal(frame["n_hits"], fitted.n_hits_[panel])
    assert_array_equal(frame["accuracy"], fitted.feature_accuracies_[panel])
    assert result.order.tolist()[: panel.size] == panel.tolist()
    known = np.isfinite(fitted.scores_)
    # The last digits of a mean depend on the order in which it was added up.
    pairs = [np.round(v[known], 12) for v in (fitted.scores_, fitted.feature_accuracies_)]
    expected = spearmanr(*pairs).statistic
    assert result.correlation == pytest.approx(expected)


def test_the_document_counts_what_was_sampled(fitted):
    coverage = fitted.result_.to_dict()["coverage"]
    assert (coverage["subspace_size"], coverage["n_subspaces"]) == (8, 30)
    assert coverage["n_constant"] == 1
    assert coverage["n_never_sampled"] == len(fitted.never_sampled_)
    assert coverage["expected"] == fitted.coverage_
    # On average each column that varies is in 30 * 8 / 59 subspaces, but for those never sampled.
    n_known = 59 - len(fitted.never_sampled_)
    assert coverage["hits"]["mean"] == pytest.approx(30 * 8 / n_known)


def test_it_is_read_again_as_it_was(fitted, tmp_path):
    result = fitted.result_
    path = result.save(tmp_path)
    json.loads(path.read_text("ascii"), parse_constant=pytest.fail)
    for again in (load_result(tmp_path), DAFSResult.load(path)):
        assert type(again) is DAFSResult
        assert again.to_dict() == result.to_dict()
        for field in dataclasses.fields(DAFSResult):
            np.testing.assert_equal(getattr(again, field.name), getattr(result, field.name))


def test_the_document_picks_the_class(fitted, tmp_path):
    fitted.result_.save(tmp_path / "dafs")
    ensemble = EnsembleSelector(n_features_to_select=4, n_models=4, random_state=0)
    ensemble.fit(PLANTED.X, PLANTED.y).result_.save(tmp_path / "ensemble")
    assert type(load_result(tmp_path / "ensemble")) is SelectionResult
    with pytest.raises(DataError, match="'dafs' and SelectionResult cannot hold it; read it with"):
        SelectionResult.load(tmp_path / "dafs")
    with pytest.raises(DataError, match="'ensemble' and DAFSResult cannot hold it"):
        DAFSResult.load(tmp_path / "ensemble")


def test_a_document_without_a_method_is_an_ensembles(tmp_path):
    ensemble = EnsembleSelector(n_features_to_select=4, n_models=4, random_state=0)
    path = ensemble.fit(PLANTED.X, PLANTED.y).result_.save(tmp_path)
    document = json.loads(path.read_text("ascii"))
    del document["method"]
    path.write_text(json.dumps(document))
    assert type(load_result(tmp_path)) is SelectionResult


def test_a_method_of_the_future_is_refused(fitted, tmp_path):
    path = fitted.result_.save(tmp_path)
    document = json.loads(path.read_text("ascii")) | {"method": "magic"}
    path.write_text(json.dumps(document))
    with pytest.raises(DataError, match="method 'magic', which this consilience does not know"):
        load_result(tmp_path)


@pytest.mark.parametrize("key", ["scoring", "members", "coverage", "panels"])
def test_a_document_that_lacks_a_part_is_refused(fitted, tmp_path, key):
    path = fitted.result_.save(tmp_path)
    document = json.loads(path.read_text("ascii"))
    del document[key]
    path.write_text(json.dumps(document))
    with pytest.raises(DataError, match="damaged"):
        load_result(tmp_path)


def test_arrays_of_another_run_are_refused(fitted, tmp_path):
    fitted.result_.save(tmp_path / "a")
    DAFS("ridge", **QUICK).fit(PLANTED.X[:, :30], PLANTED.y).result_.save(tmp_path / "b")
    (tmp_path / "b" / "models.npz").replace(tmp_path / "a" / "models.npz")
    with pytest.raises(DataError, match="damaged"):
        load_result(tmp_path / "a")


def test_where_nothing_varies_there_is_no_correlation(fitted):
    flat = np.where(np.isfinite(fitted.scores_), 0.5, np.nan)
    assert np.isnan(fitted.result_.described(scores=flat).correlation)
    assert fitted.result_.described(scores=flat).to_dict()["scoring"]["correlation"] is None


def test_there_is_a_curve_where_the_size_was_given():
    result = DAFS("ridge", n_features_to_select=2, **QUICK).fit(PLANTED.X, PLANTED.y).result_
    assert result.panels[0].size == 2
    assert result.validation_curve.size == 6


def test_the_settings_are_those_given(fitted):
    settings = fitted.result_.settings
    assert settings["estimator"] == "ridge"
    assert settings["random_state"] == 0
    assert settings["diversity"] is None
    assert not {"n_jobs", "verbose", "checkpoint", "backend"} & set(settings)


def test_a_spread_of_nothing_is_unknown():
    assert set(spread([]).values()) == {None}
