"""Cases that once went wrong: stale checkpoints, foreign aggregators, nominal panels, weights."""

import math

import numpy as np
import pandas as pd
import pytest

from consilience import EnsembleSelector, InformationGain, SelectionResult, make_planted
from consilience.aggregation import BaseAggregator
from consilience.exceptions import CheckpointError, UsageError
from consilience.kernels.entropy import class_cost


class FirstModel(BaseAggregator):
    """An aggregator that no registry knows."""

    def _aggregate(self, models, m, rng):
        return [models.subsets[0][:m]]


@pytest.fixture(scope="module")
def planted():
    return make_planted(40, 60, n_blocks=3, block_size=4, random_state=0)


def ensemble(**options):
    given = {"n_features_to_select": 4, "n_models": 8, "random_state": 0} | options
    return EnsembleSelector(InformationGain(), **given)


def test_a_checkpoint_knows_which_rows_have_no_weight(planted, tmp_path):
    rows = np.flatnonzero(planted.y == 0)
    first, second = np.ones(40), np.ones(40)
    first[rows[:3]] = 0
    second[rows[3:6]] = 0
    ensemble(checkpoint=tmp_path / "run").fit(planted.X, planted.y, sample_weight=first)
    with pytest.raises(CheckpointError, match="data"):
        ensemble(checkpoint=tmp_path / "run").fit(planted.X, planted.y, sample_weight=second)


def test_a_checkpoint_without_a_seed_could_never_be_resumed(planted, tmp_path):
    with pytest.raises(UsageError, match="give random_state a number"):
        ensemble(checkpoint=tmp_path / "run", random_state=None).fit(planted.X, planted.y)
    assert not (tmp_path / "run").exists()


def test_an_aggregator_of_ones_own_can_be_saved_and_loaded(planted, tmp_path):
    result = ensemble(aggregator=FirstModel()).fit(planted.X, planted.y).result_
    assert [row["n_features"] for row in result.sizes()] == [4, 5, 10, 20, 30]
    result.save(tmp_path)
    loaded = SelectionResult.load(tmp_path)
    assert loaded.panels[0].tolist() == result.panels[0].tolist()
    assert loaded.sizes() == []  # the class is not known here any more


@pytest.mark.parametrize("weight", [1e6, 1e300])
def test_large_weights_are_relative_and_cost_nothing(planted, weight):
    heavy = ensemble().fit(planted.X, planted.y, sample_weight=np.full(40, weight))
    assert heavy.support_.sum() == 4


def test_a_nominal_feature_has_shares_and_no_mean():
    rng = np.random.default_rng(0)
    y = np.repeat(["a", "b"], 20)
    colour = np.where(y == "a", "red", np.where(np.arange(40) % 4 == 0, "red", "blue"))
    frame = pd.DataFrame({"colour": pd.Categorical(colour), "noise": rng.normal(size=40)})
    found = ensemble(n_features_to_select=2).fit(frame, y).result_
    found = found.described(categories={"colour": ["blue", "red"]})
    rows = {row["feature"]: row for row in found.to_dict()["panels"][0]["features"]}
    assert rows["colour"]["categories"] == ["blue", "red"]
    in_a, in_b = rows["colour"]["effects"]
    assert in_a["mean"] is in_a["sd"] is in_a["effect"] is None
    assert in_a["shares"] == [0.0, 1.0]
    assert in_b["shares"] == [0.75, 0.25]
    assert rows["noise"]["categories"] is rows["noise"]["effects"][0]["shares"] is None


def test_a_panel_of_another_size_has_a_figure_or_null_for_every_class(planted):
    larger = ensemble().fit(planted.X, planted.y).result_.at(20).to_dict()["panels"][0]
    assert {len(row["effects"]) for row in larger["features"]} == {2}
    assert any(row["effects"][0]["mean"] is None for row in larger["features"])


def test_settings_tell_whether_rows_were_weighted_or_grouped(planted):
    groups = np.arange(40) // 2
    plain = ensemble().fit(planted.X, planted.y).result_.settings
    grouped = ensemble().fit(planted.X, planted.y, groups=groups).result_.settings
    assert (plain["grouped"], grouped["grouped"], grouped["weighted"]) == (False, True, False)


def test_a_name_with_half_a_surrogate_pair_can_be_saved(planted, tmp_path):
    result = ensemble().fit(planted.X, planted.y).result_
    names = result.feature_names.copy()
    names[result.panels[0][0]] = "gene\ud800"
    result.described(feature_names=names).save(tmp_path)
    assert SelectionResult.load(tmp_path).panel.feature[0] == "gene\ud800"


@pytest.mark.parametrize("k", [1, 2, 3, 199, 200, 5000, 12000])
def test_naming_very_many_classes_costs_what_the_formula_says(k):
    assert class_cost(k) == pytest.approx(math.log2(3**k - 2), rel=1e-15)
