"""A made selection result: follows the schema, costs nothing, and bends to every odd case."""

from types import SimpleNamespace

import numpy as np
import scipy.sparse


class Models:
    """The part of FeatureModels that the report reads."""

    def __init__(self, member):
        self._member = np.asarray(member, dtype=bool)
        self.n_models, self.n_features = self._member.shape
        self.frequencies = self._member.mean(axis=0)

    def membership(self):
        return scipy.sparse.csr_matrix(self._member)


def interval(value, width=0.05, low=-1.0, high=1.0):
    return {"value": value, "low": max(low, value - width), "high": min(high, value + width)}


def make_evaluation(
    classes, y_codes, *, error=0.06, plain=0.08, everything=0.05, n_splits=10, chance=0.4
):
    """Figures of a protocol that was never run, consistent with the class sizes."""
    counts = np.bincount(y_codes, minlength=len(classes))
    majority = float(1 - counts.max() / counts.sum())
    labels = {
        "ensemble": ("consilience panel", error),
        "plain": ("one selection without resampling", plain),
        "all": ("all features", everything),
        "majority": ("largest class", majority),
    }
    methods = []
    for key, (label, value) in labels.items():
        confusion = np.zeros((len(classes), len(classes)), dtype=int)
        for code, count in enumerate(counts):
            wrong = round(value * count)
            confusion[code, code] = count - wrong
            confusion[code, (code + 1) % len(classes)] += wrong
        selects = key in ("ensemble", "plain")
        guess = 1 / len(classes)
        methods.append(
            {
                "key": key,
                "label": label,
                "error": interval(value, 0.05, 0.0),
                "balanced_accuracy": interval(
                    guess if key == "majority" else max(guess, 1 - value), 0.05, 0.0
                ),
                "auc": interval(0.5 if key == "majority" else max(0.5, 1 - value / 2), 0.04, 0.0)
                if len(classes) == 2
                else None,
                "stability": {
                    "nogueira": interval(0.7 if key == "ensemble" else 0.55),
                    "kuncheva": interval(0.7 if key == "ensemble" else 0.55),
                    "tanimoto": {
                        "value": 0.6 if key == "ensemble" else 0.4,
                        "low": None,
                        "high": None,
                    },
                }
                if selects
                else None,
                "n_features": 20.0 if selects else 200.0,
                "panels": [list(range(20))] * n_splits if selects else None,
                "fold_errors": [value] * n_splits,
                "confusion": confusion.tolist(),
            }
        )
    differences = [
        {"against": key, "error": interval(error - value, 0.04) | {"p": p}}
        for key, value, p in (
            ("plain", plain, 0.6),
            ("all", everything, 1.0),
            ("majority", majority, 0.0004),
        )
    ]
    return {
        "protocol": {
            "n_splits": n_splits,
            "classifier": "svm",
            "classifier_label": "linear SVM, C = 0.5",
            "scaled": True,
            "random_state": 0,
            "grouped": False,
        },
        "methods": methods,
        "differences": differences,
        "chance": {"n_shuffles": 10, "n_models": 15, "frequency": chance},
    }


