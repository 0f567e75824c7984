"""CFS against its slow twin and WEKA 3.6.14."""

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.utils.estimator_checks import check_estimator

import naive_cfs as naive
from consilience import BitMatrix, EnsembleSelector, MostFrequent, make_planted
from consilience.exceptions import ConsilienceWarning, UsageError
from consilience.sampling import bootstrap_weights
from consilience.selectors import merit
from consilience.selectors.best_first import best_first
from consilience.selectors.cfs import CFS
from small_tables import any_weights, binary, labelled, weighted, whole_weights, with_missing
from weka_answers import EDGES, GOLDEN, REAL, load_edge, load_real

VARIANTS = {"plain": False, "locally_predictive": True}
options = st.fixed_dictionaries(
    {
        "discretize": st.sampled_from(["mdl", None, "equal_frequency"]),
        "missing": st.sampled_from(["spread", "omit", "category"]),
        "locally_predictive": st.booleans(),
        "zero_is_redundant": st.booleans(),
        "max_stale": st.integers(1, 5),
    }
)


def select(selector, X, y, weights, seed=0):
    """The subset as it was put together, through the path of the ensembles."""
    models = selector.select_many(selector.prepare(X, y), weights[None], [rng_of(seed)])
    return models[0][0].tolist()


def rng_of(seed):
    return np.random.default_rng(seed)


def twin(X, y, weights, *, discretize, nominal=(), **rest):
    columns = [
        naive.value_bins(
            column.tolist(), y.tolist(), weights.tolist(), None if j in nominal else discretize
        )
        for j, column in enumerate(X.T)
    ]
    return naive.cfs(columns, y.tolist(), weights.tolist(), **rest)


def selected(selector):
    return np.flatnonzero(selector.support_).tolist()


@given(weighted(labelled(values=with_missing, max_columns=7), whole_weights), options)
def test_subsets_agree_with_the_twin(data, options):
    X, y, weights = data
    expected, _ = twin(X, y, weights, order=rng_of(1).permutation(X.shape[1]).tolist(), **options)
    assert select(CFS(**options), X, y, weights, seed=1) == expected


@given(weighted(labelled(values=binary, max_rows=30, max_columns=8), whole_weights), options)
def test_subsets_of_binary_columns_agree_with_the_twin(data, options):
    X, y, weights = data
    order = rng_of(2).permutation(X.shape[1]).tolist()
    expected, _ = twin(X, y, weights, order=order, **options)
    for held in (X, sparse.csr_array(X), BitMatrix.from_array(X)):
        assert select(CFS(**options), held, y, weights, seed=2) == expected


@given(weighted(labelled(values=with_missing, max_columns=5), any_weights), options)
def test_subsets_of_fractional_weights_agree_with_the_twin(data, options):
    X, y, weights = data
    expected, _ = twin(X, y, weights, order=rng_of(3).permutation(X.shape[1]).tolist(), **options)
    assert select(CFS(**options), X, y, weights, seed=3) == expected


@given(labelled(max_rows=25, max_columns=5), st.integers(1, 4), st.booleans(), st.booleans())
@settings(max_examples=40)
def test_columns_with_one_value_take_their_places_on_the_list(data, stale, redundant, predictive):
    informative, y = data
    rng = rng_of(0)
    X = np.column_stack([informative, np.ones((y.size, 12))])[
        :, rng.permutation(12 + informative.shape[1])
    ]
    options = {
        "discretize": None, "max_stale": stale, "zero_is_redundant": redundant,
        "locally_predictive": predictive,
    }  # fmt: skip
    weights = np.ones(y.size)
    expected, _ = twin(X, y, weights, **options)
    if expected or not predictive:
        selector = CFS(ties="index", **options)
        assert select(selector, X, y, weights) == expected


