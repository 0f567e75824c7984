"""`--nominal`: columns of names that look like numbers, from the file to the page and back."""

import json
import shlex
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from consilience.cli.reading import joined, split

QUICK = ["-n", "2", "--models", "5", "--folds", "2", "--jobs", "1", "--selector", "relieff"]


@pytest.fixture
def cars(folder):
    """cars.csv: doors are mostly numbers, codes are all numbers, and two kinds of car."""
    rng = np.random.default_rng(0)
    y = np.arange(40) % 2
    frame = pd.DataFrame(
        {
            "doors": np.array([["2", "4", "3"], ["3", "5more", "2"]])[y, rng.integers(3, size=40)],
            "code, old": np.where(y == 1, 17, 4),
            "length": rng.normal(size=40),
            "kind": np.array(["slow", "fast"])[y],
        }
    )
    frame.to_csv("cars.csv", index=False)
    return Path("cars.csv")


def document_of(directory, name="result.json"):
    return json.loads(Path(directory, name).read_text(encoding="utf-8"))


def test_without_it_the_message_names_it(cars, run):
    code, _, err = run("select", cars, "-t", "kind", *QUICK)
    assert (code, len(err)) == (2, 1)
    assert "'5more'" in err[0]
    assert "or name it in --nominal" in err[0]


def test_the_result_and_its_command_carry_it(cars, run):
    words = ["select", cars, "-t", "kind", *QUICK, "--nominal"]
    code, _, err = run(*words, 'doors,"code, old"', "-o", "a")
    assert code == 0, err
    document = document_of("a")
    marks = document["settings"]["selector"]["params"]["categorical_features"]
    assert marks == [True, True, False]
    again = shlex.split(document["command"])
    assert again[again.index("--nominal") + 1] == "doors"
    assert run(*again[1:], "-o", "b")[0] == 0
    assert document_of("b")["panels"] == document["panels"]
    assert run(*words, "doors", "--nominal", '"code, old"', "-o", "a", "--resume")[0] == 0
    code, _, err = run(*words, "doors", "-o", "a", "--resume")
    assert code == 2
    assert "its fingerprint of the data is" in err[0]


def test_committees_take_it(cars, run):
    words = ["--members", "2", "--generations", "1", "--folds", "0", "--jobs", "1", "-q"]
    code, _, err = run("select", cars, "-t", "kind", "--method", "ga", *words, "--nominal", "doors")
    assert code == 0, err
    document = document_of("cars-run")
    assert document["settings"]["categorical_features"] == [True, False, False]
    assert " --nominal doors " in document["command"]


def test_alternatives_and_comparisons_take_it(cars, run):
    words = [cars, "-t", "kind", "--nominal", "doors", "-n", "2", "--models", "5", "--folds", "2"]
    code, _, err = run("alternatives", *words, "--selector", "relieff", "--jobs", "1", "-o", "a")
    assert code == 0, err
    assert " --nominal doors " in document_of("a")["command"]
    parts = ["--selectors", "relieff", "--aggregators", "average-rank", "--classifiers", "knn"]
    code, _, err = run("compare", *words, *parts, "--jobs", "1", "-o", "c")
    assert code == 0, err
    assert " --nominal doors " in document_of("c", "comparison.json")["command"]


@pytest.mark.parametrize("name", ["dors", "kind"])
def test_what_is_no_feature_is_one_sentence(cars, run, name):
    code, _, err = run("select", cars, "-t", "kind", *QUICK, "--nominal", name)
    assert (code, len(err)) == (2, 1)
    assert f"'{name}'" in err[0]
    assert err[0][-1] in ".?"
    assert not Path("cars-run").exists()


@pytest.mark.parametrize("names", [["a", "b"], ["a, b", "c"], ['say "a"'], ["-x"]])
def test_lists_of_names_come_back(names):
    assert split([joined(names)]) == tuple(names)
    assert split([joined([name]) for name in names]) == tuple(names)


def test_a_quote_left_open_does_not_swallow_the_next_list():
    assert split(['"a', "b"]) == ("a", "b")
    assert split(None) == ()
