"""Peak memory of `consilience select` on KDD Cup 2001's thrombin data, 1,909 x 139,351."""

import subprocess
import sys
import tempfile

from real_data import FOLDER
from timing import Line

DATA = FOLDER / "thrombin_kdd2001.npz"

# In a process of its own: a child counts the pages of the process that it was forked from, and
# the benchmarks before this one may have left many.
MEASURE = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def run():
    if not DATA.is_file():
        print(f"left out: {DATA.name} is not at hand", file=sys.stderr)
        return []
    with tempfile.TemporaryDirectory() as folder:
        command = [
            sys.executable, "-m", "consilience.cli", "select", str(DATA), "--selector",
            "information-gain", "--models", "150", "--quiet", "--out", f"{folder}/run",
        ]  # fmt: skip
        done = subprocess.run(
            [sys.executable, "-c", MEASURE, *command], check=True, capture_output=True, text=True
        )
    peak = int(done.stdout.split()[-1]) * 1024  # kB on Linux
    return [
        Line("peak memory of select on thrombin, 150 models, all cores, in GB", "1 GB allowed", 1.0,
             peak / 1e9, 1, at_most=True)
    ]  # fmt: skip
