import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import sparse
from scipy.stats import norm
from sklearn.mixture import GaussianMixture

import naive_protocol
from consilience import BitMatrix
from consilience.data.mixture import apply_cuts, fit_cuts
from consilience.exceptions import DataError, UsageError
from consilience.kernels import mixture as kernel

shapes = st.tuples(st.integers(1, 12), st.integers(1, 4))
tables = arrays(np.float64, shapes, elements=st.integers(-3, 3))  # few values: many ties


def two_states(seed, n=80):
    """A column with two states, in standard units and sorted."""
    rng = np.random.default_rng(seed)
    upper = rng.random(n) < rng.uniform(0.25, 0.75)
    x = np.where(upper, rng.normal(rng.uniform(3, 6), rng.uniform(0.5, 1.5), n), rng.normal(size=n))
    return np.sort((x - x.mean()) / x.std())


@given(tables, st.integers(2, 4))
def test_quantile_cuts_agree_with_the_slow_ones(X, n_bins):
    expected = [naive_protocol.quantile_cuts(column, n_bins) for column in X.T]
    np.testing.assert_allclose(fit_cuts(X, "quantile", n_bins), expected)


@given(tables)
def test_every_column_that_varies_is_cut_and_no_other(X):
    for method in ("mixture", "quantile"):
        codes = apply_cuts(X, fit_cuts(X, method))
        np.testing.assert_array_equal(np.ptp(codes, axis=0) > 0, np.ptp(X, axis=0) > 0)


@given(tables, st.randoms(use_true_random=False))
def test_the_order_of_rows_and_the_other_columns_do_not_matter(X, random):
    rows = random.sample(range(len(X)), len(X))
    columns = random.sample(range(X.shape[1]), X.shape[1])
    for method in ("mixture", "quantile"):
        cuts = fit_cuts(X, method)
        np.testing.assert_array_equal(fit_cuts(X[rows][:, columns], method), cuts[columns])


