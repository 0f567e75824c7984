"""How often features are chosen by chance, measured with shuffled labels."""

import json

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.feature_selection import SelectFdr, SelectKBest, f_classif
from sklearn.tree import DecisionTreeClassifier

from consilience import EnsembleSelector, SymmetricalUncertainty, evaluate_selection
from consilience.aggregation import AllMedoids
from consilience.evaluation.alternatives import evaluate_alternatives
from consilience.evaluation.chance import chance_level, shuffle_labels
from consilience.execution import Checkpoint


def ensemble(**settings):
    known = {"n_features_to_select": 5, "n_models": 30}
    return EnsembleSelector(
        SymmetricalUncertainty(discretize="equal_frequency"), **known | settings
    )


@pytest.fixture(scope="module")
def noise():
    rng = np.random.default_rng(0)
    return rng.normal(size=(60, 300)), np.tile(["a", "b"], 30)


@pytest.fixture(scope="module")
def signal(noise):
    X, y = noise
    return np.where(np.arange(300) < 5, X + 2.0 * (y == "a")[:, None], X), y


def holding(selector, X, y):
    """Shares of the panel chosen in half of the samples, and of these above chance."""
    chance = evaluate_selection(selector, X, y, n_splits=2, random_state=0).chance
    model = selector.set_params(random_state=0).fit(X, y)
    frequencies = model.frequencies_[model.get_support()]
    often = frequencies >= 0.5
    return often.mean(), (often & (frequencies > chance["frequency"])).mean()


@pytest.mark.parametrize(("share", "usual"), [(None, 0.15), (0.8, 0.4)])
def test_noise_is_often_chosen_but_seldom_more_often_than_by_chance(share, usual):
    y, shares = np.tile([0, 1], 30), []
    for seed in range(4):  # one set of noise alone may be unlucky
        X = np.random.default_rng(seed).normal(size=(60, 300))
        selector = EnsembleSelector(n_features_to_select=10, n_models=30, sample_share=share)
        shares.append(holding(selector, X, y))
    often, above = np.mean(shares, axis=0)
    assert often >= usual  # else the level would not be needed
    assert above <= 0.15


def test_a_planted_signal_is_above_chance(signal):
    assert holding(ensemble(), *signal) == (1.0, 1.0)


def test_the_level_says_what_it_rests_on(noise):
    found = evaluate_selection(ensemble(n_models=60), *noise, n_splits=2, random_state=0)
    assert found.chance == json.loads(json.dumps(found.to_dict()))["chance"]
    assert (found.chance["n_shuffles"], found.chance["n_models"]) == (10, 15)
    assert 0 < found.chance["frequency"] <= 1
    few = evaluate_selection(ensemble(n_models=4), *noise, n_splits=2, random_state=0)
    assert few.chance["n_models"] == 4


def test_it_is_the_quantile_over_all_shuffles():
    rng = np.random.default_rng(0)
    parts = [rng.random(size) for size in (20, 20, 7)]
    told = chance_level([{"frequencies": part, "n_models": np.array(50)} for part in parts])
    assert told["frequency"] == pytest.approx(np.quantile(np.concatenate(parts), 0.95), abs=1e-6)
    empty = chance_level([{"frequencies": np.empty(0), "n_models": np.array(50)}] * 3)
    assert empty["frequency"] == 0


def test_what_is_no_ensemble_has_no_level(noise):
    found = evaluate_selection(SelectKBest(f_classif, k=3), *noise, n_splits=2, random_state=0)
    assert found.chance is None
    assert found.to_dict()["chance"] is None


def test_a_selector_that_finds_nothing_in_noise_is_above_chance_with_all_it_finds(signal):

    X, y = signal
    selector = EnsembleSelector(SelectFdr(alpha=1e-4), n_features_to_select=5, n_models=6)
    found = evaluate_selection(selector, X + 2 * (y == "a")[:, None], y, n_splits=2, random_state=0)
    assert found.chance == {"n_shuffles": 10, "n_models": 6, "frequency": 0.0}


def test_several_panels_share_it(noise):
    selector = ensemble(aggregator=AllMedoids(n_panels=2), n_models=12)
    found = evaluate_alternatives(selector, *noise, n_splits=2, random_state=0)
    plain = evaluate_selection(selector, *noise, n_splits=2, random_state=0)
    assert found.evaluation.chance == plain.chance


def test_any_number_of_jobs_gives_the_same_level(noise):
    one, two = (
        evaluate_selection(ensemble(), *noise, n_splits=2, random_state=3, n_jobs=jobs).to_dict()
        for jobs in (1, 2)
    )
    assert one == two


def test_an_interrupted_shuffle_is_resumed(noise, tmp_path):
    settings = {"n_splits": 2, "random_state": 0, "classifier": DecisionTreeClassifier()}
    whole = evaluate_selection(ensemble(), *noise, **settings).to_dict()

    class Stop(Exception):
        pass

    class StopAfter:
        left = 3  # two folds and one shuffle

        def start(self, total, done=0):
            assert total == 2 + 10

        def advance(self, n=1):
            self.left -= n
            if not self.left:
                raise Stop

        def finish(self):
            pass

    kept = tmp_path / "run"
    with pytest.raises(Stop):
        evaluate_selection(ensemble(), *noise, checkpoint=kept, progress=StopAfter(), **settings)
    assert Checkpoint(kept, None).keys() == ["fold-0", "fold-1", "shuffle-0"]
    resumed = evaluate_selection(ensemble(), *noise, checkpoint=kept, **settings).to_dict()
    assert resumed == whole
    assert Checkpoint(kept, None).scope("shuffle-1").keys()


def test_groups_of_one_class_keep_one_class():
    groups = np.repeat(np.arange(30), [1, 2, 3] * 10)
    codes = groups % 3
    shuffled = shuffle_labels(codes, groups, np.random.default_rng(0))
    assert not np.array_equal(shuffled, codes)
    for group in range(30):
        assert np.unique(shuffled[groups == group]).size == 1
    _, first = np.unique(groups, return_index=True)
    assert_array_equal(np.bincount(shuffled[first]), np.bincount(codes[first]))


@pytest.mark.parametrize("groups", [None, np.repeat(np.arange(10), 3)])
def test_other_rows_are_shuffled_one_by_one(groups):
    codes = np.tile([0, 1, 1], 10)
    shuffled = shuffle_labels(codes, groups, np.random.default_rng(0))
    assert not np.array_equal(shuffled, codes)
    assert_array_equal(np.bincount(shuffled), np.bincount(codes))


def test_a_grouped_ensemble_is_shuffled_by_groups(noise):
    X, _ = noise
    groups = np.repeat(np.arange(20), 3)
    found = evaluate_selection(
        ensemble(n_models=6), X, groups % 2, groups=groups, n_splits=2, random_state=0
    )
    assert found.chance["n_models"] == 6
