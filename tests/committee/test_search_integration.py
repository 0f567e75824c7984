"""From rows to predictions, the whole way by loops: errors by folds, distances, local votes."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import naive_integration
from consilience import SequentialGeneticEnsembleClassifier
from naive_bayes_subsets import naive_cross_predicted, naive_predicted

RNG = np.random.default_rng(2)
Y = np.repeat([2, 0, 1], [20, 16, 12])[RNG.permutation(48)]  # the last class is the largest
X = np.column_stack([
    RNG.normal(size=(48, 2)) + Y[:, None], (Y + RNG.integers(0, 2, 48)) % 4,
    np.where(RNG.random(48) < 0.1, np.nan, RNG.normal(size=48) - Y),
])  # fmt: skip
NOMINAL = np.array([False, False, True, False])
RULES = ("dynamic_selection", "dynamic_voting", "dynamic_voting_selection")
NEW = np.column_stack([
    RNG.normal(size=(9, 2)) + 1, RNG.integers(0, 5, 9), np.where(np.arange(9) == 4, np.nan, 0.3)
])  # fmt: skip


@pytest.mark.parametrize("refit", [True, False])
def test_every_rule_is_that_of_the_words(refit):
    committee = SequentialGeneticEnsembleClassifier(
        n_estimators=4, n_generations=2, refit=refit, n_neighbors=5, n_bins=4,
        categorical_features=NOMINAL, random_state=0,
    ).fit(X, Y)  # fmt: skip
    rows = np.arange(48)
    if not refit:
        rows = np.setdiff1d(rows, committee.validation_rows_)
    lesson = committee._lesson
    dealt = np.random.SeedSequence(lesson.seed.entropy, spawn_key=lesson.seed.spawn_key).spawn(2)[1]
    folds = lesson.table.folds(10, dealt, rows)
    assert np.unique(folds).size == min(10, np.bincount(Y[rows]).max())
    options = {"nominal": NOMINAL, "n_bins": 4}

    errors, said = [], []
    for mask in committee.masks_:
        crossed = naive_cross_predicted(X[rows], Y[rows], 3, folds, mask, **options)
        errors.append([float(a != b) for a, b in zip(crossed, Y[rows], strict=True)])
        together = np.concatenate([X[rows], NEW]), np.concatenate([Y[rows], np.zeros(9, int)])
        asked = np.arange(rows.size, rows.size + 9)
        said.append(naive_predicted(*together, 3, np.arange(rows.size), asked, mask, **options))
    assert_array_equal(committee._competence.errors.T, errors)
    (block,) = committee._members.blocks(NEW)
    assert_array_equal(committee._members.predicted(block), said)

    distances = naive_integration.heom(X[rows].tolist(), NEW.tolist(), NOMINAL)
    local = [
        [naive_integration.local_error(near, own, 5, "inverse") for own in errors]
        for near in distances
    ]
    assert_allclose(committee._errors_near(NEW, RULES)[RULES[0]], local, atol=1e-9)
    accuracies = [1 - np.mean(own) for own in errors]
    found = committee.integrated(NEW)
    priors = [np.mean(c == Y) for c in range(3)]
    for k in range(9):
        votes = [int(member[k]) for member in said]
        for rule in RULES:
            expected = naive_integration.dynamic_vote(rule, votes, local[k], 3, accuracies, priors)
            assert found[rule][k] == expected
        # A plain vote: the most votes, then the larger class, then the first.
        assert found["vote"][k] == max(range(3), key=lambda c: (votes.count(c), priors[c], -c))


@pytest.mark.parametrize("rule", ["vote", "weighted", "static", *RULES])
def test_ties_go_to_the_larger_class_by_every_way_to_ask(rule):
    committee = SequentialGeneticEnsembleClassifier(
        n_estimators=2, n_generations=1, n_neighbors=5, integration=rule, random_state=0
    ).fit(X, Y)
    # Members as good as each other, everywhere: where they differ, their votes tie.
    committee.member_accuracies_ = np.array([0.5, 0.5])
    learned = committee._competence
    committee._learned = replace(learned, errors=np.zeros_like(learned.errors))
    (block,) = committee._members.blocks(X)
    one, two = committee._members.predicted(block)
    first = rule in ("static", "dynamic_selection")  # of members as good the first is heard
    expected = one if first else np.where(priors_of(one) >= priors_of(two), one, two)
    assert (one != two).any()
    assert_array_equal(committee.predict(X), expected)
    assert_array_equal(committee.integrated(X, [rule])[rule], expected)
    assert_array_equal(list(committee.staged_predict_proba(X))[-1].argmax(axis=1), expected)


def priors_of(codes):
    return np.bincount(Y)[codes]
