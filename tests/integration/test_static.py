import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.ensemble import VotingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

import naive_committee
from consilience import integration
from consilience.exceptions import UsageError


@st.composite
def answers(draw):
    """Members' codes, some of them silent, with scores, priors and weights that often tie."""
    n_members, n_samples, c = (
        draw(st.integers(1, 6)),
        draw(st.integers(1, 5)),
        draw(st.integers(2, 4)),
    )
    small = st.integers(0, 2).map(float)
    return (
        draw(arrays(np.int64, (n_members, n_samples), elements=st.integers(-1, c - 1))),
        c,
        draw(arrays(np.float64, (n_members, n_samples), elements=st.integers(1, 3).map(float))),
        draw(st.none() | arrays(np.float64, (n_samples, c), elements=small)),
        draw(st.none() | arrays(np.float64, c, elements=small)),
    )


@given(answers())
def test_votes_agree_with_the_naive_count(given_answers):
    predicted, c, weights, scores, priors = given_answers
    found = integration.majority_vote(predicted, c, scores, priors)
    assert_array_equal(found, naive_committee.vote(predicted, c, None, scores, priors))
    found = integration.weighted_vote(predicted, weights, c, scores, priors)
    assert_array_equal(found, naive_committee.vote(predicted, c, weights, scores, priors))


@given(answers())
def test_equal_weights_are_none(given_answers):
    predicted, c, _, _, _ = given_answers
    expected = integration.vote_shares(predicted, c)
    for weight in (0.0, 0.1, 7.0):  # all 0: nobody is better than another
        weights = np.full(len(predicted), weight)
        assert_allclose(integration.vote_shares(predicted, c, weights), expected, rtol=1e-12)


@given(answers())
def test_shares_sum_to_one_where_somebody_votes(given_answers):
    predicted, c, weights, _, _ = given_answers
    shares = integration.vote_shares(predicted, c, weights)
    assert_allclose(shares.sum(axis=1), (predicted >= 0).any(axis=0), rtol=1e-12)


@given(answers())
def test_the_order_of_the_members_does_not_matter(given_answers):
    predicted, c, weights, scores, priors = given_answers
    weights = weights / 10  # whose sums differ by rounding
    found = integration.weighted_vote(predicted, weights, c, scores, priors)
    turned = integration.weighted_vote(predicted[::-1], weights[::-1], c, scores, priors)
    assert_array_equal(found, turned)


def test_ties_go_by_score_then_prior_then_code():
    predicted = np.array([[2, 2, 2, 0], [1, 1, 1, 1]])
    scores = [[9, 1, 2], [9, 2, 2], [9, 2, 2], [1, 1, 9]]
    assert_array_equal(integration.majority_vote(predicted, 3, scores), [2, 1, 1, 0])
    priors = [0.2, 0.3, 0.5]
    assert_array_equal(integration.majority_vote(predicted, 3, scores, priors), [2, 2, 2, 1])
    assert_array_equal(integration.majority_vote(predicted, 3, None, priors), [2, 2, 2, 1])


def test_sums_that_differ_by_rounding_are_a_tie():
    predicted = np.array([[1], [1], [0]])
    assert 0.1 + 0.2 > 0.3
    assert_array_equal(integration.weighted_vote(predicted, [0.1, 0.2, 0.3], 2), [0])


def test_a_row_where_only_weightless_members_vote_goes_to_them():
    predicted = np.array([[1, 0], [-1, 1]])
    assert_array_equal(integration.weighted_vote(predicted, [0.0, 1.0], 2), [1, 1])


def test_weights_may_differ_from_row_to_row():
    predicted = np.array([[0, 0], [1, 1], [1, 1]])
    weights = np.array([[1.0, 1.0], [0.0, 1.0], [0.5, 1.0]])
    assert_array_equal(integration.weighted_vote(predicted, weights, 2), [0, 1])


def test_the_most_accurate_member_alone_decides():
    predicted = np.array([[0, 0], [1, 2], [2, 2]])
    assert_array_equal(integration.static_selection(predicted, [0.5, 0.9, 0.9]), [1, 2])


def test_scikit_learn_votes_alike(shared_data):
    table = np.load(shared_data / "iris.npz", allow_pickle=False)
    X, y = table["X"], np.unique(table["y"], return_inverse=True)[1]
    models = [GaussianNB(), KNeighborsClassifier(1), LogisticRegression(max_iter=3000, C=0.01)]
    train, test = np.arange(0, 150, 3), np.arange(1, 150, 3)
    voting = VotingClassifier([(f"m{i}", model) for i, model in enumerate(models)])
    voting.fit(X[train], y[train])
    predicted = np.stack([m.predict(X[test]) for m in voting.estimators_])
    probabilities = np.stack([m.predict_proba(X[test]) for m in voting.estimators_])
    assert len(np.unique(predicted, axis=0)) == 3
    assert_array_equal(integration.majority_vote(predicted, 3), voting.predict(X[test]))
    voting.set_params(weights=[0.2, 0.5, 0.9])
    found = integration.weighted_vote(predicted, [0.2, 0.5, 0.9], 3)
    assert_array_equal(found, voting.predict(X[test]))
    voting.set_params(voting="soft", weights=None)
    assert_array_equal(integration.average_vote(probabilities), voting.predict(X[test]))


@pytest.mark.parametrize(
    ("weights", "sentence"),
    [
        ([1.0], r"The weights have the shape \(1,\) for 2 members and 3 rows"),
        ([1.0, -1.0], "A weight of a member is negative or NaN"),
        ([1.0, np.nan], "A weight of a member is negative or NaN"),
    ],
)
def test_weights_that_make_no_sense_are_refused(weights, sentence):
    with pytest.raises(UsageError, match=sentence):
        integration.weighted_vote(np.zeros((2, 3), dtype=int), weights, 2)


def test_a_vote_for_a_class_that_is_not_there_is_refused():
    with pytest.raises(UsageError, match="votes for the class 3 of 3 classes"):
        integration.vote_shares([[0, 3]], n_classes=3)


@pytest.mark.parametrize("priors", [[0.4, 0.6], [0.1, 0.2, 0.3, 0.4], 0.5])
def test_priors_of_other_classes_are_refused(priors):
    sentence = rf"{np.size(priors)} priors came for 3 classes; give one for each class\."
    with pytest.raises(UsageError, match=sentence):
        integration.majority_vote([[0, 2], [1, 2]], 3, priors=priors)


def test_scores_of_other_rows_or_classes_are_refused():
    with pytest.raises(UsageError, match=r"The scores have the shape \(2, 2\) for 2 rows and 3 c"):
        integration.majority_vote([[0, 2], [1, 2]], 3, scores=np.ones((2, 2)))
