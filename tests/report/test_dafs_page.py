"""The page of DAFS: what it says of which result, and that every odd case gives a whole page."""

import json

import numpy as np
import pytest

from consilience import DAFS, load_result, write_report
from consilience.report import render as rendering
from consilience.report.answer import answer
from consilience.report.figures import figures
from consilience.report.levels import panel_stability
from consilience.report.render import render
from consilience.report.repeat import repeat
from consilience.report.steadiness import fold_shares
from consilience.report.summary import summarise
from consilience.report.summary_dafs import bars
from report.real import dafs_result
from report.standin_dafs import EVIL, make_dafs
from report.test_render import Page

CASES = {
    "two classes": {},
    "ten classes": {"classes": [f"class {k}" for k in range(10)], "n_samples": 200},
    "one feature": {"m": 1, "n_curve": 1},
    "the limit reached": {"m": 12},
    "more than the curve": {"m": 20, "n_features_to_select": 20},
    "no evaluation": {"evaluate": False},
    "from Python": {"command": None},
    "never sampled": {"missed": 30},
    "constant columns": {"n_constant": 40},
    "opposite": {"opposite": True},
    "judged by occlusion": {"score": "occlusion"},
    "opposite by accuracy": {"score": "accuracy", "opposite": True},
    "a score of tomorrow": {"score": "<b>new"},
    "one subspace of nearly all": {"n_subspaces": 2, "subspace_size": 299},
    "many features": {"n_features": 4000, "n_subspaces": 900, "subspace_size": 60},
    "noise": {"errors": {"error": 0.5}},
    "left out one by one": {"evaluation": "loo"},
    "a validation part": {"evaluation": "holdout"},
    "the rows trained on": {"evaluation": "train"},
    "measures as published": {"orientation": "raw"},
}


@pytest.fixture(autouse=True)
def light(monkeypatch):
    """Leave plotly out, which none of these tests needs to read."""
    monkeypatch.setattr(rendering, "_plotly", lambda: "// plotly")


@pytest.mark.parametrize("settings", CASES.values(), ids=CASES)
def test_every_case_gives_a_whole_page(settings):
    summary = summarise(make_dafs(**settings))
    assert json.loads(json.dumps(summary, allow_nan=False)) == summary
    page = Page(render(summary))
    assert page.open == []
    assert len(page.ids) == len(set(page.ids))
    links = [a["href"] for tag, a in page.elements if tag == "a"]
    assert {link[1:] for link in links} <= set(page.ids)
    for section in ("panel", "performance", "values", "scores", "members", "coverage", "time"):
        assert section in page.ids
    placed = {a["data-figure"] for _, a in page.elements if "data-figure" in a}
    assert placed == set(figures(summary))
    for name in ("Repeat it", "Time spent", "DAFS" if settings.get("evaluate", True) else "dafs"):
        assert name in page.text


def test_the_real_one_agrees_with_its_result(tmp_path):
    result = dafs_result()
    summary = summarise(result)
    text = Page(render(summary)).text
    for feature in result.panel.feature:
        assert feature in text
    assert "DAFS panel" in text
    assert "consilience panel" not in text
    assert summary["curve"]["chosen"] == len(result.panels[0])
    assert summary["curve"]["honest"] == 1 - result.evaluation["methods"][0]["error"]["value"]
    assert sum(n for _, _, n in summary["members"]["accuracy_bars"]) == len(result.subspaces)
    result.save(tmp_path)
    again = summarise(load_result(tmp_path))
    assert json.dumps(again) == json.dumps(summary)


def test_a_made_result_follows_the_schema_of_real_ones():
    def shape(value):
        if isinstance(value, dict):
            return {key: shape(item) for key, item in value.items() if key not in OPEN}
        return [shape(value[0])] if isinstance(value, list) and value else None

    OPEN = ("versions", "seconds", "never_sampled", "panels", "auc", "kuncheva")
    made, real = make_dafs().to_dict(), dafs_result().to_dict()
    assert shape(made) == shape(real)
    assert shape(made["panels"]) == shape(real["panels"])


