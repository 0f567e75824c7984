"""The report in a real browser: what people will see and do."""

import base64
import json

import pytest

from report.real import EVIL

pytestmark = pytest.mark.browser
PAGES = [
    "demo", "evil", "ten", "binary", "nominal", "alternatives", "evil alternatives", "dafs",
    "evil dafs", "wide dafs", "committee",
]  # fmt: skip
WIDTHS = [1200, 375]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", PAGES)
def test_plots_are_drawn_without_errors_inside_the_window(visit, name, width):
    page = visit(name, width)
    assert page.get_log("browser") == []
    marks = page.execute_script(
        """return [...document.querySelectorAll('.canvas')].map(canvas => {
             const svg = canvas.querySelector('svg.main-svg');
             return svg ? svg.querySelectorAll('path, rect, image').length : 0;
           })"""
    )
    assert len(marks) > 8
    assert min(marks) > 2
    assert page.execute_script("return document.documentElement.scrollWidth") <= width
    too_wide = page.execute_script(
        """return [...document.querySelectorAll('body *')]
             .filter(e => !e.closest('.scroll, svg, pre, .skip, .hidden'))
             .filter(e => e.getBoundingClientRect().right > innerWidth + 1)
             .map(e => e.outerHTML.slice(0, 80))"""
    )
    assert too_wide == []


def test_nothing_is_requested_from_the_network(visit):
    page = visit("demo")
    asked = [
        message["params"]["request"]["url"]
        for entry in page.get_log("performance")
        if (message := json.loads(entry["message"])["message"])["method"]
        == "Network.requestWillBeSent"
    ]
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []
    assert page.execute_script("return performance.getEntriesByType('resource').length") == 0


def column(page, number):
    return page.execute_script(
        "return [...document.querySelectorAll('#panel-table tbody tr')]"
        ".map(row => row.cells[arguments[0]].dataset.value ?? row.cells[arguments[0]].innerText)",
        number,
    )


def heading(page, number):
    return page.execute_script(
        "return document.querySelectorAll('#panel-table thead tr:last-child th')[arguments[0]]",
        number,
    )


def test_the_panel_sorts_by_click(visit):
    page = visit("demo")
    button = heading(page, 3).find_element("tag name", "button")
    for order, reverse in (("ascending", False), ("descending", True)):
        button.click()
        assert heading(page, 3).get_attribute("aria-sort") == order
        found = [float(value) for value in column(page, 3)]
        assert found == sorted(found, reverse=reverse)
    assert heading(page, 0).get_attribute("aria-sort") is None


def test_categories_sort_last_either_way_and_stay_text(visit):
    page = visit("nominal")
    button = heading(page, 4).find_element("tag name", "button")
    for _ in range(2):
        button.click()
        assert column(page, 4)[-1] == ""
        assert column(page, 1)[-1] == "colour"
    assert page.find_elements("tag name", "img") == []
    texts = page.execute_script(
        "return [...document.querySelectorAll('.small svg text')].map(text => text.textContent)"
    )
    assert "red" in texts
    assert "1.00" in texts


def test_the_panel_sorts_by_keyboard(visit):
    from selenium.webdriver import ActionChains, Keys

    page = visit("demo")
    page.execute_script("arguments[0].querySelector('button').focus()", heading(page, 0))
    ActionChains(page).send_keys(Keys.TAB).perform()  # on to the name of the feature
    for key, order in ((Keys.ENTER, "ascending"), (Keys.SPACE, "descending")):
        ActionChains(page).send_keys(key).perform()
        assert heading(page, 1).get_attribute("aria-sort") == order
    names = column(page, 1)
    by_name = page.execute_script(
        "return arguments[0].toSorted(new Intl.Collator('en', {numeric: true}).compare)", names
    )
    assert names == by_name[::-1]


@pytest.mark.parametrize("width", WIDTHS)
def test_names_with_markup_stay_text(visit, width):
    from selenium.common.exceptions import NoAlertPresentException

    page = visit("evil", width)
    with pytest.raises(NoAlertPresentException):
        _ = page.switch_to.alert.text
    assert page.find_elements("tag name", "img") == []
    assert EVIL in page.find_element("tag name", "main").text
    assert EVIL in column(page, 1)
    labels = page.execute_script(
        "return [...document.querySelectorAll('.canvas svg text')].map(text => text.textContent)"
    )
    assert any(label.lstrip("● 1").startswith("<img") for label in labels)
    # The other name pretends to be markup that plotly knows.
    assert (
        page.execute_script("return document.querySelectorAll('.canvas b, .canvas a').length") == 0
    )
    bold = page.execute_script(
        "return [...document.querySelectorAll('.canvas tspan')].filter(t => t.style.fontWeight)"
    )
    assert bold == []


@pytest.mark.parametrize("figure", ["frequencies", "models", "coselection", "heat"])
def test_names_with_markup_stay_text_under_the_pointer(visit, figure):
    page = visit("evil")
    shown = page.execute_script(
        """const figure = arguments[0];
           const canvas = document.querySelector(`[data-figure=${figure}]`);
           canvas.scrollIntoView();
           Plotly.Fx.hover(canvas, figure === 'frequencies'
             ? [{curveNumber: 0, pointNumber: 0}] : {xval: 1, yval: 0});
           return canvas.querySelector('.hoverlayer').textContent""",
        figure,
    )
    assert "<img src=x on" in shown


