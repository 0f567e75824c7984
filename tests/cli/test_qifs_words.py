"""What `select --method qifs` says of odd requests, cut values and members stopped early."""

import json
import warnings
from pathlib import Path

import numpy as np
import pytest

from consilience import QIFSClassifier
from consilience.cli.errors import say
from consilience.learners import bit_svm
from report.real import rare_bits

from .conftest import planted_csv

QUICK = ["--learner", "nb", "--rounds", "2", "--jobs", "1", "--rivals", "none"]


@pytest.fixture
def numbers(folder):
    """numbers.csv: 36 rows, 6 measured features."""
    path = Path("numbers.csv")
    path.write_text(planted_csv(n_features=6), encoding="utf-8")
    return path


def written(directory="numbers-run"):
    return json.loads(Path(directory, "result.json").read_text(encoding="utf-8"))


def save(y, X=None, name="table.npz"):
    X = rare_bits()[0] if X is None else X
    np.savez(name, X=X, y=y)
    return name


@pytest.mark.parametrize("method", ["ensemble", "dafs", "qifs", "efs", "eifs"])
def test_a_small_table_gives_what_it_has_unless_more_is_asked_for(numbers, run, method):
    more = ["--models", "5"] if method == "ensemble" else ["--learner", "svm"]
    words = ["select", numbers, "-t", "diagnosis", "--method", method, "--folds", "0", *more]
    code, _, err = run(*words)
    assert code == 0, err
    assert "--features 6" in written()["command"]
    if method != "dafs":  # whose number is a limit in any case
        code, _, err = run(*words, "-n", "20", "-o", "b")
        assert code == 2
        assert "6" in err[0]
        assert "or less." in err[0]


def test_cut_values_and_missing_ones_are_told(numbers, run):
    lines = numbers.read_text(encoding="utf-8").splitlines()
    cells = lines[5].split(",")
    lines[5] = ",".join([*cells[:3], "NA", *cells[4:]])
    numbers.write_text("\n".join(lines) + "\n", encoding="utf-8")
    words = ["select", numbers, "-t", "diagnosis", "--method", "qifs", "--folds", "0", *QUICK]
    code, out, err = run(*words)
    assert code == 0, err
    shown = " ".join(" ".join(out).split())
    assert "(1 such value in all). A missing value counts as a value of its own." in shown
    said = "each feature cut in two where two Gaussians meet"
    assert f"Values: {said}; missing counts as a value of its own (1 feature)." in shown
    assert written()["committee"]["values"] == {"cut": "mixture", "n_bins": 3, "n_missing": 1}
    page = Path("numbers-run/report.html").read_text(encoding="utf-8")
    assert f"Members see zeros and ones: {said}" in page
    assert f'<th scope="row">Values</th><td>{said}' in page


def test_how_to_cut_is_an_option_that_decides(numbers, run):
    words = ["select", numbers, "-t", "diagnosis", "--method", "qifs", "--folds", "0", *QUICK]
    assert run(*words, "--discretize", "quantile")[0] == 0
    document = written()
    assert "--discretize quantile" in document["command"]
    assert document["committee"]["values"]["cut"] == "quantile"
    code, _, err = run(*words, "--discretize", "best", "-o", "b")
    assert (code, err) == (2, ["Unknown --discretize 'best'; known are mixture, quantile."])


def test_of_zeros_and_ones_nothing_is_said(folder, run):
    name = save(rare_bits()[1])
    _, out, _ = run("select", name, "--method", "eifs", "--folds", "0", *QUICK)
    shown = " ".join(" ".join(out).split())
    assert "Values:" not in shown
    assert "The panel is ordered by place" in shown
    places = [f"{f['place']:.3f}" for f in written("table-run")["panels"][0]["features"]]
    assert all(place in shown for place in places)


def test_a_threshold_for_four_classes_is_to_be_left_out(folder, run):
    name = save(np.arange(120) % 4)
    code, _, err = run("select", name, "--method", "efs", "--threshold", "0.3")
    assert code == 2
    assert err == [
        "--threshold 0.3 decides between two classes, and 'table.npz' has 4; leave out --threshold."
    ]


def test_rivals_need_folds(folder, run):
    name = save(rare_bits()[1])
    code, _, err = run("select", name, "--method", "qifs", "--rivals", "efs", "--folds", "0")
    assert code == 2
    assert err == [
        "--rivals efs needs folds to compare on, and --folds is 0; give --folds 2 or more, or "
        "leave out --rivals."
    ]


