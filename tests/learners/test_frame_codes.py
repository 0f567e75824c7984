"""A category has the same number in every frame, whichever library holds it."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from numpy.testing import assert_array_equal

from consilience import BitMatrix, DiscreteNB
from consilience.exceptions import DataError
from consilience.learners.frame_codes import FrameCodes, check_mixed_X

COLOURS = ["red", "blue", None, "green", "red"]
KINDS = {
    "pandas category": lambda values: pd.DataFrame({"c": pd.Categorical(values)}),
    "pandas category, other order": lambda values: pd.DataFrame(
        {"c": pd.Categorical(values, categories=["violet", "red", "green", "blue"])}
    ),
    "pandas text": lambda values: pd.DataFrame({"c": pd.Series(values, dtype=object)}),
    "pandas string": lambda values: pd.DataFrame({"c": pd.Series(values, dtype="string")}),
    "polars category": lambda values: pl.DataFrame({"c": pl.Series(values).cast(pl.Categorical)}),
    "polars text": lambda values: pl.DataFrame({"c": pl.Series(values)}),
    "polars enum": lambda values: pl.DataFrame(
        {"c": pl.Series(values, dtype=pl.Enum(["violet", "red", "green", "blue"]))}
    ),
}
every = pytest.mark.parametrize("kind", KINDS)


@every
@pytest.mark.parametrize("learned_from", ["pandas category", "polars text"])
def test_every_kind_of_column_has_the_same_numbers(kind, learned_from):
    learned = FrameCodes(KINDS[learned_from](COLOURS), [True])
    assert_array_equal(learned.numbers(KINDS[kind](COLOURS))[:, 0], [2, 0, np.nan, 1, 2])
    assert_array_equal(learned.numbers(KINDS[kind](["red", "violet", "green"]))[:, 0], [2, 3, 1])


@every
def test_a_column_of_missing_values_knows_nothing(kind):
    learned = FrameCodes(KINDS[kind]([None, None]), [True])
    assert_array_equal(learned.numbers(KINDS[kind]([None, "red"]))[:, 0], [np.nan, 0])


def test_numbers_stay_numbers():
    frame = pd.DataFrame({
        "a": pd.Series([1, None, 3], dtype="Int64"), "b": [True, False, True],
        "c": [0.5, np.nan, 2.0], "d": pd.Series([1, 2, 1], dtype="category"),
    })  # fmt: skip
    found = FrameCodes(frame, [False, False, False, True]).numbers(frame)
    assert_array_equal(found, [[1, 1, 0.5, 0], [np.nan, 0, np.nan, 1], [3, 1, 2, 0]])
    frame = pl.DataFrame({"a": [1, None, 3], "d": ["x", "y", "x"]})
    found = FrameCodes(frame, [False, True]).numbers(frame)
    assert_array_equal(found, [[1, 0], [np.nan, 1], [3, 0]])


def test_names_may_repeat():
    frame = pd.DataFrame([["x", 1, "y"], ["y", 2, "y"]], columns=["a", "a", "a"])
    assert_array_equal(
        FrameCodes(frame, [True, False, True]).numbers(frame), [[0, 1, 0], [1, 2, 0]]
    )


def test_text_that_is_no_number_is_named():
    frame = pd.DataFrame({"a": pd.Categorical(["x", "y"]), "b": ["1", "two"]})
    with pytest.raises(DataError, match="Column 'b' holds 'two' in row 1"):
        FrameCodes(frame, [True, False]).numbers(frame)


def test_what_the_estimator_learns_of_its_columns():
    model = DiscreteNB()
    frame = pd.DataFrame({"a": pd.Categorical(["x", "y"]), "b": [1.0, np.nan]})
    X, nominal = check_mixed_X(model, frame, "from_dtype", reset=True)
    assert_array_equal(X, [[0, 1], [1, np.nan]])
    assert nominal.tolist() == [True, False]
    assert model.feature_names_in_.tolist() == ["a", "b"]
    assert check_mixed_X(model, frame, None, reset=True)[1].tolist() == [False, False]
    X, nominal = check_mixed_X(model, frame[["b"]], [0], reset=True)
    assert model._frame_codes is None
    assert nominal.tolist() == [True]
    bits = BitMatrix.from_array(np.eye(2))
    assert check_mixed_X(model, bits, [1], reset=True)[1].tolist() == [False, True]


def test_categories_after_a_fit_to_numbers_get_a_sentence():
    frame = pd.DataFrame({"a": pd.Categorical(["x", "y"]), "b": [1.0, 2.0]})
    model = DiscreteNB(categorical_features=[0]).fit([[0, 1.0], [1, 2.0]], [0, 1])
    with pytest.raises(DataError, match="Column 'a' holds categories, but DiscreteNB was fitted"):
        model.predict(frame)
    assert_array_equal(DiscreteNB().fit(frame, [0, 1]).predict(frame), [0, 1])


@pytest.mark.parametrize("value", [np.inf, -np.inf])
def test_infinite_values_are_refused_beside_categories(value):
    frame = pd.DataFrame({"a": pd.Categorical(["x", "y"]), "b": [1.0, value]})
    with pytest.raises(DataError, match="Column 'b' holds infinity"):
        DiscreteNB().fit(frame, [0, 1])