def test_the_answer_is_in_plain_words():
    found = answer(make_dafs().to_dict())
    assert found["verdict"] == "holds"
    assert found["opening"] == (
        "Of 300 features measured in 60 samples, the 5 features that score best in 200 small "
        "classifiers, each on 20 random features, are"
    )
    assert found["sentences"][0].startswith("Found anew 10 times, each time without one part")
    assert "an error of 0.06 (0.01 to 0.11)" in found["sentences"][1]
    assert not any("resampl" in sentence for sentence in found["sentences"] + found["cautions"])


def test_nothing_is_claimed_that_was_not_checked():
    found = answer(make_dafs(evaluate=False).to_dict())
    assert found["verdict"] == "untested"
    assert found["sentences"] == ["No accuracy on unseen rows was measured in this run."]


def test_features_that_other_training_rows_do_not_bring_are_suggestions():
    document = make_dafs(fold_share=0.4).to_dict()
    assert fold_shares(document) == [0.4] * 5
    found = answer(document)
    assert found["verdict"] == "unsettled"
    assert any("All 5 features were chosen in fewer than half" in c for c in found["cautions"])


@pytest.mark.parametrize(
    ("case", "said"),
    [
        ({"opposite": True}, "Score and accuracy run oppositely (rank correlation −0."),
        ({"missed": 30}, "30 features of 300 were in no subspace and could not be chosen: gene_0"),
        (
            {"evaluation": "train"},
            "judged on the very rows that their classifiers had learned from",
        ),
        ({"m": 12}, "The panel has the most features that were allowed, 12"),
        ({"errors": {"error": 0.5}}, "The panel does not predict unseen rows"),
        ({"classes": ["a", "b", "c"], "n_samples": 20}, "has only 6 samples"),
    ],
)
def test_cautions(case, said):
    cautions = answer(make_dafs(**case).to_dict())["cautions"]
    assert any(caution.startswith(said) or said in caution for caution in cautions), cautions
    usual = answer(make_dafs().to_dict())["cautions"]
    assert not any(said in caution for caution in usual)


def test_a_score_that_runs_oppositely_is_told_in_the_section_too():
    text = Page(render(summarise(make_dafs(opposite=True)))).text
    assert "The two run oppositely" in text
    assert "The two go together" in Page(render(summarise(make_dafs()))).text


@pytest.mark.parametrize("evaluation", ["oof", "loo", "holdout"])
def test_the_page_says_which_rows_judged(evaluation):
    text = Page(render(summarise(make_dafs(evaluation=evaluation)))).text
    assert text.count("rows held out") == 7  # panel, scores, members, glossary, alts
    for word in ("trained on", "learned from"):
        assert word not in text.replace("trained on them alone", "")


def test_rows_trained_on_are_never_said_to_be_held_out():
    summary = summarise(make_dafs(evaluation="train"))
    text = Page(render(summary)).text + json.dumps(figures(summary))
    for word in ("held out", "held-out", "not learned", "did not learn"):
        assert word not in text.replace("Judge on rows held out", "")
    assert "were right on rows trained on." in text
    assert "promise too much, and say nothing of the panel" in text


@pytest.mark.parametrize(
    ("member", "vote", "said"),
    [
        (0.8, 0.9, "shows that they err on different rows"),
        (0.8, 0.8, "they tend to err on the same rows"),
        (0.4, 0.2, "no better than always naming the largest class (0.50)"),
        (1.0, 1.0, "in 1.00. None of them errs."),
    ],
)
def test_what_the_vote_adds(member, vote, said):
    every = [
        "different rows",
        "the same rows",
        "no better than always naming the largest class (",
        "None of them errs",
    ]
    result = make_dafs().described(
        member_accuracies=np.full(200, member), ensemble_accuracy=vote, evaluation=None
    )
    text = Page(render(summarise(result))).text
    assert said in text
    assert sum(text.count(other) for other in every) == 1


