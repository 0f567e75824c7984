"""The page of a committee in a real browser: its figures, in the light, in the dark, on a phone."""

import pytest

from report.real import EVIL, committee_result

pytestmark = pytest.mark.browser

FIGURES = ["precision-recall", "learning-precision", "learning-balanced", "asked", "new",
           "margins", "votes", "time"]  # fmt: skip


def test_every_section_is_reached_from_the_top(visit):
    page = visit("committee")
    targets = [
        a.get_attribute("href").split("#")[1] for a in page.find_elements("css selector", "nav a")
    ]
    assert targets == [
        "unseen", "learning", "panel", "asked", "uncertainty", "values", "time", "repeat",
        "glossary",
    ]  # fmt: skip
    for target in targets:
        assert page.find_element("id", target).tag_name == "section"


@pytest.mark.parametrize("width", [1200, 375])
def test_labels_and_legends_do_not_leave_their_figure(visit, width):
    page = visit("committee", width)
    outside = page.execute_script(
        """return arguments[0].flatMap(name => {
             const canvas = document.querySelector(`[data-figure=${name}]`);
             const frame = canvas.getBoundingClientRect();
             return [...canvas.querySelectorAll('svg text')].filter(text => {
               const box = text.getBoundingClientRect();
               return box.width && (box.left < frame.left - 1 || box.right > frame.right + 1
                 || box.bottom > frame.bottom + 1);
             }).map(text => `${name}: ${text.textContent}`);
           })""",
        FIGURES,
    )
    assert outside == []


@pytest.mark.parametrize("dark", [False, True])
def test_everybody_is_in_the_legend_in_a_colour_that_is_seen(visit, dark):
    page = visit("committee", dark=dark)
    names, colours, paper = page.execute_script(
        """const canvas = document.querySelector('[data-figure=precision-recall]');
           const shown = [...canvas.querySelectorAll('.legendtext')].map(t => t.textContent);
           const lines = canvas.data.filter(t => t.mode === 'lines' && t.name);
           const paper = getComputedStyle(document.documentElement).getPropertyValue('--paper');
           return [shown, lines.map(t => t.line.color), paper.trim()]"""
    )
    labels = [m["label"] for m in committee_result().evaluation["methods"][:-1]]
    assert names == labels
    assert len(set(colours)) == len(labels)
    assert all(colour.startswith("#") and colour != paper for colour in colours)


def test_hovering_tells_precision_and_recall(visit):
    page = visit("committee")
    shown = page.execute_script(
        """const canvas = document.querySelector('[data-figure=precision-recall]');
           canvas.scrollIntoView();
           Plotly.Fx.hover(canvas, [{curveNumber: canvas.data.length - 1, pointNumber: 0}]);
           return canvas.querySelector('.hoverlayer').textContent"""
    )
    told = committee_result().evaluation["methods"][0]["mean_point"]
    assert f"recall {told['recall']:.2f}, precision {told['precision']:.2f}" in shown
    assert "committee" in shown


def test_names_with_markup_stay_text_under_the_pointer(visit):
    page = visit("evil committee")
    shown = page.execute_script(
        """const canvas = document.querySelector('[data-figure=asked]');
           canvas.scrollIntoView();
           Plotly.Fx.hover(canvas, [{curveNumber: 1, pointNumber: 0}]);
           return canvas.querySelector('.hoverlayer').textContent"""
    )
    assert "<img src=x on" in shown
    assert page.find_elements("tag name", "img") == []
    assert EVIL in page.find_element("tag name", "main").text


def test_without_scripts_the_words_remain(visit):
    text = visit("committee", scripts=False).find_element("tag name", "body").text
    for expected in ("To be careful about", "Figure, in words", "average precision", "base rate"):
        assert expected in text
