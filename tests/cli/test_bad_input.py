"""Every bad input: exit code 2, one sentence on stderr that names it, and nothing written."""

from pathlib import Path

import pytest

from .conftest import QUICK, planted_csv


def edited(old, new, count=1):
    return planted_csv().replace(old, new, count)


def rows(text, keep):
    head, *body = text.splitlines()
    return "\n".join([head, *(line for line in body if keep(line))]) + "\n"


def cell(row, column, value):
    lines = [line.split(",") for line in planted_csv().splitlines()]
    lines[row][column] = value
    return "\n".join(",".join(line) for line in lines) + "\n"


ILL = "diagnosis"
CASES = {
    "missing file": (None, ["absent.csv", "-t", ILL], "absent.csv"),
    "empty file": ("", ["-t", ILL], "genes.csv"),
    "unknown suffix": (None, ["genes.docx", "-t", ILL], "'.docx'"),
    "a directory": (None, ["folder.csv", "-t", ILL], "folder.csv"),
    "no such target, the nearest name": (planted_csv(), ["-t", "diagnosys"], "'diagnosis'"),
    "no target given": (planted_csv(), [], "target"),
    "one class": (planted_csv().replace("well", "ill"), ["-t", ILL], "one class"),
    "class with one member": (
        rows(planted_csv(), lambda line: line.endswith("well") or line.startswith("s1,")),
        ["-t", ILL],
        "'ill'",
    ),
    "class with one member, not evaluated": (
        rows(planted_csv(), lambda line: line.endswith("well") or line.startswith("s1,")),
        ["-t", ILL, "--folds", "0"],
        "'ill'",
    ),
    "text in a numeric column": (cell(5, 3, "high"), ["-t", ILL], "'g2'"),
    "an infinite value": (cell(5, 3, "inf"), ["-t", ILL], "'g2'"),
    "ragged rows": (edited("s7,", "s7,1.0,"), ["-t", ILL], "genes.csv"),
    "duplicate feature names": (edited("g4,", "g3,"), ["-t", ILL], "'g3'"),
    "no features left": ("sample,diagnosis\na,ill\nb,well\n", ["-t", ILL], "no features"),
    "no rows": (planted_csv().splitlines()[0] + "\n", ["-t", ILL], "genes.csv"),
    "more features than exist": (planted_csv(), ["-t", ILL, "-n", "13"], "13 features"),
    "no such column to drop": (planted_csv(), ["-t", ILL, "--drop", "g99"], "'g99'"),
    "no such id column": (planted_csv(), ["-t", ILL, "--id", "simple"], "'simple'"),
    "no such group column": (planted_csv(), ["-t", ILL, "--groups", "patient"], "'patient'"),
    "no such labels": (planted_csv(), ["--labels", "classes.txt"], "classes.txt"),
    "unknown selector": (planted_csv(), ["-t", ILL, "--selector", "chi-sqare"], "'chi-square'"),
    "unknown aggregator": (planted_csv(), ["-t", ILL, "--aggregator", "x"], "most-frequent"),
    "unknown method": (planted_csv(), ["-t", ILL, "--method", "magic"], "dafs, ensemble"),
    "unknown classifier": (planted_csv(), ["-t", ILL, "--classifier", "mlp"], "knn, tree, j48"),
    "a share of all": (planted_csv(), ["-t", ILL, "--share", "1"], "--share 1 makes no sense"),
    "unknown backend": (planted_csv(), ["-t", ILL, "--backend", "dask"], "threads, processes"),
    "no features asked": (planted_csv(), ["-t", ILL, "-n", "0"], "1 or more"),
    "a single model": (planted_csv(), ["-t", ILL, "--models", "1"], "2 or more"),
    "no jobs": (planted_csv(), ["-t", ILL, "--jobs", "0"], "0 jobs"),
    "one fold": (planted_csv(), ["-t", ILL, "--folds", "1"], "1 fold"),
    "a seed below zero": (planted_csv(), ["-t", ILL, "--seed", "-1"], "--seed"),
    "not a number": (planted_csv(), ["-t", ILL, "--features", "many"], "--features"),
    "unknown option": (planted_csv(), ["-t", ILL, "--feature", "3"], "--feature"),
    "an option without its value": (planted_csv(), ["--target"], "--target"),
    "two tables": (planted_csv(), ["-t", ILL, "other.csv", "third.csv"], "third.csv"),
    "out below a file": (planted_csv(), ["-t", ILL, "-o", "genes.csv/run"], "genes.csv"),
}


@pytest.mark.parametrize("case", CASES)
def test_one_sentence_and_nothing_written(folder, run, case):
    text, words, named = CASES[case]
    Path("folder.csv").mkdir()
    table = [] if words and words[0].endswith((".csv", ".docx")) else ["genes.csv"]
    Path("genes.csv").write_text(text if text is not None else "", encoding="utf-8")
    before = sorted(path.name for path in folder.iterdir())

    code, out, err = run("select", *table, *QUICK, *words)
    assert code == 2
    assert len(err) == 1, err
    assert named in err[0]
    assert err[0].endswith((".", "?"))
    assert "Traceback" not in err[0]
    assert all(line.startswith("genes.csv: ") for line in out[:1])  # at most what was read
    assert sorted(path.name for path in folder.iterdir()) == before


def test_missing_values_are_used_by_methods_that_can(folder, run):
    Path("genes.csv").write_text(cell(5, 3, "NA"), encoding="utf-8")
    code, out, err = run("select", "genes.csv", "-t", ILL, *QUICK)
    assert code == 0, err
    assert out[1] == "Column 'g2' has a missing value in row 5 ('s4') (1 such value in all)."


@pytest.mark.parametrize("words", [["select"], ["nonsense"], ["report"], ["--nonsense"]])
def test_bad_usage_is_one_sentence(folder, run, words):
    code, out, err = run(*words)
    assert (code, out) == (2, [])
    assert len(err) == 1
    assert "consilience --help" in err[0]


@pytest.mark.parametrize("content", [None, "", "{}", "[1]", '{"schema": "other"}'])
def test_a_directory_without_a_run_has_no_report(folder, run, content):
    Path("run").mkdir()
    if content is not None:
        Path("run/result.json").write_text(content)
    code, out, err = run("report", "run")
    assert (code, out) == (2, [])
    assert len(err) == 1
    assert "run" in err[0]
    assert not Path("run/report.html").exists()


def test_a_file_of_a_run_is_not_the_run(folder, run):
    Path("q1").mkdir()
    Path("q1/report.html").write_text("a page")
    code, out, err = run("report", "q1/report.html")
    path = Path("q1/report.html")
    assert (code, out) == (2, [])
    assert err == [f"'{path}' is a file; give the directory of the run, 'q1'."]
