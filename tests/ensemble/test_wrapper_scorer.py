"""Fold scores equal the slow twin's; any classifier sees the samples that trees would get."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score, roc_auc_score
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

import naive_wrapper as naive
from consilience.ensemble.wrapper_general import GeneralScorer
from consilience.ensemble.wrapper_scorer import Balance, Target
from consilience.ensemble.wrapper_splits import Partitions
from consilience.ensemble.wrapper_table import WrapperTable
from consilience.ensemble.wrapper_trees import TreeScorer
from consilience.exceptions import DataError, UsageError
from consilience.learners.tree_settings import TreeSettings
from consilience.sampling.balance import balanced_sizes


def table_of(X, positive, nominal=None):
    columns = np.ascontiguousarray(np.asarray(X, dtype=float).T)
    p, n = columns.shape
    nominal = np.zeros(p, bool) if nominal is None else np.asarray(nominal)
    codes = np.asarray(positive).astype(np.int64)
    return WrapperTable(
        columns, nominal, np.arange(p), np.zeros(p), np.arange(n), codes, None, np.arange(0), p
    )


def made(seed, n=24, p=5, n_minority=6, values=4):
    """Few values: distances and splits tie."""
    rng = np.random.default_rng(seed)
    positive = np.arange(n) < n_minority
    X = rng.integers(0, values, (n, p)) + (rng.random(p) < 0.5) * positive[:, None] * 1.5
    return X, positive


def scorer_of(X, positive, balance, nominal=None, cv=3, cls=TreeScorer, how=None, measure="auc"):
    table = table_of(X, positive, nominal)
    partitions = Partitions(cv, table.codes, None, np.random.SeedSequence(5))
    how = TreeSettings() if how is None else how
    return cls(how, table, [Target(positive, "rare")], partitions, balance, measure)


def scores_of(scorer, subsets, seeds, number=0):
    return scorer.score(
        scorer.kernel_tables(), scorer.prepare(number), np.asarray(subsets, dtype=np.int64),
        np.asarray(seeds, dtype=np.uint64),
    )  # fmt: skip


def twin_of(X, positive, balance, nominal=None, measure="auc", tree=None):
    sizes = None
    if balance.drawn:
        sizes = lambda a, b: balanced_sizes(a, b, balance.kind, balance.oversample)  # noqa: E731
    return naive.Wrapper(
        np.asarray(X, float).T.tolist(), positive.astype(int).tolist(), nominal=nominal,
        n_members=balance.n_members, sizes=sizes, k_neighbors=balance.k_neighbors,
        per_column=balance.gap == "column", full=balance.space == "full", measure=measure,
        tree=tree,
    )  # fmt: skip


def assert_like_the_twin(X, positive, balance, subset, seed, nominal=None, measure="auc"):
    scorer = scorer_of(X, positive, balance, nominal, measure=measure)
    found = scores_of(scorer, [subset], [seed])
    splits = [(a.tolist(), b.tolist()) for a, b in scorer.partitions.splits(0)]
    twin = twin_of(X, positive, balance, nominal, measure)
    folds, pooled = twin.judge(splits, list(subset), seed)
    folds = [np.nan if fold is None else fold for fold in folds]
    assert_allclose(found.folds[0, 0], folds, rtol=1e-12)
    assert_allclose(found.pooled[0, 0], pooled, rtol=1e-12)


@given(
    st.integers(0, 10**6),
    st.sampled_from(["hybrid", "rus", "ros", "smote", None]),
    st.sampled_from(["subset", "full"]),
    st.sampled_from(["row", "column"]),
    st.sampled_from(["auc", "average_precision"]),
    st.integers(1, 3),
)
def test_fold_scores_are_those_of_the_twin(seed, kind, space, gap, measure, k_neighbors):
    X, positive = made(seed)
    balance = Balance(kind, 2, 0.5, k_neighbors, space, gap)
    subset = sorted(np.random.default_rng(seed).permutation(5)[: 1 + seed % 3].tolist())
    assert_like_the_twin(X, positive, balance, subset, seed, measure=measure)


@given(st.integers(0, 10**6), st.lists(st.booleans(), min_size=5, max_size=5))
def test_nominal_columns_are_those_of_the_twin(seed, nominal):
    X, positive = made(seed)
    assert_like_the_twin(X, positive, Balance("hybrid", 2), [0, 2, 3], seed, np.array(nominal))


@pytest.mark.parametrize("n_minority", [2, 3, 4])
def test_a_few_minority_rows_are_judged_as_by_the_twin(n_minority):
    # In some splits none is tested, in some one is left to learn from.
    for seed in range(10):
        X, positive = made(seed, n=20, n_minority=n_minority)
        assert_like_the_twin(X, positive, Balance("hybrid", 3), [1, 4], seed)


@pytest.mark.parametrize(("n", "n_minority"), [(20, 9), (21, 10), (16, 8)])
def test_nearly_balanced_classes_are_judged_as_by_the_twin(n, n_minority):
    for seed in range(5):
        X, positive = made(seed, n=n, n_minority=n_minority)
        assert_like_the_twin(X, positive, Balance("hybrid", 2), [0, 1], seed)


def test_class_weights_are_those_of_the_twin():
    for seed in range(5):
        X, positive = made(seed, n=25, n_minority=5)
        scorer = scorer_of(X, positive, Balance("cost", 1))
        found = scores_of(scorer, [[0, 3]], [0])
        for k, (train, test) in enumerate(scorer.partitions.splits(0)):
            n = np.bincount(positive[train].astype(int))
            weights = tuple(train.size / (2 * n))
            twin = twin_of(X, positive, scorer.balance, tree={"weights": weights})
            scores = twin.scores(train.tolist(), test.tolist(), [0, 3], 0, k)
            expected = naive.area(scores, positive[test].tolist())
            assert_allclose(found.folds[0, 0, k], expected)


def test_areas_are_those_of_scikit_learn():
    rng = np.random.default_rng(0)
    for _ in range(20):
        scores, truth = rng.integers(0, 6, 30) / 5, rng.random(30) < 0.3
        assert naive.area(scores, truth) == pytest.approx(roc_auc_score(truth, scores))
        expected = average_precision_score(truth, scores)
        assert naive.area(scores, truth, "average_precision") == pytest.approx(expected)


def test_constant_scores_have_half_the_area_and_reversed_ones_the_rest():
    truth = [1, 0, 0, 1, 0]
    assert naive.area([0.3] * 5, truth) == 0.5
    scores = [0.9, 0.1, 0.5, 0.4, 0.4]
    reversed_ = [1 - score for score in scores]
    assert naive.area(scores, truth) + naive.area(reversed_, truth) == pytest.approx(1)


def test_any_classifier_sees_the_samples_of_the_trees():
    # scikit-learn's own trees on them: the same areas but where splits tie, which is rare here.
    rng = np.random.default_rng(0)
    positive = np.arange(120) < 24
    X = (rng.normal(size=(120, 6)) + 1.2 * positive[:, None]).astype(np.float32)
    tree = DecisionTreeClassifier(criterion="entropy", min_samples_leaf=8, random_state=0)
    for kind in ("hybrid", "rus", "ros", "smote", "cost", None):
        balance = Balance(kind, 5 if kind not in ("cost", None) else 1)
        fast = scorer_of(X, positive, balance, how=TreeSettings(min_samples_leaf=8))
        slow = scorer_of(X, positive, balance, cls=GeneralScorer, how=tree)
        subsets = [[0], [2], [5]]
        a, b = (scores_of(scorer, subsets, [7, 7, 9]) for scorer in (fast, slow))
        assert_allclose(a.folds, b.folds, atol=0.02)
        assert np.mean(np.isclose(a.folds, b.folds, atol=1e-9)) > 0.7


def test_classifiers_without_probabilities_rank_by_decision_values():
    X, positive = made(0, n=60, n_minority=15)
    for model in (LinearSVC(dual=False), LogisticRegression()):
        scorer = scorer_of(X, positive, Balance("hybrid", 2), cls=GeneralScorer, how=model)
        found = scores_of(scorer, [[0, 1, 2, 3, 4]], [0])
        assert (found.folds > 0.5).all()


def test_one_member_without_resampling_is_the_single_wrapper():
    X, positive = made(3)
    found = scores_of(scorer_of(X, positive, Balance(None, 1)), [[0, 1]], [11])
    again = scores_of(scorer_of(X, positive, Balance(None, 1)), [[0, 1]], [12])
    assert_array_equal(found.folds, again.folds)  # nothing is drawn
    scorer = scorer_of(X, positive, Balance(None, 1))
    for k, (train, test) in enumerate(scorer.partitions.splits(0)):
        tree = naive.Tree(X[train][:, :2].T.tolist(), positive[train].astype(int).tolist())
        scores = [tree.share(row) for row in X[test][:, :2].tolist()]
        assert found.folds[0, 0, k] == pytest.approx(naive.area(scores, positive[test].tolist()))


def test_subsets_of_one_seed_are_judged_as_if_each_were_alone():
    X, positive = made(1)
    scorer = scorer_of(X, positive, Balance("hybrid", 4))
    subsets, seeds = [[0, 1], [2, 3], [0, 4], [1, 2]], [5, 5, 6, 5]
    together = scores_of(scorer, subsets, seeds).folds
    alone = [scores_of(scorer, [s], [z]).folds[0] for s, z in zip(subsets, seeds, strict=True)]
    assert_array_equal(together, alone)


def test_partitions_differ_and_are_known_by_number():
    X, positive = made(2)
    scorer = scorer_of(X, positive, Balance())
    tests = [[t.tolist() for _, t in scorer.partitions.splits(r)] for r in (0, 1, 0)]
    assert tests[0] == tests[2] != tests[1]


def test_a_class_that_cannot_be_judged_is_refused():
    X, positive = made(0, n_minority=1)
    with pytest.raises(DataError, match="Class 'rare' has 1 row, so that no split has some"):
        scorer_of(X, positive, Balance())


def test_class_weights_need_a_classifier_that_takes_them():
    from sklearn.naive_bayes import GaussianNB

    X, positive = made(0)
    with pytest.raises(UsageError, match="GaussianNB takes no class_weight"):
        scorer_of(X, positive, Balance("cost", 1), cls=GeneralScorer, how=GaussianNB())
