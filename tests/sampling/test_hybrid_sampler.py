"""The sampler against its formulas and the contract of imbalanced-learn."""

import pickle

import numpy as np
import pandas as pd
import pytest
import sklearn
from hypothesis import given
from hypothesis import strategies as st
from imblearn.base import is_sampler
from imblearn.over_sampling import SMOTE
from imblearn.pipeline import make_pipeline
from imblearn.utils.estimator_checks import (
    check_dataframe_column_names_consistency,
    estimator_checks_generator,
)
from numpy.testing import assert_array_equal
from scipy.stats import ks_2samp
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, GroupKFold, cross_val_score, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

import naive_balance
from consilience import HybridSampler
from consilience.sampling.balance import KINDS

EVERY = [HybridSampler(kind=kind, random_state=0) for kind in KINDS]
RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 5))
y = np.repeat(["ill", "well"], [14, 46])[RNG.permutation(60)]
X[y == "ill", 0] += 2.0

every_kind = pytest.mark.parametrize("kind", KINDS)
every_gap = pytest.mark.parametrize("gap", ["row", "column"])


def resample(table, labels=y, **options):
    return HybridSampler(**{"random_state": 0} | options).fit_resample(table, labels)


def rows_of(table):
    return list(map(tuple, table.tolist()))


# imbalanced-learn's own decorator hands pytest a generator, which pytest is about to refuse.
@pytest.mark.parametrize(
    ("estimator", "check"),
    [pair for sampler in EVERY for pair in estimator_checks_generator(sampler)],
)
def test_imbalanced_learn_finds_nothing_to_say(estimator, check):
    check(estimator)


@parametrize_with_checks(EVERY)
def test_scikit_learn_finds_nothing_to_say(estimator, check):
    check(estimator)


@pytest.mark.parametrize("sampler", EVERY)
def test_names_of_columns_are_kept(sampler):
    check_dataframe_column_names_consistency("HybridSampler", sampler)
    assert is_sampler(sampler)


@every_kind
def test_the_rows_that_stay_come_first_in_their_order(kind):
    found, labels = resample(X, kind=kind)
    places = [rows_of(X).index(row) for row in rows_of(found) if row in rows_of(X)]
    n_kept = len(set(places))
    assert places[:n_kept] == sorted(set(places))
    assert set(np.flatnonzero(y == "ill")) <= set(places)  # all of the minority
    assert_array_equal(labels[: len(places)], y[places])
    assert (labels[n_kept:] == "ill").all()
    assert (
        np.unique(labels, return_counts=True)[1].tolist()
        == {
            "hybrid": [21, 21],
            "rus": [14, 14],
            "ros": [46, 46],
            "smote": [46, 46],
        }[kind]
    )


@st.composite
def tables(draw):
    """Rows of few values in two or three classes, and a mask of nominal columns."""
    counts = draw(st.lists(st.integers(1, 8), min_size=2, max_size=3))
    n_features = draw(st.integers(1, 4))
    cells = st.integers(-2, 3).map(float)
    table = draw(
        st.lists(
            st.lists(cells, min_size=n_features, max_size=n_features),
            min_size=sum(counts),
            max_size=sum(counts),
        )
    )
    nominal = draw(st.lists(st.booleans(), min_size=n_features, max_size=n_features))
    return np.array(table), np.repeat(np.arange(len(counts)), counts), np.array(nominal)


