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
        (["reproduce", "qifs", "--data", "."], "Unknown paper 'qifs'; known are model-mining."),
        (["reproduce", "model-mining", "--data", "none"], "no data set 'leukemia_golub.npz'"),
        (["reproduce", "model-mining", "--data", ".", "--sets", ","], "nothing to run on"),
        (["reproduce", "model-mining"], "--data"),
        (["reproduce", "model-mining", "--data", ".", "--order", "x"], "known are area, support."),
    ],
)
def test_bad_requests_get_one_sentence(folder, run, words, reason, monkeypatch):
    monkeypatch.delenv("CONSILIENCE_DATA", raising=False)
    code, out, err = run(*words)
    assert (code, out) == (2, [])
    assert len(err) == 1
    assert reason in err[0]
    assert not Path("model-mining-reproduction").exists()
