"""A wrapper on unseen rows: every size as plain scikit-learn judges it, and nothing leaks."""

import json
from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.metrics import average_precision_score, roc_auc_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from consilience import BalancedWrapper, EnsembleSelector, evaluate_wrapper, make_planted
from consilience.evaluation.study import Fold, Study
from consilience.evaluation.wrapper_sizes import pool_sizes
from consilience.evaluation.wrappers import OTHERS, single_panel, single_wrapper, told_apart
from consilience.exceptions import UsageError
from consilience.execution import Progress
from consilience.results.plain import clean

MADE = make_planted(80, 12, n_blocks=2, class_balance=[4, 1], random_state=0)
X, Y = MADE.X, np.where(MADE.y == 1, "ill", "well")


def quick(**options):
    settings = {"n_features_to_select": 3, "ensemble_size": 3, "choice": "plain"}
    return BalancedWrapper(**settings | options)


def evaluate(wrapper, X=X, y=Y, **options):
    return evaluate_wrapper(wrapper, X, y, **{"n_splits": 3, "random_state": 0} | options)


@pytest.fixture
def fitted(monkeypatch):
    """Every model that a study fits, with its fold."""
    models, fit = [], Study.fit

    def spy(study, selector, fold, *rest):
        models.append((fold, fit(study, selector, fold, *rest)))
        return models[-1][1]

    monkeypatch.setattr(Study, "fit", spy)
    return models


@pytest.mark.parametrize("fitness", ["auc", "average_precision"])
def test_every_size_is_judged_as_plain_scikit_learn_would(fitted, fitness):
    measure = roc_auc_score if fitness == "auc" else average_precision_score
    found = evaluate(quick(fitness=fitness))
    areas = np.empty((2, 3, 3))  # wrapper, size, fold
    for fold, model in fitted:
        for size, subset in model.subsets_.items():
            machine = SVC(kernel="linear", C=0.5, class_weight="balanced")
            pipeline = make_pipeline(StandardScaler(), machine)
            pipeline.fit(X[fold.train][:, subset], Y[fold.train] == "ill")
            scores = pipeline.decision_function(X[fold.test][:, subset])
            place = int(model.balance is False), size - 1, fold.number
            areas[place] = measure(Y[fold.test] == "ill", scores)
    rows = found.sizes.rows
    assert [row.size for row in rows] == [1, 2, 3]
    for k, key in enumerate(("ensemble", "single")):
        assert_allclose([row.estimates[key].value for row in rows], areas[k].mean(axis=1))
        assert all(row.estimates[key].low <= row.estimates[key].value for row in rows)
    difference = areas[0].mean(axis=1) - areas[1].mean(axis=1)
    wins, losses = int((difference > 1e-12).sum()), int((difference < -1e-12).sum())
    assert found.sizes.score == (wins, 3 - wins - losses, losses)
    assert found.sizes.test.statistic == pytest.approx((wins - losses) ** 2 / (wins + losses))
    same = found.sizes.same_size()
    assert_allclose([same["ensemble"], same["single"]], areas[:, 2].mean(axis=1))
    better = areas[0, 2] - areas[1, 2]
    expected = [(better > 1e-12).sum(), (np.abs(better) < 1e-12).sum(), (better < -1e-12).sum()]
    assert [same[key] for key in ("wins", "ties", "losses")] == expected
    if fitness == "auc":  # the panel of three is the subset of three, whoever judges it
        last = rows[-1].estimates
        assert last["ensemble"] == found["ensemble"].auc
        assert last["single"] == found["single"].auc


