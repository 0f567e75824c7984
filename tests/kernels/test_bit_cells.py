import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from consilience import BitMatrix
from consilience.kernels.bit_cells import set_cells


@given(st.lists(st.tuples(st.integers(0, 129), st.integers(0, 3)), max_size=60))
def test_cells_are_set_and_the_first_repeated_one_is_told(cells):
    words = np.zeros((4, 3), dtype=np.uint64)
    rows, columns = np.array(cells, dtype=np.int64).reshape(-1, 2).T.copy()
    told = set_cells(rows, columns, words)
    repeated = [k for k, cell in enumerate(cells) if cell in cells[:k]]
    assert told == (repeated[0] if repeated else -1)
    expected = np.zeros((130, 4))
    expected[rows, columns] = 1
    assert_array_equal(BitMatrix(words, 130).toarray(), expected)
