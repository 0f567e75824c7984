"""Real data sets for the benchmarks, where they are at hand."""

import os
import sys
from pathlib import Path

import numpy as np
from scipy import sparse

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"
FOLDER = Path(os.environ.get("CONSILIENCE_DATA") or SHARED)


def real(name):
    """X and y of a data set, float64 or CSR; None, with a remark, where it is not at hand."""
    path = FOLDER / f"{name}.npz"
    if not path.is_file():
        print(f"left out: {path.name} is not at hand", file=sys.stderr)
        return None
    with np.load(path, allow_pickle=False) as held:
        if "indptr" in held:
            cells = (held["data"], held["indices"], held["indptr"])
            return sparse.csr_array(cells, tuple(held["shape"])), held["y"]
        return np.ascontiguousarray(held["X"], dtype=np.float64), held["y"]
