import csv
import json
from pathlib import Path

import pytest

from consilience.aggregation import AGGREGATORS
from consilience.ensemble.alternatives import multi_panel_names

from .conftest import QUICK

FILES = {"alternatives.csv", "report.html", "result.json", "models.npz", "checkpoint"}
SMALL = ["-t", "diagnosis", *QUICK, "--panels", "3"]


def result_of(directory):
    document = json.loads(Path(directory, "result.json").read_text(encoding="utf-8"))
    return {key: value for key, value in document.items() if key not in ("created", "seconds")}


def rows_of(directory):
    with Path(directory, "alternatives.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_from_a_file_to_several_panels(genes, run):
    code, out, err = run("alternatives", genes, *SMALL)
    assert code == 0, err
    shown = "\n".join(out)
    for text in ("3 panels from 12 samples", "Similarity", "Agreement", "Mean error", "Holm"):
        assert text in shown
    assert out[-1] == f"Page: {Path('genes-alternatives/report.html')}"
    assert {path.name for path in Path("genes-alternatives").iterdir()} == FILES
    document = result_of("genes-alternatives")
    assert len(document["panels"]) == 3
    assert len(document["alternatives"]["evaluation"]["panels"]) == 3
    assert document["evaluation"]["methods"][0]["key"] == "ensemble"
    assert document["command"] == (
        "consilience alternatives genes.csv --target diagnosis --selector ridge-rfe "
        "--aggregator all-medoids --features 4 --models 12 --share 0.8 --panels 3 --seed 0 "
        "--folds 3 --classifier svm"
    )
    assert "Alternative panels" in Path("genes-alternatives/report.html").read_text("utf-8")


def test_the_table_has_a_row_per_feature_with_the_error_of_its_panel(genes, run):
    run("alternatives", genes, *SMALL, "-q")
    rows, document = rows_of("genes-alternatives"), result_of("genes-alternatives")
    panels = document["panels"]
    expected = [row["feature"] for panel in panels for row in panel["features"]]
    assert [row["feature"] for row in rows] == expected
    judged = document["alternatives"]["evaluation"]["panels"]
    for row in rows:
        own = judged[int(row["panel"]) - 1]
        assert float(row["panel_error"]) == pytest.approx(own["error"]["value"], abs=1e-5)
        assert row["panel_verdict"] == own["verdict"]
        assert int(row["in_panels"]) == expected.count(row["feature"])


def test_the_command_in_the_result_repeats_it(genes, run):
    run("alternatives", genes, *SMALL, "--drop", "g5", "-o", "a")
    code, _, err = run(*result_of("a")["command"].split()[1:], "--out", "b", "--jobs", "2")
    assert code == 0, err
    assert result_of("a") == result_of("b")


def test_a_finished_run_is_shown_again_and_another_is_refused(genes, run):
    _, first, _ = run("alternatives", genes, *SMALL)
    code, again, _ = run("alternatives", genes, *SMALL, "--resume")
    assert (code, again) == (0, first)
    code, _, err = run("alternatives", genes, *SMALL, "--seed", "1")
    assert code == 2
    assert "holds another run" in err[-1]


def test_select_with_several_panels_evaluates_each(genes, run):
    words = ["-t", "diagnosis", *QUICK, "--aggregator", "allMed", "--panels", "2"]
    code, out, err = run("select", genes, *words)
    assert code == 0, err
    assert any("1 more panel is in panel.csv" in line for line in out)
    document = result_of("genes-run")
    assert len(document["alternatives"]["evaluation"]["panels"]) == 2
    assert "--panels 2" in document["command"]
    assert "Alternative panels" in Path("genes-run/report.html").read_text("utf-8")


@pytest.mark.parametrize("aggregator", multi_panel_names())
def test_every_aggregator_of_several_panels_goes_from_a_file_to_a_page(genes, run, aggregator):
    code, _, err = run("alternatives", genes, *SMALL, "--aggregator", aggregator)
    assert code == 0, err


def test_selections_without_rankings(genes, run):
    code, out, err = run("alternatives", genes, *SMALL, "--selector", "cfs")
    assert code == 0, err
    assert out


def test_without_folds_nothing_is_said_of_errors(genes, run):
    words = ["-t", "diagnosis", "-n", "4", "--models", "12", "--panels", "3", "--folds", "0"]
    code, out, err = run("alternatives", genes, *words)
    assert code == 0, err
    assert not any("Error" in line or "Agreement" in line for line in out)
    assert rows_of("genes-alternatives")[0]["panel_error"] == ""


def test_one_panel_has_no_alternative(genes, run):
    code, out, err = run("alternatives", genes, *SMALL, "--panels", "1")
    assert code == 0, err
    assert any("no alternative" in line for line in out)
    assert not any("Agreement" in line for line in out)


def test_more_panels_than_the_models_give(genes, run):
    code, _, err = run("alternatives", genes, *SMALL, "--panels", "500")
    assert code == 0
    assert any("500" in line for line in err)
    assert any(
        "fewer than 500 panels" in text for text in result_of("genes-alternatives")["warnings"]
    )


def test_json_prints_the_document_and_quiet_nothing(genes, run):
    code, out, err = run("alternatives", genes, *SMALL, "--json", "--quiet")
    assert (code, err) == (0, [])
    assert json.loads("\n".join(out))["alternatives"]["evaluation"]["protocol"]["n_panels"] == 3


@pytest.mark.parametrize("width", ["45", "80", "140"])
def test_a_narrow_terminal_keeps_one_line_per_panel(genes, run, monkeypatch, width):
    monkeypatch.setenv("COLUMNS", width)
    code, out, _ = run("alternatives", genes, *SMALL)
    assert code == 0
    listed = [line.split()[0] for line in out if " g0" in line or " g1" in line]
    assert listed == ["1", "2", "3"]
    assert all(len(line) <= int(width) for line in out[:-1])


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["--aggregator", "most-frequent"], "all-medoids"),
        (["--panels", "0"], "--panels 0"),
        (["--panels", "-2"], "--panels -2"),
        (["--panels", "ten"], "--panels"),
        (["--aggregator", "allmedoid"], "all-medoids"),
    ],
)
def test_bad_words_are_one_sentence(genes, run, words, named):
    code, out, err = run("alternatives", genes, "-t", "diagnosis", *QUICK, *words)
    assert (code, out, len(err)) == (2, [], 1)
    assert named in err[0]
    assert not Path("genes-alternatives").exists()