def test_the_folds_that_are_announced_are_made(folder, run):
    name = save(np.repeat(["a", "b"], [90, 3]), X=rare_bits()[0][:93])
    code, _, err = run("select", name, "--method", "eifs", "--folds", "60", *QUICK)
    assert code == 0, err
    assert err[0] == "The selection is run once on all rows, then 3 times to evaluate it."


def test_members_on_all_features_are_noted(folder, run):
    name = save(rare_bits()[1])
    words = ["select", name, "--method", "qifs", "--folds", "0", *QUICK]
    _, _, err = run(*words, "--subset-size", "150")
    assert any("members hardly differ" in line for line in err)
    assert not any("hardly differ" in line for line in run(*words, "-o", "b")[2])


def test_machines_that_were_stopped_are_told_in_plain_words(folder, run, monkeypatch):
    usual = bit_svm.BitLinearSVC.__init__.__defaults__
    kept = bit_svm.BitLinearSVC.__init__.__kwdefaults__
    name = save(rare_bits()[1])
    if kept and "max_iter" in kept:
        monkeypatch.setitem(kept, "max_iter", 1)
    else:
        at = bit_svm.BitLinearSVC.__init__.__code__.co_varnames.index("max_iter")
        first = bit_svm.BitLinearSVC.__init__.__code__.co_argcount - len(usual)
        changed = [*usual]
        changed[at - first] = 1
        monkeypatch.setattr(bit_svm.BitLinearSVC.__init__, "__defaults__", tuple(changed))
    words = ["--method", "qifs", "--rounds", "2", "--jobs", "1", "--rivals", "none", "--folds", "2"]
    code, _, err = run("select", name, *words)
    assert code == 0, err
    told = [line.removeprefix("Note: ") for line in err if line.startswith("Note: ")]
    document = written("table-run")
    assert document["warnings"] == [line for line in told if "stopped early" in line]
    assert "3 of 3 members are linear SVMs that were stopped early, after 1 passes" in told[0]
    assert told[1].startswith("While it was evaluated on parts of the rows, ")
    assert told[1].endswith("a linear SVM was stopped early; --learner tree or nb is quicker.")
    assert not any("max_iter" in line for line in err)


def test_who_fits_in_python_has_the_same_warning(monkeypatch):
    X, y, _ = rare_bits()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        committee = QIFSClassifier(
            bit_svm.BitLinearSVC(max_iter=1), n_rounds=1, n_features=20, random_state=0
        ).fit(X, y)
    assert "2 of 2 members are linear SVMs" in committee.result_.warnings[0]


@pytest.mark.parametrize("width", [50, 80, 100])
def test_of_a_rare_class_precision_and_recall_stay_and_the_error_goes_first(
    folder, run, monkeypatch, width
):
    monkeypatch.setenv("COLUMNS", str(width))
    y = np.where(np.arange(120) % 20 == 0, "1", "-1")
    code, out, err = run("select", save(y), "--method", "qifs", "--folds", "2", "-n", "3", *QUICK)
    assert code == 0, err
    assert "classes -1 (114), 1 (6)" in " ".join(" ".join(out).split())
    shown = "\n".join(out)
    assert all(len(line) <= width for line in out if not line.startswith("Page: "))
    assert ("Precision" in shown and "Recall" in shown) or ("Prec." in shown and "Rec." in shown)
    assert ("Error" in shown) == (width == 100)
    assert "base rate 0.050" in " ".join(" ".join(out).split())
    page = Path("table-run/report.html").read_text(encoding="utf-8")
    assert "<bdi>-1</bdi>&nbsp;(114), <bdi>1</bdi>&nbsp;(6)" in page


@pytest.mark.parametrize("terminal", [True, False])
def test_sentences_are_wrapped_between_words_on_a_terminal_alone(capsys, monkeypatch, terminal):
    monkeypatch.setenv("COLUMNS", "50")
    monkeypatch.setattr("sys.stderr.isatty", lambda: terminal, raising=False)
    say(
        "The selection is run once on all rows, then 3 times to evaluate 'a-file-with-a-long-name'."
    )
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == (2 if terminal else 1)
    assert lines[-1].endswith("'a-file-with-a-long-name'.")
