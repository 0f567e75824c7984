import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

import naive_mlp as naive
from consilience import DAFS
from consilience.exceptions import UsageError
from consilience.learners.backpropagation import Rule, train
from consilience.learners.base import ABSENT
from consilience.learners.mlp import LONGEST, MLPLearner
from learners.held_out_cases import all_folds, made_case, real_case, small_cases


def weights_of(rng, n_members, m, n_hidden, c):
    shapes = ((m, n_hidden), (n_hidden,), (n_hidden, c), (c,))
    return tuple(rng.normal(size=(n_members, *shape)) for shape in shapes)


def test_the_twin_goes_down_the_slope():
    rng = np.random.default_rng(0)
    X, target = rng.normal(size=(7, 3)), np.eye(3)[np.arange(7) % 3]
    weights = [w[0] for w in weights_of(rng, 1, 3, 4, 3)]
    for part, slope in zip(weights, naive.gradient(weights, X, target), strict=True):
        for at in np.ndindex(part.shape):
            kept, found = part[at], []
            for by in (1e-5, -1e-5):
                part[at] = kept + by
                found.append(naive.loss(weights, X, target))
            part[at] = kept
            assert_allclose(slope[at], (found[0] - found[1]) / 2e-5, rtol=1e-4, atol=1e-9)


@given(
    seed=st.integers(0, 10**6),
    m=st.integers(1, 20),  # fewer columns than half the rows, and more: weights or Gram matrix
    n=st.integers(6, 14),
    c=st.integers(2, 4),
    tolerance=st.sampled_from([1e-9, 0.3, 0.8]),
    momentum=st.sampled_from([0.0, 0.6]),
)
def test_networks_at_once_are_networks_one_by_one(seed, m, n, c, tolerance, momentum):
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n) % c)
    folds = rng.permutation(np.arange(n) % 3)
    columns = rng.normal(size=(3, m, n)) + rng.normal(size=(3, m, c))[:, :, y]
    weights = weights_of(rng, 3, m, 3, c)
    first_rate = np.array([0.4, 0.3, 0.01])  # the last one often goes on alone
    rule = Rule(first_rate, 0.4, momentum, tolerance, 45)
    by, without = rng.normal(size=columns.shape), np.full((3, 3, m, n, c), np.nan)

    def ended(members, networks):
        for fold in range(3):
            rows = np.flatnonzero(folds == fold)
            away = by[members][:, :, rows]
            for features, found in networks.answers_without(fold, rows, away, most=100):
                for at, member in enumerate(members):
                    without[member, fold, features, rows] = found[at].transpose(1, 0, 2)

    answers = train(columns, weights, y, folds != np.arange(3)[:, None], rule, ended)
    for member in range(3):
        for fold in range(3):
            learned = naive.train_network(
                [w[member] for w in weights], columns[member].T[folds != fold], y[folds != fold],
                c, [first_rate[member]] * 2 + [0.4] * 2, momentum, tolerance, 45,
            )  # fmt: skip
            expected = naive.forward(learned, columns[member].T)[1]
            assert_allclose(answers[member, fold], expected, atol=1e-9)
            for feature in range(m):
                rows = columns[member].T.copy()
                rows[:, feature] -= by[member, feature]
                expected = naive.forward(learned, rows)[1]
                found = without[member, fold, feature, folds == fold]
                assert_allclose(found, expected[folds == fold], atol=1e-9)


@pytest.mark.parametrize("m", [5, 60])
@pytest.mark.parametrize("kind", all_folds(40))
def test_held_out_rows_are_told_as_by_refits(kind, m):
    columns, y = made_case(m=m)
    columns *= np.sqrt(2.0)
    folds = all_folds(40)[kind]
    learner = MLPLearner(n_hidden=4, max_iter=60)
    predicted, scores = learner.held_out_one(columns, y, folds, 3, np.random.default_rng(5))
    drawn = np.random.default_rng(5)
    weights = [
        drawn.standard_normal(shape) / np.sqrt(n_inputs)
        for shape, n_inputs in (((m, 4), m), ((4,), m), ((4, 3), 4), ((3,), 4))
    ]
    played = folds != ABSENT
    length = (columns[:, played] ** 2).sum(axis=0).mean()
    rates = [0.4 / max(1.0, length / LONGEST)] * 2 + [0.4] * 2
    for fold in np.unique(folds[folds >= 0]):
        rows, held = played & (folds != fold), folds == fold
        learned = naive.train_network(weights, columns.T[rows], y[rows], 3, rates, 0.6, 0.1, 60)
        expected = naive.forward(learned, columns.T[held])[1]
        assert_allclose(scores[held], expected, atol=2e-3)
        clear = np.diff(np.sort(expected, axis=1)[:, -2:], axis=1).ravel() > 5e-3
        assert_array_equal(predicted[held][clear], expected.argmax(axis=1)[clear])
    assert (predicted[folds < 0] == -1).all()
    assert not scores[folds < 0].any()


