"""What WEKA 3.6.14 answers, beside the data it was asked about."""

import json
from pathlib import Path

import numpy as np
import pytest

GOLDEN = Path(__file__).parent / "golden" / "weka"
EDGES = ["edge_mixed", "edge_noise", "edge_numeric"]
REAL = [
    "breast_cancer_ljubljana", "colon", "diabetes_pima", "glass", "ionosphere", "iris",
    "lymphography", "voting", "zoo",
]  # fmt: skip


def load_edge(name):
    """An artificial set, whose data stand in the file: X, y, mask of nominal columns, answers."""
    oracle = json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))
    X = np.array(oracle["X"], dtype=np.float64)  # null becomes NaN
    nominal = np.array([kind == "nominal" for kind in oracle["feature_types"]])
    return X, np.array(oracle["y"]), nominal, oracle


def load_real(name, folder):
    """A real set from the folder of data and WEKA's answers from the one beside it."""
    path = folder.parent / "oracles" / "weka" / f"{name}.json"
    if not path.is_file():
        pytest.skip(f"WEKA's answers on {name} are not beside the folder of data")
    oracle = json.loads(path.read_text(encoding="utf-8"))
    with np.load(folder / f"{name}.npz", allow_pickle=False) as data:
        X, y = data["X"], data["y"]
        types = data["feature_types"] if "feature_types" in data else np.array(["numeric"])
    return X, y, np.broadcast_to(types == "nominal", X.shape[1]), oracle
