"""The page of a wrapper: the right words for every setting, and a whole page in every case."""

import json

import numpy as np
import pytest

from consilience import BalancedWrapper, load_result, write_report
from consilience.report import render as rendering
from consilience.report.answer import answer
from consilience.report.figures import figures
from consilience.report.render import render
from consilience.report.repeat import repeat
from consilience.report.summary import summarise
from consilience.report.wrapper_words import stopped
from report.real import EVIL, wrapper_result
from report.test_render import Page

CASES = {
    "forward": {},
    "permutation": {"stop": "permutation"},
    "backward": {"search": "backward", "stop": "one_se"},
    "backward to a size": {"search": "backward", "evaluated": False},
    "floating": {"search": "floating", "stop": "permutation"},
    "genetic": {"search": "genetic", "stop": "one_se"},
    "one genetic search": {"search": "genetic", "evaluated": False},
    "swarm": {"search": "swarm"},
    "average precision": {"fitness": "average_precision"},
    "each class": {"n_classes": 3, "multiclass": "ovr"},
    "each class by precision": {
        "n_classes": 3,
        "multiclass": "ovr",
        "fitness": "average_precision",
    },
    "smallest of three": {"n_classes": 3},
    "not evaluated": {"evaluated": False},
    "a single wrapper": {"balance": False, "ensemble_size": 1, "evaluated": False},
    "weights": {"balance": "cost", "evaluated": False},
    "one feature": {"n_features_to_select": 1, "evaluated": False},
}


@pytest.fixture(autouse=True)
def light(monkeypatch):
    """Leave plotly out, which none of these tests needs to read."""
    monkeypatch.setattr(rendering, "_plotly", lambda: "// plotly")


def page_of(**options):
    return Page(render(summarise(wrapper_result(**options)))).text


@pytest.mark.parametrize("options", CASES.values(), ids=CASES)
def test_every_case_gives_a_whole_page(options):
    summary = summarise(wrapper_result(**options))
    assert json.loads(json.dumps(summary, allow_nan=False)) == summary
    page = Page(render(summary))
    assert page.open == []
    assert len(page.ids) == len(set(page.ids))
    links = [a["href"] for tag, a in page.elements if tag == "a"]
    assert {link[1:] for link in links} <= set(page.ids)
    for section in ("panel", "rare", "path", "brought", "values", "searched", "time"):
        assert section in page.ids
    assert ("single" in page.ids) == options.get("evaluated", True)
    placed = {a["data-figure"] for _, a in page.elements if "data-figure" in a}
    assert placed == set(figures(summary))
    for word in ("None", "nan", "undefined", "one selection", "resampl"):
        assert word not in page.text.replace("None.", "")


def test_the_summary_agrees_with_its_result(tmp_path):
    result = wrapper_result(stop="permutation")
    summary = summarise(result)
    text = Page(render(summary)).text
    for feature in result.panel.feature:
        assert feature in text
    path = summary["path"]
    assert path["chosen"] == len(result.panels[0])
    assert [point["fitness"] for point in path["line"]] == result.path.fitness.tolist()
    assert path["at_chosen"] == result.path.fitness[path["chosen"] - 1]
    rows = result.evaluation["by_size"]["rows"]
    assert path["honest"][0]["value"] == rows[0]["ensemble"]["value"]
    assert [p["size"] for p in path["single"]] == [row["size"] for row in rows]
    for told, index in zip(summary["panel"], result.panels[0], strict=True):
        assert told["loss_estimate"]["value"] == result.losses[index]
        assert told["missed"] == (result.loss_low[index] > 0)
    assert summary["single"]["wins"] == result.evaluation["by_size"]["wins"]
    result.save(tmp_path)
    assert json.dumps(summarise(load_result(tmp_path))) == json.dumps(summary)


def test_the_figure_of_the_path_has_all_that_it_promises():
    summary = summarise(wrapper_result(stop="permutation"))
    spec = figures(summary)["path"]
    names = [trace.get("name") for trace in spec["data"]]
    for name in ("refused", "best of shuffled candidates", "ensemble wrapper, unseen rows"):
        assert name in names
    assert "fitness in the search, flattered" in names
    assert "single wrapper, unseen rows" in names
    shuffled = spec["data"][names.index("best of shuffled candidates")]
    assert shuffled["x"][-1] == summary["path"]["chosen"] + 1  # that of the refused step
    honest = spec["data"][names.index("ensemble wrapper, unseen rows")]
    assert max(honest["error_y"]["array"]) > 0
    stripe = spec["layout"]["shapes"][0]
    assert stripe["x0"] < summary["path"]["chosen"] < stripe["x1"]
    assert "on unseen rows with" in spec["alt"]
    lone = figures(summarise(wrapper_result(search="swarm")))["path"]
    assert lone["data"][-1]["error_y"]["array"][0] > 0  # one size has no band
    assert len(lone["data"]) == 3
    assert "path" not in figures(summarise(wrapper_result(search="genetic", evaluated=False)))
    assert "The fitness of this subset is 0." in page_of(search="genetic", evaluated=False)


