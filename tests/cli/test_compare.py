"""From files to a comparison, its page, and the way out when something is wrong."""

import csv
import json
import re
from pathlib import Path

import pytest

from consilience import Comparison, compare, read_table
from consilience.cli import comparison as command
from consilience.execution import Progress

from .conftest import planted_csv

QUICK = ["--features", "4", "--models", "8", "--folds", "3", "--jobs", "1", "-t", "diagnosis"]
METHODS = ["--selectors", "SYM,cfs", "--aggregators", "mostFreq", "--classifiers", "knn,j48"]


@pytest.fixture
def both(genes):
    Path("lung.csv").write_text(planted_csv(30, 9), encoding="utf-8")
    return [genes, Path("lung.csv")]


@pytest.fixture
def call(both, run):
    return lambda *words: run("compare", *both, *QUICK, *METHODS, *words)


def test_a_comparison_writes_page_figures_and_everything(call, both):
    code, out, err = call()
    assert (code, err) == (0, [])
    found = Comparison.load("genes-comparison/comparison.json")
    tables = {path.stem: read_table(path, target="diagnosis") for path in both}
    same = compare(
        tables, ["symmetrical-uncertainty", "cfs"], ["most-frequent"], ["knn", "j48"],
        n_features_to_select=4, n_models=8, n_splits=3, random_state=0,
    )  # fmt: skip
    assert found.to_dict() | {"command": None} == same.to_dict()
    with Path("genes-comparison/comparison.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 2 * 2 * 2 * 2
    assert {row["data"] for row in rows} == {"genes", "lung"}
    assert float(rows[0]["error"]) == pytest.approx(found.table()["error"][0], rel=1e-5)
    page = Path("genes-comparison/report.html").read_text(encoding="utf-8")
    again = (
        "consilience compare genes.csv lung.csv --target diagnosis --selectors "
        "symmetrical-uncertainty,cfs --aggregators most-frequent --classifiers knn,j48 "
        "--features 4 --models 8 --share 0.0 --folds 3 --seed 0"
    )
    assert again in page
    printed = "\n".join(out)
    assert "most-frequent" in printed
    assert f"{found.methods()['error'][0]:.3f}" in printed
    assert out[-1] == f"Page: {Path('genes-comparison/report.html')}"
    assert not list(Path("genes-comparison/checkpoint").rglob("*.npz"))


def test_the_folds_are_those_that_a_rare_class_allowed(genes, run):
    rows = genes.read_text(encoding="utf-8").splitlines(keepends=True)
    ill = [row for row in rows if row.endswith("ill\n")]
    genes.write_text("".join(row for row in rows if row not in ill[2:]), encoding="utf-8")
    code, out, err = run("compare", genes, *QUICK, *METHODS)
    assert code == 0
    assert "2 folds instead of 3" in err[0]
    assert "2 folds, 8 bootstraps" in " ".join(out)
    page = Path("genes-comparison/report.html").read_text(encoding="utf-8")
    assert "In each of 2 folds" in page


def test_json_is_the_document_and_quiet_is_silence(call):
    code, out, _ = call("--json")
    assert code == 0
    document = json.loads("\n".join(out))
    assert document == json.loads(Path("genes-comparison/comparison.json").read_text("utf-8"))
    assert call("--quiet", "--out", "other") == (0, [], [])


def test_a_finished_comparison_is_not_overwritten_and_shown_again_by_resume(call):
    first = call()
    code, _, err = call()
    assert code == 2
    assert "already holds the result of this very run" in err[0]
    assert call("--resume") == first


def test_the_page_is_rendered_again_from_its_json(call, run):
    call()
    before = Path("genes-comparison/report.html").read_text(encoding="utf-8")
    Path("genes-comparison/report.html").unlink()
    assert run("report", "genes-comparison", "--quiet") == (0, [], [])
    after = Path("genes-comparison/report.html").read_text(encoding="utf-8")
    moment = re.compile(r"on \d+ \w+ \d{4}, \d\d:\d\d UTC")
    assert moment.sub("", after) == moment.sub("", before)


def test_another_comparison_is_refused(call):
    call()
    code, _, err = call("--models", "9", "--resume")
    assert code == 2
    assert "holds another run: its models is 8, this run's is 9" in err[0]


def test_stopped_and_resumed_it_gives_the_same_bytes(call, monkeypatch):
    class Stop(Progress):
        parts = 3

        def advance(self, n=1):
            self.parts -= n
            if self.parts == 0:
                raise KeyboardInterrupt

    call("--out", "whole")
    with monkeypatch.context() as patch:
        patch.setattr("consilience.execution.progress_bar", lambda *_, **__: _Given(Stop()))
        code, _, err = call()
    assert code == 130
    assert "--resume goes on from there" in err[-1]
    assert len(list(Path("genes-comparison/checkpoint").rglob("*.npz"))) == 3
    assert not Path("genes-comparison/comparison.json").exists()
    assert call("--resume")[0] == 0
    for name in ("comparison.json", "comparison.csv"):
        assert Path("genes-comparison", name).read_bytes() == Path("whole", name).read_bytes()


class _Given:
    def __init__(self, progress):
        self.progress = progress

    def __enter__(self):
        return self.progress

    def __exit__(self, *_):
        return False


BAD = [
    (["--selectors", "relif"], "Unknown selector 'relif'; did you mean 'relieff'?"),
    (["--aggregators", "mostFrq"], "did you mean 'most-frequent'?"),
    (["--classifiers", "svmm"], "did you mean 'svm'?"),
    (["--selectors", ","], "names nothing"),
    (["--selectors", "SYM,symmetrical-uncertainty"], "'symmetrical-uncertainty' twice"),
    (["--classifiers", "svm,svm"], "'svm' twice"),
    (["--features", "10"], "'lung.csv' has 9; give --features 9 or less"),
    (["--share", "1"], "--share 1 makes no sense"),
    (["--share", "nan"], "--share nan makes no sense"),
    (["--folds", "1"], "--folds 1 makes no sense"),
    (["--models", "1"], "--models 1 makes no sense"),
    (["--seed", str(2**32)], "--seed 4294967296 makes no sense"),
    (["--jobs", "0"], "0 jobs do nothing"),
    (["--backend", "dask"], "Unknown --backend 'dask'"),
]


@pytest.mark.parametrize(("words", "reason"), BAD, ids=[reason for _, reason in BAD])
def test_bad_requests_get_one_sentence_and_leave_nothing(call, words, reason):
    code, _, err = call(*words)
    assert code == 2
    assert len(err) == 1
    assert reason in err[0]
    assert not Path("genes-comparison").exists()


def test_a_file_twice_and_a_file_of_one_class_are_refused(genes, run):
    code, _, err = run("compare", genes, genes, *QUICK)
    assert (code, len(err)) == (2, 1)
    assert "Two files are called 'genes'" in err[0]
    text = genes.read_text(encoding="utf-8").replace("ill", "well")
    Path("healthy.csv").write_text(text, encoding="utf-8")
    code, _, err = run("compare", genes, "healthy.csv", *QUICK)
    assert (code, len(err)) == (2, 1)
    assert "healthy.csv" in err[0]
    assert "one class only ('well'" in err[0]


def test_names_of_files_are_guarded_in_the_table(folder, run):
    Path("=cmd.csv").write_text(planted_csv(), encoding="utf-8")
    words = ["--selectors", "chi-square", "--classifiers", "knn", *QUICK, "--out", "o"]
    assert run("compare", "=cmd.csv", *words)[0] == 0
    assert "\n'=cmd," in Path("o/comparison.csv").read_text(encoding="utf-8")


def test_a_disk_that_fills_up_leaves_the_work(call, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(command, "write_figures", full)
        code, _, err = call()
    assert code == 2
    assert "free space and run the same command with --resume" in err[0]
    assert call("--resume")[0] == 0