def make_result(
    *,
    n_samples=72,
    n_features=7129,
    n_models=60,
    m=20,
    classes=("ALL", "AML"),
    binary=False,
    names=None,
    n_panels=1,
    evaluate=True,
    rankings=True,
    command="consilience select genes.csv --target diagnosis --features 20 --seed 0 --out run/",
    warnings=(),
    seed=0,
    missing=False,
    stability=0.61,
    errors=None,
):
    """Return a namespace with the attributes of SelectionResult that the report reads."""
    rng = np.random.default_rng(seed)
    feature_names = np.array([f"gene_{i:05d}" for i in range(n_features)], dtype=object)
    if names is not None:
        feature_names[: len(names)] = names
    y_codes = np.sort(rng.integers(0, len(classes), n_samples))
    y_codes[: len(classes) * 2] = np.repeat(np.arange(len(classes)), 2)
    rng.shuffle(y_codes)

    chance = np.full(n_features, m / n_features)
    chance[:m] = np.linspace(0.99, 0.5, m)
    chance[m : 3 * m] = np.linspace(0.45, 0.05, len(chance[m : 3 * m]))
    member = rng.random((n_models, n_features)) < chance
    member[:, 0] = True
    models = Models(member)
    order = np.lexsort((np.arange(n_features), -models.frequencies))
    panels = [order[k : k + m] for k in range(n_panels)]
    profiled = np.unique(np.concatenate(panels))

    shift = rng.normal(0, 1.2, (len(classes), len(profiled)))
    values = rng.normal(size=(n_samples, len(profiled))) + shift[y_codes]
    if binary:
        values = (values > 0).astype(float)
    if missing:
        values[::7, 0] = np.nan

    def feature(index):
        column = values[:, np.searchsorted(profiled, index)]
        effects = []
        for code, name in enumerate(classes):
            inside, outside = column[y_codes == code], column[y_codes != code]
            spread = np.nanstd(column) or 1.0
            effects.append(
                {
                    "class": name,
                    "mean": float(np.nanmean(inside)),
                    "sd": float(np.nanstd(inside)),
                    "effect": float((np.nanmean(inside) - np.nanmean(outside)) / spread),
                    "shares": None,
                }
            )
        return described(index) | {"description": None, "categories": None, "effects": effects}

    def described(index):
        frequency = float(models.frequencies[index])
        return {
            "feature": str(feature_names[index]),
            "index": int(index),
            "frequency": frequency,
            "mean_rank": float(1 + (1 - frequency) * 60),
        }

    frequent = [
        described(j) | {"selected": bool(j in set(panels[0]))} for j in order[: min(3 * m, 100)]
    ]
    sizes = [
        {
            "n_features": int(size),
            "stability": interval(float(stability + 0.1 * np.sin(size))),
            "kept": int(min(size, m)),
            "of_panel": float(min(size, m) / m),
            "features": [str(name) for name in feature_names[order[:size]]],
        }
        for size in sorted({1, 5, 10, m, 2 * m})
    ]
    document = {
        "schema": "consilience.result",
        "schema_version": 1,
        "method": "ensemble",
        "created": "2026-11-15T23:40:00+00:00",
        "seconds": {"read": 0.3, "select": 1.2, "evaluate": 8.1, "total": 9.6},
        "command": command,
        "versions": {"consilience": "0.1.0", "python": "3.11.7", "numpy": "2.4.6"},
        "settings": {
            "selector": {
                "name": "symmetrical-uncertainty",
                "class": "consilience.selectors.symmetrical_uncertainty.SymmetricalUncertainty",
                "params": {"discretize": "mdl", "n_bins": 10},
            },
            "aggregator": {
                "name": "most-frequent",
                "class": "consilience.aggregation.most_frequent.MostFrequent",
                "params": {},
            },
            "n_features_to_select": m,
            "n_models": n_models,
            "sample_share": 0.8,
            "random_state": 0,
            "weighted": False,
            "grouped": False,
        },
        "data": {
            "source": "genes.csv",
            "target": "diagnosis",
            "n_samples": n_samples,
            "n_features": n_features,
            "storage": "dense",
            "classes": [
                {"name": name, "count": int((y_codes == code).sum())}
                for code, name in enumerate(classes)
            ],
            "fingerprint": "ab" * 32,
        },
        "panels": [{"features": [feature(j) for j in panel]} for panel in panels],
        "frequent": frequent,
        "stability": {
            "nogueira": interval(stability),
            "kuncheva": interval(stability),
            "tanimoto": {"value": max(stability - 0.15, 0.0), "low": None, "high": None},
            "chance": {"nogueira": 0.0, "kuncheva": 0.0, "tanimoto": 0.0014},
        },
        "sizes": sizes if rankings else [],
        "evaluation": make_evaluation(classes, y_codes, **(errors or {})) if evaluate else None,
        "alternatives": None,
        "warnings": list(warnings),
    }
    return SimpleNamespace(
        to_dict=lambda: document,
        models=models,
        panels=panels,
        feature_names=feature_names,
        classes=[str(name) for name in classes],
        y_codes=y_codes,
        panel_values=values,
        profiled=profiled,
        nominal=np.zeros(len(profiled), dtype=bool),
        categories={},
        settings=document["settings"],
        data=document["data"],
        evaluation=document["evaluation"],
        warnings=document["warnings"],
        seconds=document["seconds"],
    )
