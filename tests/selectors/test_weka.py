"""Scores and cut points are those of WEKA 3.6.14, in full precision."""

import pytest
from numpy.testing import assert_allclose
from scipy import sparse

from consilience import ChiSquare, InformationGain, SymmetricalUncertainty
from consilience.selectors import cut_points, univariate_scores
from weka_answers import EDGES, REAL, load_edge, load_real

NAMES = {
    "information_gain": "info_gain",
    "chi_square": "chi_squared",
    "symmetrical_uncertainty": "symmetrical_uncertainty",
}
ENCODINGS = {"better": "mdl_cut_points_better_encoding", "default": "mdl_cut_points"}


def assert_scores_of_weka(X, y, nominal, oracle):
    found = univariate_scores(X, y, categorical_features=nominal)
    for ours, theirs in NAMES.items():
        assert_allclose(found[ours], oracle[theirs], rtol=1e-9, atol=1e-9, err_msg=ours)


def assert_cut_points_of_weka(X, y, nominal, oracle, encoding):
    found = cut_points(X, y, encoding=encoding, categorical_features=nominal)
    expected = oracle[ENCODINGS[encoding]]
    for name, cuts, is_nominal in zip(oracle["features"], found, nominal, strict=True):
        assert cuts.tolist() == ([] if is_nominal else expected[name]), name


@pytest.mark.parametrize("name", EDGES)
def test_scores_of_artificial_sets(name):
    assert_scores_of_weka(*load_edge(name))


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("name", EDGES)
def test_cut_points_of_artificial_sets(name, encoding):
    assert_cut_points_of_weka(*load_edge(name), encoding)


@pytest.mark.parametrize("name", EDGES)
def test_scores_of_artificial_sets_as_sparse_columns(name):
    X, *rest = load_edge(name)
    assert_scores_of_weka(sparse.csr_array(X), *rest)


@pytest.mark.parametrize("name", REAL)
def test_scores_of_real_sets(name, shared_data):
    assert_scores_of_weka(*load_real(name, shared_data))


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("name", REAL)
def test_cut_points_of_real_sets(name, encoding, shared_data):
    assert_cut_points_of_weka(*load_real(name, shared_data), encoding)


@pytest.mark.parametrize("kind", [InformationGain, ChiSquare, SymmetricalUncertainty])
def test_the_selectors_hold_these_scores(kind):
    X, y, nominal, oracle = load_edge("edge_mixed")
    selector = kind(5, categorical_features=nominal, random_state=0).fit(X, y)
    assert_allclose(selector.scores_, oracle[NAMES[selector._score_name]], rtol=1e-9, atol=1e-9)


def test_the_encodings_differ_where_the_oracle_says_so():
    *_, oracle = load_edge("edge_mixed")
    assert oracle["mdl_cut_points"]["integer_ties"] == []
    assert oracle["mdl_cut_points_better_encoding"]["integer_ties"] != []
