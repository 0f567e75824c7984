"""Selectors give the answer of the table in one piece, to the last bit, whatever the blocks."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from joblib import Parallel, delayed
from scipy import sparse
from sklearn.base import clone

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
    ReliefF,
    RidgeRFE,
)
from consilience.exceptions import DataError
from consilience.execution import fingerprint
from consilience.sampling.row_keys import row_keys
from consilience.selectors import SELECTORS, univariate_scores
from small_tables import (
    any_weights,
    few_values,
    labelled,
    weighted,
)
from wide_tables import (
    BINARY,
    KINDS,
    WAYS,
    assert_same,
    assert_same_scores,
    in_blocks,
    weights_of,
    wide_table,
)

kinds = pytest.mark.parametrize("kind", KINDS)
samples = pytest.mark.parametrize("sample", ["once", "copies", "fractions"])


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


def test_mrmr_takes_constant_columns_when_nothing_else_is_left():
    X = np.zeros((20, 1030))
    X[:, 600], X[::2, 3] = np.arange(20), 1
    y = np.arange(20) % 2
    fits = [MRMR(5, random_state=0).fit(Z, y) for Z in (X, in_blocks(X))]
    assert_same(*fits)
    assert fits[1].criterion_.size == 2


@pytest.mark.parametrize("criterion", ["mid", "fcd"])
@pytest.mark.parametrize("kind", ["few values", "sparse", "bits"])
def test_two_searches_on_the_same_blocks_do_not_mix(kind, criterion):
    """Nothing that one leaves with the blocks is taken by another of other classes or columns."""
    X, y = wide_table(kind)
    blocks = in_blocks(X)
    how = {"criterion": criterion, "random_state": 0}
    for other in (y, 2 - y, (y == 0).astype(int)):
        assert_same(MRMR(6, **how).fit(X, other), MRMR(6, **how).fit(blocks, other))
    for nominal in (np.arange(1300) < 600, np.arange(1300) < 601) if criterion == "mid" else ():
        how["categorical_features"] = nominal
        assert_same(MRMR(6, **how).fit(X, y), MRMR(6, **how).fit(blocks, y))


@pytest.mark.parametrize("criterion", ["mid", "fcq"])
def test_searches_at_the_same_time_do_not_mix(criterion):
    """The very same search in several threads: each adds up sums of its own."""
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 3, (100, 4096)).astype(float), rng.integers(0, 2, 100)

    def fit(X):
        return MRMR(8, criterion=criterion, discretize=None, random_state=0).fit(X, y)

    expected, blocks = fit(X), in_blocks(X)
    for found in Parallel(6, prefer="threads")(delayed(fit)(blocks) for _ in range(24)):
        assert_same(expected, found)


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


@pytest.mark.parametrize("selector", [BWRatio(), MRMR(6, criterion="fcq")], ids=str)
def test_the_number_of_blas_threads_decides_nothing(selector):
    """Of one selector, too: blocks are scanned with one thread each."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(700, 1500)) * 10.0 ** rng.integers(-6, 6, 1500)
    y, weights = rng.integers(0, 3, 700), rng.integers(0, 4, 700)
    whole = clone(selector).set_params(random_state=0).fit(X, y, weights)
    blocks = clone(selector).set_params(random_state=0).fit(in_blocks(X), y, weights)
    assert_same(whole, blocks)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array], ids=["dense", "sparse"])
def test_categories_have_no_mean_in_blocks_either(form):
    X, y = np.random.default_rng(0).normal(size=(40, 600)), np.arange(40) % 2
    selector = MRMR(3, criterion="fcq", categorical_features=[5])
    for table in (form(X), in_blocks(form(X))):
        with pytest.raises(DataError, match="'x5' holds categories, which have no mean"):
            selector.fit(table, y)


@pytest.mark.parametrize("nominal", [None, [0]])
def test_values_too_large_for_a_deviation_are_several_values_everywhere(nominal):
    y, X = np.arange(20) % 2, np.zeros((20, 514))
    X[:, 0], X[:, 512] = y, np.where(np.arange(20) < 10, 1e160, 2e160)
    for table in (X, in_blocks(X)):
        selector = MRMR(2, categorical_features=nominal, random_state=0).fit(table, y)
        assert selector.get_support(indices=True).tolist() == [0, 512]


@pytest.mark.parametrize("criterion", ["fcd", "fcq"])
@pytest.mark.parametrize("unit", [1e-170, 1e160])
@pytest.mark.parametrize(
    "form", [np.asarray, sparse.csr_array, in_blocks], ids=["dense", "sparse", "blocks"]
)
def test_squares_beyond_the_numbers_tell_nothing(criterion, unit, form):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(30, 20)), np.arange(30) % 2
    X[:, 4] += 3 * y
    X[:, 7] *= unit
    selector = MRMR(19, criterion=criterion, random_state=0).fit(form(X), y)
    assert selector.ranking_[4] == 1
    assert selector.ranking_[7] == 20


@pytest.mark.parametrize("order", ["C", "F", "view"])
def test_the_order_in_memory_decides_no_bit_of_a_criterion(order, monkeypatch):
    monkeypatch.setattr("consilience.selectors.mrmr.SMALL", 0)  # as with large tables
    X, y = wide_table("dense")
    table = np.concatenate([X, X], axis=1)[:, : X.shape[1]] if order == "view" else X.copy(order)
    found = MRMR(15, criterion="fcq", random_state=0).fit(table, y)
    assert_same(found, MRMR(15, criterion="fcq", random_state=0).fit(in_blocks(X), y))


@pytest.mark.parametrize(
    ("selector", "how"),
    [(MRMR(), {}), (InformationGain(), {}), (BWRatio(), {}), (MarkovBlanket(), {"n_rows": 64})],
    ids=str,
)
def test_no_columns_are_a_sentence(selector, how):
    blocks = BlockMatrix.split(np.zeros((100, 0), dtype=np.uint8), **how)
    packed = BitMatrix(np.empty((0, 2), np.uint64), 100)
    for table in (blocks, packed):
        with pytest.raises(DataError, match=r"no columns to select from.* shape \(100, 0\)"):
            selector.fit(table, np.arange(100) % 2)
