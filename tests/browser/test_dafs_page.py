"""The page of DAFS in a real browser: its figures, its table and what hovering tells."""

import pytest

from report.real import EVIL, dafs_result

pytestmark = pytest.mark.browser

FIGURES = ["scores", "curve", "accuracies", "diversities", "coverage", "time"]


def traces(page, name):
    return page.execute_script(
        "return document.querySelector(`[data-figure=${arguments[0]}]`).data.map(trace => "
        "({x: trace.x, y: trace.y, n: trace.x.length, text: trace.text}))",
        name,
    )


def test_every_section_is_reached_from_the_top(visit):
    page = visit("dafs")
    targets = [
        a.get_attribute("href").split("#")[1] for a in page.find_elements("css selector", "nav a")
    ]
    assert targets[:3] == ["panel", "performance", "values"]
    assert {"scores", "size", "members", "coverage", "time"} <= set(targets)
    for target in targets:
        assert page.find_element("id", target).tag_name == "section"


@pytest.mark.parametrize("width", [1200, 375])
@pytest.mark.parametrize("figure", FIGURES)
def test_labels_do_not_leave_their_figure(visit, figure, width):
    page = visit("dafs", width)
    outside = page.execute_script(
        """const canvas = document.querySelector(`[data-figure=${arguments[0]}]`);
           const frame = canvas.getBoundingClientRect();
           return [...canvas.querySelectorAll('svg text')].filter(text => {
             const box = text.getBoundingClientRect();
             return box.width && (box.left < frame.left - 1 || box.right > frame.right + 1);
           }).map(text => text.textContent)""",
        figure,
    )
    assert outside == []


def test_plots_side_by_side_start_level_though_one_caption_is_longer(visit):
    page = visit("dafs")
    boxes = page.execute_script(
        """return ['accuracies', 'diversities'].map(name => {
             const box = document.querySelector(`[data-figure=${name}]`).getBoundingClientRect();
             return [box.top, box.left, box.bottom];
           })"""
    )
    assert boxes[0][1] < boxes[1][1]
    assert boxes[0][0] == pytest.approx(boxes[1][0], abs=1)
    assert boxes[0][2] == pytest.approx(boxes[1][2], abs=1)


def test_the_scores_show_every_feature_once_and_the_panel_apart(visit):
    result = dafs_result()
    others, panel = traces(visit("dafs"), "scores")
    assert panel["n"] == len(result.panels[0])
    assert others["n"] + panel["n"] == result.order.size
    assert panel["y"] == [round(value, 5) for value in result.panel.score]


def test_the_map_has_the_point_that_was_drawn(visit):
    *_, point = traces(visit("dafs"), "coverage")
    assert (point["x"], point["y"]) == ([10], [60])


def test_the_curve_has_a_point_for_every_size(visit):
    result = dafs_result()
    found = traces(visit("dafs"), "curve")
    line = next(trace for trace in found if trace["n"] == len(result.validation_curve))
    assert line["y"] == result.validation_curve.tolist()


def test_the_panel_sorts_by_score(visit):
    page = visit("wide dafs")
    heading = page.find_elements("css selector", "#panel-table thead tr:last-child th")[2]
    button = heading.find_element("tag name", "button")
    assert button.text.startswith("Score")
    for order, reverse in (("descending", True), ("ascending", False)):
        button.click()
        assert heading.get_attribute("aria-sort") == order
        found = page.execute_script(
            "return [...document.querySelectorAll('#panel-table tbody tr')]"
            ".map(row => Number(row.cells[2].dataset.value))"
        )
        assert found == sorted(found, reverse=reverse)


def test_names_with_markup_stay_text_under_the_pointer(visit):
    page = visit("evil dafs")
    shown = page.execute_script(
        """const canvas = document.querySelector('[data-figure=scores]');
           canvas.scrollIntoView();
           Plotly.Fx.hover(canvas, [{curveNumber: 1, pointNumber: 0}]);
           return canvas.querySelector('.hoverlayer').textContent"""
    )
    assert "<img src=x on" in shown
    assert page.find_elements("tag name", "img") == []
    assert EVIL in page.find_element("tag name", "main").text


def test_features_never_sampled_are_named(visit):
    text = visit("wide dafs").find_element("id", "coverage").text
    assert "40 features in no subspace:" in text
    assert "and 20 more" in text


def test_without_scripts_the_words_remain(visit):
    page = visit("dafs", scripts=False)
    text = page.find_element("tag name", "body").text
    for expected in ("To be careful about", "Figure, in words", "The curve promises too much"):
        assert expected in text
