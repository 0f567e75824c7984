"""Squared distances between rows of a sparse matrix, to the last bit those of a dense one."""

from ._numba import jit


@jit
def add_sparse_squares(indptr, indices, values, seeds, squares):
    """Add the squared distance of row seeds[i] to row j of a CSR matrix to float64[n_seeds, n].

    Indices, int64, ascend within each row. So terms come in the order of the columns, as `heom`
    adds them; those of two zeros, which are left out, would change no sum.
    """
    for i in range(seeds.size):
        first, end = indptr[seeds[i]], indptr[seeds[i] + 1]
        for j in range(squares.shape[1]):
            a, b, stop = first, indptr[j], indptr[j + 1]
            total = squares[i, j]
            while a < end and b < stop:
                if indices[a] == indices[b]:
                    difference = values[a] - values[b]
                    a += 1
                    b += 1
                elif indices[a] < indices[b]:
                    difference = values[a]
                    a += 1
                else:
                    difference = values[b]
                    b += 1
                total += difference * difference
            while a < end:
                total += values[a] * values[a]
                a += 1
            while b < stop:
                total += values[b] * values[b]
                b += 1
            squares[i, j] = total