def test_more_columns_with_one_value_are_brought_in_when_the_search_used_up_its_first(monkeypatch):
    asked = []

    def deep_search(relevance, redundancy, max_stale):
        best, expanded = best_first(relevance, redundancy, max_stale)
        asked.append(relevance.size)
        if len(asked) == 1:  # as if it had come to a subset of four of them
            expanded.append(best._replace(members=tuple(range(relevance.size - 4, relevance.size))))
        return best, expanded

    monkeypatch.setattr(merit, "best_first", deep_search)
    X, y = np.column_stack([np.arange(30) % 2, np.ones((30, 40))]), np.arange(30) % 2
    assert select(CFS(ties="index", max_stale=2), X, y, np.ones(30)) == [0]
    assert asked == [1 + 4, 1 + 8]


@given(labelled(max_columns=4), st.data())
def test_nominal_columns_agree_with_the_twin(data, draw):
    X, y = data
    X = np.abs(X)
    nominal = draw.draw(st.lists(st.integers(0, X.shape[1] - 1), unique=True))
    expected, _ = twin(X, y, np.ones(y.size), discretize="mdl", nominal=nominal,
                       order=rng_of(0).permutation(X.shape[1]).tolist())  # fmt: skip
    selector = CFS(categorical_features=nominal or None)
    assert select(selector, X, y, np.ones(y.size)) == expected


@pytest.mark.filterwarnings("ignore:CFS selected no feature")
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("name", EDGES)
def test_artificial_sets_give_the_subsets_of_weka(name, variant):
    X, y, nominal, _ = load_edge(name)
    answers = json.loads((GOLDEN / "cfs_of_edges.json").read_text(encoding="utf-8"))[name]
    assert_subset_of_weka(X, y, nominal, answers, variant)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("name", REAL)
def test_real_sets_give_the_subsets_of_weka(name, variant, shared_data):
    X, y, nominal, oracle = load_real(name, shared_data)
    assert_subset_of_weka(X, y, nominal, oracle["cfs_best_first"], variant)


def assert_subset_of_weka(X, y, nominal, answers, variant):
    selector = CFS(
        ties="index", locally_predictive=VARIANTS[variant], categorical_features=nominal
    ).fit(X, y)
    assert selected(selector) == answers[variant]
    assert selector.merit_ == answers[f"merit_{variant}"]


@pytest.mark.parametrize("name", ["colon", "glass", "voting", "zoo"])
def test_without_copies_the_order_of_columns_does_not_matter(name, shared_data):
    X, y, nominal, oracle = load_real(name, shared_data)
    selector = CFS(categorical_features=nominal, random_state=3).fit(X, y)
    assert selected(selector) == oracle["cfs_best_first"]["locally_predictive"]


def planted(n_features=60):
    return make_planted(50, n_features, n_blocks=4, block_size=5, random_state=0)


def test_every_storage_gives_the_same_subset():
    data = planted()
    counts = np.maximum(np.rint(data.X), 0)
    expected = CFS(random_state=0).fit(counts, data.y)
    assert expected.support_.any()
    for held in (
        counts.astype(np.float32),
        counts.astype(np.int16),
        sparse.csr_array(counts),
        sparse.csc_matrix(counts),
        pd.DataFrame(counts),
    ):
        found = CFS(random_state=0).fit(held, data.y)
        assert_array_equal(found.ranking_, expected.ranking_)
        assert found.merit_ == expected.merit_


def test_a_weight_is_a_number_of_copies():
    data = planted()
    weights = rng_of(0).integers(0, 3, data.y.size)
    copies = np.repeat(np.arange(data.y.size), weights)
    found = CFS(random_state=0).fit(data.X, data.y, sample_weight=weights)
    expected = CFS(random_state=0).fit(data.X[copies], data.y[copies])
    assert_array_equal(found.ranking_, expected.ranking_)
    assert_allclose(found.merit_, expected.merit_, rtol=1e-12)


