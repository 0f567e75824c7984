"""The page of a committee: what it says of which result, and that every odd case is whole."""

import copy
import json
import re

import numpy as np
import pytest

from consilience import (
    CERPClassifier,
    CommitteeSelector,
    QIFSClassifier,
    evaluate_committee,
    load_result,
)
from consilience.report import render as rendering
from consilience.report.answer import answer
from consilience.report.answer_committee import HEADLINES
from consilience.report.figures import figures
from consilience.report.render import render
from consilience.report.repeat import repeat
from consilience.report.summary import summarise
from report.real import EVIL, committee_result, rare_bits
from report.test_render import Page


@pytest.fixture(autouse=True)
def light(monkeypatch):
    """Leave plotly out, which none of these tests needs to read."""
    monkeypatch.setattr(rendering, "_plotly", lambda: "// plotly")


def changed(**figures_of_the_committee):
    """The real result with other figures of the committee and other differences."""
    result = committee_result()
    evaluation = copy.deepcopy(result.evaluation)
    differences = figures_of_the_committee.pop("differences", {})
    ahead = figures_of_the_committee.pop("ahead", True)
    evaluation["methods"][0] |= figures_of_the_committee
    if ahead:  # of the rivals whom the headline would name else
        for told in evaluation["methods"]:
            if told["key"] in ("subspace", "fss"):
                told["average_precision"] = estimate(0.1, 0.05, 0.2)
    for row in evaluation["differences"]:
        for quantity, (value, p) in differences.get(row["against"], {}).items():
            row[quantity] = {"value": value, "t": None, "p": p}
    return result.described(evaluation=evaluation)


def estimate(value, low, high):
    return {"value": value, "low": low, "high": high}


def only_the_first_method():
    evaluation = copy.deepcopy(committee_result().evaluation)
    keys = ("committee", "ensemble", "majority")
    evaluation["methods"] = [m for m in evaluation["methods"] if m["key"] in keys]
    evaluation["differences"] = [d for d in evaluation["differences"] if d["against"] in keys]
    return committee_result().described(evaluation=evaluation)


def without_scores():
    result = changed(average_precision=None, auc=None, precision_recall=None)
    for method in result.evaluation["methods"]:
        method |= {"average_precision": None, "precision_recall": None}
    for row in result.evaluation["differences"]:
        row["average_precision"] = {"value": None, "t": None, "p": None}
    return result


def one_member():
    result = committee_result(evaluated=False)
    return result.described(
        subsets=result.subsets[:1],
        rounds={key: values[:1] for key, values in result.rounds.items()},
        asked=result.subsets[0],
        panels=[result.subsets[0][:2]],
    )


CASES = {
    "qifs": committee_result,
    "efs": lambda: committee_result(method="efs", evaluated=False),
    "eifs": lambda: committee_result(method="eifs", evaluated=False),
    "no evaluation": lambda: committee_result(evaluated=False),
    "no rivals": only_the_first_method,
    "no scores": without_scores,
    "one member": one_member,
    "any committee": lambda: any_committee(),
    "three classes": lambda: three_classes(),
    "from Python": lambda: committee_result().described(command=None),
}


def any_committee():
    X, y, _ = rare_bits()
    committee = CERPClassifier("ridge", n_blocks=5, n_partitions=1, random_state=0)
    return CommitteeSelector(committee, n_features_to_select=4).fit(X, y).result_


def three_classes():
    X, y, _ = rare_bits()
    y = np.where(np.arange(120) % 5 == 1, "third", y)
    selector = CommitteeSelector(
        QIFSClassifier("tree", n_rounds=2, n_features=20, patience=None), random_state=0
    )
    found = evaluate_committee(selector, X, y, rivals=["fss"], n_splits=2, random_state=0)
    return selector.fit(X, y).result_.described(evaluation=found.to_dict())


@pytest.mark.parametrize("case", CASES)
def test_every_case_gives_a_whole_page(case):
    summary = summarise(CASES[case]())
    assert json.loads(json.dumps(summary, allow_nan=False)) == summary
    page = Page(render(summary))
    assert page.open == []
    assert len(page.ids) == len(set(page.ids))
    links = [a["href"] for tag, a in page.elements if tag == "a"]
    assert {link[1:] for link in links} <= set(page.ids)
    for section in ("unseen", "panel", "asked", "values", "time", "repeat", "glossary"):
        assert section in page.ids
    placed = {a["data-figure"] for _, a in page.elements if "data-figure" in a}
    assert placed == set(figures(summary))
    assert "DAFS" not in page.text
    assert not re.search(r"(?<!=)None(?!\.)", page.text)  # but in a call, and for no warnings


def test_the_page_agrees_with_its_result(tmp_path):
    result = committee_result()
    summary = summarise(result)
    text = Page(render(summary)).text
    for name in (*result.panel.feature, "Precision over recall", "random features", "base rate"):
        assert name in text
    committee = result.evaluation["methods"][0]
    assert summary["learning"]["last"] == committee["stages"][-1][1]
    assert f"{committee['average_precision']['value']:.2f}" in text
    result.save(tmp_path)
    assert json.dumps(summarise(load_result(tmp_path))) == json.dumps(summary)