def test_panels_of_a_method_that_gives_one_are_refused(genes, run):
    code, _, err = run("select", genes, "-t", "diagnosis", *QUICK, "--panels", "3")
    assert (code, len(err)) == (2, 1)
    assert "gives one panel and not several" in err[0]
    assert all(name in err[0] for name in multi_panel_names())


def test_formulas_in_names_are_guarded(genes, run):
    text = Path(genes).read_text(encoding="utf-8").replace("g0", "=1+1")
    Path(genes).write_text(text, encoding="utf-8")
    run("alternatives", genes, *SMALL, "-q")
    assert {row["feature"] for row in rows_of("genes-alternatives")} & {"'=1+1"}


def test_the_names_that_are_offered_exist():
    assert all(name in AGGREGATORS for name in multi_panel_names())


def test_the_models_of_a_finished_run_give_panels_at_once(genes, run):
    run("select", genes, "-t", "diagnosis", *QUICK, "-q")
    code, out, err = run("alternatives", "genes-run", "--panels", "3")
    assert code == 0, err
    assert out[-1] == f"Page: {Path('genes-alternatives/report.html')}"
    assert {path.name for path in Path("genes-alternatives").iterdir()} == FILES
    document = result_of("genes-alternatives")
    assert len(document["panels"]) == 3
    assert document["evaluation"] is None  # that of another panel
    assert document["alternatives"]["evaluation"] is None
    assert document["settings"]["aggregator"]["name"] == "all-medoids"
    assert "was not measured" in document["warnings"][-1]
    assert run(*document["command"].split()[1:], "-o", "again", "-q") == (0, [], [])
    assert result_of("again") == document
    code, again, _ = run("alternatives", "genes-run", "--panels", "3", "--resume")
    assert (code, again) == (0, out)


def test_what_a_finished_run_has_settled_is_refused(genes, run):
    run("select", genes, "-t", "diagnosis", *QUICK, "-q")
    code, out, err = run("alternatives", "genes-run", "--features", "3", "--seed", "7")
    assert (code, out, len(err)) == (2, [], 1)
    assert "leave out --features, --seed, or give the data instead" in err[0]


def test_the_panels_of_a_run_are_those_of_its_result(genes, run):
    from consilience import AllMedoids, SelectionResult

    run("select", genes, "-t", "diagnosis", *QUICK, "-q")
    run("alternatives", "genes-run", "--panels", "3", "-q")
    found = SelectionResult.load("genes-run").alternatives(3, AllMedoids())
    names = [[str(name) for name in found.feature_names[panel]] for panel in found.panels]
    told = result_of("genes-alternatives")["alternatives"]["panels"]
    assert [panel["features"] for panel in told] == names


def test_a_run_is_never_mixed_with_its_alternatives(genes, run):
    run("select", genes, "-t", "diagnosis", *QUICK, "-q")
    code, _, err = run("alternatives", "genes-run", "-o", "genes-run")
    assert (code, len(err)) == (2, 1)
    assert "another --out" in err[0]


def test_a_directory_that_is_no_run_is_refused(folder, run):
    Path("empty").mkdir()
    code, _, err = run("alternatives", "empty", "-t", "diagnosis")
    assert (code, len(err)) == (2, 1)
    assert "empty" in err[0]
