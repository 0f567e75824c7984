"""The miner against brute force, and against pyfim's answers."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import naive_itemsets as naive
from consilience.aggregation.itemset_search import ItemsetSearch
from consilience.aggregation.itemset_table import FeatureOrder, ItemsetTable
from consilience.aggregation.itemsets import closed_itemsets, maximal_itemsets
from consilience.exceptions import ConsilienceWarning
from consilience.models import FeatureModels

GOLDEN = Path(__file__).parents[1] / "golden" / "itemsets"
ORACLES = Path(os.environ.get("CONSILIENCE_ORACLES", "../shared/oracles")) / "itemsets"
LARGE = [f"random150_{k}" for k in range(2, 7)]
N_FEATURES = 9
ORDERS = ["area", "support", "min_len", "leverage", "tiling"]
transactions = st.lists(
    st.lists(st.integers(0, N_FEATURES - 1), unique=True, min_size=1), min_size=1, max_size=12
)
larger = st.lists(
    st.lists(st.integers(0, N_FEATURES - 1), unique=True, min_size=1, max_size=6),
    min_size=1, max_size=40,
)  # fmt: skip
orders = st.sampled_from(ORDERS)


def mined(models, order, floor, min_len):
    feature_order = FeatureOrder.of(models, np.random.default_rng(0))
    table = ItemsetTable(models, feature_order, floor)
    return table, ItemsetSearch(table, order, floor, min_len)


def expected(subsets, floor):
    """Closed sets of what is beyond the core, and where features stand."""
    core, rest = naive.without_core(subsets)
    place = naive.places(subsets, N_FEATURES, np.random.default_rng(0).permutation(N_FEATURES))
    return core, rest, naive.closed(rest, floor), place


def plain(itemsets):
    return [(frozenset(i.features.tolist()), i.support) for i in itemsets]


@given(transactions, orders, st.integers(1, 3), st.integers(1, 3))
@settings(max_examples=300)
def test_itemsets_come_in_the_order_of_brute_force(subsets, order, floor, min_len):
    core, rest, closed, place = expected(subsets, floor)
    if order == "leverage":
        min_len = max(min_len, 2)
    if order == "tiling":  # what is covered already counts no more
        wanted = naive.walk(closed, rest, order, N_FEATURES, place, min_len=min_len)[1]
    else:
        left = {x: s for x, s in closed.items() if len(x) >= min_len}
        keys = {x: naive.sort_key(order, x, s, rest, place) for x, s in left.items()}
        wanted = [(x, left[x]) for x in sorted(left, key=keys.get)]
        if order == "leverage":
            wanted = [(x, s) for x, s in wanted if keys[x][0] < 0]
    models = FeatureModels(subsets, N_FEATURES)
    found = plain(
        closed_itemsets(models, order, min_support=floor, min_len=min_len, random_state=0)
    )
    first = [(core, len(subsets))] if core else []
    assert found == first + [(core | x, s) for x, s in wanted]


@given(transactions, orders, st.integers(1, 3), st.integers(1, 3), st.integers(1, N_FEATURES))
@settings(max_examples=400)
def test_the_best_sets_of_the_best_features(subsets, order, floor, min_len, wanted):
    if order == "tiling":
        order = "area"
    _, rest, closed, place = expected(subsets, floor)
    min_len = max(min_len, 2) if order == "leverage" else min_len
    _, used = naive.walk(closed, rest, order, wanted, place, min_len=min_len)
    table, search = mined(FeatureModels(subsets, N_FEATURES), order, floor, min_len)
    holds, supports = search.best_of_each(wanted)
    found = [
        (frozenset(table.features[h].tolist()), s) for h, s in zip(holds, supports, strict=True)
    ]
    assert found == used


@given(transactions, orders, st.integers(1, 3), st.integers(1, N_FEATURES))
@settings(max_examples=300)
def test_the_next_best_set_brings_no_more_than_there_is_room_for(subsets, order, floor, wanted):
    _, rest, closed, place = expected(subsets, floor)
    _, used = naive.walk(
        closed, rest, order, wanted, place, min_len=2 if order == "leverage" else 1,
        overshoot="skip",
    )  # fmt: skip
    table, search = mined(FeatureModels(subsets, N_FEATURES), order, floor, 1)
    union = np.zeros(table.features.size, dtype=bool)
    for itemset, support in used:
        holds, supports = search.next_best(union, wanted - union.sum())
        assert (set(table.features[holds[0]]), supports[0]) == (itemset, support)
        union |= holds[0]
    if union.sum() < wanted:
        assert search.next_best(union, wanted - union.sum())[1].size == 0


# {0, 3, 4} is frequent, though by chance alone it would be in more models than it is.
BELOW_CHANCE = [
    [0], [3, 4], [3, 4], [0, 3], [0, 3], [0, 3, 4], [4], [0], [0, 3, 4], [3, 4], [4],
]  # fmt: skip


@given(larger, st.integers(1, 4), orders)
@example(BELOW_CHANCE, 1, "leverage")
@settings(max_examples=300)
def test_maximal_sets_are_those_of_brute_force(subsets, floor, order):
    core, rest, _, place = expected(subsets, floor)
    min_len = 2 if order in ("min_len", "leverage") else 1
    maximal = {x: s for x, s in naive.maximal(rest, floor).items() if len(x) >= min_len}
    if order == "tiling":
        wanted = naive.walk(maximal, rest, order, N_FEATURES, place)[1]
    else:
        keys = {x: naive.sort_key(order, x, s, rest, place) for x, s in maximal.items()}
        wanted = [(x, maximal[x]) for x in sorted(maximal, key=keys.get)]
        if order == "leverage":
            wanted = [(x, s) for x, s in wanted if keys[x][0] < 0]
    models = FeatureModels(subsets, N_FEATURES)
    found = plain(maximal_itemsets(models, order, min_support=floor, random_state=0))
    first = [(core, len(subsets))] if core else []
    assert found == first + [(core | x, s) for x, s in wanted]


def answers(path):
    answer = json.loads(path.read_text())
    subsets = [t for t in answer["transactions"] if t]
    return answer, FeatureModels(subsets, 1 + max(map(max, subsets)))


def check_against_pyfim(path):
    answer, models = answers(path)
    found = closed_itemsets(models, "support", min_support=answer["min_support"])
    found = [(tuple(sorted(i.features.tolist())), i.support) for i in found]
    assert len(found) == answer["closed_count"]
    assert set(found) == {(tuple(x), s) for x, s in answer["closed"]}
    assert [s for _, s in found] == [s for _, s in answer["closed"]]
    for floor, listed in answer["maximal"].items():
        found = maximal_itemsets(models, min_support=int(floor))
        found = {(tuple(sorted(i.features.tolist())), i.support) for i in found}
        listed = {(tuple(x), s) for x, s in listed}
        # The core is yielded for its own sake; pyfim lists it only where nothing frequent holds it.
        assert listed <= found
        assert len(found - listed) <= 1


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.json")), ids=lambda path: path.stem)
def test_pyfim_finds_the_same(path):
    check_against_pyfim(path)


@pytest.mark.parametrize("name", LARGE)
def test_pyfim_finds_the_same_in_large_collections(name):
    path = ORACLES / f"{name}.json"
    if not path.exists():
        pytest.skip(f"{path} is not at hand; random150_1 and the small ones are tested")
    check_against_pyfim(path)


def near_identical(n_models=150, size=20, seed=0):
    """Lists of 20 of 40 features: 313,709 closed sets in 8 models or more."""
    rng = np.random.default_rng(seed)
    odds = np.linspace(3, 0.2, 40)
    return FeatureModels(
        [
            np.sort(rng.choice(40, size, replace=False, p=odds / odds.sum()))
            for _ in range(n_models)
        ],
        40,
    )


@pytest.mark.parametrize("order", ["area", "support", "min_len"])
def test_hundreds_of_thousands_of_sets_are_not_looked_at(order):
    models = near_identical()
    _, search = mined(models, order, 8, 2 if order == "min_len" else 1)
    search.max_work = 5_000_000  # words; listing all sets takes twenty times that
    holds, _ = search.best_of_each(20)
    assert not search.stopped
    assert holds.any(axis=0).sum() >= 20


def test_the_bound_on_the_work_ends_in_a_warning_not_in_a_hang():
    models = near_identical()
    first = next(closed_itemsets(models, "area"))
    assert first.support > 60
    with pytest.warns(ConsilienceWarning, match="stopped at its bound of work"):
        n_found = sum(1 for _ in closed_itemsets(models, "area", max_itemsets=2000))
    assert 100 < n_found <= 2000
    with pytest.warns(ConsilienceWarning, match="taken at a support of 24 instead"):
        found = list(maximal_itemsets(models, min_support=15, max_itemsets=20_000))
    assert min(i.support for i in found) >= 24


def test_a_support_that_is_raised_says_why(monkeypatch):
    models = near_identical()
    with pytest.warns(ConsilienceWarning, match="^More than 20000 itemsets are in 15 models"):
        list(maximal_itemsets(models, min_support=15, max_itemsets=20_000))
    monkeypatch.setattr(ItemsetSearch.__init__, "__defaults__", (3_000_000,))
    with pytest.warns(ConsilienceWarning, match="in 15 models or more was stopped at its bound"):
        list(maximal_itemsets(models, min_support=15))


def rare_items():
    """Four thousand features, of which a model holds ten: hardly two models share a pair."""
    rng = np.random.default_rng(0)
    return FeatureModels([rng.permutation(4000)[:10] for _ in range(400)], 4000)


@pytest.mark.parametrize(("order", "floor"), [("area", 2), ("min_len", 1), ("leverage", 1)])
def test_rare_items_cost_what_their_rows_hold(order, floor):
    table, search = mined(rare_items(), order, floor, 2)
    holds, _ = search.best_of_each(20)
    assert holds.any(axis=0).sum() >= 20
    # Counting every item beside every other one would take n_items * n_words for each.
    assert search.work < table.n_items * (table.n_items * table.bits.shape[1]) / 10
    assert not search.stopped


@pytest.mark.parametrize("order", ["area", "min_len", "leverage"])
def test_no_search_goes_beyond_the_bound_by_more_than_a_node(order):
    table, search = mined(rare_items(), order, 1, 2)
    search.max_work = 20_000  # far less than it takes to look at every item once
    holds, supports = search.best_of_each(20)
    node = 2 * table.n_items * table.bits.shape[1]
    assert search.stopped
    assert search.work < search.max_work + node
    assert supports.size  # what was found by then
    assert holds.any(axis=1).all()


def test_more_than_64_items_and_rows_and_equal_columns():
    rng = np.random.default_rng(3)
    odds = np.r_[np.full(70, 0.02), np.full(30, 0.2)]
    table = rng.random((130, 100)) < odds
    table = np.column_stack([table, table[:, 95], table[:, 96], table[:, 95]])
    subsets = [np.flatnonzero(row) for row in table if row.any()]
    closed = naive.closed([frozenset(s.tolist()) for s in subsets], 6)
    found = closed_itemsets(FeatureModels(subsets, 103), "support", min_support=6)
    assert dict(plain(found)) == closed
    assert max(len(x) for x in closed) >= 4


def test_equal_columns_are_one_item():
    table, _ = mined(FeatureModels([[0, 1, 2], [0, 1], [2]], 3), "area", 1, 1)
    assert_array_equal(table.sizes, [2, 1])


PLAIN = """
import numpy as np
from consilience import FeatureModels
from consilience.aggregation.itemsets import closed_itemsets, maximal_itemsets
rng = np.random.default_rng(0)
models = FeatureModels([np.flatnonzero(rng.random(70) < 0.12) for _ in range(70)], 70)
for order in ("area", "leverage", "tiling"):
    for itemset in closed_itemsets(models, order, min_support=5, random_state=0):
        print(itemset.features.tolist(), itemset.support)
print(len(list(maximal_itemsets(models, min_support=4, random_state=0))))
"""


def test_compiled_and_plain_kernels_find_the_same():
    printed = [
        subprocess.run(
            [sys.executable, "-c", PLAIN], env=os.environ | {"NUMBA_DISABLE_JIT": disabled},
            capture_output=True, text=True, timeout=300, check=True,
        ).stdout
        for disabled in ("0", "1")
    ]  # fmt: skip
    assert printed[0] == printed[1]
    assert len(printed[0].splitlines()) > 50
