import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import sparse

from consilience.kernels.heom import add_squares
from consilience.kernels.sparse_distances import add_sparse_squares

numbers = st.floats(-1e6, 1e6, allow_subnormal=False)
tables = st.tuples(st.integers(1, 6), st.integers(1, 9)).flatmap(
    lambda size: arrays(np.float64, size, elements=numbers, fill=st.just(0.0))
)


@given(tables)
def test_sparse_rows_are_as_far_apart_as_dense_ones_to_the_last_bit(X):
    seeds = np.arange(len(X))[::-1].copy()
    dense, found, plain = (np.full((len(X), len(X)), 0.5) for _ in range(3))
    add_squares(np.ascontiguousarray(X.T), X[seeds], False, dense)
    rows = sparse.csr_array(X)
    indptr, indices = rows.indptr.astype(np.int64), rows.indices.astype(np.int64)
    add_sparse_squares(indptr, indices, rows.data, seeds, found)
    assert found.tobytes() == dense.tobytes()
    as_python = getattr(add_sparse_squares, "py_func", add_sparse_squares)
    as_python(indptr, indices, rows.data, seeds, plain)
    assert plain.tobytes() == dense.tobytes()
