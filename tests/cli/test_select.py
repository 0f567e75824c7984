import csv
import json
from pathlib import Path

import numpy as np
import pytest

from consilience.cli.panel_file import guard
from consilience.execution import local
from consilience.selectors import SELECTORS

from .conftest import QUICK

FILES = {"panel.csv", "report.html", "result.json", "models.npz", "checkpoint"}
TIMES = ("created", "seconds")


def result_of(directory):
    document = json.loads(Path(directory, "result.json").read_text(encoding="utf-8"))
    return {key: value for key, value in document.items() if key not in TIMES}


def names_in(directory):
    return {path.name for path in Path(directory).iterdir()}


def test_from_a_file_to_a_page(genes, run):
    code, out, err = run("select", genes, "--target", "diagnosis", *QUICK)
    assert code == 0
    assert out[0] == "genes.csv: 36 samples, 12 features; classes ill (18), well (18)"
    shown = "\n".join(out)
    for text in ("g0", "g1", "Stability", "95 % interval", "all features", "Error on samples"):
        assert text in shown
    assert out[-1] == f"Page: {Path('genes-run/report.html')}"
    assert len(err) == 1
    assert "needs about" in err[0]  # memory, before the work
    assert names_in("genes-run") == FILES
    assert [path.name for path in Path("genes-run/checkpoint").iterdir()] == ["manifest.json"]
    document = result_of("genes-run")
    assert {row["feature"] for row in document["panels"][0]["features"]} >= {"g0", "g1"}
    assert document["data"]["source"] == "genes.csv"
    assert document["data"]["target"] == "diagnosis"
    assert document["command"] == (
        "consilience select genes.csv --target diagnosis --selector ridge-rfe "
        "--aggregator average-rank --method ensemble --features 4 --models 12 --share 0.8 --seed 0 "
        "--folds 3 --classifier svm"
    )
    page = Path("genes-run/report.html").read_text(encoding="utf-8")
    assert "g0" in page


def test_the_command_in_the_result_repeats_it(genes, run):
    run("select", genes, "-t", "diagnosis", *QUICK, "--drop", "g5", "--id", "sample", "-o", "a")
    command = result_of("a")["command"]
    code, _, _ = run(*command.split()[1:], "--out", "b", "--jobs", "2")
    assert code == 0
    assert result_of("a") == result_of("b")


@pytest.mark.parametrize("backend", ["threads", "processes"])
def test_jobs_and_backend_do_not_change_the_result(genes, run, backend):
    run("select", genes, "-t", "diagnosis", *QUICK, "-o", "one")
    words = [*QUICK[:-1], "2", "--backend", backend, "-o", "two"]
    assert run("select", genes, "-t", "diagnosis", *words)[0] == 0
    assert result_of("one") == result_of("two")


@pytest.mark.parametrize("backend", ["threads", "processes"])
def test_models_and_folds_run_on_the_backend(genes, run, monkeypatch, backend):
    heard = []

    def listening(name, usual):
        return lambda calls, n_jobs: heard.append((name, len(calls))) or usual(calls, n_jobs)

    for name, usual in local.BACKENDS.items():
        monkeypatch.setitem(local.BACKENDS, name, listening(name, usual))
    words = [*QUICK[:-1], "2", "--backend", backend, "--models", "100"]
    assert run("select", genes, "-t", "diagnosis", *words)[0] == 0
    assert {name for name, _ in heard} == {backend}
    assert len(heard) == 2  # the models, then the folds and the shuffles
    assert heard[1][1] == 3 + 10


def test_another_seed_is_another_run(genes, run):
    run("select", genes, "-t", "diagnosis", *QUICK, "-o", "a")
    run("select", genes, "-t", "diagnosis", *QUICK, "--seed", "1", "-o", "b")
    assert result_of("a")["sizes"] != result_of("b")["sizes"]


def test_names_of_the_papers_are_the_same_methods(genes, run):
    named = ["--selector", "IG", "--aggregator", "avgRank"]
    assert run("select", genes, "-t", "diagnosis", *QUICK, *named)[0] == 0
    settings = result_of("genes-run")["settings"]
    assert settings["selector"]["name"] == "information-gain"
    assert settings["aggregator"]["name"] == "average-rank"


