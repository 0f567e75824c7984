"""A comparison is the evaluations of its methods, without computing anything twice."""

import json
import warnings

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse
from sklearn.feature_selection import SelectKBest

from consilience import (
    CFS,
    AverageRank,
    BitMatrix,
    ChiSquare,
    EnsembleSelector,
    InformationGain,
    MostFrequent,
    ReliefF,
    SVMOne,
    SymmetricalUncertainty,
    Table,
    WeightedRank,
    evaluate_selection,
    make_planted,
)
from consilience.aggregation import AGGREGATORS as REGISTRY
from consilience.evaluation import Comparison, compare, compare_part
from consilience.exceptions import CheckpointError, ConsilienceWarning, DataError
from consilience.execution import Progress
from consilience.selectors import SELECTORS

QUICK = {"n_features_to_select": 5, "n_models": 10, "n_splits": 4, "random_state": 3}
AGGREGATORS = ["average-rank", "most-frequent"]


def planted(seed=0, n_features=30):
    return make_planted(48, n_features, effect=1.0, n_blocks=3, random_state=seed).table


@pytest.fixture(scope="module")
def tables():
    return {"one": planted(0), "two": planted(1)}


@pytest.fixture(scope="module")
def found(tables):
    return compare(tables, ["symmetrical-uncertainty", "cfs"], AGGREGATORS, **QUICK)


def bootstrapped(selector, aggregator):
    """The ensemble that draws what a comparison draws unless told otherwise."""
    return EnsembleSelector(
        selector, aggregator, n_features_to_select=5, n_models=10, sample_share=None
    )


def same(first, second):
    return json.dumps(first.to_dict(), sort_keys=True) == json.dumps(
        second.to_dict(), sort_keys=True
    )


def outcome(found, data, selector, aggregator):
    return next(
        o
        for o in found.outcomes
        if (o.data, o.selector, o.aggregator) == (data, selector, aggregator)
    )


@pytest.mark.parametrize("classifier", ["svm", "knn", "j48"])
@pytest.mark.parametrize(
    ("name", "selector"), [("symmetrical-uncertainty", SymmetricalUncertainty()), ("cfs", CFS())]
)
@pytest.mark.parametrize(
    ("aggregation", "aggregator"),
    [("average-rank", AverageRank()), ("most-frequent", MostFrequent())],
)
def test_every_figure_is_that_of_evaluate_selection(
    tables, found, name, selector, aggregation, aggregator, classifier
):
    ensemble = bootstrapped(selector, aggregator)
    table = tables["two"]
    alone = evaluate_selection(
        ensemble, table.X, table.y, n_splits=4, classifier=classifier, random_state=3
    )
    rows = found.table().set_index(["data", "selector", "aggregator", "classifier"])
    for method, key in ((aggregation, "ensemble"), ("nobagg", "plain")):
        mine = outcome(found, "two", name, method)
        for panel, other in zip(mine.panels, alone[key].panels, strict=True):
            assert_array_equal(np.sort(panel), other)
        assert_array_equal(mine.predicted[classifier], alone[key].predicted)
        row = rows.loc[("two", name, method, classifier)]
        assert row["error"] == alone[key].error.value
        assert row["error_high"] == alone[key].error.high
        assert row["balanced_accuracy"] == alone[key].balanced_accuracy.value
        assert row["nogueira"] == alone[key].stability["nogueira"]["value"]
        assert row["jaccard"] == pytest.approx(alone[key].stability["tanimoto"]["value"])


@pytest.fixture(scope="module")
def of_all(tables):
    return compare({"two": tables["two"]}, SELECTORS.names(), ["most-frequent"], ["knn"], **QUICK)


@pytest.mark.parametrize("name", SELECTORS.names())
def test_every_selector_takes_part(tables, of_all, name):
    ensemble = bootstrapped(SELECTORS[name].cls(), MostFrequent())
    X, y = tables["two"].X, tables["two"].y
    alone = evaluate_selection(ensemble, X, y, n_splits=4, classifier="knn", random_state=3)
    for method, key in (("most-frequent", "ensemble"), ("nobagg", "plain")):
        mine = outcome(of_all, "two", name, method)
        for panel, other in zip(mine.panels, alone[key].panels, strict=True):
            assert_array_equal(np.sort(panel), other)
        assert_array_equal(mine.predicted["knn"], alone[key].predicted)