def test_measures_as_published_grow_with_likeness():
    raw = Page(render(summarise(make_dafs(orientation="raw", opposite=True)))).text
    for said in ("To the right, more alike", "weighted by how they resemble the vote", "Double fa"):
        assert said in raw
    for wrong in ("more different", "differ from", "being different", "diversity ("):
        assert wrong not in raw.replace("How they differ from the vote.", "")
    turned = Page(render(summarise(make_dafs()))).text
    assert "To the right, more different" in turned
    assert "alike" not in turned
    disagreement = {"score": "occlusion", "diversity": "disagreement", "r": 1.0}
    same = make_dafs(orientation="raw").described(scoring=disagreement)
    assert "To the right, more different" in Page(render(summarise(same))).text


def test_where_the_vote_is_never_wrong_disagreement_tells_nothing_new():
    disagreement = {"score": "occlusion", "diversity": "disagreement", "r": 1.0}
    result = make_dafs().described(scoring=disagreement)
    assert "The vote is never wrong" not in Page(render(summarise(result))).text
    never = result.described(ensemble_accuracy=1.0)
    assert "The vote is never wrong" in Page(render(summarise(never))).text


def test_of_few_features_no_order_is_told():
    few = make_dafs(n_features=9, subspace_size=3, opposite=True)
    assert few.to_dict()["scoring"]["correlation"] is None
    assert not any("oppositely" in caution for caution in answer(few.to_dict())["cautions"])
    assert "cannot be told: there are too few features." in Page(render(summarise(few))).text
    enough = make_dafs(n_features=10, subspace_size=3, opposite=True)
    assert any("oppositely" in caution for caution in answer(enough.to_dict())["cautions"])


def test_where_all_members_are_equally_diverse_the_page_says_so():
    result = make_dafs().described(member_diversities=np.ones(200), ensemble_accuracy=1.0)
    text = Page(render(summarise(result))).text
    assert "the score is their accuracy alone: the vote of all is never wrong" in text
    assert "their accuracy alone" not in Page(render(summarise(make_dafs()))).text


def test_one_feature_is_followed_by_its_full_stop():
    text = Page(render(summarise(make_dafs(m=1, n_curve=1)))).text
    assert "is gene_00000. Found anew" in text
    assert "gene_00001, gene_00004" in Page(render(summarise(make_dafs()))).text.replace(" ,", ",")


def test_each_criterion_has_its_words():
    text = Page(render(summarise(make_dafs(score="occlusion")))).text
    assert "how much accuracy they lose when the feature is hidden from them" in text
    assert "weighted by how they differ" not in text
    assert (
        "their accuracy, weighted by how they differ" in Page(render(summarise(make_dafs()))).text
    )


def test_the_curve_is_said_to_be_too_good():
    text = Page(render(summarise(make_dafs()))).text
    assert "The curve promises too much." in text
    assert "0.94 in place of 0.80" in text


def test_names_stay_text():
    result = make_dafs(names=[EVIL, "</script><b>&lt;bold", "W" * 200], missed=3)
    names = result.feature_names.copy()
    names[result.never_sampled] = EVIL
    page = Page(render(summarise(result.described(feature_names=names))))
    assert EVIL in page.text
    tags = [tag for tag, _ in page.elements]
    assert "img" not in tags
    assert tags.count("script") == 4


def test_the_lines_of_python_give_the_same_settings():
    result = make_dafs(command=None, max_features=7, diversity="q_statistic", subspace_size=20)
    found = repeat(result.to_dict())
    assert found["exact"]
    scope = {"X": None, "y": None}
    lines = found["text"].replace(".fit(X, y)", "")
    exec(lines, scope)
    expected = DAFS(max_features=7, diversity="q_statistic", random_state=0)
    assert scope["selection"].get_params() == expected.get_params()


