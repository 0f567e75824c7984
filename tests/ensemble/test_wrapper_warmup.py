"""After a warm-up nothing is compiled that a wrapper needs, whatever is asked of it."""

import subprocess
import sys

CODE = """
import importlib, pkgutil, warnings
import numpy as np
from scipy import sparse
from sklearn.linear_model import LogisticRegression
import consilience.kernels as kernels
from consilience import BalancedWrapper, BitMatrix
from consilience.ensemble.wrapper_warmup import warm_wrapper

warnings.simplefilter("ignore")

def compiled():
    found = {}
    for module in pkgutil.iter_modules(kernels.__path__):
        held = importlib.import_module("consilience.kernels." + module.name)
        for name, kernel in vars(held).items():
            if hasattr(kernel, "signatures"):
                found[module.name + "." + name] = set(map(str, kernel.signatures))
    return found

warm_wrapper()
before = compiled()
rng = np.random.default_rng(1)
y = np.repeat(["a", "b", "c"], [20, 10, 7])
X = rng.normal(size=(37, 5)) + (y == "c")[:, None]
small = {"n_features_to_select": 2, "ensemble_size": 2, "random_state": 0, "choice": "plain"}
asked = [
    {"search": "backward"}, {"search": "floating", "stop": "permutation"}, {"choice": "race"},
    {"search": "genetic", "n_generations": 2, "population": 4}, {"balance": "rus"},
    {"search": "swarm", "n_generations": 2, "population": 4, "stop": "one_se"},
    {"balance": "ros"}, {"balance": "smote", "smote_gap": "column"}, {"balance": "cost"},
    {"balance": False}, {"fitness": "average_precision"}, {"multiclass": "ovr"},
    {"redraw": "evaluation"}, {"combine": "pooled"}, {"estimator": LogisticRegression()},
    {"smote_space": "full"}, {"n_screened": 3},
]
for options in asked:
    BalancedWrapper(**small | options).fit(X, y)
cells = (X > 0).astype(np.uint8)
for table in (X.astype(np.float32), np.round(X).astype(int), np.asfortranarray(X), cells,
              sparse.csr_array(np.maximum(X, 0)), sparse.csc_matrix(cells),
              BitMatrix.from_array(cells)):
    BalancedWrapper(**small).fit(table, y)
BalancedWrapper(**small, categorical_features=[1]).fit(np.round(X), y)
print({name: new for name, own in compiled().items() if (new := own - before[name])})
"""


def test_nothing_is_compiled_after_the_warm_up():
    done = subprocess.run(
        [sys.executable, "-c", CODE],
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=300,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "{}\n", "")
