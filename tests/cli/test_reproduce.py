"""`consilience reproduce`: statements of a paper beside what was measured."""

import json
from pathlib import Path

import numpy as np
import pytest

from consilience import make_planted

QUICK = ["--models", "6", "--folds", "3", "--jobs", "1"]
SPOKEN = ("holds", "does not hold", "cannot be decided")


@pytest.fixture
def data(folder):
    Path("sets").mkdir()
    for k, name in enumerate(("leukemia_golub", "colon")):
        table = make_planted(30, 40, effect=1.5, n_blocks=3, random_state=k).table
        np.savez(Path("sets") / f"{name}.npz", X=table.X, y=table.y)
    return Path("sets")


@pytest.fixture
def call(data, run):
    words = ["reproduce", "model-mining", "--data", data, "--sets", "leukemia_golub,colon"]
    return lambda *more: run(*words, *QUICK, *more)


@pytest.mark.filterwarnings("ignore::consilience.exceptions.ConsilienceWarning")
def test_every_statement_gets_a_verdict(call):
    code, out, _ = call()
    assert code == 0
    folder = Path("model-mining-reproduction")
    document = json.loads((folder / "reproduction.json").read_text("utf-8"))
    statements = document["statements"]
    assert [s["where"] for s in statements] == ["Table 2"] * 12 + ["Table 3"] * 4 + ["Table 4"] * 7
    assert {s["verdict"] for s in statements} <= set(SPOKEN)
    markdown = (folder / "reproduction.md").read_text("utf-8")
    for s in statements:
        assert s["published"] in markdown
        assert s["measured"] in markdown
    assert sum(line.strip() in SPOKEN for line in out) == len(statements)
    assert (folder / "report.html").exists()
    counts = [sum(s["verdict"] == v for s in statements) for v in SPOKEN]
    told = "{} hold, {} do not hold, {} cannot be decided".format(*counts)
    assert f"Of {len(statements)} statements: {told}." in out
    assert len(document["itemsets"]) == 2 * 7 * 2  # data sets, selectors, walks
    assert call("--resume")[1] == out
    code, _, err = call("--resume", "--order", "support")
    assert code == 2
    assert 'its order is "area", this run\'s is "support"' in err[-1]


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["reproduce", "quifs", "--data", "."], "dafs, qifs, gas-sefs, imbalance-wrapper."),
        (["reproduce", "qifs", "--data", "none"], "no data set 'thrombin_kdd2001.npz'"),
        (["reproduce", "qifs", "--data", ".", "--rounds", "0"], "--rounds 0 makes no sense"),
        (["reproduce", "qifs", "--data", ".", "--folds", "1"], "--folds 1 makes no sense"),
        (["reproduce", "qifs", "--data", ".", "--jobs", "0"], "0 jobs do nothing"),
        (["reproduce", "qifs", "--data", ".", "--backend", "x"], "Unknown --backend 'x'"),
        (["reproduce", "dafs", "--data", ".", "--rounds", "3"], "--rounds says nothing for"),
        (["reproduce", "gas-sefs", "--data", "none"], "no data set 'balance.npz'"),
        (["reproduce", "gas-sefs", "--data", ".", "--runs", "1"], "--runs 1 makes no sense"),
        (["reproduce", "gas-sefs", "--data", ".", "--folds", "5"], "its settings are --runs,"),
        (["reproduce", "gas-sefs", "--data", ".", "--sets", ","], "nothing to run on"),
        (["reproduce", "qifs", "--data", ".", "--runs", "3"], "--runs says nothing for"),
        (["reproduce", "imbalance-wrapper", "--data", "none"], "no data set 'fbis.npz'"),
        (["reproduce", "imbalance-wrapper", "--data", ".", "--sets", ","], "nothing to run on"),
        (["reproduce", "imbalance-wrapper", "--data", ".", "--runs", "0"], "--runs 0 makes no"),
        (["reproduce", "imbalance-wrapper", "--data", ".", "--folds", "5"], "are --runs, --seed."),
        (["reproduce", "model-mining", "--data", "none"], "no data set 'leukemia_golub.npz'"),
        (["reproduce", "model-mining", "--data", ".", "--sets", ","], "nothing to run on"),
        (["reproduce", "model-mining"], "--data"),
        (["reproduce", "model-mining", "--data", ".", "--order", "x"], "known are area, support."),
        (["reproduce", "dafs", "--data", "none"], "no data set '9_tumors.npz'"),
        (
            ["reproduce", "dafs", "--data", ".", "--order", "area"],
            "its settings are --rows, --seed.",
        ),
        (["reproduce", "model-mining", "--data", ".", "--rows", "3"], "--rows says nothing for"),
        (["reproduce", "dafs", "--data", ".", "--rows", "-3"], "--rows -3 makes no sense"),
        (["reproduce", "dafs", "--data", ".", "--seed", "-3"], "--seed -3 makes no sense"),
        (["reproduce", "dafs", "--data", ".", "--jobs", "0"], "0 jobs do nothing"),
        (["reproduce", "dafs", "--data", ".", "--backend", "x"], "Unknown --backend 'x'"),
    ],
)
def test_bad_requests_get_one_sentence(folder, run, words, reason, monkeypatch):
    monkeypatch.delenv("CONSILIENCE_DATA", raising=False)
    code, out, err = run(*words)
    assert (code, out) == (2, [])
    assert len(err) == 1
    assert reason in err[0]
    assert not Path("model-mining-reproduction").exists()
    assert not Path("dafs-reproduction").exists()
    assert not Path("qifs-reproduction").exists()
    assert not Path("gas-sefs-reproduction").exists()
    assert not Path("imbalance-wrapper-reproduction").exists()