def test_the_coverage_map_marks_what_was_drawn_and_its_contours_are_exact():
    summary = summarise(make_dafs())
    traces = figures(summary)["coverage"]["data"]
    assert (traces[-1]["x"], traces[-1]["y"]) == ([20], [200])
    contours = [t for t in traces if t.get("fill") == "tonexty"]
    assert len(contours) == 3
    for level, line in zip((0.999, 0.99, 0.9), contours, strict=True):
        for m, n in zip(line["x"], line["y"], strict=True):
            if n > 1:
                np.testing.assert_allclose(1 - (1 - m / 300) ** n, level, atol=2e-2 * (1 - level))


def chosen_row(summary):
    return next(row for row in summary["coverage"]["needed"] if row["chosen"])


def test_needed_subspaces_reach_the_level_and_no_fewer_do():
    found = chosen_row(summarise(make_dafs()))
    for n, level in zip(found["members"], (0.9, 0.99, 0.999), strict=True):
        assert 1 - (1 - 20 / 300) ** n >= level
        assert 1 - (1 - 20 / 300) ** (n - 1) < level


def test_subspaces_dealt_out_in_turn_cover_all_with_as_many_as_there_are_features():
    result = make_dafs(n_features=100, subspace_size=10, n_subspaces=200, sampling="partition")
    summary = summarise(result.described(coverage=1.0))
    assert chosen_row(summary)["members"] == [9, 10, 10]
    contours = [t for t in figures(summary)["coverage"]["data"] if t.get("fill") == "tonexty"]
    for level, line in zip((0.999, 0.99, 0.9), contours, strict=True):
        for m, n in zip(line["x"], line["y"], strict=True):
            np.testing.assert_allclose(n, max(1, level * 100 / m), atol=0.02, rtol=2e-3)
    text = Page(render(summary)).text
    assert "of 100 features that are dealt out one after the other, every feature is in" in text
    assert "L m/M, at most 1" in text
    assert "(1 − m/M)" not in text
    assert "(1 − m/M)" in Page(render(summarise(make_dafs()))).text


def test_bars_hold_every_value_once():
    values = np.random.default_rng(0).integers(0, 80, 500) / 80
    found = bars(values, 1 / 80)
    assert sum(n for _, _, n in found) == 500
    for middle, width, n in found:
        inside = np.abs(values - middle) <= width / 2 + 1e-9
        assert inside.sum() == n
    assert bars(np.full(4, 0.5), None) == [[0.5, 0.02, 4]]


@pytest.mark.parametrize(("scale", "score", "told"), [
    (True, "occlusion", "columns and the mean that stands for a hidden feature are"),
    (True, "da", "The scale of the columns is"),
    (False, "occlusion", "The mean that stands for a hidden feature is"),
])  # fmt: skip
def test_what_rows_held_out_take_part_in_is_told(scale, score, told):
    text = Page(render(summarise(make_dafs(scale=scale, score=score)))).text
    assert f"{told} taken from all rows, those held out among them, without their classes." in text
    plain = Page(render(summarise(make_dafs(scale=False, score="da")))).text
    assert "those held out among them" not in plain
    assert (
        "those held out among them"
        not in Page(render(summarise(make_dafs(evaluation="train")))).text
    )


def test_the_time_of_one_member_is_told_where_there_are_many():
    text = Page(render(summarise(make_dafs(n_subspaces=200)))).text
    assert "about 5.0 milliseconds of that for each of the 200 members, with checks" in text
    few = Page(render(summarise(make_dafs(n_subspaces=199)))).text
    assert "milliseconds" not in few
    assert "9.6 seconds in all. The evaluation" in few


def test_the_stability_is_that_of_the_folds():
    assert panel_stability(make_dafs().to_dict())["value"] == 0.7
    assert panel_stability(make_dafs(evaluate=False).to_dict()) is None


def test_the_page_is_written(tmp_path):
    assert write_report(make_dafs(), tmp_path / "report.html").stat().st_size > 10_000
