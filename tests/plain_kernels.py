"""Whether kernels print the same compiled and as plain Python."""

import os
import subprocess
import sys


def assert_prints_the_same(script, *options):
    """Run a script in two processes, with the compiler and without."""
    compiled, plain = (_printed(script, options, switch) for switch in ("0", "1"))
    assert plain == compiled
    assert compiled.strip()


def _printed(script, options, without_compiler):
    done = subprocess.run(
        [sys.executable, *options, "-c", script],
        env=os.environ | {"NUMBA_DISABLE_JIT": without_compiler},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
