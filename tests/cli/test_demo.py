import json
import subprocess
import sys
from pathlib import Path

import pytest

HOLD = """
import sys
from pathlib import Path
from consilience.execution.run_lock import RunLock
lock = RunLock.take(Path("d/checkpoint/manifest.json"))
print("has it", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def quick_demo(monkeypatch):
    """The demo with fewer models: the real one is run by `make demo`."""
    from consilience.cli import plan

    fields = plan.Plan.__dataclass_fields__
    assert (fields["models"].default, fields["folds"].default) == (150, 10)
    original = plan.Plan.__init__

    def quick(self, **settings):
        original(self, **(settings | {"models": 8, "folds": 2, "jobs": 1}))

    monkeypatch.setattr(plan.Plan, "__init__", quick)


def test_the_demo_replaces_an_earlier_demo(folder, run, quick_demo):
    code, out, _ = run("demo")
    assert code == 0
    assert out[0].startswith("leukemia")
    assert out[-1] == f"Page: {Path('demo-run/report.html')}"
    document = json.loads(Path("demo-run/result.json").read_text(encoding="utf-8"))
    assert document["command"] == "consilience demo --features 20 --seed 0"
    assert document["data"]["n_features"] == 5000
    code, _, _ = run("demo", "--seed", "1", "--quiet")
    assert code == 0
    document = json.loads(Path("demo-run/result.json").read_text(encoding="utf-8"))
    assert document["settings"]["random_state"] == 1


def test_the_demo_leaves_other_runs_alone(genes, run, quick_demo):
    run("select", genes, "-t", "diagnosis", "-n", "3", "-o", "demo-run", "-q")
    before = Path("demo-run/result.json").read_bytes()
    code, _, err = run("demo", "-q")
    assert code == 2
    assert 'its kind is "select"' in err[0]
    assert Path("demo-run/result.json").read_bytes() == before


def test_report_renders_again(genes, run):
    run("select", genes, "-t", "diagnosis", "-n", "3", "--models", "8", "--folds", "2", "-q")
    page = Path("genes-run/report.html")
    first = page.read_text(encoding="utf-8")
    page.unlink()
    assert run("report", "genes-run") == (0, [f"Page: {page}"], [])
    assert page.read_text(encoding="utf-8") == first
    assert run("report", "genes-run", "--out", "page.html", "-q") == (0, [], [])
    assert Path("page.html").exists()


def test_a_demo_that_is_at_work_is_not_replaced(folder, run, quick_demo):
    assert run("demo", "--out", "d", "-q")[0] == 0
    other = subprocess.Popen(
        [sys.executable, "-c", HOLD], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert other.stdout.readline() == "has it\n"
    code, _, err = run("demo", "--out", "d", "-q")
    assert code == 2
    assert "is in use by another process" in err[-1]
    other.communicate()
    assert run("demo", "--out", "d", "-q")[0] == 0
