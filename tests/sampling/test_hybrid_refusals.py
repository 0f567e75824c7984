"""What the sampler cannot use, each in a sentence that says where it is and the way out."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse

from consilience import BitMatrix, HybridSampler
from consilience.exceptions import DataError, UsageError
from consilience.sampling.balance import KINDS

X = np.random.default_rng(0).normal(size=(20, 3))
y = np.repeat([0, 1], [14, 6])
FRAME = pd.DataFrame(X, columns=["age", "dose", "mass"])


def refused(table, labels=y, **options):
    with pytest.raises((DataError, UsageError)) as caught:
        HybridSampler(**options).fit_resample(table, labels)
    assert isinstance(caught.value, ValueError)
    return str(caught.value)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"oversample": -0.5}, "oversample is -0.5; give a number, 0 or more"),
        ({"oversample": "half"}, "oversample is 'half'; give a number, 0 or more"),
        ({"oversample": float("nan")}, "oversample is nan; give a number, 0 or more"),
        ({"kind": "under"}, "kind is 'under'; choose one of hybrid, rus, ros, smote."),
        ({"k_neighbors": 0}, "k_neighbors is 0; give a whole number, 1 or more."),
        ({"k_neighbors": 2.0}, "k_neighbors is 2.0; give a whole number, 1 or more."),
        ({"k_neighbors": True}, "k_neighbors is True; give a whole number, 1 or more."),
        ({"gap": "cell"}, "gap is 'cell'; choose 'row' or 'column'."),
        ({"gap": None}, "gap is None; choose 'row' or 'column'."),
        ({"categorical_features": [3]}, "column indices from 0 to 2; got [3]."),
        ({"categorical_features": [True, False]}, "a mask of 3 booleans"),
        ({"categorical_features": "auto"}, "got 'auto'"),
    ],
)
def test_requests_that_make_no_sense(options, message):
    assert message in refused(X, **options)


@pytest.mark.parametrize("kind", KINDS)
def test_one_class_cannot_be_balanced(kind):
    message = refused(X, ["ill"] * 20, kind=kind)
    assert message.startswith("All 20 rows have the class 'ill' (1 class found); give rows of 2")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("store", [np.array, sparse.csr_array, sparse.csc_matrix, FRAME.__class__])
def test_cells_that_are_no_finite_numbers(kind, value, store):
    table = X.copy()
    table[4, 1] = value
    what = "NaN" if np.isnan(value) else "infinity"
    assert refused(store(table), kind=kind).startswith(
        f"Column 'x1' holds {what} in row 4, which HybridSampler cannot use; "
    )


def test_the_caller_s_names_are_used():
    table = FRAME.copy()
    table.iloc[4, 1] = np.nan
    assert "Column 'dose' holds NaN in row 4" in refused(table)
    table = FRAME.assign(dose=pd.array([1, None] * 10, dtype="Int64"))
    assert "Column 'dose' holds NaN in row 1" in refused(table)
    table = FRAME.assign(air=pd.Categorical(["hot", "cold", None, "hot"] * 5))
    assert "Column 'air' holds NaN in row 2" in refused(table)


def test_text_is_refused_with_its_place():
    table = FRAME.assign(air=["hot", "cold"] * 10)
    assert refused(table) == (
        "Column 'air' holds 'hot' in row 0, which is not a number; make the column categorical or "
        "leave it out."
    )
    for cells in (table.to_numpy(), table.to_numpy().tolist(), table.to_numpy().astype(str)):
        assert refused(cells, categorical_features=[3]).startswith(
            "Column 'x3' holds 'hot' in row 0, which is not a number; give a data frame"
        )


def test_times_are_refused():
    table = FRAME.assign(visit=pd.date_range("2020-01-01", periods=20))
    assert "Column 'visit' holds times (datetime64[ns])" in refused(table)


@pytest.mark.parametrize("table", [X, FRAME, FRAME.assign(n=1)])
def test_rows_must_have_classes(table):
    assert "X has 20 rows and y has 19" in refused(table, y[:-1])
    assert "The class of row 3 is None" in refused(table, [0, 0, 1, None, *y[4:].tolist()])
    assert "The class of row 3 is nan" in refused(table, np.where(np.arange(20) == 3, np.nan, y))
    assert "requires y to be passed" in refused(table, None)


def test_tables_that_imbalanced_learn_could_not_give_back():
    assert "give `X.to_pandas()`" in refused(pl.DataFrame(X))
    assert "give `X.toarray()`" in refused(BitMatrix.from_array(X > 0))
    assert "Two columns are named 'dose'" in refused(FRAME.set_axis(["dose", "dose", "b"], axis=1))
    assert "X has 0 rows and 3 columns" in refused(FRAME.iloc[:0], y[:0])


@pytest.mark.parametrize("kind", KINDS)
def test_a_minority_of_one_row_is_no_error(kind):
    found, labels = HybridSampler(kind=kind, random_state=0).fit_resample(X, np.arange(20) == 7)
    expected = {"hybrid": (1, 1), "rus": (1, 1), "ros": (19, 19), "smote": (19, 1)}[kind]
    assert ((~labels).sum(), labels.sum()) == expected
    assert (found[labels] == X[7]).all()