@pytest.fixture
def dafs(folder, run, monkeypatch):
    """The DAFS paper on made data: two sets, one for the sweep, with subspaces that fit them."""
    from consilience.evaluation.reproduce import dafs_figures, dafs_runs

    for name, value in (
        ("PAIRS", ((3, 20), (8, 9))),
        ("MIDDLE", (8, 9)),
        ("LEARNERS", ("svm", "knn")),
    ):
        monkeypatch.setattr(dafs_runs, name, value)
        monkeypatch.setattr(dafs_figures, name, value)
    monkeypatch.setattr(dafs_runs, "WIDE", ((4, 40), (20, 10)))
    Path("sets").mkdir()
    for k, name in enumerate(("srbct", "dlbcl")):
        table = make_planted(24, 32, effect=2.0, n_blocks=3, random_state=k).table
        np.savez(Path("sets") / f"{name}.npz", X=table.X, y=table.y)
    words = ["reproduce", "dafs", "--data", "sets", "--sets", "srbct,dlbcl", "--rows", 2]
    return lambda *more: run(*words, "--jobs", "1", *more)


def test_dafs_gets_tables_a_sweep_and_verdicts(dafs):
    code, out, err = dafs()
    assert code == 0
    folder = Path("dafs-reproduction")
    document = json.loads((folder / "reproduction.json").read_text("utf-8"))
    statements = document["statements"]
    assert {s["verdict"] for s in statements} <= set(SPOKEN)
    assert {"Table 2", "Table 3", "Figure 2", "Figure 5"} <= {s["where"] for s in statements}
    assert sum(line.strip() in SPOKEN for line in out) == len(statements)
    assert document["n_rows"] == {"srbct": 2, "dlbcl": 2}
    assert set(document["accuracies"]["srbct"]) >= {"kNN", "RSE", "mRMR", "WW", "DAFS"}
    assert all(0 <= rate <= 1 for rate in document["accuracies"]["dlbcl"].values())
    assert len(document["sweep"]) == 2 * 2 + 3
    told = (folder / "reproduction.md").read_text("utf-8")
    assert "(100.0)" in told  # what was published of srbct stands beside
    assert "| svm | (3, 20) | double fault |" in told
    assert told.count("average rank with") == 4
    assert sum("CPU minutes in all" in line for line in err) == 3
    assert dafs("--resume")[1] == out


def test_dafs_says_what_it_cannot_tell_without_the_sets(dafs, run):
    words = ["reproduce", "dafs", "--data", "sets", "--sets", "srbct", "--rows", 2, "--quiet"]
    code, out, err = run(*words, "--jobs", 1, "--out", "one")
    assert (code, out, err) == (0, [], [])
    document = json.loads(Path("one/reproduction.json").read_text("utf-8"))
    assert document["sweep"] == []
    statements = [s for s in document["statements"] if "was not run" in s["measured"]]
    assert statements
    assert {s["verdict"] for s in statements} == {"cannot be decided"}


