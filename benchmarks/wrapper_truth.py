"""Which true features wrappers find in imbalanced data of known truth, and what noise they take.

    python benchmarks/wrapper_truth.py --out study.jsonl            # finished parts are kept
    python benchmarks/wrapper_truth.py --out study.jsonl --table    # the figures so far

The single wrapper, the ensemble wrapper of the paper, and the honest search with its rules to stop
by, all forward to ten features at most, on the same made tables. Described, with the table, in
docs/decisions/0023-honest-search.md.
"""

import argparse
import json
import warnings
import zlib
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from consilience import BalancedWrapper
from consilience.ensemble.wrapper_path import one_standard_error

SIZE, N_NEW = 10, 4000
PLAIN = {"choice": "plain", "stop": None}
METHODS = {
    "single": {**PLAIN, "balance": False, "ensemble_size": 1},
    "paper": PLAIN,
    "paper, shuffled": {"choice": "plain", "stop": "permutation"},
    "race": {"choice": "race", "stop": None},
    "race, shuffled": {"choice": "race", "stop": "permutation"},
}
ONE_SE = ", one SE"  # the same path, cut by that rule
SHOWN = [
    "single", "paper", f"paper{ONE_SE}", "paper, shuffled", "race", f"race{ONE_SE}",
    "race, shuffled",
]  # fmt: skip
# Rows, share of the rare class, and how its features differ.
SETTINGS = {
    "graded": (200, 0.15),
    "rare": (400, 0.05),
    "two kinds": (300, 0.15),
    "blocks": (200, 0.15),
    "noise": (200, 0.15),
}
N_FEATURES = 500


def make(name, rng, n=None):
    """X, y and groups of features that matter: one of each group is enough."""
    rows, share = SETTINGS[name]
    n = rows if n is None else n
    y = rng.permutation(np.arange(n) < round(share * n)).astype(int)
    X = rng.standard_normal((n, N_FEATURES))
    if name == "graded":  # eight features, each weaker than the one before
        X[:, :8] += y[:, None] * np.linspace(1.4, 0.6, 8)
        return X, y, [[j] for j in range(8)]
    if name == "rare":  # five equal ones, few rows of the rare class
        X[:, :5] += 1.5 * y[:, None]
        return X, y, [[j] for j in range(5)]
    if name == "two kinds":  # half of the rare class shows in three features, half in three others
        kind = rng.random(n) < 0.5
        X[:, :3] += 2.0 * (y * kind)[:, None]
        X[:, 3:6] += 2.0 * (y * ~kind)[:, None]
        return X, y, [[j] for j in range(6)]
    if name == "blocks":  # four pathways of four features that say nearly the same
        for b in range(4):
            own = slice(4 * b, 4 * b + 4)
            common = np.sqrt(0.7) * rng.standard_normal((n, 1))
            X[:, own] = common + np.sqrt(0.3) * X[:, own] + 1.2 * y[:, None]
        return X, y, [list(range(4 * b, 4 * b + 4)) for b in range(4)]
    return X, y, []


def judge(panel, X, y, X_new, y_new):
    """AUC on new rows of a logistic regression that weighs the classes equally."""
    model = make_pipeline(StandardScaler(), LogisticRegression(class_weight="balanced"))
    model.fit(X[:, panel], y)
    return float(roc_auc_score(y_new, model.decision_function(X_new[:, panel])))


def study(setting, method, run):
    """One table and one method."""
    rng = np.random.default_rng([zlib.crc32(setting.encode()), run])
    X, y, groups = make(setting, rng)
    X_new, y_new, _ = make(setting, rng, N_NEW)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        options = METHODS[method]
        found = BalancedWrapper(n_features_to_select=SIZE, random_state=run, **options).fit(X, y)
    panels = {method: found.selected_.tolist()}
    path = found.fitness_path_
    if method in ("paper", "race"):
        size = int(path.size[one_standard_error(path.size, path.fitness, path.se)])
        panels[method + ONE_SE] = panels[method][:size]
    true = [j for group in groups for j in group]
    return [
        {
            "setting": setting, "method": name, "run": run, "panel": panel,
            "n": len(panel), "n_true": sum(j in true for j in panel),
            "first_five": sum(j in true for j in panel[:5]),
            "groups": sum(any(j in panel for j in g) for g in groups) / max(1, len(groups)),
            "auc": judge(panel, X, y, X_new, y_new), "fitness": float(path[len(panel) - 1]),
            "p": np.nan_to_num(path.p_value, nan=-1.0).tolist(),
            "seconds": found.seconds_["total"],
        }
        for name, panel in panels.items()
    ]  # fmt: skip


def table(lines):
    """The means over the runs, as Markdown."""
    print("| data | method | features | of them true | true among the first five | truth found | "
          "AUC on new rows | its own fitness | seconds |")  # fmt: skip
    print("|---|---|---|---|---|---|---|---|---|")
    for setting in SETTINGS:
        for method in SHOWN:
            own = [s for s in lines if s["setting"] == setting and s["method"] == method]
            if not own:
                continue

            def mean(key, own=own):
                return np.mean([line[key] for line in own])

            share = np.sum([line["n_true"] for line in own]) / np.sum([line["n"] for line in own])
            cells = [
                setting, method, f"{mean('n'):.1f}", f"{100 * share:.0f} %",
                f"{mean('first_five'):.1f}", f"{100 * mean('groups'):.0f} %", f"{mean('auc'):.3f}",
                f"{mean('fitness'):.3f}", f"{mean('seconds'):.0f}",
            ]  # fmt: skip
            print(f"| {' | '.join(cells)} |")
    n_runs = {line["run"] for line in lines}
    print(f"\n{len(n_runs)} tables of each kind.")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--only", default=",".join(SETTINGS))
    parser.add_argument("--table", action="store_true")
    given = parser.parse_args()
    lines = []
    if given.out.exists():
        lines = [json.loads(line) for line in given.out.read_text().splitlines()]
    if given.table:
        table(lines)
        return
    done = {(line["setting"], line["method"], line["run"]) for line in lines}
    for run in range(given.runs):
        for setting in given.only.split(","):
            for method in METHODS:
                if (setting, method, run) not in done:
                    with given.out.open("a") as file:
                        for line in study(setting, method, run):
                            file.write(json.dumps(line) + "\n")


if __name__ == "__main__":
    main()
