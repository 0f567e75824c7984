"""A made result of DAFS: the real class around arrays that no member ever computed."""

import numpy as np

from consilience import DAFS
from consilience.ensemble import DAFSResult

from .standin import make_evaluation

EVIL = "<img src=x onerror=alert(1)>"


def make_dafs(
    *,
    n_samples=60,
    n_features=300,
    m=5,
    classes=("ALL", "AML"),
    names=None,
    subspace_size=20,
    n_subspaces=200,
    n_curve=12,
    missed=0,
    n_constant=0,
    evaluate=True,
    opposite=False,
    fold_share=1.0,
    errors=None,
    score="da",
    command="consilience select genes.csv --target diagnosis --method dafs --seed 0",
    seed=0,
    **settings,
):
    """Return a DAFSResult; the odd cases are arguments."""
    rng = np.random.default_rng(seed)
    n_usable = n_features - missed - n_constant
    subspaces = np.array(
        [rng.choice(n_usable, subspace_size, replace=False) for _ in range(n_subspaces)],
        dtype=np.int32,
    )
    n_hits = np.bincount(subspaces.ravel(), minlength=n_features)
    known = n_hits > 0
    accuracies = np.where(known, np.sort(rng.normal(0.7, 0.02, n_features))[::-1], np.nan)
    scores = (1.5 - accuracies if opposite else accuracies) * 0.9
    scores[known] += rng.normal(0, 0.002, known.sum())
    order = np.argsort(-np.where(known, scores, -np.inf), kind="stable")
    ranking = np.empty(n_features, dtype=np.int64)
    ranking[order] = np.arange(1, n_features + 1)
    panel = order[:m]
    feature_names = np.array([f"gene_{j:05d}" for j in range(n_features)], dtype=object)
    if names is not None:
        feature_names[panel[: len(names)]] = names
    y = np.arange(n_samples) % len(classes)
    values = rng.normal(size=(n_samples, m)) + y[:, None]
    evaluation = None
    if evaluate:
        evaluation = make_evaluation(classes, y, **(errors or {}))
        evaluation["chance"] = None
        evaluation["methods"] = [e for e in evaluation["methods"] if e["key"] != "plain"]
        evaluation["differences"] = [
            e for e in evaluation["differences"] if e["against"] != "plain"
        ]
        first, folds = evaluation["methods"][0], 10
        first["label"] = "DAFS panel"
        often = round(fold_share * folds)
        first["panels"] = [sorted(panel.tolist())] * often + [[]] * (folds - often)
    given = DAFS(random_state=0, **settings).get_params(deep=False)
    leave_out = ("n_jobs", "verbose", "checkpoint", "backend")
    chosen = {key: value for key, value in given.items() if key not in leave_out}
    counts = np.bincount(y, minlength=len(classes))
    return DAFSResult(
        panels=[panel],
        feature_names=feature_names,
        classes=[str(name) for name in classes],
        y_codes=y,
        profiled=np.sort(panel),
        panel_values=values,
        nominal=np.zeros(m, dtype=bool),
        settings={**chosen, "weighted": False, "grouped": False},
        data={
            "source": "genes.csv",
            "target": "diagnosis",
            "n_samples": n_samples,
            "n_features": n_features,
            "storage": "dense",
            "classes": [
                {"name": str(name), "count": int(n)}
                for name, n in zip(classes, counts, strict=True)
            ],
            "fingerprint": "ab" * 32,
        },
        evaluation=evaluation,
        seconds={"read": 0.3, "members": 1.0, "curve": 0.1, "select": 1.2, "evaluate": 8.1},
        command=command,
        created="2026-11-15T23:40:00+00:00",
        versions={"consilience": "0.1.0", "python": "3.11.7"},
        scores=scores,
        ranking=ranking,
        n_hits=n_hits,
        feature_accuracies=accuracies,
        never_sampled=np.flatnonzero(~known)[: missed or None] if missed else np.arange(0),
        subspaces=subspaces,
        folds=np.arange(n_samples) % 5,
        member_accuracies=rng.integers(30, 55, n_subspaces) / n_samples,
        member_diversities=rng.integers(40, 58, n_subspaces) / n_samples,
        ensemble_accuracy=0.95,
        validation_curve=np.minimum(0.6 + 0.05 * np.arange(n_curve), 0.97),
        coverage=1 - (1 - subspace_size / n_features) ** n_subspaces,
        scoring={"score": score, "diversity": "double_fault", "r": 1.0},
    )
