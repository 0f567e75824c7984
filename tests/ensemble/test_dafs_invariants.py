"""What must hold for DAFS whatever the learner, section 10 of its specification first."""

import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from consilience import DAFS, make_planted
from consilience.ensemble import dafs_scores
from consilience.ensemble.dafs_scores import SCORES, Evidence, check_options
from consilience.exceptions import ConsilienceWarning, UsageError
from consilience.learners.base import HeldOut, Learner
from consilience.measures.diversity import MEASURES

PLANTED = make_planted(60, 100, n_blocks=20, block_size=1, effect=3.0, random_state=2)
X, y = PLANTED.X, PLANTED.y


class Told(Learner):
    """A learner that errs on as many held-out rows as it has been told to, by its columns."""

    def __init__(self, errors):
        self.errors = errors  # of the columns

    def held_out_one(self, columns, y, folds, n_classes, rng):
        predicted = y.copy()
        held = np.flatnonzero(folds >= 0)
        wrong = held[np.argsort(columns[0, held])[: self.errors(columns)]]
        predicted[wrong] = (predicted[wrong] + 1) % n_classes
        return predicted, np.zeros((y.size, n_classes))


def evidence(subspaces, n_features, right, right_ensemble, **options):
    """Members that are right where `right` says so."""
    right, voted = np.asarray(right, dtype=np.int64), np.asarray(right_ensemble, dtype=np.int64)
    defaults = {"measure": "double_fault", "orientation": "diverse", "agreement": "correctness"}
    return Evidence(
        np.asarray(subspaces), n_features, np.ones(voted.size, dtype=np.int64), right, voted,
        **defaults | {"form": "ratio", "r": 1.0} | options,
    )  # fmt: skip


def random_evidence(seed, **options):
    rng = np.random.default_rng(seed)
    subspaces = np.stack([rng.permutation(9)[:3] for _ in range(20)])
    right = rng.random((20, 12)) < 0.7
    return evidence(subspaces, 9, right, right.mean(axis=0) > 0.6, **options)


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("seed", range(5))
def test_num_ranks_as_ratio_does(measure, seed):
    ratio, num = (
        SCORES["da"](random_evidence(seed, measure=measure, form=form, r=3.0))
        for form in ("ratio", "num")
    )
    assert_array_equal(np.argsort(np.round(ratio, 12)), np.argsort(np.round(num, 12)))
    assert_allclose(num / ratio, (num / ratio)[0])


@pytest.mark.parametrize("measure", MEASURES)
def test_equal_members_give_their_own_worth(measure):
    one = random_evidence(0, measure=measure, r=2.0)
    same = np.tile(one.predicted[0], (20, 1))
    found = SCORES["da"](evidence(one.subspaces, 9, same, one.voted, measure=measure, r=2.0))
    given = evidence([[0]], 1, same[:1], one.voted, measure=measure, r=2.0)
    assert_allclose(found, SCORES["da"](given)[0])


def test_the_worth_of_a_member_by_hand():
    # Ensemble right in 4 of 5; the member in 3, one of them where the ensemble errs.
    right, voted = [[1, 1, 0, 0, 1]], [1, 1, 1, 1, 0]
    # n11 = 2, n10 = 1, n01 = 2, n00 = 0
    for measure, d in (("disagreement", 3 / 5), ("double_fault", 1.0), ("q_statistic", 1.0)):
        found = SCORES["da"](evidence([[0]], 1, right, voted, measure=measure, r=2.0))
        assert_allclose(found, (3 / 4) ** 2 * d)
    linear = SCORES["da"](
        evidence([[0]], 1, right, voted, measure="disagreement", form="linear", r=0.25)
    )
    assert_allclose(linear, 0.25 * 0.75 * 0.6 + 0.75 * 0.75)
    assert_allclose(SCORES["accuracy"](evidence([[0]], 1, right, voted)), 0.6)


@pytest.mark.parametrize("form", ["ratio", "num"])
def test_a_diversity_on_another_scale_ranks_the_same(monkeypatch, form):
    plain = SCORES["da"](random_evidence(1, form=form, r=2.0))
    measured = dafs_scores.member_diversities
    monkeypatch.setattr(
        dafs_scores, "member_diversities", lambda *args, **words: 7 * measured(*args, **words)
    )
    assert_allclose(SCORES["da"](random_evidence(1, form=form, r=2.0)), 7 * plain)


def test_raw_values_are_as_published():
    given = evidence([[0]], 1, [[1, 0, 0, 1]], [1, 1, 0, 1])
    raw = evidence(
        [[0]], 1, [[1, 0, 0, 1]], [1, 1, 0, 1], measure="double_fault", orientation="raw"
    )
    assert_allclose((given.diversities, raw.diversities), ([0.75], [0.25]))


def test_an_ensemble_that_is_never_right_does_not_divide_by_zero():
    found = SCORES["da"](evidence([[0]], 1, [[1, 0, 0, 0]], [0, 0, 0, 0], r=1.0))
    assert_allclose(found, 0.25 / (1 / 8) * 0.25)


