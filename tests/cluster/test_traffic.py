"""What crosses the cable to a worker in a whole run: its share of X, and little else."""

import time

import numpy as np
import pytest

from cluster.hosts import two_hosts  # noqa: F401
from cluster.real import RealCluster, client_of
from consilience import (
    MRMR,
    SVMRFE,
    BitMatrix,
    BlockMatrix,
    EnsembleSelector,
    QIFSClassifier,
    evaluate_selection,
)

AT_MOST = 1.1
STARTING = 400_000  # bytes of connections, heartbeats, and of starting: what an idle minute costs


# How often Dask takes away copies that it thinks nobody needs; twenty times as often as it would.
TIDY = {"DASK_DISTRIBUTED__SCHEDULER__ACTIVE_MEMORY_MANAGER__INTERVAL": "100ms"}


@pytest.fixture
def apart(tmp_path, two_hosts):  # noqa: F811
    """A scheduler here, and a worker on each of two other hosts, which reach each other."""
    own = RealCluster(tmp_path / "dask", n_workers=0, host="0.0.0.0", settings=TIDY)
    own.address = f"tcp://{two_hosts[0].here}:{own.port}"
    for each in two_hosts:
        # The other host is reached through this machine.
        other = two_hosts[1 - two_hosts.index(each)]
        each.route(other)
        own.start_worker(
            "--host", each.there, inside=each.inside, at=f"tcp://{each.here}:{own.port}"
        )
    own.wait(2)
    yield own
    own.close()


def received(hosts, run):
    """Bytes that each host received while something ran."""
    before = [each.received() for each in hosts]
    run()
    return [each.received() - start for each, start in zip(hosts, before, strict=True)]


def test_a_selection_and_its_evaluation(apart, two_hosts):  # noqa: F811
    rng = np.random.default_rng(0)
    y = np.arange(100) % 2
    X = rng.normal(size=(100, 30_000)) + 0.5 * y[:, None] * (np.arange(30_000) < 40)  # 24 MB

    def run():
        with client_of(apart):
            ensemble = EnsembleSelector(SVMRFE(), n_models=30, random_state=0)
            ensemble.fit(X, y)
            time.sleep(1)  # nobody needs X for the moment
            evaluate_selection(ensemble.set_params(n_models=4), X, y, n_splits=4, random_state=0)

    for n_bytes in received(two_hosts, run):
        assert n_bytes < AT_MOST * X.nbytes + STARTING


@pytest.mark.parametrize("method", ["mrmr", "qifs"])
def test_many_rounds_of_scans(apart, two_hosts, method):  # noqa: F811
    rng = np.random.default_rng(0)
    y = np.arange(4000) % 2
    cells = rng.random((4000, 40_960)) < 0.05 + 0.02 * y[:, None] * (np.arange(40_960) < 40)
    X = BlockMatrix.split(BitMatrix.from_array(cells), n_columns=2560)  # 20 MB in 16 blocks

    def run():
        with client_of(apart):
            if method == "mrmr":
                MRMR(40, random_state=0).fit(X, y)
            else:
                how = {"n_features": 100, "random_state": 0, "n_instances": 0.2, "patience": None}
                QIFSClassifier("nb", n_rounds=25, **how).fit(X, y)

    for n_bytes in received(two_hosts, run):
        assert X.nbytes / 2 < n_bytes < AT_MOST * X.nbytes / 2 + STARTING
