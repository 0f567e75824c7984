"""The program in a process of its own, on machines that are less friendly than this one."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import consilience as consilience_package

WORDS = ["select", "genes.csv", "-t", "diagnosis", "-n", "2", "--models", "4", "--folds", "0"]


def consilience(words, **surroundings):
    environment = {name: text for name, text in os.environ.items() if not name.startswith("LC_")}
    return subprocess.run(
        [sys.executable, "-m", "consilience.cli", *words],
        env={**environment, **surroundings},
        capture_output=True,
        timeout=300,
        check=False,
    )


def panel_of(directory):
    document = json.loads(Path(directory, "result.json").read_text(encoding="utf-8"))
    return {feature["feature"] for feature in document["panels"][0]["features"]}


@pytest.mark.parametrize("installed", ["writable", "read-only"])
def test_without_a_place_for_compiled_code(genes, installed):
    # A file where a directory is needed stops the superuser as well, which no permission does.
    Path("file").write_text("in the way", encoding="utf-8")
    place = str(Path("file").absolute())
    homes = {"HOME": place, "USERPROFILE": place, "XDG_CACHE_HOME": place, "LOCALAPPDATA": place}
    if installed == "read-only":
        source = Path(consilience_package.__file__).parent
        shutil.copytree(source, "consilience", ignore=shutil.ignore_patterns("__pycache__"))
        Path("consilience/kernels/__pycache__").write_text("in the way", encoding="utf-8")
        homes["PYTHONPATH"] = str(Path.cwd())
    done = consilience([*WORDS, "--jobs", "1"], NUMBA_CACHE_DIR=place, **homes)
    assert done.returncode == 0, done.stderr
    assert panel_of("genes-run") == {"g0", "g1"}


@pytest.mark.parametrize("words", [[], ["--json", "--quiet"]])
def test_a_terminal_that_knows_ascii_only(genes, words):
    text = genes.read_text(encoding="utf-8").replace("g0,", "größe µ,", 1)
    genes.write_text(text, encoding="utf-8")
    done = consilience(
        [*WORDS, *words], LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0", PYTHONIOENCODING=""
    )
    assert done.returncode == 0, done.stderr
    done.stdout.decode("ascii")
    assert panel_of("genes-run") == {"größe µ", "g1"}
    assert "größe µ" in Path("genes-run/panel.csv").read_text(encoding="utf-8")


def test_processes_of_a_script_that_start_from_nothing(folder):
    Path("script.py").write_text(
        "import multiprocessing\n"
        "import numpy as np\n"
        "from consilience import EnsembleSelector\n"
        "if __name__ == '__main__':\n"
        "    multiprocessing.set_start_method('spawn')\n"
        "    X = np.random.default_rng(0).normal(size=(30, 6))\n"
        "    y = np.arange(30) % 2\n"
        "    X[:, 2] += 5 * y\n"
        "    settings = dict(n_features_to_select=1, n_models=100, random_state=0)\n"
        "    for backend in ('threads', 'processes'):\n"
        "        ensemble = EnsembleSelector(**settings, n_jobs=2, backend=backend).fit(X, y)\n"
        "        print(ensemble.panels_[0].tolist(), ensemble.frequencies_.tolist())\n",
        encoding="utf-8",
    )
    done = subprocess.run(
        [sys.executable, "script.py"], capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    threads, processes = done.stdout.splitlines()
    assert threads == processes
    assert threads.startswith("[2] ")
