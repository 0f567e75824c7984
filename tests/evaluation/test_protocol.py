import json
import threading
import warnings

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_selection import (
    SelectFromModel,
    SelectKBest,
    SelectorMixin,
    chi2,
    f_classif,
)
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import balanced_accuracy_score, confusion_matrix, roc_auc_score
from sklearn.model_selection import StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from consilience import EnsembleSelector, InformationGain, evaluate_selection, stability
from consilience.data.bits import BitMatrix
from consilience.exceptions import CheckpointError, ConsilienceWarning, DataError, UsageError
from consilience.execution import Checkpoint


class Halves(SelectorMixin, BaseEstimator):
    """A small stand-in for an ensemble: what two halves of the rows agree on, by the F test."""

    def __init__(self, selector, n_features_to_select=5, random_state=None):
        self.selector = selector
        self.n_features_to_select = n_features_to_select
        self.random_state = random_state

    def fit(self, X, y):
        scores = [f_classif(X[i::2], y[i::2])[0] for i in range(2)]
        best = np.argsort(-np.sum(scores, axis=0))[: self.n_features_to_select]
        self.support_ = np.isin(np.arange(X.shape[1]), best)
        return self

    def _get_support_mask(self):
        return self.support_


class Spy(SelectorMixin, BaseEstimator):
    """Remembers the rows that it was fitted on, by the number in column 0."""

    rows: list = []  # noqa: RUF012

    def __init__(self, n_features_to_select=2):
        self.n_features_to_select = n_features_to_select

    def fit(self, X, y, groups=None):
        Spy.rows.append((np.sort(np.asarray(X)[:, 0]).astype(int), groups))
        self.n_features_in_ = X.shape[1]
        return self

    def _get_support_mask(self):
        return np.arange(self.n_features_in_) < self.n_features_to_select


@pytest.fixture(scope="module")
def planted():
    """Sixty rows of three classes, five telling columns among 40."""
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1, 2], [25, 20, 15])
    X = rng.normal(size=(60, 40))
    X[:, 3:8] += 1.2 * np.stack([y == 1, y == 2, y == 0, y == 1, y == 2], axis=1)
    order = rng.permutation(60)
    return X[order], np.array(["ALL", "AML", "CLL"])[y[order]]


def twin(selector, X, y, model, n_splits, seed):
    """The protocol in plain scikit-learn: predictions, scores, panels and folds."""
    predicted, folds, panels = np.empty_like(y), np.empty(y.size, int), []
    scores = np.empty((y.size, np.unique(y).size))
    splitter = StratifiedKFold(n_splits, shuffle=True, random_state=seed)
    for k, (train, test) in enumerate(splitter.split(X, y)):
        panel = np.arange(X.shape[1])
        if selector is not None:
            panel = selector.fit(X[train], y[train]).get_support(indices=True)
        pipeline = make_pipeline(StandardScaler(), model).fit(X[train][:, panel], y[train])
        predicted[test] = pipeline.predict(X[test][:, panel])
        method = "decision_function" if hasattr(pipeline, "decision_function") else "predict_proba"
        values = getattr(pipeline, method)(X[test][:, panel])
        scores[test] = values if values.ndim == 2 else np.c_[-values, values]
        folds[test] = k
        panels.append(panel)
    return predicted, scores, panels, folds


@pytest.mark.parametrize(
    ("classifier", "model"),
    [
        ("svm", SVC(kernel="linear", C=0.5)),
        ("knn", KNeighborsClassifier(1)),
        ("tree", DecisionTreeClassifier(random_state=0)),
        (LogisticRegression(), LogisticRegression()),
    ],
)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_agrees_with_the_protocol_in_plain_scikit_learn(planted, classifier, model, n_classes):
    X, y = planted
    kept = np.isin(y, np.unique(y)[:n_classes])
    X, y = X[kept], y[kept]
    ensemble = Halves(SelectKBest(k=99))
    found = evaluate_selection(ensemble, X, y, n_splits=5, classifier=classifier, random_state=7)
    for key, selector in {"ensemble": ensemble, "plain": SelectKBest(k=5), "all": None}.items():
        predicted, scores, panels, folds = twin(selector, X, y, model, n_splits=5, seed=7)
        method = found[key]
        assert_array_equal(found.classes[method.predicted], predicted)
        assert_array_equal(found.folds, folds)
        assert method.error.value == pytest.approx((predicted != y).mean())
        assert method.balanced_accuracy.value == pytest.approx(
            balanced_accuracy_score(y, predicted)
        )
        assert_array_equal(method.confusion, confusion_matrix(y, predicted))
        expected = [(predicted != y)[folds == k].mean() for k in range(5)]
        assert method.fold_errors == pytest.approx(expected)
        if n_classes == 2:
            positive = y == np.unique(y)[1]
            areas = [roc_auc_score(positive[folds == k], scores[folds == k, 1]) for k in range(5)]
            assert method.auc.value == pytest.approx(np.mean(areas))
        if key != "all":
            assert_array_equal(method.panels, panels)
            expected = stability.nogueira(panels, 40)
            assert method.stability["nogueira"] == pytest.approx(vars(expected))
            assert method.n_features == 5


