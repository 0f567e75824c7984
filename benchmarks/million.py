"""Qifs on 10,000 rows and 1,000,000 binary columns, from disk: `make million`.

Makes the file (1.25 GB), fits 50 rounds with a linear SVM, and prints what each part took beside
one pass over the file from the page cache, how much memory it needed at its peak, what it found of
the planted truth and how well it predicts new rows; then how the cost of a round grows with the
number of columns and of rows. Every stage is a process of its own with one thread.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from sklearn.metrics import average_precision_score, balanced_accuracy_score

from consilience import EIFSClassifier, QIFSClassifier, make_planted_bits
from consilience.data.bits import BitMatrix
from consilience.data.planted_bits import PlantedBits

SEED = 0
PARTS = ("rows", "scan", "choose", "train")
PLANTED = {"density": 0.01, "n_informative": 400, "n_modes": 8, "effect": 0.15}
ALLOWED_PASSES, ALLOWED_GB = 3, 3


def main():
    options = parse()
    if options.stage is not None:
        STAGES[options.stage](options)
        return
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        path = options.file or Path(folder, "million.bits")
        if not path.is_file():
            stage("make", path, options)
        stage("fit", path, options)
        if options.file is None:
            path.unlink()
        if not options.no_growth:
            print_growth(folder, options)


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--columns", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=50)
    parser.add_argument("--folder", type=Path, help="where the file is made; 1.3 GB are needed")
    parser.add_argument("--file", type=Path, help="use this file, and keep it")
    parser.add_argument("--no-growth", action="store_true", help="the one run alone")
    parser.add_argument("--stage", choices=STAGES, help=argparse.SUPPRESS)
    return parser.parse_args()


def stage(name, path, options, capture=False):
    """Run one stage as a process with one thread, so that its peak memory is its own."""
    threads = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS")
    command = [
        sys.executable, __file__, "--stage", name, "--file", path, "--rows", options.rows,
        "--columns", options.columns, "--rounds", options.rounds,
    ]  # fmt: skip
    done = subprocess.run(
        [str(word) for word in command],
        check=True,
        env=os.environ | dict.fromkeys(threads, "1"),
        stdout=subprocess.PIPE if capture else None,
        text=True,
    )
    return done.stdout


def make(options):
    started = time.perf_counter()
    make_planted_bits(
        options.file, options.rows, options.columns, **PLANTED, class_share=0.1, random_state=SEED
    )
    took, size = time.perf_counter() - started, options.file.stat().st_size
    print(
        f"{options.rows:,} x {options.columns:,} at {PLANTED['density']:.0%} ones, "
        f"{PLANTED['n_informative']} planted features in {PLANTED['n_modes']} modes: "
        f"{size / 1e9:.2f} GB in {took:.0f} s, peak memory {peak():.2f} GB"
    )


def fit(options):
    planted = PlantedBits.open(options.file)
    one_pass = pass_seconds(planted.X)
    # Compiles on few columns, so that what is measured is work.
    few = planted.X.take(columns=np.arange(0, options.columns, options.columns // 1000))
    committee(options.rounds, n_features=100).set_params(n_rounds=1).fit(few, planted.y)
    started, wall = time.process_time(), time.perf_counter()
    fitted = committee(options.rounds).fit(planted.X, planted.y)
    cpu, wall = time.process_time() - started, time.perf_counter() - wall
    memory = peak()
    rounds = fitted.rounds_
    print(f"one pass over the words from the page cache: {1e3 * one_pass:.0f} ms")
    print(f"{fitted.storage_}")
    print(
        f"{fitted.n_rounds_} rounds: {cpu:.1f} CPU s, {wall:.1f} s in all, of which before the "
        f"first round {wall - rounds['seconds_total'][1:].sum():.1f} s"
    )
    print("\n| a round, median | ms | passes |\n|---|---|---|")
    for part in (*PARTS, "total"):
        took = float(np.median(rounds[f"seconds_{part}"][1:]))
        print(f"| {part} | {1e3 * took:.1f} | {took / one_pass:.2f} |")
    rest = (rounds["seconds_total"] - rounds["seconds_train"])[1:]
    told = f"| without the learner | {1e3 * np.median(rest):.1f} | {np.median(rest) / one_pass:.2f}"
    print(f"{told}, at most {ALLOWED_PASSES} allowed |")
    print(f"\npeak memory {memory:.2f} GB, at most {ALLOWED_GB} allowed (the mapped file counts)")
    print_found(fitted, planted, options)


def committee(n_rounds, **settings):
    settings = {"n_features": 500} | settings
    return QIFSClassifier("svm", n_rounds=n_rounds, patience=None, random_state=SEED, **settings)


def pass_seconds(X: BitMatrix, repeats=3) -> float:
    """CPU seconds of adding up all words, the least of some: what reading alone costs."""
    best = np.inf
    for _ in range(repeats + 1):  # the first reads the disk
        started = time.process_time()
        X.words.sum()
        best = min(best, time.process_time() - started)
    return best


def print_found(fitted, planted, options):
    """What was found of the truth, and predictions of new rows, beside two other committees."""
    relevant = planted.relevant
    X, y = new_rows(planted, 2000, options)
    print(f"\n{y.size:,} new rows, {y.sum()} active; {relevant.sum()} planted features:\n")
    print(
        "| | average precision | balanced accuracy | planted among as many most used "
        "| CPU s to fit | to predict |\n|---|---|---|---|---|---|"
    )
    first = committee(0, n_features=500).fit(planted.X, planted.y)
    fewer = committee(options.rounds, n_instances=0.2)
    tuned = committee(options.rounds, n_instances=0.2, threshold="f1")
    halves = EIFSClassifier("svm", n_features=500, random_state=SEED)
    for name, model in (
        ("FSS, one machine", first),
        ("Qifs as published", fitted),
        ("Qifs asking about a fifth of the rows", fewer),
        ("the same with a threshold tuned out of fold", tuned),
        ("Eifs, 20 members", halves),
    ):
        started = time.process_time()
        if not hasattr(model, "subsets_"):
            model.fit(planted.X, planted.y)
        fitting = time.process_time() - started
        started = time.process_time()
        said = model.predict(X)
        asking = time.process_time() - started
        if len(model.estimators_) == 1:  # one vote ranks nothing: its own scores
            member = model.estimators_[0]
            shares = member.decision_function(X.take(columns=model.subsets_[0]))
        else:
            shares = model.predict_proba(X)[:, 1]
        used = np.argsort(-model.feature_importances_, kind="stable")[: relevant.sum()]
        cells = (
            f"{average_precision_score(y, shares):.3f}", f"{balanced_accuracy_score(y, said):.3f}",
            relevant[used].sum(), f"{fitting:.0f}" if fitting > 0.1 else "above", f"{asking:.2f}",
        )  # fmt: skip
        print(f"| {name} | {' | '.join(map(str, cells))} |", flush=True)
    print(f"\npeak memory after all of them {peak():.2f} GB")


def new_rows(planted, n_rows, options):
    """Rows that nobody has seen, active by the modes that were planted."""
    noise = PLANTED | {"effect": 0.0}
    made = make_planted_bits(
        None, n_rows, options.columns, **noise, class_share=0.1, random_state=SEED + 1
    )
    rng = np.random.default_rng(SEED + 2)
    words = made.X.words
    for mode, features in enumerate(planted.modes):
        cells = made.X.take(columns=features).toarray().astype(bool)
        active = (made.sample_modes == mode)[:, None]
        cells |= active & (rng.random(cells.shape) < PLANTED["effect"])
        words[features] = BitMatrix.from_array(cells).words
    return BitMatrix(words, n_rows), made.y


def peak() -> float:
    """Peak memory of this process in GB, pages of mapped files included."""
    size = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return size / 1e9 if sys.platform == "darwin" else size * 1024 / 1e9


def cost(options):
    """One line of the growth table, as JSON."""
    planted = make_planted_bits(
        options.file, options.rows, options.columns, **PLANTED, class_share=0.1, random_state=SEED
    )
    fitted = committee(3).fit(planted.X, planted.y)
    fitted = committee(options.rounds).fit(planted.X, planted.y)
    medians = {
        part: float(np.median(fitted.rounds_[f"seconds_{part}"][1:])) for part in (*PARTS, "total")
    }
    print(json.dumps(medians | {"pass": pass_seconds(planted.X)}))
    options.file.unlink()


def print_growth(folder, options):
    options.rounds = 10
    columns = [(10_000, k) for k in (10_000, 100_000, 1_000_000)]
    rows = [(n, 100_000) for n in (1_000, 10_000, 100_000)]
    for what, sizes in (("columns", columns), ("rows", rows)):
        print("\n| rows | columns | one pass | scan | whole but the learner | learner |")
        print("|---|---|---|---|---|---|")
        found = []
        for options.rows, options.columns in sizes:
            path = Path(folder, "growth.bits")
            told = json.loads(stage("cost", path, options, capture=True).splitlines()[-1])
            rest = told["total"] - told["train"]
            found.append((told["scan"], rest))
            cells = (told["pass"], told["scan"], rest, told["train"])
            print(f"| {options.rows:,} | {options.columns:,} |", end="")
            print("".join(f" {1e3 * cell:.2f} ms |" for cell in cells), flush=True)
        grown = np.diff(np.log10(found), axis=0)
        place = 1 if what == "columns" else 0
        steps = np.diff(np.log10([size[place] for size in sizes]))[:, None]
        slopes = grown / steps
        told = "; ".join(f"{a:.2f}, {b:.2f}" for a, b in slopes)
        print(f"slope in the number of {what} (1 is linear), of scan and whole, by step: {told}")


STAGES = {"make": make, "fit": fit, "cost": cost}

if __name__ == "__main__":
    main()