def test_without_an_evaluation_the_curve_is_of_training_rows_that_rounds_left_out():
    summary = summarise(committee_result(evaluated=False))
    assert not summary["learning"]["evaluated"]
    result = committee_result(evaluated=False)
    assert summary["learning"]["last"] == result.rounds["average_precision"][-1]
    text = Page(render(summary)).text
    assert "Each row is predicted by rounds in which it had no say" in text
    assert "The same unseen rows" not in text
    usual = Page(render(summarise(committee_result()))).text
    assert "Each row is predicted by rounds in which it had no say" not in usual
    assert "learning" not in Page(render(summarise(any_committee()))).ids  # which watches nothing


def test_precision_and_recall_of_everybody_and_the_base_rate_are_drawn():
    summary = summarise(committee_result())
    figure = figures(summary)["precision-recall"]
    base, *lines = figure["data"]
    assert base["y"] == [0.2, 0.2]
    names = [line["name"] for line in lines if line["mode"] == "lines"]
    assert names == ["panel alone", "EIFS", "EFS", "one classifier, FSS", "random features",
                     "committee"]  # fmt: skip
    styles = {(line["line"]["color"], line["line"]["dash"]) for line in lines}
    assert len(styles) == 6  # told apart without colour, too
    assert len({line["line"]["dash"] for line in lines}) == 6
    told = committee_result().evaluation["methods"][0]["mean_point"]
    assert (lines[-1]["x"], lines[-1]["y"]) == ([told["recall"]], [told["precision"]])
    for line, mark in zip(lines[::2], lines[1::2], strict=True):  # averaged alike: near each other
        at = np.abs(np.array(line["x"]) - mark["x"][0]).argmin()
        assert abs(line["y"][at] - mark["y"][0]) < 0.15, mark["name"]
    assert "base rate 0.20" in figure["alt"]


def test_the_marks_of_a_feature_are_the_members_that_use_it():
    result = committee_result()
    others, panel, totals = figures(summarise(result))["asked"]["data"]
    marks = {
        (x, y) for trace in (others, panel) for x, y in zip(trace["x"], trace["y"], strict=True)
    }
    expected = {
        (member, row)
        for row, feature in enumerate(result.asked)
        for member, subset in enumerate(result.subsets, start=1)
        if feature in subset
    }
    assert marks == expected
    assert set(panel["y"]) == set(range(6))
    assert [int(text) for text in totals["text"]] == result.selection_counts[result.asked].tolist()


@pytest.mark.parametrize(
    ("result", "headline"),
    [
        (lambda: changed(differences={"subspace": {"average_precision": (0.3, 0.01)}}), "helps"),
        (lambda: changed(differences={"subspace": {"average_precision": (0.3, 0.2)}}), "predicts"),
        (lambda: changed(differences={"subspace": {"average_precision": (-0.3, 0.01)}}), "worse"),
        (only_the_first_method, "alone"),
        (
            lambda: changed(
                average_precision=estimate(0.3, 0.1, 0.4),
                balanced_accuracy=estimate(0.55, 0.4, 0.6),
            ),
            "unclear",
        ),
        (
            lambda: changed(
                average_precision=estimate(0.15, 0.1, 0.4),
                balanced_accuracy=estimate(0.5, 0.4, 0.6),
            ),
            "noise",
        ),
        (lambda: committee_result(evaluated=False), "untested"),
    ],
    ids=["helps", "predicts", "worse", "alone", "unclear", "noise", "untested"],
)
def test_the_headline_says_no_more_than_was_shown(result, headline):
    assert answer(result().to_dict())["headline"] == HEADLINES[headline]


def test_a_small_error_alone_is_no_skill():
    """Where one row in five is active, naming nobody errs in a fifth."""
    result = changed(
        error=estimate(0.01, 0.0, 0.05),
        average_precision=estimate(0.2, 0.1, 0.4),
        balanced_accuracy=estimate(0.5, 0.45, 0.55),
    )
    assert answer(result.to_dict())["verdict"] == "noise"


def test_an_order_of_equal_votes_is_no_skill_by_rounding():
    result = changed(
        average_precision=estimate(0.2 + 1e-16, 0.1, 0.4),
        balanced_accuracy=estimate(0.5 + 1e-16, 0.45, 0.55),
    )
    assert answer(result.to_dict())["verdict"] == "noise"


def test_of_random_halves_the_first_are_told_and_not_the_most_used():
    result = committee_result(method="efs", evaluated=False)
    assert answer(result.to_dict())["opening"].endswith("The features put first are")
    assert "The features that members put first." in Page(render(summarise(result))).text
    usual = committee_result()
    assert answer(usual.to_dict())["opening"].endswith("The features asked for most are")
    assert "The features that members use most." in Page(render(summarise(usual))).text


