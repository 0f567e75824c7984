"""A small planted table, and the program as a function."""

from pathlib import Path

import numpy as np
import pytest

from consilience.cli import main

QUICK = ["--features", "4", "--models", "12", "--folds", "3", "--jobs", "1"]


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    """An empty working directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def genes(folder) -> Path:
    """genes.csv in the working directory: 36 samples, 12 features, of which g0 and g1 matter."""
    path = Path("genes.csv")
    path.write_text(planted_csv(), encoding="utf-8")
    return path


@pytest.fixture
def run(capsys):
    """Call the program; returns its exit code and the lines on stdout and stderr."""

    def call(*words):
        code = main([str(word) for word in words])
        printed = capsys.readouterr()
        return code, printed.out.splitlines(), printed.err.splitlines()

    return call


@pytest.fixture
def refused(folder, select):
    """Call `select` with some words: one sentence, exit code 2, and nothing that was not there."""

    def check(words, named):
        before = sorted(folder.iterdir())
        code, _, err = select(*words)
        assert code == 2
        assert len(err) == 1, err
        assert named in err[0]
        assert err[0].endswith(".")
        assert sorted(folder.iterdir()) == before

    return check


def planted_csv(n_samples=36, n_features=12) -> str:
    rng = np.random.default_rng(3)
    y = np.arange(n_samples) % 2
    X = rng.normal(size=(n_samples, n_features))
    X[:, :2] += 3 * y[:, None]
    lines = [",".join(["sample", *(f"g{j}" for j in range(n_features)), "diagnosis"])]
    for i in range(n_samples):
        cells = [f"s{i}", *(f"{value:.4f}" for value in X[i]), "ill" if y[i] else "well"]
        lines.append(",".join(cells))
    return "\n".join(lines) + "\n"
