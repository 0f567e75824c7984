"""Scans of tables in blocks by real workers: the bits of one process, blocks sent once."""

import time

import numpy as np
import pytest
from scipy import sparse

from cluster import tasks
from cluster.real import RealCluster, client_of
from consilience import (
    MRMR,
    BitMatrix,
    BlockMatrix,
    BWRatio,
    EFSClassifier,
    EnsembleSelector,
    MarkovBlanket,
    QIFSClassifier,
    evaluate_committee,
)
from consilience.exceptions import ClusterError
from consilience.execution import fingerprint
from consilience.execution.parts import run_parts
from consilience.sampling.row_keys import row_keys
from consilience.selectors import univariate_scores
from wide_tables import in_blocks, wide_table


@pytest.fixture
def client(cluster):
    with client_of(cluster) as own:
        yield own


@pytest.fixture
def sent(monkeypatch):
    """Bytes of the arrays that clients send, and to whom."""
    from distributed import Client

    sizes, scatter = [], Client.scatter

    def counted(self, data, workers=None, **how):
        sizes.extend(
            (workers, each.nbytes if hasattr(each, "nbytes") else len(each)) for each in data
        )
        return scatter(self, data, workers=workers, **how)

    monkeypatch.setattr(Client, "scatter", counted)
    return sizes


def assert_equal_dicts(one, other):
    for name, values in one.items():
        np.testing.assert_array_equal(values, other[name], err_msg=name)


def test_every_block_is_at_one_worker(client):
    X = BlockMatrix.split(np.zeros((50, 6 * 512)), n_columns=512)
    first, again = (run_parts(tasks.where_am_i, X) for _ in range(2))
    assert first == again
    assert sorted(first.count(process) for process in set(first)) == [3, 3]


@pytest.mark.parametrize("kind", ["dense", "gaps", "sparse", "bits", "few values"])
def test_filters(client, kind):
    X, y = wide_table(kind)
    weights = np.random.default_rng(0).integers(0, 3, y.size)
    for given in (None, weights):
        found = univariate_scores(in_blocks(X), y, given)
        assert_equal_dicts(univariate_scores(X, y, given), found)
    if kind in ("bits", "few values"):
        tall = univariate_scores(in_blocks(X, n_rows=64), y, weights)
        assert_equal_dicts(univariate_scores(X, y, weights), tall)


@pytest.mark.parametrize("kind", ["dense", "sparse", "bits"])
@pytest.mark.parametrize("criterion", ["mid", "fcq"])
def test_rounds_of_mrmr(client, kind, criterion):
    X, y = wide_table(kind)
    one, other = (
        MRMR(12, criterion=criterion, random_state=1).fit(Z, y) for Z in (X, in_blocks(X))
    )
    for name in ("scores_", "ranking_", "relevance_", "criterion_"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))


@pytest.mark.parametrize("selector", [MarkovBlanket(n_candidates=50), BWRatio(), MRMR()], ids=str)
def test_ensembles(client, selector):
    X, y = wide_table("bits")

    def fit(X):
        return EnsembleSelector(selector, n_models=6, n_features_to_select=5, random_state=0).fit(
            X, y
        )

    one, other = fit(X), fit(in_blocks(X))
    np.testing.assert_array_equal(one.models_.rankings, other.models_.rankings)


@pytest.fixture(scope="module")
def compounds():
    rng = np.random.default_rng(4)
    y = np.arange(120) % 2
    X = rng.random((120, 2100)) < 0.1 + 0.3 * y[:, None] * (np.arange(2100) < 20)
    return X.astype(np.uint8), y


@pytest.mark.parametrize("how", [{}, {"n_rows": 64}], ids=["columns", "rows"])
@pytest.mark.parametrize("make", [QIFSClassifier, EFSClassifier])
def test_rounds_of_query_committees(client, compounds, make, how):
    cells, y = compounds
    bits = BitMatrix.from_array(cells)
    blocks = BlockMatrix.split(bits, n_columns=512, **how)
    one, other = (make(n_rounds=4, n_features=15, random_state=0).fit(Z, y) for Z in (bits, blocks))
    for mine, theirs in zip(one.subsets_, other.subsets_, strict=True):
        np.testing.assert_array_equal(mine, theirs)
    np.testing.assert_array_equal(one.predict_proba(bits), other.predict_proba(blocks))


def test_committees_on_unseen_rows(client, compounds):
    cells, y = compounds

    def evaluate(X):
        committee = QIFSClassifier(n_rounds=2, n_features=15)
        return evaluate_committee(committee, X, y, rivals=["fss"], n_splits=3, random_state=0)

    blocks = BlockMatrix.split(sparse.csr_array(cells), n_columns=512)
    one, other = (evaluate(Z) for Z in (BitMatrix.from_array(cells), blocks))
    for mine, theirs in zip(one.methods, other.methods, strict=True):
        assert mine.error == theirs.error


