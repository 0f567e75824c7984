import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import rankdata

import naive
from consilience.exceptions import ConsilienceWarning, DataError, UsageError
from consilience.models import FeatureModels


@st.composite
def ranked_models(draw):
    """Models cut from rankings with many ties."""
    n_models, n_features = draw(st.integers(1, 5)), draw(st.integers(1, 9))
    scores = draw(arrays(np.float64, (n_models, n_features), elements=st.integers(0, 3)))
    rankings = rankdata(-scores, axis=1)
    size = draw(st.integers(1, n_features))
    order = [
        np.lexsort((np.random.default_rng(i).random(n_features), r)) for i, r in enumerate(rankings)
    ]
    return FeatureModels([o[:size] for o in order], n_features, rankings)


@st.composite
def plain_models(draw):
    n_features = draw(st.integers(1, 9))
    indices = st.lists(st.integers(0, n_features - 1), unique=True, min_size=1)
    return FeatureModels(draw(st.lists(indices, min_size=1, max_size=6)), n_features)


@given(plain_models())
def test_counts_agree_with_the_naive_ones(models):
    counts = [sum(j in s for s in models.subsets) for j in range(models.n_features)]
    assert_array_equal(models.counts, counts)
    assert_allclose(models.frequencies, np.array(counts) / models.n_models)
    dense = models.membership().toarray()
    assert dense.dtype == bool
    assert_array_equal(dense.sum(axis=0), counts)
    assert_array_equal(dense.sum(axis=1), models.sizes)


@given(plain_models())
def test_mean_ranks_of_subsets_follow_the_rule_for_unranked_models(models):
    assert_allclose(
        models.mean_ranks, naive.mean_ranks_of_subsets(models.subsets, models.n_features)
    )


@given(ranked_models())
def test_mean_ranks_are_the_means_of_the_rankings(models):
    assert models.rankings.dtype == np.float32
    assert_allclose(models.mean_ranks, np.mean(models.rankings.astype(float), axis=0))


@given(ranked_models(), st.data())
def test_top_takes_the_best_of_each_ranking_and_is_nested(models, data):
    size = data.draw(st.integers(1, models.n_features))
    top = models.top(size)
    for subset, ranks, larger in zip(
        top.subsets, models.rankings, models.top(models.n_features).subsets, strict=True
    ):
        assert_array_equal(ranks[subset], np.sort(ranks)[:size])
        assert_array_equal(subset, larger[:size])


@given(ranked_models())
def test_top_of_the_same_size_gives_the_same_models(models):
    assert models.top(models.sizes[0]) == models


def test_ties_beyond_the_models_are_not_broken_by_column():
    rankings = np.full((200, 10), 5.5)
    models = FeatureModels([[3]] * 200, 10, rankings).top(2)
    assert (models.counts[3], models.counts.sum()) == (200, 400)
    assert (np.delete(models.counts, 3) > 0).all()


def test_top_needs_rankings_and_a_size_that_exists():
    with pytest.raises(UsageError, match="without rankings"):
        FeatureModels([[0]], 2).top(1)
    models = FeatureModels([[0]], 2, [[1, 2]])
    for size in (0, 3):
        with pytest.raises(UsageError, match=f"{size} features were asked for"):
            models.top(size)
    with pytest.raises(UsageError, match="whole number"):
        models.top(1.5)


def test_empty_models_are_dropped_with_their_rankings():
    rankings = [[1, 2], [1.5, 1.5], [2, 1]]
    with pytest.warns(ConsilienceWarning, match="1 of 3 models selected no feature"):
        models = FeatureModels([[0], [], [1]], 2, rankings)
    assert models == FeatureModels([[0], [1]], 2, [[1, 2], [2, 1]])


def test_nothing_but_empty_models_is_an_error():
    with pytest.raises(DataError, match="None of the 2 models"):
        FeatureModels([[], []], 3)
    with pytest.raises(DataError, match="no feature models"):
        FeatureModels([], 3)


@pytest.mark.parametrize(
    ("subsets", "message"),
    [
        ([[0], [1, 5]], "Model 1 holds the feature index 5, but .* 0 to 4"),
        ([[-1]], "Model 0 holds the feature index -1"),
        ([[0], [2, 1, 2]], "Model 1 holds the feature index 2 twice"),
        ([[0.5]], "Model 0 is an array of float64"),
        ([[True, False, True, False, False]], "flatnonzero"),
        ([[[0, 1]]], "2 dimensions"),
    ],
)
def test_subsets_that_cannot_be_are_refused(subsets, message):
    with pytest.raises(DataError, match=message):
        FeatureModels(subsets, 5)


@pytest.mark.parametrize(
    ("rankings", "message"),
    [
        ([[1, 2]], "shape"),
        ([[0, 1, 2]], "go from 0.0"),
        ([[1, 2, 4]], "to 4.0"),
        ([[1, np.nan, 2]], "nan"),
    ],
)
def test_rankings_that_cannot_be_are_refused(rankings, message):
    with pytest.raises(DataError, match=message):
        FeatureModels([[0]], 3, rankings)


@given(st.one_of(ranked_models(), plain_models()))
def test_saved_models_are_read_back_equal(tmp_path_factory, models):
    path = tmp_path_factory.mktemp("models") / "models"
    models.save(path)
    assert path.exists()
    assert FeatureModels.load(path) == models
    assert pickle.loads(pickle.dumps(models)) == models


def test_a_file_that_holds_no_models_is_named(tmp_path):
    text = tmp_path / "text.npz"
    text.write_text("no models", encoding="utf-8")
    foreign = tmp_path / "foreign.npz"
    np.savez(foreign, X=np.ones(3))
    pickled = tmp_path / "pickled.npz"
    np.savez(pickled, indices=np.array([{}], dtype=object), indptr=[0, 1], n_features=1)
    for path in (text, foreign, pickled):
        with pytest.raises(DataError, match=path.name):
            FeatureModels.load(path)


@given(ranked_models())
def test_parts_put_together_are_the_whole(models):
    parts = [
        FeatureModels([s], models.n_features, r[None])
        for s, r in zip(models.subsets, models.rankings, strict=True)
    ]
    assert FeatureModels.concatenate(parts) == models
    unranked = FeatureModels.concatenate([*parts, FeatureModels([[0]], models.n_features)])
    assert unranked.rankings is None
    assert unranked.n_models == models.n_models + 1


def test_parts_over_other_features_are_refused():
    with pytest.raises(DataError, match="different features: 3, 4"):
        FeatureModels.concatenate([FeatureModels([[0]], 3), FeatureModels([[0]], 4)])
    with pytest.raises(DataError, match="at least one"):
        FeatureModels.concatenate([])


def test_models_are_not_equal_to_others():
    models = FeatureModels([[0, 1]], 3)
    assert models != FeatureModels([[1, 0]], 3)
    assert models != FeatureModels([[0, 1]], 4)
    assert models != FeatureModels([[0, 1]], 3, [[1, 2, 3]])
    assert models != "models"
    assert len(models) == 1
