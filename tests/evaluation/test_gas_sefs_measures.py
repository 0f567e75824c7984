"""Alpha and k chosen in three ways, and verdicts from runs made by hand."""

import numpy as np
import pytest
from scipy import stats

from consilience.evaluation.reproduce import gas_sefs, gas_sefs_tables
from consilience.evaluation.reproduce.gas_sefs_figures import DS, DV, DVS, GA, GAS, SHOWN, SS, WV
from consilience.evaluation.reproduce.gas_sefs_measures import (
    ALPHAS,
    ARRAYS,
    CHOICES,
    NEIGHBOURS,
    RULES,
    SIZES,
    Runs,
    choice_weights,
    choose,
    welch_interval,
)
from consilience.evaluation.reproduce.verdicts import (
    FAILS,
    HOLDS,
    OPEN,
    mean_interval,
    resampled_interval,
    resampled_positive,
)

N_RUNS = 6


def make_runs(seed=0, n_features=5, noise=0.0):
    """Runs in which nothing differs but for noise; tests plant what they want to find."""
    rng = np.random.default_rng(seed)
    arrays = {
        name: 0.7 + noise * rng.standard_normal((N_RUNS, *shape)) for name, shape in ARRAYS.items()
    }
    arrays["evaluated"][:] = [410, 4100]
    return Runs(n_features, arrays)


def make_found(plant, noise=0.001):
    """Eight sets of either group, one of them tic-tac-toe; `plant` changes the arrays."""
    found = {}
    for k, name in enumerate(["a", "b", "c", "d", "e", "f", "g", SHOWN]):
        runs = make_runs(k, 5 if k < 4 else 9, noise)
        plant(runs.arrays)
        found[name] = runs
    return found


def verdict(found, words, by="validation"):
    told = [s for s in gas_sefs.statements(found, by) if words in s.published]
    assert len(told) == 1, words
    return told[0].verdict


def test_the_best_alpha_and_k_are_chosen_for_each_rule_and_size():
    runs = make_runs()
    runs.arrays["validation"][:, GAS, 0, 2, DVS, 3, 4] = 0.9
    runs.arrays["validation"][:, GA, 1, 0, DS, 6, 0] = 0.9
    runs.arrays["test"][:, GAS, 0, 2, DVS, 3, 4] = 0.8
    runs.arrays["features"][:, GAS, 0, 2, 3] = 0.25
    runs.arrays["members"][:, GAS, 0, 2, 3] = [0.9, 0.6]
    chosen = choose(runs)
    at = GAS, 0, 2, DVS
    assert chosen.alpha[at] == ALPHAS[3]
    assert chosen.k[at] == NEIGHBOURS[4]
    assert chosen.steps[at] == pytest.approx(5)
    assert chosen.accuracy[:, *at] == pytest.approx(0.8)
    assert chosen.features[at] == pytest.approx(0.25)
    assert chosen.excess[at] == pytest.approx(0.3)
    assert (chosen.alpha[GA, 1, 0, DS], chosen.k[GA, 1, 0, DS]) == (ALPHAS[6], 1)
    # Where all are alike, all count alike.
    assert chosen.alpha[GA, 0, 0, DV] == pytest.approx(np.mean(ALPHAS))
    assert chosen.k[GA, 0, 0, DV] == pytest.approx(np.mean(NEIGHBOURS))


def test_early_generations_have_the_alpha_and_k_of_the_last():
    runs = make_runs()
    runs.arrays["validation"][:, GAS, 0, -1, DVS, 3, 4] = 0.9
    runs.arrays["early"][:, GAS, 1, DVS, 3, 4] = 0.5
    runs.arrays["early"][:, GAS, 1, DVS, 2, 4] = 0.1  # not chosen
    early = choose(runs).early
    assert early[:, GAS, 1, DVS] == pytest.approx(0.5)
    assert early[:, GAS, 2, DVS] == pytest.approx(0.7)


def test_choices_see_no_more_than_they_should():
    held = make_runs(1, noise=0.1).arrays
    other = make_runs(2, noise=0.1).arrays
    for by in ("validation", "own"):  # test rows choose nothing
        changed = held | {"test": other["test"]}
        assert (choice_weights(held, by) == choice_weights(changed, by)).all()
    # A run of its own sees its own validation rows only.
    mixed = {name: np.concatenate([held[name][:1], other[name][1:]]) for name in held}
    assert (choice_weights(held, "own")[0] == choice_weights(mixed, "own")[0]).all()
    assert (choice_weights(held, "validation")[0] != choice_weights(mixed, "validation")[0]).any()
    # Preliminary runs are others: what a run's own half says does not matter.
    half = np.arange(N_RUNS) % 2 == 0
    mixed = held | {"test": np.where(half[:, None, None, None, None, None, None], other["test"],
                                     held["test"])}  # fmt: skip
    same = choice_weights(held, "preliminary") == choice_weights(mixed, "preliminary")
    assert same[half].all()
    assert not same[~half].all()


