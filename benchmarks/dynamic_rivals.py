"""Four classifiers joined in every way, beside scikit-learn's vote and stacking: a study.

`python benchmarks/dynamic_rivals.py` prints the table of docs/dynamic-integration.md: accuracy on
rows not seen, mean of two times five folds, all methods on the same folds.
"""

import json
import sys

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.ensemble import StackingClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import RepeatedStratifiedKFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier

from consilience import DiscreteNB, DynamicIntegrationClassifier
from real_data import FOLDER

SETS = (
    "vehicle", "glass", "diabetes_pima", "ionosphere", "tic_tac_toe", "monk2", "lymphography",
    "breast_cancer_ljubljana",
)  # fmt: skip
RULES = (
    "vote", "average", "weighted", "static", "dynamic_selection", "dynamic_voting",
    "dynamic_voting_selection",
)  # fmt: skip


def frame(name):
    """A data set as a frame whose nominal columns are categories, and its labels; or None."""
    path = FOLDER / f"{name}.npz"
    if not path.is_file():
        print(f"left out: {path.name} is not at hand", file=sys.stderr)
        return None
    with np.load(path, allow_pickle=False) as held:
        table = pd.DataFrame(
            held["X"].astype(float), columns=[f"f{j}" for j in range(held["X"].shape[1])]
        )
        kinds = held["feature_types"] if "feature_types" in held else ["numeric"] * table.shape[1]
        texts = held["categories"] if "categories" in held else [None] * table.shape[1]
        for column, kind, names in zip(table.columns, kinds, texts, strict=True):
            if kind == "nominal":
                known = dict(enumerate(json.loads(str(names))))
                table[column] = table[column].map(known).astype("category")
        return table, held["y"]


def members():
    encode = make_column_transformer(
        (
            make_pipeline(SimpleImputer(), StandardScaler()),
            make_column_selector(dtype_include="number"),
        ),
        (
            OneHotEncoder(handle_unknown="ignore", sparse_output=False),
            make_column_selector(dtype_include="category"),
        ),
    )
    return [
        ("bayes", DiscreteNB()),
        ("tree", make_pipeline(encode, DecisionTreeClassifier(min_samples_leaf=2, random_state=0))),
        ("neighbours", make_pipeline(encode, KNeighborsClassifier(5))),
        ("logistic", make_pipeline(encode, LogisticRegression(max_iter=2000))),
    ]


def accuracies(X, y):
    """Mean accuracy of every method."""
    folds = RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)
    found = []
    for train, test in folds.split(X, y):
        model = DynamicIntegrationClassifier(members(), n_neighbors="auto", random_state=0)
        model.fit(X.iloc[train], y[train])
        rows, truth = X.iloc[test], y[test]
        scores = {
            name: member.score(rows, truth) for name, member in model.named_estimators_.items()
        }
        for rule in RULES:  # what was learned serves all rules; k was chosen for the last
            scores[rule] = model.set_params(method=rule).score(rows, truth)
        stacking = StackingClassifier(clone(model).estimators, LogisticRegression(max_iter=2000))
        scores["stacking"] = stacking.fit(X.iloc[train], y[train]).score(rows, truth)
        found.append(scores)
    return pd.DataFrame(found).mean()


def main():
    tables = {name: frame(name) for name in SETS}
    table = pd.DataFrame({name: accuracies(*data) for name, data in tables.items() if data})
    table["mean"] = table.mean(axis=1)
    print("| | " + " | ".join(table.columns) + " |")
    print("|---|" + "---|" * table.shape[1])
    for method, row in table.iterrows():
        print(f"| {method} | " + " | ".join(f"{value:.3f}" for value in row) + " |")


if __name__ == "__main__":
    main()
