"""Some rows of a table, whatever holds it."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse

from consilience import BitMatrix
from consilience.data.rows import take_rows

ONES = (np.random.default_rng(0).random((70, 5)) < 0.4).astype(np.uint8)
MASK = np.arange(70) % 3 == 1
NAMES = list("abcde")


@pytest.mark.parametrize(
    ("store", "read"),
    [
        (np.asfortranarray, np.asarray),
        (sparse.csr_array, lambda X: X.toarray()),
        (sparse.csc_array, lambda X: X.toarray()),
        (BitMatrix.from_array, lambda X: X.toarray()),
        (lambda X: pd.DataFrame(X, index=range(100, 170), columns=NAMES), np.asarray),
        (lambda X: pl.DataFrame(X, schema=NAMES), np.asarray),
    ],
    ids=["array", "csr", "csc", "bits", "pandas", "polars"],
)
@pytest.mark.parametrize(
    "rows", [[69, 0, 7], MASK, MASK.tolist(), []], ids=["numbers", "mask", "list", "none"]
)
def test_rows_are_those_of_the_array_and_the_storage_stays(store, read, rows):
    stored = store(ONES)
    taken = take_rows(stored, rows)
    assert type(taken) is type(stored)
    numbers = np.flatnonzero(rows) if rows is MASK or len(rows) == 70 else np.array(rows, int)
    assert_array_equal(read(taken), ONES[numbers])