@given(
    tables(),
    st.sampled_from(["hybrid", "smote"]),
    st.sampled_from([0.0, 0.5, 2.5]),
    st.sampled_from(["row", "column"]),
    st.integers(1, 4),
    st.integers(0, 99),
)
def test_samples_are_what_the_formulas_say(table, kind, rate, gap, k, seed):
    rows, labels, nominal = table
    sampler = HybridSampler(
        rate, kind=kind, k_neighbors=k, gap=gap, categorical_features=nominal, random_state=seed
    )
    found, new_labels = sampler.fit_resample(rows, labels)
    counts = np.bincount(labels).tolist()
    sizes = naive_balance.class_sizes(counts, kind, rate)
    assert np.bincount(new_labels).tolist() == sizes
    assert sampler.sampling_strategy_ == dict(enumerate(sizes))
    n_kept = sum(min(count, size) for count, size in zip(counts, sizes, strict=True))
    for label, (count, size) in enumerate(zip(counts, sizes, strict=True)):
        own = rows_of(rows[labels == label])
        kept = rows_of(found[:n_kept][new_labels[:n_kept] == label])
        assert all(kept.count(row) <= own.count(row) for row in kept)
        assert len(kept) == min(count, size)
        for row in rows_of(found[n_kept:][new_labels[n_kept:] == label]):
            assert any(
                naive_balance.may_come_from(row, seed, own, k, nominal, gap)
                for seed in range(len(own))
            )


@every_gap
def test_new_rows_lie_between_nearest_neighbours(gap):
    found, _ = resample(X, gap=gap, k_neighbors=2, kind="smote")
    own = rows_of(X[y == "ill"])
    for row in rows_of(found[60:]):
        assert row not in own
        assert any(
            naive_balance.may_come_from(row, seed, own, 2, [False] * 5, gap)
            for seed in range(len(own))
        )


def test_a_row_gap_lies_on_a_line_and_a_column_gap_in_a_box():
    table = np.array([[0.0, 0], [1, 1], [5, 5], [6, 5], [7, 5], [8, 5], [9, 5]])
    labels = [1, 1, 0, 0, 0, 0, 0]
    on_line = resample(table, labels, kind="smote")[0][7:]
    in_box = resample(table, labels, kind="smote", gap="column")[0][7:]
    assert_array_equal(on_line[:, 0], on_line[:, 1])
    assert (in_box[:, 0] != in_box[:, 1]).all()
    assert ((in_box > 0) & (in_box < 1)).all()


def test_each_nominal_value_comes_from_either_row_with_the_same_chance():
    table = np.array([[0, 1, 3], [0, 2, 4], *[[0, 5, 5]] * 2002])
    labels = np.repeat([1, 0], [2, 2002])
    new = resample(table, labels, kind="smote", categorical_features=[1, 2])[0][2004:]
    for pair in ([1, 3], [1, 4], [2, 3], [2, 4]):
        assert 400 < (new[:, 1:] == pair).all(axis=1).sum() < 600  # of 2000


@every_gap
def test_new_rows_are_spread_as_those_of_imbalanced_learn(gap):
    """Each feature by itself is spread alike, whether its share is drawn for the row or alone."""
    rng = np.random.default_rng(1)
    table = np.concatenate([rng.normal(size=(25, 3)) * [1, 5, 0.2], rng.normal(size=(5000, 3))])
    labels = np.repeat([1, 0], [25, 5000])
    ours = resample(table, labels, kind="smote", gap=gap)[0][5025:]
    theirs = SMOTE(random_state=0).fit_resample(table, labels)[0][5025:]
    assert ours.shape == theirs.shape
    for j in range(3):
        assert ks_2samp(ours[:, j], theirs[:, j]).pvalue > 0.001


def test_with_one_neighbour_new_rows_lie_on_the_segments_of_imbalanced_learn():
    rng = np.random.default_rng(2)
    table, labels = rng.normal(size=(60, 1)), np.repeat([1, 0], [20, 40])
    ours = resample(table, labels, kind="smote", k_neighbors=1)[0][60:]
    theirs = SMOTE(k_neighbors=1, random_state=0).fit_resample(table, labels)[0][60:]
    own = np.sort(table[:20, 0])
    gaps = np.diff(own)
    # Between two neighbours there are new rows only if one is the nearest of the other.
    used = (gaps <= np.append(gaps[1:], np.inf)) | (gaps <= np.append(np.inf, gaps[:-1]))
    for new in (ours, theirs):
        assert used[np.searchsorted(own, new[:, 0]) - 1].all()


