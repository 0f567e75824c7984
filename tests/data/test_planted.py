import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from consilience import make_planted
from consilience.exceptions import UsageError


def test_the_truth_is_complete_and_disjoint():
    planted = make_planted(40, 300, n_blocks=4, block_size=5, n_pairs=3, random_state=0)
    members = np.concatenate([*planted.blocks, planted.pairs.ravel()])
    assert len(set(members)) == len(members) == 26
    assert_array_equal(np.flatnonzero(planted.relevant), np.sort(members))
    assert planted.table.validate().n_features == 300


def test_blocks_differ_by_the_effect_and_correlate_inside_classes():
    planted = make_planted(
        8000, 20, n_blocks=3, block_size=4, correlation=0.6, effect=1.5, n_classes=3, random_state=1
    )
    for number, block in enumerate(planted.blocks):
        raised = planted.y == number
        difference = planted.X[raised][:, block].mean(0) - planted.X[~raised][:, block].mean(0)
        assert_allclose(difference, 1.5, atol=0.12)
        inside = np.corrcoef(planted.X[raised][:, block].T)
        assert_allclose(inside[np.triu_indices(4, 1)], 0.6, atol=0.06)


def test_pairs_tell_nothing_alone_and_everything_together():
    planted = make_planted(8000, 30, n_blocks=0, n_pairs=5, random_state=2)
    first, second = planted.X[:, planted.pairs[:, 0]], planted.X[:, planted.pairs[:, 1]]
    for alone in (first, second):
        for moment in (1, 2):
            by_class = [(alone[planted.y == c] ** moment).mean(axis=0) for c in (0, 1)]
            assert_allclose(by_class[0], by_class[1], atol=0.15)
    assert_array_equal(first * second > 0, np.repeat((planted.y == 0)[:, None], 5, axis=1))


def test_noise_is_noise():
    planted = make_planted(8000, 30, n_blocks=1, block_size=5, n_pairs=2, random_state=3)
    noise = planted.X[:, ~planted.relevant]
    means = [noise[planted.y == c].mean(axis=0) for c in (0, 1)]
    assert_allclose(means[0], means[1], atol=0.12)
    assert_allclose(noise.std(axis=0), 1, atol=0.05)


@pytest.mark.parametrize(
    ("n", "k", "balance", "sizes"),
    [
        (100, 2, None, [50, 50]),
        (100, 2, [0.9, 0.1], [90, 10]),
        (10, 3, None, [4, 3, 3]),
        (10, 3, [1000, 1, 1], [8, 1, 1]),
        (3, 3, [5, 1, 1], [1, 1, 1]),
    ],
)
def test_classes_have_the_wanted_shares(n, k, balance, sizes):
    y = make_planted(n, 50, n_classes=k, class_balance=balance, random_state=0).y
    assert_array_equal(np.bincount(y), sizes)


def test_the_seed_decides():
    one, two, other = (make_planted(20, 50, n_pairs=2, random_state=seed) for seed in (5, 5, 6))
    assert_array_equal(one.X, two.X)
    assert_array_equal(one.pairs, two.pairs)
    assert not np.array_equal(one.X, other.X)


def test_any_size_works():
    assert make_planted(2, 1, n_blocks=0).X.shape == (2, 1)
    assert make_planted(2, 20).relevant.all()
    assert make_planted(5, 30_000, n_pairs=7_000).pairs.shape == (7_000, 2)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"n_blocks": 300}, "need 1200 features, and there are 1000"),
        ({"n_pairs": -1}, "are 5, 4 and -1"),
        ({"correlation": 1.0}, "below 1, and not to 1.0"),
        ({"n_classes": 1}, "2 or more"),
        ({"class_balance": [1, 0]}, "positive share"),
        ({"n_samples": 3, "n_classes": 4}, "3 samples cannot fill 4 classes"),
    ],
)
def test_impossible_wishes_are_refused(options, sentence):
    with pytest.raises(UsageError, match=sentence):
        make_planted(**options)
