"""All rules of a committee of random subspaces from one fit, learned when they are asked for."""

import pickle

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from consilience import RandomSubspaceClassifier, make_planted
from consilience.committee.base import INTEGRATIONS
from consilience.committee.local_competence import LocalCompetence
from consilience.exceptions import UsageError
from consilience.integration import DYNAMIC

PLANTED = make_planted(60, 40, n_blocks=4, block_size=3, effect=1.0, random_state=0)
TRAIN, TEST = np.arange(0, 60, 2), np.arange(1, 60, 2)
X, y = PLANTED.X[TRAIN], np.array(["ill", "well"])[PLANTED.y[TRAIN]]
NEW = PLANTED.X[TEST]


def committee(estimator="ridge", **options):
    given = {"n_estimators": 8, "subspace_size": 4, "n_neighbors": 5, "random_state": 0}
    return RandomSubspaceClassifier(estimator, **given | options)


@pytest.mark.parametrize("estimator", ["ridge", "bayes"])
@pytest.mark.parametrize("fitted_by", ["vote", "static", "dynamic_voting"])
def test_each_rule_says_what_a_committee_of_that_rule_predicts(estimator, fitted_by):
    fitted = committee(estimator, integration=fitted_by).fit(X, y)
    before = fitted.member_accuracies_, fitted.n_neighbors_
    said = fitted.integrated(NEW)
    assert list(said) == list(INTEGRATIONS)
    for rule, labels in said.items():
        other = committee(estimator, integration=rule).fit(X, y)
        assert_array_equal(labels, other.predict(NEW), err_msg=rule)
    assert len({tuple(labels) for labels in said.values()}) > 2
    assert (fitted.member_accuracies_, fitted.n_neighbors_) == before  # what fit has learned
    assert_array_equal(fitted.predict(NEW), said[fitted_by])


def test_the_rule_can_be_changed_after_the_fit():
    fitted = committee().fit(X, y)
    for rule in INTEGRATIONS:
        expected = committee(integration=rule).fit(X, y).predict_proba(NEW)
        assert_array_equal(fitted.set_params(integration=rule).predict_proba(NEW), expected)


def test_some_rules_in_blocks(monkeypatch):
    fitted = committee().fit(X, y)
    rules = ["dynamic_selection", "average"]
    expected = fitted.integrated(NEW, rules)
    assert list(expected) == rules
    monkeypatch.setattr("consilience.committee.members.BLOCK_CELLS", 200)
    for rule, labels in fitted.integrated(NEW, rules).items():
        assert_array_equal(labels, expected[rule])


def test_a_vote_holds_nothing_out(monkeypatch):
    fitted = committee().fit(X, y)
    monkeypatch.setattr(RandomSubspaceClassifier, "_ask", None)
    assert list(fitted.integrated(NEW, ["vote", "average"])) == ["vote", "average"]
    with pytest.raises(TypeError):
        fitted.integrated(NEW, ["weighted"])


def test_auto_chooses_for_each_rule_whatever_was_asked_before():
    sizes = {}
    for rule in DYNAMIC:
        fitted = committee(integration=rule, n_neighbors="auto", random_state=4).fit(X, y)
        sizes[rule] = fitted.n_neighbors_
        said = fitted.integrated(NEW)
        for other in DYNAMIC:
            alone = committee(integration=other, n_neighbors="auto", random_state=4).fit(X, y)
            assert_array_equal(said[other], alone.predict(NEW))
    assert len(set(sizes.values())) == 3  # or nothing is shown
    by_vote = committee(n_neighbors="auto", random_state=4).fit(X, y)
    by_vote.integrated(NEW)
    assert {rule: by_vote._size(rule) for rule in DYNAMIC} == sizes
    learned = LocalCompetence.of(X, *held_out(by_vote), n_neighbors="auto", rule=DYNAMIC[0],
                                 priors=by_vote.class_prior_)  # fmt: skip
    assert learned.n_neighbors == sizes[DYNAMIC[0]]


def held_out(fitted):
    return fitted._held[0], np.searchsorted(fitted.classes_, y)


def test_pickled_committees_know_what_was_learned():
    fitted = committee().fit(X, y)
    again = pickle.loads(pickle.dumps(fitted))
    assert_array_equal(again.integrated(NEW, ["vote"])["vote"], fitted.predict(NEW))
    for rule in ("weighted", "dynamic_voting"):
        with pytest.raises(UsageError, match="not learned before the committee was pickled; fit"):
            again.integrated(NEW, [rule])
    known = committee(integration="dynamic_voting").fit(X, y)
    again = pickle.loads(pickle.dumps(known))
    for rule, labels in known.integrated(NEW).items():
        assert_array_equal(again.integrated(NEW, [rule])[rule], labels)


def test_what_cannot_be_is_said():
    with pytest.raises(UsageError, match="Unknown integration 'veto'; known are vote, average"):
        committee().fit(X, y).integrated(NEW, ["veto"])
    with pytest.raises(
        UsageError, match=r"rules is 'vote'; give a list of rules, such as \['vote'"
    ):
        committee().fit(X, y).integrated(NEW, "vote")
    weighted = committee().fit(X, y, sample_weight=np.full(30, 2.0))
    assert list(weighted.integrated(NEW, ["vote"])) == ["vote"]
    with pytest.raises(UsageError, match="accuracies of members know no sample weights"):
        weighted.integrated(NEW, ["static"])