def test_a_size_that_was_met_again_is_shown_once():
    summary = summarise(wrapper_result(search="floating", stop="permutation"))
    sizes = [point["size"] for point in summary["path"]["line"]]
    assert sizes == sorted(set(sizes))
    for point in summary["path"]["line"]:
        of_size = [s["fitness"] for s in summary["path"]["steps"] if s["size"] == point["size"]]
        assert point["fitness"] == max(of_size)


@pytest.mark.parametrize(
    ("options", "said", "never"),
    [
        (
            {},
            [
                "that a forward search took to find class ill (18 samples) are",
                "an ensemble of 3 small trees, each on another balanced sample",
                "The size, 4, was given.",
                "half as many synthetic ones (SMOTE)",
                "In the order in which the search took them.",
            ],
            ["refused", "Shuffled", "one standard error", "drops"],
        ),
        (
            {"stop": "permutation"},
            ["The search ended after", "shuffled candidates reach as much", "Shuffled candidates"],
            ["was given", "one standard error of"],
        ),
        (
            {"search": "backward", "stop": "one_se"},
            [
                "drops the feature that is missed least",
                "within one standard error of the fittest",
                "The feature that would have gone last comes first.",
                "The search goes from the right to the left.",
                "all candidates",
                "drops features and adds none",
            ],
            ["Gain:", "Alone", "adds the best feature"],
        ),
        (
            {"search": "genetic", "stop": "one_se"},
            [
                "breeds subsets of a fixed size",
                "In the order of chi-square: the search takes a subset as a whole.",
                "2 generations of 6",
            ],
            ["Gain:", "Alone", "step by step", "best alone"],
        ),
        (
            {"search": "swarm"},
            ["a particle swarm took", "--stop one-se searches for every size"],
            ["Gain:", "genetic"],
        ),
        (
            {"fitness": "average_precision"},
            ["The average precision of such panels there is", "All in average precision."],
            ["by the area under the ROC curve on rows held out", "All in AUC."],
        ),
        (
            {"n_classes": 3, "multiclass": "ovr"},
            [
                "to tell each of 3 classes from the others",
                "area under the ROC curve averaged over the classes",
                "has a balanced accuracy of",
                "guessing gives 0.33",
                "each class in turn from all others",
            ],
            ["to find class", "Class odd has", "Precision over recall."],
        ),
        (
            {"n_classes": 3},
            [
                "to find class odd (20 samples)",
                "All classes but odd were one, as they are to the search.",
                "all other classes together",
                "as all others",
                "guessing gives 0.50",
            ],
            ["to find class well", "curve, averaged over the classes"],
        ),
        (
            {"evaluated": False},
            [
                "No accuracy on unseen rows was measured in this run.",
                "an honest figure was not measured in this run",
                "was not measured in this run.",
            ],
            ["Diamonds", "Training sets", "Against the single wrapper"],
        ),
        (
            {"balance": False, "ensemble_size": 1, "evaluated": False},
            ["judged by one small tree, by the area", "learned from all rows as they are; then it"],
            ["ensemble", "SMOTE", "another sample"],
        ),
        (
            {"balance": "cost", "evaluated": False},
            ["all rows, weighted so that both sides count the same"],
            ["an ensemble of", "SMOTE"],
        ),
    ],
)
def test_the_words_are_right_for_the_setting(options, said, never):
    text = page_of(**options)
    for words in said:
        assert words in text, words
    for words in never:
        assert words not in text, words


def test_noise_is_called_noise():
    found = answer(wrapper_result(noise=True, stop="permutation", choice="race").to_dict())
    assert found["verdict"] in ("noise", "nothing", "unclear")
    first = wrapper_result(noise=True, stop="permutation", choice="race").path.p_value[0]
    said = any("Not even the first feature" in caution for caution in found["cautions"])
    assert said == (first > 0.1)


def test_a_first_feature_no_better_than_shuffled_ones_comes_first():
    document = wrapper_result(stop="permutation").to_dict()
    document["path"][0] |= {"p_value": 0.5, "reference": 0.95}
    found = answer(document)
    assert found["cautions"][0].startswith("Not even the first feature, ")
    assert found["cautions"][0].endswith("this may be only noise.")
    usual = answer(wrapper_result(stop="permutation").to_dict())["cautions"]
    assert not any("Not even" in caution for caution in usual)


def judged(level, *, n_minority=30, rival=0.4, stop="permutation"):
    """An answer for a panel with figures that are above guessing so far, beside rivals."""
    document = wrapper_result(stop=stop).to_dict()
    document["search"]["n_minority"] = n_minority
    figure = {"value": level, "low": level - 0.1, "high": level + 0.1}
    other = {"value": rival, "low": rival - 0.1, "high": rival + 0.1}
    for told in document["evaluation"]["methods"]:
        if told["key"] != "majority":
            own = figure if told["key"] == "ensemble" else other
            told |= {"balanced_accuracy": dict(own), "auc": dict(own)}
            told["error"] |= {"value": 0.5, "low": 0.4, "high": 0.6}
    return answer(document)


