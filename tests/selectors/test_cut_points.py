import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import sparse

import naive
from consilience import BitMatrix
from consilience.exceptions import DataError, UsageError
from consilience.selectors import cut_points, univariate_scores
from small_tables import any_weights, binary, labelled, weighted, whole_weights, with_missing

encodings = st.sampled_from(["better", "default"])
mostly_zero = st.sampled_from([0, 0, 0, 0, -1, 1, 2, np.nan])


def as_lists(cuts):
    return [own.tolist() for own in cuts]


@given(weighted(labelled(values=with_missing, max_rows=20), whole_weights), encodings)
def test_mdl_cuts_agree_with_the_formulas(data, encoding):
    X, y, weights = data
    found = cut_points(X, y, encoding=encoding, sample_weight=weights)
    for column, cuts in zip(X.T.tolist(), found, strict=True):
        better = encoding == "better"
        assert cuts.tolist() == naive.mdl_cuts(column, y.tolist(), weights.tolist(), better)


@given(weighted(labelled(), any_weights))
def test_mdl_cuts_of_fractional_weights_agree_with_the_formulas(data):
    X, y, weights = data
    found = cut_points(X, y, sample_weight=weights)
    for column, cuts in zip(X.T.tolist(), found, strict=True):
        assert cuts.tolist() == naive.mdl_cuts(column, y.tolist(), weights.tolist())


@given(labelled(values=with_missing), st.integers(2, 6))
def test_equal_width_cuts_are_the_borders(data, n_bins):
    X, y = data
    found = cut_points(X, y, discretize="equal_width", n_bins=n_bins)
    for column, cuts in zip(X.T.tolist(), found, strict=True):
        assert_allclose(cuts, naive.equal_width_cuts(column, n_bins), atol=1e-12)


@given(labelled(values=with_missing), st.integers(2, 6))
def test_equal_frequency_cuts_separate_the_bins(data, n_bins):
    X, y = data
    found = cut_points(X, y, discretize="equal_frequency", n_bins=n_bins)
    for column, cuts in zip(X.T.tolist(), found, strict=True):
        bins = naive.equal_frequency_bins(column, [1] * len(column), n_bins)
        values = sorted(bins)
        places = [sum(v > cut for cut in cuts) for v in values]
        assert [a == b for a, b in itertools.pairwise(places)] == [
            bins[a] == bins[b] for a, b in itertools.pairwise(values)
        ]


@given(labelled(values=mostly_zero), st.sampled_from(["mdl", "equal_width", "equal_frequency"]))
def test_sparse_columns_have_the_cuts_of_dense_ones(data, discretize):
    X, y = data
    expected = as_lists(cut_points(X, y, discretize=discretize))
    for kind in (sparse.csr_array, sparse.csc_matrix):
        assert as_lists(cut_points(kind(X), y, discretize=discretize)) == expected


@given(labelled(values=binary))
def test_packed_columns_have_the_cuts_of_dense_ones(data):
    X, y = data
    assert as_lists(cut_points(BitMatrix.from_array(X), y)) == as_lists(cut_points(X, y))


@given(labelled(max_rows=20), st.sampled_from(["mdl", "equal_width", "equal_frequency"]))
def test_columns_cut_there_score_as_the_filters_say(data, discretize):
    X, y = data
    cuts = cut_points(X, y, discretize=discretize, n_bins=4)
    cut = np.column_stack([np.searchsorted(c, x) for c, x in zip(cuts, X.T, strict=True)])
    expected = univariate_scores(cut, y, discretize=None)
    found = univariate_scores(X, y, discretize=discretize, n_bins=4)
    for name, scores in found.items():
        assert_allclose(scores, expected[name], rtol=1e-10, atol=1e-10)


def test_rows_without_weight_take_no_part():
    X = np.array([[1.0], [2.0], [3.0], [9.0], [10.0]])
    weights = [5, 5, 0, 5, 5]
    assert as_lists(cut_points(X, [0, 0, 1, 1, 1], sample_weight=weights)) == [[5.5]]


def test_weights_below_one_in_all_are_no_reason_to_fail():
    X, y = np.array([[1.0], [2.0], [3.0]]), [0, 0, 1]
    assert as_lists(cut_points(X, y, sample_weight=[0.1] * 3, encoding="default")) == [[]]


def test_nominal_columns_are_not_cut():
    X = pd.DataFrame({"word": pd.Categorical(list("aabb")), "number": [1.0, 2, 3, 4]})
    assert as_lists(cut_points(X, [0, 0, 1, 1])) == [[], [2.5]]


def test_requests_that_make_no_sense_are_refused():
    X, y = np.array([[1.0], [2.0]]), [0, 1]
    with pytest.raises(UsageError, match="discretize is None"):
        cut_points(X, y, discretize=None)
    with pytest.raises(UsageError, match="encoding is 'best'; choose 'better' or 'default'"):
        cut_points(X, y, encoding="best")
    with pytest.raises(UsageError, match="n_bins is 1"):
        cut_points(X, y, discretize="equal_width", n_bins=1)
    with pytest.raises(DataError, match="Column 'x0' holds infinity in row 1"):
        cut_points(np.array([[1.0], [np.inf]]), y)