def test_the_document_is_json_and_complete(planted):
    X, y = planted
    found = evaluate_selection(Halves(SelectKBest()), X, y, n_splits=4, random_state=0)
    document = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert document["protocol"] == {
        "n_splits": 4,
        "classifier": "svm",
        "classifier_label": "linear SVM, C = 0.5",
        "scaled": True,
        "random_state": 0,
        "grouped": False,
    }
    keys = ["ensemble", "plain", "all", "majority"]
    assert [method["key"] for method in document["methods"]] == keys
    assert [difference["against"] for difference in document["differences"]] == keys[1:]
    for method in document["methods"]:
        for figure in ("error", "balanced_accuracy", "auc"):
            value = method[figure]
            assert 0 <= value["low"] <= value["value"] <= value["high"] <= 1
        assert len(method["fold_errors"]) == 4
        assert np.sum(method["confusion"]) == 60
    first, _, everything, majority = document["methods"]
    assert set(first["stability"]) == {"nogueira", "kuncheva", "tanimoto"}
    assert everything["stability"] is None
    assert everything["n_features"] == 40
    assert majority["n_features"] == 0
    assert majority["balanced_accuracy"]["value"] == pytest.approx(1 / 3)
    assert majority["auc"]["value"] == 0.5
    for difference in document["differences"]:
        assert difference["error"]["low"] <= difference["error"]["value"]
        assert 0 <= difference["error"]["p"] <= 1
    value = first["error"]["value"] - majority["error"]["value"]
    assert document["differences"][2]["error"]["value"] == pytest.approx(value)


def test_noise_shows_the_error_of_chance_while_selecting_first_would_not():
    rng = np.random.default_rng(1)
    X, y = (rng.random((60, 3000)) < 0.5).astype(float), np.tile([0, 1], 30)
    ensemble = EnsembleSelector(InformationGain(), n_models=10)
    honest = evaluate_selection(ensemble, X, y, n_splits=5, random_state=0)
    assert 0.35 < honest["ensemble"].error.value < 0.65
    assert 0.35 < honest["plain"].error.value < 0.65
    panel = ensemble.set_params(random_state=0).fit(X, y).get_support(indices=True)
    leaked = twin(None, X[:, panel], y, SVC(kernel="linear", C=0.5), n_splits=5, seed=0)[0]
    assert (leaked != y).mean() < 0.25


def test_no_step_of_a_selection_sees_a_row_that_it_is_tested_on():
    X = np.column_stack([np.arange(40.0), np.random.default_rng(0).normal(size=(40, 3))])
    y = np.tile([0, 1], 20)
    Spy.rows = []
    found = evaluate_selection(Spy(), X, y, n_splits=4, random_state=0)
    assert len(Spy.rows) == 4
    for k, (seen, _) in enumerate(Spy.rows):
        assert_array_equal(seen, np.flatnonzero(found.folds != k))


def test_no_classifier_sees_a_row_that_it_is_tested_on():
    seen = []

    class SpyingClassifier(DecisionTreeClassifier):
        def fit(self, X, y):
            seen.append((len(X), X.mean(), X.std()))
            return super().fit(X, y)

    rng = np.random.default_rng(0)
    X, y = rng.normal(5, 3, size=(40, 6)), np.tile([0, 1], 20)
    evaluate_selection(
        SelectKBest(k=2), X, y, n_splits=4, classifier=SpyingClassifier(), random_state=0
    )
    # Scaled by the training rows: exactly mean 0 and deviation 1 over these and no others.
    assert len(seen) == 8
    for n_rows, mean, deviation in seen:
        assert n_rows == 30
        assert mean == pytest.approx(0, abs=1e-9)
        assert deviation == pytest.approx(1)


def test_groups_are_kept_together_and_handed_to_a_selector_that_takes_them():
    groups = np.repeat(np.arange(12), 3)
    X = np.column_stack([np.arange(36.0), np.random.default_rng(0).normal(size=(36, 3))])
    Spy.rows = []
    found = evaluate_selection(Spy(), X, groups % 2, groups=groups, n_splits=3, random_state=0)
    assert found.protocol["grouped"]
    for k, (rows, routed) in enumerate(Spy.rows):
        assert_array_equal(groups[rows], routed)
        assert not set(groups[found.folds == k]) & set(routed)
    ensemble = EnsembleSelector(n_features_to_select=2, n_models=5)
    evaluate_selection(ensemble, X, groups % 2, groups=groups, n_splits=3, random_state=0)