@given(small_cases())
@settings(max_examples=25)
def test_only_classes_that_were_taught_are_predicted(case):
    columns, y, folds, c = case
    learner = MLPLearner(n_hidden=2, max_iter=20)
    predicted, scores = learner.held_out_one(columns, y, folds, c, np.random.default_rng(0))
    assert np.isfinite(scores).all()
    for row in np.flatnonzero(folds >= 0):
        taught = y[(folds != ABSENT) & (folds != folds[row])]
        assert predicted[row] in taught
        assert not scores[row, ~np.isin(np.arange(c), taught)].any()


def test_members_in_batches_are_members_alone():
    columns, y = made_case(n=30, m=40)
    folds = np.arange(30) % 8  # more folds than are trained at once
    rng = np.random.default_rng(0)
    subspaces = [rng.choice(40, size, replace=False) for size in (12, 12, 12, 7, 40, 40)]
    learner = MLPLearner(n_hidden=3, max_iter=80)

    def generators():
        return [np.random.default_rng(k) for k in range(6)]

    found = learner.held_out(columns.__getitem__, subspaces, y, folds, 3, generators())
    predicted, scores = found.predicted, found.scores
    total = np.zeros_like(scores)
    for member, rng in enumerate(generators()):
        alone = learner.held_out_one(columns[subspaces[member]], y, folds, 3, rng)
        assert_array_equal(alone[0], predicted[member])
        total += alone[1]
    assert_allclose(scores, total, atol=1e-5)


@pytest.mark.parametrize("name", ["dlbcl", "srbct"])
def test_the_defaults_learn_on_real_data(shared_data, name):
    columns, y, subspaces = real_case(shared_data, name, 50)
    subspaces = [*subspaces, np.arange(len(columns))]
    rngs = [np.random.default_rng(k) for k in range(len(subspaces))]
    folds = np.random.default_rng(0).permutation(y.size) % 5
    found = MLPLearner().held_out(columns.__getitem__, subspaces, y, folds, y.max() + 1, rngs)
    right = (found.predicted == y).mean(axis=1)
    largest = np.bincount(y).max() / y.size
    assert right[:-1].mean() > largest + 0.08
    assert right[-1] > 0.9  # all genes


def test_dafs_finds_what_networks_miss_when_it_is_hidden():
    rng = np.random.default_rng(2)
    y = np.arange(40) % 2
    X = rng.normal(size=(40, 12))
    X[:, [3, 8]] += 2.5 * y[:, None]
    dafs = DAFS("mlp", subspace_size=4, n_subspaces=40, random_state=0).fit(X, y)
    named = DAFS("mlp", criterion="occlusion", subspace_size=4, n_subspaces=40, random_state=0)
    assert_array_equal(dafs.scores_, named.fit(X, y).scores_)
    assert set(np.argsort(dafs.ranking_)[:2]) == {3, 8}
    assert dafs.scores_[[3, 8]].min() > 3 * np.abs(np.delete(dafs.scores_, [3, 8])).max()


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"n_hidden": 0}, "n_hidden is 0; give a whole number, 1 or more."),
        ({"max_iter": 2.5}, "max_iter is 2.5; give a whole number, 1 or more."),
        ({"learning_rate": 0}, "learning_rate is 0; give a positive number."),
        ({"momentum": 1}, "momentum is 1; give a number from 0 to below 1."),
        ({"tolerance": -1}, "tolerance is -1; give a positive number."),
    ],
)
def test_impossible_parameters_are_refused(options, sentence):
    columns, y = made_case(n=8, m=2)
    with pytest.raises(UsageError) as caught:
        MLPLearner(**options).held_out_one(columns, y, np.arange(8), 3, np.random.default_rng(0))
    assert str(caught.value) == sentence
