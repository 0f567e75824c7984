import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

import naive_cfs as naive
from consilience import InformationGain
from consilience.selectors.filters import check_method
from consilience.selectors.pair_uncertainty import CodedPairs, PackedPairs, pair_uncertainty
from small_tables import any_weights, few_values, labelled, weighted, whole_weights, with_missing

rules = st.sampled_from(["spread", "omit", "category"])


def assert_all_pairs_agree(X, y, weights, missing):
    method = check_method(None, 10, missing)
    prepared = InformationGain(discretize=None).prepare(X, y)
    pairs = pair_uncertainty(prepared, weights, method, np.arange(X.shape[1]))
    places = [naive.value_bins(X[:, j].tolist(), y, weights, None) for j in pairs.columns]

    def expected(other):
        return [naive.pair_uncertainty(own, other, weights, missing) for own in places]

    assert_allclose(pairs.with_class(), expected(y.tolist()), rtol=1e-6, atol=1.1e-6)
    for j, own in enumerate(places):
        assert_allclose(pairs.with_column(j), expected(own), rtol=1e-6, atol=1.1e-6)
    return pairs


@given(weighted(labelled(values=with_missing, max_columns=4), whole_weights), rules)
def test_uncertainty_of_pairs_agrees_with_the_formulas(data, missing):
    assert_all_pairs_agree(*data, missing)


@given(weighted(labelled(values=with_missing, max_columns=4), any_weights), rules)
def test_the_same_for_fractional_weights(data, missing):
    assert_all_pairs_agree(*data, missing)


@given(labelled(values=few_values, min_rows=60, max_rows=140, max_columns=3))
def test_several_words_of_bits_agree_with_the_formulas(data):
    X, y = data
    pairs = assert_all_pairs_agree(X, y, np.ones(y.size), "spread")
    assert isinstance(pairs, PackedPairs)


def test_many_values_are_counted_row_by_row():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 20, (80, 3)).astype(float), np.arange(80) % 3
    pairs = assert_all_pairs_agree(X, y, np.ones(80), "spread")
    assert isinstance(pairs, CodedPairs)


@pytest.mark.parametrize("kind", [PackedPairs, CodedPairs])
def test_columns_come_in_blocks(monkeypatch, kind):
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 3, (20, 9)).astype(float), np.arange(20) % 3
    if kind is CodedPairs:  # the last block cannot be packed, after the first ones were
        X[3, 8] = np.nan
    monkeypatch.setattr("consilience.selectors.codes.BLOCK_CELLS", 60)
    assert isinstance(assert_all_pairs_agree(X, y, np.ones(20), "spread"), kind)
