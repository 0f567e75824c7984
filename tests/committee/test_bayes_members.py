import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from consilience import DiscreteNB, SequentialGeneticEnsembleClassifier
from consilience.committee.bayes_members import fit_bayes_members
from consilience.data.scaled_columns import ScaledColumns
from consilience.learners import discrete_nb


def table(seed):
    """Numbers, categories, missing values, a constant column."""
    rng = np.random.default_rng(seed)
    X = np.column_stack([
        rng.normal(size=(30, 2)), rng.integers(0, 4, (30, 2)), np.full(30, 3.0),
        np.where(rng.random(30) < 0.2, np.nan, rng.normal(size=30)),
    ])  # fmt: skip
    return X, rng.integers(0, 3, 30), np.array([False, False, True, False, False, False])


@given(st.integers(0, 50), st.lists(st.permutations(range(6)), min_size=1, max_size=3))
def test_members_of_one_fit_are_those_fitted_one_by_one(seed, orders):
    X, y, nominal = table(seed)
    subsets = [np.array(order[: 1 + k % 5]) for k, order in enumerate(orders, start=seed)]
    template = DiscreteNB(4, smoothing=0.5, prior="laplace")
    found = fit_bayes_members(template, ScaledColumns(X, scale=False), y, nominal, subsets)
    new = table(seed + 100)[0]
    for member, subset in zip(found, subsets, strict=True):
        alone = DiscreteNB(
            4, smoothing=0.5, prior="laplace", categorical_features=nominal[subset]
        ).fit(X[:, subset], y)
        assert_array_equal(
            member.predict_joint_log_proba(new[:, subset]),
            alone.predict_joint_log_proba(new[:, subset]),
        )
        for name, value in vars(alone).items():  # nothing is missing, nothing else
            if name not in ("_parts", "categorical_features"):
                assert_array_equal(vars(member)[name], value)
        assert set(vars(member)) == set(vars(alone))
        for own, other in zip(member.feature_log_prob_, alone.feature_log_prob_, strict=True):
            assert_array_equal(own, other)


@pytest.mark.parametrize("cells", [60, 10**6])
def test_many_cells_are_learned_in_blocks_to_the_same_members(cells, monkeypatch):
    X, y, nominal = table(0)
    committee = SequentialGeneticEnsembleClassifier(
        n_estimators=2, n_generations=1, categorical_features=nominal, random_state=0
    )
    expected = committee.fit(X, y).predict_proba(X)
    monkeypatch.setattr(discrete_nb, "BLOCK_CELLS", cells)
    assert_array_equal(committee.fit(X, y).predict_proba(X), expected)
