"""`consilience select --method balanced-wrapper`: from a file to a page, and what is refused."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest

from consilience import BalancedWrapper
from consilience.cli.plan_wrapper import BalancedWrapperPlan
from consilience.evaluation.study import Study

METHOD = ["--method", "balanced-wrapper", "--members", "3", "--features", "3"]
QUICK = [*METHOD, "--choice", "plain", "--stop", "none", "--folds", "3", "--jobs", "1"]
FILES = {"panel.csv", "report.html", "result.json", "models.npz", "checkpoint"}


def slicks_csv(n_samples=60, n_features=8, n_rare=12, classes=("sea", "oil"), text=False):
    """A rare class that s0 and s1 tell; with `text` a nominal column that tells it, too."""
    rng = np.random.default_rng(3)
    rare = np.arange(n_samples) % (n_samples // n_rare) == 0
    X = rng.normal(size=(n_samples, n_features))
    X[:, :2] += 2.0 * rare[:, None]
    lines = [",".join([*(f"s{j}" for j in range(n_features)), *(["hue"] * text), "kind"])]
    for i in range(n_samples):
        names = [*classes[:-1]]
        label = classes[-1] if rare[i] else names[i % len(names)]
        hue = ["dark" if rare[i] or rng.random() < 0.2 else str(rng.choice(["red", "grey"]))]
        lines.append(",".join([*(f"{v:.4f}" for v in X[i]), *(hue * text), label]))
    return "\n".join(lines) + "\n"


@pytest.fixture
def slicks(folder):
    path = Path("slicks.csv")
    path.write_text(slicks_csv(), encoding="utf-8")
    return path


@pytest.fixture
def select(slicks, run):
    return lambda *words: run("select", slicks, "-t", "kind", *QUICK, *words)


def result_of(directory):
    document = json.loads(Path(directory, "result.json").read_text(encoding="utf-8"))
    return {key: value for key, value in document.items() if key not in ("created", "seconds")}


def test_from_a_file_to_a_page(slicks, run):
    words = ["--choice", "plain", "--folds", "3", "--jobs", "1"]
    code, out, err = run("select", slicks, "-t", "kind", *METHOD, *words)
    assert code == 0, err
    assert out[0] == "slicks.csv: 60 samples, 8 features; classes oil (12), sea (48)"
    shown = " ".join(" ".join(out).split())
    for text in (
        "that a forward search took to find class oil (12 samples)",
        "The search ended",
        "On unseen rows; recall and precision of class oil",
        "ensemble wrapper panel",
        "single wrapper panel",
        "AUC on unseen rows against the single wrapper",
        "fold, at the panel's size",
        "3-fold cross-validation, linear SVM, C = 0.5, classes weighted equally",
    ):
        assert text in shown
    assert out[-1] == f"Page: {Path('slicks-run/report.html')}"
    assert "one selection" not in shown
    assert not any(line.startswith("Note:") for line in err)
    assert {path.name for path in Path("slicks-run").iterdir()} == FILES
    document = result_of("slicks-run")
    assert document["method"] == "balanced-wrapper"
    assert document["panels"][0]["features"][0]["feature"] in ("s0", "s1")
    assert document["command"] == (
        "consilience select slicks.csv --target kind --method balanced-wrapper --features 3 "
        "--search forward --members 3 --stop permutation --choice plain --seed 0 --folds 3 "
        "--classifier balanced-svm"
    )
    seconds = json.loads(Path("slicks-run/result.json").read_text())["seconds"]
    assert {"read", "prepare", "search", "select", "evaluate", "total"} <= set(seconds)
    with Path("slicks-run/panel.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert {"step", "gain", "fitness_alone", "loss_without", "loss_low", "effect in oil"} <= set(
        rows[0]
    )
    assert rows[0]["step"] == "1"
    assert 0 <= float(rows[0]["share_of_training_sets"]) <= 1


@pytest.mark.parametrize(
    ("words", "settings"),
    [
        (["--balance", "none"], {"balance": False, "stop": None}),
        (["--search", "genetic", "--stop", "one-se", "--generations", "2", "--population", "4"],
         {"search": "genetic", "stop": "one_se", "n_generations": 2, "population": 4}),
        (["--search", "backward", "--stop", "one_se", "--candidates", "5"],
         {"search": "backward", "n_candidates": 5}),
        (["--fitness", "average-precision", "--space", "full", "--inner-folds", "3"],
         {"fitness": "average_precision", "smote_space": "full", "cv": 3}),
        (["--candidates", "all", "--multiclass", "ovr"], {"n_candidates": "all"}),
        (["--candidates", "auto", "--choice", "race"], {"n_candidates": None, "choice": "race"}),
    ],
)  # fmt: skip
def test_options_reach_the_wrapper(select, words, settings):
    members = [] if "none" not in words else ["--members", "1"]
    code, out, err = select("--folds", "0", *members, *words)
    assert code == 0, err
    told = result_of("slicks-run")["settings"]
    assert {name: told[name] for name in settings} == settings
    assert "Folds" not in " ".join(out)


def test_the_rule_to_stop_follows_the_search(slicks, run):
    words = ["--folds", "0", "--choice", "plain", "--generations", "1", "--population", "4"]
    code, *_ = run("select", slicks, "-t", "kind", *METHOD, *words, "--search", "swarm")
    assert code == 0
    assert result_of("slicks-run")["settings"]["stop"] == "one_se"


def test_nominal_columns_are_known_as_such(folder, run):
    Path("slicks.csv").write_text(slicks_csv(text=True), encoding="utf-8")
    code, _, err = run("select", "slicks.csv", "-t", "kind", *QUICK, "--folds", "2")
    assert code == 0, err
    features = result_of("slicks-run")["panels"][0]["features"]
    hue = next(feature for feature in features if feature["feature"] == "hue")
    assert hue["categories"] == ["dark", "grey", "red"]


def test_several_classes(folder, run):
    Path("slicks.csv").write_text(slicks_csv(classes=("sea", "land", "oil")), encoding="utf-8")
    words = ["select", "slicks.csv", "-t", "kind", *QUICK, "--folds", "2"]
    code, out, err = run(*words)
    assert code == 0, err
    evaluation = result_of("slicks-run")["evaluation"]
    assert [c["name"] for c in evaluation["classes"]] == ["all others", "oil"]
    assert "class oil" in " ".join(out)
    code, out, err = run(*words, "--multiclass", "ovr", "-o", "each")
    assert code == 0, err
    assert result_of("each")["evaluation"]["positive"] is None
    shown = " ".join(" ".join(out).split())
    assert "to tell each of 3 classes from the others" in shown
    assert "Balanced accuracy" in shown


def test_the_print_fits_the_terminal(select, monkeypatch):
    assert select("--folds", "2")[0] == 0
    for width in (50, 80, 130):
        monkeypatch.setenv("COLUMNS", str(width))
        code, out, _ = select("--folds", "2", "--resume")  # prints what is there
        assert code == 0
        assert all(len(line) <= width for line in out if not line.startswith("Page: "))
        shown = "\n".join(out)
        assert ("Highest in" in shown) == (width >= 60)
        assert ("Balanced accuracy" in shown) == (width > 105)


def test_without_folds_nothing_is_claimed(select):
    code, out, _ = select("--folds", "0")
    assert code == 0
    shown = " ".join(" ".join(out).split())
    assert "Neither the accuracy nor the steadiness of this panel was checked." in shown
    assert "an honest figure was not measured in this run" in shown
    assert "unseen" not in shown


def test_a_stopped_run_goes_on_to_the_same_result(select, monkeypatch):
    select("-o", "whole")
    fit, fits = Study.fit, []

    def stop_in_the_second_fold(study, *rest):
        fits.append(1)
        if len(fits) == 3:  # each fold has two wrappers
            raise KeyboardInterrupt
        return fit(study, *rest)

    with monkeypatch.context() as patch:
        patch.setattr(Study, "fit", stop_in_the_second_fold)
        code, _, err = select()
    assert code == 130
    assert "--resume goes on from there" in err[-1]
    assert list(Path("slicks-run/checkpoint").rglob("*.npz"))
    code, _, err = select("--resume", "--jobs", "2")
    assert code == 0, err
    assert result_of("slicks-run") == result_of("whole")
    assert "already holds the result" in select()[2][0]


def test_the_page_is_rendered_again(select, run):
    select("--folds", "0")
    first = Path("slicks-run/report.html").read_bytes()
    Path("slicks-run/report.html").unlink()
    assert run("report", "slicks-run")[0] == 0
    assert Path("slicks-run/report.html").read_bytes() == first


BAD = {
    "a selector": (["--selector", "svm-rfe"], "does not apply to --method balanced-wrapper"),
    "a learner": (["--learner", "svm"], "--learner does not apply"),
    "an unknown search": (
        ["--search", "random"],
        "known are forward, backward, floating, genetic, swarm.",
    ),
    "an unknown balance": (
        ["--balance", "over"],
        "known are hybrid, rus, ros, smote, cost, none.",
    ),
    "an unknown rule": (["--stop", "never"], "known are permutation, one-se, none."),
    "an unknown choice": (["--choice", "best"], "Unknown --choice 'best'"),
    "an unknown fitness": (["--fitness", "f1"], "known are auc, average-precision."),
    "an unknown multiclass": (["--multiclass", "ovo"], "known are smallest, ovr."),
    "an unknown space": (["--space", "half"], "known are subset, full."),
    "an unknown classifier": (["--classifier", "forest"], "balanced-forest."),
    "a rule that asks at steps": (
        ["--search", "genetic", "--stop", "permutation"],
        "--stop permutation asks at each added feature",
    ),
    "generations of steps": (["--generations", "3"], "--generations does not apply to --search"),
    "a population of steps": (["--population", "9"], "--population does not apply to --search"),
    "a population of one": (
        ["--search", "genetic", "--population", "1"],
        "--population 1 makes no sense",
    ),
    "a space without neighbours": (
        ["--balance", "rus", "--space", "full"],
        "--space tells where synthetic rows are near",
    ),
    "members that are the same": (["--balance", "cost"], "--members 3 would all be the same tree"),
    "no members": (["--members", "0"], "--members 0 makes no sense"),
    "one inner fold": (["--inner-folds", "1"], "--inner-folds 1 makes no sense; give 2 or more."),
    "odd candidates": (["--candidates", "few"], "--candidates few makes no sense"),
    "no features": (["-n", "0"], "--features 0 makes no sense"),
    "more features than there are": (["-n", "9"], "give --features 8 or less."),
    "one fold": (["--folds", "1"], "1 fold leaves nothing to learn from"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_usage_is_one_sentence_and_nothing_is_written(refused, case):
    refused(*BAD[case])


def test_options_of_the_wrapper_belong_to_it(slicks, run):
    code, out, err = run("select", slicks, "-t", "kind", "--inner-folds", "3")
    assert (code, out) == (2, [])
    assert err == [
        "--inner-folds does not apply to --method ensemble; leave it out, or choose --method "
        "balanced-wrapper."
    ]


def rare_rows(n):
    """The same table with so many rows of the rare class."""
    lines = slicks_csv().splitlines()
    rare = [line for line in lines if line.endswith(",oil")][:n]
    return "\n".join([lines[0], *rare, *(x for x in lines[1:] if not x.endswith(",oil"))]) + "\n"


@pytest.mark.parametrize(
    ("n", "words", "said"),
    [
        (1, [], "class 'oil' has one sample only"),
        (2, [], "class 'oil' has 2 samples, and a training set of the 2 folds has one of them"),
        (3, ["--folds", "2"], "give --folds 3 or 0, or add samples of it."),
    ],
)
def test_a_class_of_too_few_rows_is_one_sentence(folder, run, n, words, said):
    Path("slicks.csv").write_text(rare_rows(n), encoding="utf-8")
    code, _, err = run("select", "slicks.csv", "-t", "kind", *QUICK, *words)
    assert code == 2
    assert len(err) == 1, err
    assert said in err[0]
    assert [path.name for path in folder.iterdir()] == ["slicks.csv"]


@pytest.mark.parametrize(("n", "folds"), [(2, 0), (3, 10)])
def test_as_few_rows_as_can_be_judged(folder, run, n, folds):
    Path("slicks.csv").write_text(rare_rows(n), encoding="utf-8")
    code, _, err = run("select", "slicks.csv", "-t", "kind", *QUICK, "--folds", str(folds))
    assert code == 0, err
    if folds:
        assert result_of("slicks-run")["evaluation"]["protocol"]["n_splits"] == 3
        assert f"has only {n} samples" in Path("slicks-run/report.html").read_text("utf-8")


def test_groups_that_leave_one_group_to_a_search_are_one_sentence(folder, run):
    lines = slicks_csv().splitlines()
    rows, groups, n_rare = [f"{lines[0]},ship"], [], 0
    for i, line in enumerate(lines[1:]):
        oil = line.endswith(",oil")
        n_rare += oil
        groups.append(f"r{n_rare % 2}" if oil else f"g{i % 9}")
        rows.append(f"{line},{groups[-1]}")
    Path("slicks.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    code, _, err = run("select", "slicks.csv", "-t", "kind", "--groups", "ship", *QUICK)
    assert code == 2
    assert len(err) == 1, err
    assert "class 'oil' has 2 groups" in err[0]
    assert "give --folds 0, or add groups of it." in err[0]


def test_missing_values_are_refused_with_a_way_out(slicks, run):
    lines = slicks_csv().splitlines()
    cells = lines[5].split(",")
    lines[5] = ",".join([*cells[:3], "NA", *cells[4:]])
    slicks.write_text("\n".join(lines) + "\n", encoding="utf-8")
    code, _, err = run("select", slicks, "-t", "kind", *QUICK)
    assert code == 2
    assert len(err) == 1
    assert "'s3'" in err[0]
    assert "choose --method ensemble" in err[0]


def test_a_first_feature_no_better_than_shuffled_ones_is_told_by_its_name(folder, run):
    rng = np.random.default_rng(1)
    lines = ["a,b,c,kind"]
    lines += [
        ",".join([*(f"{v:.3f}" for v in rng.normal(size=3)), "oil" if i % 5 == 0 else "sea"])
        for i in range(60)
    ]
    Path("slicks.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    words = ["--method", "balanced-wrapper", "--members", "3", "--folds", "0", "--jobs", "1"]
    code, out, err = run("select", "slicks.csv", "-t", "kind", *words)
    assert code == 0
    shown = " ".join(" ".join(out).split())
    assert "Not even the first feature, " in shown
    assert not any("Not even" in line for line in err)
    assert result_of("slicks-run")["warnings"] == []


def test_to_say_what_is_usual_is_no_other_run():
    # What the plan takes for usual is what the library does.
    library = BalancedWrapper().get_params()
    names = {"members": "ensemble_size", "inner_folds": "cv", "space": "smote_space",
             "generations": "n_generations"}  # fmt: skip
    for name, value in BalancedWrapperPlan.usual.items():
        if name != "candidates":
            assert library[names.get(name, name)] == value
    plain = BalancedWrapperPlan()
    said = BalancedWrapperPlan(
        balance="hybrid", choice="race", members=20, inner_folds=5, fitness="auc", space="subset",
        multiclass="smallest", candidates="auto",
    )  # fmt: skip
    assert said.decisions() == plain.decisions()
    assert BalancedWrapperPlan(choice="plain").decisions() != plain.decisions()
