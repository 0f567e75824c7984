"""The kernels of the wrapper give the same as plain Python."""

from plain_kernels import assert_prints_the_same

SCRIPT = """
import numpy as np
from consilience import BalancedWrapper
from consilience.learners import CompactTreeClassifier

rng = np.random.default_rng(0)
y = np.arange(30) < 8
X = np.column_stack([rng.normal(size=(30, 3)) + y[:, None], rng.integers(0, 3, 30)])
for options in (
    {}, {"balance": "smote", "smote_space": "full"}, {"balance": "ros", "smote_gap": "column"},
    {"balance": "cost", "fitness": "average_precision"}, {"combine": "pooled"},
    {"estimator": CompactTreeClassifier("gain_ratio", pruning="pessimistic")},
    {"estimator": CompactTreeClassifier("gini", laplace=True), "search": "genetic",
     "n_generations": 1, "population": 4},
):
    found = BalancedWrapper(
        n_features_to_select=2, ensemble_size=2, cv=2, choice="plain", random_state=0,
        categorical_features=[3], **options,
    ).fit(X, y)
    print(found.selected_.tolist(), found.fitness_path_.fitness.round(9).tolist())
tree = CompactTreeClassifier(categorical_features=[3]).fit(X, y)
print(tree.threshold_.round(9).tolist(), tree.predict_proba(X).round(9).tolist())
"""


def test_compiled_and_plain_kernels_print_the_same():
    assert_prints_the_same(SCRIPT, "-W", "error")
