"""`consilience select --method gas-sefs` and the like: from a file to a page, what is refused."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest

from consilience import SequentialGeneticEnsembleClassifier, read_table
from consilience.cli import selection
from consilience.cli.names import complete_integration, registries, search_diversities
from consilience.cli.plans import PLANS, SEARCHES, make_plan
from consilience.exceptions import UsageError
from report.real import mixed_table

QUICK = ["--members", "3", "--generations", "2", "--folds", "2", "--jobs", "1"]
FILES = {"panel.csv", "report.html", "result.json", "models.npz", "checkpoint"}


@pytest.fixture
def fruit(folder):
    """fruit.csv in the working directory: numbers with gaps, a colour, and three kinds."""
    frame, y = mixed_table()
    frame.assign(kind=y).to_csv("fruit.csv", index=False)
    return Path("fruit.csv")


@pytest.fixture
def numbers(folder):
    """numbers.npz in the working directory: the same without gaps and without the colour."""
    frame, y = mixed_table()
    values = frame.drop(columns="colour").fillna(0.0)
    np.savez("numbers.npz", X=values.to_numpy(), y=y, feature_names=values.columns.to_numpy(str))
    return Path("numbers.npz")


@pytest.fixture
def select(fruit, run):
    return lambda *words: run("select", fruit, "-t", "kind", "--method", "gas-sefs", *QUICK, *words)


def result_of(directory):
    document = json.loads(Path(directory, "result.json").read_text(encoding="utf-8"))
    return {key: value for key, value in document.items() if key not in ("created", "seconds")}


def test_a_table_with_categories_and_gaps_gives_a_page_that_is_rendered_again(select, run):
    code, out, err = select("--alpha", "2", "--neighbors", "7", "--integration", "dvs")
    assert code == 0, err
    shown = " ".join(" ".join(out).split())
    for text in (
        "Naive Bayes leaves a missing value out of its sum.",
        "Committee: 3 naive Bayes classifiers, found by GAS-SEFS (alpha 2)",
        "of 3 naive Bayes classifiers", "Training sets",
        "dynamic voting with selection (7 neighbours)",
        "random features", "one classifier, all features", "random forest", "largest class",
        "The same members, joined by every rule", "dynamic voting with selection *",
        "rows that chose them, and promise too much",
    ):  # fmt: skip
        assert text in shown
    assert out[-1] == f"Page: {Path('fruit-run/report.html')}"
    assert {path.name for path in Path("fruit-run").iterdir()} == FILES
    document = result_of("fruit-run")
    assert document["method"] == "gas-sefs"
    assert document["command"] == (
        "consilience select fruit.csv --target kind --method gas-sefs --learner bayes --members 3 "
        "--integration dynamic-voting-selection --neighbors 7 --alpha 2 --generations 2 "
        "--rivals all --seed 0 --folds 2 --classifier svm"
    )
    assert document["settings"]["alpha"] == 2.0
    assert document["settings"]["categorical_features"] == [k == 2 for k in range(7)]
    with Path("fruit-run/panel.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    features = document["panels"][0]["features"]
    assert [row["feature"] for row in rows] == [feature["feature"] for feature in features]
    assert {"members", "share_of_members", "share_of_training_sets"} <= set(rows[0])
    first = Path("fruit-run/report.html").read_bytes()
    Path("fruit-run/report.html").unlink()
    assert run("report", "fruit-run")[0] == 0
    assert Path("fruit-run/report.html").read_bytes() == first


def test_the_committee_is_that_of_the_library(select):
    assert select("--folds", "0")[0] == 0
    document = result_of("fruit-run")
    table = read_table("fruit.csv", target="kind")
    made = SequentialGeneticEnsembleClassifier(
        n_estimators=3,
        n_generations=2,
        categorical_features=table.categorical_features,
        random_state=0,
    ).fit(table.X, table.y)
    for row, subset in zip(document["members"], made.subsets_, strict=True):
        assert row["features"] == table.feature_names[subset].tolist()
    assert [row["validation_accuracy"] for row in document["rounds"]] == pytest.approx(
        made.member_accuracies_.tolist()
    )


def test_the_command_in_the_result_repeats_it_with_any_number_of_jobs(select, run):
    code, _, err = select("-o", "a", "--alpha", "auto", "--neighbors", "auto", "--rivals", "one")
    assert code == 0, err
    document = result_of("a")
    tried = {name: {row[name] for row in document["tuning"]} for name in ("alpha", "n_neighbors")}
    assert len(tried["alpha"]) == 7
    assert len(document["tuning"]) == 7 * len(tried["n_neighbors"]) > 7
    keys = [method["key"] for method in document["evaluation"]["methods"]]
    assert keys == ["committee", "one", "ensemble", "majority"]
    assert run(*document["command"].split()[1:], "--out", "b", "--jobs", "2")[0] == 0
    assert result_of("b") == document


@pytest.mark.parametrize("plan", SEARCHES, ids=lambda plan: plan.method)
def test_every_search_is_a_method(numbers, run, plan):
    words = [] if plan.method == "random-subspace" else ["--diversity", "kappa"]
    words += ["--members", "2", "--folds", "0", "--jobs", "1", "--quiet"]
    code, out, err = run("select", numbers, "--method", plan.method, *words)
    assert (code, out, err) == (0, [], [])
    document = result_of("numbers-run")
    assert (document["method"], document["committee"]["n_members"]) == (plan.method, 2)
    assert Path("numbers-run/report.html").exists()


def test_every_registered_method_has_a_plan_and_every_plan_a_method():
    assert set(registries()["methods"].names()) == set(PLANS)


def test_options_reach_the_search(numbers, run):
    words = ["--members", "2", "--folds", "0", "--jobs", "1", "--quiet", "--candidates", "4"]
    for method, given, told in (
        ("sequential-selection", ["--direction", "backward"], ("direction", "backward")),
        ("pareto", ["--choose", "front"], ("choose", "front")),
        ("ga", ["--patience", "2", "--population", "6"], ("patience", 2)),
        ("gas-sefs", ["--diversity", "label-disagreement"], ("diversity", "label_disagreement")),
    ):
        code, _, err = run("select", numbers, "--method", method, *words, *given, "-o", method)
        assert code == 0, err
        document = result_of(method)
        assert document["settings"][told[0]] == told[1]
        assert document["committee"]["n_candidates"] == 4
        assert given[0] in document["command"]


def test_json_is_the_result_and_nothing_else(select):
    code, out, _ = select("--json", "--rivals", "none")
    assert code == 0
    document = json.loads("\n".join(out))
    assert document["method"] == "gas-sefs"
    assert {"members", "search", "tuning"} <= set(document)


@pytest.mark.parametrize("width", [40, 50, 59, 80])
def test_the_print_fits_the_terminal(select, monkeypatch, width):
    monkeypatch.setenv("COLUMNS", str(width))
    code, out, _ = select("--rivals", "none")
    assert code == 0
    assert all(len(line) <= width for line in out if not line.startswith("Page: "))
    assert ("Diversity" in "\n".join(out)) == (width >= 60)


def test_a_stopped_run_goes_on_from_its_members(select, monkeypatch):
    assert select("-o", "whole", "--rivals", "none")[0] == 0

    def stop(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(selection, "_evaluate", stop)
        code, _, err = select("--rivals", "none")
    assert code == 130
    assert "--resume" in err[-1]
    kept = list(Path("fruit-run/checkpoint").rglob("generation-*"))
    assert len(kept) == 3 * 3  # of each member the start and two generations
    code, _, err = select("--rivals", "none", "--resume")
    assert code == 0, err
    assert result_of("fruit-run") == result_of("whole")


def test_without_folds_nothing_is_claimed(select):
    code, out, _ = select("--folds", "0")
    assert code == 0
    shown = " ".join(out)
    assert "Whether this committee predicts unseen rows was not checked." in shown
    assert "Error on unseen rows" not in shown


def test_a_wide_table_is_filtered_first(folder, run):
    rng = np.random.default_rng(0)
    y = np.arange(40) % 2
    X = rng.normal(size=(40, 1200))
    X[:, :3] += 2 * y[:, None]
    np.savez("wide.npz", X=X, y=y)
    code, out, err = run("select", "wide.npz", "--method", "ga", *QUICK, "--rivals", "none")
    assert code == 0, err
    shown = " ".join(" ".join(out).split())
    assert "Searched were the 500 features with the largest information gain." in shown
    assert result_of("wide-run")["committee"]["n_candidates"] == 500


def test_rules_go_by_the_names_of_the_paper():
    for short, name in (("DS", "dynamic-selection"), ("ss", "static"), ("WV", "weighted")):
        assert make_plan("GAS-SEFS", integration=short).integration == name
    assert complete_integration("dynamic-v") == ["dynamic-voting", "dynamic-voting-selection"]


BAD = {
    "a negative alpha": (["--alpha", "-1"], "give a number of 0 or more, or auto."),
    "an alpha in words": (["--alpha", "much"], "--alpha much makes no sense"),
    "no neighbours": (["--neighbors", "0"], "give a whole number of 1 or more, or auto."),
    "neighbours of a vote": (
        ["--integration", "vote", "--neighbors", "5"],
        "--neighbors does not apply to --integration vote; leave it out, or choose --integration "
        "dynamic-selection, dynamic-voting or dynamic-voting-selection.",
    ),
    "a negative elite": (["--elitism", "-1"], "--elitism -1 makes no sense; give from 0 to 10."),
    "more than all": (["--population", "4", "--elitism", "5"], "give from 0 to 4."),
    "no elite of a front": (
        ["--method", "pareto", "--elitism", "1"],
        "choose --method ga, gas-sefs, gefs or whole-ensemble.",
    ),
    "neighbours in words": (["--neighbors", "few"], "--neighbors few makes no sense"),
    "no generations": (["--generations", "0"], "--generations 0 makes no sense; give 1 or more."),
    "nobody to cross with": (["--population", "1"], "--population 1 makes no sense; give 2"),
    "no members": (["--members", "0"], "--members 0 makes no sense; give 1 or more."),
    "no patience": (["--patience", "0"], "--patience 0 makes no sense; give 1 or more."),
    "no candidates": (["--candidates", "0"], "a whole number of 1 or more, all or auto."),
    "an unknown rule": (["--integration", "best"], "known are vote, weighted, static, dynamic-sel"),
    "an unknown diversity": (["--diversity", "odd"], "known are disagreement, kappa"),
    "an unknown learner": (["--learner", "forest"], "known are svm, tree, nb"),
    "a rival of others": (["--rivals", "fss"], "known are all, none, subspace, one, forest."),
    "rivals without folds": (["--rivals", "one", "--folds", "0"], "and --folds is 0; give --fold"),
    "an option of others": (["--rounds", "3"], "leave it out, or choose --method qifs, efs or"),
    "a panel of too many": (["-n", "8"], "has 7 features; give --features 7 or less."),
    "numbers wanted": (["--learner", "svm"], "has nominal columns and --learner svm takes numbers"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_usage_is_one_sentence_and_nothing_is_written(refused, case):
    refused(*BAD[case])


def test_gaps_need_naive_bayes(fruit, run):
    words = ["select", fruit, "-t", "kind", "--drop", "colour", "--method"]
    code, _, err = run(*words, "ga", "--learner", "tree")
    assert (code, len(err)) == (2, 1)
    assert "--learner tree cannot use missing values" in err[0]
    assert err[0].endswith("or choose --learner bayes.")
    code, _, err = run(*words, "random-subspace")
    assert code == 2
    assert "--learner svm cannot use missing values" in err[0]
    assert err[0].endswith("or choose --learner bayes.")


def test_random_subspaces_of_naive_bayes_take_gaps_and_categories(fruit, run):
    words = ["--method", "random-subspace", "--learner", "bayes", "--members", "4", "--folds", "2"]
    code, out, err = run("select", fruit, "-t", "kind", *words, "--jobs", "1")
    assert code == 0, err
    assert "Naive Bayes leaves a missing value out of its sum." in " ".join(" ".join(out).split())
    document = result_of("fruit-run")
    assert document["settings"]["categorical_features"] == [k == 2 for k in range(7)]


@pytest.mark.parametrize("method", ["ga", "gas-sefs", "gefs", "whole-ensemble"])
def test_the_elite_reaches_the_committee_and_the_command(numbers, method):
    plan = make_plan(method, elitism=2)
    assert plan.committee(read_table(numbers)).elitism == 2
    assert plan.options()[plan.options().index("--elitism") + 1] == 2
    assert "--elitism" not in make_plan(method).options()


@pytest.mark.parametrize("method", ["gas-sefs", "ga", "dafs"])
def test_a_fold_that_cannot_be_split_again_is_told_before_anything_runs(folder, run, method):
    Path("four.csv").write_text("a,b,k\n1,2,x\n2,3,x\n5,1,y\n6,2,y\n", encoding="utf-8")
    words = ["select", "four.csv", "-t", "k", "--method", method, "-q", "--jobs", "1"]
    code, _, err = run(*words)
    assert (code, len(err)) == (2, 1)
    assert "a training set of the 2 folds has no second row of any class" in err[0]
    assert err[0].endswith("give --folds 0, or add samples of each class.")
    assert not Path("four-run").exists()
    code, _, err = run(*words, "--folds", "0")
    assert code == 0, err


def test_three_rows_of_a_class_are_enough(folder, run):
    rows = "".join(f"{i},{i % 2},{'xy'[i % 2]}\n" for i in range(6))
    Path("six.csv").write_text(f"a,b,k\n{rows}", encoding="utf-8")
    words = ["--members", "2", "--generations", "1", "--rivals", "none", "-q", "--jobs", "1"]
    for folds in (2, 10):
        options = ["--method", "ga", "--folds", folds, "-o", f"r{folds}"]
        code, _, err = run("select", "six.csv", "-t", "k", *options, *words)
        assert code == 0, err


def test_help_names_every_diversity_and_tells_the_two_naive_bayes_apart(run):
    shown = "".join("".join(run("select", "--help")[1]).split())  # lines break at dashes too
    for name in search_diversities():
        assert name in shown
    assert "nb(Gaussian)orbayes(tenintervals" in shown


def test_neighbours_of_a_rule_that_is_a_default_and_looks_at_none():
    with pytest.raises(UsageError, match="--neighbors does not apply to --integration vote; leave"):
        make_plan("random-subspace", neighbors="5")
    make_plan("random-subspace", neighbors="5", integration="ds")
