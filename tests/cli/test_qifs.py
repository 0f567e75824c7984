"""`consilience select --method qifs`: from a file to a page, and what is refused."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest

from consilience.cli import selection
from report.real import rare_bits

from .conftest import planted_csv

QUICK = [
    "--features", "4", "--learner", "nb", "--rounds", "3", "--subset-size", "12", "--folds", "3",
    "--jobs", "1",
]  # fmt: skip
FILES = {"panel.csv", "report.html", "result.json", "models.npz", "checkpoint"}


@pytest.fixture
def compounds(folder):
    """compounds.npz in the working directory: zeros and ones, a fifth of the rows active."""
    X, y, names = rare_bits()
    np.savez("compounds.npz", X=X, y=y, feature_names=names.astype(str))
    return Path("compounds.npz")


@pytest.fixture
def select(compounds, run):
    return lambda *words: run("select", compounds, "--method", "qifs", *QUICK, *words)


def result_of(directory):
    document = json.loads(Path(directory, "result.json").read_text(encoding="utf-8"))
    return {key: value for key, value in document.items() if key not in ("created", "seconds")}


def test_from_a_file_to_a_page_that_is_rendered_again(select, run):
    code, out, err = select("--votes", "oof", "--instances", "0.4")
    assert code == 0, err
    shown = "\n".join(out)
    for text in (
        "Panel: the 4 features used most, each by at least",
        "On unseen rows; precision of class active, base rate 0.20",
        "Average precision", "Balanced accuracy", "Rec.",
        "random features", "one classifier, FSS", "EFS", "EIFS", "panel alone", "largest class",
    ):  # fmt: skip
        assert text in shown
    assert out[-1] == f"Page: {Path('compounds-run/report.html')}"
    assert {path.name for path in Path("compounds-run").iterdir()} == FILES
    document = result_of("compounds-run")
    assert document["method"] == "qifs"
    assert document["settings"]["votes"] == "oof"
    assert document["settings"]["n_instances"] == 0.4
    assert document["command"] == (
        "consilience select compounds.npz --method qifs --features 4 --learner nb --rounds 3 "
        "--subset-size 12 --instances 0.4 --votes oof --rivals all --seed 0 --folds 3 "
        "--classifier svm"
    )
    with Path("compounds-run/panel.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["feature"] for row in rows] == [
        feature["feature"] for feature in document["panels"][0]["features"]
    ]
    told = {"members", "share_of_members", "summed_distance", "share_of_training_sets"}
    assert told <= set(rows[0])
    first = Path("compounds-run/report.html").read_bytes()
    Path("compounds-run/report.html").unlink()
    assert run("report", "compounds-run")[0] == 0
    assert Path("compounds-run/report.html").read_bytes() == first


def test_the_command_in_the_result_repeats_it_with_any_number_of_jobs(select, run):
    code, _, err = select("-o", "a", "--normalize", "--threshold", "f1", "--rivals", "eifs,fss")
    assert code == 0, err
    document = result_of("a")
    assert "--normalize --threshold f1 --rivals eifs,fss" in document["command"]
    assert document["settings"]["normalize"] == "variance"
    assert document["committee"]["threshold"] is not None
    keys = [method["key"] for method in document["evaluation"]["methods"]]
    assert keys == ["committee", "tuned", "fss", "eifs", "ensemble", "majority"]
    assert run(*document["command"].split()[1:], "--out", "b", "--jobs", "2")[0] == 0
    assert result_of("b") == document


@pytest.mark.parametrize("method", ["efs", "eifs"])
def test_the_rivals_are_methods_too(compounds, run, method):
    words = ["--method", method, *QUICK, "--rivals", "none"]
    code, out, err = run("select", compounds, *words)
    assert code == 0, err
    document = result_of("compounds-run")
    assert (document["method"], document["committee"]["n_members"]) == (method, 3)
    assert "distance" not in document["panels"][0]["features"][0]
    with Path("compounds-run/panel.csv").open(encoding="utf-8", newline="") as file:
        places = [float(row["mean_place"]) for row in csv.DictReader(file)]
    assert places == sorted(places, reverse=True)
    assert "random features" not in "\n".join(out)


@pytest.mark.parametrize("width", [40, 59, 80])
def test_the_print_fits_the_terminal(select, monkeypatch, width):
    monkeypatch.setenv("COLUMNS", str(width))
    code, out, _ = select("--folds", "2", "--rivals", "subspace,fss")
    assert code == 0
    assert all(len(line) <= width for line in out if not line.startswith("Page: "))
    assert ("Rec" in "\n".join(out)) == (width >= 60)


def test_a_stopped_run_goes_on_from_its_rounds(select, monkeypatch):
    select("-o", "whole", "--rivals", "none")

    def stop(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(selection, "_evaluate", stop)
        assert select("--rivals", "none")[0] == 130
    assert len(list(Path("compounds-run/checkpoint").rglob("round-*.npz"))) == 4
    code, _, err = select("--rivals", "none", "--resume")
    assert code == 0, err
    assert result_of("compounds-run") == result_of("whole")


def test_a_packed_file_gives_the_same(compounds, run):
    assert run("pack", compounds, "--out", "compounds.bits", "--quiet")[0] == 0
    told = []
    for name in ("compounds.npz", "compounds.bits"):
        words = ["--method", "qifs", *QUICK, "--rivals", "subspace,eifs"]
        code, _, err = run("select", name, *words, "--out", f"of {name}")
        assert code == 0, err
        document = result_of(f"of {name}")
        assert document.pop("data")["source"] == name
        assert document["committee"].pop("storage")
        assert document.pop("command")
        told.append(json.dumps(document))
    assert told[0] == told[1]


def test_without_folds_nothing_is_claimed(select):
    code, out, _ = select("--folds", "0")
    assert code == 0
    shown = " ".join(out)
    assert "Whether this committee predicts unseen rows was not checked." in shown
    assert "Stability" not in shown


def test_without_a_size_members_see_half_of_the_features(compounds, run):
    words = ["--method", "qifs", "--learner", "nb", "--rounds", "2", "--folds", "0", "--jobs", "1"]
    assert run("select", compounds, *words)[0] == 0
    assert result_of("compounds-run")["settings"]["n_features"] == 75


BAD = {
    "a selector": (["--selector", "cfs"], "--selector does not apply to --method qifs"),
    "subspaces": (["--subspaces", "3"], "leave it out, or choose --method dafs."),
    "an unknown learner": (["--learner", "forest"], "known are svm, tree, nb, knn"),
    "no rounds": (["--rounds", "0"], "--rounds 0 makes no sense; give 1 or more."),
    "no features": (["-n", "0"], "--features 0 makes no sense"),
    "a panel of too many": (["-n", "151"], "give --features 150 or less."),
    "members on too many": (["--subset-size", "151"], "give --subset-size 150 or less."),
    "all rows": (["--instances", "1"], "give a share of the rows between 0 and 1, such as 0.5."),
    "unknown votes": (["--votes", "all"], "known are training, oof."),
    "a threshold above all": (["--threshold", "1.5"], "or f1 or balanced-accuracy to have it"),
    "an unknown threshold": (["--threshold", "best"], "give a share of the votes between 0 and 1"),
    "an unknown rival": (["--rivals", "efs,best"], "known are all, none, subspace, fss, efs"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_usage_is_one_sentence_and_nothing_is_written(refused, case):
    refused(*BAD[case])


@pytest.mark.parametrize("binary", [False, True])
def test_values_missing_in_one_fold_alone_are_no_obstacle(genes, run, binary):
    lines = planted_csv().splitlines()
    cells = [line.split(",") for line in lines]
    if binary:
        cells[1:] = [[c[0], *(str(int(float(x) > 1)) for x in c[1:-1]), c[-1]] for c in cells[1:]]
    for column in range(1, 13):
        cells[5][column] = "NA"
    genes.write_text("\n".join(",".join(line) for line in cells) + "\n", encoding="utf-8")
    words = ["select", genes, "-t", "diagnosis", "--method", "eifs", "-n", "3", "--rounds", "2"]
    code, _, err = run(*words, "--learner", "nb", "--folds", "3")
    assert code == 0, err
    # Said once, with the number of times, not for every committee of every fold.
    assert sum("values were missing in unseen rows alone" in line for line in err) == 1


def test_a_tuned_threshold_is_for_qifs_alone(compounds, run):
    code, _, err = run("select", compounds, "--method", "efs", "--threshold", "f1")
    assert code == 2
    assert err == ["--threshold f1 makes no sense; give a share of the votes between 0 and 1."]


def test_options_of_committees_do_not_apply_to_others(compounds, run):
    code, _, err = run("select", compounds, "--rounds=5")
    assert (code, err) == (
        2,
        [
            "--rounds does not apply to --method ensemble; leave it out, or choose --method qifs, "
            "efs or eifs."
        ],
    )
    code, _, err = run("select", compounds, "--rivals=none")
    assert (code, len(err)) == (2, 1)
    assert err[0].startswith("--rivals does not apply to --method ensemble; leave it out, or ")
    assert err[0].endswith(".")
