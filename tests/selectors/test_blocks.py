"""Selectors give the answer of the table in one piece, to the last bit, whatever the blocks."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from consilience import (
    CFS,
    MRMR,
    SVMRFE,
    BitMatrix,
    BlockMatrix,
    BWRatio,
    EnsembleSelector,
    InformationGain,
    MarkovBlanket,
    QIFSClassifier,
    ReliefF,
    RidgeRFE,
)
from consilience.exceptions import DataError
from consilience.execution import fingerprint
from consilience.execution.open_part import OpenPart
from consilience.sampling.row_keys import row_keys
from consilience.selectors import SELECTORS, univariate_scores
from consilience.selectors.block_counts import count_blocks, count_weighted
from consilience.selectors.table_scores import score_tables
from consilience.selectors.value_groups import Groups
from naive_filters import value_counts
from small_tables import (
    any_weights,
    binary,
    few_values,
    labelled,
    weighted,
    whole_weights,
    with_missing,
)
from wide_tables import BINARY, KINDS, in_blocks, wide_table

LEARNED = ("scores_", "ranking_", "support_", "relevance_", "criterion_", "candidates_", "deltas_")
WAYS = ("mdl", "equal_width", "equal_frequency", None)
kinds = pytest.mark.parametrize("kind", KINDS)
samples = pytest.mark.parametrize("sample", ["once", "copies", "fractions"])


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


@samples
@kinds
@pytest.mark.parametrize("discretize", WAYS)
def test_filters(kind, discretize, sample):
    X, y = wide_table(kind)
    how = {"sample_weight": weights_of(sample), "discretize": discretize}
    assert_same_scores(univariate_scores(X, y, **how), univariate_scores(in_blocks(X), y, **how))


@given(weighted(labelled(values=few_values), any_weights), st.randoms(), st.sampled_from(WAYS))
def test_filters_on_random_tables(data, random, discretize):
    """Blocks of many copies of few columns: ties, constant columns, classes of one row."""
    X, y, weights = data
    wide = X[:, [random.randrange(X.shape[1]) for _ in range(1030)]]
    one = univariate_scores(wide, y, weights, discretize=discretize)
    assert_same_scores(one, univariate_scores(in_blocks(wide), y, weights, discretize=discretize))


@given(weighted(labelled(values=binary, max_rows=200), whole_weights), st.integers(1, 3))
@settings(deadline=None)
def test_tall_tables_are_known_by_their_counts(data, n_words):
    X, y, weights = data
    bits = BitMatrix.from_array(X)
    for how in ({}, {"discretize": None}, {"categorical_features": [0]}):
        one = univariate_scores(bits, y, weights, **how)
        tall = BlockMatrix.split(bits, n_rows=64 * n_words)
        assert_same_scores(one, univariate_scores(tall, y, weights, **how))


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


@samples
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "gaps"])
@pytest.mark.parametrize("criterion", ["mid", "miq", "fcd", "fcq"])
def test_mrmr(kind, criterion, sample):
    X, y = wide_table(kind)

    def fit(X):
        selector = MRMR(12, criterion=criterion, random_state=3)
        return selector.fit(X, y, weights_of(sample))

    assert_same(fit(X), fit(in_blocks(X)))


@pytest.mark.parametrize("kind", ["dense", "few values", "sparse", "bits"])
@pytest.mark.parametrize("discretize", WAYS)
@pytest.mark.parametrize("nominal", [None, "some"])
def test_mrmr_of_other_states(kind, discretize, nominal):
    X, y = wide_table(kind)
    if nominal and (kind != "few values"):
        pytest.skip("categories are few values")
    categories = np.arange(X.shape[1]) % 7 == 0 if nominal else None

    def fit(X):
        how = {"discretize": discretize, "categorical_features": categories, "random_state": 3}
        return MRMR(12, **how).fit(X, y)

    assert_same(fit(X), fit(in_blocks(X)))


@pytest.mark.parametrize("criterion", ["mid", "fcq"])
@pytest.mark.parametrize("discretize", ["mean_std", "mdl"])
@pytest.mark.parametrize("sample", ["once", "copies"])
def test_mrmr_of_tall_tables(criterion, discretize, sample):
    X, y = wide_table("bits")

    def fit(X):
        how = {"criterion": criterion, "discretize": discretize, "random_state": 3}
        return MRMR(8, **how).fit(X, y, weights_of(sample))

    assert_same(fit(X), fit(in_blocks(X, n_rows=64)))


def test_mrmr_takes_constant_columns_when_nothing_else_is_left():
    X = np.zeros((20, 1030))
    X[:, 600], X[::2, 3] = np.arange(20), 1
    y = np.arange(20) % 2
    fits = [MRMR(5, random_state=0).fit(Z, y) for Z in (X, in_blocks(X))]
    assert_same(*fits)
    assert fits[1].criterion_.size == 2


def test_two_searches_on_the_same_blocks_do_not_mix():
    """Sums stay with the blocks under the name of their sample: also of its categories."""
    X, y = wide_table("few values")
    blocks = in_blocks(X)
    for nominal in (None, np.arange(1300) < 600, np.arange(1300) < 601):
        how = {"categorical_features": nominal, "random_state": 0}
        assert_same(MRMR(6, **how).fit(X, y), MRMR(6, **how).fit(blocks, y))
    for other in (y, 2 - y, (y == 0).astype(int)):
        assert_same(
            MRMR(6, random_state=0).fit(X, other), MRMR(6, random_state=0).fit(blocks, other)
        )


@samples
@pytest.mark.parametrize("kind", ["dense", "few values", "sparse", "bits"])
def test_markov_blankets(kind, sample):
    X, y = wide_table(kind)

    def fit(X):
        selector = MarkovBlanket(8, n_candidates=60, blanket_size=2, random_state=1)
        return selector.fit(X, y, weights_of(sample))

    assert_same(fit(X), fit(in_blocks(X)))
    if kind == "bits" and sample != "fractions":
        assert_same(fit(X), fit(in_blocks(X, n_rows=64)))


@samples
@pytest.mark.parametrize("kind", ["dense", "single", "sparse", "bits"])
def test_bw_ratio(kind, sample):
    X, y = wide_table(kind)
    fits = [BWRatio(9, random_state=0).fit(Z, y, weights_of(sample)) for Z in (X, in_blocks(X))]
    assert_same(*fits)


@pytest.mark.parametrize("cls", [e.cls for e in SELECTORS if e.cls.takes_blocks])
@pytest.mark.parametrize("kind", ["dense", "bits"])
def test_ensembles_of_all_that_take_blocks(cls, kind):
    X, y = wide_table(kind)

    def fit(X):
        ensemble = EnsembleSelector(cls(), n_models=9, n_features_to_select=7, random_state=4)
        return ensemble.fit(X, y)

    one, other = fit(X), fit(in_blocks(X))
    np.testing.assert_array_equal(one.models_.rankings, other.models_.rankings)
    np.testing.assert_array_equal(one.panels_[0], other.panels_[0])
    np.testing.assert_array_equal(one.result_.panel_values, other.result_.panel_values)
    if kind == "bits":  # the same data, by name and storage
        assert one.result_.data == other.result_.data


@kinds
def test_rows_are_drawn_alike(kind):
    X, _ = wide_table(kind)
    X = X.tocsr() if sparse.issparse(X) else X
    rows = np.arange(0, 150, 3)
    np.testing.assert_array_equal(row_keys(X), row_keys(in_blocks(X)))
    np.testing.assert_array_equal(row_keys(X[rows]), row_keys(in_blocks(X)[rows]))
    if kind in BINARY:
        tall = in_blocks(X, n_rows=64)
        np.testing.assert_array_equal(row_keys(X), row_keys(tall))
        np.testing.assert_array_equal(row_keys(X[rows]), row_keys(tall[rows]))


def test_packed_bits_have_one_name_in_one_piece_and_in_blocks():
    X, _ = wide_table("bits")
    rows = np.arange(0, 150, 2)
    assert fingerprint(X) == fingerprint(in_blocks(X)) == fingerprint(in_blocks(X, n_rows=64))
    assert fingerprint(X[rows]) == fingerprint(in_blocks(X)[rows])
    other = X.toarray()
    other[7, 900] ^= 1
    assert fingerprint(in_blocks(BitMatrix.from_array(other))) != fingerprint(X)


@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_other_blocks_are_known_by_their_content(kind):
    X, _ = wide_table(kind)
    other = X.copy()
    (other.data if kind == "sparse" else other[0])[4] = 77.0
    assert fingerprint(in_blocks(X)) == fingerprint(in_blocks(X.copy()))
    assert fingerprint(in_blocks(X)) != fingerprint(in_blocks(other))
    assert fingerprint(in_blocks(X)) != fingerprint(in_blocks(X)[np.arange(149)])


def test_what_is_selected_comes_to_memory():
    X, y = wide_table("sparse")
    selector = InformationGain(5, random_state=0).fit(in_blocks(X), y)
    found = selector.transform(in_blocks(X))
    np.testing.assert_array_equal(found.toarray(), selector.transform(X).toarray())
    with pytest.raises(DataError, match="X has 9 features, but InformationGain was fitted with"):
        selector.transform(BlockMatrix.split(np.zeros((2, 9))))


@pytest.mark.parametrize("cls", [ReliefF, SVMRFE, RidgeRFE, CFS])
def test_what_needs_all_columns_together_says_so(cls):
    X, y = wide_table("dense")
    for selector in (cls(5), EnsembleSelector(cls(), n_models=3)):
        with pytest.raises(DataError, match=f"{cls.__name__} looks at all columns together and"):
            selector.fit(in_blocks(X), y)


def test_selectors_of_other_libraries_say_so():
    from sklearn.feature_selection import SelectKBest

    X, y = wide_table("dense")
    with pytest.raises(DataError, match="SelectKBest looks at all columns together"):
        EnsembleSelector(SelectKBest(), n_models=3).fit(in_blocks(X), y)


@pytest.mark.parametrize("kind", ["dense", "sparse"])
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_cells_that_cannot_be_used_are_named(kind, value):
    X, y = wide_table(kind)
    X = X.tolil() if kind == "sparse" else X
    X[17, 1100] = value
    X = sparse.csr_array(X) if kind == "sparse" else X
    what = "NaN" if np.isnan(value) else "infinity"
    with pytest.raises(DataError, match=f"Column 'x1100' holds {what} in row 17, which MRMR"):
        MRMR(5).fit(in_blocks(X), y)
    if what == "NaN":
        InformationGain(5).fit(in_blocks(X), y)  # which knows what to do with it


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


@pytest.mark.parametrize("kind", ["gaps", "single", "sparse", "ones listed"])
def test_blocks_on_disk(tmp_path, kind):
    X, y = wide_table(kind)
    in_blocks(X).save(tmp_path / "x.blocks")
    blocks = BlockMatrix.open(tmp_path / "x.blocks")
    assert_same_scores(univariate_scores(X, y), univariate_scores(blocks, y))
    if kind != "gaps":
        whole, found = (MRMR(8, random_state=0).fit(each, y).ranking_ for each in (X, blocks))
        np.testing.assert_array_equal(whole, found)


def test_the_callers_data_stay_as_they_are():
    for kind in ("dense", "sparse"):
        X, y = wide_table(kind)
        before = X.copy()
        MRMR(4, criterion="fcq").fit(in_blocks(X), y)
        InformationGain(4).fit(in_blocks(X), y)
        difference = X != before
        assert not (difference.any() if kind == "dense" else difference.nnz)
