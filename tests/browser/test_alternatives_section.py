"""Alternative panels in a real browser: the table, the map and what hovering tells."""

import pytest

from report.real import EVIL, alternatives_result

pytestmark = pytest.mark.browser


def traces(page, name):
    return page.execute_script(
        "return document.querySelector(`[data-figure=${arguments[0]}]`).data.map(trace => "
        "({n: trace.x ? trace.x.length : 0, text: trace.text, colour: trace.marker?.color}))",
        name,
    )


def test_the_section_is_reached_from_the_top_and_has_a_row_per_panel(visit):
    page = visit("alternatives")
    page.find_element("css selector", "nav a[href='#alternatives']").click()
    rows = page.find_elements("css selector", "#alternatives-table tbody tr")
    n_panels = alternatives_result().alternatives().n_panels
    assert [row.find_element("tag name", "th").text for row in rows] == [
        str(number) for number in range(1, n_panels + 1)
    ]
    assert "no difference found" in rows[1].text


def test_the_map_shows_every_model_and_every_panel(visit):
    page = visit("alternatives")
    found = alternatives_result().alternatives()
    *clusters, panels = traces(page, "alternatives-map")
    assert [cluster["n"] for cluster in clusters] == [n for n in found.cluster_sizes if n]
    assert panels["text"] == [str(k) for k in range(1, found.n_panels + 1)]
    drawn = page.execute_script(
        "return document.querySelectorAll('[data-figure=alternatives-map] path.point').length"
    )
    assert drawn == 60 + found.n_panels


def test_hovering_a_panel_on_the_map_tells_its_number(visit):
    from selenium.webdriver import ActionChains
    from selenium.webdriver.support.ui import WebDriverWait

    page = visit("alternatives")
    canvas = "[data-figure=alternatives-map]"
    points = page.find_elements("css selector", f"{canvas} .trace:last-child path.point")
    page.execute_script("arguments[0].scrollIntoView({block: 'center'})", points[0])
    ActionChains(page).move_to_element(points[-1]).perform()

    def hovered(driver):
        texts = driver.find_elements("css selector", f"{canvas} .hoverlayer text")
        return any("panel" in text.text for text in texts)

    WebDriverWait(page, 10).until(hovered)


def test_colours_of_the_map_follow_the_scheme(visit):
    light = traces(visit("alternatives"), "alternatives-map")
    dark = traces(visit("alternatives", dark=True), "alternatives-map")
    assert all(one["colour"] != two["colour"] for one, two in zip(light, dark, strict=True))


def test_markup_in_names_of_panels_and_stand_ins_stays_text(visit):
    page = visit("evil alternatives", 375)
    page.execute_script("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert page.find_elements("tag name", "img") == []
    assert EVIL in page.find_element("id", "alternatives-features").text
    assert page.get_log("browser") == []


def test_a_page_without_alternatives_has_no_such_section(visit):
    page = visit("demo")
    assert page.find_elements("id", "alternatives") == []
    assert page.find_elements("css selector", "nav a[href='#alternatives']") == []
