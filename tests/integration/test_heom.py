"""Distances over mixed columns against the plain formula, in every storage."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from scipy.spatial.distance import cdist

import naive_integration
from consilience import BitMatrix
from consilience.exceptions import DataError, UsageError
from consilience.integration import HEOM, heom

RNG = np.random.default_rng(0)


@st.composite
def mixed_tables(draw):
    """Rows, new rows and a mask of nominal columns: few values, some missing, some constant."""
    p, n, n_new = draw(st.integers(1, 9)), draw(st.integers(1, 6)), draw(st.integers(1, 4))
    cells = st.integers(-2, 3).map(float) | st.just(float("nan"))
    rows = draw(arrays(np.float64, (n, p), elements=cells))
    new = draw(arrays(np.float64, (n_new, p), elements=cells))
    if draw(st.booleans()):
        rows[:, 0] = 2.0
    return rows, new, draw(arrays(np.bool_, p))


@given(mixed_tables())
def test_distances_agree_with_the_formula(table):
    rows, new, nominal = table
    expected = naive_integration.heom(rows.tolist(), new.tolist(), nominal)
    assert_allclose(HEOM.of(rows, nominal).distances(new), expected, rtol=1e-12, atol=1e-14)


@given(mixed_tables())
@settings(max_examples=30)
def test_every_storage_gives_the_same_bits(table):
    rows, new, nominal = table
    expected = HEOM.of(rows, nominal).distances(new)
    for kind in (sparse.csr_array, sparse.csc_array):
        assert HEOM.of(kind(rows), nominal).distances(kind(new)).tobytes() == expected.tobytes()
        assert HEOM.of(rows, nominal).distances(kind(new)).tobytes() == expected.tobytes()
    ones, new_ones = (rows > 0).astype(np.uint8), (new > 0).astype(np.uint8)
    expected = HEOM.of(ones, nominal).distances(new_ones)
    made = (
        BitMatrix.from_array, sparse.csr_array, sparse.csc_array, np.asarray, np.float32, np.bool_
    )  # fmt: skip
    for kind in made:
        for other in made:
            found = HEOM.of(kind(ones), nominal).distances(other(new_ones))
            assert found.tobytes() == expected.tobytes()
    # Bits as training rows, anything as new rows.
    found = HEOM.of(BitMatrix.from_array(ones), nominal).distances(new)
    assert_array_equal(found, HEOM.of(ones, nominal).distances(new))


def test_numbers_are_scipys_euclidean_distances_after_scaling():
    rows, new = RNG.normal(size=(70, 13)), RNG.normal(size=(30, 13)) * 3
    span = np.ptp(rows, axis=0)
    assert_allclose(HEOM.of(rows).distances(new), cdist(new / span, rows / span), rtol=1e-12)


def test_nominal_columns_are_scipys_hamming_distances():
    rows, new = RNG.integers(0, 4, size=(70, 13)), RNG.integers(0, 5, size=(30, 13))
    found = HEOM.of(rows, np.ones(13, bool)).distances(new)
    assert_allclose(found, np.sqrt(cdist(new, rows, "hamming") * 13), rtol=1e-12)


@pytest.mark.parametrize("holes", ["rows", "new", "both", "none"])
@pytest.mark.parametrize("n_new", [2, 5])
def test_missing_values_on_either_side_of_many_columns(holes, n_new):
    rows, new = RNG.normal(size=(9, 11)), RNG.normal(size=(n_new, 11))
    if holes in ("rows", "both"):
        rows[[2, 5], [1, 9]] = np.nan
    if holes in ("new", "both"):
        new[1, [0, 6, 10]] = np.nan
    expected = naive_integration.heom(rows.tolist(), new.tolist(), [False] * 11)
    assert_allclose(HEOM.of(rows).distances(new), expected, rtol=1e-12)


def test_values_outside_the_range_are_not_capped():
    assert_allclose(HEOM.of(np.array([[0.0], [2.0]])).distances(np.array([[7.0]])), [[3.5, 2.5]])


def test_blocks_and_jobs_change_no_bit(monkeypatch):
    rows, new = RNG.normal(size=(37, 11)), RNG.normal(size=(29, 11))
    new[3, 4] = rows[5, 6] = np.nan
    nominal = np.arange(11) == 2
    expected = HEOM.of(rows, nominal).distances(new)
    whole = HEOM.of(rows, nominal).distances(new[:1])
    assert whole.tobytes() == expected[:1].tobytes()
    monkeypatch.setattr(heom, "TASK_CELLS", 100)
    monkeypatch.setattr(heom, "COLUMN_CELLS", 37 * 3)
    for kind in (np.asarray, sparse.csc_array):
        for n_jobs in (1, 2):
            found = HEOM.of(kind(rows), nominal).distances(kind(new), n_jobs=n_jobs)
            assert found.tobytes() == expected.tobytes()


def test_the_rows_of_the_caller_are_not_touched():
    rows = np.arange(6.0).reshape(3, 2)
    rows.flags.writeable = False
    before = rows.tobytes()
    HEOM.of(rows).distances(rows)
    assert rows.tobytes() == before


def test_lists_and_frames_are_tables_too():
    rows = [[0.0, 1.0], [2.0, 1.0]]
    expected = HEOM.of(np.array(rows)).distances(np.array(rows))
    assert_array_equal(HEOM.of(rows).distances(pd.DataFrame(rows)), expected)


def test_what_is_no_table_is_refused():
    with pytest.raises(DataError, match="There are no rows"):
        HEOM.of(np.empty((0, 3)))
    with pytest.raises(UsageError, match="got 1-D"):
        HEOM.of([1.0, 2.0])
    for wrong in ([0, 2], [True], "all"):
        with pytest.raises(UsageError, match="nominal is no mask of 3 booleans"):
            HEOM.of(np.eye(3), wrong)


def test_no_new_rows_and_another_width():
    metric = HEOM.of(np.eye(3))
    assert metric.distances(np.empty((0, 3))).shape == (0, 3)
    with pytest.raises(DataError, match="2 features and the distance was made of 3"):
        metric.distances(np.eye(2))


def test_numbers_of_any_size_are_measured_without_alarm():
    rows = np.array([[-1e308, 0.0], [1e308, 5e-324], [0.0, 0.0]])
    found = HEOM.of(rows).distances(rows)
    assert np.isfinite(found).all()
    assert found[2, 1] >= 1  # the smallest number there is, differs from 0 by its whole range
    assert_array_equal(
        HEOM.of(rows[:, 1:]).distances(rows[:, 1:]), [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    )


def test_bytes_other_than_bits_are_numbers():
    rows = np.array([[0, 2], [1, 0]], dtype=np.int8)
    assert_allclose(HEOM.of(rows).distances(np.array([[0, 1]], dtype=np.int8)), [[0.5, 1.25**0.5]])
    assert_allclose(HEOM.of(-rows).distances(-rows), HEOM.of(rows).distances(rows))
