"""The alternating tree is the same in plain Python."""

from plain_kernels import assert_prints_the_same

SCRIPT = """
import numpy as np
from consilience import ADTree

rng = np.random.default_rng(0)
X = np.column_stack([rng.normal(size=(40, 2)), rng.integers(0, 4, (40, 2)), rng.integers(0, 2, 40)])
y = X[:, 0] + (X[:, 2] == 1) * X[:, 1] + rng.normal(size=40) > 0
X[rng.random(X.shape) < 0.1] = np.nan
for weights in (None, 1.0 + np.arange(40) % 3):
    model = ADTree(15, categorical_features=[2, 4]).fit(X, y, weights)
    print([(part + 0.0).round(9).tolist() for part in model.rules_])
    print((model.decision_function(X).round(9) + 0.0).tolist())
"""


def test_compiled_and_plain_kernels_print_the_same():
    assert_prints_the_same(SCRIPT)
