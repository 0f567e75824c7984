"""What every method promises, whichever it is: registered means tested."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.base import clone
from sklearn.metrics import accuracy_score, make_scorer
from sklearn.model_selection import GridSearchCV, GroupKFold, cross_val_score, cross_validate
from sklearn.naive_bayes import BernoulliNB, GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

from consilience import CFS, BitMatrix, EnsembleSelector, MarkovBlanket, ReliefF, make_planted
from consilience.aggregation import AGGREGATORS
from consilience.selectors import SELECTORS
from consilience.selectors.filters import DiscretisingFilter

# The planted features are so clear that there are fewer different models than panels.
pytestmark = [
    pytest.mark.filterwarnings("ignore:.* panels were asked for:UserWarning"),
    pytest.mark.filterwarnings("ignore:Only .* features are in itemsets of:UserWarning"),
]

SELECTION = [entry.cls for entry in SELECTORS]
UNIVARIATE = [cls for cls in SELECTION if issubclass(cls, DiscretisingFilter)]
# These leave columns without an MDL cut in an order that only the seed decides.
ORDERED = [cls for cls in SELECTION if cls not in (CFS, MarkovBlanket)]
AGGREGATION = [entry.cls for entry in AGGREGATORS]

# Nine strong features of sixty: every sample of the rows puts them first.
PLANTED = make_planted(60, 60, n_blocks=3, block_size=3, effect=5.0, random_state=0)
X, y = PLANTED.X, PLANTED.y
RELEVANT = np.flatnonzero(PLANTED.relevant)
ONES = (X > 1).astype(np.uint8)
NAMES = [f"gene {j}" for j in range(X.shape[1])]


def single(cls, **options):
    return cls(**{"n_features_to_select": RELEVANT.size, "random_state": 0} | options)


def ensemble(**options):
    defaults = {"n_features_to_select": RELEVANT.size, "n_models": 12, "random_state": 0}
    # CFS leaves out what tells the same: only bootstraps are so different that all nine come up.
    share = None if isinstance(options.get("selector"), CFS) else 0.8
    return EnsembleSelector(**defaults | {"sample_share": share} | options)


EVERY = (
    [pytest.param(single(cls), id=cls.__name__) for cls in SELECTION]
    + [pytest.param(ensemble(selector=cls()), id=f"of {cls.__name__}") for cls in SELECTION]
    + [pytest.param(ensemble(aggregator=cls()), id=f"by {cls.__name__}") for cls in AGGREGATION]
)
every_selector = pytest.mark.parametrize("cls", SELECTION)
every_method = pytest.mark.parametrize("method", EVERY)
# CFS fixes the size of its subset itself; as a member of an ensemble it does not matter.
every_sized_method = pytest.mark.parametrize("method", [m for m in EVERY if m.id != "CFS"])

COPIES = "copies of a row are not its neighbours, weights being how bootstraps hold copies"
EXPECTED = {
    ReliefF: {
        "check_sample_weight_equivalence_on_dense_data": COPIES,
        "check_sample_weight_equivalence_on_sparse_data": COPIES,
    }
}


@pytest.mark.filterwarnings("ignore:20 features were asked for:UserWarning")  # its data have few
@pytest.mark.filterwarnings("ignore:CFS selected no feature:UserWarning")  # nothing to find there
@pytest.mark.filterwarnings("ignore:No features were selected:UserWarning")
@parametrize_with_checks(
    [*(cls() for cls in SELECTION), EnsembleSelector(n_models=10)],
    expected_failed_checks=lambda estimator: EXPECTED.get(type(estimator), {}),
)
def test_scikit_learn_finds_nothing_to_say(estimator, check):
    check(estimator)


@every_sized_method
def test_the_planted_features_are_found(method):
    assert_array_equal(np.flatnonzero(clone(method).fit(X, y).support_), RELEVANT)


@every_method
def test_the_ranking_is_a_permutation_with_the_support_first(method):
    fitted = clone(method).fit(X, y)
    assert sorted(fitted.ranking_) == list(range(1, 61))
    assert_array_equal(fitted.support_, fitted.ranking_ <= fitted.support_.sum())
    assert_array_equal(fitted.get_support(), fitted.support_)


def assert_scores_agree(cls, found, expected):
    """Filters to the last bit, others but for the order in which they add."""
    if cls in UNIVARIATE:
        assert found.tobytes() == expected.tobytes()
    assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


@every_selector
def test_better_scores_rank_higher(cls):
    fitted = single(cls).fit(X, y)
    assert fitted.scores_.shape == (60,)
    assert (np.diff(fitted.scores_[np.argsort(fitted.ranking_)]) <= 0).all()


@pytest.mark.parametrize("cls", ORDERED)
def test_permuted_columns_give_permuted_scores(cls):
    order = np.random.default_rng(1).permutation(60)
    expected = single(cls).fit(X, y).scores_[order]
    found = single(cls).fit(X[:, order], y).scores_
    assert_scores_agree(cls, found, expected)


@every_sized_method
def test_permuted_columns_give_the_same_panel(method):
    order = np.random.default_rng(1).permutation(60)
    found = order[clone(method).fit(X[:, order], y).support_]
    assert_array_equal(np.sort(found), RELEVANT)


@every_selector
def test_permuted_rows_give_the_same_scores(cls):
    order = np.random.default_rng(1).permutation(60)
    expected = single(cls).fit(X, y).scores_
    assert_scores_agree(cls, single(cls).fit(X[order], y[order]).scores_, expected)


@every_selector
def test_permuted_rows_give_the_same_ensemble(cls):
    # Rows are drawn by their content, so the same rows are in every sample.
    order = np.random.default_rng(1).permutation(60)
    expected = ensemble(selector=cls()).fit(X, y).models_
    assert ensemble(selector=cls()).fit(X[order], y[order]).models_ == expected


@pytest.mark.parametrize("cls", UNIVARIATE)
def test_a_copied_column_ties_and_changes_no_other_score(cls):
    expected = single(cls).fit(X, y).scores_
    found = single(cls).fit(np.column_stack([X, X[:, RELEVANT[0]]]), y).scores_
    assert found[:-1].tobytes() == expected.tobytes()
    assert found[-1] == found[RELEVANT[0]]


@every_method
@pytest.mark.parametrize("kind", [np.array, sparse.csr_array, sparse.csc_array, pd.DataFrame])
def test_the_data_of_the_caller_are_not_touched(method, kind):
    given_X, given_y = kind(ONES.astype(float)), y.copy()
    arrays = [given_y]
    if sparse.issparse(given_X):
        arrays += [given_X.data, given_X.indices, given_X.indptr]
    else:
        arrays.append(np.asarray(given_X))
    before = [array.tobytes() for array in arrays]
    for array in arrays:
        array.flags.writeable = False
    clone(method).fit(given_X, given_y).transform(given_X)
    assert [array.tobytes() for array in arrays] == before


@every_method
def test_parameters_are_not_touched(method):
    fitted = clone(method)
    before = repr(fitted.get_params())
    fitted.fit(X, y)
    assert repr(fitted.get_params()) == before
    assert repr(clone(fitted).get_params()) == before
    assert not hasattr(clone(fitted), "support_")


@every_method
def test_a_fitted_method_survives_pickling(method):
    fitted = clone(method).fit(X, y)
    again = pickle.loads(pickle.dumps(fitted))
    assert_array_equal(again.transform(X), fitted.transform(X))
    assert_array_equal(again.ranking_, fitted.ranking_)


@every_method
def test_the_same_seed_gives_the_same_answer_and_another_other_ties(method):
    noise = np.tile(np.random.default_rng(0).normal(size=(30, 40)), 5)  # copies tie
    labels = np.arange(30) % 2
    first, again = (clone(method).fit(noise, labels).ranking_ for _ in range(2))
    assert_array_equal(first, again)
    other = clone(method).set_params(random_state=1).fit(noise, labels)
    assert (first != other.ranking_).any()


@every_method
def test_fitting_again_forgets_the_past(method):
    fitted = clone(method).fit(pd.DataFrame(X, columns=NAMES), y)
    fitted.fit(ONES[:, ::2], y)
    expected = clone(method).fit(ONES[:, ::2], y)
    assert_array_equal(fitted.ranking_, expected.ranking_)
    assert fitted.n_features_in_ == 30
    assert not hasattr(fitted, "feature_names_in_")


@every_sized_method
def test_names_go_in_and_come_out(method):
    expected = np.array(NAMES)[RELEVANT].tolist()
    for frame in (pd.DataFrame(X, columns=NAMES), pl.DataFrame(X, schema=NAMES)):
        fitted = clone(method).fit(frame, y)
        assert fitted.feature_names_in_.tolist() == NAMES
        assert fitted.get_feature_names_out().tolist() == expected
    assert clone(method).fit(X, y).get_feature_names_out().tolist() == [f"x{j}" for j in RELEVANT]


@every_sized_method
def test_output_as_a_frame(method):
    frame = pd.DataFrame(X, columns=NAMES, index=[f"patient {i}" for i in range(60)])
    shown = clone(method).set_output(transform="pandas").fit(frame, y).transform(frame)
    pd.testing.assert_frame_equal(shown, frame.iloc[:, RELEVANT])
    polars = clone(method).set_output(transform="polars").fit_transform(frame, y)
    assert polars.columns == shown.columns.tolist()


@every_method
def test_every_storage_gives_the_same_answer(method):
    fitted = {
        name: clone(method).fit(table, y)
        for name, table in {
            "dense": ONES,
            "float32": ONES.astype(np.float32),
            "csr": sparse.csr_array(ONES),
            "csc": sparse.csc_matrix(ONES),
            "bits": BitMatrix.from_array(ONES),
        }.items()
    }
    for found in fitted.values():
        assert_array_equal(found.ranking_, fitted["dense"].ranking_)


@every_method
def test_transform_keeps_the_storage(method):
    fitted = clone(method).fit(ONES, y)
    expected = ONES[:, fitted.support_]
    assert_array_equal(fitted.transform(ONES), expected)
    stored = fitted.transform(sparse.csc_array(ONES))
    assert sparse.issparse(stored)
    assert_array_equal(stored.toarray(), expected)
    packed = fitted.transform(BitMatrix.from_array(ONES))
    assert isinstance(packed, BitMatrix)
    assert_array_equal(packed.toarray(), expected)
    assert_array_equal(fitted.inverse_transform(expected)[:, fitted.support_], expected)


@every_method
def test_packed_rows_go_through_cross_validation(method):
    pipeline = make_pipeline(clone(method), BernoulliNB())
    packed = cross_val_score(pipeline, BitMatrix.from_array(ONES), y, cv=3)
    assert_array_equal(packed, cross_val_score(pipeline, ONES, y, cv=3))
    assert packed.mean() > 0.9


@every_sized_method
def test_the_size_is_searched_in_a_pipeline(method):
    name = type(method).__name__.lower()
    sizes = {f"{name}__n_features_to_select": [1, 5, 9]}
    search = GridSearchCV(make_pipeline(clone(method), GaussianNB()), sizes, cv=3).fit(X, y)
    assert search.best_score_ > 0.9
    found = search.best_estimator_[0].support_.sum()
    if "AllClosedItemsets" in repr(method) or "AllMaximalItemsets" in repr(method):
        assert found <= 9  # an itemset has the size that it has
    else:
        assert found in (1, 5, 9)


@every_method
def test_categories_of_a_frame_are_those_of_a_mask(method):
    params = method.get_params()
    name = next((key for key in params if key.endswith("categorical_features")), None)
    if name is None:
        pytest.skip("this method knows no nominal columns")
    if "SVM" in repr(method):
        pytest.skip("a linear machine refuses more than two categories")
    words = np.random.default_rng(0).choice(["cold", "dry", "hot", "wet"], 60)
    table = np.column_stack([np.unique(words, return_inverse=True)[1], X[:, :20]])
    mask = np.arange(21) == 0
    expected = clone(method).set_params(**{name: mask}).fit(table, y).ranking_
    frame = pd.DataFrame(table, columns=NAMES[:21])
    # Neither the order of the categories nor one that no row has is part of the data.
    frame[NAMES[0]] = pd.Categorical(words, ["wet", "foggy", "dry", "cold", "hot"])
    assert_array_equal(clone(method).fit(frame, y).ranking_, expected)
    assert_array_equal(clone(method).fit(pl.from_pandas(frame), y).ranking_, expected)


@every_method
def test_weights_are_routed_to_the_method(method):
    weights = np.where(np.arange(60) < 40, 1.0, 0.0)
    with sklearn.config_context(enable_metadata_routing=True):
        asking = clone(method).set_fit_request(sample_weight=True)
        pipeline = make_pipeline(asking, GaussianNB().set_fit_request(sample_weight=False))
        accuracy = make_scorer(accuracy_score).set_score_request(sample_weight=False)
        routed = pipeline.fit(ONES, y, sample_weight=weights)[0]
        told = cross_validate(
            pipeline, X, y, cv=3, scoring=accuracy, params={"sample_weight": np.ones(60)}
        )
    assert (told["test_score"] > 0.8).all()
    assert_array_equal(routed.ranking_, clone(method).fit(ONES, y, sample_weight=weights).ranking_)
    assert (routed.ranking_ != clone(method).fit(ONES, y).ranking_).any()


@pytest.mark.parametrize("cls", AGGREGATION)
def test_groups_are_routed_to_the_ensemble(cls):
    groups = np.arange(60) // 3
    with sklearn.config_context(enable_metadata_routing=True):
        asking = ensemble(aggregator=cls()).set_fit_request(groups=True)
        pipeline = make_pipeline(asking, GaussianNB())
        routed = pipeline.fit(ONES, y, groups=groups)[0]
        told = cross_validate(
            pipeline, X, y, cv=GroupKFold(3), params={"groups": groups}, return_estimator=True
        )
    assert (told["test_score"] > 0.8).all()
    assert routed.models_ == ensemble(aggregator=cls()).fit(ONES, y, groups=groups).models_
    assert routed.models_ != ensemble(aggregator=cls()).fit(ONES, y).models_


@pytest.mark.parametrize("cls", AGGREGATION)
def test_a_panel_predicts_rows_that_it_has_not_seen(cls):
    train, test = np.arange(0, 60, 2), np.arange(1, 60, 2)
    pipeline = make_pipeline(ensemble(aggregator=cls()), GaussianNB()).fit(X[train], y[train])
    assert accuracy_score(y[test], pipeline.predict(X[test])) > 0.9
