"""Small data sets for hypothesis: few values, so that ties abound."""

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

SCORES = ("information_gain", "symmetrical_uncertainty", "chi_square")


few_values = st.integers(-2, 3)


@st.composite
def labelled(draw, *, values=few_values, min_rows=2, max_rows=14, max_columns=3):
    """X as float64, and y of two to four classes."""
    n_rows = draw(st.integers(min_rows, max_rows))
    shape = (n_rows, draw(st.integers(1, max_columns)))
    X = draw(arrays(np.float64, shape, elements=values))
    n_classes = draw(st.integers(2, 4))
    y = draw(arrays(np.int64, n_rows, elements=st.integers(0, n_classes - 1)))
    y[:2] = [0, 1]
    return X, y


@st.composite
def weighted(draw, data, elements):
    """X, y and row weights of which at least one in each of two classes is positive."""
    X, y = draw(data)
    weights = draw(arrays(np.float64, y.size, elements=elements))
    weights[:2] += 1
    return X, y, weights


whole_weights = st.integers(0, 3)
any_weights = st.floats(0.0, 4.0).map(lambda w: round(w, 3))
binary = st.integers(0, 1)
with_missing = st.one_of(few_values, st.just(np.nan))
