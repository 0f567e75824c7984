"""The page of a comparison in a real browser."""

import pytest

from consilience.report.comparison import write_comparison
from report.comparisons import EVIL, evil_comparison, planted_comparison

pytestmark = pytest.mark.browser
FRONT = "document.querySelector('[data-figure=\"front-0\"]')"


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("comparisons")
    made = {"planted": planted_comparison(), "evil": evil_comparison()}
    return {name: write_comparison(c, folder / f"{name}.html") for name, c in made.items()}


@pytest.fixture
def visit(chromium, pages):
    """Open a page at a width, with all its details unfolded."""
    from selenium.webdriver.support.ui import WebDriverWait

    def go(name, width=1200, dark=False):
        send = chromium.execute_cdp_cmd
        send(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 500},
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        send("Emulation.setEmulatedMedia", {"features": [scheme]})
        chromium.get_log("browser")  # forget what earlier pages said
        chromium.get(pages[name].as_uri())
        WebDriverWait(chromium, 60, 0.05).until(
            lambda d: d.execute_script(
                "return document.documentElement.dataset.figures === 'drawn'"
            )
        )
        chromium.execute_script(
            "document.querySelectorAll('details').forEach(d => { d.open = true })"
        )
        return chromium

    return go


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [1200, 375])
@pytest.mark.parametrize("name", ["planted", "evil"])
def test_everything_is_drawn_without_errors_inside_the_window(visit, name, width, dark):
    page = visit(name, width, dark)
    assert page.get_log("browser") == []
    n_points = page.execute_script(f"return {FRONT}.querySelectorAll('.points path').length")
    assert n_points == {"planted": 9, "evil": 24}[name]
    assert page.execute_script("return document.documentElement.scrollWidth") <= width
    too_wide = page.execute_script(
        """return [...document.querySelectorAll('body *')]
             .filter(e => !e.closest('.scroll, svg, pre, .skip, .hidden'))
             .filter(e => e.getBoundingClientRect().right > innerWidth + 1)
             .map(e => e.outerHTML.slice(0, 80))"""
    )
    assert too_wide == []


def test_names_are_on_the_front_of_a_wide_figure_only(visit):
    count = f"return {FRONT}.querySelectorAll('.annotation').length"
    n_front = planted_comparison().methods()["on_front"].sum()
    assert visit("planted", 1200).execute_script(count) == n_front
    assert visit("planted", 375).execute_script(count) == 0


def test_a_point_tells_its_method(visit):
    page = visit("planted")
    page.execute_script(f"Plotly.Fx.hover({FRONT}, [{{curveNumber: 1, pointNumber: 0}}])")
    told = page.execute_script(f"return {FRONT}.querySelector('.hoverlayer').textContent")
    assert "chi-square with average-rank" in told
    assert "stability" in told


def test_methods_sort_by_click(visit):
    page = visit("planted")
    table = page.find_element("css selector", "#methods table")
    button = table.find_elements("css selector", "thead button")[4]  # stability
    button.click()
    cells = page.execute_script(
        "return [...document.querySelectorAll('#methods tbody tr')]"
        ".map(row => Number(row.cells[4].dataset.value))"
    )
    assert cells == sorted(cells, reverse=True)


def test_no_name_becomes_markup(visit):
    page = visit("evil")
    assert page.execute_script("return document.images.length") == 0
    assert EVIL in page.find_element("css selector", "#data details").text
