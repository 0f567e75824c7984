"""What BalancedWrapper promises as an estimator: checks, order, storage, workers, interruptions."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from numpy.testing import assert_array_equal
from scipy import sparse
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    KFold,
    cross_val_score,
    cross_validate,
)
from sklearn.naive_bayes import BernoulliNB, GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from consilience import BalancedWrapper, BalancedWrapperResult, BitMatrix, load_result
from consilience.exceptions import CheckpointError, UsageError
from consilience.execution import Checkpoint

rng = np.random.default_rng(0)
y = rng.permutation(np.arange(80) < 16).astype(int)
X = rng.normal(size=(80, 12))
X[:, 3] += 3.0 * y
X[:, 8] += 1.5 * y
ONES = (X > 0.7).astype(np.uint8)
NAMES = [f"gene {j}" for j in range(12)]
METHOD = BalancedWrapper(n_features_to_select=2, ensemble_size=4, cv=3, random_state=0)
VARIANTS = [
    METHOD,
    clone(METHOD).set_params(choice="plain", balance=False, ensemble_size=1),
    clone(METHOD).set_params(stop="permutation"),
    clone(METHOD).set_params(search="floating", stop="one_se"),
    clone(METHOD).set_params(search="backward", redraw="evaluation"),
    clone(METHOD).set_params(search="genetic", n_generations=4),
    clone(METHOD).set_params(search="swarm", n_generations=4, stop="one_se"),
]
every_variant = pytest.mark.parametrize(
    "method", VARIANTS, ids=lambda method: f"{method.search}-{method.choice}-{method.stop}"
)


def assert_same_answer(found, expected):
    assert_array_equal(found.selected_, expected.selected_)
    for name, values in expected.fitness_path_.to_arrays().items():
        assert_array_equal(getattr(found.fitness_path_, name), values)
    assert_array_equal(found.contributions_, expected.contributions_)
    for name in ("ranking_", "scores_"):
        assert_array_equal(getattr(found, name), getattr(expected, name))
    assert (found.n_evaluations_, found.refused_) == (expected.n_evaluations_, expected.refused_)
    for own, other in ((found.subsets_, expected.subsets_), (found.history_, expected.history_)):
        assert (own is None) == (other is None)
        for key in other or ():
            assert_array_equal(own[key], other[key])


@pytest.mark.filterwarnings("ignore:2 features were asked for:UserWarning")
@pytest.mark.filterwarnings("ignore:Only .* of the .* features asked for:UserWarning")
@pytest.mark.filterwarnings("ignore:Not even the best feature:UserWarning")
@parametrize_with_checks(
    [
        BalancedWrapper(n_features_to_select=2, ensemble_size=2, cv=2),
        BalancedWrapper(search="genetic", n_features_to_select=2, ensemble_size=2, cv=2,
                        n_generations=2, choice="plain"),
    ]
)  # fmt: skip
def test_scikit_learn_finds_nothing_to_say(estimator, check):
    check(estimator)


@every_variant
def test_the_same_seed_gives_the_same_answer_for_any_number_of_workers(method):
    expected = clone(method).fit(X, y)
    assert_same_answer(clone(method).fit(X, y), expected)
    assert_same_answer(clone(method).set_params(n_jobs=2).fit(X, y), expected)


def test_parts_of_an_estimator_draw_by_the_seed():
    parts = make_pipeline(StandardScaler(), DecisionTreeClassifier(max_features=1))
    method = clone(METHOD).set_params(
        estimator=parts, n_candidates=3, ensemble_size=2, choice="plain"
    )
    assert_same_answer(clone(method).fit(X, y), clone(method).fit(X, y))


def test_processes_give_the_answer_of_threads():
    for estimator in (None, LogisticRegression()):
        method = clone(METHOD).set_params(estimator=estimator, choice="plain", n_candidates=6)
        expected = clone(method).fit(X, y)
        found = clone(method).set_params(n_jobs=2, backend="processes").fit(X, y)
        assert_same_answer(found, expected)


@every_variant
def test_permuted_rows_and_columns_give_the_same_features(method):
    expected = clone(method).fit(X, y)
    rows, columns = (
        np.random.default_rng(1).permutation(80),
        np.random.default_rng(2).permutation(12),
    )
    found = clone(method).fit(X[rows][:, columns], y[rows])
    assert_array_equal(columns[found.selected_], expected.selected_)
    assert_array_equal(found.fitness_path_.fitness, expected.fitness_path_.fitness)


@every_variant
def test_every_storage_gives_the_same_answer(method):
    expected = clone(method).fit(ONES, y)
    for table in (ONES.astype(np.float32), sparse.csr_array(ONES), sparse.csc_matrix(ONES),
                  BitMatrix.from_array(ONES)):  # fmt: skip
        assert_same_answer(clone(method).fit(table, y), expected)


def test_names_go_in_and_come_out():
    expected = np.array(NAMES)[clone(METHOD).fit(X, y).support_].tolist()
    for frame in (pd.DataFrame(X, columns=NAMES), pl.DataFrame(X, schema=NAMES)):
        fitted = clone(METHOD).fit(frame, y)
        assert fitted.get_feature_names_out().tolist() == expected
    shown = clone(METHOD).set_output(transform="pandas").fit_transform(frame.to_pandas(), y)
    assert shown.columns.tolist() == expected


def test_categories_of_a_frame_are_those_of_a_mask():
    words = np.random.default_rng(0).choice(["cold", "dry", "hot"], 80)
    words[y == 1] = "dry"
    table = np.column_stack([np.unique(words, return_inverse=True)[1], X[:, [0, 1, 2, 4, 5]]])
    frame = pd.DataFrame(table, columns=NAMES[:6])
    frame[NAMES[0]] = pd.Categorical(words, ["hot", "foggy", "dry", "cold"])
    expected = clone(METHOD).set_params(categorical_features=[0]).fit(table, y)
    assert expected.selected_[0] == 0
    for given in (frame, pl.from_pandas(frame)):
        assert_same_answer(clone(METHOD).fit(given, y), expected)


def test_it_survives_pickling_and_forgets_the_past():
    fitted = clone(METHOD).fit(pd.DataFrame(X, columns=NAMES), y)
    again = pickle.loads(pickle.dumps(fitted))
    assert_same_answer(again, fitted)
    fitted.fit(ONES[:, ::2], y)
    assert_same_answer(fitted, clone(METHOD).fit(ONES[:, ::2], y))
    assert not hasattr(fitted, "feature_names_in_")


def test_the_data_of_the_caller_are_not_touched():
    for table in (X.copy(), np.asfortranarray(X)):
        table.flags.writeable = False
        before = table.tobytes()
        clone(METHOD).fit(table, y).transform(table)
        assert table.tobytes() == before


def test_it_works_in_pipelines_and_searches():
    pipeline = make_pipeline(clone(METHOD), BernoulliNB())
    packed = cross_val_score(pipeline, BitMatrix.from_array(ONES), y, cv=3)
    assert_array_equal(packed, cross_val_score(pipeline, ONES, y, cv=3))
    sizes = {"balancedwrapper__n_features_to_select": [1, 2]}
    search = GridSearchCV(make_pipeline(clone(METHOD), GaussianNB()), sizes, cv=3).fit(X, y)
    assert search.best_estimator_[0].support_[3]


def test_groups_are_held_out_together_and_routed():
    groups = np.arange(80) // 4
    with sklearn.config_context(enable_metadata_routing=True):
        pipeline = make_pipeline(clone(METHOD).set_fit_request(groups=True), GaussianNB())
        routed = pipeline.fit(X, y, groups=groups)[0]
        cross_validate(pipeline, X, y, cv=GroupKFold(3), params={"groups": groups})
    expected = clone(METHOD).fit(X, y, groups=groups)
    assert_same_answer(routed, expected)
    assert (expected.fitness_path_.fitness != clone(METHOD).fit(X, y).fitness_path_.fitness).any()


@pytest.mark.parametrize("n_groups", [3, 4, 7])
def test_a_few_groups_may_leave_folds_empty(n_groups):
    groups = np.arange(80) % n_groups
    found = clone(METHOD).set_params(cv=5).fit(X, y, groups=groups)
    assert found.selected_[0] == 3
    assert np.isfinite(found.fitness_path_.se).all()


class Stopped(Exception):
    """As good as Ctrl-C."""


@every_variant
@pytest.mark.parametrize("n_kept", [1, 3])
def test_an_interrupted_fit_goes_on_to_the_same_answer(method, n_kept, tmp_path, monkeypatch):
    expected = clone(method).fit(X, y)
    stored, store = [], Checkpoint.store

    def stop_after(self, key, arrays):
        store(self, key, arrays)
        stored.append(key)
        if len(stored) == n_kept:
            raise Stopped

    with monkeypatch.context() as patched:
        patched.setattr(Checkpoint, "store", stop_after)
        with pytest.raises(Stopped):
            clone(method).set_params(checkpoint=tmp_path / "run").fit(X, y)
    resumed = clone(method).set_params(checkpoint=tmp_path / "run").fit(X, y)
    assert_same_answer(resumed, expected)


def test_a_checkpoint_of_another_run_is_refused(tmp_path):
    clone(METHOD).set_params(checkpoint=tmp_path / "run").fit(X, y)
    with pytest.raises(CheckpointError, match="its ensemble_size is 4, this run's is 5"):
        clone(METHOD).set_params(checkpoint=tmp_path / "run", ensemble_size=5).fit(X, y)
    with pytest.raises(CheckpointError, match="its data is"):
        clone(METHOD).set_params(checkpoint=tmp_path / "run").fit(X + 1, y)
    with pytest.raises(CheckpointError, match="its data is"):
        clone(METHOD).set_params(checkpoint=tmp_path / "run").fit(X, y, groups=np.arange(80) // 4)
    with pytest.raises(UsageError, match="give random_state a number and the run can be resumed"):
        clone(METHOD).set_params(checkpoint=tmp_path / "new", random_state=None).fit(X, y)


def test_a_checkpoint_knows_splits_and_categories(tmp_path):
    table = np.column_stack([X, np.arange(80) % 3])
    method = clone(METHOD).set_params(checkpoint=tmp_path / "run", cv=KFold(3))
    found = clone(method).fit(table, y)
    assert_same_answer(clone(method).fit(table, y), found)  # resumed
    for other in ({"cv": KFold(3, shuffle=True, random_state=1)}, {"categorical_features": [12]}):
        with pytest.raises(CheckpointError, match=r"its (data|categorical_features) is"):
            clone(method).set_params(**other).fit(table, y)


@every_variant
def test_the_result_is_read_as_it_was_saved(method, tmp_path):
    result = clone(method).fit(pd.DataFrame(X, columns=NAMES), y).result_
    result.save(tmp_path)
    for again in (load_result(tmp_path), BalancedWrapperResult.load(tmp_path)):
        assert again.to_dict() == result.to_dict()
        pd.testing.assert_frame_equal(again.panel, result.panel)
    rows = result.to_dict()["panels"][0]["features"]
    assert [row["feature"] for row in rows] == result.panel["feature"].tolist()


def test_equal_features_are_taken_by_seed_and_not_by_column():
    copies = np.repeat(X[:, [3]], 10, axis=1)
    taken = {
        int(clone(METHOD).set_params(random_state=seed, n_features_to_select=1)
            .fit(copies, y).selected_[0])
        for seed in range(12)
    }  # fmt: skip
    assert len(taken) > 4