def test_names_and_keys_are_worked_out_there(client):
    X, _ = wide_table("bits")
    assert fingerprint(in_blocks(X)) == fingerprint(X)
    np.testing.assert_array_equal(row_keys(in_blocks(X)), row_keys(X))


def test_a_block_is_sent_once_to_one_worker(client, sent):
    X, y = wide_table("dense")
    blocks = in_blocks(X)
    for criterion in ("mid", "fcq"):
        MRMR(6, criterion=criterion).fit(blocks, y)
    univariate_scores(blocks, y)
    large = [(tuple(workers), size) for workers, size in sent if size > 100_000]
    assert sorted(size for _, size in large) == sorted(block.nbytes for block in blocks.blocks)
    assert len({workers for workers, _ in large}) == 2


def test_files_that_workers_see_are_opened_there(client, sent, tmp_path):
    X, y = wide_table("bits")
    X.save(tmp_path / "x.bits")
    dense, rare = wide_table("gaps")[0], wide_table("sparse")[0]
    in_blocks(dense).save(tmp_path / "x.blocks")
    in_blocks(rare).save(tmp_path / "rare.blocks")
    tables = {"x.bits": X, "x.blocks": dense, "rare.blocks": rare}
    for name, whole in tables.items():
        path = tmp_path / name
        found = univariate_scores(BlockMatrix.open(path, n_columns=512), y)
        assert_equal_dicts(univariate_scores(whole, y), found)
    tall = BlockMatrix.open(tmp_path / "x.bits", n_columns=512, n_rows=64)
    assert_equal_dicts(univariate_scores(X, y), univariate_scores(tall, y))
    assert sum(size for _, size in sent) < 10_000


def test_what_nobody_needs_is_forgotten_there(client):
    X = BlockMatrix.split(np.random.default_rng(0).normal(size=(100, 2048)), n_columns=512)
    run_parts(tasks.where_am_i, X)
    before = held(client)
    assert before >= X.nbytes
    del X
    for _ in range(100):
        if held(client) < before // 2:
            break
        time.sleep(0.05)
    assert held(client) < before // 2


def held(client):
    return sum(client.run(tasks.held_bytes).values())


def test_large_questions_travel_on_their_own(client):
    X = BlockMatrix.split(np.zeros((3, 1024)), n_columns=512)
    question = np.arange(400_000.0)  # 3 MB
    assert run_parts(tasks.add_up, X, question) == [question.sum()] * 2


def test_an_error_of_a_block_arrives_as_it_is(client):
    from consilience.exceptions import DataError

    X = BlockMatrix.split(np.zeros((3, 1024)), n_columns=512)
    with pytest.raises(DataError, match=r"^Column 'BRCA1' holds text; leave it out\.$"):
        run_parts(tasks.refuse_block, X)


def test_tasks_that_run_here_may_ask_the_blocks(client):
    """A fold of an evaluation runs here, as a task, and its scans there."""
    import os

    from consilience.execution import run_tasks

    X = BlockMatrix.split(np.zeros((3, 1024)), n_columns=512)

    def fold(X, number):
        return {"there": run_parts(tasks.where_am_i, X)}

    for each in run_tasks(fold, range(3), shared=(X,), n_jobs=2):
        assert os.getpid() not in each["there"]


def test_new_workers_get_their_share(tmp_path):
    own = RealCluster(tmp_path, n_workers=1)
    try:
        with client_of(own):
            X = BlockMatrix.split(np.zeros((50, 6 * 512)), n_columns=512)
            assert len(set(run_parts(tasks.where_am_i, X))) == 1
            own.start_worker()
            own.wait(2)
            time.sleep(1.1)  # what is known of the workers holds for a second
            found = run_parts(tasks.where_am_i, X)
            assert sorted(found.count(process) for process in set(found)) == [3, 3]
    finally:
        own.close()


def test_a_table_too_large_for_all_workers_is_refused_with_the_figure(tmp_path):
    own = RealCluster(tmp_path, n_workers=0)
    try:
        own.start_worker("--memory-limit", "100MB")
        own.wait(1)
        X = BlockMatrix.split(np.zeros((10_000, 1024)), n_columns=512)  # 82 MB
        with (
            client_of(own),
            pytest.raises(
                ClusterError,
                match=r"would hold 102(\.4)? MB of the table and what is .* has 100(\.0)? MB",
            ),
        ):
            run_parts(tasks.where_am_i, X)
    finally:
        own.close()
