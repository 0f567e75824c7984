"""A study: committees on searched feature subsets beside tuned forests and boosting.

    python benchmarks/genetic_rivals.py --out found.jsonl
    python benchmarks/genetic_rivals.py --tell found.jsonl

Six sets, five stratified outer folds; whatever is tuned, is tuned inside the training part, by
three inner folds. `--repeats 3` draws the folds anew; lines that the file has are not measured
again. Each line is one contender on one outer fold: accuracy on rows that no step of it saw, CPU
seconds of all its fits, and what it chose. About 9 CPU minutes for each repeat.
"""

import argparse
import json
import time
import warnings
from pathlib import Path

import numpy as np
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from threadpoolctl import threadpool_limits

from consilience import (
    DiscreteNB,
    GeneticEnsembleClassifier,
    HillClimbingEnsembleClassifier,
    RandomSubspaceClassifier,
    SequentialGeneticEnsembleClassifier,
)
from consilience.evaluation.reproduce.verdicts import mean_interval, resampled_interval
from real_data import FOLDER, real

SETS = ("vehicle", "splice", "tic_tac_toe", "heart_statlog", "glass", "ionosphere")
N_OUTER, N_INNER = 5, 3
RULES = (
    "weighted", "static", "dynamic_selection", "dynamic_voting", "dynamic_voting_selection",
)  # fmt: skip
OURS, FOREST, BOOSTING = "committee, tuned", "random forest, tuned", "boosting, tuned"
FOREST_GRID = {"max_features": ["sqrt", 0.3], "min_samples_leaf": [1, 3]}
BOOSTING_GRID = {"learning_rate": [0.05, 0.2], "max_leaf_nodes": [7, 31]}


def committees(nominal, seed):
    """Those that the tuned committee is chosen from; searched ones serve all rules."""
    bayes = {"categorical_features": nominal, "random_state": seed}
    for alpha in (0.5, 2.0, 8.0):
        named = f"GAS-SEFS, bayes, alpha {alpha:g}"
        yield named, SequentialGeneticEnsembleClassifier(alpha=alpha, **bayes)
    yield "GA, bayes", GeneticEnsembleClassifier(alpha=2.0, **bayes)
    yield "hill climbing, bayes", HillClimbingEnsembleClassifier(alpha=2.0, **bayes)
    yield "GA, tree", GeneticEnsembleClassifier("tree", scale=False, random_state=seed)
    yield (
        "random subspaces, tree",
        RandomSubspaceClassifier(
            "tree", subspace_size=(nominal.size + 1) // 2, scale=False, random_state=seed
        ),
    )


def answers(committee, X):
    """What each rule says, or the only one of a committee that has no others."""
    if hasattr(committee, "integrated"):
        return committee.integrated(X, RULES)
    return {committee.integration: committee.predict(X)}


class TunedCommittee:
    """The committee and the rule with the best accuracy in inner folds, fitted to all rows."""

    def __init__(self, nominal, seed):
        self.nominal, self.seed = nominal, seed

    def fit(self, X, y):
        right = {}
        inner = StratifiedKFold(N_INNER, shuffle=True, random_state=self.seed)
        for train, held in inner.split(X, y):
            for name, committee in committees(self.nominal, self.seed):
                told = answers(committee.fit(X[train], y[train]), X[held])
                for rule, classes in told.items():
                    key = name, rule
                    right[key] = right.get(key, 0) + int((classes == y[held]).sum())
        self.name_, self.rule_ = max(right, key=right.get)
        self.committee_ = dict(committees(self.nominal, self.seed))[self.name_].fit(X, y)
        self.best_params_ = {"committee": self.name_, "rule": self.rule_}
        return self

    def predict(self, X):
        return answers(self.committee_, X)[self.rule_]


def contenders(nominal, seed):
    """Whatever is compared, by name."""
    inner = StratifiedKFold(N_INNER, shuffle=True, random_state=seed)
    bayes = {"categorical_features": nominal, "random_state": seed}
    yield "naive Bayes", DiscreteNB(categorical_features=nominal)
    yield "GAS-SEFS", SequentialGeneticEnsembleClassifier(**bayes)
    yield (
        "GAS-SEFS, alpha and k auto",
        SequentialGeneticEnsembleClassifier(alpha="auto", n_neighbors="auto", **bayes),
    )
    yield OURS, TunedCommittee(nominal, seed)
    encode = ColumnTransformer(
        [("nominal", OneHotEncoder(handle_unknown="ignore"), np.flatnonzero(nominal))],
        remainder="passthrough", sparse_threshold=0,
    )  # fmt: skip
    forest = make_pipeline(encode, RandomForestClassifier(200, random_state=seed))
    grid = {f"randomforestclassifier__{key}": values for key, values in FOREST_GRID.items()}
    yield FOREST, GridSearchCV(forest, grid, cv=inner)
    boosting = HistGradientBoostingClassifier(
        max_iter=150, early_stopping=False, categorical_features=nominal, random_state=seed
    )
    yield BOOSTING, GridSearchCV(boosting, BOOSTING_GRID, cv=inner)


