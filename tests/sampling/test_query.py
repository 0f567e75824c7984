"""Votes to margins, margins to the rows that a committee is least sure of."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_array_equal

import naive_qifs
from consilience.exceptions import UsageError
from consilience.sampling.query import add_votes, count_votes, least_sure, vote_margins

vote_tables = st.integers(1, 4).flatmap(
    lambda k: arrays(np.int64, st.tuples(st.integers(1, 9), st.just(k)), elements=st.integers(0, 4))
)


@given(vote_tables)
def test_margins_are_those_of_the_naive_twin(votes):
    assert vote_margins(votes).tolist() == [naive_qifs.margin(row) for row in votes.tolist()]


def test_two_equal_classes_have_no_margin():
    assert vote_margins(np.array([[3, 3, 1], [0, 2, 2], [4, 4, 4]])).tolist() == [0, 0, 0]


@given(arrays(np.int64, (4, 6), elements=st.integers(-1, 2)))
def test_votes_are_counted(predicted):
    expected = [[(predicted[:, i] == c).sum() for c in range(3)] for i in range(6)]
    assert_array_equal(count_votes(predicted, 3), expected)


def test_votes_are_added_in_place():
    votes = count_votes([[0, 1]], 2)
    add_votes(votes, np.array([1, -1]))
    assert votes.tolist() == [[1, 1], [0, 1]]


margin_lists = arrays(np.int64, st.integers(2, 12), elements=st.integers(0, 3))


@given(margin_lists, st.integers(1, 11), st.integers(0, 5))
def test_no_row_left_out_is_less_sure_than_one_taken(margins, n_rows, seed):
    n_rows = min(n_rows, margins.size - 1)
    mask = least_sure(margins, n_rows, np.random.default_rng(seed))
    assert mask.sum() == n_rows
    assert margins[mask].max() <= margins[~mask].min()


@given(margin_lists, st.integers(1, 11))
def test_ties_by_index_take_the_rows_that_stand_first(margins, n_rows):
    n_rows = min(n_rows, margins.size)
    votes = [[m, 0] for m in margins.tolist()]
    mask = least_sure(margins, n_rows, ties="index")
    assert np.flatnonzero(mask).tolist() == naive_qifs.chosen_rows(votes, n_rows)


def test_random_ties_take_every_row_alike():
    rng = np.random.default_rng(0)
    taken = sum(least_sure(np.ones(10, dtype=int), 5, rng).astype(int) for _ in range(400))
    assert (abs(taken - 200) < 60).all()  # 6 standard deviations


def test_other_words_are_refused():
    with pytest.raises(UsageError, match=r"ties is 'first'; choose 'random' or 'index'\."):
        least_sure(np.ones(3), 1, ties="first")
