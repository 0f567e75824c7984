"""Tables and folds that the tests of learners share."""

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

NAMES = ("dlbcl", "srbct", "9_tumors")


@st.composite
def small_cases(draw, max_rows=14, max_columns=6, max_classes=4, whole=True):
    """Columns, y, folds and number of classes: few values, so with equal rows and constants."""
    n = draw(st.integers(3, max_rows))
    m = draw(st.integers(1, max_columns))
    c = draw(st.integers(2, max_classes))
    cells = st.integers(-3, 3).map(float) if whole else st.floats(-3, 3, width=32)
    columns = draw(arrays(np.float64, (m, n), elements=cells))
    y = draw(arrays(np.int64, n, elements=st.integers(0, c - 1)))
    folds = draw(arrays(np.int64, n, elements=st.integers(-2, 4)))
    kind = draw(st.sampled_from(["any", "one by one", "holdout"]))
    if kind == "one by one":
        folds = np.arange(n)
    elif kind == "holdout":
        folds = np.where(folds > 1, 0, -1)
    folds[:2] = (-1, 7)  # something to train on, something to predict
    return columns, y, folds, c


def made_case(n=40, m=12, c=3, seed=0, shift=0.8):
    """Gaussian columns with classes that overlap."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % c
    centres = shift * rng.normal(size=(c, m))
    return (rng.normal(size=(n, m)) + centres[y]).T.copy(), y


def all_folds(n, seed=0):
    """Leave-one-out, five folds, a validation part, and folds with rows out of play."""
    rng = np.random.default_rng(seed)
    five = rng.permutation(n) % 5
    some = five.copy()
    some[some == 3], some[some == 4] = -1, -2
    return {
        "one by one": np.arange(n),
        "five folds": five,
        "validation part": np.where(five == 0, 0, -1),
        "rows out of play": some,
    }


def real_case(folder, name, size, n_subspaces=4):
    """Standardised columns of a real set, its class codes, and random subspaces."""
    with np.load(folder / f"{name}.npz", allow_pickle=False) as held:
        X, y = held["X"].astype(float), np.unique(held["y"], return_inverse=True)[1]
    X = X[:, X.std(axis=0) > 0]
    columns = np.ascontiguousarray(((X - X.mean(axis=0)) / X.std(axis=0)).T)
    rng = np.random.default_rng(7)
    return columns, y, [rng.choice(len(columns), size, replace=False) for _ in range(n_subspaces)]
