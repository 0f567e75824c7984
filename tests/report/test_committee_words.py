"""Sentences of a committee's page that a new user stumbled over."""

import copy
import re

import numpy as np
import pytest

from consilience.cli.show import highest
from consilience.report import render as rendering
from consilience.report.answer import answer
from consilience.report.figures import figures
from consilience.report.levels_committee import shown_stability, stopped
from consilience.report.render import render
from consilience.report.summary import summarise
from report.real import committee_result
from report.test_committee_page import changed, estimate, three_classes
from report.test_render import Page


@pytest.fixture(autouse=True)
def light(monkeypatch):
    """Leave plotly out, which none of these tests needs to read."""
    monkeypatch.setattr(rendering, "_plotly", lambda: "// plotly")


def text_of(result):
    return re.sub(r"\s+", " ", Page(render(summarise(result))).text.replace("\u00a0", " "))


def test_of_three_classes_the_largest_is_named_and_not_the_others():
    text = text_of(three_classes())
    assert "Always naming the largest class errs in" in text
    assert "errs only that often" not in text


@pytest.mark.parametrize(
    ("rival", "headline"),
    [
        ("subspace", "random features did as well or better here: 0.64 against 0.48."),
        ("fss", "one classifier (FSS) did as well or better here: 0.64 against 0.48."),
    ],
)
def test_a_rival_that_does_as_well_is_in_the_headline(rival, headline):
    result = changed(average_precision=estimate(0.48, 0.4, 0.6))
    for told in result.evaluation["methods"]:
        if told["key"] == rival:
            told["average_precision"] = estimate(0.64, 0.5, 0.7)
    assert answer(result.to_dict())["headline"].endswith(f"; {headline}")
    weak = {"low": 0.0, "high": 1.0}
    result.evaluation["methods"][0]["average_precision"] |= weak
    result.evaluation["methods"][0]["balanced_accuracy"] |= weak
    assert answer(result.to_dict())["headline"].endswith(f" is not clear; {headline}")


def test_few_panels_give_no_interval_of_their_stability():
    document = committee_result().to_dict()
    assert len(document["evaluation"]["methods"][0]["fold_errors"]) == 3
    assert shown_stability(document)["low"] is None
    assert "(" not in re.search(r"stability (.*?), where 0", text_of(committee_result()))[1]
    many = copy.deepcopy(document)
    panel = next(m for m in many["evaluation"]["methods"] if m["key"] == "ensemble")
    panel["panels"] *= 2
    panel["stability"]["nogueira"] |= {"low": 0.1, "high": 0.3}
    assert shown_stability(many)["low"] == 0.1
    panel["stability"]["nogueira"] |= {"low": 0.3, "high": 0.3}
    assert shown_stability(many)["low"] is None


def test_the_largest_class_is_a_constant():
    methods = summarise(committee_result())["performance"]["methods"]
    largest = next(told for told in methods if told["key"] == "majority")
    assert largest["error"] == {"value": 0.2, "low": None, "high": None}
    assert largest["average_precision"]["low"] is None
    assert methods[0]["error"]["low"] is not None


def test_marks_are_means_over_the_folds():
    found = committee_result().evaluation["methods"]
    for told in found:
        if told["key"] != "majority":
            assert abs(told["mean_point"]["recall"] - told["operating_point"]["recall"]) < 1e-9
    assert any(
        told["mean_point"]["precision"] != told["operating_point"]["precision"] for told in found
    )


def test_figures_near_a_small_base_rate_have_its_digits():
    result = changed(average_precision=estimate(0.0512, 0.04, 0.07))
    result.evaluation["positive"]["share"] = 0.0304
    found = answer(result.to_dict())
    assert "precision of 0.051 (0.040 to 0.070); a blind order of the rows has 0.030." in " ".join(
        found["sentences"]
    )
    area = next(told for told in found["glance"] if told["label"] == "Average precision")
    assert (area["value"], area["note"]) == ("0.051", "0.040 to 0.070 · base rate 0.030")
    assert "base rate 0.030" in figures(summarise(result))["precision-recall"]["alt"]


def test_rows_within_one_vote_begin_with_two_members():
    margins = figures(summarise(committee_result()))["margins"]["data"]
    within = next(trace for trace in margins if trace["name"] == "rows within one vote")
    assert within["x"][:2] == [1, 2]
    assert within["y"][0] is None
    assert within["y"][1] is not None


def test_where_all_agree_throughout_a_sentence_stands_for_the_figure():
    result = committee_result()
    votes = np.concatenate([[np.nan], np.arange(1.0, result.n_members)])
    sure = result.described(
        rounds=result.rounds | {"mean_margin": votes},
        margins=np.full(result.margins.size, result.n_members),
    )
    summary = summarise(sure)
    assert {"margins", "votes"}.isdisjoint(figures(summary))
    text = text_of(sure)
    assert "the mean margin was at least 100 % of the votes" in text
    assert "--votes oof" in text
    assert "tell more" not in text


def test_a_committee_that_stopped_early_says_so():
    result = committee_result()
    settings = result.settings | {"n_rounds": 50, "patience": 10}
    early = result.described(settings=settings)
    said = "stopped after 9 members: 10 rounds brought nothing better; at most 51"
    assert stopped(early.to_dict()) == said
    assert text_of(early).count(said) == 3  # in the answer, the learning curve, the settings
    assert "stopped after" not in text_of(committee_result())


def test_title_and_heading_agree():
    page = render(summarise(committee_result()))
    assert "<title>Committee for activity: consilience report</title>" in page
    assert "<h1>Committee for <bdi>activity</bdi></h1>" in page


def test_settings_are_told_in_words():
    text = text_of(committee_result())
    for said in (
        "what Markov blanket filtering (FSS) keeps",
        "raw, as published",
        "the rows that members were trained on",
        "differ in unsure rows, not because they separate the classes",
        "The median round took",
    ):
        assert said in text
    normal = committee_result()
    normal = normal.described(settings=normal.settings | {"normalize": "variance"})
    assert "normalised: divided by what chance gives it" in text_of(normal)
    assert "differ in unsure rows" not in text_of(committee_result(method="efs", evaluated=False))


def test_a_feature_with_a_small_effect_is_higher_nowhere():
    effects = [{"class": "a", "effect": 0.19}, {"class": "b", "effect": -0.19}]
    assert highest(effects) == "a"
    assert highest(effects, 0.2) == ""
    assert highest([{"class": "a", "effect": 0.21}], 0.2) == "a"
    assert highest([{"class": "a", "effect": None}], 0.2) == ""


def test_percents_do_not_part_from_their_number():
    page = render(summarise(committee_result()))
    shown = page.split("<main>")[1].split("</main>")[0]
    assert "95&nbsp;% intervals" in shown
    assert not re.search(r"\d %|}} %", shown)
