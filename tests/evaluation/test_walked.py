"""Itemsets walked through for Table 3, beside a walk over sets listed by definition."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive_itemsets as naive
from consilience import FeatureModels, load_demo
from consilience.evaluation.reproduce.walked import WALKS, walk, walk_all, walks
from consilience.exceptions import ConsilienceWarning

transactions = st.lists(st.sets(st.integers(0, 6), min_size=1), min_size=3, max_size=8)


def slow_range(sets, m):
    """Least and largest number of itemsets until m features, whatever the order of ties."""
    if len(frozenset().union(*sets)) < m:  # all are walked through
        return len(sets), len(sets)
    least = most = 0
    union = frozenset()
    for level in sorted(set(sets.values()), reverse=True):
        if len(union) >= m:
            break
        here = [itemset for itemset, count in sets.items() if count == level]
        least, most = most + 1, most + len(here)
        union = union.union(*here)
    return least, most


@settings(max_examples=60, deadline=None)
@given(transactions, st.integers(1, 5))
def test_the_numbers_are_those_of_all_closed_and_maximal_sets(told, m):
    models = FeatureModels([sorted(t) for t in told], n_features=7)
    n_selected = len(set().union(*told))
    m = min(m, n_selected)
    found = walks(models, m, random_state=0)
    for name, sets in zip(WALKS, (naive.closed(told), naive.maximal(told, 2)), strict=True):
        if not sets:
            assert np.isnan(found[name]).all()
            continue
        least, most = slow_range(sets, m)
        assert least <= found[name][0] <= most
        sizes, supports = [len(s) for s in sets], list(sets.values())
        assert min(sizes) <= found[name][1] <= max(sizes)
        assert min(supports) <= found[name][2] * len(told) + 1e-9
        assert found[name][2] * len(told) <= max(supports) + 1e-9


def test_itemsets_that_bring_nothing_are_counted_too():
    # {0}: 4, {0, 1}: 3, {0, 2}: 2, {0, 1, 2}: 1, {3}: 1; all of them until 3 is in.
    models = FeatureModels([[0, 1, 2], [0, 1], [0, 2], [0, 1], [3]], n_features=4)
    found = walks(models, 4, random_state=0)["closed-itemsets"]
    assert found[0] in (4, 5)  # the last two have the same support
    sets = walks(models, 3, random_state=0)
    np.testing.assert_allclose(sets["closed-itemsets"], [3, 5 / 3, 9 / 3 / 5])


def test_the_core_is_a_closed_set_but_not_a_maximal_one():
    models = FeatureModels([[0, 1], [0, 1], [0, 2], [0, 2]], n_features=3)
    found = walks(models, 3, random_state=0)
    np.testing.assert_allclose(found["closed-itemsets"], [3, 5 / 3, 8 / 3 / 4])
    np.testing.assert_allclose(found["maximal-itemsets"], [2, 2, 0.5])
    alone = FeatureModels([[0], [0, 1], [0, 2]], n_features=3)
    np.testing.assert_allclose(walks(alone, 1, random_state=0)["maximal-itemsets"], [1, 1, 1])


def test_too_many_are_unknown():
    assert np.isnan(walk(iter([_Set([0])] * 5), 2, 10, most=4)).all()
    assert walk(iter([_Set([0])] * 4), 2, 10, most=4)[0] == 4


def test_a_walk_that_the_miner_cut_off_is_unknown():
    assert np.isnan(walk(iter([_Set([0])] * 4), 2, 10, reach=2)).all()
    assert walk(iter([_Set([0])] * 4), 2, 10, reach=1)[0] == 4  # there is no second feature
    # Half a million closed sets come before the twentieth feature.
    rng = np.random.default_rng(0)
    subsets = []
    for _ in range(150):
        shared = np.flatnonzero(rng.random(19) < 0.9)
        others = 19 + rng.choice(200, 20 - shared.size, replace=False)
        subsets.append(np.concatenate([shared, others]))
    with pytest.warns(ConsilienceWarning) as told:
        found = walks(FeatureModels(subsets, 300), 20, 0)
    assert "stopped at its bound" in str(told[0].message)
    assert np.isnan(found["closed-itemsets"]).all()
    # Nor do the maximal sets reach it, at the support to which they had to be raised.
    assert "were taken at a support of 69 instead" in str(told[1].message)
    assert np.isnan(found["maximal-itemsets"]).all()


class _Set:
    support = 3

    def __init__(self, features):
        self.features = np.array(features)


def test_a_table_for_each_selector_that_goes_on_from_a_checkpoint(tmp_path):
    from consilience.execution import Checkpoint

    tables = {"demo": load_demo()}
    kept = Checkpoint(tmp_path, {})
    found = walk_all(tables, ["chi-square", "cfs"], n_models=10, checkpoint=kept)
    assert list(found["selector"]) == ["chi-square"] * 2 + ["cfs"] * 2
    assert (found["support"].between(0.1, 1)).all()
    assert len(kept.keys()) == 2
    again = walk_all(tables, ["chi-square", "cfs"], n_models=10, checkpoint=kept)
    assert again.equals(found)


def test_a_table_without_signal_is_unknown():
    from consilience import Table

    nothing = Table(np.ones((12, 4)), np.arange(12) % 2)
    with pytest.warns(ConsilienceWarning, match="^2 of 2 walks through itemsets are unknown"):
        found = walk_all({"none": nothing}, ["cfs"], n_features=2, n_models=3)
    assert found["number"].isna().all()