@pytest.mark.parametrize("seed", range(5))
def test_em_agrees_with_the_slow_one(seed):
    x, found = two_states(seed), np.empty(6)
    assert kernel.fit_mixture(x, x.size, 40, 0.0, found)
    share, mean, deviation = naive_protocol.two_gaussians(x, 40)
    np.testing.assert_allclose(found[[0, 3]], share, atol=1e-9)
    np.testing.assert_allclose(found[[1, 4]], mean, atol=1e-9)
    np.testing.assert_allclose(found[[2, 5]], deviation**2, atol=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_the_mixture_is_that_of_scikit_learn(seed):
    x = two_states(seed)
    start, found = np.empty(6), np.empty(6)
    assert kernel.start_mixture(x, x.size, start)
    assert kernel.fit_mixture(x, x.size, 100_000, 1e-9, found)
    theirs = GaussianMixture(
        2, tol=1e-13, reg_covar=0, max_iter=100_000, weights_init=start[[0, 3]],
        means_init=start[[1, 4]][:, None], precisions_init=1 / start[[2, 5]][:, None, None],
    ).fit(x[:, None])  # fmt: skip
    np.testing.assert_allclose(found[[0, 3]], theirs.weights_, atol=1e-4)
    np.testing.assert_allclose(found[[1, 4]], theirs.means_[:, 0], atol=1e-4)
    np.testing.assert_allclose(found[[2, 5]], theirs.covariances_[:, 0, 0], atol=1e-4)


@pytest.mark.parametrize("seed", range(5))
def test_the_cut_parts_rows_as_scikit_learn_calls_them(seed):
    x = two_states(seed)[:, None]
    theirs = GaussianMixture(2, tol=1e-8, max_iter=10_000, random_state=0).fit(x)
    lower = np.argmin(theirs.means_[:, 0])
    between = (x[:, 0] > theirs.means_.min()) & (x[:, 0] < theirs.means_.max())
    codes = apply_cuts(x, fit_cuts(x))[:, 0]
    assert between.sum() > 10
    assert ((theirs.predict(x) != lower) == codes)[between].mean() > 0.95


@pytest.mark.parametrize("seed", range(5))
def test_at_the_cut_both_gaussians_are_as_likely(seed):
    x = two_states(seed)
    cut = fit_cuts(7 + 3 * x[:, None])[0, 0]  # any unit
    share, mean, deviation = naive_protocol.two_gaussians(7 + 3 * x, 3000)
    joint = share * norm.pdf(cut, mean, deviation)
    assert mean[0] < cut < mean[1]
    assert joint[0] == pytest.approx(joint[1], rel=0.05)  # EM of the kernel stops earlier


@pytest.mark.parametrize(
    "column",
    [
        [0, 0, 0, 0, 1, 1, 2, 9],  # a component shrinks to the zeros
        [0, 1, 0, 1, 1, 1, 1, 1],
        [-9, -1e-3, -1e-3, 0, 0, 1e-3, 1e-3, 9],  # one Gaussian inside the other
    ],
)
def test_where_no_mixture_is_found_the_cut_is_the_middle(column):
    column = np.array(column, dtype=float)
    assert fit_cuts(column[:, None])[0, 0] == naive_protocol.border_near(column, column.size / 2)


def test_the_middle_is_the_median_where_no_values_are_equal():
    x = np.concatenate([-np.logspace(-3, 3, 15), [0.0], np.logspace(-3, 3, 15)])
    codes = apply_cuts(x[:, None], fit_cuts(x[:, None], "quantile", 2))[:, 0]
    np.testing.assert_array_equal(codes, x > np.median(x))


def test_missing_values_take_no_part_and_are_a_value_of_their_own():
    rng = np.random.default_rng(0)
    known = rng.normal(size=(30, 3))
    X = np.vstack([known, np.full((4, 3), np.nan)])[rng.permutation(34)]
    X = np.column_stack([X, np.full(34, np.nan)])
    for method, n_cuts in (("mixture", 1), ("quantile", 2)):
        cuts = fit_cuts(X, method)
        np.testing.assert_array_equal(cuts[:3], fit_cuts(known, method))
        assert np.isinf(cuts[3]).all()
        codes = apply_cuts(X, cuts)
        np.testing.assert_array_equal(codes == n_cuts + 1, np.isnan(X))


def test_every_storage_is_cut_alike(monkeypatch):
    monkeypatch.setattr("consilience.data.mixture._BLOCK_CELLS", 40)  # several blocks
    rng = np.random.default_rng(0)
    X = (rng.random((20, 7)) < 0.3).astype(np.uint8)
    for method in ("mixture", "quantile"):
        cuts = fit_cuts(X, method)
        for other in (sparse.csr_array(X), sparse.csc_array(X), BitMatrix.from_array(X)):
            np.testing.assert_array_equal(fit_cuts(other, method), cuts)
            np.testing.assert_array_equal(apply_cuts(other, cuts), X)


def test_codes_are_stored_by_column():
    X = np.random.default_rng(0).normal(size=(9, 5))
    assert apply_cuts(X, fit_cuts(X)).flags.f_contiguous


def test_numbers_at_the_end_of_the_range_are_cut():
    X = np.array([[-1.7e308, 1.0], [1.7e308, 1.0 + 2.3e-16], [1.7e308, 1.0 + 2.3e-16]])
    np.testing.assert_array_equal(apply_cuts(X, fit_cuts(X)), [[0, 0], [1, 1], [1, 1]])


@pytest.mark.parametrize("value", [-np.inf, np.inf])
def test_infinite_values_are_refused_by_column(value):
    X = np.ones((4, 3))
    X[2, 1], X[0, 1] = value, np.nan
    with pytest.raises(DataError, match="Column 1 "):
        fit_cuts(X)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "mdl"}, "Unknown way to cut 'mdl'"),
        ({"method": "quantile", "n_bins": 1}, "n_bins is 1"),
        ({"method": "quantile", "n_bins": 255}, "2 to 254"),
    ],
)
def test_senseless_requests_are_refused(options, message):
    with pytest.raises(UsageError, match=message):
        fit_cuts(np.ones((3, 2)), **options)


def test_cuts_of_other_columns_are_refused():
    with pytest.raises(UsageError, match=r"2 columns and cuts of shape \(3, 1\)"):
        apply_cuts(np.ones((3, 2)), np.ones((3, 1)))