def test_weights_are_shares():
    held = make_runs(3, noise=0.1).arrays
    held["validation"] = held["validation"].round(1)  # many are equal
    for by in CHOICES:
        weights = choice_weights(held, by)
        assert weights.shape == held["test"].shape
        assert weights.sum(axis=(-2, -1)) == pytest.approx(1)
    one = {name: array[:1] for name, array in held.items()}
    assert choice_weights(one, "preliminary").shape[0] == 1


def test_intervals_agree_with_others():
    rng = np.random.default_rng(0)
    first, second = rng.normal(1, 2, 9), rng.normal(0, 1, 6)
    ends = stats.ttest_ind(first, second, equal_var=False).confidence_interval(0.95)
    assert welch_interval(first, second)[1:] == pytest.approx(list(ends))
    assert resampled_interval(first, ratio=0) == pytest.approx(mean_interval(first))
    _, low, high = mean_interval(first)
    _, lower, higher = resampled_interval(first)
    assert (higher - lower) / (high - low) == pytest.approx((1 + 9 / 4) ** 0.5)
    assert resampled_interval([1.0])[1:] == (-np.inf, np.inf)
    assert np.isnan(welch_interval([1.0], [2.0, 3.0])[0])
    assert welch_interval([1.0, 1.0], [0.5, 0.5]) == (0.5, 0.5, 0.5)
    assert resampled_positive([1, 1.1, 0.9], [-1, -1.1, -0.9]) == FAILS


def test_without_differences_nothing_is_decided_but_cost_and_sameness():
    found = make_found(lambda held: None, noise=0.0)
    verdicts = {s.published: s.verdict for s in gas_sefs.statements(found)}
    sure = [words for words, told in verdicts.items() if told != OPEN]
    assert len(sure) == 5
    for words in (
        "nearly the same",
        "with the strategy",
        "much with the ensemble size",
        "look at about",
    ):
        assert verdict(found, words) == HOLDS
    assert verdict(found, "some data sets DV is better") == FAILS


def test_a_planted_lead_of_gas_sefs_is_seen_and_its_opposite_refuted():
    words = "more accurate than GA on sets of 9 features or more"

    def ahead(held):
        held["test"][:, GAS, :, :, DVS] += 0.05

    assert verdict(make_found(ahead), words) == HOLDS

    def behind_once(held):
        held["test"][:, GAS, :, :, DVS] += 0.05
        held["test"][:, GAS, :, 1, DVS] -= 0.1  # at one of four sizes

    assert verdict(make_found(behind_once), words) == FAILS
    found = make_found(lambda held: None)
    for runs in found.values():
        runs.arrays["test"][:, GAS, :, :, DVS] += 0.05 * (runs.group == 2)
    assert verdict(found, "lead of GAS-SEFS is larger on sets of 9") == HOLDS
    assert verdict(found, "on sets of fewer than 9 features") in (OPEN, FAILS)


def test_growth_and_its_flattening():
    def grow(held):
        held["test"] += np.array([0, 0.04, 0.05, 0.055])[:, None, None, None]

    found = make_found(grow)
    assert verdict(found, "accuracy grows with the ensemble size, for both") == HOLDS
    assert verdict(found, "growth flattens") == HOLDS

    def shrink(held):
        held["test"] -= np.array([0, 0.0, 0.0, 0.06])[:, None, None, None]

    assert verdict(make_found(shrink), "accuracy grows with the ensemble size, for both") == FAILS


def test_rules_are_compared():
    def plant(held):
        held["test"][:, :, :, :, DVS] += 0.06
        held["test"][:, :, :, :, DS] += 0.05

    found = make_found(plant)
    assert verdict(found, "DVS is the best of the five") == HOLDS
    assert verdict(found, "better than static on the other sets") == HOLDS
    assert verdict(found, "On tic-tac-toe dynamic integration") == HOLDS
    assert verdict(found, "On tic-tac-toe DS and DVS are the best") == HOLDS
    assert verdict(found, "some data sets DV is better") == FAILS
    found["a"].arrays["test"][..., DV, :, :] += 0.2
    assert verdict(found, "some data sets DV is better") == HOLDS
    assert RULES[DV] == "DV"


def test_figure_3_on_growth_and_gap():
    def plant(held):
        held["test"][:, :, :, -1, [DS, DVS]] += 0.05
        held["test"][:, GAS][:, :, :, [DS, DVS]] += 0.0
        held["test"][:, GAS, :, :, DS] += 0.05
        held["test"][:, GAS, :, :, DVS] += 0.05

    found = make_found(plant)
    assert verdict(found, "On tic-tac-toe accuracy grows") == HOLDS
    assert verdict(found, "this growth is greater") == HOLDS
    assert verdict(found, "On tic-tac-toe GAS-SEFS is more accurate") == HOLDS
    assert verdict(found, "lead of GAS-SEFS is clearer for DS") == HOLDS
    del found[SHOWN]
    assert verdict(found, "On tic-tac-toe GAS-SEFS is more accurate") == OPEN