def test_ends_too_far_apart_for_a_difference_give_no_infinity():
    table = np.array([[-1.7e308], [1.7e308], [0], [1], [2], [3]])
    new = resample(table, [1, 1, 0, 0, 0, 0], kind="smote")[0][6:]
    assert np.isfinite(new).all()


@every_kind
def test_the_same_seed_gives_the_same_rows_and_another_others(kind):
    first, again = (resample(X, kind=kind)[0] for _ in range(2))
    assert first.tobytes() == again.tobytes()
    assert first.tobytes() != resample(X, kind=kind, random_state=1)[0].tobytes()
    state = np.random.RandomState(0)
    moving = [resample(X, kind=kind, random_state=state)[0] for _ in range(2)]
    assert moving[0].tobytes() == first.tobytes() != moving[1].tobytes()


def test_parameters_are_stored_untouched_and_survive_cloning_and_pickling():
    chosen = [3, 4]
    sampler = HybridSampler(1, k_neighbors=3, categorical_features=chosen, random_state=0)
    assert sampler.categorical_features is chosen
    assert "sampling_strategy" not in sampler.get_params()
    expected, _ = sampler.fit_resample(X, y)
    assert clone(sampler).get_params() == sampler.get_params()
    assert not hasattr(clone(sampler), "sampling_strategy_")
    again = pickle.loads(pickle.dumps(sampler))
    assert again.sampling_strategy_ == sampler.sampling_strategy_ == {"ill": 28, "well": 28}
    assert again.fit_resample(X, y)[0].tobytes() == expected.tobytes()


def test_fitting_again_forgets_the_past():
    sampler = HybridSampler(random_state=0).fit(pd.DataFrame(X, columns=list("abcde")), y)
    assert sampler.feature_names_in_.tolist() == list("abcde")
    assert sampler.fit(X[:, :3], y == "ill").sampling_strategy_ == {False: 21, True: 21}
    assert sampler.n_features_in_ == 3
    assert not hasattr(sampler, "feature_names_in_")


def test_it_works_in_pipelines_and_searches():
    pipeline = make_pipeline(HybridSampler(random_state=0), GaussianNB())
    assert cross_val_score(pipeline, X, y, cv=3, scoring="balanced_accuracy").mean() > 0.7
    fitted = pipeline.fit(X, y)
    assert fitted[-1].class_count_.tolist() == [21, 21]
    assert fitted.predict(X).size == 60  # nothing is resampled where rows are predicted
    grid = {"hybridsampler__oversample": [0.0, 0.5, 1.0], "hybridsampler__kind": ["hybrid", "rus"]}
    search = GridSearchCV(pipeline, grid, cv=3, scoring="balanced_accuracy").fit(X, y)
    assert search.best_score_ > 0.7


def test_it_lets_metadata_pass():
    groups = np.arange(60) % 6
    with sklearn.config_context(enable_metadata_routing=True, transform_output="pandas"):
        pipeline = make_pipeline(HybridSampler(random_state=0), GaussianNB())
        told = cross_validate(pipeline, X, y, cv=GroupKFold(3), params={"groups": groups})
        found, _ = resample(X)
    assert told["test_score"].mean() > 0.6
    assert found.tobytes() == resample(X)[0].tobytes()  # not a transformer: no set_output


def test_a_tree_hears_of_the_minority():
    """What it is for: a rare class that a plain tree gives up."""
    rng = np.random.default_rng(0)
    table, labels = rng.normal(size=(1200, 4)), np.repeat([1, 0], [60, 1140])
    table[labels == 1, 0] += 1.5
    tree = DecisionTreeClassifier(min_samples_leaf=20, random_state=0)
    balanced = make_pipeline(HybridSampler(random_state=0), clone(tree))
    plain, better = (
        cross_val_score(model, table, labels, cv=3, scoring="balanced_accuracy").mean()
        for model in (tree, balanced)
    )
    assert better > plain + 0.1
