"""The study behind the default score of `DAFS`: the paper's four measures and what they leave out.

    python benchmarks/dafs_scores.py --out study.jsonl            # finished parts are kept
    python benchmarks/dafs_scores.py --out study.jsonl --table    # the figures so far

Two kinds of witnesses, described in docs/decisions/0015-dafs-score.md: made data of known truth
(accuracy on 1,500 fresh rows, and which share of the best 20 features matters), and the GEMS sets
(five outer folds). Each ranking is judged by a linear SVM on its best 5, 10, 20 (and, on real data,
30) features. All scores of a row of the table come from the same members.
"""

import argparse
import json
import zlib
from pathlib import Path

import numpy as np
from sklearn.model_selection import StratifiedKFold
from sklearn.svm import SVC

from consilience.ensemble.dafs_scores import SCORES, Evidence
from consilience.integration import majority_vote
from consilience.learners.choose import as_learner
from consilience.sampling.held_out import held_out_folds
from real_data import real

# Name in the table: score, diversity, exponent.
VARIANTS = {
    "double fault, r = 1": ("da", "double_fault", 1),
    "correlation, r = 3": ("da", "correlation", 3),
    "disagreement, r = 3": ("da", "disagreement", 3),
    "Q, r = 3": ("da", "q_statistic", 3),
    "correlation, r = 1": ("da", "correlation", 1),
    "disagreement, r = 1": ("da", "disagreement", 1),
    "Q, r = 1": ("da", "q_statistic", 1),
    "accuracy alone": ("accuracy", "double_fault", 1),
    "occlusion, r = 0": ("occlusion", "double_fault", 0),
    "occlusion, r = 1": ("occlusion", "double_fault", 1),
    "occlusion, r = 3": ("occlusion", "double_fault", 3),
}
PAPER = list(VARIANTS)[:7]
MADE = {
    "independent, strong": ("independent", 0.5),
    "independent, weak": ("independent", 0.25),
    "redundant, strong": ("redundant", 0.5),
    "redundant, weak": ("redundant", 0.3),
    "one large block": ("uneven", 0.5),
    "four classes": ("classes", 0.7),
    "suppressor pairs": ("pairs", 0.7),
}
REAL = (
    "srbct leukemia1 dlbcl brain_tumor1 9_tumors prostate_tumor leukemia2 lung_cancer_3312 "
    "11_tumors"
).split()
N, N_TEST, N_FEATURES, SIZE, MEMBERS = 80, 1500, 600, 30, 600
HITS = 20  # members that use a feature, on real data


def make(kind, shift, rng):
    """Standard normal columns with planted ones: X, y, which matter."""
    n = N + N_TEST
    y = rng.permutation(np.arange(n) % (4 if kind == "classes" else 2))
    side = shift * (2.0 * (y > 0) - 1.0)
    X = rng.standard_normal((n, N_FEATURES))
    order = rng.permutation(N_FEATURES)

    def block(features, share, signal):
        common = np.sqrt(share) * rng.standard_normal((n, 1))
        X[:, features] = common + np.sqrt(1 - share) * X[:, features] + signal[:, None]

    if kind == "independent":
        used = order[:20]
        X[:, used] += side[:, None]
    elif kind == "redundant":
        used = order[:40]
        for five in np.split(used, 5):
            block(five, 0.8, side)
    elif kind == "uneven":
        used = order[:40]
        block(used[:30], 0.85, 1.2 * side)
        X[:, used[30:]] += 0.8 * side[:, None]
    elif kind == "classes":
        used = order[:24]
        for label, six in enumerate(np.split(used, 4)):
            block(six, 0.5, 2 * shift * (y == label))
    else:  # the second of a pair is noise that the first one holds too
        used = order[:12]
        for first, second in used.reshape(-1, 2):
            noise = rng.standard_normal(n)
            X[:, first] = side + noise + 0.3 * X[:, first]
            X[:, second] = noise + 0.3 * X[:, second]
    return X, y, np.isin(np.arange(N_FEATURES), used)


def rank_all(X, y, learner, evaluation, size, members, rng):
    """Order of the features by each variant, all from the same members."""
    folds = held_out_folds(y, evaluation, rng=rng)
    columns = np.ascontiguousarray(X.T)
    subspaces = np.stack([rng.choice(len(columns), size, replace=False) for _ in range(members)])
    n_classes, held = int(y.max()) + 1, folds >= 0
    hidden = np.empty(subspaces.shape)
    found = as_learner(learner).held_out(
        columns.__getitem__, list(subspaces), y, folds, n_classes, None, hidden
    )
    predicted = found.predicted[:, held]
    voted = majority_vote(predicted, n_classes, found.scores[held], np.bincount(y))
    ties, orders = rng.random(len(columns)), {}
    for name, (score, measure, r) in VARIANTS.items():
        evidence = Evidence(
            subspaces, len(columns), y[held], predicted, voted, measure, "diverse", "correctness",
            "ratio", r, hidden,
        )  # fmt: skip
        values = np.nan_to_num(SCORES[score](evidence), nan=-np.inf)
        orders[name] = np.lexsort((ties, -values))
    return orders


