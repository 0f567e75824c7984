"""One list of classifiers: what one command takes, all take, and their help names it."""

import json
from pathlib import Path

import pytest

from consilience.evaluation.classifiers import CLASSIFIERS

from .conftest import QUICK


@pytest.mark.parametrize("command", ["select", "alternatives"])
@pytest.mark.parametrize("name", ["tree", "j48"])
def test_a_classifier_of_compare_judges_a_panel(genes, run, command, name):
    words = ["-t", "diagnosis", *QUICK, "--classifier", name, "--out", "run"]
    code, _, err = run(command, genes, *words)
    assert code == 0, err
    document = json.loads(Path("run/result.json").read_text(encoding="utf-8"))
    assert document["evaluation"]["protocol"]["classifier"] == name
    assert document["evaluation"]["protocol"]["classifier_label"] == CLASSIFIERS[name][0]


@pytest.mark.parametrize("command", ["select", "alternatives", "compare"])
def test_the_help_names_every_classifier(run, command):
    code, out, _ = run(command, "--help")
    assert code == 0
    words = " ".join(out).replace(",", " ").replace(".", " ").split()
    assert set(CLASSIFIERS) <= set(words)
