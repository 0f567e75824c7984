"""Compiling on the first and second run of the demo, and the start of a light command."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from timing import Line


def demo_compile_seconds(folder, name):
    """CPU seconds that a demo in a fresh process spends in the compiler."""
    script = Path(__file__).with_name("compile_time.py")
    environment = os.environ | {"NUMBA_CACHE_DIR": f"{folder}/cache", "CI": "1"}
    done = subprocess.run(
        [sys.executable, script, f"{folder}/{name}"],
        check=True,
        env=environment,
        capture_output=True,
        text=True,
    )
    return json.loads(done.stdout.splitlines()[-1])


def run():
    with tempfile.TemporaryDirectory() as folder:
        first = demo_compile_seconds(folder, "first")
        second = demo_compile_seconds(folder, "second")
    return [
        Line("compiling in the first demo", "20 CPU s allowed", 20.0, first, 1, at_most=True),
        Line("compiling in the second demo", "1 CPU s allowed", 1.0, second, 1, at_most=True),
    ]