def judge(order, size, X, y, X_test, y_test):
    """Accuracy of a linear SVM on the best features."""
    best = order[:size]
    return float(SVC(kernel="linear").fit(X[:, best], y).score(X_test[:, best], y_test))


def scaled(X, X_test):
    """Both parts by mean and deviation of the first; columns that do not vary are left out."""
    mean, deviation = X.mean(axis=0), X.std(axis=0)
    varies = deviation > 0
    return ((part[:, varies] - mean[varies]) / deviation[varies] for part in (X, X_test))


def run_made(setting, learner, evaluation, repetition):
    """One made data set: figures of each variant."""
    kind, shift = MADE[setting]
    rng = np.random.default_rng([repetition, zlib.crc32(f"{setting} {learner}".encode())])
    X, y, matters = make(kind, shift, rng)
    A, B = scaled(X[:N], X[N:])
    orders = rank_all(A, y[:N], learner, evaluation, SIZE, MEMBERS, rng)
    found = {}
    for name, order in orders.items():
        right = [judge(order, g, A, y[:N], B, y[N:]) for g in (5, 10, 20)]
        found[name] = [float(np.mean(right)), float(matters[order[:20]].mean())]
    return found


def run_real(name, learner, evaluation, repetition):
    """Five outer folds of a real data set: figures of each variant."""
    X, y = real(name)
    y = np.unique(y, return_inverse=True)[1]
    found = {variant: [] for variant in VARIANTS}
    split = StratifiedKFold(5, shuffle=True, random_state=repetition).split(X, y)
    for fold, (train, test) in enumerate(split):
        rng = np.random.default_rng([repetition, fold])
        A, B = scaled(X[train], X[test])
        size = round(np.sqrt(A.shape[1]))
        members = HITS * A.shape[1] // size
        for variant, order in rank_all(
            A, y[train], learner, evaluation, size, members, rng
        ).items():
            right = [judge(order, g, A, y[train], B, y[test]) for g in (5, 10, 20, 30)]
            found[variant].append(np.mean(right) * test.size)
    return {variant: [float(np.sum(right)) / y.size, np.nan] for variant, right in found.items()}


def table(lines):
    """Each variant's lead over the best of the paper's measures, by learner and setting."""
    groups = {}
    for line in lines:
        key = line["learner"], line["evaluation"], line["setting"]
        groups.setdefault(key, []).append([line["found"][name] for name in VARIANTS])
    names = list(VARIANTS)
    for learner in dict.fromkeys(key[0] for key in groups):
        print(f"\n{learner}: points of accuracy above the best of the paper's on average")
        leads = []
        for key, rows in groups.items():
            if key[0] != learner:
                continue
            values = 100 * np.mean(np.array(rows, dtype=float), axis=0)
            best = max(values[names.index(name), 0] for name in PAPER)
            leads.append(values[:, 0] - best)
            shown = "  ".join(f"{lead:5.1f}" for lead in leads[-1])
            print(f"{key[2]:22s} {key[1]:8s} x{len(rows):<3d} {shown}")
        print(f"{'mean':36s} " + "  ".join(f"{lead:5.1f}" for lead in np.mean(leads, axis=0)))
        print(f"{'worst':36s} " + "  ".join(f"{lead:5.1f}" for lead in np.min(leads, axis=0)))
    print("\nColumns: " + "; ".join(names))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--table", action="store_true", help="print what is there")
    parser.add_argument("--learners", default="svm,ridge,knn")
    parser.add_argument("--repetitions", type=int, default=12)
    parser.add_argument("--sets", default=",".join(REAL))
    options = parser.parse_args()
    lines = []
    if options.out.exists():
        lines = [json.loads(line) for line in options.out.read_text("utf-8").splitlines()]
    if not options.table:
        done = {tuple(line[k] for k in KEY) for line in lines}
        made = [(s, e, r) for r in range(options.repetitions) for s in MADE for e in EVALUATIONS]
        held = [(name, "oof", r) for r in range(2) for name in options.sets.split(",") if name]
        for setting, evaluation, repetition in made + held:
            for learner in options.learners.split(","):
                if (learner, setting, evaluation, repetition) in done:
                    continue
                run = run_made if setting in MADE else run_real
                found = run(setting, learner, evaluation, repetition)
                told = dict(zip(KEY, (learner, setting, evaluation, repetition), strict=True))
                lines.append(told | {"found": found})
                with options.out.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(lines[-1]) + "\n")
    table(lines)


KEY = ("learner", "setting", "evaluation", "repetition")
EVALUATIONS = ("oof", "holdout")

if __name__ == "__main__":
    main()