@pytest.fixture(scope="module")
def by_all(tables):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConsilienceWarning)  # few models: itemsets run out
        return compare(
            {"one": tables["one"]}, ["svm-one"], REGISTRY.names(), ["knn"], n_jobs=2, **QUICK
        )


@pytest.mark.filterwarnings("ignore::consilience.exceptions.ConsilienceWarning")
@pytest.mark.parametrize("name", REGISTRY.names())
def test_every_aggregator_takes_part(tables, by_all, name):
    ensemble = bootstrapped(SVMOne(), REGISTRY[name].cls())
    X, y = tables["one"].X, tables["one"].y
    alone = evaluate_selection(ensemble, X, y, n_splits=4, classifier="knn", random_state=3)
    mine = outcome(by_all, "one", "svm-one", name)
    for panel, other in zip(mine.panels, alone["ensemble"].panels, strict=True):
        assert_array_equal(np.sort(panel), other)
    assert_array_equal(mine.predicted["knn"], alone["ensemble"].predicted)


@pytest.mark.filterwarnings("ignore::consilience.exceptions.ConsilienceWarning")
def test_itemsets_behind_the_panels_with_and_without_a_core():
    rng = np.random.default_rng(0)
    noise = rng.normal(size=(30, 60))
    y = np.arange(30) % 2
    clear = noise.copy()
    clear[:, :4] += 20 * y[:, None]  # in every model
    found = compare(
        {"noise": (noise, y), "clear": (clear, y)}, ["svm-one"],
        ["closed-itemsets", "maximal-itemsets", "most-frequent"], ["knn"], **QUICK,
    ).itemsets()  # fmt: skip
    assert set(found["aggregator"]) == {"closed-itemsets", "maximal-itemsets"}
    assert found["support"].between(0, 1, inclusive="right").all()
    sizes = found.groupby("data")["size"].min()
    assert sizes["clear"] >= 4  # the core is part of every itemset
    assert sizes["noise"] < 4
    few = found[found["data"] == "noise"].set_index("aggregator")["number"]
    assert (few >= 1).all()


def test_an_outcome_does_not_depend_on_its_company(tables, found):
    alone = compare({"two": tables["two"]}, ["cfs"], ["most-frequent"], ["knn"], **QUICK)
    for method in ("nobagg", "most-frequent"):
        mine, among = (outcome(f, "two", "cfs", method) for f in (alone, found))
        assert_array_equal(mine.predicted["knn"], among.predicted["knn"])
        for panel, other in zip(mine.panels, among.panels, strict=True):
            assert_array_equal(panel, other)


@pytest.mark.parametrize("backend", ["threads", "processes"])
def test_two_jobs_give_the_answer_of_one(tables, found, backend):
    again = compare(
        tables, ["symmetrical-uncertainty", "cfs"], AGGREGATORS, n_jobs=2, backend=backend, **QUICK
    )
    assert same(again, found)


def test_samples_may_be_a_share_of_the_rows(tables, monkeypatch):
    drawn, plain_fit = [], compare_part.fit_batch

    def watched(worker, prepared, plan, *rest):
        drawn.append(plan.draw(np.random.default_rng(0)))
        return plain_fit(worker, prepared, plan, *rest)

    monkeypatch.setattr(compare_part, "fit_batch", watched)
    compare(tables["one"], ["chi-square"], ["most-frequent"], ["knn"], sample_share=0.5, **QUICK)
    assert {(sample.max(), sample.sum()) for sample in drawn} == {(1, 18)}  # of 36 to learn from


def test_a_share_of_another_type_of_number_is_saved(tables, tmp_path):
    found = compare(
        tables["one"], ["chi-square"], ["most-frequent"], ["knn"],
        sample_share=np.float32(0.5), **QUICK,
    )  # fmt: skip
    found.save(tmp_path / "comparison.json")
    assert Comparison.load(tmp_path / "comparison.json").settings["sample_share"] == 0.5


