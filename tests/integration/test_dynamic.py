"""The dynamic rules against the plain loop, and where they become a simpler rule."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal

import naive_integration
from consilience import integration
from consilience.exceptions import UsageError
from consilience.integration import DYNAMIC, dynamic_weights

FUNCTIONS = [getattr(integration, rule) for rule in DYNAMIC]


@st.composite
def answers(draw, n_members=None):
    """Codes of members, local errors that often tie, accuracies and priors."""
    n_members = draw(st.integers(1, 6)) if n_members is None else n_members
    n, c = draw(st.integers(1, 5)), draw(st.integers(2, 4))
    shares = st.sampled_from([0.0, 0.1, 0.2, 0.3, 0.1 + 0.2, 0.5, 0.9, 1.0])
    return (
        draw(arrays(np.int64, (n_members, n), elements=st.integers(0, c - 1))),
        draw(arrays(np.float64, (n, n_members), elements=shares)),
        draw(arrays(np.float64, n_members, elements=st.sampled_from([0.5, 0.6, 0.7]))),
        draw(arrays(np.float64, c, elements=st.sampled_from([0.2, 0.3, 0.4]))),
    )


def decide(rule, predicted, local, accuracies, priors):
    function = getattr(integration, rule)
    if rule == "dynamic_selection":
        return function(predicted, local, accuracies, priors=priors)
    return function(predicted, local, priors=priors)


@pytest.mark.parametrize("rule", DYNAMIC)
@given(answers())
def test_rules_agree_with_the_plain_loop(rule, case):
    predicted, local, accuracies, priors = case
    expected = [
        naive_integration.dynamic_vote(
            rule, predicted[:, i], local[i], priors.size, accuracies, priors
        )
        for i in range(len(local))
    ]
    assert_array_equal(decide(rule, *case), expected)


@pytest.mark.parametrize("rule", DYNAMIC)
@given(answers(n_members=1))
def test_one_member_is_that_member(rule, case):
    assert_array_equal(decide(rule, *case), case[0][0])


@given(answers())
def test_with_equal_errors_both_votes_are_the_simple_vote(case):
    predicted, local, accuracies, priors = case
    local = np.repeat(local[:, :1], len(predicted), axis=1)
    expected = integration.majority_vote(predicted, priors.size, priors=priors)
    for rule in ("dynamic_voting", "dynamic_voting_selection"):
        assert_array_equal(decide(rule, predicted, local, accuracies, priors), expected)
    voting, selection = (dynamic_weights(local, rule) for rule in DYNAMIC[1:])
    assert_array_equal(voting, selection)


@pytest.mark.parametrize("rule", DYNAMIC)
@given(answers(), st.randoms(use_true_random=False))
def test_the_order_of_members_matters_only_where_they_are_equally_good(rule, case, random):
    predicted, local, accuracies, priors = case
    accuracies = accuracies + np.arange(accuracies.size) / 1000  # no two alike
    order = list(range(len(predicted)))
    random.shuffle(order)
    turned = decide(rule, predicted[order], local[:, order], accuracies[order], priors)
    assert_array_equal(turned, decide(rule, predicted, local, accuracies, priors))


def test_selection_discards_the_upper_half_of_the_interval_of_errors():
    local = [[0.1, 0.3, 0.30001, 0.5]]
    weights = dynamic_weights(local, "dynamic_voting_selection")
    assert_allclose(weights[:, 0], [0.9, 0.7, 0.0, 0.0])


def test_rounding_discards_nobody():
    local = [[0.1, 0.1 + 0.2, 0.5], [0.0, 0.3, 0.6]]  # the middle is 0.3 and 0.1 + 0.2 is more
    weights = dynamic_weights(local, "dynamic_voting_selection")
    assert (weights[1] > 0.6).all()


def test_equal_errors_are_decided_by_accuracy_then_by_order():
    local = [[0.5, 0.3, 0.1 + 0.2, 0.3]]
    assert dynamic_weights(local, "dynamic_selection").argmax() == 1
    assert dynamic_weights(local, "dynamic_selection", [0.9, 0.6, 0.7, 0.7]).argmax() == 2


def test_members_that_always_err_vote_alike():
    predicted = [[1], [1], [0]]
    for rule in FUNCTIONS[1:]:
        assert rule(predicted, [[1.0, 1.0, 1.0]]) == [1]


def test_what_rounding_leaves_of_a_weight_does_not_decide():
    for rule in FUNCTIONS[1:]:
        assert rule([[1], [0], [1]], [[1.0, 1.0 - 1e-15, 1.0]]) == [1]


def test_a_silent_member_leaves_the_vote_to_the_others():
    predicted = np.array([[-1], [1], [1], [0]])
    assert integration.dynamic_selection(predicted, [[0.0, 0.5, 0.5, 0.4]]) == [1]


@pytest.mark.parametrize(
    ("local", "rule", "accuracies", "message"),
    [
        ([0.1], DYNAMIC[0], None, r"shape \(1,\)"),
        ([[]], DYNAMIC[0], None, "at least one member"),
        ([[1.5]], DYNAMIC[0], None, "not between 0 and 1"),
        ([[np.nan]], DYNAMIC[1], None, "not between 0 and 1"),
        ([[0.1]], "dynamic", None, "Unknown dynamic rule 'dynamic'; known are dynamic_selection"),
        ([[0.1]], DYNAMIC[0], [0.1, 0.2], "2 accuracies came for 1 members"),
    ],
)
def test_what_makes_no_sense_is_refused(local, rule, accuracies, message):
    with pytest.raises(UsageError, match=message):
        dynamic_weights(local, rule, accuracies)


def test_uniform_weights_give_the_rules_known_as_ola_and_knora_u():
    rng = np.random.default_rng(0)
    distances, correct = rng.random((40, 30)), rng.random((30, 5)) < 0.6
    predicted, k = rng.integers(0, 3, (5, 40)), 7
    local = integration.local_errors(distances, ~correct, k, weights="uniform")
    nearest = np.argsort(distances, axis=1)[:, :k]
    right = correct[nearest].sum(axis=1)  # of each row and member
    ola = [predicted[np.argmax(counts), i] for i, counts in enumerate(right)]
    assert_array_equal(integration.dynamic_selection(predicted, local), ola)
    votes = np.array([np.bincount(predicted[:, i], counts, 3) for i, counts in enumerate(right)])
    shares = integration.vote_shares(predicted, 3, dynamic_weights(local, "dynamic_voting"))
    assert_allclose(shares, votes / votes.sum(axis=1, keepdims=True))