def load(name):
    """X, class codes, and which columns are nominal; None where the set is not at hand."""
    if (data := real(name)) is None:
        return None
    with np.load(FOLDER / f"{name}.npz", allow_pickle=False) as held:
        types = held["feature_types"] if "feature_types" in held else np.full(data[0].shape[1], "")
    return data[0], np.unique(data[1], return_inverse=True)[1], types == "nominal"


def measure(options):
    known = set()
    if options.out.is_file():
        lines = map(json.loads, options.out.read_text("utf-8").splitlines())
        known = {(own["set"], own["repeat"], own["fold"], own["contender"]) for own in lines}
    with options.out.open("a", encoding="utf-8") as file:
        for repeat in range(options.repeats):
            for name in options.sets or SETS:
                if (data := load(name)) is None:
                    continue
                X, y, nominal = data
                outer = StratifiedKFold(N_OUTER, shuffle=True, random_state=repeat)
                for fold, (train, test) in enumerate(outer.split(X, y)):
                    for contender, method in contenders(nominal, 100 * repeat + fold):
                        asked = options.contenders is None or contender in options.contenders
                        if not asked or (name, repeat, fold, contender) in known:
                            continue
                        started = time.process_time()
                        # One thread for all: threads of boosting that wait burn CPU time.
                        with warnings.catch_warnings(), threadpool_limits(1):
                            warnings.simplefilter("ignore")
                            predicted = method.fit(X[train], y[train]).predict(X[test])
                        told = {
                            "set": name, "repeat": repeat, "fold": fold, "contender": contender,
                            "accuracy": float((predicted == y[test]).mean()),
                            "seconds": time.process_time() - started,
                            "chosen": getattr(method, "best_params_", {}),
                        }  # fmt: skip
                        print(json.dumps(told), file=file, flush=True)


def tell(path):
    """Accuracies, leads of the tuned committee with intervals, and what it chose."""
    import pandas as pd

    found = pd.read_json(path, lines=True)
    names = list(dict.fromkeys(found["contender"]))
    table = found.pivot_table("accuracy", "set", "contender", sort=False)[names]
    table.loc["mean"] = table.mean()
    _print_table(100 * table)
    rows = ["repeat", "fold"]
    print("| set | rival | lead of the tuned committee | of GAS-SEFS as it comes |")
    print("|---|---|---|---|")
    leads = {}
    for (name, rival), _ in found.groupby(["set", "contender"], sort=False):
        if rival not in (FOREST, BOOSTING):
            continue
        own = found[found["set"] == name].pivot_table("accuracy", rows, "contender")
        gaps = [(own[ours] - own[rival]).dropna() for ours in (OURS, "GAS-SEFS")]
        for ours, gap in zip((OURS, "GAS-SEFS"), gaps, strict=True):
            leads.setdefault((rival, ours), []).append(gap.mean())
        cells = [_percent(*resampled_interval(gap, ratio=1 / (N_OUTER - 1))) for gap in gaps]
        print(f"| {name} | {rival} | {' | '.join(cells)} |")
    for rival in (FOREST, BOOSTING):
        cells = [_percent(*mean_interval(leads[rival, ours])) for ours in (OURS, "GAS-SEFS")]
        print(f"| over the sets | {rival} | {' | '.join(cells)} |")
    print("\nCPU seconds of a fit, tuning included:\n")
    _print_table(found.pivot_table("seconds", "set", "contender", sort=False)[names])
    chosen = found[found["contender"] == OURS]
    print("\nWhat the tuned committee chose:\n")
    for (name, choice), own in chosen.groupby(["set", chosen["chosen"].map(str)], sort=False):
        print(f"- {name}: {len(own)} times {choice}")


def _print_table(table):
    print(f"| set | {' | '.join(table.columns)} |\n|{'---|' * (1 + table.shape[1])}")
    for name, row in table.iterrows():
        print(f"| {name} | {' | '.join(f'{value:.1f}' for value in row)} |")
    print()


def _percent(value, low, high):
    return f"{100 * value:+.1f} ({100 * low:+.1f} to {100 * high:+.1f})"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path("genetic_rivals.jsonl"))
    parser.add_argument("--tell", type=Path)
    parser.add_argument("--sets", type=lambda text: text.split(","))
    parser.add_argument("--contenders", type=lambda text: text.split(";"))
    parser.add_argument("--repeats", type=int, default=1)
    options = parser.parse_args()
    tell(options.tell) if options.tell else measure(options)


if __name__ == "__main__":
    main()
