import re
from html.parser import HTMLParser

import pytest

from consilience.report import render as rendering
from consilience.report.figures_selection import frequency_figure
from consilience.report.render import policy, render, write_report
from consilience.report.summary import summarise
from report.real import EVIL, demo_result, planted_result
from report.standin import make_result
from report.test_summary import CASES

VOID = {"meta", "link", "img", "br", "hr", "input"}


class Page(HTMLParser):
    """Collects what a browser would see, and whether every element is closed."""

    def __init__(self, html):
        super().__init__()
        self.elements, self.texts, self.open, self.ids = [], [], [], []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if "id" in dict(attrs):
            self.ids.append(dict(attrs)["id"])
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "script" not in self.open and "style" not in self.open:
            self.texts.append(data)

    @property
    def text(self):
        return " ".join("".join(self.texts).split())


@pytest.fixture
def light(monkeypatch):
    """Leave plotly out, which none of these tests needs to read."""
    monkeypatch.setattr(rendering, "_plotly", lambda: "// plotly")


@pytest.mark.usefixtures("light")
@pytest.mark.parametrize("settings", CASES.values(), ids=CASES)
def test_every_case_gives_a_whole_page(settings):
    page = Page(render(summarise(make_result(**settings))))
    assert page.open == []
    assert len(page.ids) == len(set(page.ids))
    links = [a["href"] for tag, a in page.elements if tag == "a"]
    assert {link[1:] for link in links} <= set(page.ids)
    for name in ("gene_00000", "Stability", "Repeat it", "Warnings"):
        assert name in page.text


@pytest.mark.usefixtures("light")
def test_the_answer_comes_first_and_tables_need_no_script():
    summary = summarise(demo_result())
    text = Page(render(summary)).text
    assert text.index(summary["answer"]["headline"]) < text.index("The panel")
    for feature in summary["panel"]:
        assert feature["feature"] in text
    for method in summary["performance"]["methods"]:
        assert method["label"] in text


@pytest.mark.usefixtures("light")
def test_names_from_data_stay_text():
    html = render(summarise(planted_result(evil=True)))
    page = Page(html)
    assert EVIL in page.text
    assert "a<b>" in page.text
    assert "</script><b>&lt;bold" in page.text
    tags = [tag for tag, _ in page.elements]
    assert "img" not in tags
    assert tags.count("script") == 4
    assert not any(key.startswith("on") for _, attrs in page.elements for key in attrs)


@pytest.mark.usefixtures("light")
def test_the_page_loads_nothing():
    html = render(summarise(demo_result()))
    assert not re.search(r"https?://", html)
    for tag, attrs in Page(html).elements:
        for key in ("src", "href", "srcset", "data", "action"):
            assert attrs.get(key, "#").startswith(("#", "data:")), (tag, attrs)
    assert "url(" not in html
    assert "@import" not in html


@pytest.mark.usefixtures("light")
def test_figures_have_text_alternatives():
    page = Page(render(summarise(demo_result())))
    canvases = [a for _, a in page.elements if a.get("class") == "canvas"]
    assert len(canvases) > 15
    for attrs in canvases:
        assert attrs["role"] == "img"
        assert len(attrs["aria-label"]) > 20


@pytest.mark.usefixtures("light")
def test_an_evaluation_that_was_not_done_is_said():
    text = Page(render(summarise(make_result(evaluate=False)))).text
    assert "Not measured in this run" in text


@pytest.mark.usefixtures("light")
def test_a_result_from_python_shows_python():
    text = Page(render(summarise(make_result(command=None)))).text
    assert "from consilience import EnsembleSelector, MostFrequent, SymmetricalUncertainty" in text
    assert "random_state=0" in text


@pytest.mark.usefixtures("light")
def test_warnings_are_shown():
    text = Page(render(summarise(make_result(warnings=["Column 'a<b' is constant."])))).text
    assert "Column 'a<b' is constant." in text


def test_plotly_is_embedded_and_allowed_by_its_hash(tmp_path):
    path = write_report(demo_result(), tmp_path / "report.html")
    html = path.read_bytes().decode("utf-8")
    assert "\r" not in html
    assert "plotly.js v" in html
    allowed = next(a["content"] for _, a in Page(html).elements if "http-equiv" in a)
    scripts = re.findall(r"<script>(.*?)</script>", html, flags=re.S)
    assert len(scripts) == 3
    for script in scripts:
        assert policy([script]).split("script-src ")[1].split(";")[0] in allowed
    assert [p.name for p in tmp_path.iterdir()] == ["report.html"]


def test_a_report_that_fails_leaves_the_old_one(tmp_path, monkeypatch):
    path = tmp_path / "report.html"
    path.write_text("old", encoding="utf-8")
    monkeypatch.setattr(rendering, "figures", lambda summary: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        write_report(make_result(), path)
    assert path.read_text(encoding="utf-8") == "old"


@pytest.mark.usefixtures("light")
def test_the_level_of_shuffled_classes_is_shown_where_it_is_known():
    result = make_result(errors={"chance": 0.73})
    text = Page(render(summarise(result))).text
    assert "With the classes shuffled, features of a panel reach 0.73 (dashed)" in text
    assert "Frequency with shuffled classes" in text
    del result.to_dict()["evaluation"]["chance"]  # as in files of older versions
    summary = summarise(result)
    page = Page(render(summary))
    assert page.open == []
    assert "shuffled" not in page.text
    assert len(frequency_figure(summary | {"shuffled_frequency": 0.73})["layout"]["shapes"]) == (
        1 + len(frequency_figure(summary)["layout"]["shapes"])
    )
