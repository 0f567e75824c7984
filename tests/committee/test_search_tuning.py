"""What searched committees choose by themselves: the weight of diversity, neighbours."""

import pickle
from copy import copy
from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.base import clone
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import BernoulliNB

from consilience import SequentialGeneticEnsembleClassifier
from consilience.committee import search_options, search_tuning
from consilience.committee.search_table import SearchTable
from consilience.exceptions import DataError, UsageError
from searched_committees import BRED, X, Y, assert_same, every_committee


def test_the_search_never_sees_the_rows_to_predict():
    shuffled = Y.copy()
    train, test = train_test_split(np.arange(80), random_state=0)
    shuffled[test] = np.random.default_rng(0).permutation(shuffled[test])
    one, two = (
        SequentialGeneticEnsembleClassifier(**BRED, alpha="auto", random_state=0).fit(
            X[train], labels[train]
        )
        for labels in (Y, shuffled)
    )
    assert_same(one, two)


@pytest.mark.parametrize("integration", ["dynamic_voting_selection", "weighted"])
def test_alpha_is_chosen_on_rows_set_aside(integration):
    committee = SequentialGeneticEnsembleClassifier(
        **BRED, alpha="auto", n_neighbors="auto", integration=integration, random_state=0
    )
    fitted = committee.fit(X, Y)
    tried = fitted.tuning_
    # Members of an inner split learn from 60 of the 80 rows, and have no more neighbours.
    sizes = [1, 3, 7, 15, 31] if "dynamic" in integration else [15]
    assert_array_equal(np.unique(tried["alpha"]), search_options.ALPHAS)
    assert_array_equal(np.unique(tried["n_neighbors"]), sizes)
    assert tried["accuracy"].size == 7 * len(sizes)
    best = tried["accuracy"] >= tried["accuracy"].max() - 1e-12
    assert fitted.alpha_ == tried["alpha"][best].min()
    if "dynamic" in integration:
        same = best & (tried["alpha"] == fitted.alpha_)
        assert fitted.n_neighbors_ == tried["n_neighbors"][same].max()
    given = clone(committee).set_params(alpha=fitted.alpha_, n_neighbors=fitted.n_neighbors_ or 15)
    assert_array_equal(given.fit(X, Y).masks_, fitted.masks_)
    assert_array_equal(given.predict_proba(X), fitted.predict_proba(X))
    two = clone(committee).set_params(n_jobs=2).fit(X, Y)
    assert_array_equal(two.tuning_["accuracy"], tried["accuracy"])
    assert_same(two, fitted)


@every_committee
def test_alpha_auto_works_for_every_committee_that_has_one(committee):
    if "alpha" not in committee.get_params():
        pytest.skip("this committee weighs nothing")
    committee = clone(committee).set_params(alpha="auto", n_estimators=2)
    fitted = committee.fit(X, Y)
    order = np.random.default_rng(0).permutation(20)
    turned = clone(committee).fit(X[:, order], Y)
    assert_array_equal(fitted.tuning_["accuracy"], turned.tuning_["accuracy"])
    assert_array_equal(fitted.masks_[:, order], turned.masks_)


def test_neighbours_alone_are_chosen_by_leaving_each_row_out():
    committee = SequentialGeneticEnsembleClassifier(**BRED, n_neighbors="auto", random_state=0)
    fitted = committee.fit(X, Y)
    tried = fitted.tuning_
    assert (tried["alpha"] == 1.0).all()
    assert_array_equal(tried["n_neighbors"], [1, 3, 7, 15, 31, 63])
    best = tried["accuracy"] == tried["accuracy"].max()
    assert fitted.n_neighbors_ == tried["n_neighbors"][best].max()
    # A rule that looks at no neighbours leaves the choice open until one does.
    other = clone(committee).set_params(integration="vote").fit(X, Y)
    assert other.n_neighbors_ is None
    assert other.tuning_ is None


def test_errors_are_learned_when_a_dynamic_rule_asks():
    fitted = SequentialGeneticEnsembleClassifier(**BRED, integration="vote", random_state=0)
    fitted.fit(X, Y)
    lost = pickle.loads(pickle.dumps(fitted))
    expected = clone(fitted).set_params(integration="dynamic_voting").fit(X, Y)
    assert_array_equal(fitted.integrated(X)["dynamic_voting"], expected.predict(X))
    assert_array_equal(lost.integrated(X, ["vote", "static"])["vote"], fitted.predict(X))
    with pytest.raises(UsageError, match="not learned for that rule before the committee was pic"):
        lost.integrated(X)


