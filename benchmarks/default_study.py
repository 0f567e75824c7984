"""The study behind the defaults of `EnsembleSelector`: error and stability of every variant.

    python benchmarks/default_study.py --out study            # hours; finished parts are kept
    python benchmarks/default_study.py --out study --table    # the figures so far

The protocol is that of docs/decisions/0013-default.md: ten stratified folds, 20 features, a linear
SVM (C = 0.5) on standardised columns, mean error and mean pairwise Jaccard similarity of the ten
panels. All is learned from the training rows. The models of a fold are fitted once for all the
aggregators that join them.
"""

import argparse
import json
import warnings
from pathlib import Path

import numpy as np
from joblib import Parallel, delayed
from scipy import sparse
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import consilience as c
from real_data import FOLDER

KNOWN = (
    "colon leukemia_golub cns prostate_tumor dlbcl srbct leukemia2 lung_cancer_3312 brain_tumor1 "
    "breast_gravier arcene oh5"
).split()
# No variant of this study had been run on these before the default was chosen. (The first, second
# and fifth also serve to reproduce the paper, without Ridge-RFE.)
UNSEEN = (
    "breast_west p53_subramanian su_tissue christensen_methylation ovarian_ms_592 all_stjude_985 "
    "chowdary_breast_colon tr23"
).split()
ONE_AGAINST_REST = {"oh5": "Solutions"}
SIZE, FOLDS = 20, 10

# What is fitted: selector, share of the rows in a sample (None: bootstraps), number of models.
MODELS = {
    "ridge-rfe, 80 %": (c.RidgeRFE, 0.8, 150),
    "ridge-rfe, bootstraps": (c.RidgeRFE, None, 50),
    "svm-rfe, 80 %": (c.SVMRFE, 0.8, 50),
    "svm-rfe, bootstraps": (c.SVMRFE, None, 50),
    "relieff, 80 %": (c.ReliefF, 0.8, 50),
    "relieff, bootstraps": (c.ReliefF, None, 50),
    "symmetrical-uncertainty, bootstraps": (c.SymmetricalUncertainty, None, 150),
    "symmetrical-uncertainty, 80 %": (c.SymmetricalUncertainty, 0.8, 150),
}
# How the models are joined.
AGGREGATORS = {
    "average-rank": c.AverageRank(),
    "exponential-rank": c.ExponentialRank(),
    "weighted-rank": c.WeightedRank(),
    "markov-chain-rank": c.MarkovChainRank(),
    "most-frequent": c.MostFrequent(),
    "closed-itemsets, area": c.ClosedItemsets(),
    "closed-itemsets, min_len": c.ClosedItemsets(order="min_len", min_len=2),
    "closed-itemsets, leverage": c.ClosedItemsets(order="leverage"),
    "closed-itemsets, tiling": c.ClosedItemsets(order="tiling"),
    "maximal-itemsets": c.MaximalItemsets(),
    "most-representative": c.MostRepresentative(),
    "closed-itemset-medoid": c.ClosedItemsetMedoid(),
}
# Aggregators that are given lists of twice the size: more to mine.
LONGER = ("most-frequent", "closed-itemsets, area", "closed-itemsets, min_len")


def load(name):
    """X, dense or CSR, and y of a data set."""
    with np.load(FOLDER / f"{name}.npz", allow_pickle=False) as file:
        y = file["y"]
        if "X" in file:
            X = file["X"]
        else:
            parts = (file["data"].astype(np.float64), file["indices"], file["indptr"])
            X = sparse.csr_array(parts, shape=tuple(file["shape"]))
    if name in ONE_AGAINST_REST:
        y = y == ONE_AGAINST_REST[name]
    return X, np.unique(y, return_inverse=True)[1]


def run_part(out, name, seed, fitted):
    """All panels of one data set, fold seed and kind of models; kept in a file."""
    path = out / f"{name}.{seed}.{fitted.replace(' ', '_').replace('%', 'pct')}.json"
    if path.exists():
        return
    warnings.simplefilter("ignore")
    X, y = load(name)
    selector, share, n_models = MODELS[fitted]
    found = {}
    splits = StratifiedKFold(FOLDS, shuffle=True, random_state=seed).split(np.zeros(y.size), y)
    for fold, (train, test) in enumerate(splits):
        panels = fold_panels(selector, share, n_models, X[train], y[train], seed * 1000 + fold)
        judged = {}
        for variant, panel in panels.items():
            columns = np.sort(panel)
            if (key := columns.tobytes()) not in judged:
                judged[key] = test[errors(X, y, train, test, columns)].tolist()
            entry = found.setdefault(variant, {"panels": [], "wrong": []})
            entry["panels"].append(columns.tolist())
            entry["wrong"] += judged[key]
    path.write_text(json.dumps({"n": int(y.size), "p": int(X.shape[1]), "variants": found}))