def test_many_samples_give_what_each_gives():
    data = planted()
    weights = bootstrap_weights(data.y, np.random.SeedSequence(0).spawn(6)).astype(float)
    selector = CFS()
    prepared = selector.prepare(data.X, data.y)
    subsets, rankings = selector.select_many(prepared, weights, [rng_of(m) for m in range(6)])
    assert rankings is None
    for m, subset in enumerate(subsets):
        alone, _ = selector.select_many(prepared, weights[m : m + 1], [rng_of(m)])
        assert_array_equal(subset, alone[0])


def test_an_ensemble_mines_the_subsets():
    data = planted()
    ensemble = EnsembleSelector(CFS(), MostFrequent(), n_features_to_select=5, n_models=10,
                                random_state=0).fit(data.X, data.y)  # fmt: skip
    assert ensemble.support_.sum() == 5
    assert ensemble.models_.rankings is None


def test_selected_features_rank_first_and_the_rest_by_uncertainty():
    data = planted()
    X = np.column_stack([data.X, np.ones(50)])
    selector = CFS(random_state=0).fit(X, data.y)
    size = selector.support_.sum()
    assert sorted(selector.ranking_[selector.support_]) == list(range(1, size + 1))
    assert selector.ranking_[-1] == X.shape[1]
    assert selector.scores_[-1] == selector.scores_.min()


def test_the_size_asked_for_is_checked_and_not_enforced():
    data = planted()
    sizes = {CFS(n, random_state=0).fit(data.X, data.y).support_.sum() for n in (1, 20, 5000)}
    assert len(sizes) == 1
    with pytest.raises(UsageError, match="n_features_to_select is 0"):
        CFS(0).fit(data.X, data.y)


def test_copies_share_the_selections():
    rng = rng_of(0)
    y = np.arange(40) % 2
    X = np.column_stack([y + rng.normal(0, 0.1, 40)] * 3 + [rng.normal(size=40)])
    firsts = {int(np.argmin(CFS(random_state=seed).fit(X, y).ranking_)) for seed in range(12)}
    assert firsts == {0, 1, 2}
    assert int(np.argmin(CFS(ties="index").fit(X, y).ranking_)) == 0


@pytest.mark.parametrize("constant", [True, False])
def test_where_nothing_is_told_nothing_is_selected(constant):
    X = np.ones((20, 4)) if constant else rng_of(0).normal(size=(20, 4))
    y = np.arange(20) % 2
    with pytest.warns(ConsilienceWarning, match="CFS selected no feature"):
        selector = CFS(random_state=0).fit(X, y)
    assert not selector.support_.any()
    assert selector.merit_ == 0.0
    assert selected(CFS(ties="index").fit(X, y)) == [0]  # as WEKA does


def test_a_class_of_one_member_is_no_reason_to_fail():
    X = np.column_stack([np.arange(12.0), np.arange(12.0)[::-1]])
    y = np.array([0] * 6 + [1] * 5 + [2])
    assert CFS(random_state=0).fit(X, y).support_.any()


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"max_stale": 0}, "max_stale is 0; give a whole number"),
        ({"ties": "first"}, "ties is 'first'; choose 'random' or 'index'"),
        ({"missing": "guess"}, "missing is 'guess'"),
        ({"discretize": "chi"}, "discretize is 'chi'"),
    ],
)
def test_parameters_that_make_no_sense_are_refused(wrong, sentence):
    with pytest.raises(UsageError, match=sentence):
        CFS(**wrong).fit(np.eye(4), [0, 1, 0, 1])


def test_search_keeps_the_first_of_nearly_equal_subsets():
    relevance = np.array([0.5, 0.5 + 5e-6, 0.0])
    best, _ = best_first(relevance, lambda j: np.ones(3, dtype=np.float32), 5)
    assert best.members == (0,)


@pytest.mark.filterwarnings("ignore:CFS selected no feature")
@pytest.mark.filterwarnings("ignore:No features were selected")
def test_scikit_learns_checks():
    check_estimator(CFS(), on_skip=None)
