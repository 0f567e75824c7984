"""The figures of a comparison, from outcomes written by hand."""

from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, ttest_rel

from consilience import FeatureModels, MostFrequent
from consilience.evaluation import Comparison, Outcome
from consilience.evaluation.compare_part import itemset_statistics
from consilience.evaluation.comparison import DataFacts
from consilience.evaluation.comparison_figures import figures_of, on_front, pair_similarities
from consilience.exceptions import UsageError
from consilience.measures.stability import tanimoto

panel_lists = st.lists(st.sets(st.integers(0, 6)).map(sorted), min_size=2, max_size=6)


def jaccard(a, b):
    a, b = set(a), set(b)
    return len(a & b) / len(a | b) if a | b else 1.0


@given(panel_lists)
def test_similarities_of_pairs(panels):
    found = pair_similarities(panels)
    expected = [jaccard(a, b) for i, a in enumerate(panels) for b in panels[i + 1 :]]
    assert found == pytest.approx(expected)
    assert found.mean() == pytest.approx(tanimoto(panels, 7).value)


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=8))
def test_the_front_is_whoever_nobody_beats(methods):
    errors, stabilities = zip(*methods, strict=True)
    beaten = [
        any((e <= error and s >= stability) and (e, s) != (error, stability) for e, s in methods)
        for error, stability in methods
    ]
    assert on_front(errors, stabilities).tolist() == [not b for b in beaten]


Y = np.repeat([0, 1], 20)


def outcome(aggregator, n_wrong, panels, data="d", selector="s", itemsets=None):
    predicted = Y.copy()
    predicted[:n_wrong] = 1
    none = np.full((len(panels), 3), np.nan)
    return Outcome(
        data,
        selector,
        aggregator,
        [np.array(panel, dtype=np.intp) for panel in panels],
        {"svm": predicted, "knn": Y.copy()},
        none if itemsets is None else np.array(itemsets, dtype=float),
    )


STEADY = [[0, 1], [0, 1], [0, 1], [0, 2]]
ITEMSETS = [[4, 2.0, 0.5], [np.nan] * 3, [6, 3.0, 0.7], [5, 1.0, 0.6]]
SHAKY = [[0, 1], [2, 3], [4, 5], [0, 6]]


def test_tests_verdicts_and_points_by_hand():
    group = [outcome("nobagg", 12, SHAKY), outcome("a", 2, STEADY), outcome("b", 11, STEADY)]
    rows = {(r["classifier"], r["aggregator"]): r for r in figures_of(group, Y, 10)}
    bare, good, poor = (rows["svm", name] for name in ("nobagg", "a", "b"))
    assert (bare["error"], good["error"], poor["error"]) == (12 / 40, 2 / 40, 11 / 40)
    assert good["error_p"] == pytest.approx(binomtest(0, 10).pvalue)  # ten rows differ
    assert good["error_verdict"] == "better"
    assert (poor["error_verdict"], poor["error_p"]) == ("", 1.0)
    assert (bare["error_verdict"], bare["error_p"]) == ("", 1.0)
    # The first beats both others, which do not differ from each other.
    assert [r["error_points"] for r in (bare, good, poor)] == [0.5, 2.0, 0.5]
    steady, shaky = pair_similarities(STEADY), pair_similarities(SHAKY)
    assert good["stability_p"] == pytest.approx(ttest_rel(steady, shaky).pvalue)
    assert good["stability_p"] < 0.05
    assert good["stability_verdict"] == poor["stability_verdict"] == "better"
    assert [r["stability_points"] for r in (bare, good, poor)] == [0.0, 1.5, 1.5]
    assert {rows["knn", name]["error_points"] for name in ("nobagg", "a", "b")} == {1.0}


def test_worse_is_said_too():
    group = [outcome("nobagg", 2, STEADY), outcome("a", 12, SHAKY)]
    _, row = figures_of(group, Y, 10)[:2]
    assert row["error_verdict"] == row["stability_verdict"] == "worse"


@pytest.fixture
def comparison():
    facts = [DataFacts(name, 10, 4, ["u", "v"], Y, {}) for name in ("d", "e")]
    outcomes = [
        outcome(aggregator, n_wrong, panels, data, selector, itemsets)
        for data, extra in (("d", 0), ("e", 2))
        for selector, more in (("s", 0), ("t", 4))
        for aggregator, n_wrong, panels, itemsets in (
            ("nobagg", 12 + extra + more, SHAKY, None),
            (
                "a",
                2 + extra + more,
                STEADY,
                ITEMSETS,
            ),
        )
    ]
    settings = {"classifiers": {"svm": "SVM", "knn": "1NN"}}
    return Comparison(settings, facts, ["s", "t"], ["nobagg", "a"], outcomes)


def test_means_over_data_sets_and_the_front(comparison):
    means = comparison.methods().set_index(["selector", "aggregator"])
    assert means.loc[("s", "a"), "error"] == pytest.approx(3 / 40)
    assert means.loc[("t", "nobagg"), "error"] == pytest.approx(17 / 40)
    assert means["on_front"].to_dict() == {
        ("s", "nobagg"): False, ("s", "a"): True, ("t", "nobagg"): False, ("t", "a"): False,
    }  # fmt: skip
    assert comparison.front()[["selector", "aggregator"]].values.tolist() == [["s", "a"]]
    assert set(comparison.methods("knn")["error"]) == {0.0}
    assert len(comparison.front("knn")) == 2  # equal in both respects


def test_mean_points_by_selector_and_over_all(comparison):
    found = comparison.points()
    assert found["selector"].tolist() == ["s", "s", "t", "t", "all selectors", "all selectors"]
    assert found["error"].tolist() == [0, 1, 0, 1, 0, 1]
    assert found["stability"].tolist() == [0, 1, 0, 1, 0, 1]


def test_itemsets_are_averaged_over_the_folds_that_have_any(comparison):
    found = comparison.itemsets()
    assert set(found["aggregator"]) == {"a"}
    assert found[["number", "size", "support"]].values.tolist() == [pytest.approx([5, 2, 0.6])] * 4


def test_an_unknown_classifier_is_named(comparison):
    with pytest.raises(UsageError, match=r"No panel was judged by 'tree'; .* are svm, knn"):
        comparison.points("tree")


class Itemset(NamedTuple):
    features: np.ndarray
    support: int


def test_statistics_of_itemsets():
    models = FeatureModels([[0, 1], [1], [1], [2]], n_features=3)
    aggregator = MostFrequent()
    assert np.isnan(itemset_statistics(aggregator, models)).all()
    aggregator.itemsets_ = [Itemset(np.array([1]), 3), Itemset(np.array([0, 1]), 1)]
    assert itemset_statistics(aggregator, models).tolist() == [2, 1.5, 0.5]
    aggregator.itemsets_ = []
    assert np.isnan(itemset_statistics(aggregator, models)).all()
