"""The memory that DAFS tells of, against what it takes."""

import tracemalloc

import numpy as np
import pytest

from consilience import DAFS

rng = np.random.default_rng(0)
y = np.arange(60) % 10
X = rng.standard_normal((60, 300)) + (y[:, None] == np.arange(300) % 10)


@pytest.mark.parametrize("criterion", ["occlusion", "accuracy"])
def test_many_classes_left_out_one_by_one_take_what_is_told(criterion):
    dafs = DAFS(
        "svm", criterion=criterion, evaluation="loo", subspace_size=150, n_subspaces=24,
        max_features=3, random_state=0,
    )  # fmt: skip
    dafs.fit(X[:20], y[:20])  # compiled
    dafs.fit(X, y)
    tracemalloc.start()
    dafs.fit(X, y)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1.2 * dafs.estimate_memory(X)


def test_hiding_and_classes_are_counted():
    plain = DAFS(criterion="accuracy", subspace_size=150, n_subspaces=24)
    hiding = DAFS(criterion="occlusion", subspace_size=150, n_subspaces=24)
    assert plain.estimate_memory(X) < hiding.estimate_memory(X)
    two = hiding.estimate_memory(X)
    hiding.classes_ = np.arange(40)
    assert two < hiding.estimate_memory(X)