def fold_panels(selector, share, n_models, X, y, seed):
    """The panel of every variant from the training rows."""
    ensemble = c.EnsembleSelector(
        selector(),
        c.WeightedRank(),
        n_features_to_select=SIZE,
        n_models=n_models,
        sample_share=share,
        random_state=seed,
    ).fit(X, y)
    models = ensemble.models_
    longer = models.top(2 * SIZE, random_state=seed)
    plain = selector(n_features_to_select=SIZE, random_state=seed).fit(X, y)
    panels = {"one selection": np.flatnonzero(plain.get_support())}
    for variant, aggregator in AGGREGATORS.items():
        panels[variant] = aggregator.aggregate(models, SIZE, random_state=seed)[0]
        if variant in LONGER:
            found = aggregator.aggregate(longer, SIZE, random_state=seed)[0]
            panels[f"{variant}, lists of {2 * SIZE}"] = found
    return panels


def errors(X, y, train, test, columns):
    """Which test rows a linear SVM gets wrong."""
    cells = X[:, columns]
    cells = cells.toarray() if sparse.issparse(cells) else cells
    scaler = StandardScaler().fit(cells[train].astype(np.float64))
    rows = [scaler.transform(cells[part].astype(np.float64)) for part in (train, test)]
    machine = SVC(kernel="linear", C=0.5, max_iter=2_000_000).fit(rows[0], y[train])
    return machine.predict(rows[1]) != y[test]


def jaccard(panels):
    """Mean pairwise similarity of the panels."""
    sets = [set(panel) for panel in panels]
    pairs = [(a, b) for i, a in enumerate(sets) for b in sets[:i]]
    return float(np.mean([len(a & b) / len(a | b) for a, b in pairs]))


def figures(out, names, seeds):
    """Error and stability of each variant by set and seed: dict of two float[n_sets, n_seeds]."""
    table = {}
    for i, name in enumerate(names):
        for k, seed in enumerate(seeds):
            for fitted in MODELS:
                path = out / f"{name}.{seed}.{fitted.replace(' ', '_').replace('%', 'pct')}.json"
                if not path.exists():
                    continue
                part = json.loads(path.read_text())
                for variant, entry in part["variants"].items():
                    # One selection does not depend on how rows are drawn: told once.
                    title = f"{fitted}; {variant}"
                    if variant == "one selection":
                        title = f"{fitted.split(',')[0]}; one selection"
                    error, stable = table.setdefault(
                        title, np.full((2, len(names), len(seeds)), np.nan)
                    )
                    error[i, k] = len(entry["wrong"]) / part["n"]
                    stable[i, k] = jaccard(entry["panels"])
    return {title: both for title, both in table.items() if np.isfinite(both).all()}


def print_table(out, names, seeds):
    """Variants by falling merit, with intervals over the sets and the front."""
    table = figures(out, names, seeds)
    if not table:
        print("Nothing is complete yet.")
        return
    reference = table.get("ridge-rfe, 80 %; average-rank")
    print(
        f"| variant ({len(names)} sets, seeds {seeds[0]}-{seeds[-1]}) | error | stability |"
        " error less default | stability less default | front |"
    )
    print("|---|---|---|---|---|---|")
    points = {title: (both[0].mean(), both[1].mean()) for title, both in table.items()}
    for title, (error, stable) in sorted(points.items(), key=lambda item: item[1]):
        beaten = any(
            e <= error and s >= stable and (e, s) != (error, stable) for e, s in points.values()
        )
        less = ["", ""]
        if reference is not None:
            less = [interval((table[title] - reference)[which].mean(axis=1)) for which in (0, 1)]
        print(
            f"| {title} | {error:.4f} | {stable:.3f} | {less[0]} | {less[1]} |"
            f" {'' if beaten else 'yes'} |"
        )


def interval(differences, n_draws=10_000):
    """Mean and 95 % interval over the data sets, by bootstrap."""
    rng = np.random.default_rng(0)
    draws = rng.choice(differences, size=(n_draws, differences.size)).mean(axis=1)
    low, high = np.quantile(draws, [0.025, 0.975])
    return f"{differences.mean():+.3f} ({low:+.3f}, {high:+.3f})"


def main():
    """Run what is missing, or print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path("study"))
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--unseen", action="store_true", help="the sets kept for the end")
    parser.add_argument("--sets", nargs="+")
    parser.add_argument("--seeds", nargs="+", type=int, default=list(range(5)))
    parser.add_argument("--models", nargs="+", default=list(MODELS))
    parser.add_argument("--jobs", type=int, default=2)
    asked = parser.parse_args()
    names = asked.sets or (UNSEEN if asked.unseen else KNOWN)
    if asked.table:
        print_table(asked.out, names, asked.seeds)
        return
    asked.out.mkdir(parents=True, exist_ok=True)
    parts = [(n, s, m) for s in asked.seeds for m in asked.models for n in names]
    Parallel(asked.jobs, batch_size=1)(delayed(run_part)(asked.out, *part) for part in parts)


if __name__ == "__main__":
    main()