DYNAMIC = ("dynamic_selection", "dynamic_voting", "dynamic_voting_selection")


def test_every_rule_has_neighbours_of_its_own_whatever_was_asked_before():
    rng = np.random.default_rng(6)
    y = rng.integers(0, 3, 90)
    made = rng.normal(size=(90, 6)) + np.where(rng.random((90, 6)) < 0.5, y[:, None], 0)
    committee = SequentialGeneticEnsembleClassifier(**BRED, n_neighbors="auto", random_state=0)
    alone, chosen = {}, {}
    for rule in DYNAMIC:
        fitted = clone(committee).set_params(integration=rule).fit(made, y)
        alone[rule], chosen[rule] = fitted.predict_proba(made), fitted.n_neighbors_
    assert len(set(chosen.values())) > 1  # else nothing is shown here
    assert set(chosen.values()) != {15}
    for first in ("vote", *DYNAMIC):
        fitted = clone(committee).set_params(integration=first).fit(made, y)
        assert fitted.n_neighbors_ == chosen.get(first)
        found = fitted.integrated(made)
        assert fitted.n_neighbors_ == chosen.get(first)  # others are asked, and none adopted
        for rule in DYNAMIC[::-1]:
            assert_array_equal(found[rule], alone[rule].argmax(axis=1))
            turned = fitted.set_params(integration=rule)
            assert_array_equal(turned.predict_proba(made), alone[rule])
            assert turned.n_neighbors_ == chosen[rule]
            assert_array_equal(list(turned.staged_predict_proba(made))[-1], alone[rule])


def test_no_more_neighbours_are_chosen_than_there_are_rows():
    committee = SequentialGeneticEnsembleClassifier(
        **BRED, alpha="auto", n_neighbors="auto", random_state=0
    )
    for refit, most in ((True, 15), (False, 7)):
        fitted = clone(committee).set_params(refit=refit).fit(X[:24], Y[:24])
        assert fitted.tuning_["n_neighbors"].max() == most
        assert fitted.n_neighbors_ <= most


@pytest.mark.parametrize("refit", [True, False])
@pytest.mark.parametrize("integration", ["vote", "dynamic_voting_selection"])
def test_nobody_learns_from_the_rows_that_choose_alpha(integration, refit):
    committee = SequentialGeneticEnsembleClassifier(
        **BRED, integration=integration, refit=refit, n_candidates=5, random_state=0
    )
    table = SearchTable.of(X, Y, 2, np.zeros(20, dtype=bool))
    plain = search_tuning._Split(committee, table, np.random.SeedSequence(0))
    labels = Y.copy()
    labels[plain.tuning] = 1 - labels[plain.tuning]
    turned, changed = copy(plain), replace(table, y=labels)
    rows = plain.problem.fit_rows, plain.problem.validation_rows
    turned.table, turned.problem = changed, committee._problem(changed, *rows, plain.searched, None)
    assert not np.intersect1d(plain.tuning, plain.rest).size
    right, wrong = (
        search_tuning._try(committee, [split], [7], (1.0, 0))["accuracies"][0]
        for split in (plain, turned)
    )
    assert right > 0.5
    assert right + wrong == pytest.approx(1)  # the same answers, beside labels turned around


def test_too_few_rows_to_choose_alpha_are_told():
    committee = SequentialGeneticEnsembleClassifier(**BRED, alpha="auto", random_state=0)
    with pytest.raises(DataError, match="No class has a second row"):
        committee.fit(X[:4], [0, 0, 1, 1])


def test_what_a_classifier_said_of_a_subset_is_asked_once_for_all_weights():
    class Counted(BernoulliNB):
        n_fits = 0

        def fit(self, *given, **named):
            Counted.n_fits += 1
            return super().fit(*given, **named)

    committee = SequentialGeneticEnsembleClassifier(
        Counted(), n_estimators=1, population=4, n_crossover=4, n_mutation=1, n_generations=2,
        alpha="auto", integration="vote", random_state=0,
    )  # fmt: skip
    committee.fit(X, Y)
    # One process goes by accuracy alone: the same subsets for each of seven weights.
    assert Counted.n_fits <= 3 * (4 + 2 * 6 + 7) + (4 + 2 * 6) + 1