def test_every_storage_gives_the_same_answer():
    rng = np.random.default_rng(0)
    y = np.arange(40) % 2
    X = (rng.random((40, 25)) < 0.3 + 0.4 * (y[:, None] * (np.arange(25) < 4))).astype(float)
    stored = [X, sparse.csr_array(X), BitMatrix.from_array(X), pd.DataFrame(X)]
    methods = (["chi-square", "svm-rfe"], ["weighted-rank", "most-frequent"], ["svm"])
    first, *others = (compare({"x": (data, y)}, *methods, **QUICK).table() for data in stored)
    for other in others:
        assert other.equals(first)


def test_bootstraps_are_selected_from_once_for_all_aggregators(tables, monkeypatch):
    models, plain_fit = [], compare_part.fit_batch

    def counted(worker, prepared, plan, rankings, task, judge):
        models.append(len(task[1]))
        return plain_fit(worker, prepared, plan, rankings, task, judge)

    monkeypatch.setattr(compare_part, "fit_batch", counted)
    compare(tables["one"], ["chi-square"], AGGREGATORS, ["knn"], **QUICK)
    assert sum(models) == 4 * 10


def test_a_panel_on_which_two_agree_is_judged_once(tables, monkeypatch):
    judged, plain_predict = [], compare_part.predict_columns

    def counted(judges, *arguments):
        judged.append(len(judges))
        return plain_predict(judges, *arguments)

    monkeypatch.setattr(compare_part, "predict_columns", counted)
    twins = {"first": MostFrequent(), "second": MostFrequent()}
    found = compare(tables["one"], ["chi-square"], twins, ["knn", "svm"], **QUICK)
    different = {
        (fold, tuple(np.sort(panel))) for o in found.outcomes for fold, panel in enumerate(o.panels)
    }
    assert len(judged) == len(different) <= 8
    _, first, second = found.outcomes
    assert_array_equal(first.predicted["svm"], second.predicted["svm"])


class StopAfter(Progress):
    """Ctrl-C once some parts are finished; counts what was done before the start."""

    def __init__(self, parts):
        self.parts = parts

    def start(self, total, done=0):
        self.total, self.done = total, done

    def advance(self, n=1):
        self.parts -= n
        if self.parts == 0:
            raise KeyboardInterrupt


def test_an_interrupted_comparison_goes_on_to_the_same_answer(tables, found, tmp_path):
    arguments = (tables, ["symmetrical-uncertainty", "cfs"], AGGREGATORS)
    with pytest.raises(KeyboardInterrupt):
        compare(*arguments, checkpoint=tmp_path / "kept", progress=StopAfter(5), **QUICK)
    watch = StopAfter(-1)
    again = compare(*arguments, checkpoint=tmp_path / "kept", progress=watch, **QUICK)
    assert (watch.done, watch.total) == (5, 2 * 4 * 2)
    assert same(again, found)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"n_models": 11}, "n_models is 10, this run's is 11"),
        ({"random_state": 4}, "random_state is 3, this run's is 4"),
        ({"aggregators": ["most-frequent"]}, "aggregators.average-rank"),
    ],
)
def test_the_checkpoint_of_another_comparison_is_refused(tables, tmp_path, change, reason):
    settings = {"aggregators": AGGREGATORS, "classifiers": ["knn"], "selectors": ["chi-square"]}
    settings |= QUICK | {"checkpoint": tmp_path / "kept"}
    compare(tables["one"], **settings)
    with pytest.raises(CheckpointError, match=reason):
        compare(tables["one"], **settings | change)


def test_saved_and_loaded_it_is_the_same(found, tmp_path):
    found.save(tmp_path / "comparison.json")
    again = Comparison.load(tmp_path / "comparison.json")
    assert same(again, found)
    assert again.table().equals(found.table())


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": "consilience.comparison"}', "null"])
def test_a_file_of_something_else_is_refused(tmp_path, text):
    path = tmp_path / "comparison.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match="does not hold a comparison"):
        Comparison.load(path)


def test_a_selector_of_another_library_takes_part(tables):
    found = compare(tables["one"], {"F test": SelectKBest()}, ["most-frequent"], ["knn"], **QUICK)
    assert {len(panel) for o in found.outcomes for panel in o.panels} == {5}


