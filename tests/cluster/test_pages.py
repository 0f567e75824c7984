"""The pages about clusters and security, followed as they stand."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from consilience.cli import main

DOCS = Path(__file__).resolve().parents[2] / "docs"
pytestmark = pytest.mark.skipif(os.name == "nt", reason="a POSIX shell")


def blocks_of(page):
    """What a page would have a reader type."""
    return re.findall(r"^```sh\n(.*?)^```$", (DOCS / page).read_text("utf-8"), re.M | re.S)


def follow(lines, folder, **more):
    """Type it, with the programs of this environment."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    script = "set -m\n" + lines  # jobs, as a terminal has them
    return subprocess.run(
        ["bash", "-c", script], cwd=folder, env={**os.environ, "PATH": path, **more},
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip


def result_of(directory):
    document = json.loads((directory / "result.json").read_text(encoding="utf-8"))
    return {key: value for key, value in document.items() if key not in ("created", "seconds")}


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """The demo without a cluster."""
    folder = tmp_path_factory.mktemp("demo") / "run"
    assert main(["demo", "--out", str(folder), "--quiet"]) == 0
    return result_of(folder)


def test_in_a_minute(tmp_path, demo):
    (lines,) = blocks_of("cluster.md")
    done = follow(lines, tmp_path)
    assert "The work is done on" in done.stderr, done.stderr
    assert result_of(tmp_path / "demo-on-dask") == demo


@pytest.mark.skipif(not shutil.which("openssl"), reason="no openssl here to make certificates")
def test_by_tls(tmp_path, demo):
    certificates, run = blocks_of("security.md")
    made = follow("set -e\n" + certificates, tmp_path)
    assert made.returncode == 0, made.stderr
    stranger = (
        "unset DASK_DISTRIBUTED__COMM__REQUIRE_ENCRYPTION ${!DASK_DISTRIBUTED__COMM__TLS*}\n"
        "DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT=3s "
        "consilience demo --cluster scheduler.json --out stranger 2> refused; echo $? >> refused\n"
    )
    clear = (
        'consilience demo --cluster "$(sed -n \'s/.*"address": "tls\\(.*\\)",.*/tcp\\1/p\' '
        'scheduler.json)" --out clear 2> unencrypted; echo $? >> unencrypted\n'
    )
    lines = run.replace("kill %1 %2", clear + stranger + "kill %1 %2")
    done = follow(lines, tmp_path)
    assert "Dask cluster at tls://" in done.stderr, done.stderr
    assert result_of(tmp_path / "demo-by-tls") == demo
    for said in ("refused", "unencrypted"):
        *_, sentence, code = (tmp_path / said).read_text().splitlines()
        assert code == "2"
        assert "Dask scheduler" in sentence
        assert "Traceback" not in (tmp_path / said).read_text()


def test_the_batch_script_is_one_that_a_shell_reads():
    script = DOCS / "cluster" / "select.sbatch"
    subprocess.run(["bash", "-n", str(script)], check=True)


def test_all_fences_of_shells_are_followed():
    """A new one would stand there untried."""
    assert (len(blocks_of("cluster.md")), len(blocks_of("security.md"))) == (1, 2)
