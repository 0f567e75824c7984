"""The program as a process: light help, signals, pipes, completion."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from consilience import __version__

from .conftest import planted_csv

PROGRAM = [sys.executable, "-m", "consilience.cli"]
HEAVY = ("sklearn", "pandas", "numba", "scipy", "plotly", "pyarrow", "rich")
unix_only = pytest.mark.skipif(os.name == "nt", reason="POSIX signals")


def call(*words, **settings):
    environment = os.environ | settings.pop("env", {})
    return subprocess.run(
        [*PROGRAM, *(str(word) for word in words)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=environment,
        timeout=120,
        **settings,
    )


@pytest.mark.parametrize("words", [["--help"], ["select", "--help"], ["--version"], []])
def test_help_is_light(words):
    code = (
        "import sys; from consilience.cli import main; "
        f"code = main({words}); "
        f"print([name for name in {HEAVY} if name in sys.modules], file=sys.stderr); sys.exit(code)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "[]\n")
    assert "consilience" in done.stdout


def test_version():
    assert call("--version").stdout == f"consilience {__version__}\n"


@pytest.mark.parametrize("module", ["consilience", "consilience.cli"])
def test_the_exit_code_tells_of_errors(module, tmp_path):
    words = [sys.executable, "-m", module, "select", str(tmp_path / "none.csv"), "--target", "y"]
    done = subprocess.run(words, capture_output=True, text=True, encoding="utf-8", timeout=120)
    assert done.returncode == 2
    assert "none.csv" in done.stderr


@pytest.mark.parametrize("columns", [40, 80])
def test_help_fits_the_terminal(columns):
    for words in (["--help"], ["methods", "--help"], ["report", "--help"]):
        lines = call(*words, env={"COLUMNS": str(columns)}).stdout.splitlines()
        prose = [line for line in lines if "consilience select" not in line]  # examples stay whole
        assert max(len(line) for line in prose) <= columns


def test_methods_lists_every_registered_method(run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "120")
    code, out, err = run("methods")
    assert (code, err) == (0, [])
    for text in ("symmetrical-uncertainty", "SYM", "most-frequent", "mostFreq", "Woznica"):
        assert text in "\n".join(out)
    monkeypatch.setenv("COLUMNS", "40")
    _, narrow, _ = run("methods")
    assert max(map(len, narrow)) <= 40
    assert "symmetrical-uncertainty" in "\n".join(narrow)
    families = json.loads("\n".join(run("methods", "--json")[1]))
    assert "information-gain" in {entry["name"] for entry in families["selectors"]}


@unix_only
def test_a_closed_pipe_is_no_error():
    done = subprocess.run(
        f"{' '.join(PROGRAM)} methods | head -1", shell=True, capture_output=True, text=True
    )
    assert "Traceback" not in done.stderr
    assert "Error" not in done.stderr


def test_a_terminal_without_unicode_is_served():
    done = call("methods", env={"PYTHONIOENCODING": "ascii", "COLUMNS": "100"})
    assert (done.returncode, done.stderr) == (0, "")
    assert "chi-square" in done.stdout


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("consilience select x.csv --selector info", "information-gain"),
        ("consilience select x.csv --aggregator most", "most-frequent"),
        ("consilience select x.csv --classifier ", "svm"),
        ("consilience alternatives x.csv --classifier j", "j48"),
        ("consilience meth", "methods"),
    ],
)
def test_tab_completes_names_of_methods(typed, expected):
    words = typed.split(" ")
    done = call(
        env={
            "_CONSILIENCE_COMPLETE": "complete_bash",
            "COMP_WORDS": typed,
            "COMP_CWORD": str(len(words) - 1),
        }
    )
    assert expected in done.stdout.split()


def start(genes, out, jobs, **settings):
    words = ["select", genes, "-t", "diagnosis", "-n", "10", "--models", "150", "--folds", "4"]
    words += ["--jobs", jobs, "--out", out, *settings.pop("words", [])]
    return subprocess.Popen(
        [*PROGRAM, *(str(word) for word in words)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,  # signals never reach the test runner
        **settings,
    )


def result_of(directory):
    document = json.loads(Path(directory, "result.json").read_text(encoding="utf-8"))
    return {key: value for key, value in document.items() if key not in ("created", "seconds")}


def wait_for_results(process, directory, at_least):
    deadline = time.monotonic() + 60
    while len(list(Path(directory).glob("checkpoint/**/*.npz"))) < at_least:
        assert process.poll() is None, process.stderr.read()
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.fixture(scope="module")
def wide(tmp_path_factory):
    """A table that takes a second or two, so that there is time to kill."""
    path = tmp_path_factory.mktemp("wide") / "wide.csv"
    path.write_text(planted_csv(n_samples=60, n_features=1500), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def whole(wide):
    """Directory of the same run, never stopped."""
    process = start(wide, wide.parent / "whole", 1)
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    return wide.parent / "whole"


@unix_only
@pytest.mark.parametrize("jobs", [1, 2])
def test_kill_and_resume_give_the_same_result(wide, whole, tmp_path, jobs):
    killed = start(wide, tmp_path / "run", jobs)
    wait_for_results(killed, tmp_path / "run", at_least=2)
    os.killpg(killed.pid, signal.SIGKILL)
    killed.communicate(timeout=60)
    assert not (tmp_path / "run/result.json").exists()
    assert list((tmp_path / "run").rglob("*.npz"))

    resumed = start(wide, tmp_path / "run", jobs, words=["--resume"])
    _, errors = resumed.communicate(timeout=120)
    assert resumed.returncode == 0, errors
    assert result_of(tmp_path / "run") == result_of(whole)
    assert (tmp_path / "run/panel.csv").read_bytes() == (whole / "panel.csv").read_bytes()


@unix_only
def test_ctrl_c_says_how_to_go_on(wide, whole, tmp_path):
    process = start(wide, tmp_path / "run", 2)
    wait_for_results(process, tmp_path / "run", at_least=1)
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    last = errors.splitlines()[-1]
    assert last.startswith(f"Stopped; what is finished is kept in '{tmp_path / 'run'}'")
    assert "--resume" in last
    assert "Traceback" not in errors
    assert list((tmp_path / "run").rglob("*.npz"))
    again = start(wide, tmp_path / "run", 2, words=["--resume", "--quiet"])
    assert again.communicate(timeout=120) == ("", "")
    assert result_of(tmp_path / "run") == result_of(whole)


def test_warmup_says_when_it_is_done(run):
    code, out, err = run("warmup")
    assert (code, err) == (0, [])
    assert out[0].startswith("All kernels are compiled (")
    assert run("warmup", "--quiet") == (0, [], [])


def test_the_module_is_the_program():
    command = [sys.executable, "-m", "consilience", "--version"]
    told = subprocess.run(command, capture_output=True, text=True, check=True)
    assert told.stdout.strip() == f"consilience {__version__}"