def test_the_document_is_json_with_all_that_pages_share():
    told = clean(evaluate(quick(stop="permutation")).to_dict())
    assert json.loads(json.dumps(told, allow_nan=False)) == told
    keys = ["ensemble", "single", "all", "majority"]
    assert [method["key"] for method in told["methods"]] == keys
    assert told["methods"][0]["label"] == "ensemble wrapper panel"
    assert [row["against"] for row in told["differences"]] == keys[1:]
    assert told["positive"] == {"class": "ill", "share": 0.2}
    assert told["classes"] == [{"name": "ill", "count": 16}, {"name": "well", "count": 64}]
    assert told["protocol"]["classifier"] == "balanced-svm"
    first, majority = told["methods"][0], told["methods"][-1]
    ill = first["by_class"][0]
    assert ill["class"] == "ill"
    hits, missed = first["confusion"][0]
    assert ill["recall"]["value"] == hits / (hits + missed)
    assert ill["precision"]["value"] == hits / (hits + first["confusion"][1][0])
    assert ill["precision"]["low"] < ill["precision"]["value"] < ill["precision"]["high"]
    assert ill["average_precision"] == first["average_precision"]
    assert majority["by_class"][0]["precision"] is None
    assert majority["by_class"][0]["average_precision"]["value"] == pytest.approx(0.2, abs=0.01)


def test_noise_is_as_good_as_chance_though_the_search_thinks_otherwise():
    rng = np.random.default_rng(0)
    noise, y = rng.normal(size=(80, 60)), np.arange(80) % 5 == 0
    wrapper = quick(n_features_to_select=4, random_state=0)
    found = evaluate(wrapper, noise, y, n_splits=4)
    promised = wrapper.fit(noise, y).fitness_path_
    honest = [row.estimates["ensemble"].value for row in found.sizes.rows]
    assert min(promised) > 0.69
    assert max(honest) < 0.65  # with a leak they would be what the search promises
    assert 0.3 < found["single"].auc.value < 0.65


def test_a_fold_is_what_its_training_rows_alone_give(fitted):
    found = evaluate(quick())
    test = found.folds == 0
    broken = X.copy()
    broken[test] = -5 * broken[test]
    again = evaluate(quick(), broken)
    first, second = fitted[:6], fitted[6:]
    assert_array_equal(again.folds, found.folds)
    same = [
        all(np.array_equal(a.subsets_[size], b.subsets_[size]) for size in a.subsets_)
        for (_, a), (_, b) in zip(first, second, strict=True)
    ]
    assert same[:2] == [True, True]  # those of fold 0, which never saw its test rows
    assert not all(same[2:])


def test_the_figures_are_the_same_with_any_workers_and_resumed(tmp_path):
    wrapper = quick(search="floating", stop="permutation")

    def found(**options):
        return clean(evaluate(wrapper, **options).to_dict())

    told = found()
    assert found(n_jobs=2) == told
    assert found(n_jobs=2, backend="processes") == told

    class Impatient(Progress):
        def advance(self, n=1):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        evaluate(wrapper, checkpoint=tmp_path, progress=Impatient())
    kept = sorted(tmp_path.rglob("*.npz"))
    assert kept
    assert found(checkpoint=tmp_path) == told
    assert set(kept) <= set(tmp_path.rglob("*.npz"))


def test_groups_stay_together_outside_and_inside(fitted):
    groups = np.arange(80) // 2
    y = np.where(groups % 5 == 0, "ill", "well")
    found = evaluate(quick(), y=y, groups=groups)
    assert found.protocol["grouped"]
    for group in np.unique(groups):
        assert np.unique(found.folds[groups == group]).size == 1
    assert all(model.result_.settings["grouped"] for _, model in fitted)


