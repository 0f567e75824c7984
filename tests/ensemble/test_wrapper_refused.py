"""Where a search ends: the step that was refused, and what a panel of one feature has at all."""

import numpy as np
import pytest

from consilience import BalancedWrapper, load_result, make_planted

MADE = make_planted(80, 10, n_blocks=1, class_balance=[4, 1], random_state=0)


def fitted(**options):
    settings = {"n_features_to_select": 4, "ensemble_size": 3, "choice": "plain"}
    return BalancedWrapper(**settings | {"random_state": 0} | options).fit(MADE.X, MADE.y)


@pytest.mark.parametrize("search", ["forward", "floating"])
def test_the_refused_step_is_kept_with_its_reason(search, tmp_path):
    wrapper = fitted(search=search, stop="permutation")
    refused = wrapper.refused_
    assert wrapper.n_features_ < 4
    assert refused["feature"] not in wrapper.selected_
    assert refused["p_value"] > wrapper.alpha
    assert refused["reference"] >= refused["fitness"]
    result = wrapper.result_
    told = result.to_dict()["search"]["refused"]
    assert (told["index"], told["feature"]) == (refused["feature"], f"x{refused['feature']}")
    names = np.array([f"gene {j}" for j in range(10)], dtype=object)
    result = result.described(feature_names=names)
    assert result.to_dict()["search"]["refused"]["feature"] == f"gene {refused['feature']}"
    result.save(tmp_path)
    assert load_result(tmp_path).to_dict() == result.to_dict()


def test_a_search_that_goes_on_refuses_nothing():
    wrapper = fitted()
    assert wrapper.refused_ is None
    assert wrapper.result_.to_dict()["search"]["refused"] is None


@pytest.mark.parametrize(("fitness", "blind"), [("auc", 0.5), ("average_precision", 0.2)])
def test_one_feature_is_worth_what_it_has_beyond_a_blind_order(fitness, blind):
    wrapper = fitted(n_features_to_select=1, fitness=fitness, choice="race")
    assert wrapper.contributions_[0, 0] == pytest.approx(wrapper.fitness_path_[0] - blind, abs=0.05)