@pytest.mark.filterwarnings("ignore::consilience.exceptions.ConsilienceWarning")
def test_qifs_gets_statements_for_its_forms_and_tables(folder, run):
    rng = np.random.default_rng(0)
    y = np.where(np.arange(60) % 4 == 0, "A", "I")
    chance = np.where((y[:, None] == "A") & (np.arange(40) < 10), 0.5, 0.1)
    Path("sets").mkdir()
    for name in ("thrombin_kdd2001", "hiva"):
        np.savez(Path("sets") / f"{name}.npz", X=(rng.random((60, 40)) < chance).astype(int), y=y)
    words = ["reproduce", "qifs", "--data", "sets", "--rounds", 1, "--folds", 2, "--jobs", 1]
    code, out, err = run(*words)
    assert code == 0
    assert sum("CPU minutes in all" in line for line in err) == 1
    document = json.loads(Path("qifs-reproduction/reproduction.json").read_text("utf-8"))
    statements = document["statements"]
    assert len(statements) == 17 + 2 * 14 + 16  # the paper's form, two others; the other set
    assert {s["verdict"] for s in statements} <= set(SPOKEN)
    assert sum(line.strip() in SPOKEN for line in out) == len(statements)
    assert len(document["cells"]) == 2 * 3 * 2
    told = Path("qifs-reproduction/reproduction.md").read_text("utf-8")
    assert "### thrombin_kdd2001" in told
    assert told.count("**Average precision**") == 2
    assert run(*words, "--resume")[1] == out


def test_gas_sefs_gets_statements_by_every_choice_and_tables(folder, run):
    rng = np.random.default_rng(0)
    Path("sets").mkdir()
    for name, n_features in (("iris", 4), ("tic_tac_toe", 9)):
        y = np.arange(40) % 2
        X = rng.integers(3, size=(40, n_features)) + y[:, None] * (np.arange(n_features) < 2)
        np.savez(Path("sets") / f"{name}.npz", X=X, y=y)
    words = ["reproduce", "gas-sefs", "--data", "sets", "--sets", "iris,tic-tac-toe"]
    words += ["--runs", 2, "--jobs", 1]
    code, out, err = run(*words)
    assert code == 0
    assert sum("CPU minutes in all" in line for line in err) == 1
    folder = Path("gas-sefs-reproduction")
    document = json.loads((folder / "reproduction.json").read_text("utf-8"))
    statements = document["statements"]
    assert len(statements) == 30
    assert {s["verdict"] for s in statements} <= set(SPOKEN)
    assert sum(line.strip() in SPOKEN for line in out) == len(statements)
    assert list(document["otherwise"]) == ["preliminary", "own"]
    assert all(len(told) == 28 for told in document["otherwise"].values())
    assert document["groups"] == {"iris": 1, "tic-tac-toe": 2}
    assert document["n_runs"] == {"iris": 2, "tic-tac-toe": 2}
    told = (folder / "reproduction.md").read_text("utf-8")
    assert "--sets iris,tic-tac-toe --runs 2 --seed 0" in told
    for title in (
        "The same statements",
        "Accuracy with DVS",
        "By rule",
        "By generations",
        "By set",
    ):
        assert told.count(f"**{title}**") == 1
    assert run(*words, "--resume")[1] == out
    code, _, err = run(*words, "--resume", "--runs", 3)
    assert code == 2
    assert "its runs is 2, this run's is 3" in err[-1]


def test_imbalance_wrapper_gets_its_tables_and_statements(folder, run, monkeypatch):
    from consilience.evaluation.reproduce import imbalance_wrapper_runs as runs

    design = runs.Design(3, 6, ensemble_size=2, population=3, n_generations=1)
    monkeypatch.setattr(runs, "PAPER_DESIGN", design)
    Path("sets").mkdir()
    rng = np.random.default_rng(0)
    for name in ("fbis", "oil_spill"):
        y = np.arange(40) % 5
        X = rng.normal(size=(40, 8)) + np.outer(y == 0, np.arange(8) == 2)
        np.savez(Path("sets") / f"{name}.npz", X=X, y=y)
    words = ["reproduce", "imbalance-wrapper", "--data", "sets", "--sets", "fbis,oil"]
    words += ["--runs", 1, "--jobs", 1]
    code, out, err = run(*words)
    assert code == 0, err
    assert sum("CPU minutes in all" in line for line in err) == 1
    folder = Path("imbalance-wrapper-reproduction")
    document = json.loads((folder / "reproduction.json").read_text("utf-8"))
    statements = document["statements"]
    assert len(statements) == 17
    assert len(document["otherwise"]) == 12
    assert {s["verdict"] for s in statements} <= set(SPOKEN)
    assert sum(line.strip() in SPOKEN for line in out) == len(statements)
    assert document["data"]["fbis"]["minority"] == 8
    assert [document["data"][name]["features"] for name in ("fbis", "oil")] == [8, 7]
    told = (folder / "reproduction.md").read_text("utf-8")
    assert "--sets fbis,oil --runs 1 --seed 0" in told
    for title in ("Table 2", "Table 3", "Figure 2", "Our own search"):
        assert told.count(f"**{title}**") == 1
    assert run(*words, "--resume")[1] == out
    code, _, err = run(*words, "--resume", "--seed", 3)
    assert code == 2
    assert "its seed is 0, this run's is 3" in err[-1]
