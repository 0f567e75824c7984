import json
import re

import plotly.graph_objects as go
import pytest

from consilience.report.figures import figures
from consilience.report.render import TEMPLATES
from consilience.report.summary import summarise
from report.real import EVIL, demo_result, planted_result
from report.standin import make_result
from report.test_summary import CASES


@pytest.mark.parametrize("settings", CASES.values(), ids=CASES)
def test_plotly_accepts_every_figure(settings):
    specifications = figures(summarise(make_result(**settings)))
    json.dumps(specifications, allow_nan=False)
    for name, spec in specifications.items():
        go.Figure(data=spec["data"], layout=spec["layout"])  # raises on unknown settings
        assert spec["alt"].endswith("."), name


def test_a_full_result_has_every_figure():
    names = set(figures(summarise(demo_result())))
    assert names >= {
        "frequencies",
        "models",
        "coselection",
        "stability",
        "sizes",
        "performance-error",
        "performance-balanced-accuracy",
        "performance-auc",
        "performance-fold-stability",
        "heat",
        "profile-1",
        "profile-8",
    }


def test_markup_in_names_reaches_no_label():
    specifications = figures(summarise(planted_result(evil=True)))
    for name, spec in specifications.items():
        text = json.dumps([spec["data"], spec["layout"], spec.get("narrow")])
        # What is left of markup is our own: line breaks and the end of a hover text.
        assert set(re.findall(r"<[^>]*>", text)) <= {"<br>", "<extra>", "</extra>"}, name
        assert EVIL not in text
        assert "&lt;bold" not in text.replace("&amp;", "")


def test_every_colour_is_defined_in_both_schemes():
    style = (TEMPLATES / "style.css").read_text(encoding="utf-8")
    light, dark = style.split("@media (prefers-color-scheme: dark)")[:2]
    used = set(re.findall(r"var\((--[\w-]+)\)", json.dumps(figures(summarise(make_result())))))
    used |= {f"--class-{k}" for k in range(6)}
    for name in used:
        assert f"{name}:" in light, name
        assert f"{name}:" in dark.split("* {")[0], name


def test_the_narrow_form_changes_labels_only():
    for spec in figures(summarise(make_result())).values():
        for path, value in spec.get("narrow", {}).items():
            axis, key = path.split(".")
            assert len(spec["layout"][axis][key]) == len(value)