def test_the_command_is_copied_by_keyboard(visit):
    from selenium.webdriver import ActionChains, Keys
    from selenium.webdriver.support.ui import WebDriverWait

    page = visit("demo")
    page.execute_script("document.querySelector('[data-copy]').focus()")
    ActionChains(page).send_keys(Keys.ENTER).perform()
    status = page.find_element("css selector", ".command .status")
    WebDriverWait(page, 5).until(lambda _: status.text == "Copied")


def test_without_scripts_the_tables_and_words_remain(visit):
    page = visit("demo", scripts=False)
    text = page.find_element("tag name", "body").text
    names = [e.text for e in page.find_elements("css selector", "#panel-table tbody th")]
    assert len(names) == 8
    assert all(names)
    for expected in ("To be careful about", "all features", "Figure, in words", "Effect in"):
        assert expected in text
    assert not page.find_element("css selector", ".canvas").is_displayed()
    assert not page.find_element("css selector", "[data-copy]").is_displayed()
    assert page.find_element("css selector", "details summary").is_displayed()


CONTRASTS = """
const channel = (v) => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
// Through a canvas: computed colours come as rgb(), color(srgb ...) and more.
const context = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
function blend(colours) {
  context.clearRect(0, 0, 1, 1);
  for (const colour of colours) { context.fillStyle = colour; context.fillRect(0, 0, 1, 1); }
  const [r, g, b] = context.getImageData(0, 0, 1, 1).data;
  return 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
}
function grounds(element) {
  const found = [];
  for (let e = element; e; e = e.parentElement) found.unshift(getComputedStyle(e).backgroundColor);
  const dark = getComputedStyle(document.documentElement).colorScheme === 'dark';
  return [dark ? 'black' : 'white', ...found];
}
const poor = [];
for (const element of document.querySelectorAll('body *')) {
  const own = [...element.childNodes].some(n => n.nodeType === 3 && n.textContent.trim());
  if (!own || ['SCRIPT', 'STYLE', 'NOSCRIPT'].includes(element.tagName)) continue;
  const style = getComputedStyle(element);
  const below = grounds(element);
  const ink = element.closest('svg') ? style.fill : style.color;
  const [a, b] = [blend([...below, ink]), blend(below)].sort((x, y) => y - x);
  const ratio = (a + 0.05) / (b + 0.05);
  if (ratio < 4.5) poor.push([ratio, element.tagName, element.textContent.slice(0, 40)]);
}
return poor;
"""


@pytest.mark.parametrize("name", ["demo", "alternatives", "dafs"])
@pytest.mark.parametrize("dark", [False, True])
def test_all_text_has_contrast(visit, name, dark):
    page = visit(name, dark=dark)
    ground = page.execute_script("return getComputedStyle(document.body).backgroundColor")
    assert (ground == "rgb(255, 255, 255)") != dark
    assert page.execute_script(CONTRASTS) == []


def test_figures_follow_the_colour_scheme(visit):
    page = visit("demo")
    fill = (
        "return getComputedStyle(document.querySelector("
        "'[data-figure=frequencies] .bars path')).fill"
    )
    light = page.execute_script(fill)
    page.execute_cdp_cmd(
        "Emulation.setEmulatedMedia",
        {"features": [{"name": "prefers-color-scheme", "value": "dark"}]},
    )
    from selenium.webdriver.support.ui import WebDriverWait

    WebDriverWait(page, 10).until(lambda d: d.execute_script(fill) != light)


def test_the_page_prints(visit):
    page = visit("demo", dark=True)
    state = """const svg = document.querySelector('.canvas .main-svg');
               const bar = svg.querySelector('.bars path');
               return [svg.getAttribute('width'), getComputedStyle(bar).fill]"""
    before = page.execute_script(state)
    page.execute_script(
        f"addEventListener('beforeprint', () => window.onPaper = (() => {{ {state} }})())"
    )
    printed = page.execute_cdp_cmd("Page.printToPDF", {"printBackground": True})
    document = base64.b64decode(printed["data"])
    assert document.startswith(b"%PDF")
    assert document.count(b"/Type /Page\n") + document.count(b"/Type/Page/") >= 2
    # Paper is light and narrow; afterwards the screen is as it was.
    width, fill = page.execute_script("return window.onPaper")
    assert float(width) < 700
    assert fill != before[1]
    assert page.execute_script(state) == before


def test_landmarks_and_the_skip_link_work_by_keyboard(visit):
    from selenium.webdriver import ActionChains, Keys

    page = visit("demo")
    assert page.execute_script("return document.documentElement.lang") == "en"
    for landmark in ("header", "nav", "main", "footer"):
        assert len(page.find_elements("css selector", landmark)) == 1
    ActionChains(page).send_keys(Keys.TAB).perform()
    assert page.switch_to.active_element.text == "Skip to the answer"
    ActionChains(page).send_keys(Keys.ENTER).perform()
    assert page.switch_to.active_element.get_attribute("id") == "answer"


def test_figures_can_be_saved(visit, tmp_path):
    from selenium.webdriver.support.ui import WebDriverWait

    page = visit("demo")
    page.execute_cdp_cmd(
        "Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(tmp_path)}
    )
    page.execute_script("document.querySelector('.save').click()")
    saved = tmp_path / "consilience-frequencies.svg"
    WebDriverWait(page, 10).until(lambda _: saved.exists())
    assert "<svg" in saved.read_text(encoding="utf-8")
    assert page.get_log("browser") == []
