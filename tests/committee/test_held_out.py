"""Committees on rows that they were not trained on, against refits for every fold."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import naive_committee
from consilience import RandomSubspaceClassifier, make_planted
from consilience.committee.members import as_classifier
from consilience.exceptions import UsageError
from consilience.integration import majority_vote
from consilience.sampling.held_out import held_out_folds

PLANTED = make_planted(36, 50, n_blocks=3, block_size=3, effect=2.0, random_state=1)
X, y = PLANTED.X, np.array(["ill", "well"])[PLANTED.y]


def committee(estimator="svm", **options):
    defaults = {"n_estimators": 20, "subspace_size": 15, "random_state": 0}
    return RandomSubspaceClassifier(estimator, **defaults | options)


def refits(classifier, subsets, cells, labels):
    """What each member says of each row after a fit without it."""
    Z = naive_committee.scaled(cells)
    folds = held_out_folds(np.unique(labels, return_inverse=True)[1], "loo")
    return np.stack(
        [
            naive_committee.held_out_labels(classifier, Z[:, subset], labels, folds)
            for subset in subsets
        ]
    )


@pytest.mark.parametrize("kind", ["svm", "knn", "ridge"])
def test_leave_one_out_equals_refits_on_real_data(shared_data, kind):
    table = np.load(shared_data / "srbct.npz", allow_pickle=False)
    rows = np.arange(0, 83, 2)
    cells, labels = table["X"][rows], table["y"][rows]
    model = committee(kind, n_estimators=7)
    found = model.leave_one_out(cells, labels)
    said = refits(as_classifier(kind), clone(model).fit(cells, labels).subsets_, cells, labels)
    right = (said == labels).mean(axis=1)
    assert_allclose(found.member_accuracies, right)
    assert_allclose(found.mean_member_accuracy, right.mean())
    classes = np.unique(labels)
    codes = np.searchsorted(classes, said.astype(labels.dtype))
    votes = np.stack([(codes == c).sum(axis=0) for c in range(classes.size)], axis=1)
    assert_allclose(found.shares, votes / 7)
    clear = (votes == votes.max(axis=1, keepdims=True)).sum(axis=1) == 1
    assert clear.mean() > 0.8
    assert_array_equal(found.predicted[clear], classes[majority_vote(codes, 4)][clear])
    assert_allclose(found.accuracy, (found.predicted == labels).mean())
    assert found.accuracy >= found.mean_member_accuracy


def test_a_name_without_a_fast_way_is_refitted():
    found = committee("nb").leave_one_out(X, y)
    expected = committee(GaussianNB()).leave_one_out(X, y)
    assert_array_equal(found.shares, expected.shares)
    grown = committee("tree", evaluation="oof", integration="weighted").fit(X, y).estimators_[0]
    assert (grown.criterion, grown.min_samples_leaf) == ("entropy", 2)


def test_any_classifier_is_refitted():
    found = committee(GaussianNB(), n_estimators=5).leave_one_out(X, y)
    subsets = committee(GaussianNB(), n_estimators=5).fit(X, y).subsets_
    assert_allclose(
        found.member_accuracies, (refits(GaussianNB(), subsets, X, y) == y).mean(axis=1)
    )


@pytest.mark.parametrize("evaluation", ["oof", "holdout", "loo"])
def test_fit_measures_the_same_accuracies(evaluation):
    found = committee("knn", n_folds=3).held_out_votes(X, y, evaluation)
    fitted = committee("knn", n_folds=3, evaluation=evaluation).fit(X, y)
    assert_array_equal(fitted.member_accuracies_, found.member_accuracies)
    assert found.judged.sum() == {"oof": 36, "holdout": 7, "loo": 36}[evaluation]


def test_averages_are_joined_by_score():
    weak = make_planted(36, 50, n_blocks=3, block_size=3, effect=0.5, random_state=0)
    model = committee(GaussianNB(), n_estimators=5)
    found = clone(model).set_params(integration="average").leave_one_out(weak.X, weak.y)
    subsets = clone(model).fit(weak.X, weak.y).subsets_
    Z, sums = naive_committee.scaled(weak.X), np.zeros((36, 2))
    for row in range(36):
        others = np.arange(36) != row
        for subset in subsets:
            member = GaussianNB().fit(Z[others][:, subset], weak.y[others])
            sums[row] += member.predict_proba(Z[[row]][:, subset])[0]
    assert_array_equal(found.predicted, sums.argmax(axis=1))
    assert (model.leave_one_out(weak.X, weak.y).predicted != found.predicted).any()


@pytest.mark.parametrize("kind", ["svm", DecisionTreeClassifier(max_features=2)])
def test_any_number_of_workers_gives_the_same_votes(kind):
    found = [committee(kind, n_jobs=n).held_out_votes(X, y, "oof") for n in (None, 2)]
    assert_array_equal(found[0].predicted, found[1].predicted)
    assert_array_equal(found[0].member_accuracies, found[1].member_accuracies)


def test_the_committee_itself_stays_as_it_is():
    model = committee()
    model.leave_one_out(X, y)
    assert not hasattr(model, "n_features_in_")
    model.fit(X[:, :20], y)
    model.leave_one_out(X, y)
    assert model.n_features_in_ == 20


def test_the_only_row_of_a_class_is_not_judged():
    labels = y.astype(object)
    labels[3] = "unknown"
    found = committee("ridge").leave_one_out(X, labels)
    assert_array_equal(np.flatnonzero(~found.judged), [3])
    assert found.shares[3].tolist() == [0, 0, 0]
    right = (found.predicted == labels)[found.judged]
    assert found.accuracy == right.mean()


def test_what_cannot_be_asked_gets_a_sentence():
    with pytest.raises(
        UsageError, match="integration is 'weighted', whose weights must be learned"
    ):
        committee(integration="weighted").leave_one_out(X, y)
    with pytest.raises(UsageError, match="Unknown integration 'veto'"):
        committee(integration="veto").leave_one_out(X, y)
    with pytest.raises(UsageError, match="evaluation is 'train'; choose one of oof, holdout, loo"):
        committee().held_out_votes(X, y, "train")
