"""Peak memory of `consilience select` on KDD Cup 2001's thrombin data, 1,909 x 139,351."""

import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from timing import Line

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "thrombin_kdd2001.npz"


def run():
    if not DATA.is_file():
        print(f"left out: {DATA.name} is not at hand")
        return []
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            [sys.executable, "-m", "consilience.cli", "select", DATA, "--selector",
             "information-gain", "--models", "150", "--quiet", "--out",
             f"{folder}/run"],
            check=True,
        )  # fmt: skip
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024  # kB on Linux
    return [
        Line("peak memory of select on thrombin, 150 models, all cores, in GB", "1 GB allowed", 1.0,
             peak / 1e9, 1, at_most=True)
    ]  # fmt: skip
