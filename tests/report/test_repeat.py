import ast

import numpy as np
import pytest
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectKBest, SelectorMixin, f_classif

import consilience
from consilience import (
    AverageRank,
    ChiSquare,
    EnsembleSelector,
    MostFrequent,
    SymmetricalUncertainty,
    make_planted,
)
from consilience.aggregation.base import AGGREGATORS
from consilience.report import render as rendering
from consilience.report.render import render
from consilience.report.repeat import repeat
from consilience.report.summary import summarise
from consilience.selectors.base import SELECTORS
from report.standin import make_result
from report.test_render import Page

MADE = make_planted(40, 60, effect=1.0, random_state=3)
X = np.clip(np.round(2 * MADE.X), -3, 3)  # few values, so that every setting has a say
Y = MADE.y
GROUPS = np.repeat(np.arange(20), 2)
WEIGHTS = 1.0 + np.arange(40) % 3
MASK = np.arange(60) < 5
CASES = {
    "defaults": (None, None, {}),
    "not discretised": (SymmetricalUncertainty(discretize=None), None, {}),
    "no categories": (SymmetricalUncertainty(categorical_features=None), None, {}),
    "mask": (SymmetricalUncertainty(categorical_features=MASK), AverageRank(), {}),
    "empty mask": (SymmetricalUncertainty(categorical_features=MASK & False), None, {}),
    "bins": (ChiSquare(7, discretize="equal_width", n_bins=4), MostFrequent(), {}),
    "grouped": (None, None, {"groups": GROUPS}),
    "weighted": (None, None, {"sample_weight": WEIGHTS}),
    "both": (SymmetricalUncertainty(discretize=None), None, {"sample_weight": WEIGHTS} | {
        "groups": GROUPS
    }),
}  # fmt: skip


def fitted(selector=None, aggregator=None, **given):
    ensemble = EnsembleSelector(
        selector, aggregator, n_features_to_select=6, n_models=12, random_state=5
    )
    return ensemble.fit(X, Y, **given).result_


@pytest.mark.parametrize(("selector", "aggregator", "given"), CASES.values(), ids=CASES)
def test_the_lines_give_the_same_selection(selector, aggregator, given):
    result = fitted(selector, aggregator, **given)
    found = repeat(result.to_dict())
    assert found["exact"]
    names = {"X": X, "y": Y} | given
    exec(found["text"], names)
    again = names["selection"].result_
    np.testing.assert_array_equal(again.models.rankings, result.models.rankings)
    assert [panel.tolist() for panel in again.panels] == [p.tolist() for p in result.panels]


def test_the_cases_differ_so_that_a_lost_setting_would_show():
    lost = fitted().models.rankings
    for name in ("not discretised", "mask", "bins", "grouped", "weighted", "both"):
        selector, aggregator, given = CASES[name]
        assert not np.array_equal(fitted(selector, aggregator, **given).models.rankings, lost), name


@pytest.mark.parametrize("registry", [SELECTORS, AGGREGATORS], ids=lambda r: r.family)
def test_every_method_of_ours_is_public(registry):
    """The lines import it from the package itself."""
    for entry in registry:
        if entry.cls.__module__.startswith("consilience."):
            assert getattr(consilience, entry.cls.__name__) is entry.cls


def test_only_what_is_no_default_is_written():
    text = repeat(fitted(SymmetricalUncertainty(discretize=None)).to_dict())["text"]
    assert "SymmetricalUncertainty(discretize=None)," in text
    assert "AverageRank()," in text
    assert "sample_share=0.8," in text
    assert "RidgeRFE()," in repeat(fitted().to_dict())["text"]


def test_a_selector_of_scikit_learn_comes_from_its_own_module():
    found = repeat(fitted(SelectKBest(f_classif, k=4)).to_dict())
    assert not found["exact"]
    ast.parse(found["text"])
    assert "from sklearn.feature_selection import SelectKBest\n" in found["text"]
    assert "score_func=...," in found["text"].replace(")", ",")
    assert "_univariate_selection" not in found["text"]


class Mine(SelectorMixin, BaseEstimator):
    """A selector of the user's own."""

    def __init__(self, flavour="sweet"):
        self.flavour = flavour

    def fit(self, X, y):
        self.n_features_in_ = X.shape[1]
        self.scores_ = np.abs(X[y == y[0]].mean(axis=0) - X.mean(axis=0))
        return self

    def _get_support_mask(self):
        return self.scores_ >= np.sort(self.scores_)[-6]


def test_a_class_of_the_user_is_imported_from_where_it_is_and_nothing_is_promised():
    found = repeat(fitted(Mine()).to_dict())
    assert f"from {Mine.__module__} import Mine\n" in found["text"]
    assert "Mine(flavour='sweet')," in found["text"]
    assert not found["exact"]


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ([True] * 30, None),
        (list(range(21)), None),
        ([2, 5], "[2, 5]"),
        ("numpy.random.RandomState", None),
        ({"name": "Thing", "params": {}}, None),
        ([[1, 2], "a b"], None),
    ],
)
def test_a_value_that_cannot_be_written_is_left_open(value, written):
    document = make_result(command=None).to_dict()
    document["settings"]["selector"]["params"] = {"categorical_features": value}
    found = repeat(document)
    ast.parse(found["text"])
    assert f"SymmetricalUncertainty(categorical_features={written or '...'})," in found["text"]
    assert found["exact"] == (written is not None)


@pytest.mark.parametrize("path", ["__main__.Mine", "a.f.<locals>.Mine", "os; x\n.Mine", "Mine"])
def test_a_class_that_cannot_be_imported_is_not_imported(path):
    document = make_result(command=None).to_dict()
    document["settings"]["selector"] |= {"name": "Mine", "class": path}
    found = repeat(document)
    ast.parse(found["text"])
    assert found["text"].count("import") == 1
    assert not found["exact"]


def test_the_page_promises_only_what_holds(monkeypatch):
    monkeypatch.setattr(rendering, "_plotly", lambda: "// plotly")
    exact = Page(render(summarise(fitted(groups=GROUPS)))).text
    assert "On the same data these lines give the same selection again." in exact
    assert ").fit(X, y, groups=groups)" in exact
    assert "drawn by groups" in exact
    free = Page(render(summarise(fitted(SelectKBest(f_classif, k=4), sample_weight=None)))).text
    assert "give the same selection again" not in free
    assert "with the settings below" in free
    assert "f_classif" in free


def test_a_setting_of_none_that_is_no_default_is_told():
    (row, *_) = summarise(fitted(SymmetricalUncertainty(discretize=None)))["settings"]
    assert "discretize\u00a0=\u00a0None" in row[2]
    assert "random_state" not in row[2]