def with_tuned_threshold():
    """As if the committee had tuned its threshold, with other figures for it."""
    result = committee_result()
    evaluation = copy.deepcopy(result.evaluation)
    tuned = copy.deepcopy(evaluation["methods"][0])
    tuned |= {"key": "tuned", "label": "committee, tuned threshold", "stages": None}
    tuned |= {"balanced_accuracy": estimate(0.83, 0.72, 0.91), "confusion": [[17, 7], [13, 83]]}
    evaluation["methods"].insert(1, tuned)
    settings = result.settings | {"threshold": "f1", "grouped": True}
    return result.described(
        evaluation=evaluation, settings=settings, facts=result.facts | {"threshold": 0.21}
    )


def test_a_tuned_threshold_is_told_beside_and_compared_with_nobody():
    result = with_tuned_threshold()
    found = answer(result.to_dict())
    said = [s for s in found["sentences"] if "that it tuned" in s]
    assert len(said) == 1
    assert "its balanced accuracy is 0.83 (0.72 to 0.91)" in said[0]
    page = Page(render(summarise(result))).text
    assert "all are compared by the majority of the votes" in page
    assert "committee, tuned threshold" in page
    assert "predicted with the tuned threshold" in page
    assert not any("tune the share" in caution for caution in found["cautions"])
    usual = Page(render(summarise(committee_result()))).text
    assert "tune" not in usual.split("Performance on unseen rows")[1].split("Glossary")[0]


def test_groups_that_the_committee_takes_apart_are_a_caution():
    found = answer(with_tuned_threshold().to_dict())["cautions"]
    told = next(caution for caution in found if "holds out" in caution)
    assert "tells when to stop (patience) and tunes the threshold by rows" in told
    assert not any("holds out" in c for c in answer(committee_result().to_dict())["cautions"])
    alone = committee_result(evaluated=False)
    grouped = alone.described(settings=alone.settings | {"grouped": True})
    assert any("holds out" in c for c in answer(grouped.to_dict())["cautions"])


def test_never_accuracy_alone():
    found = answer(committee_result().to_dict())
    labels = [figure["label"] for figure in found["glance"]]
    assert labels == ["Members", "Average precision", "Balanced accuracy", "Error"]
    assert "finds class active with an average precision of" in found["sentences"][0]
    assert "a blind order of the rows has 0.20" in found["sentences"][0]


@pytest.mark.parametrize(
    ("result", "said"),
    [
        (
            lambda: changed(operating_point={"precision": 1.0, "recall": 0.02}),
            None,  # a fifth of the rows is not rare
        ),
        (
            lambda: changed(differences={"efs": {"balanced_accuracy": (-0.1, 0.01)}}),
            "In balanced accuracy, EFS (−0.10, p = 0.010) does better than the committee.",
        ),
        (
            lambda: changed(differences={"ensemble": {"average_precision": (0.4, 0.001)}}),
            "The 6 features asked for most do not replace the committee",
        ),
        (lambda: all_sure(), "hardly a row is unsure"),
    ],
    ids=["recall", "a better rival", "panel", "sure"],
)
def test_cautions(result, said):
    cautions = " ".join(answer(result().to_dict())["cautions"]).replace("\u00a0", " ")
    usual = " ".join(answer(committee_result().to_dict())["cautions"]).replace("\u00a0", " ")
    if said is None:
        assert "hardly ever votes" not in cautions
    else:
        assert said in cautions
        assert said not in usual


def all_sure():
    """Before the k-th member there are k - 1 votes, all for one class."""
    result = committee_result()
    votes = np.concatenate([[np.nan], np.arange(1.0, result.n_members)])
    return result.described(rounds=result.rounds | {"mean_margin": votes})


def test_votes_that_overlook_a_rare_class_are_told():
    result = changed(operating_point={"precision": 1.0, "recall": 0.02})
    result.evaluation["positive"]["share"] = 0.05
    cautions = answer(result.to_dict())["cautions"]
    assert any("hardly ever votes for class active: it finds 0.02" in c for c in cautions)


def test_margins_are_shares_of_the_votes_that_there_were():
    summary = summarise(all_sure())
    assert summary["uncertainty"]["margin"] == [1.0] * 8
    assert summary["uncertainty"]["members"] == list(range(1, 9))


def test_names_stay_text():
    result = committee_result(evil=True)
    page = Page(render(summarise(result.described(classes=["</script><b>", "b&amp;"]))))
    assert EVIL in page.text
    tags = [tag for tag, _ in page.elements]
    assert "img" not in tags
    assert tags.count("script") == 4


def test_the_lines_of_python_give_the_same_settings():
    result = committee_result().described(command=None)
    found = repeat(result.to_dict())
    assert found["exact"]
    scope = {"X": None, "y": None}
    exec(found["text"].replace("selection.fit(X, y)", ""), scope)
    committee = scope["committee"].get_params()
    assert (committee["estimator"], committee["n_rounds"], committee["n_features"]) == ("nb", 8, 15)
    assert committee["random_state"] == 0
    assert scope["selection"].n_features_to_select == 6
    stranger = result.to_dict()
    stranger["settings"]["class"] = "os.system"
    assert not repeat(stranger)["exact"]
