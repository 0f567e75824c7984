import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.feature_selection import SelectKBest

from consilience import ChiSquare, EnsembleSelector, InformationGain, RidgeRFE
from consilience.aggregation import AGGREGATORS
from consilience.cli.names import AGGREGATOR, SELECTOR
from consilience.evaluation.classifiers import make_judge
from consilience.evaluation.study import Study, base_selector, decisive, whole_seed
from consilience.exceptions import UsageError
from consilience.selectors import SELECTORS


def test_the_rival_of_an_ensemble_is_its_own_selector_with_its_own_size():
    ensemble = EnsembleSelector(n_features_to_select=7)
    base = base_selector(ensemble)
    assert type(base) is type(ensemble.base_selector())
    assert base.n_features_to_select == 7
    given = ChiSquare(n_features_to_select=3)
    assert base_selector(EnsembleSelector(given, n_features_to_select=7)).n_features_to_select == 7
    assert given.n_features_to_select == 3


def test_a_plain_selector_has_no_rival_inside():
    assert base_selector(InformationGain()) is None


def test_selectors_of_others_are_sized_by_their_own_word():
    assert base_selector(EnsembleSelector(SelectKBest(), n_features_to_select=4)).k == 4


def test_the_command_line_has_the_defaults_of_the_ensemble():
    ensemble = EnsembleSelector()
    assert SELECTORS.name_of(type(ensemble.base_selector())) == SELECTOR
    assert AGGREGATORS.name_of(type(ensemble.base_aggregator())) == AGGREGATOR


def test_something_that_selects_nothing_is_refused():
    with pytest.raises(UsageError, match="get_support"):
        base_selector("all of them")


@pytest.mark.parametrize("seed", [0, 2**32 - 1, np.int64(5)])
def test_a_whole_seed_stays_as_it_is(seed):
    assert whole_seed(seed) == seed
    assert isinstance(whole_seed(seed), int)


def test_a_generator_gives_a_seed_that_can_be_written_down():
    assert whole_seed(np.random.RandomState(3)) == whole_seed(np.random.RandomState(3))


@pytest.fixture(scope="module")
def study():
    rng = np.random.default_rng(0)
    y = np.repeat(["a", "b"], [9, 6])
    X = rng.normal(size=(15, 5)) + 2 * (y == "b")[:, None]
    return Study.from_data(InformationGain(), X, y, groups=None, n_splits=3, random_state=0)


def test_every_row_is_tested_once_by_a_fold_that_did_not_see_it(study):
    tested = np.sort(np.concatenate([fold.test for fold in study.folds]))
    assert_array_equal(tested, np.arange(15))
    for fold in study.folds:
        assert not set(fold.train) & set(fold.test)
        assert_array_equal(study.fold_of_row[fold.test], fold.number)


def test_the_order_of_a_panel_does_not_matter_and_an_empty_one_is_the_largest_class(study):
    judge, fold = make_judge("tree"), study.folds[0]
    one, other = (study.predict(judge, fold, np.array(panel)) for panel in ([0, 3], [3, 0]))
    assert_array_equal(one[0], other[0])
    predicted, scores = study.predict(judge, fold, np.array([], dtype=int))
    assert set(predicted) == {0}
    assert scores.shape == (fold.test.size, 2)


def test_functions_are_told_apart_by_what_they_do():
    def dropping(n):
        return lambda left: n

    steps = (lambda left: 1, lambda left: left, dropping(2), dropping(3))
    told = [decisive(RidgeRFE(step=step))["step"] for step in steps]
    assert len(set(told)) == 4
    assert decisive(RidgeRFE(step=dropping(3)))["step"] == told[3]
