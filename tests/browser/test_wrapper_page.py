"""The page of a wrapper in a real browser: its figures, its tables and what hovering tells."""

import pytest

from report.real import EVIL, wrapper_result

pytestmark = pytest.mark.browser

FIGURES = ["path", "losses", "precision-recall", "time"]


def traces(page, name):
    found = page.execute_script(
        "return document.querySelector(`[data-figure=${arguments[0]}]`).data.map(trace => "
        "({name: trace.name, x: trace.x, y: trace.y}))",
        name,
    )
    return {trace["name"]: trace for trace in found}


def test_every_section_is_reached_from_the_top(visit):
    page = visit("wrapper")
    targets = [
        a.get_attribute("href").split("#")[1] for a in page.find_elements("css selector", "nav a")
    ]
    assert targets[:5] == ["panel", "rare", "path", "brought", "single"]
    for target in targets:
        assert page.find_element("id", target).tag_name == "section"


@pytest.mark.parametrize(("width", "dark"), [(1200, False), (375, True)])
@pytest.mark.parametrize("name", ["wrapper", "each class", "bred wrapper"])
def test_nothing_leaves_the_page_or_its_figure(visit, name, width, dark):
    page = visit(name, width, dark=dark)
    assert page.execute_script("return document.documentElement.scrollWidth") <= width
    outside = page.execute_script(
        """return [...document.querySelectorAll('.canvas')].flatMap(canvas => {
             const frame = canvas.getBoundingClientRect();
             return [...canvas.querySelectorAll('svg text')].filter(text => {
               const box = text.getBoundingClientRect();
               return box.width && (box.left < frame.left - 1 || box.right > frame.right + 1);
             }).map(text => canvas.dataset.figure + ': ' + text.textContent);
           })"""
    )
    assert outside == []
    errors = [entry for entry in page.get_log("browser") if entry["level"] == "SEVERE"]
    assert errors == []


def test_the_path_is_drawn_with_all_its_parts(visit):
    result = wrapper_result(stop="permutation")
    page = visit("wrapper")
    found = traces(page, "path")
    fitness = found["fitness in the search, flattered"]
    assert fitness["x"] == result.path.size.tolist()
    assert fitness["y"] == [round(value, 4) for value in result.path.fitness]
    shuffled = found["best of shuffled candidates"]
    assert shuffled["y"][0] == round(float(result.path.reference[0]), 4)
    single = found["single wrapper, unseen rows"]
    rows = result.evaluation["by_size"]["rows"]
    assert single["y"] == [round(row["single"]["value"], 4) for row in rows]
    assert "ensemble wrapper, unseen rows" in found
    for name in FIGURES:
        assert page.find_elements("css selector", f"[data-figure={name}] svg")


def test_what_the_single_wrapper_is_told_by_size(visit):
    page = visit("wrapper")
    section = page.find_element("id", "single")
    section.find_element("tag name", "summary").click()
    rows = section.find_elements("css selector", "table tbody tr")
    told = wrapper_result(stop="permutation").evaluation["by_size"]
    assert [int(row.find_element("tag name", "td").text) for row in rows] == [
        row["size"] for row in told["rows"]
    ]
    assert f"Wins\n{told['same_size']['wins']}" in section.text


def test_the_panel_sorts_by_what_it_loses(visit):
    page = visit("each class")
    headings = page.find_elements("css selector", "#panel-table thead tr:last-child th")
    place = next(k for k, h in enumerate(headings) if h.text.startswith("Loss"))
    headings[place].find_element("tag name", "button").click()
    found = page.execute_script(
        "return [...document.querySelectorAll('#panel-table tbody tr')]"
        ".map(row => Number(row.cells[arguments[0]].dataset.value))",
        place,
    )
    assert found == sorted(found, reverse=True)


def test_names_with_markup_stay_text_under_the_pointer(visit):
    page = visit("evil wrapper")
    shown = page.execute_script(
        """const canvas = document.querySelector('[data-figure=path]');
           canvas.scrollIntoView();
           const at = canvas.data.findIndex(trace => trace.name === 'refused');
           Plotly.Fx.hover(canvas, [{curveNumber: at, pointNumber: 0}]);
           return canvas.querySelector('.hoverlayer').textContent"""
    )
    assert "<img src=x on" in shown
    assert page.find_elements("tag name", "img") == []
    assert EVIL in page.find_element("tag name", "main").text


def test_without_scripts_the_words_remain(visit):
    page = visit("wrapper", scripts=False)
    text = page.find_element("tag name", "body").text
    for expected in ("To be careful about", "Figure, in words", "The path is no promise."):
        assert expected in text
