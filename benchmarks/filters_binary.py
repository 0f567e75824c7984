"""Information gain, symmetrical uncertainty and chi-square of 139,351 binary features at once.

The size and density of KDD Cup 2001's thrombin data, made at random. Peers: one scan of the packed
data (a lower bound), a scipy version by hand, and scikit-learn.
"""

import numpy as np
from scipy import sparse
from scipy.special import xlogy
from sklearn.feature_selection import chi2, mutual_info_classif

from consilience import BitMatrix
from consilience.kernels.binary_filters import fill_pair_table
from consilience.kernels.bit_filters import score_bits_two_classes
from consilience.kernels.discretisation import DISTINCT
from consilience.kernels.entropy import x_log_x_table
from consilience.selectors import univariate_scores
from timing import Line, best_times

N_SAMPLES, N_FEATURES, DENSITY = 1950, 139_351, 0.007
SLICE = 2000  # columns that scikit-learn's mutual information is timed on


def make():
    """A sparse binary matrix, and one sample in ten of the second class."""
    rng = np.random.default_rng(0)
    X = sparse.random(N_SAMPLES, N_FEATURES, DENSITY, format="csc", random_state=rng)
    X.data[:] = 1.0
    y = np.zeros(N_SAMPLES, dtype=np.int64)
    y[rng.choice(N_SAMPLES, N_SAMPLES // 10, replace=False)] = 1
    return X, y


def by_hand(X, y):
    """All three scores as a skilled user would vectorise them with scipy."""
    n, positive = y.size, y.sum()
    ones = np.asarray(X.sum(axis=0)).ravel()
    cells = np.stack([ones - (c := X.T @ y.astype(float)), c])  # ones by class
    other = np.array([[n - positive], [positive]]) - cells  # zeros by class
    log2 = n * np.log(2)
    h_x = -(xlogy(ones, ones / n) + xlogy(n - ones, (n - ones) / n)) / log2
    h_y = -(xlogy(positive, positive / n) + xlogy(n - positive, 1 - positive / n)) / log2
    h_xy = -(xlogy(cells, cells / n).sum(0) + xlogy(other, other / n).sum(0)) / log2
    gain = h_x + h_y - h_xy
    expected = ones * positive / n
    with np.errstate(divide="ignore", invalid="ignore"):
        chi = (cells[1] - expected) ** 2 * n**3 / (ones * (n - ones) * positive * (n - positive))
    return gain, 2 * gain / (h_x + h_y), chi


def run():
    X, y = make()
    bits, by_rows = BitMatrix.from_sparse(X), X.tocsr()
    ours = univariate_scores(bits, y, discretize=None)
    gain, symmetrical, chi = by_hand(X, y)
    assert np.allclose(ours["information_gain"], gain, atol=1e-12)
    assert np.allclose(ours["symmetrical_uncertainty"], symmetrical, atol=1e-12)
    assert np.allclose(ours["chi_square"], np.nan_to_num(chi), rtol=1e-9)

    mask = BitMatrix.from_array((y == 1)[:, None]).words[0]
    table, n_pairs, pairs = x_log_x_table(y.size), (64, 32), np.empty((64 * 32, 3))
    totals = np.bincount(y)
    out, varies = np.empty((3, N_FEATURES)), np.empty(N_FEATURES, dtype=bool)

    def kernel():
        fill_pair_table(*n_pairs, totals, DISTINCT, True, table, pairs)
        score_bits_two_classes(
            bits.words, mask, y.size, int(y.sum()), DISTINCT, True, table, pairs, n_pairs, out,
            varies,
        )  # fmt: skip

    part = X[:, :SLICE].toarray().astype(np.int64)
    times = best_times(
        {
            "scan": bits.words.sum,
            "kernel": kernel,
            "public": lambda: univariate_scores(bits, y, discretize=None),
            "by hand": lambda: by_hand(X, y),
            "chi2": lambda: chi2(by_rows, y),
        },
        rounds=9,
    )
    slow = best_times({"mi": lambda: mutual_info_classif(part, y, discrete_features=True)}, 1)
    mutual = slow["mi"] * N_FEATURES / SLICE
    name = f"IG + SU + chi2, {N_SAMPLES:,} x {N_FEATURES:,} bits"
    return [
        Line(name + ", kernel", "one scan of the packed data", times["scan"], times["kernel"], 2,
             at_most=True),
        Line(name + ", public call", "one scan of the packed data", times["scan"],
             times["public"], 2, at_most=True),
        Line(name + ", public call", "scipy by hand (same three scores)", times["by hand"],
             times["public"], 3),
        Line(name + ", public call", "scikit-learn chi2 on csr (chi2 only)", times["chi2"],
             times["public"], 50),
        Line(name + ", public call", f"scikit-learn mutual information (from {SLICE} columns)",
             mutual, times["public"], 50_000),
    ]  # fmt: skip