@pytest.fixture(scope="module")
def binary():
    rng = np.random.default_rng(3)
    y = np.tile(["a", "b", "c"], 22)
    telling = (y[:, None] == np.array(["a", "b", "c"])[np.arange(90) % 3]) & (np.arange(90) < 12)
    return (rng.random((66, 90)) < 0.1 + 0.4 * telling).astype(float), y


@pytest.mark.parametrize("classifier", ["svm", "knn", "tree"])
def test_the_figures_do_not_depend_on_the_storage(binary, classifier):
    X, y = binary
    names = [f"gene {j}" for j in range(X.shape[1])]
    ensemble = EnsembleSelector(InformationGain(), n_features_to_select=6, n_models=8)
    tables = [
        X,
        X.astype(np.int8),
        sparse.csr_matrix(X),
        sparse.csc_array(X),
        BitMatrix.from_array(X),
        pd.DataFrame(X, columns=names),
    ]
    documents = [
        evaluate_selection(
            ensemble, table, y, n_splits=3, classifier=classifier, random_state=1
        ).to_dict()
        for table in tables
    ]
    for document in documents[1:]:
        assert document == documents[0]


def test_a_polars_frame_gives_the_same(planted):
    polars = pytest.importorskip("polars")
    X, y = planted
    frame = polars.DataFrame(X, schema=[f"g{j}" for j in range(X.shape[1])])
    selector = InformationGain(n_features_to_select=4)
    first, second = (
        evaluate_selection(selector, table, y, n_splits=3, random_state=0) for table in (X, frame)
    )
    assert first.to_dict() == second.to_dict()


def test_categories_and_missing_values_are_filled_and_spread(planted):
    X, y = planted
    frame = pd.DataFrame(X[:, 3:9].copy(), columns=list("abcdef"))
    frame["kind"] = pd.Categorical(np.where(y == "ALL", "red", "blue"))
    frame.loc[::7, "a"] = np.nan
    frame.loc[::9, "kind"] = None
    selector = InformationGain(n_features_to_select=3, categorical_features="from_dtype")
    found = evaluate_selection(selector, frame, y, n_splits=3, random_state=0)
    assert all(6 in panel for panel in found["ensemble"].panels)
    assert found["ensemble"].error.value < 0.4
    codes = frame.assign(kind=frame["kind"].cat.codes.replace(-1, np.nan)).to_numpy()
    masked = InformationGain(n_features_to_select=3, categorical_features=[6])
    again = evaluate_selection(masked, codes, y, n_splits=3, random_state=0)
    assert again.to_dict() == found.to_dict()


def test_any_number_of_jobs_gives_the_same_answer(planted):
    X, y = planted
    ensemble = EnsembleSelector(n_features_to_select=5, n_models=6, n_jobs=2)
    one, two = (
        evaluate_selection(ensemble, X, y, n_splits=4, random_state=5, n_jobs=n).to_dict()
        for n in (1, 2)
    )
    assert one == two
    other = evaluate_selection(ensemble, X, y, n_splits=4, random_state=6).to_dict()
    assert other != one


def test_folds_in_threads_leave_the_warnings_of_the_caller_alone():
    class Meddler(SelectKBest):
        def fit(self, X, y):
            # Entered in order and left in the same order, as threads may: the first to leave
            # restores the caller's filters, the last those of the first.
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                barrier.wait(timeout=30)
                super().fit(X, y)
            barrier.wait(timeout=30)
            return self

    barrier = threading.Barrier(2)
    X, y = np.random.default_rng(0).normal(size=(40, 6)), np.tile([0, 1], 20)
    before = list(warnings.filters)
    for seed in range(5):
        evaluate_selection(Meddler(k=2), X, y, n_splits=2, random_state=seed, n_jobs=2)
        assert warnings.filters == before


def test_random_parts_of_selector_and_classifier_hang_on_the_seed(planted):
    X, y = planted
    selector = SelectFromModel(RandomForestClassifier(5), max_features=4, threshold=-np.inf)
    runs = [
        evaluate_selection(
            selector, X, y, n_splits=3, classifier=RandomForestClassifier(5), random_state=2
        ).to_dict()
        for _ in range(2)
    ]
    assert runs[0] == runs[1]
    assert selector.estimator.random_state is None


def test_without_a_seed_the_one_drawn_is_told(planted):
    X, y = planted
    first = evaluate_selection(SelectKBest(k=3), X, y, n_splits=3)
    seed = first.protocol["random_state"]
    again = evaluate_selection(SelectKBest(k=3), X, y, n_splits=3, random_state=seed)
    assert again.to_dict() == first.to_dict()
    assert [method.key for method in first.methods] == ["ensemble", "all", "majority"]
    with pytest.raises(KeyError):
        first["plain"]