@pytest.mark.parametrize("measure", ["disagreement", "q_statistic", "correlation"])
def test_a_single_member_is_the_ensemble_and_differs_in_nothing(measure):
    with pytest.warns(ConsilienceWarning, match="are in none of the 1 subspaces"):
        fitted = DAFS("knn", diversity=measure, subspace_size=5, n_subspaces=1, random_state=0).fit(
            X, y
        )
    assert 0 < fitted.member_accuracies_[0] < 1
    assert fitted.member_accuracies_[0] == fitted.ensemble_accuracy_
    assert_allclose(fitted.member_diversities_, 0, atol=1e-15)
    assert_allclose(fitted.scores_[fitted.n_hits_ > 0], 0, atol=1e-15)


def test_features_in_no_subspace_are_unknown_last_and_named():
    dafs = DAFS("knn", subspace_size=5, n_subspaces=10, random_state=0)
    with pytest.warns(ConsilienceWarning, match=r"\('x\d+', .*\.\.\.\).*P_cov 0\.40.*partition"):
        dafs.fit(X, y)
    missed = np.flatnonzero(dafs.n_hits_ == 0)
    assert_array_equal(dafs.never_sampled_, missed)
    assert np.isnan(dafs.scores_[missed]).all()
    assert np.isfinite(np.delete(dafs.scores_, missed)).all()
    assert dafs.ranking_[missed].min() == 100 - missed.size + 1
    assert not dafs.support_[missed].any()


def test_dealt_features_are_all_used_equally_often():
    fitted = DAFS("knn", subspace_size=7, n_subspaces=40, sampling="partition", random_state=0)
    fitted.fit(X, y)
    assert set(fitted.n_hits_) == {2, 3}
    assert fitted.coverage_ == 1


@pytest.mark.parametrize("estimator", ["knn", "ridge", "svm"])
def test_planted_features_rank_above_noise(estimator):
    fitted = DAFS(estimator, subspace_size=15, n_subspaces=400, random_state=0).fit(X, y)
    mean_rank = fitted.ranking_[PLANTED.relevant].mean()
    assert mean_rank < 20
    assert fitted.ranking_[~PLANTED.relevant].mean() > 50


def test_members_that_are_right_only_where_they_agree_invert_the_ranking():
    # Each errs on rows of its own, more where its first cells are large: the vote of all is right
    # nearly throughout, and who differs from it is wrong.
    rng = np.random.default_rng(0)
    table = rng.normal(size=(40, 30))

    def errors(columns):
        return int(np.clip(8 + 6 * columns[:, 0].mean(), 0, 18))

    labels = np.arange(40) % 2
    options = {"subspace_size": 4, "n_subspaces": 150, "random_state": 0}
    with pytest.warns(ConsilienceWarning, match=r"rank correlation -.*double_fault.*r above 1"):
        DAFS(Told(errors), diversity="disagreement", r=1, **options).fit(table, labels)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        DAFS(Told(errors), diversity="double_fault", **options).fit(table, labels)
        DAFS(Told(errors), diversity="disagreement", r=10, **options).fit(table, labels)


def test_a_learner_that_cannot_hide_features_says_so():
    assert not Told.hides
    with pytest.raises(UsageError, match="Told cannot tell how it does with a feature hidden"):
        DAFS(Told(lambda columns: 0), random_state=0).fit(X, y)


def test_ties_go_to_more_members_then_to_the_seed():
    options = {"criterion": "da", "subspace_size": 4, "n_subspaces": 250}
    right = Told(lambda columns: 0)
    fitted = [DAFS(right, random_state=s, **options).fit(X, y) for s in (0, 0, 1)]
    assert_array_equal(fitted[0].ranking_, fitted[1].ranking_)
    assert (fitted[0].ranking_ != fitted[2].ranking_).any()
    sampled = fitted[0].n_hits_[np.argsort(fitted[0].ranking_)]
    assert (np.diff(sampled) <= 0).all()
    assert fitted[0].n_features_ == 1  # all sizes do equally well: the smallest


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ((None, None, None, "ratio"), ("occlusion", "disagreement", 3.0)),
        (("da", None, None, "ratio"), ("da", "double_fault", 1.0)),
        ((None, None, None, "linear"), ("da", "double_fault", 0.5)),
        ((None, "correlation", None, "ratio"), ("da", "correlation", 3.0)),
        ((None, "q_statistic", 2, "num"), ("da", "q_statistic", 2.0)),
        ((None, "disagreement", None, "linear"), ("da", "disagreement", 0.5)),
        (("accuracy", None, None, "ratio"), ("accuracy", "disagreement", 3.0)),
    ],
)
def test_what_is_left_open_is_filled_in(given, expected):
    assert check_options(*given, "diverse", "correctness") == expected


def test_a_learner_that_draws_gets_a_generator_for_each_member():
    seen = {}

    class Drawing(Learner):
        draws = True

        def held_out_one(self, columns, y, folds, n_classes, rng):
            raise AssertionError

        def held_out(self, take, subspaces, y, folds, n_classes, rngs):
            assert len(rngs) == len(subspaces)
            for features, rng in zip(subspaces, rngs, strict=True):
                seen.setdefault(tuple(features), []).append(rng.random())
            return HeldOut(np.tile(y, (len(subspaces), 1)), np.zeros((y.size, n_classes)))

    options = {"criterion": "da", "subspace_size": 4, "n_subspaces": 250, "random_state": 0}
    for n_jobs in (None, 2):
        DAFS(Drawing(), n_jobs=n_jobs, **options).fit(X, y)
    draws = [tuple(numbers) for features, numbers in seen.items() if len(features) == 4]
    assert all(len(set(numbers)) == 1 for numbers in draws)
    assert len(set(draws)) > 240
