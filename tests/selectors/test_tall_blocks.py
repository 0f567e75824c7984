"""Tables in blocks of rows: counts that are added up give the answer of the table in one piece."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from consilience import (
    MRMR,
    BitMatrix,
    BlockMatrix,
    BWRatio,
    EnsembleSelector,
    InformationGain,
    MarkovBlanket,
    QIFSClassifier,
)
from consilience.exceptions import DataError
from consilience.execution.open_part import OpenPart
from consilience.kernels import entropy
from consilience.selectors import univariate_scores
from consilience.selectors.block_counts import count_blocks, count_weighted
from consilience.selectors.table_scores import LONGEST_TABLE, score_tables
from consilience.selectors.value_groups import Groups
from naive_filters import value_counts
from small_tables import (
    binary,
    few_values,
    labelled,
    weighted,
    whole_weights,
    with_missing,
)
from wide_tables import (
    BINARY,
    WAYS,
    assert_same,
    assert_same_scores,
    in_blocks,
    weights_of,
    wide_table,
)


@given(weighted(labelled(values=binary, max_rows=200), whole_weights), st.integers(1, 3))
@settings(deadline=None)
def test_tall_tables_are_known_by_their_counts(data, n_words):
    X, y, weights = data
    bits = BitMatrix.from_array(X)
    for how in ({}, {"discretize": None}, {"categorical_features": [0]}):
        one = univariate_scores(bits, y, weights, **how)
        tall = BlockMatrix.split(bits, n_rows=64 * n_words)
        assert_same_scores(one, univariate_scores(tall, y, weights, **how))


@pytest.mark.parametrize("discretize", ["mdl", None])
def test_rows_that_count_a_million_times_need_no_table_of_logarithms_as_long(
    discretize, monkeypatch
):
    X, y = wide_table("bits")
    weights = np.random.default_rng(0).integers(1, 1 << 20, y.size)
    one = univariate_scores(X, y, weights, discretize=discretize)
    lengths = []
    table = entropy.x_log_x_table
    monkeypatch.setattr(entropy, "x_log_x_table", lambda n: lengths.append(n) or table(n))
    tall = univariate_scores(in_blocks(X, n_rows=64), y, weights, discretize=discretize)
    assert_same_scores(one, tall)
    assert max(lengths) <= LONGEST_TABLE


@given(weighted(labelled(values=binary, max_rows=200), whole_weights), st.randoms())
def test_counts_are_those_of_a_loop(data, random):
    X, _, weights = data
    masks = np.array([[random.random() < 0.5 for _ in weights] for _ in range(3)])
    plain = np.array([[X[mask, j].sum() for j in range(X.shape[1])] for mask in masks])
    heavy = np.array([[(X[:, j] * weights)[mask].sum() for j in range(X.shape[1])]
                      for mask in masks])  # fmt: skip
    bits = BitMatrix.from_array(X)
    for blocks in (BlockMatrix.split(bits), BlockMatrix.split(bits, n_rows=64)):
        np.testing.assert_array_equal(count_blocks(blocks, masks), plain)
        found = count_weighted(blocks, masks, np.tile(weights, (3, 1)))
        np.testing.assert_array_equal(found, heavy)


@pytest.mark.parametrize("criterion", ["mid", "fcq"])
@pytest.mark.parametrize("discretize", ["mean_std", "mdl"])
@pytest.mark.parametrize("sample", ["once", "copies"])
def test_mrmr_of_tall_tables(criterion, discretize, sample):
    X, y = wide_table("bits")

    def fit(X):
        how = {"criterion": criterion, "discretize": discretize, "random_state": 3}
        return MRMR(8, **how).fit(X, y, weights_of(sample))

    assert_same(fit(X), fit(in_blocks(X, n_rows=64)))


def genotypes(form=np.asarray, gaps=0.0):
    """0, 1 and 2 copies of a gene, some not known."""
    rng = np.random.default_rng(3)
    y = rng.integers(0, 3, 300)
    X = rng.binomial(2, 0.15 + 0.2 * y[:, None] * (np.arange(1100) < 12)).astype(float)
    X[:, 7], X[:, 600] = 1.0, X[:, 3]
    X[rng.random(X.shape) < gaps] = np.nan
    X[:, 900] = np.nan if gaps else 0.0
    return form(X), y


GENOTYPES = {
    "whole numbers": {"form": lambda X: X.astype(np.int8)},
    "numbers": {},
    "below zero": {"form": lambda X: X - 1},
    "gaps": {"gaps": 0.03},
    "sparse": {"form": sparse.csr_array},
    "sparse, gaps": {"form": sparse.csc_array, "gaps": 0.03},
    "sparse, below zero": {"form": lambda X: sparse.csr_array(np.where(X == 2, -1, X))},
}


@pytest.mark.parametrize("table", GENOTYPES)
@pytest.mark.parametrize("discretize", WAYS)
def test_tall_tables_of_few_values(table, discretize):
    """Tables of values by classes are added up over blocks of rows."""
    X, y = genotypes(**GENOTYPES[table])
    rng = np.random.default_rng(0)
    tall, some = in_blocks(X, n_rows=64), rng.permutation(300)[:170]
    for missing in ("spread", "omit", "category") if "gaps" in table else ("spread",):
        for weights in (None, rng.integers(0, 4, 300)):
            how = {"discretize": discretize, "missing": missing, "categorical_features": [3, 5]}
            one = univariate_scores(X, y, weights, **how)
            assert_same_scores(one, univariate_scores(tall, y, weights, **how))
            part = None if weights is None else weights[some]
            one = univariate_scores(X[some], y[some], part, **how)
            assert_same_scores(one, univariate_scores(tall[some], y[some], part, **how))


@given(weighted(labelled(values=few_values, max_rows=150), whole_weights), st.sampled_from(WAYS))
@settings(deadline=None)
def test_tall_tables_of_few_values_at_random(data, discretize):
    X, y, weights = data
    one = univariate_scores(X, y, weights, discretize=discretize)
    tall = BlockMatrix.split(X, n_rows=64)
    assert_same_scores(one, univariate_scores(tall, y, weights, discretize=discretize))


@pytest.mark.parametrize("table", ["numbers", "gaps", "sparse"])
def test_bootstraps_of_tall_tables(table):
    X, y = genotypes(**GENOTYPES[table])
    fitted = [
        EnsembleSelector(InformationGain(8), n_models=12, random_state=0).fit(each, y)
        for each in (X, in_blocks(X, n_rows=128))
    ]
    np.testing.assert_array_equal(fitted[0].models_.rankings, fitted[1].models_.rankings)


def test_tall_tables_are_known_by_counts_alone():
    X, y = wide_table("few values")
    with pytest.raises(
        DataError, match=r"Column 'x\d+' .* and MRMR needs 0 and 1 alone of a table in blocks"
    ):
        MRMR(5).fit(in_blocks(X, n_rows=64), y)
    with pytest.raises(DataError, match="the weights are no whole numbers"):
        InformationGain(5).fit(in_blocks(X, n_rows=64), y, weights_of("fractions"))
    rng = np.random.default_rng(0)
    many, y = rng.integers(0, 3, (320, 600)).astype(float), np.arange(320) % 2
    many[:, 530] = np.arange(320)  # no block of 64 rows has more than 64 values
    with pytest.raises(DataError, match=r"Column 'x530' has more than 256 different values, and"):
        InformationGain(5).fit(in_blocks(many, n_rows=64), y)
    many[:, 530] = np.arange(320) % 256
    InformationGain(5).fit(in_blocks(many, n_rows=64), y)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_cells_of_tall_tables_that_cannot_be_used_are_named(form):
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 3, (320, 600)).astype(float), np.arange(320) % 2
    X[200, 530] = X[70, 530] = np.inf
    tall = in_blocks(form(X), n_rows=64)
    with pytest.raises(DataError, match=r"Column 'x530' holds infinity in row 70, which"):
        InformationGain(5).fit(tall, y)
    rows = np.delete(np.arange(320), [3, 70])  # what is found first is not among these rows
    with pytest.raises(DataError, match=r"Column 'x530' holds infinity in row 198, which"):
        InformationGain(5).fit(tall[rows], y[rows])
    rows = np.delete(np.arange(320), [70, 200])
    fits = [InformationGain(5, random_state=0).fit(Z[rows], y[rows]) for Z in (form(X), tall)]
    assert_same(*fits)


def test_committees_count_zeros_and_ones_of_tall_tables():
    X, y = genotypes()
    with pytest.raises(DataError, match="takes a BlockMatrix of zeros and ones, and this one"):
        QIFSClassifier(n_rounds=2).fit(in_blocks(X, n_rows=64), y == 0)


def test_tables_of_many_values_are_counted_in_several_scans(monkeypatch):
    """For some samples at a time: those of all would not fit in memory."""
    X, y = genotypes(gaps=0.03)
    heavy = np.random.default_rng(1).integers(0, 3, (5, 300)).astype(float)
    prepared = InformationGain().prepare(in_blocks(X, n_rows=64), y)
    how = prepared, heavy, np.arange(3), (0, 10, 0)
    one = score_tables(*how)
    monkeypatch.setattr("consilience.selectors.block_tables.MOST_COUNTS", 40_000)
    for expected, found in zip(one, score_tables(*how), strict=True):
        np.testing.assert_array_equal(expected, found)


@given(weighted(labelled(values=with_missing, max_rows=40), whole_weights), st.booleans())
def test_values_are_counted_as_in_a_loop(data, is_sparse):
    X, y, weights = data
    view = OpenPart(sparse.csc_array(X) if is_sparse else X).view(None, None)
    groups = Groups.of(view)
    counts = groups.count(y, np.stack([weights, weights > 0], axis=1), 4)
    expected = value_counts(X, y, weights, 4)
    told = [((int(c), v), n) for c, v, n in zip(groups.columns, groups.values, counts, strict=True)]
    assert [(c, str(v)) for (c, v), _ in told] == [(c, str(v)) for c, v in expected]
    for (key, found), n in zip(told, expected.values(), strict=True):
        np.testing.assert_array_equal(found[:, 0], n, err_msg=str(key))


def test_weights_and_sums_that_tall_tables_do_not_have():
    X, y = wide_table("bits")
    tall = in_blocks(X, n_rows=64)
    with pytest.raises(DataError, match="the weights are no whole numbers"):
        InformationGain(5).fit(tall, y, weights_of("fractions"))
    with pytest.raises(DataError, match="the weights are no whole numbers"):
        MRMR(5).fit(tall, y, weights_of("fractions"))
    with pytest.raises(DataError, match="BWRatio adds up squares"):
        BWRatio(5).fit(tall, y)


@pytest.mark.parametrize("kind", BINARY)
def test_sparse_ones_may_be_tall_too(kind):
    X, y = wide_table(kind)
    one = univariate_scores(X, y)
    assert_same_scores(one, univariate_scores(in_blocks(X, n_rows=64), y))


@pytest.mark.parametrize("discretize", ["mdl", "equal_width", None])
def test_blankets_of_tall_zeros_and_ones(discretize):
    """Columns of two values are taken as they are, whatever holds them."""
    rng = np.random.default_rng(0)
    X, y = rng.random((200, 30)) < 0.5, rng.integers(0, 2, 200)
    X[:, 3] = y ^ (rng.random(200) < 0.2)
    how = {"n_candidates": 12, "blanket_size": 2, "discretize": discretize, "random_state": 0}
    for table in (X.astype(float), sparse.csr_array(X.astype(np.int8))):
        whole = MarkovBlanket(4, **how).fit(table, y)
        tall = MarkovBlanket(4, **how).fit(BlockMatrix.split(table, n_rows=64), y)
        assert_same(whole, tall)


@pytest.mark.parametrize("cells", ["few values", "bits"])
def test_weights_that_counts_cannot_hold_are_refused(cells):
    X, y = wide_table(cells)
    weights = np.where(np.arange(y.size) % 2, 1.0, 1e18)
    with pytest.raises(DataError, match=r"Rows count 1e\+18 times, which is too often"):
        InformationGain(5).fit(in_blocks(X, n_rows=64), y, weights)


@pytest.mark.parametrize("dtype", [np.int64, np.uint64])
def test_whole_numbers_that_are_not_told_apart_are_refused(dtype):
    X = (2**53 + np.arange(130) % 4).astype(dtype).reshape(-1, 1)
    y = np.arange(130) % 4 == 1
    InformationGain(1, discretize=None).fit(BlockMatrix.split(X), y)
    with pytest.raises(DataError, match="'x0' holds 9007199254740992, and whole numbers from 2"):
        InformationGain(1, discretize=None).fit(BlockMatrix.split(X, n_rows=64), y)
