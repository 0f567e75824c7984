"""Whatever runs on the cluster gives the bits of a local run."""

import json

import numpy as np
import pytest
from pandas import DataFrame
from scipy import sparse

from cluster.real import client_of
from consilience import (
    DAFS,
    SVMRFE,
    BitMatrix,
    EnsembleSelector,
    InformationGain,
    QIFSClassifier,
    ReliefF,
)
from consilience.data.planted import make_planted
from consilience.data.table import Table
from consilience.evaluation import compare, evaluate_selection
from consilience.evaluation.committees import evaluate_committee


@pytest.fixture(scope="module")
def planted():
    return make_planted(n_samples=60, n_features=300, random_state=0)


@pytest.fixture(scope="module")
def binary():
    rng = np.random.default_rng(4)
    y = np.arange(120) % 2
    X = rng.random((120, 400)) < 0.1 + 0.3 * y[:, None] * (np.arange(400) < 20)
    return X.astype(np.uint8), y


def as_table(planted):
    names = [f"g{i}" for i in range(planted.X.shape[1])]
    return Table(planted.X, planted.y, names)


def here_and_there(cluster, run):
    """The same call without and with a client."""
    here = run()
    with client_of(cluster) as client:
        n_before = _n_received(client)
        there = run()
        assert _n_received(client) > n_before  # it was there indeed
    return here, there


def _n_received(client):
    """How many tasks the workers have run for us, as the scheduler counts them."""
    return client.run_on_scheduler(lambda dask_scheduler: dask_scheduler.transition_counter)


STORAGES = {
    "array": np.asarray,
    "frame": lambda X: DataFrame(X, columns=[f"g{i}" for i in range(X.shape[1])]),
    "sparse": sparse.csr_array,
    "packed": BitMatrix.from_array,
}


@pytest.mark.parametrize("storage", STORAGES)
@pytest.mark.parametrize("selector", [SVMRFE(), InformationGain(), ReliefF()],
                         ids=lambda s: type(s).__name__)  # fmt: skip
def test_an_ensemble(cluster, binary, selector, storage):
    X, y = binary
    X = STORAGES[storage](X)

    def run():
        return EnsembleSelector(selector, n_models=160, random_state=0).fit(X, y)

    here, there = here_and_there(cluster, run)
    np.testing.assert_array_equal(here.models_.rankings, there.models_.rankings)
    np.testing.assert_array_equal(here.ranking_, there.ranking_)
    for near, far in zip(here.panels_, there.panels_, strict=True):
        np.testing.assert_array_equal(near, far)


def test_an_evaluation(cluster, planted):
    def run():
        ensemble = EnsembleSelector(SVMRFE(), n_models=12, n_features_to_select=8)
        return evaluate_selection(
            ensemble, planted.X, planted.y, n_splits=4, random_state=0
        ).to_dict()

    here, there = here_and_there(cluster, run)
    assert here == there


def test_a_comparison(cluster, planted):
    def run():
        return compare(
            {"planted": as_table(planted)}, ["relieff", "svm-rfe"], ["most-frequent"], ["knn"],
            n_models=10, n_splits=3, random_state=0,
        )  # fmt: skip

    here, there = here_and_there(cluster, run)
    assert here.table().equals(there.table())


def test_dafs(cluster, planted):
    def run():
        return DAFS("knn", n_subspaces=300, max_features=10, random_state=0).fit(
            planted.X, planted.y
        )

    here, there = here_and_there(cluster, run)
    np.testing.assert_array_equal(here.scores_, there.scores_)
    np.testing.assert_array_equal(here.member_accuracies_, there.member_accuracies_)
    np.testing.assert_array_equal(here.support_, there.support_)
    assert here.ensemble_accuracy_ == there.ensemble_accuracy_


def test_qifs_judged_on_unseen_rows(cluster, binary):
    X, y = binary

    def run():
        committee = QIFSClassifier(n_rounds=5, n_features=15)
        return evaluate_committee(
            committee, BitMatrix.from_array(X), y, n_splits=3, random_state=0
        ).to_dict()

    here, there = here_and_there(cluster, run)
    _drop_seconds(here)
    _drop_seconds(there)
    assert json.dumps(here) == json.dumps(there)  # as text: NaN is not equal to itself


def _drop_seconds(told):
    if isinstance(told, dict):
        for name in [name for name in told if "seconds" in str(name)]:
            del told[name]
        told = list(told.values())
    if isinstance(told, list):
        for each in told:
            _drop_seconds(each)
