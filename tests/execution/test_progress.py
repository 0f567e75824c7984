import io
import os
import subprocess
import sys

import pytest

from consilience.execution import Progress, progress_bar, run_tasks
from consilience.execution.progress import TerminalProgress, is_interactive

CODE = """
import sys, time
from consilience.execution import progress_bar, run_tasks
with progress_bar("Selecting [bold]", show=True) as progress:
    run_tasks(lambda task: time.sleep(0.01) or {}, range(30), progress=progress)
"""


class Terminal(io.StringIO):
    def isatty(self):
        return super().isatty() or True  # as a real one: an error once it is closed


@pytest.fixture
def terminal(monkeypatch):
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    stream = Terminal()
    # In the test and not here, because pytest puts its own stream in place before each test.
    return lambda: monkeypatch.setattr(sys, "stderr", stream) or stream


def test_a_pipe_hears_nothing():
    environment = {k: v for k, v in os.environ.items() if k != "CI"} | {"FORCE_COLOR": "1"}
    done = subprocess.run(
        [sys.executable, "-c", CODE], capture_output=True, env=environment, check=True
    )
    assert (done.stdout, done.stderr) == (b"", b"")


def test_a_terminal_sees_label_count_and_time_left(terminal):
    stream = terminal()
    with progress_bar("Selecting [x]", total=3) as progress:
        assert isinstance(progress, TerminalProgress)
        progress.advance()
        progress.describe("Evaluating")
        progress.advance(2)
    shown = stream.getvalue()
    assert "Selecting [x]" in shown
    assert "Evaluating" in shown
    assert "3/3" in shown


@pytest.mark.parametrize("reason", ["CI", "TERM", "show", "none"])
def test_silent_where_nobody_watches(terminal, monkeypatch, reason):
    stream = terminal()
    if reason == "CI":
        monkeypatch.setenv("CI", "true")
    elif reason == "TERM":
        monkeypatch.setenv("TERM", "dumb")
    elif reason == "none":
        monkeypatch.setattr(sys, "stderr", None)
    with progress_bar("Selecting", show=reason != "show") as progress:
        run_tasks(lambda task: {}, range(3), progress=progress)
    assert type(progress) is Progress
    assert stream.getvalue() == ""


def test_a_closed_stderr_breaks_nothing(terminal):
    stream = terminal()
    assert is_interactive()
    stream.close()
    assert not is_interactive()
    with progress_bar("Selecting", total=1) as progress:
        progress.advance()


def test_a_terminal_that_vanishes_breaks_nothing(terminal):
    stream = terminal()
    with progress_bar("Selecting") as progress:
        results = run_tasks(lambda task: {"closed": stream.close()}, range(3), progress=progress)
    assert len(results) == 3


def test_a_bar_may_be_started_again(terminal):
    stream = terminal()
    progress = TerminalProgress("Selecting")
    progress.start(2, done=1)
    progress.start(5)
    progress.advance(5)
    progress.finish()
    progress.finish()
    progress.advance()
    assert "5/5" in stream.getvalue()
