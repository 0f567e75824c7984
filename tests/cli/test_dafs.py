"""`consilience select --method dafs`: from a file to a page, and what is refused."""

import csv
import json
from pathlib import Path

import pytest

from consilience.cli import selection

from .conftest import planted_csv

DAFS = ["--method", "dafs", "--learner", "ridge", "--features", "4", "--subspaces", "40"]
QUICK = [*DAFS, "--subspace-size", "4", "--folds", "3", "--jobs", "1"]
FILES = {"panel.csv", "report.html", "result.json", "models.npz", "checkpoint"}


@pytest.fixture
def select(genes, run):
    return lambda *words: run("select", genes, "-t", "diagnosis", *QUICK, *words)


def result_of(directory):
    document = json.loads(Path(directory, "result.json").read_text(encoding="utf-8"))
    return {key: value for key, value in document.items() if key not in ("created", "seconds")}


def test_from_a_file_to_a_page(select):
    code, out, err = select()
    assert code == 0, err
    assert out[0] == "genes.csv: 36 samples, 12 features; classes ill (18), well (18)"
    shown = "\n".join(out)
    for text in ("Score", "Folds", "random subspaces of 4", "DAFS panel", "all features"):
        assert text in shown
    assert "one selection" not in shown
    assert out[-1] == f"Page: {Path('genes-run/report.html')}"
    told = "\n".join(err)  # the plan, before the work
    for text in ("40 random subspaces of 4 of 12 features", "P_cov", "of memory"):
        assert text in told
    assert {path.name for path in Path("genes-run").iterdir()} == FILES
    document = result_of("genes-run")
    assert document["method"] == "dafs"
    assert document["panels"][0]["features"][0]["feature"] in ("g0", "g1")
    assert document["command"] == (
        "consilience select genes.csv --target diagnosis --method dafs --features 4 "
        "--learner ridge --subspace-size 4 --subspaces 40 --evaluation oof --seed 0 --folds 3 "
        "--classifier svm"
    )
    assert document["evaluation"]["methods"][0]["label"] == "DAFS panel"
    seconds = json.loads(Path("genes-run/result.json").read_text())["seconds"]
    assert list(seconds) == ["read", "members", "curve", "select", "evaluate", "total"]
    with Path("genes-run/panel.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["feature"] for row in rows] == [
        feature["feature"] for feature in document["panels"][0]["features"]
    ]
    assert {
        "score",
        "subspaces",
        "mean_accuracy",
        "share_of_training_sets",
        "effect in ill",
    } <= set(rows[0])


def test_the_command_in_the_result_repeats_it_with_any_number_of_jobs(select, run):
    select("-o", "a", "--diversity", "q_statistic")
    command = result_of("a")["command"]
    assert "--diversity q-statistic" in command
    assert run(*command.split()[1:], "--out", "b", "--jobs", "2")[0] == 0
    assert result_of("a") == result_of("b")


def test_features_never_sampled_are_told_once_and_by_their_own_names(select):
    code, out, err = select("--subspaces", "2", "--subspace-size", "2", "--criterion", "da")
    assert code == 0
    assert not any(line.startswith("Note: ") and "subspaces" in line for line in err)
    shown = " ".join(" ".join(out).split())
    assert "were in no subspace and could not be chosen: g" in shown
    assert result_of("genes-run")["scoring"]["score"] == "da"


def test_json_and_quiet(select):
    code, out, err = select("--json", "--quiet", "--folds", "0")
    assert (code, err) == (0, [])
    document = json.loads("\n".join(out))
    assert document == json.loads(Path("genes-run/result.json").read_text(encoding="utf-8"))
    assert document["evaluation"] is None


def test_without_folds_nothing_is_claimed(select):
    code, out, _ = select("--folds", "0")
    assert code == 0
    shown = " ".join(out)
    assert "Neither the accuracy nor the steadiness of this panel was checked." in shown
    assert "Stability" not in shown
    assert "Folds" not in shown