def test_diversities_are_compared():
    def worse(held):
        held["test"][:, :, 1] -= 0.05

    assert verdict(make_found(worse), "two diversities") == FAILS
    assert verdict(make_found(worse), "Disagreement is slightly better") == HOLDS

    def nearly(held):
        held["test"][:, :, 1] -= 0.004

    assert verdict(make_found(nearly), "two diversities") == HOLDS


def test_alpha_and_k_are_compared():
    def plant(held):
        for rule, alpha, k in ((SS, 1, 3), (WV, 1, 3), (DS, 4, 5), (DVS, 4, 4), (DV, 4, 2)):
            held["validation"][:, GA, :, :, rule, alpha, k] += 0.1
            held["validation"][:, GAS, :, :, rule, alpha + 1, k] += 0.1

    found = make_found(plant)
    assert verdict(found, "alpha is bigger for dynamic") == HOLDS
    assert verdict(found, "slightly higher alpha") == HOLDS
    assert verdict(found, "chosen k is highest for DS") == HOLDS
    assert verdict(found, "does not change much with the strategy") == HOLDS
    for runs in found.values():
        runs.arrays["validation"][:, GAS, :, :, :, :, 6] += 0.3
    assert verdict(found, "does not change much with the strategy") == FAILS


def test_features_generations_and_overfitting():
    def plant(held):
        held["features"] -= np.array([0, 0.02, 0.05, 0.1])[:, None]
        held["features"][:, GAS, :, -1] -= 0.1
        held["members"][:, GA] += [0.02, 0.0]
        held["members"][:, GAS] += [0.05, 0.0]
        held["early"][:, :, 2, [SS, WV, DS]] += 0.02
        held["early"][:, :, 3, [DV, DVS]] += 0.02

    found = make_found(plant)
    assert verdict(found, "number of selected features falls") == HOLDS
    assert verdict(found, "falls more clearly") == HOLDS
    assert verdict(found, "slightly smaller subsets") == HOLDS
    assert verdict(found, "members of GAS-SEFS are overfitted") == HOLDS
    assert verdict(found, "overfit the validation rows after 5") == HOLDS
    assert verdict(found, "With DV and DVS accuracy grows up") == HOLDS


def test_static_integration_may_need_more_features():
    def plant(held):
        held["features"][..., 1] += 0.2
        held["validation"][:, :, :, :, [SS, WV], 1] += 0.1
        held["validation"][:, :, :, :, [DS, DV, DVS], 4] += 0.1

    assert verdict(make_found(plant), "Static integration needs more features") == HOLDS


def test_cost():
    def plant(held):
        held["seconds"][:] = [0.01, 0.08]

    found = make_found(plant)
    assert verdict(found, "takes significantly more time") == HOLDS
    assert verdict(found, "about 400 and 4,000 subsets") == HOLDS


def test_a_group_without_sets_is_not_decided():
    found = {"a": make_runs(0, 5, 0.01), "b": make_runs(1, 5, 0.01)}
    assert verdict(found, "9 features or more, at all four") == OPEN
    assert verdict(found, "lead of GAS-SEFS is larger") == OPEN


@pytest.mark.parametrize("by", list(CHOICES))
def test_other_choices_have_the_statements_that_hang_on_them(by):
    told = gas_sefs.statements(make_found(lambda held: None), by)
    assert len(told) == (30 if by == gas_sefs.PAPER_CHOICE else 28)
    assert all(s.measured and s.verdict in (HOLDS, FAILS, OPEN) for s in told)


def test_tables_show_the_figures():
    def plant(held):
        held["test"][:, GAS] += 0.1

    found = make_found(plant, noise=0.0)
    document = gas_sefs_tables.figures(found) | {"otherwise": {}}
    lines = gas_sefs_tables.table_lines(document)
    assert "| validation | 1 | 4 | GA | 70.0 | 70.0 | 70.0 | 70.0 |" in lines
    assert "| own | 2 | 4 | GAS-SEFS | 80.0 | 80.0 | 80.0 | 80.0 |" in lines
    assert f"| {SHOWN} | 2 | {N_RUNS} | 70.0 | 70.0 | 80.0 | 70.0 | 80.0 | 70.0 | 80.0 |" in lines
    assert f"| DVS {'| 70.0 ' * 4}{'| 80.0 ' * 4}|" in lines
    assert document["chosen"]["own"]["a"]["accuracy"][GAS][0][DVS] == pytest.approx(0.8)
    assert len(document["chosen"]["own"]["a"]["accuracy"][GAS]) == len(SIZES)
