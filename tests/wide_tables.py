"""Tables of some blocks of columns, of every storage, and what holds them in one piece."""

import numpy as np
from scipy import sparse

from consilience import BitMatrix, BlockMatrix

N_SAMPLES, N_FEATURES = 150, 1300


def wide_table(kind, seed=0):
    """X in one piece: informative columns first, copies in other blocks, one constant column."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, N_SAMPLES)
    X = rng.normal(size=(N_SAMPLES, N_FEATURES))
    X[:, :20] += y[:, None]
    X[:, 600], X[:, 1200], X[:, 5] = X[:, 3], X[:, 3], 1.0
    return KINDS[kind](X, rng), y


def _gaps(X, rng):
    return np.where(rng.random(X.shape) < 0.02, np.nan, X)


def _rare(X, rng):
    return sparse.csr_array(np.where(X > 1.5, X.round(1), 0.0))


KINDS = {
    "dense": lambda X, rng: X,
    "single": lambda X, rng: X.astype(np.float32),
    "gaps": _gaps,
    "few values": lambda X, rng: np.clip(X.round(), -1, 2),
    "sparse": _rare,
    "ones listed": lambda X, rng: sparse.csc_array((X > 1).astype(np.int8)),
    "bits": lambda X, rng: BitMatrix.from_array((X > 0.7).astype(np.uint8)),
}
BINARY = ("ones listed", "bits")
LEARNED = ("scores_", "ranking_", "support_", "relevance_", "criterion_", "candidates_", "deltas_")
WAYS = ("mdl", "equal_width", "equal_frequency", None)


def in_blocks(X, **how):
    """The same in three blocks of columns, or in rows, too."""
    return BlockMatrix.split(X, **{"n_columns": 512} | how)


def weights_of(sample, n=150):
    rng = np.random.default_rng(2)
    made = {"once": None, "copies": rng.integers(0, 4, n), "fractions": rng.random(n) + 0.5}
    return made[sample]


def assert_same(one, other):
    for name in LEARNED:
        if hasattr(one, name):
            np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)


def assert_same_scores(one, other):
    for name, scores in one.items():
        np.testing.assert_array_equal(scores, other[name], err_msg=name)
