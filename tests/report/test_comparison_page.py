"""What the page of a comparison says."""

import json
from dataclasses import replace

import numpy as np
import pytest

from consilience.evaluation import Comparison
from consilience.report.comparison import summarise_comparison, write_comparison
from consilience.report.comparison_answer import comparison_answer, name_of
from consilience.report.figures_comparison import front_figure
from report.comparisons import EVIL, evil_comparison, planted_comparison


@pytest.fixture(scope="module")
def summary():
    return summarise_comparison(planted_comparison())


def test_the_summary_is_plain_json(summary):
    assert json.loads(json.dumps(summary, allow_nan=False)) == summary


def test_methods_come_by_their_error_with_all_classifiers(summary):
    found = planted_comparison()
    assert len(summary["means"]) == 9
    errors = [row["error"] for row in summary["means"]]
    assert errors == sorted(errors)
    by_tree = found.methods("j48").set_index(["selector", "aggregator"])["error"]
    for row in summary["means"]:
        assert row["errors"][1] == pytest.approx(by_tree[row["selector"], row["aggregator"]])


def test_points_are_the_table_turned(summary):
    found = planted_comparison().points("svm").set_index(["selector", "aggregator"])
    table = summary["judged"][0]["points"]
    assert table["selectors"] == ["chi-square", "relieff", "cfs", "all selectors"]
    for row in table["rows"]:
        expected = [
            found.loc[(selector, row["aggregator"]), figure]
            for selector in table["selectors"]
            for figure in ("error", "stability")
        ]
        assert [cell["value"] for cell in row["cells"]] == pytest.approx(expected)
    columns = np.array([[cell["value"] for cell in row["cells"]] for row in table["rows"]])
    best = np.array([[cell["best"] for cell in row["cells"]] for row in table["rows"]])
    differ = np.ptp(columns, axis=0) > 0
    assert (best == ((columns == columns.max(axis=0)) & differ)).all()


def test_verdicts_stand_at_their_figures(summary):
    figures = planted_comparison().table().set_index(["data", "selector", "aggregator"])
    figures = figures.sort_index(kind="stable")
    seen = 0
    for data in summary["details"]:
        for row in data["rows"]:
            told = figures.loc[(data["name"], row["selector"], row["aggregator"])]
            assert [error["verdict"] for error in row["errors"]] == list(told["error_verdict"])
            assert row["verdict"] == told["stability_verdict"].iloc[0]
            seen += row["verdict"] != ""
    assert seen > 0


def test_the_front_is_a_staircase_through_its_methods(summary):
    figure = front_figure(summary["judged"][0])
    stairs, *selectors = figure["data"]
    front = [m for m in summary["judged"][0]["methods"] if m["on_front"]]
    corners = set(zip(stairs["x"], stairs["y"], strict=True))
    assert {(m["jaccard"], m["error"]) for m in front} <= corners
    assert all(np.diff(stairs["x"]) >= 0)
    assert all(np.diff(stairs["y"]) >= 0)
    assert [len(trace["x"]) for trace in selectors] == [3, 3, 3]
    assert all(name in figure["alt"] for name in {m["aggregator"] for m in front})


def test_the_answer_names_the_best_in_each_respect():
    document = planted_comparison().to_dict()
    methods = document["methods"]["svm"]
    answer = comparison_answer(document)
    best = min(methods, key=lambda m: (m["error"], -m["jaccard"]))
    steadiest = max(methods, key=lambda m: (m["jaccard"], -m["error"]))
    assert name_of(best) in answer["headline"]
    assert name_of(steadiest) in answer["headline"]
    assert any("first has 40 samples" in caution for caution in answer["cautions"])


def test_names_from_data_stay_text(tmp_path):
    path = write_comparison(replace(evil_comparison(), command=EVIL), tmp_path / "report.html")
    page = path.read_text(encoding="utf-8")
    assert EVIL not in page
    assert "&lt;img src=x onerror=alert(1)&gt;" in page
    assert page.count("</script>") == 4  # none of them from a name


def test_the_page_says_what_was_drawn(tmp_path):
    told = {
        "the same 8 bootstraps of the training rows": planted_comparison(),
        "the same 10 samples of 80 % of the training rows": evil_comparison(),
    }
    for words, comparison in told.items():
        page = write_comparison(comparison, tmp_path / "report.html")
        assert words in page.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("numbers", "words"), [((4, 4), "4 folds"), ((2, 2), "2 folds"), ((4, 3), "3 to 4 folds")]
)
def test_the_page_says_how_many_folds_there_were_and_not_what_was_asked_for(
    tmp_path, numbers, words
):
    found = planted_comparison()
    data = [replace(facts, n_splits=n) for facts, n in zip(found.data, numbers, strict=True)]
    page = write_comparison(replace(found, data=data), tmp_path / "report.html")
    assert f"In each of {words} (" in page.read_text(encoding="utf-8")


def test_itemsets_are_shown_where_there_are_any(tmp_path):
    with_itemsets = write_comparison(evil_comparison(), tmp_path / "a.html")
    without = write_comparison(planted_comparison(), tmp_path / "b.html")
    assert 'id="itemsets"' in with_itemsets.read_text(encoding="utf-8")
    assert 'id="itemsets"' not in without.read_text(encoding="utf-8")


def test_a_comparison_read_from_a_file_gives_the_same_page(tmp_path, summary):
    planted_comparison().save(tmp_path / "comparison.json")
    again = summarise_comparison(Comparison.load(tmp_path / "comparison.json"))
    assert again | {"created": ""} == summary | {"created": ""}
