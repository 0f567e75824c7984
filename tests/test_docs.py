"""The pages made from the code are those that the code makes today."""

import doctest
import importlib.util
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


def load(*path):
    spec = importlib.util.spec_from_file_location(f"made_{path[-1]}", ROOT.joinpath(*path))
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)  # for its dataclasses
    spec.loader.exec_module(module)
    return module


def load_build():
    return load("docs", "build.py")


@pytest.mark.parametrize("name", ["methods.md", "command-line.md"])
def test_a_made_page_is_up_to_date(name):
    page = load_build().PAGES[name]()
    assert (ROOT / "docs" / name).read_text("utf-8") == page, "run `make docs`"


def test_what_is_played_on_the_page_about_scaling_is_what_the_model_plays():
    model = load("benchmarks", "scaling_model.py")
    assert doctest.testmod(model).failed == 0
    page = (ROOT / "docs" / "scaling.md").read_text("utf-8")
    for title, table in model.tables().items():
        assert table in page, title


def pages():
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.name)
def test_links_inside_the_repository_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text("utf-8")):
        assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_the_version_stands_in_one_place_for_people_and_one_for_packaging():
    import tomllib

    import consilience

    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["version"] == consilience.__version__
