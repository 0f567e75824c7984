"""A study: which rows Qifs had better ask about, and whose votes say so.

    python benchmarks/qifs_settings.py --out found.jsonl

Made data choose; real sets are looked at afterwards, with `--sets`. Each line of the file is one
setting on one training part: average precision and balanced accuracy on rows that no step saw.
`--tell found.jsonl` prints the means and how each setting differs from the published one.
"""

import argparse
import itertools
import json
import time
from pathlib import Path

import numpy as np
from sklearn.metrics import average_precision_score, balanced_accuracy_score
from sklearn.model_selection import StratifiedKFold

from consilience import (
    EFSClassifier,
    EIFSClassifier,
    QIFSClassifier,
    flip_cells,
    make_planted_bits,
    read_table,
)
from real_data import FOLDER

ROUNDS, FEATURES = 30, 200
# Samples, features, share of active ones, what a feature of a mode adds, modes, density.
MADE = {
    "easy": (1500, 20_000, 0.1, 0.3, 4, 0.01),
    "weak": (1500, 20_000, 0.1, 0.15, 8, 0.01),
    "rare": (1500, 20_000, 0.03, 0.3, 4, 0.01),
    "even": (600, 20_000, 0.5, 0.15, 4, 0.01),
    "third": (1000, 20_000, 0.3, 0.15, 8, 0.05),
    "noisy": (1500, 20_000, 0.1, 0.3, 4, 0.1),
}
SETTINGS = {
    f"{votes} {share} {normalize}": {"votes": votes, "n_instances": share, "normalize": normalize}
    for votes, share, normalize in itertools.product(
        ("training", "oof"), (0.5, 0.25, "rare"), (None, "variance")
    )
}
PUBLISHED = "training 0.5 None"


def made_parts(name, repetition):
    """Training and test rows that share their truth."""
    n, k, share, effect, modes, density = MADE[name]
    planted = make_planted_bits(
        None, 2 * n, k, density=density, effect=effect, n_modes=modes, n_informative=100,
        class_share=share, random_state=1000 * repetition + sorted(MADE).index(name),
    )  # fmt: skip
    rows = np.random.default_rng(repetition).permutation(2 * n)
    yield planted.X, planted.y, rows[:n], rows[n:]


def real_parts(name, repetition):
    """Five folds of a real set; `name@10` reverses 10 % of its cells first."""
    name, _, level = name.partition("@")
    table = read_table(FOLDER / f"{name}.npz")
    X, y = table.X, table.y
    kept = np.asarray(X.sum(axis=1)).ravel() > 0
    X, y = X[kept], y[kept]
    if level:
        X = flip_cells(X, int(level) / 100, repetition)
    values, counts = np.unique(y, return_counts=True)
    y = (y == values[counts.argmin()]).astype(int)
    for train, test in StratifiedKFold(5, shuffle=True, random_state=repetition).split(y, y):
        yield X, y, train, test


def contenders(learner, y, seed):
    rare = float(np.clip(2 * np.bincount(y).min() / y.size, 50 / y.size, 0.5))
    settings = {"random_state": seed, "n_features": FEATURES}
    for name, options in SETTINGS.items():
        options = options | ({"n_instances": rare} if options["n_instances"] == "rare" else {})
        yield name, QIFSClassifier(learner, n_rounds=ROUNDS, patience=None, **options, **settings)
    yield "fss", QIFSClassifier(learner, n_rounds=0, patience=None, **settings)
    yield "efs", EFSClassifier(learner, **settings)
    yield "eifs", EIFSClassifier(learner, n_rounds=ROUNDS, **settings)


def measure(options):
    with options.out.open("a") as file:
        for repetition in range(options.repetitions):
            for name in options.sets or MADE:
                parts = (made_parts if name in MADE else real_parts)(name, repetition)
                for part, (X, y, train, test) in enumerate(parts):
                    for learner in options.learners:
                        for setting, committee in contenders(learner, y[train], repetition):
                            started = time.process_time()
                            shares = committee.fit(X[train], y[train]).predict_proba(X[test])
                            told = {
                                "set": name, "repetition": repetition, "part": part,
                                "learner": learner, "setting": setting,
                                "precision": average_precision_score(y[test], shares[:, 1]),
                                "balanced": balanced_accuracy_score(y[test], shares[:, 1] > 0.5),
                                "seconds": time.process_time() - started,
                            }  # fmt: skip
                            print(json.dumps(told), file=file, flush=True)


def tell(path):
    import pandas as pd

    found = pd.read_json(path, lines=True)
    for learner, lines in found.groupby("learner"):
        table = lines.pivot_table("precision", "setting", "set").loc[
            [*SETTINGS, "fss", "efs", "eifs"]
        ]
        table["mean"] = table.mean(axis=1)
        wide = lines.pivot_table("precision", ["set", "repetition", "part"], "setting")
        less = wide.sub(wide[PUBLISHED], axis=0)
        table["gain"] = less.mean()
        table["error"] = less.groupby(level=[0, 1]).mean().sem()
        print(f"\n{learner}: average precision\n{table.round(3).to_string()}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path)
    parser.add_argument("--tell", type=Path)
    parser.add_argument("--sets", type=lambda text: text.split(","))
    parser.add_argument("--learners", type=lambda text: text.split(","), default=["svm", "tree"])
    parser.add_argument("--repetitions", type=int, default=5)
    options = parser.parse_args()
    tell(options.tell) if options.tell else measure(options)


if __name__ == "__main__":
    main()
