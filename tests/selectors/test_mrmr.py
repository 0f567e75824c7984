"""MRMR against its slow twin, against peers, on every storage, and at the edges."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse

import naive_redundancy as naive
from consilience import BitMatrix, InformationGain, make_planted
from consilience.exceptions import ConsilienceWarning, DataError, UsageError
from consilience.selectors.mrmr import MRMR
from small_tables import any_weights, binary, labelled, weighted, whole_weights

CRITERIA = ["mid", "miq", "fcd", "fcq"]
criteria = st.sampled_from(CRITERIA)
mostly_zero = st.sampled_from([0, 0, 0, 0, -1, 1, 2])
tables = labelled(max_columns=6, max_rows=12)
discretisations = st.sampled_from(["mean_std", "mdl", "equal_width", "equal_frequency", None])
TIE = 1e-9
pytestmark = pytest.mark.filterwarnings("ignore:.*features were asked for")


def search(selector, X, y, weights, seed=0):
    """Selected features in order, ranks and what else was learned."""
    prepared = selector.prepare(X, y)
    size = min(selector.n_features_to_select, prepared.n_features)
    weights = np.ones(len(y)) if weights is None else np.asarray(weights, dtype=np.float64)
    found = selector._search(prepared, weights, np.random.default_rng(seed), size, None)
    return found.subset, found.ranks, found.learned


def near(a, b):
    if np.isinf(a) or np.isinf(b):
        return a == b
    return abs(a - b) <= TIE * max(1.0, abs(a), abs(b))


def assert_follows_the_twin(found, columns, y, weights, criterion, **options):
    """Every step takes a feature that the twin finds best; the rest is ranked by its values."""
    subset, ranks, learned = found
    rows = [i for i, w in enumerate(weights) if w > 0]
    columns = [[column[i] for i in rows] for column in columns]
    y, weights = [int(y[i]) for i in rows], [weights[i] for i in rows]
    varying = {j for j, column in enumerate(columns) if len(set(column)) > 1}
    selected = []
    for step, chosen in enumerate(int(j) for j in subset):
        left = varying - set(selected)
        if left:
            values = {
                j: naive.mrmr_value(columns, y, weights, criterion, j, selected, **options)
                for j in left
            }
            assert chosen in left
            assert near(values[chosen], max(values.values())), (step, chosen, values)
            assert near(learned["criterion_"][step], values[chosen])
        selected.append(chosen)
    assert_array_equal(ranks[subset], np.arange(1, subset.size + 1))
    chosen_before = [j for j in selected if j in varying]
    others = [j for j in range(len(columns)) if j not in selected]
    values = [
        naive.mrmr_value(columns, y, weights, criterion, j, chosen_before, **options)
        if j in varying
        else -np.inf
        for j in others
    ]
    for a, value in enumerate(values):
        above = sum(other > value and not near(other, value) for other in values)
        equal = sum(near(other, value) for other in values)
        assert ranks[others[a]] == subset.size + above + (equal + 1) / 2, (others, values, ranks)


@given(weighted(tables, whole_weights), criteria, st.integers(1, 6))
def test_follows_the_twin(data, criterion, size):
    X, y, weights = data
    found = search(MRMR(size, criterion=criterion), X, y, weights)
    assert_follows_the_twin(found, X.T.tolist(), y, weights.tolist(), criterion)


@given(weighted(tables, any_weights), criteria, st.integers(1, 6))
def test_follows_the_twin_under_fractional_weights(data, criterion, size):
    X, y, weights = data
    found = search(MRMR(size, criterion=criterion), X, y, weights)
    assert_follows_the_twin(found, X.T.tolist(), y, weights.tolist(), criterion)


@given(weighted(labelled(values=st.integers(0, 3), max_columns=5), whole_weights),
       st.sampled_from(["mid", "miq"]), st.integers(1, 4))  # fmt: skip
def test_distinct_values_are_states(data, criterion, size):
    X, y, weights = data
    for selector in (
        MRMR(size, criterion=criterion, discretize=None),
        MRMR(size, criterion=criterion, categorical_features=list(range(X.shape[1]))),
    ):
        for kind in (np.asarray, sparse.csr_array):
            found = search(selector, kind(X), y, weights)
            columns = X.T.tolist()
            assert_follows_the_twin(found, columns, y, weights.tolist(), criterion, states=None)


@given(weighted(tables, whole_weights), criteria)
def test_a_weight_of_two_is_two_copies(data, criterion):
    X, y, weights = data
    copies = np.repeat(np.arange(y.size), weights.astype(int))
    once = search(MRMR(3, criterion=criterion), X, y, weights)
    copied = search(MRMR(3, criterion=criterion), X[copies], y[copies], None)
    assert_array_equal(once[0], copied[0])
    assert_array_equal(once[1], copied[1])


@given(weighted(labelled(values=mostly_zero, max_columns=6), st.one_of(whole_weights, any_weights)),
       criteria, discretisations)  # fmt: skip
def test_the_storage_does_not_matter(data, criterion, discretize):
    X, y, weights = data
    selector = MRMR(3, criterion=criterion, discretize=discretize, n_bins=3)
    expected = search(selector, X, y, weights)
    stored = [X.astype(np.float32), X.astype(np.int8), np.asfortranarray(X)]
    stored += [kind(X) for kind in (sparse.csr_array, sparse.csc_matrix)]
    for other in stored:
        found = search(selector, other, y, weights)
        assert_array_equal(found[0], expected[0])
        assert_array_equal(found[1], expected[1])


@given(weighted(labelled(values=binary, max_columns=6), st.one_of(whole_weights, any_weights)),
       criteria, discretisations)  # fmt: skip
def test_packed_columns_give_the_same(data, criterion, discretize):
    X, y, weights = data
    selector = MRMR(3, criterion=criterion, discretize=discretize)
    expected = search(selector, X, y, weights)
    for other in (BitMatrix.from_array(X), sparse.csc_array(X)):
        found = search(selector, other, y, weights)
        assert_array_equal(found[0], expected[0])
        assert_array_equal(found[1], expected[1])
        assert_allclose(found[2]["relevance_"], expected[2]["relevance_"], rtol=1e-9, atol=1e-12)


@given(weighted(labelled(values=binary, max_columns=2), st.one_of(whole_weights, any_weights)),
       st.floats(0.1, 1e6), st.floats(-1e6, 1e6))  # fmt: skip
def test_two_values_are_always_told_apart(data, scale, shift):
    X, y, weights = data
    by_mean = MRMR(1).fit(np.round(scale, 3) * X + np.round(shift, 3), y, weights).relevance_
    by_value = MRMR(1, discretize=None).fit(X, y, weights).relevance_
    assert_allclose(by_mean, by_value, atol=1e-12)


@given(weighted(tables, st.one_of(whole_weights, any_weights)),
       st.sampled_from(["mdl", "equal_width", "equal_frequency", None]))  # fmt: skip
def test_relevance_is_information_gain(data, discretize):
    X, y, weights = data
    options = {"discretize": discretize, "n_bins": 3}
    for stored in (X, sparse.csr_array(X)):
        relevance = MRMR(1, **options).fit(stored, y, weights).relevance_
        gain = InformationGain(1, **options).fit(stored, y, weights).scores_
        assert_allclose(relevance, gain, atol=1e-12)


def test_features_without_a_cut_come_before_constant_ones():
    y = np.arange(40) % 2
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.permutation(40), np.ones(40), y + 0.1 * rng.random(40)])
    for stored in (X, sparse.csr_array(X)):
        _, ranks, _ = search(MRMR(1, discretize="mdl"), stored, y, None)
        assert_array_equal(ranks, [2, 3, 1])
    packed = BitMatrix.from_array(np.column_stack([np.arange(40) % 4 < 2, X[:, 1] == 0, y == 1]))
    _, ranks, _ = search(MRMR(3, discretize="mdl"), packed, y, None)
    assert_array_equal(ranks, [2, 3, 1])


@pytest.mark.parametrize("criterion", CRITERIA)
def test_weights_of_any_size(criterion):
    planted = make_planted(30, 12, n_blocks=2, block_size=3, random_state=0)
    expected = search(MRMR(5, criterion=criterion), planted.X, planted.y, np.full(30, 3.0))
    subset, ranks, _ = search(MRMR(5, criterion=criterion), planted.X, planted.y, np.full(30, 1e15))
    if criterion != "fcd":  # F grows with the number of rows, and the correlation does not
        assert_array_equal(subset, expected[0])
        assert_array_equal(ranks, expected[1])


def bits_or_entries(monkeypatch, X, y, weights, **options):
    """Both kernels of the mutual information on the same data."""
    from consilience.selectors import mrmr_states

    found = []
    for row in (1e9, -1e9):  # steps per row: counting them one by one is dear, or free
        monkeypatch.setattr(mrmr_states, "ROW", row)
        found.append(search(MRMR(5, **options), X, y, weights))
    return found


@pytest.mark.parametrize("discretize", ["mean_std", "mdl", "equal_width", None])
def test_bits_and_entries_agree(monkeypatch, discretize):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 150)
    X = np.round(rng.normal(size=(150, 40)) + 0.7 * (y[:, None] == np.arange(40) % 4), 1)
    X[:, 7] = rng.integers(0, 5, 150)
    weights = rng.multinomial(150, np.full(150, 1 / 150))
    options = {"discretize": discretize, "categorical_features": [7]}
    bits, entries = bits_or_entries(monkeypatch, X, y, weights, **options)
    assert_array_equal(bits[0], entries[0])
    assert_array_equal(bits[1], entries[1])
    assert_allclose(bits[2]["relevance_"], entries[2]["relevance_"], atol=1e-12)


@pytest.mark.parametrize("criterion", ["fcd", "fcq"])
def test_the_lazy_search_skips_nothing(criterion):
    planted = make_planted(60, 700, n_blocks=12, block_size=8, random_state=1)
    X = np.column_stack([planted.X, planted.X[:, :40], -2 * planted.X[:, 40:80] + 3])
    selector = MRMR(40, criterion=criterion)
    lazily = search(selector, X, planted.y, None)
    # A sparse matrix of the same data is searched without bounds.
    plainly = search(selector, sparse.csc_array(X), planted.y, None)
    assert_array_equal(lazily[0], plainly[0])
    assert_array_equal(lazily[1], plainly[1])


def test_copies_and_mirror_images_share_their_rank():
    planted = make_planted(50, 30, n_blocks=3, block_size=4, random_state=0)
    X = np.column_stack([planted.X, planted.X, -planted.X, 3 * planted.X + 1])
    for criterion in CRITERIA:
        subset, ranks, _ = search(MRMR(5, criterion=criterion), X, planted.y, None)
        by_feature = np.delete(np.arange(30), np.unique(subset % 30))
        images = ranks.reshape(4, 30)[:, by_feature]
        assert (images == images[0]).all()


def test_equal_features_are_drawn_by_seed():
    y = np.arange(40) % 2
    X = np.tile(((y + (np.arange(40) % 5 == 0)) % 2)[:, None], (1, 30)).astype(float)
    firsts = {int(search(MRMR(1), X, y, None, seed)[0][0]) for seed in range(20)}
    assert len(firsts) > 5


@pytest.mark.parametrize("criterion", CRITERIA)
def test_bootstraps_are_weights(criterion):
    planted = make_planted(40, 60, n_blocks=3, block_size=4, random_state=0)
    selector = MRMR(8, criterion=criterion)
    prepared = selector.prepare(planted.X, planted.y)
    rng = np.random.default_rng(0)
    weights = rng.multinomial(40, np.full(40, 1 / 40), size=5)
    subsets, ranks = selector.select_many(
        prepared, weights, [np.random.default_rng(k) for k in range(5)]
    )
    for k, sample in enumerate(weights):
        rows = np.repeat(np.arange(40), sample)
        copied = search(selector, planted.X[rows], planted.y[rows], None, k)
        assert_array_equal(subsets[k], copied[0])
        assert_array_equal(ranks[k], copied[1])


# -- peers -----------------------------------------------------------------------------------

# Fifteen features of Golub's leukemia data (72 x 7,129), as mrmr_selection 0.2.8 gives them, and
# by a loop over scikit-learn's mutual_info_score on columns cut at mean -+ 0.5 std.
GOLDEN_FCQ = [
    4846, 5665, 3250, 3251, 4195, 1833, 2287, 1744, 1778, 2019, 1881, 4950, 6040, 2120, 1828,
]  # fmt: skip
GOLDEN_MID = [
    3251, 6701, 4846, 2353, 1833, 6854, 1778, 1881, 2120, 1143, 6040, 1684, 5038, 2287, 1927,
]  # fmt: skip


@pytest.fixture(scope="module")
def golub(shared_data):
    with np.load(shared_data / "leukemia_golub.npz", allow_pickle=False) as arrays:
        return arrays["X"], arrays["y"]


@pytest.mark.parametrize(("criterion", "golden"), [("fcq", GOLDEN_FCQ), ("mid", GOLDEN_MID)])
def test_gives_the_lists_of_the_peers_on_real_data(golub, criterion, golden):
    X, y = golub
    subset, _, _ = search(MRMR(15, criterion=criterion), X, y, None)
    assert subset.tolist() == golden


def test_gives_the_list_of_mrmr_selection():
    mrmr = pytest.importorskip("mrmr", reason="mrmr_selection is not installed")
    planted = make_planted(60, 80, n_blocks=4, block_size=5, random_state=2)
    frame, labels = pd.DataFrame(planted.X), pd.Series(planted.y)
    peer = mrmr.mrmr_classif(frame, labels, K=10, show_progress=False, n_jobs=1)
    subset, _, _ = search(MRMR(10, criterion="fcq"), planted.X, planted.y, None)
    assert subset.tolist() == list(peer)


@settings(max_examples=20)
@given(st.integers(0, 2**31), criteria)
def test_the_twin_on_continuous_data(seed, criterion):
    planted = make_planted(30, 12, n_blocks=2, block_size=3, random_state=seed)
    found = search(MRMR(5, criterion=criterion), planted.X, planted.y, None)
    ones = [1.0] * planted.y.size
    assert_follows_the_twin(found, planted.X.T.tolist(), planted.y, ones, criterion)


# -- edges -----------------------------------------------------------------------------------


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array, BitMatrix.from_array])
def test_constant_features_come_last(criterion, kind):
    X = np.ones((6, 5))
    selector = MRMR(3, criterion=criterion, random_state=0)
    assert selector.fit(kind(X), [0, 1, 0, 1, 0, 1]).support_.sum() == 3
    assert (selector.relevance_ == 0).all()
    assert selector.criterion_.size == 0
    X[0, 4] = X[1, 2] = 0
    assert selector.fit(kind(X), [0, 1, 0, 1, 0, 1]).support_.sum() == 3
    assert set(np.argsort(selector.ranking_)[:2]) == {2, 4}


@pytest.mark.parametrize("criterion", CRITERIA)
def test_more_than_there_are_takes_all(criterion):
    X = np.arange(12.0).reshape(6, 2) ** 2
    with pytest.warns(ConsilienceWarning, match="20 features were asked for"):
        selector = MRMR(criterion=criterion).fit(X, [0, 0, 0, 1, 1, 1])
    assert selector.support_.all()


@pytest.mark.parametrize("criterion", CRITERIA)
def test_a_class_of_one(criterion):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(9, 4)), [0, 0, 0, 0, 1, 1, 1, 1, 2]
    found = search(MRMR(3, criterion=criterion), X, y, None)
    assert_follows_the_twin(found, X.T.tolist(), np.array(y), [1.0] * 9, criterion)


@pytest.mark.parametrize("criterion", ["fcd", "fcq"])
def test_a_feature_without_spread_in_the_classes_is_first(criterion):
    rng = np.random.default_rng(0)
    y = np.arange(10) % 2
    X = np.column_stack([rng.normal(size=10), 0.1 + 0.2 * y, rng.normal(size=10)])
    selector = MRMR(2, criterion=criterion).fit(X, y)
    assert selector.ranking_[1] == 1
    assert np.isinf(selector.relevance_[1])


def test_no_freedom_within_classes_means_no_f():
    X = np.array([[1.0, 5.0], [2.0, 1.0]])
    selector = MRMR(1, criterion="fcq").fit(X, [0, 1])
    assert (selector.relevance_ == 0).all()


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"criterion": "mi"}, r"^criterion is 'mi'; choose one of 'mid', 'miq', 'fcd', 'fcq'\.$"),
        ({"discretize": "mean"}, r"^discretize is 'mean'; choose one of 'mean_std', 'mdl', .*\.$"),
        ({"n_bins": 1}, r"^n_bins is 1; give a whole number, 2 or more\.$"),
    ],
)
def test_bad_parameters_are_refused(options, sentence):
    with pytest.raises(UsageError, match=sentence):
        MRMR(1, **options).fit([[0, 1], [1, 1]], [0, 1])


def test_categories_have_no_correlation():
    frame = pd.DataFrame({"dose": [1.0, 2.0, 3.0], "site": pd.Categorical(["a", "b", "a"])})
    with pytest.raises(DataError, match=r"'site' holds categories.*use 'mid' or 'miq'\.$"):
        MRMR(1, criterion="fcq").fit(frame, [0, 1, 1])
    assert MRMR(1).fit(frame, [0, 1, 1]).support_.sum() == 1


def test_missing_values_are_refused():
    with pytest.raises(DataError, match="holds NaN in row 1, which MRMR cannot use"):
        MRMR(1).fit([[0.0, 1.0], [np.nan, 1.0], [0.0, 2.0]], [0, 1, 1])


def test_the_data_are_left_as_they_are():
    planted = make_planted(30, 20, n_blocks=2, block_size=3, random_state=0)
    for X in (planted.X, planted.X.astype(np.float32), sparse.csc_array(planted.X)):
        before = X.copy()
        for criterion in CRITERIA:
            MRMR(5, criterion=criterion).fit(X, planted.y)
        assert (X != before).sum() == 0
