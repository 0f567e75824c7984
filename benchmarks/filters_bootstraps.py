"""150 bootstraps of symmetrical uncertainty with MDL cuts: shared sorting against copied rows."""

from pathlib import Path

import numpy as np

from consilience import EnsembleSelector, MostFrequent, SymmetricalUncertainty, make_planted
from consilience.sampling import bootstrap_weights
from timing import Line, best_times

N_MODELS = 150
PART = 15  # bootstraps that the loop is timed on


def data():
    """Golub's leukemia data (72 x 7,129) where they are at hand, planted ones of that size else."""
    path = Path(__file__).resolve().parents[2] / "shared" / "data" / "leukemia_golub.npz"
    if path.is_file():
        with np.load(path, allow_pickle=False) as arrays:
            return "leukemia_golub 72 x 7,129", arrays["X"].astype(np.float64), arrays["y"]
    planted = make_planted(72, 7129, n_blocks=60, block_size=20, random_state=0)
    return "planted 72 x 7,129", planted.X, planted.y


def run():
    name, X, y = data()
    seeds = np.random.SeedSequence(0).spawn(PART)
    copies = [np.repeat(np.arange(y.size), w) for w in bootstrap_weights(y, seeds)]
    selector = SymmetricalUncertainty(random_state=0)
    ensemble = EnsembleSelector(selector, MostFrequent(), n_models=N_MODELS, random_state=0)

    def loop():
        for rows in copies:
            selector.fit(X[rows], y[rows])

    times = best_times({"ours": lambda: ensemble.fit(X, y), "loop": loop})
    scaled = times["loop"] * N_MODELS / PART
    return [
        Line(f"{N_MODELS} bootstraps of SU (MDL), {name}, whole EnsembleSelector.fit",
             f"fit on copied rows, one by one (scaled from {PART})", scaled, times["ours"], 30)
    ]  # fmt: skip
