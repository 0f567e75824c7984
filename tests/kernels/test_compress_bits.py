import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_array_equal

from consilience import BitMatrix

tables = st.tuples(st.integers(1, 300), st.integers(1, 4)).flatmap(
    lambda size: st.tuples(
        arrays(np.uint8, size, elements=st.integers(0, 1)),
        arrays(bool, size[0], fill=st.just(False)) | arrays(bool, size[0], fill=st.just(True)),
    )
)


def check(X, rows):
    taken = BitMatrix.from_array(X).take(rows=rows)
    again = BitMatrix.from_array(X[rows])  # bits past the last row are 0, too
    assert taken.shape == again.shape
    assert_array_equal(taken.words, again.words)


@given(tables)
def test_rows_of_a_mask_close_ranks(table):
    check(*table)


@pytest.mark.parametrize("share", [0.01, 0.3, 0.5, 0.99, 1.0])
def test_words_of_any_filling(share):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (1000, 20))
    check(X, rng.random(1000) < share)


def test_rows_in_order_but_for_one_and_rows_that_come_twice():
    X = np.random.default_rng(0).integers(0, 2, (200, 5))
    rows = np.arange(0, 200, 3)
    check(X, rows)
    check(X, np.r_[rows, 1])
    check(X, np.sort(np.r_[rows, rows]))
    check(X, rows[:0])
