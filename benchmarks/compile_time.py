"""Run the demo and print the CPU seconds spent compiling, as the last line.

With two worker threads the time of one includes what the other does meanwhile, so the demo runs
with one.
"""

import sys
import time

from numba.core import event

from consilience.cli import main


class Stopwatch(event.Listener):
    """Adds up the outermost compilations; kernels compile the kernels that they call."""

    depth = 0
    seconds = 0.0
    started = 0.0

    def on_start(self, event):
        if self.depth == 0:
            self.started = time.process_time()
        self.depth += 1

    def on_end(self, event):
        self.depth -= 1
        if self.depth == 0:
            self.seconds += time.process_time() - self.started


stopwatch = Stopwatch()
event.register("numba:compile", stopwatch)
sys.argv = ["consilience", "demo", "--quiet", "--jobs", "1", "--out", sys.argv[1]]
try:
    main()
except SystemExit as done:
    if done.code:
        raise
print(stopwatch.seconds)