def test_a_selection_without_features_falls_back_to_the_largest_class(planted):
    X, y = planted
    found = evaluate_selection(Spy(n_features_to_select=0), X, y, n_splits=3, random_state=0)
    assert_array_equal(found["ensemble"].predicted, found["majority"].predicted)
    assert found["ensemble"].n_features == 0


def test_an_interrupted_evaluation_goes_on_where_it_stopped(planted, tmp_path):
    X, y = planted
    ensemble = EnsembleSelector(n_features_to_select=5, n_models=6)
    whole = evaluate_selection(ensemble, X, y, n_splits=4, random_state=0).to_dict()
    settings = {"n_splits": 4, "random_state": 0, "checkpoint": tmp_path / "run"}

    class Stop(Exception):
        pass

    class Interrupted(DecisionTreeClassifier):
        left = 7

        def fit(self, X, y):
            Interrupted.left -= 1
            if Interrupted.left < 0:
                raise Stop
            return super().fit(X, y)

    tree = Interrupted(random_state=0)
    with pytest.raises(Stop):
        evaluate_selection(ensemble, X, y, classifier=tree, **settings)
    done = Checkpoint(tmp_path / "run", None).keys()
    assert done == ["fold-0", "fold-1"]
    assert Checkpoint(tmp_path / "run", None).scope("fold-2").keys()
    Interrupted.left = 100
    resumed = evaluate_selection(ensemble, X, y, classifier=tree, **settings).to_dict()
    assert Interrupted.left == 100 - 6
    fresh = evaluate_selection(ensemble, X, y, classifier=tree, n_splits=4, random_state=0)
    assert resumed == fresh.to_dict()
    with pytest.raises(CheckpointError, match="another run"):
        evaluate_selection(ensemble, X, y, **settings)
    settings["checkpoint"] = Checkpoint(tmp_path / "other", {"run": 1}).scope("evaluation")
    assert evaluate_selection(ensemble, X, y, **settings).to_dict() == whole


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (SelectKBest(k=3), SelectKBest(k=4)),
        (SelectKBest(chi2, k=3), SelectKBest(f_classif, k=3)),
        (Halves(SelectKBest()), Halves(SelectKBest(chi2))),
        (
            InformationGain(categorical_features=np.arange(40) < 20),
            InformationGain(categorical_features=np.arange(40) < 21),
        ),
    ],
)
def test_a_checkpoint_of_other_settings_is_refused(planted, tmp_path, first, second):
    X, y = np.abs(planted[0]).round(), planted[1]
    settings = {"n_splits": 2, "random_state": 0, "checkpoint": tmp_path}
    evaluate_selection(first, X, y, **settings)
    manifest = (tmp_path / "manifest.json").read_text(encoding="utf-8")
    assert " at 0x" not in manifest
    with pytest.raises(CheckpointError, match="another run"):
        evaluate_selection(second, X, y, **settings)
    assert (tmp_path / "manifest.json").read_text(encoding="utf-8") == manifest


def test_the_caller_keeps_its_objects_as_they_were(planted):
    X, y = planted
    X, ensemble = X.copy(), EnsembleSelector(SelectKBest(k=2), n_models=4, n_features_to_select=3)
    before, settings = X.copy(), str(ensemble.get_params())
    evaluate_selection(ensemble, X, y, n_splits=3, random_state=0)
    assert_array_equal(X, before)
    assert str(ensemble.get_params()) == settings
    assert not hasattr(ensemble, "support_")


def test_bad_requests_get_a_sentence(planted):
    X, y = planted
    with pytest.raises(UsageError, match="give a selector with fit and get_support"):
        evaluate_selection("svm-rfe", X, y)
    with pytest.raises(UsageError, match="Unknown classifier 'svn'"):
        evaluate_selection(SelectKBest(), X, y, classifier="svn")
    with pytest.raises(DataError, match="inconsistent numbers of samples"):
        evaluate_selection(SelectKBest(), X, y[:-1])
    with pytest.raises(DataError, match="Class 'CLL' has one row only"):
        evaluate_selection(SelectKBest(), X[:3], np.array(["ALL", "ALL", "CLL"]))
    with pytest.raises(DataError, match="'x2' holds infinity in row 1"):
        evaluate_selection(SelectKBest(), np.where(np.arange(40) == 2, [[1], [np.inf]], 0), [0, 1])


def test_a_rare_class_lowers_the_folds_with_a_warning(planted):
    X, y = planted
    kept = np.flatnonzero((y != "CLL") | (np.cumsum(y == "CLL") <= 3))
    with pytest.warns(ConsilienceWarning, match="'CLL' has 3 rows, so .* 3 folds instead of 10"):
        found = evaluate_selection(SelectKBest(k=3), X[kept], y[kept], random_state=0)
    assert found.protocol["n_splits"] == 3
