"""DAFS as a scikit-learn selector: checks, pickling, frames, pipelines, routing."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from numpy.testing import assert_array_equal
from scipy import sparse
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, GroupKFold, cross_val_score, cross_validate
from sklearn.naive_bayes import BernoulliNB, GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

from consilience import DAFS, BitMatrix, make_planted

PLANTED = make_planted(60, 60, n_blocks=3, block_size=3, effect=5.0, random_state=0)
X, y = PLANTED.X, PLANTED.y
ONES = (X > 1).astype(np.uint8)
NAMES = [f"gene {j}" for j in range(60)]
METHOD = DAFS("ridge", subspace_size=8, n_subspaces=150, random_state=0)


@parametrize_with_checks(
    [DAFS("knn", n_subspaces=10), DAFS("svm", n_subspaces=10), DAFS("ridge", n_subspaces=10)]
)
def test_scikit_learn_finds_nothing_to_say(estimator, check):
    check(estimator)


def test_a_fitted_method_survives_pickling():
    fitted = clone(METHOD).fit(X, y)
    again = pickle.loads(pickle.dumps(fitted))
    assert_array_equal(again.transform(X), fitted.transform(X))
    assert_array_equal(again.scores_, fitted.scores_)


def test_names_go_in_and_come_out():
    support = clone(METHOD).fit(X, y).support_
    expected = np.array(NAMES)[support].tolist()
    for frame in (pd.DataFrame(X, columns=NAMES), pl.DataFrame(X, schema=NAMES)):
        fitted = clone(METHOD).fit(frame, y)
        assert fitted.get_feature_names_out().tolist() == expected
    shown = clone(METHOD).set_output(transform="pandas").fit_transform(frame.to_pandas(), y)
    pd.testing.assert_frame_equal(shown, frame.to_pandas().loc[:, expected])


def test_fitting_again_forgets_the_past():
    fitted = clone(METHOD).fit(pd.DataFrame(X, columns=NAMES), y).fit(ONES[:, ::2], y)
    assert_array_equal(fitted.ranking_, clone(METHOD).fit(ONES[:, ::2], y).ranking_)
    assert fitted.n_features_in_ == 30
    assert not hasattr(fitted, "feature_names_in_")


def test_transform_keeps_the_storage():
    fitted = clone(METHOD).fit(ONES, y)
    expected = ONES[:, fitted.support_]
    assert_array_equal(fitted.transform(sparse.csc_array(ONES)).toarray(), expected)
    packed = fitted.transform(BitMatrix.from_array(ONES))
    assert isinstance(packed, BitMatrix)
    assert_array_equal(packed.toarray(), expected)


def test_the_data_of_the_caller_are_not_touched():
    for table in (X.copy(), np.asfortranarray(X)):
        table.flags.writeable = False
        before = table.tobytes()
        clone(METHOD).fit(table, y).transform(table)
        assert table.tobytes() == before
    stored = sparse.csr_array(ONES.astype(float))
    for array in (stored.data, stored.indices, stored.indptr):
        array.flags.writeable = False
    clone(METHOD).fit(stored, y)


def test_it_works_in_pipelines():
    pipeline = make_pipeline(clone(METHOD), BernoulliNB())
    packed = cross_val_score(pipeline, BitMatrix.from_array(ONES), y, cv=3)
    assert_array_equal(packed, cross_val_score(pipeline, ONES, y, cv=3))
    assert packed.mean() > 0.85
    sizes = {"dafs__n_features_to_select": [1, 9], "dafs__estimator": ["knn", "ridge"]}
    search = GridSearchCV(make_pipeline(clone(METHOD), GaussianNB()), sizes, cv=3).fit(X, y)
    assert search.best_score_ > 0.9
    assert search.best_estimator_[0].support_.sum() in (1, 9)


def test_groups_are_routed():
    groups = np.arange(60) // 3
    with sklearn.config_context(enable_metadata_routing=True):
        pipeline = make_pipeline(clone(METHOD).set_fit_request(groups=True), GaussianNB())
        routed = pipeline.fit(X, y, groups=groups)[0]
        told = cross_validate(pipeline, X, y, cv=GroupKFold(3), params={"groups": groups})
    assert (told["test_score"] > 0.8).all()
    assert_array_equal(routed.scores_, clone(METHOD).fit(X, y, groups=groups).scores_)
    assert (routed.scores_ != clone(METHOD).fit(X, y).scores_).any()


class Counter:
    """A callback of scikit-learn that counts finished tasks."""

    def __init__(self):
        self.finished = []

    def setup(self, estimator, context):
        pass

    def teardown(self, estimator, context):
        pass

    def on_fit_task_begin(self, estimator, context, **facts):
        pass

    def on_fit_task_end(self, estimator, context, **facts):
        if context.task_name == "samples":
            self.finished.append(context.task_id)


@pytest.mark.parametrize("verbose", [0, 1])
def test_callbacks_hear_of_every_task_once(verbose):
    counter = Counter()
    clone(METHOD).set_params(verbose=verbose).set_callbacks(counter).fit(X, y)
    assert len(counter.finished) == len(set(counter.finished)) == 50  # of three members each
