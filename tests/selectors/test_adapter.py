"""Selectors of other libraries as members of an ensemble."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.feature_selection import RFE, SelectFromModel, SelectKBest, chi2, f_classif
from sklearn.linear_model import LogisticRegression

import naive
from consilience import BitMatrix, EnsembleSelector, InformationGain
from consilience.exceptions import DataError
from consilience.selectors.adapter import as_model_selector

rng = np.random.default_rng(0)
y = np.arange(40) % 2
X = rng.normal(size=(40, 8))
X[:, 2] += 3 * y
X[:, 5] -= 2 * y

FOREIGN = {
    "SelectKBest": SelectKBest(k=99),
    "RFE": RFE(LogisticRegression(), n_features_to_select=99),
    "SelectFromModel": SelectFromModel(LogisticRegression(), threshold=-np.inf),
    "trees": SelectFromModel(ExtraTreesClassifier(20, random_state=0), threshold=-np.inf),
}


@pytest.mark.parametrize("name", FOREIGN)
def test_an_ensemble_of_any_selector_finds_the_signal(name):
    ensemble = EnsembleSelector(
        FOREIGN[name], n_features_to_select=2, n_models=6, random_state=0
    ).fit(X, y)
    assert ensemble.support_.nonzero()[0].tolist() == [2, 5]
    assert ensemble.models_.sizes.tolist() == [2] * 6


@pytest.mark.parametrize("name", ["SelectKBest", "RFE"])
def test_threads_and_processes_agree(name):
    def fit(**options):
        ensemble = EnsembleSelector(
            FOREIGN[name], n_features_to_select=3, n_models=4, random_state=0, **options
        )
        return ensemble.fit(X, y).models_

    alone = fit()
    assert fit(n_jobs=2) == alone
    assert fit(n_jobs=2, backend="processes") == alone


def test_the_selector_given_is_not_touched():
    given = SelectKBest(k=99)
    EnsembleSelector(given, n_features_to_select=2, n_models=3, random_state=0).fit(X, y)
    assert given.k == 99
    assert not hasattr(given, "scores_")


def test_a_model_is_a_fit_on_copied_rows():
    worker = as_model_selector(SelectKBest(), 3)
    weights = rng.integers(0, 3, size=(4, 40))
    rngs = [np.random.default_rng(m) for m in range(4)]
    models = worker.fit_models(worker.prepare(X, y), weights, rngs)
    for m, sample in enumerate(weights):
        rows = np.repeat(np.arange(40), sample)
        alone = SelectKBest(k=3).fit(X[rows], y[rows])
        assert sorted(models.subsets[m]) == alone.get_support(indices=True).tolist()
        assert models.subsets[m].tolist() == np.argsort(-alone.scores_)[:3].tolist()
        assert models.rankings[m].tolist() == naive.mean_ranks(alone.scores_.tolist())


def test_eliminated_features_are_ranked_by_their_turn():
    worker = as_model_selector(RFE(LogisticRegression()), 2)
    models = worker.fit_models(worker.prepare(X, y), np.ones((1, 40)), [np.random.default_rng(0)])
    alone = RFE(LogisticRegression(), n_features_to_select=2).fit(X, y)
    assert models.rankings[0].tolist() == naive.mean_ranks((-alone.ranking_).tolist())


def test_a_selector_without_scores_gives_subsets_alone():
    worker = as_model_selector(FOREIGN["SelectFromModel"], 2)
    models = worker.fit_models(worker.prepare(X, y), np.ones((1, 40)), [np.random.default_rng(0)])
    assert models.rankings is None
    ensemble = EnsembleSelector(
        FOREIGN["SelectFromModel"], n_features_to_select=2, n_models=4, random_state=0
    ).fit(X, y)
    assert ensemble.result_.sizes() == []


def test_features_without_a_score_come_last():
    table = X.copy()
    table[:, 7] = 1.0
    worker = as_model_selector(SelectKBest(), 3)
    with pytest.warns(UserWarning, match="constant"), np.errstate(all="ignore"):
        models = worker.fit_models(
            worker.prepare(table, y), np.ones((1, 40)), [np.random.default_rng(0)]
        )
    assert models.rankings[0, 7] == 8


def test_random_selectors_are_seeded_by_the_ensemble():
    def fit(seed):
        ensemble = EnsembleSelector(
            RandomScores(), n_features_to_select=3, n_models=5, random_state=seed
        )
        return ensemble.fit(X, y).models_

    assert fit(0) == fit(0)
    assert fit(0) != fit(1)


class RandomScores(SelectKBest):
    """Scores by chance alone."""

    def __init__(self, k=10, random_state=None):
        super().__init__(k=k)
        self.random_state = random_state

    def fit(self, X, y):
        super().fit(X, y)
        self.scores_ = np.random.default_rng(self.random_state).random(X.shape[1])
        return self


def test_sparse_and_packed_data_reach_the_selector():
    ones = (X > 0.5).astype(np.uint8)

    def fit(table):
        ensemble = EnsembleSelector(
            SelectKBest(chi2), n_features_to_select=2, n_models=5, random_state=0
        )
        return ensemble.fit(table, y).models_

    expected = fit(ones)
    assert fit(sparse.csr_array(ones)) == expected
    assert fit(sparse.csc_array(ones)) == expected
    assert fit(BitMatrix.from_array(ones)) == expected


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_frames_reach_the_selector(frame):
    names = [f"g{j}" for j in range(8)]
    table = frame({name: X[:, j] for j, name in enumerate(names)})
    ensemble = EnsembleSelector(
        SelectKBest(f_classif), n_features_to_select=2, n_models=5, random_state=0
    ).fit(table, y)
    assert ensemble.get_feature_names_out().tolist() == ["g2", "g5"]


def test_fractional_weights_cannot_be_copied():
    worker = as_model_selector(SelectKBest(), 2)
    with pytest.raises(DataError, match="SelectKBest is fitted on copied rows, so sample weights"):
        worker.fit_models(worker.prepare(X, y), np.full((1, 40), 0.5), [np.random.default_rng(0)])


def test_selectors_of_ours_stay_what_they_are():
    worker = as_model_selector(InformationGain(7), 2)
    assert isinstance(worker, InformationGain)
    assert worker.n_features_to_select == 2


def test_copied_rows_are_counted_before_the_work():
    worker = as_model_selector(SelectKBest(), 2)
    ones = (X > 0.5).astype(np.uint8)
    stored = sparse.csr_array(ones)
    assert worker.memory(X) == X.nbytes
    assert worker.memory(stored) == stored.data.nbytes + stored.indices.nbytes
    assert worker.memory(BitMatrix.from_array(ones)) == ones.nbytes  # it is unpacked
