import json

import pytest

from consilience.report.alternatives import alternatives, verdict
from consilience.report.figures import figures
from consilience.report.figures_alternatives import mark
from consilience.report.render import render
from consilience.report.summary import summarise
from report.real import EVIL, alternatives_result
from report.standin import make_result


def difference(word, value=0.01, low=-0.03, high=0.05):
    return {
        "number": 2,
        "verdict": word,
        "difference": {"value": value, "low": low, "high": high, "p": 0.5, "p_holm": 1.0},
    }


FIRST = {"number": 1, "verdict": "first", "difference": None}


def test_the_summary_is_plain_json_and_has_all_panels():
    summary = summarise(alternatives_result())
    assert json.loads(json.dumps(summary, allow_nan=False)) == summary
    found = summary["alternatives"]
    assert [panel["number"] for panel in found["panels"]] == [1, 2, 3, 4]
    assert found["panels"][0]["n_common"] == len(found["panels"][0]["features"])
    second = {feature["name"] for feature in found["panels"][1]["features"]}
    first = {feature["name"] for feature in found["panels"][0]["features"]}
    assert found["panels"][1]["n_common"] == len(first & second)
    assert found["stand_ins"]


def test_one_panel_has_no_section():
    assert summarise(make_result())["alternatives"] is None
    assert 'id="alternatives"' not in render(summarise(make_result()))


def test_documents_from_before_have_no_section():
    assert alternatives({"panels": [], "evaluation": None}) is None


def test_panels_that_were_not_evaluated_are_shown_without_errors():
    summary = summarise(alternatives_result(evaluated=False))
    assert summary["alternatives"]["evaluation"] is None
    assert "alternatives-errors" not in figures(summary)
    page = render(summary)
    assert "was not measured in this run" in page
    assert "Which features can stand in for which" in page


def test_every_figure_has_its_words():
    drawn = figures(summarise(alternatives_result()))
    for name in ("errors", "similarity", "map"):
        figure = drawn[f"alternatives-{name}"]
        assert figure["alt"].endswith(".")
        assert json.dumps(figure, allow_nan=False)
    assert len(drawn["alternatives-errors"]["data"]) == 5  # four panels and one selection
    sizes = [len(trace["x"]) for trace in drawn["alternatives-map"]["data"]]
    assert sum(sizes) == 60 + 4


def test_names_are_escaped_in_the_section():
    page = render(summarise(alternatives_result(evil=True)))
    assert EVIL not in page
    assert "&lt;img src=x onerror=alert(1)&gt;0" in page


def test_the_other_panels_are_told_once():
    assert "Other panels (" not in render(summarise(alternatives_result()))


@pytest.mark.parametrize(
    ("panels", "said"),
    [
        ([FIRST], "nothing to compare"),
        ([FIRST, difference("no difference found")], "between panel 1 and the other one"),
        ([FIRST, difference("worse")], "Every other panel differs"),
        ([FIRST, difference("better", -0.2)], "Clearly better: panel 2."),
        ([FIRST, difference("no difference found", low=-0.3)], "leave open is −0.30."),
        (
            [FIRST, difference("no difference found"), difference("worse") | {"number": 3}],
            "for 1 panel of 2. Clearly worse: panel 3. That does not prove it equal",
        ),
    ],
)
def test_the_verdict_says_what_was_found_and_what_stays_open(panels, said):
    assert said in verdict(panels)


def test_no_two_of_ten_panels_look_alike():
    assert len({mark(number) for number in range(36)}) == 36


def test_a_map_of_very_many_models_shows_some_of_them():
    document = alternatives_result().to_dict()
    places = {"models": [[0.0, 1.0]] * 2500, "clusters": [1, 2] * 1250}
    found = document | {"alternatives": document["alternatives"] | {
        "map": document["alternatives"]["map"] | places}}  # fmt: skip
    drawn = alternatives(found)["map"]
    assert (len(drawn["models"]), len(drawn["clusters"]), drawn["n_models"]) == (834, 834, 2500)
