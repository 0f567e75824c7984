"""The page of a searched committee in a real browser: figures, light and dark, on a phone."""

import pytest

from report.real import EVIL, search_result

pytestmark = pytest.mark.browser

FIGURES = ["rules", "subsets", "plane-mean", "plane-best", "fitness", "sizes-searched", "tuned",
           "use", "learning-balanced", "performance-error", "time"]  # fmt: skip
PAGES = {"search": FIGURES, "climb": ["subsets", "plane-best", "fitness", "use"],
         "random": ["subsets", "use", "learning-balanced"]}  # fmt: skip


def test_every_section_is_reached_from_the_top(visit):
    page = visit("search")
    targets = [
        a.get_attribute("href").split("#")[1] for a in page.find_elements("css selector", "nav a")
    ]
    assert targets == [
        "accuracy", "integrations", "subsets", "generations", "tuning", "usage", "panel", "values",
        "time", "repeat", "glossary",
    ]  # fmt: skip
    for target in targets:
        assert page.find_element("id", target).tag_name == "section"


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [1200, 375])
@pytest.mark.parametrize("name", PAGES)
def test_nothing_is_said_on_the_console_and_the_page_does_not_scroll_sideways(
    visit, name, width, dark
):
    page = visit(name, width, dark=dark)
    assert page.get_log("browser") == []
    assert page.execute_script("return document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("width", [1200, 375])
@pytest.mark.parametrize("name", PAGES)
def test_labels_do_not_leave_their_figure(visit, name, width):
    page = visit(name, width)
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
        PAGES[name],
    )
    assert outside == []


@pytest.mark.parametrize("width", [1200, 375])
def test_titles_of_axes_and_of_colour_bars_do_not_overlap(visit, width):
    page = visit("search", width)
    overlaps = page.execute_script(
        """return arguments[0].flatMap(name => {
             const canvas = document.querySelector(`[data-figure=${name}]`);
             const texts = [...canvas.querySelectorAll('.xtitle, .cbtitle text, .xtick text')];
             const boxes = texts.map(t => [t.textContent, t.getBoundingClientRect()]);
             return boxes.flatMap(([a, p], i) => boxes.slice(i + 1).filter(([b, q]) =>
               p.left < q.right - 1 && q.left < p.right - 1
               && p.top < q.bottom - 1 && q.top < p.bottom - 1
             ).map(([b, q]) => `${name}: ${a} / ${b}`));
           })""",
        ["plane-mean", "plane-best", "tuned", "rules"],
    )
    assert overlaps == []


@pytest.mark.parametrize("width", [1200, 375])
def test_one_feature_leaves_room_for_its_axes(visit, width):
    page = visit("lone", width)
    overlaps = page.execute_script(
        """return ['subsets', 'use'].flatMap(name => {
             const canvas = document.querySelector(`[data-figure=${name}]`);
             const title = canvas.querySelector('.xtitle').getBoundingClientRect();
             return [...canvas.querySelectorAll('.xtick text')].filter(
               tick => tick.getBoundingClientRect().bottom > title.top + 1
             ).map(tick => `${name}: ${tick.textContent}`);
           })"""
    )
    assert overlaps == []


@pytest.mark.parametrize("width", [1200, 375])
@pytest.mark.parametrize("name", ["crowd", "search"])
def test_numbers_of_members_do_not_lie_on_each_other(visit, name, width):
    page = visit(name, width)
    n_labels, overlaps = page.execute_script(
        """const found = [...document.querySelectorAll('[data-figure^=plane-]')].map(canvas =>
             [...canvas.querySelectorAll('.textpoint text')].filter(t => t.textContent.trim())
               .map(t => [t.textContent, t.getBoundingClientRect()]));
           return [found.flat().length, found.flatMap(boxes => boxes.flatMap(([a, p], i) =>
             boxes.slice(i + 1).filter(([b, q]) => p.left < q.right - 1 && q.left < p.right - 1
               && p.top < q.bottom - 2 && q.top < p.bottom - 2).map(([b]) => `${a} / ${b}`)))]"""
    )
    assert n_labels > 2
    assert overlaps == []


@pytest.mark.parametrize("dark", [False, True])
def test_the_chosen_rule_stands_out(visit, dark):
    page = visit("search", dark=dark)
    colours, accent = page.execute_script(
        """const canvas = document.querySelector('[data-figure=rules]');
           const root = getComputedStyle(document.documentElement);
           const accent = root.getPropertyValue('--accent').trim();
           return [canvas.data.map(t => t.marker.color), accent]"""
    )
    rows = search_result(alpha="auto", n_neighbors="auto").evaluation["integrations"]
    chosen = [row["rule"] for row, c in zip(rows, colours, strict=True) if c == accent]
    assert chosen == ["dynamic_voting_selection"]


def test_hovering_tells_member_and_feature(visit):
    page = visit("search")
    shown = page.execute_script(
        """const canvas = document.querySelector('[data-figure=subsets]');
           canvas.scrollIntoView();
           Plotly.Fx.hover(canvas, {xval: 1, yval: 0});
           return canvas.querySelector('.hoverlayer').textContent"""
    )
    result = search_result(alpha="auto", n_neighbors="auto")
    first = result.asked[0]
    uses = "uses it" if first in result.subsets[1] else "does not"
    assert shown == f"{result.feature_names[first]}: member 2 {uses}"


def test_names_with_markup_stay_text_under_the_pointer(visit):
    page = visit("evil search")
    shown = page.execute_script(
        """const canvas = document.querySelector('[data-figure=use]');
           canvas.scrollIntoView();
           Plotly.Fx.hover(canvas, [{curveNumber: 0, pointNumber: 0}]);
           return canvas.querySelector('.hoverlayer').textContent"""
    )
    assert "<img src=x on" in shown
    assert page.find_elements("tag name", "img") == []
    assert EVIL in page.find_element("tag name", "main").text


def test_members_are_sorted_by_their_accuracy(visit):
    page = visit("search")
    order = page.execute_script(
        """const table = document.querySelector('#subsets table.sortable');
           [...table.querySelectorAll('thead th')].find(h => h.textContent.includes('Accuracy'))
             .querySelector('button').click();
           return [...table.querySelectorAll('tbody tr')].map(r => r.cells[2].textContent)"""
    )
    assert order == sorted(order, reverse=True)
    assert len(order) == 4


def test_without_scripts_the_words_remain(visit):
    text = visit("search", scripts=False).find_element("tag name", "body").text
    for expected in ("To be careful about", "Figure, in words", "Error on unseen rows by rule"):
        assert expected in text