@pytest.mark.parametrize("width", [40, 59, 120])
def test_the_print_fits_the_terminal(select, monkeypatch, width):
    monkeypatch.setenv("COLUMNS", str(width))
    code, out, _ = select("--folds", "2")
    assert code == 0
    assert all(len(line) <= width for line in out if not line.startswith("Page: "))
    assert ("Subspaces" in "\n".join(out)) == (width >= 60)


def test_a_stopped_run_goes_on(select, monkeypatch):
    select("-o", "whole")

    def stop(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(selection, "_evaluate", stop)
        code, _, err = select()
    assert code == 130
    assert "--resume goes on from there" in err[-1]
    assert list(Path("genes-run/checkpoint").rglob("*.npz"))
    code, _, err = select("--resume")
    assert code == 0, err
    assert result_of("genes-run") == result_of("whole")
    finished = select("--resume")
    assert finished[0] == 0
    assert "already holds the result" in select()[2][0]


def test_the_page_is_rendered_again(select, run):
    select("--folds", "0")
    first = Path("genes-run/report.html").read_bytes()
    Path("genes-run/report.html").unlink()
    assert run("report", "genes-run")[0] == 0
    assert Path("genes-run/report.html").read_bytes() == first


def test_a_run_of_dafs_has_no_models_for_alternatives(select, run):
    select("--folds", "0")
    code, out, err = run("alternatives", "genes-run")
    assert (code, out) == (2, [])
    assert len(err) == 1
    assert "is a run of dafs, which has no selections" in err[0]
    assert not Path("genes-alternatives").exists()


BAD = {
    "a selector": (["--selector", "svm-rfe"], "--selector does not apply to --method dafs"),
    "an aggregator": (["--aggregator", "cfs"], "--aggregator does not apply to --method dafs"),
    "models": (["--models", "50"], "--models does not apply to --method dafs; leave it out"),
    "a share": (["--share", "0.5"], "or choose --method ensemble."),
    "panels": (["--panels", "3"], "--panels does not apply"),
    "an unknown learner": (["--learner", "forest"], "known are svm, knn, ridge, mlp."),
    "an unknown diversity": (["--diversity", "kappa"], "Unknown --diversity 'kappa'"),
    "an unknown criterion": (["--criterion", "best"], "known are occlusion, da, accuracy."),
    "a diversity of another criterion": (
        ["--criterion", "occlusion", "--diversity", "correlation"],
        "--diversity is a part of --criterion da",
    ),
    "an unknown evaluation": (["--evaluation", "boot"], "known are oof, holdout, loo, train."),
    "a size of nothing": (["--subspace-size", "0"], "--subspace-size 0 makes no sense"),
    "one subspace": (["--subspaces", "1"], "--subspaces 1 makes no sense; give 2 or more."),
    "subspaces of too many": (["--subspace-size", "13"], "give --subspace-size 12 or less."),
    "no features": (["-n", "0"], "--features 0 makes no sense"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_usage_is_one_sentence_and_nothing_is_written(refused, case):
    refused(*BAD[case])


@pytest.mark.parametrize("option", ["--criterion=da", "--subspaces=50", "--evaluation=loo"])
def test_options_of_dafs_do_not_apply_to_the_ensemble(genes, run, option):
    code, out, err = run("select", genes, "-t", "diagnosis", option)
    assert (code, out) == (2, [])
    name = option.split("=")[0]
    assert err == [
        f"{name} does not apply to --method ensemble; leave it out, or choose --method dafs."
    ]


def test_missing_values_are_refused_with_a_way_out(genes, run):
    lines = planted_csv().splitlines()
    cells = lines[5].split(",")
    lines[5] = ",".join([*cells[:3], "NA", *cells[4:]])
    genes.write_text("\n".join(lines) + "\n", encoding="utf-8")
    code, _, err = run("select", genes, "-t", "diagnosis", *QUICK)
    assert code == 2
    assert len(err) == 1
    assert "'g2'" in err[0]
    assert "choose --method ensemble" in err[0]


def test_more_features_than_there_are_is_no_mistake(select):
    """They are the most that the curve may choose."""
    code, _, err = select("--features", "30", "--folds", "0")
    assert code == 0, err
    assert len(result_of("genes-run")["curve"]) == 12