def test_two_folds_are_one_pair_and_decide_nothing_about_stability(tables):
    found = compare(
        tables["one"], ["chi-square"], AGGREGATORS, ["knn"], **QUICK | {"n_splits": 2}
    ).table()
    assert set(found["stability_points"]) == {1.0}
    assert set(found["stability_p"]) == {1.0}


def test_where_nothing_is_ever_selected_the_largest_class_is_predicted():
    y = np.repeat(["many", "few"], [20, 10])
    table = Table(np.ones((30, 8)), y, source="flat")
    with pytest.warns(ConsilienceWarning, match=r"no feature.*\(2 more such remarks"):
        found = compare(table, ["cfs"], AGGREGATORS, ["svm"], **QUICK | {"n_splits": 3})
    assert all(panel.size == 0 for o in found.outcomes for panel in o.panels)
    assert found.table()["error"].tolist() == pytest.approx([1 / 3] * 3)
    assert set(found.table()["jaccard"]) == {1.0}


def test_rows_of_one_group_stay_together():
    table = planted()
    groups = np.repeat(np.arange(24), 2)
    order = np.argsort(table.y, kind="stable")
    table = Table(table.X[order], table.y[order], groups=groups, source="grouped")
    found = compare(table, ["chi-square"], ["most-frequent"], ["knn"], **QUICK)
    ensemble = bootstrapped(ChiSquare(), MostFrequent())
    alone = evaluate_selection(
        ensemble, table.X, table.y, groups=groups, n_splits=4, classifier="knn", random_state=3
    )
    assert_array_equal(found.outcomes[1].predicted["knn"], alone["ensemble"].predicted)


def test_aggregators_that_need_weights_change_nothing_for_the_others(tables):
    table = tables["two"]
    found = compare({"two": table}, ["chi-square"], ["weighted-rank", "average-rank"], **QUICK)
    alone = compare({"two": table}, ["chi-square"], ["average-rank"], **QUICK)
    mine, among = (outcome(f, "two", "chi-square", "average-rank") for f in (alone, found))
    assert_array_equal(mine.panels, among.panels)
    ensemble = bootstrapped(ChiSquare(), WeightedRank())
    evaluated = evaluate_selection(ensemble, table.X, table.y, n_splits=4, random_state=3)
    weighted = outcome(found, "two", "chi-square", "weighted-rank")
    assert_array_equal(np.sort(weighted.panels), evaluated["ensemble"].panels)
    assert_array_equal(weighted.predicted["svm"], evaluated["ensemble"].predicted)


def test_a_remark_of_many_folds_is_made_once(tables):
    table = Table(tables["one"].X[:, :8], tables["one"].y, source="narrow")
    with pytest.warns(ConsilienceWarning) as heard:
        compare(
            {"narrow": table}, ["cfs"], ["most-frequent"], ["knn"],
            **QUICK | {"n_features_to_select": 8, "n_models": 2},
        )  # fmt: skip
    few, nothing = (str(warning.message) for warning in heard)
    assert "were ever selected" in few
    assert "(3 more such remarks" in few
    assert nothing.startswith("CFS selected no feature")  # used once, in one fold


def test_each_panel_is_judged_with_the_nominal_columns_of_its_selector():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 12))
    X[:, 0] = rng.integers(0, 5, 60)
    y = np.isin(X[:, 0], [0, 2, 4]).astype(int)  # no line through the codes tells the classes
    selectors = {"plain": ReliefF(), "told": InformationGain(categorical_features=[0])}
    turned = dict(reversed(selectors.items()))
    settings = QUICK | {"n_features_to_select": 1}
    first, second = (
        compare({"x": (X, y)}, each, ["most-frequent"], ["svm"], **settings)
        for each in (selectors, turned)
    )
    for name, selector in selectors.items():
        alone = evaluate_selection(
            bootstrapped(selector, MostFrequent()).set_params(n_features_to_select=1), X, y,
            n_splits=4, random_state=3,
        )  # fmt: skip
        for method, key in (("most-frequent", "ensemble"), ("nobagg", "plain")):
            for found in (first, second):
                mine = outcome(found, "x", name, method)
                assert_array_equal(mine.predicted["svm"], alone[key].predicted)