def test_what_is_noise_is_told_by_what_a_panel_tells_apart():
    assert judged(0.7)["verdict"] in ("holds", "unsettled")
    assert any("Do not read the error" in caution for caution in judged(0.7)["cautions"])
    unclear = judged(0.55)
    assert unclear["verdict"] in ("unclear", "nothing")
    assert any("is not shown to predict unseen rows" in said for said in unclear["cautions"])
    noise = judged(0.45)
    assert noise["verdict"] == "noise"
    assert any("does not predict unseen rows: it has a balanced" in c for c in noise["cautions"])
    # Of few rows nothing can be told, and others show that there is something to be found.
    assert judged(0.45, n_minority=4)["verdict"] in ("unclear", "nothing")
    others = judged(0.45, rival=0.8)
    assert others["verdict"] in ("unclear", "nothing")
    told = "The classes can be told apart, though: all features together have a balanced accuracy"
    assert any(told in caution for caution in others["cautions"])


def test_a_first_feature_that_needs_company_is_told_with_it():
    document = wrapper_result().to_dict()  # of four features
    document["settings"]["stop"] = "permutation"
    document["path"][0] |= {"p_value": 0.5, "reference": 0.95}
    first = answer(document)["cautions"][0]
    assert first.startswith("By itself the first feature, ")
    assert first.endswith("those that were added to it are.")
    for row in document["path"][1:]:
        row |= {"p_value": 0.1, "reference": 0.6}
    document["settings"]["n_features_to_select"] = 4
    assert "all but the first better than shuffled ones" in stopped(document)


def test_the_precision_over_several_classes_is_an_honest_figure():
    text = page_of(n_classes=3, multiclass="ovr", fitness="average_precision")
    assert "was not measured in this run" not in text
    assert "The honest figure is that of unseen rows:" in text


def changed(**same_size):
    document = wrapper_result().to_dict()
    document["evaluation"]["by_size"]["same_size"] |= same_size
    return " ".join(answer(document)["cautions"])


def test_the_single_wrapper_is_compared_in_words():
    better = {"ensemble": 0.9, "single": 0.8}
    shown = "That balanced ensembles help is not shown"
    assert shown in changed(**better, p=0.2)
    assert shown not in changed(**better, p=0.01)
    worse = changed(ensemble=0.8, single=0.9, p=0.01)
    assert "The single wrapper does better here" in worse
    assert "an AUC of 0.90, the panel 0.80" in worse


def test_a_path_that_promises_too_much_is_told_with_both_figures():
    document = wrapper_result().to_dict()
    document["path"][-1]["fitness"] = 0.999
    cautions = " ".join(answer(document)["cautions"])
    assert "The search flatters its path: a fitness of 1.00 with 4 features, where" in cautions
    document["path"][-1]["fitness"] = 0.5
    assert "flatters" not in " ".join(answer(document)["cautions"])


def test_few_rows_idle_features_and_the_limit_are_told():
    result = wrapper_result(stop="permutation")
    document = result.to_dict()
    document["data"]["classes"][0]["count"] = 7
    document["settings"]["n_features_to_select"] = len(result.panels[0])
    for feature in document["panels"][0]["features"]:
        feature["loss_low"] = -0.1
    cautions = " ".join(answer(document)["cautions"])
    assert "has only 7 samples" in cautions
    if len(result.panels[0]) > 1:
        assert "is it shown that the panel gets worse without it alone" in cautions
        assert "The panel has the most features that were allowed" in cautions


def test_names_from_data_stay_text():
    page = render(summarise(wrapper_result(stop="permutation", evil=True)))
    assert EVIL not in page
    assert "&lt;img src=x" in page
    text = Page(page).text
    assert EVIL in text
    assert f"the best further one, {EVIL}2, brings" in text


def test_friedman_over_few_sizes_is_no_proof():
    text = page_of()
    assert "this p is too small, and no proof." in text
    assert "(Yang et al. counted twenty)" in text
    few = page_of(search="swarm")
    assert "With 1 size it cannot be below 0.05 whatever happens" in few


def test_lines_of_python_repeat_the_selection():
    result = wrapper_result(evaluated=False).described(command=None)
    told = repeat(result.to_dict())
    assert (told["language"], told["exact"]) == ("python", True)
    scope = {"X": np.zeros((4, 2)), "y": [0, 1, 0, 1]}
    lines = told["text"].replace(".fit(X, y)", "")
    exec(lines, scope)
    expected = BalancedWrapper(
        n_features_to_select=4,
        ensemble_size=3,
        choice="plain",
        n_generations=2,
        population=6,
        random_state=0,
    )
    assert scope["selection"].get_params() == expected.get_params()


def test_the_page_is_written(tmp_path):
    path = write_report(wrapper_result(), tmp_path / "report.html")
    assert path.stat().st_size > 10_000