def test_a_fold_without_a_row_to_find_takes_no_part():
    y = np.array([0, 0, 1, 0, 0, 1, 1, 0, 0, 0])
    study = Study.from_data(quick(), X[:10], y, groups=None, n_splits=3, random_state=0)
    tests = np.split(np.arange(10), [3, 7])
    folds = [Fold(k, np.arange(10), test, 0, 0, 0) for k, test in enumerate(tests)]

    def scores(values):
        return np.stack([np.column_stack([-np.array(v), v]) for v in np.array(values, float)])

    results = [
        {"ensemble": scores([[0, 1, 2], [0, 3, 2]]), "single": scores([[0, 1, 2], [0, 1, 2]])},
        {"ensemble": scores([[0, 1, 2, 3]]), "single": scores([[0, 3, 1, 2], [0, 1, 2, 3]])},
        {"ensemble": scores([[0, 1, 2]]), "single": scores([[0, 1, 2], [0, 1, 2]])},
    ]
    told = [
        {f"size_scores_{key}": own for key, own in result.items()}
        | {f"sizes_{key}": np.arange(1, len(own) + 1) for key, own in result.items()}
        | {"panel_ensemble": np.arange(len(result["ensemble"]))}
        for result in results
    ]
    found = pool_sizes(replace(study, folds=folds), told, 1, "auc")
    assert found.n_folds == 2
    one, two = found.rows
    assert one.n_folds == {"ensemble": 2, "single": 2}
    assert one.means == (1.0, 0.75)
    assert one.compared
    assert two.n_folds == {"ensemble": 1, "single": 2}
    assert (two.means, two.n_paired, two.compared) == ((0.5, 1.0), 1, True)
    assert two.estimates["single"].value == 1.0
    assert found.score == (1, 0, 1)
    # Panels of two and of one feature: 0.5 against 1, and 1 against 0.5.
    assert_array_equal(found.at_panel, [[0.5, 1.0], [1.0, 0.5]])
    none = replace(study, codes=np.zeros(10, dtype=int), folds=folds)
    assert pool_sizes(none, told, 1, "auc") is None


def test_several_classes_are_told_apart_as_the_wrapper_does():
    made = make_planted(
        90, 10, n_blocks=3, block_size=2, n_classes=3, class_balance=[4, 3, 2], random_state=0
    )
    names = np.array(["a", "b", OTHERS])[made.y]
    labels, minority = told_apart(quick(), names)
    assert (minority, set(labels)) == (OTHERS, {OTHERS, f"{OTHERS} but it"})
    smallest = clean(evaluate(quick(), made.X, made.y).to_dict())
    assert [c["name"] for c in smallest["classes"]] == ["2", OTHERS]
    assert smallest["positive"]["class"] == "2"
    each = evaluate(quick(multiclass="ovr", n_features_to_select=4), made.X, made.y)
    told = clean(each.to_dict())
    assert told["positive"] is None
    assert "average_precision" not in told["methods"][0]
    assert [row["class"] for row in told["methods"][0]["by_class"]] == ["0", "1", "2"]
    assert each.sizes.rows[-1].estimates["ensemble"] == each["ensemble"].auc
    areas = clean(
        evaluate(quick(multiclass="ovr", fitness="average_precision"), made.X, made.y).to_dict()
    )["by_size"]
    last = areas["rows"][0]["ensemble"]
    assert areas["measure"] == "average_precision"
    assert last["low"] is None
    assert 1 / 3 < last["value"] <= 1


@pytest.mark.parametrize(
    ("search", "stop", "sizes"),
    [("genetic", "one_se", [1, 2, 3]), ("swarm", None, [3]), ("backward", "one_se", range(1, 13))],
)
def test_the_single_wrapper_meets_the_sizes_of_its_rival(search, stop, sizes):
    wrapper = quick(search=search, stop=stop, n_generations=2, population=6)
    found = evaluate(wrapper)
    assert [row.size for row in found.sizes.rows] == list(sizes)
    assert all(row.compared for row in found.sizes.rows)
    assert {panel.size for panel in found["single"].panels} == {3}


def test_the_single_wrapper_is_the_same_search_without_help():
    single = single_wrapper(quick(stop="permutation", n_candidates=7, cv=4))
    assert (single.n_candidates, single.cv, single.n_features_to_select) == (7, 4, 3)
    few = single_wrapper(quick(n_candidates=2)).set_params(random_state=0)
    with pytest.warns(match="Only 2 of the 3 features"):
        few.fit(X, Y)
    assert single_panel(few).size == 2


def test_other_selectors_are_refused():
    with pytest.raises(UsageError, match="ask evaluate_selection"):
        evaluate_wrapper(EnsembleSelector(), X, Y)
