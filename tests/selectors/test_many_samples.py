"""Many samples over one preparation give what each sample gives on its own, to the last bit."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from consilience import BitMatrix, ChiSquare, InformationGain, SymmetricalUncertainty
from consilience.sampling import bootstrap_weights
from consilience.selectors.ranking import rank_models
from small_tables import binary, labelled

FILTERS = [InformationGain, SymmetricalUncertainty, ChiSquare]
mostly_zero = st.sampled_from([0, 0, 0, 0, -1, 1, 2])


def as_stored(X, storage):
    kinds = {"dense": np.asarray, "csr": sparse.csr_array, "bits": BitMatrix.from_array}
    return kinds[storage](X)


def assert_models_of_single_fits(selector, X, y, weights):
    """Scores, what varies, ranks and selections of all samples against one sample at a time."""
    prepared = selector.prepare(X, y)
    rngs = [np.random.default_rng(m) for m in range(len(weights))]
    models = selector.fit_models(prepared, weights, rngs)
    scores, varies = selector._score(prepared, np.asarray(weights, dtype=np.float64))
    for m, sample in enumerate(weights):
        alone, alone_varies = selector._score(prepared, np.asarray(sample, np.float64)[None])
        assert scores[m].tobytes() == alone[0].tobytes()
        assert varies[m].tolist() == alone_varies[0].tolist()
        fitted = selector.fit(X, y, sample_weight=sample)
        assert fitted.scores_.tobytes() == scores[m].tobytes()
        subsets, ranks = rank_models(
            alone, alone_varies, models.sizes[m], [np.random.default_rng(m)]
        )
        assert models.rankings[m].tolist() == ranks[0].tolist()
        assert models.subsets[m].tolist() == subsets[0].tolist()


def stratified(y, n_models, seed):
    return bootstrap_weights(y, np.random.SeedSequence(seed).spawn(n_models))


seeds = st.integers(0, 1000)
sizes = st.integers(1, 40)


@given(labelled(min_rows=4, max_rows=20), sizes, seeds, st.sampled_from(FILTERS))
def test_dense_columns_full_of_ties(data, n_models, seed, kind):
    X, y = data
    assert_models_of_single_fits(kind(1), X, y, stratified(y, n_models, seed))


@given(labelled(values=st.floats(-1, 1), min_rows=6, max_rows=30), sizes, seeds)
def test_dense_columns_of_any_numbers(data, n_models, seed):
    X, y = data
    assert_models_of_single_fits(InformationGain(1), X, y, stratified(y, n_models, seed))


@given(labelled(values=mostly_zero, min_rows=4), sizes, seeds, st.sampled_from(FILTERS))
def test_sparse_columns(data, n_models, seed, kind):
    X, y = data
    weights = stratified(y, n_models, seed)
    assert_models_of_single_fits(kind(1), sparse.csr_array(X), y, weights)


@given(
    labelled(values=binary, min_rows=4),
    sizes,
    seeds,
    st.sampled_from(["dense", "csr", "bits"]),
    st.sampled_from(["mdl", "equal_frequency", None]),
)
def test_binary_columns(data, n_models, seed, storage, discretize):
    X, y = data
    weights = stratified(y, n_models, seed)
    selector = InformationGain(1, discretize=discretize)
    assert_models_of_single_fits(selector, as_stored(X, storage), y, weights)


@given(labelled(min_rows=4), sizes, seeds, st.sampled_from(["dense", "csr"]))
def test_unequal_class_totals(data, n_models, seed, storage):
    X, y = data
    weights = np.random.default_rng(seed).integers(0, 3, size=(n_models, y.size))
    weights[:, :2] += 1
    assert_models_of_single_fits(InformationGain(1), as_stored(X, storage), y, weights)


@given(labelled(min_rows=4), st.integers(1, 8), seeds)
def test_fractional_weights(data, n_models, seed):
    X, y = data
    weights = np.random.default_rng(seed).random((n_models, y.size))
    assert_models_of_single_fits(SymmetricalUncertainty(1), X, y, weights)


@pytest.mark.parametrize("n_classes", [2, 3, 5])
@pytest.mark.parametrize("n_models", [3, 4, 40])
def test_columns_with_several_cuts(n_classes, n_models):
    rng = np.random.default_rng(n_classes)
    y = rng.integers(0, n_classes, 60)
    signal = (y[:, None] * rng.normal(2, 1, size=12) + rng.normal(size=(60, 12))) % 7
    X = np.column_stack([signal, signal.round(), rng.normal(size=(60, 8)), np.zeros(60)])
    weights = stratified(y, n_models, n_models)
    assert_models_of_single_fits(ChiSquare(3), X, y, weights)


@pytest.mark.parametrize("options", [
    {"discretize": "equal_width"}, {"discretize": "equal_frequency"}, {"discretize": None},
    {"categorical_features": [0, 2]}, {"missing": "omit"}, {"missing": "category"},
])  # fmt: skip
def test_every_option(options):
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 6, size=(30, 4)).astype(float), rng.integers(0, 3, 30)
    if "missing" in options:
        X[rng.random(X.shape) < 0.2] = np.nan
    assert_models_of_single_fits(InformationGain(2, **options), X, y, stratified(y, 6, 0))


@pytest.mark.parametrize("storage", ["dense", "csr", "bits"])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_a_column_that_is_constant_in_a_sample_is_known_to_be(storage, n_classes):
    y = np.arange(24) % n_classes
    X = np.zeros((24, 4))
    X[:, 0] = 1  # all ones
    X[:, 1] = 1
    X[0, 1] = 0  # all ones in samples without row 0
    X[0, 2] = 1  # all zeros in samples without row 0
    weights = stratified(y, 20, 0)
    selector = InformationGain(1)
    prepared = selector.prepare(as_stored(X, storage), y)
    _, varies = selector._score(prepared, weights.astype(float))
    has_row_0 = weights[:, 0] > 0
    assert not varies[:, 0].any()
    assert varies[:, 1].tolist() == has_row_0.tolist()
    assert varies[:, 2].tolist() == has_row_0.tolist()
    assert not varies[:, 3].any()


def test_a_large_class_does_not_fit_the_tables_and_nothing_changes():
    rng = np.random.default_rng(0)
    y = (np.arange(900) < 300).astype(int)  # 601 * 301 pairs of counts are too many for a table
    X = rng.integers(0, 8, size=(900, 3)) + 2 * y[:, None] * [0, 1, 0]
    assert_models_of_single_fits(InformationGain(1), X, y, stratified(y, 5, 0))
    ones = (X > 4).astype(np.uint8)
    for storage in ("csr", "bits"):
        weights = stratified(y, 5, 0)
        assert_models_of_single_fits(InformationGain(1), as_stored(ones, storage), y, weights)
