import json
import re

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest
from hypothesis import given
from hypothesis import strategies as st

from consilience import EnsembleSelector, SelectionResult
from consilience.report import render as rendering
from consilience.report.figures import figures
from consilience.report.nominal import MAX_CATEGORIES, describe_categories
from consilience.report.render import render
from consilience.report.summary import summarise
from report.real import EVIL, demo_result, nominal_result
from report.test_render import Page


@pytest.fixture
def light(monkeypatch):
    monkeypatch.setattr(rendering, "_plotly", lambda: "// plotly")


def rows_of(html, table):
    """Cells of each body row of the first table after a mark."""
    body = html[html.index(table) :].split("<tbody>")[1].split("</tbody>")[0]
    return [re.findall(r"<t[dh]\b.*?</t[dh]>", row, flags=re.S) for row in body.split("<tr>")[1:]]


def cells_of(html, name, table):
    (cells,) = [cells for cells in rows_of(html, table) if f">{name}<" in cells[0] + cells[1]]
    return [Page(cell).text for cell in cells]


def test_shares_stand_where_codes_have_no_mean():
    summary = summarise(nominal_result())
    (row,) = [f for f in summary["panel"] if f["feature"] == "colour"]
    assert row["categories"] == [EVIL, "green", "red"]
    ill, well = row["effects"]
    assert ill["effect"] is ill["mean"] is ill["sd"] is None
    assert ill["shares"] == [0, 0, 1]
    assert ill["most"] == {"category": "red", "share": 1.0}
    assert well["most"]["category"] in (EVIL, "green")
    assert well["shares"][2] == 0
    (profile,) = [f for f in summary["profiles"]["features"] if f["feature"] == "colour"]
    assert profile["kind"] == "nominal"
    assert profile["missing"] == 2
    assert [group["n"] for group in profile["groups"]] == [29, 29]


def test_categories_are_left_out_of_the_standardised_map():
    profiles = summarise(nominal_result())["profiles"]
    assert sorted(profiles["names"]) == ["x0", "x1"]
    assert len(profiles["heat"]["rows"]) == 2
    assert (profiles["n_measured"], profiles["n_nominal"], profiles["n_unknown"]) == (2, 1, 0)


def test_the_figure_shows_shares_and_no_boxes():
    summary = summarise(nominal_result())
    specifications = figures(summary)
    place = [f["feature"] for f in summary["profiles"]["features"]].index("colour") + 1
    spec = specifications[f"profile-{place}"]
    go.Figure(data=spec["data"], layout=spec["layout"])
    assert [trace["type"] for trace in spec["data"]] == ["heatmap"]
    assert spec["data"][0]["z"][0] == [0, 0, 1]
    assert "ill" in spec["alt"]
    assert "red 1.00" in spec["alt"]
    assert "<img" not in json.dumps([spec["data"], spec["layout"]])


@pytest.mark.usefixtures("light")
def test_the_page_names_categories_and_keeps_them_text():
    page = render(summarise(nominal_result()))
    assert Page(page).open == []
    assert "img" not in [tag for tag, _ in Page(page).elements]
    cells = cells_of(page, "colour", 'id="panel-table"')
    assert cells[4] == "red 1.00"
    assert not re.search("[+\u2212]", cells[4] + cells[5])
    means = cells_of(page, "colour", 'aria-label="Means by class"')
    assert "red 1.00" in means[1]
    assert "\u00b1" not in "".join(means)
    assert "points are samples. Categories: " in Page(page).text
    assert "\u00b1" in "".join(cells_of(page, "x0", 'aria-label="Means by class"'))


@pytest.mark.usefixtures("light")
def test_a_saved_result_gives_the_same_page(tmp_path):
    result = nominal_result()
    result.save(tmp_path)
    assert render(summarise(SelectionResult.load(tmp_path))) == render(summarise(result))


def test_categories_without_names_are_told_by_their_codes():
    summary = summarise(nominal_result(named=False))
    (row,) = [f for f in summary["panel"] if f["feature"] == "colour"]
    assert row["categories"] == ["0", "1", "2"]


@pytest.mark.usefixtures("light")
def test_a_panel_of_categories_alone_has_no_map_but_every_share():
    rng = np.random.default_rng(1)
    y = np.repeat([0, 1], 20)
    frame = pd.DataFrame({f"c{k}": pd.Categorical(rng.choice(list("abc"), 40)) for k in range(6)})
    result = EnsembleSelector(n_features_to_select=2, n_models=5, random_state=0)
    summary = summarise(result.fit(frame, y).result_)
    assert summary["profiles"]["heat"] is None
    assert {"profile-1", "profile-2"} <= set(figures(summary))
    page = render(summary)
    assert 'data-figure="profile-2"' in page
    assert 'data-figure="heat"' not in page


@pytest.mark.usefixtures("light")
def test_features_whose_values_were_not_kept_leave_no_gap_in_any_table():
    result = demo_result().at(50)
    summary = summarise(result)
    assert summary["profiles"]["n_unknown"] > 0
    page = render(summary)
    assert Page(page).open == []
    n_classes = len(result.classes)
    panel, means = (rows_of(page, t) for t in ('id="panel-table"', 'aria-label="Means by class"'))
    assert [len(row) for row in panel] == [4 + n_classes] * 50
    assert [len(row) for row in means] == [1 + n_classes] * 50
    texts = [[Page(cell).text for cell in row] for row in panel]
    assert sum(row[4:] == ["\u2013"] * n_classes for row in texts) >= 42
    assert "were not kept with the result" in Page(page).text


@given(
    st.lists(st.lists(st.integers(0, 5), min_size=9, max_size=9), min_size=2, max_size=4),
    st.integers(1, 9),
)
def test_rare_categories_are_joined_and_nothing_is_lost(table, n_categories):
    numbers = np.array(table)[:, :n_categories]
    totals = numbers.sum(axis=1)
    shares = [
        [None] * n_categories if total == 0 else (row / total).tolist()
        for row, total in zip(numbers, totals, strict=True)
    ]
    feature = {
        "categories": [f"c{k}" for k in range(n_categories)],
        "effects": [{"shares": row} for row in shares],
    }
    found = describe_categories(feature, totals.tolist())
    assert len(found["categories"]) == min(n_categories, MAX_CATEGORIES)
    for code, effect in enumerate(found["effects"]):
        if totals[code] == 0:
            assert effect["shares"] == [None] * len(found["categories"])
            assert effect["most"] is None
            continue
        assert sum(effect["shares"]) == pytest.approx(1, abs=1e-5)
        others = np.delete(numbers, code, axis=0).sum(axis=0)
        if effect["most"] is not None:  # against all other rows, counted
            excess = numbers[code] / totals[code] - others / others.sum()
            place = feature["categories"].index(effect["most"]["category"])
            assert excess[place] == pytest.approx(excess.max())