@pytest.mark.parametrize("selector", [entry.name for entry in SELECTORS])
def test_every_selector_goes_from_a_file_to_a_page(genes, run, selector):
    # CFS fixes its own size: measures for panels of one size, and ranks, must not be needed.
    options = ["--selector", selector, *QUICK]
    code, printed, told = run("select", genes, "--target", "diagnosis", "--out", "r", *options)
    assert code == 0, told
    assert printed
    with Path("r", "panel.csv").open(encoding="utf-8", newline="") as file:
        found = [row["feature"] for row in csv.DictReader(file)]
    assert {"g0", "g1"} <= set(found)
    assert "<html" in Path("r", "report.html").read_text(encoding="utf-8")


def test_json_prints_the_document_and_nothing_else(genes, run):
    code, out, err = run("select", genes, "-t", "diagnosis", *QUICK, "--json", "--quiet")
    assert (code, err) == (0, [])
    document = json.loads("\n".join(out))
    assert document == json.loads(Path("genes-run/result.json").read_text(encoding="utf-8"))
    assert document["schema"] == "consilience.result"


def test_quiet_prints_nothing(genes, run):
    assert run("select", genes, "-t", "diagnosis", *QUICK, "-q") == (0, [], [])
    assert names_in("genes-run") == FILES


def test_zero_folds_skip_the_evaluation(genes, run):
    code, out, _ = run("select", genes, "-t", "diagnosis", *QUICK[:4], "--folds", "0")
    assert code == 0
    assert result_of("genes-run")["evaluation"] is None
    assert "Error on samples" not in "\n".join(out)


def test_all_features_may_be_asked_for(genes, run):
    code, out, err = run("select", genes, "-t", "diagnosis", *QUICK, "-n", "12")
    assert code == 0, err
    assert "Stability" in "\n".join(out)


def test_few_members_mean_fewer_folds_and_a_note(genes, run):
    lines = genes.read_text(encoding="utf-8").splitlines()
    kept = [lines[0]] + [line for line in lines[1:] if line.endswith("well")] + lines[2:10:2]
    genes.write_text("\n".join(kept) + "\n", encoding="utf-8")
    code, _, err = run("select", genes, "-t", "diagnosis", *QUICK, "--folds", "10")
    assert code == 0
    assert err[-1] == "Note: Class 'ill' has 4 rows, so the evaluation uses 4 folds instead of 10."
    assert result_of("genes-run")["warnings"] == [
        "The rarest class is too small for 10 folds, so the error is from 4 folds."
    ]


def test_groups_stay_together(genes, run):
    lines = genes.read_text(encoding="utf-8").splitlines()
    lines = [lines[0] + ",patient"] + [f"{line},p{i // 3}" for i, line in enumerate(lines[1:])]
    genes.write_text("\n".join(lines) + "\n", encoding="utf-8")
    words = ["select", genes, "-t", "diagnosis", *QUICK, "--groups"]
    code, _, err = run(*words, "patient")
    assert code == 0, err
    document = result_of("genes-run")
    assert document["evaluation"]["protocol"]["grouped"] is True
    assert document["data"]["n_features"] == 12
    assert "--groups patient" in document["command"]
    code, _, err = run(*words, "diagnosis", "-o", "b")
    assert code == 2
    assert err == ["'diagnosis' cannot be the target and the groups as well."]
    words[words.index("diagnosis")] = "13"
    for number, groups in enumerate(["patient", "14", "-1"]):
        code, _, err = run(*words[:-1], f"--groups={groups}", "-o", f"c{number}")
        assert code == 0, err
        assert result_of(f"c{number}")["panels"] == document["panels"]
        assert result_of(f"c{number}")["evaluation"] == document["evaluation"]


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ("p1", "genes.csv': the groups 'patient' are one group only ('p1' in all 36 rows)"),
        ("", "genes.csv': the groups 'patient' have no value in row 1 (36 such rows in all)"),
    ],
)
def test_bad_groups_are_not_called_the_target(genes, run, value, sentence):
    lines = genes.read_text(encoding="utf-8").splitlines()
    lines = [lines[0] + ",patient"] + [f"{line},{value}" for line in lines[1:]]
    genes.write_text("\n".join(lines) + "\n", encoding="utf-8")
    code, _, err = run("select", genes, "-t", "diagnosis", *QUICK, "--groups", "patient")
    assert code == 2
    assert len(err) == 1
    assert sentence in err[0]
    assert not Path("genes-run").exists()


def test_samples_in_columns(folder, run, genes):
    rows = [line.split(",") for line in genes.read_text(encoding="utf-8").splitlines()]
    Path("wide.tsv").write_text("\n".join("\t".join(row) for row in zip(*rows, strict=True)))
    code, out, err = run("select", "wide.tsv", "--transpose", "-t", "diagnosis", *QUICK)
    assert code == 0, err
    assert out[0].startswith("wide.tsv: 36 samples, 12 features")
    run("select", genes, "-t", "diagnosis", *QUICK)
    assert result_of("wide-run")["panels"] == result_of("genes-run")["panels"]


def test_nominal_columns_reach_the_selector(folder, run):
    rows = ["colour,size,class"]
    rows += [f"{'red' if i % 2 else 'blue'},{i % 5},{'a' if i % 2 else 'b'}" for i in range(30)]
    Path("fruit.csv").write_text("\n".join(rows))
    code, _, err = run("select", "fruit.csv", "-t", "class", "-n", "1", "--models", 5, "--folds", 2)
    assert code == 0, err
    document = result_of("fruit-run")
    assert document["panels"][0]["features"][0]["feature"] == "colour"


def test_names_cannot_become_formulas_or_move_the_cursor(genes, run):
    text = genes.read_text(encoding="utf-8")
    names = {"g0,": "=HYPERLINK(1),", "g1,": '"@SUM [bold]x[/bold]",'}
    for old, new in names.items():
        text = text.replace(old, new, 1)
    genes.write_text(text, encoding="utf-8")
    code, out, _ = run("select", genes, "-t", "diagnosis", *QUICK)
    assert code == 0
    assert "@SUM [bold]x[/bold]" in "\n".join(out)  # shown as it is, not as markup
    with Path("genes-run/panel.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert {row["feature"] for row in rows} >= {"'=HYPERLINK(1)", "'@SUM [bold]x[/bold]"}
    assert [row["rank"] for row in rows] == ["1", "2", "3", "4"]
    assert float(rows[0]["frequency"]) <= 1


@pytest.mark.parametrize("name", ["=1", "a;=1", "a,+1", "a\t-1", "a\n@1", 'a; "=1', ";;=1", "\t=1"])
@pytest.mark.parametrize("separator", list(";,\t\n|"))
def test_no_part_of_a_name_is_a_formula(name, separator):
    for part in guard(name).split(separator):
        assert not part.lstrip(' "').startswith(("=", "+", "-", "@"))
    assert guard(name).replace("'", "") == name
    assert guard("x-y = a;b") == "x-y = a;b"


def test_half_a_character_is_spelled_out(folder, run):
    X = np.arange(60.0).reshape(20, 3) % 7
    X[:, 0] = np.arange(20) % 2
    names = np.array(["g\udc80", "h", "i"])
    np.savez("x.npz", X=X, y=np.arange(20) % 2, feature_names=names)
    code, _, err = run("select", "x.npz", "-n", "1", "--models", "3", "--folds", "0")
    assert code == 0, err
    assert "g\\udc80" in Path("x-run/panel.csv").read_text(encoding="utf-8")
    assert "schema" in result_of("x-run")
    Path("x-run/report.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("columns", ["40", "60", "120"])
def test_every_width_is_kept(genes, run, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", columns)
    _, out, _ = run("select", genes, "-t", "diagnosis", *QUICK)
    assert max(len(line) for line in out) <= int(columns)
    assert any("g0" in line for line in out)


def test_missing_values_are_refused_before_the_work_with_the_names_of_the_file(folder, run):
    text = "a,b,class\n" + "".join(f"{i},{'' if i == 4 else i},{'xy'[i % 2]}\n" for i in range(12))
    Path("t.csv").write_text(text, encoding="utf-8")
    code, printed, told = run("select", "t.csv", "-t", "class", "-n", "1", "--selector", "mrmr")
    assert (code, printed, len(told)) == (2, [], 1)
    assert told[0].startswith("Column 'b' has a missing value in row 5 (1 such value in all). mrmr")
    assert not Path("t-run").exists()
