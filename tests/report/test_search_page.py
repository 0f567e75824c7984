"""The page of a searched committee: what it says of which result, and that every case is whole."""

import copy
import json
import re

import numpy as np
import pytest

from consilience import GeneticEnsembleClassifier, load_result
from consilience.report import render as rendering
from consilience.report.answer import answer
from consilience.report.answer_search import HEADLINES
from consilience.report.cautions_search import cautions
from consilience.report.figures import figures
from consilience.report.render import render
from consilience.report.repeat import repeat
from consilience.report.search_words import NAMES, rule_name
from consilience.report.summary import summarise
from consilience.report.summary_search import chance_use
from report.real import EVIL, mixed_table, search_result
from report.test_render import Page

TUNED = {"alpha": "auto", "n_neighbors": "auto"}


@pytest.fixture(autouse=True)
def light(monkeypatch):
    """Leave plotly out, which none of these tests needs to read."""
    monkeypatch.setattr(rendering, "_plotly", lambda: "// plotly")


def changed(differences=None, evaluation=None, **figures_of_the_committee):
    """The real result with other figures of the committee and other differences in error."""
    result = search_result()
    told = copy.deepcopy(result.evaluation) | (evaluation or {})
    told["methods"][0] |= figures_of_the_committee
    for row in told["differences"]:
        if row["against"] in (differences or {}):
            value, p = differences[row["against"]]
            row["error"] = {"value": value, "low": value - 0.05, "high": value + 0.05, "p": p}
    return result.described(evaluation=told)


def rivals_at(result, error):
    """The same with all simpler rivals at one error."""
    for told in result.evaluation["methods"]:
        if told["key"] in ("subspace", "one", "forest"):
            told["error"] = estimate(error)
    return result


def estimate(value, width=0.05):
    return {"value": value, "low": value - width, "high": value + width}


def only(*keys):
    told = copy.deepcopy(search_result().evaluation)
    told["methods"] = [m for m in told["methods"] if m["key"] in keys]
    told["differences"] = [d for d in told["differences"] if d["against"] in keys]
    return search_result().described(evaluation=told | {"integrations": None})


def one_member():
    return search_result(n_estimators=1, evaluated=False)


def perfect():
    """All members right on all validation rows, so that all lie on one place."""
    result = search_result(evaluated=False)
    rounds = {"validation_accuracy": np.ones(4), "diversity": np.zeros(4)}
    return result.described(rounds=rounds)


def trees():
    """Members that are no naive Bayes, by one population."""
    frame, y = mixed_table()
    numbers = frame.drop(columns="colour").fillna(0.0)
    small = {"n_estimators": 2, "n_generations": 1, "population": 3, "random_state": 0}
    return (
        GeneticEnsembleClassifier("tree", n_crossover=3, n_mutation=1, **small)
        .fit(numbers, y)
        .result_
    )


EVALUATED = ("gas-sefs", "random-subspace")
CASES = {
    **{
        method: lambda m=method: search_result(m, evaluated=m in EVALUATED)
        for method in NAMES
        if method != "search-committee"
    },
    "tuned": lambda: search_result(**TUNED),
    "alpha tuned": lambda: search_result(alpha="auto", evaluated=False),
    "neighbours tuned": lambda: search_result(n_neighbors="auto", evaluated=False),
    "backward": lambda: search_result(
        "sequential-selection", direction="backward", evaluated=False
    ),
    "a front": lambda: search_result("pareto", choose="front", evaluated=False),
    "joined by votes": lambda: search_result(integration="vote"),
    "trees": lambda: trees(),
    "no evaluation": lambda: search_result(evaluated=False),
    "no rivals": lambda: only("committee", "ensemble", "majority"),
    "one member": one_member,
    "perfect members": perfect,
    "kappa": lambda: search_result(diversity="kappa", evaluated=False),
    "from Python": lambda: search_result().described(command=None),
    "names with markup": lambda: search_result(evil=True),
}


@pytest.mark.parametrize("case", CASES)
def test_every_case_gives_a_whole_page(case):
    summary = summarise(CASES[case]())
    assert json.loads(json.dumps(summary, allow_nan=False)) == summary
    page = Page(render(summary))
    assert page.open == []
    assert len(page.ids) == len(set(page.ids))
    links = [a["href"] for tag, a in page.elements if tag == "a"]
    assert {link[1:] for link in links} <= set(page.ids)
    for section in ("accuracy", "subsets", "usage", "panel", "values", "time", "repeat"):
        assert section in page.ids
    placed = {a["data-figure"] for _, a in page.elements if "data-figure" in a}
    assert placed == set(figures(summary))
    assert "DAFS" not in page.text
    assert not re.search(r"(?<!=)None(?!\.)", page.text)  # but in a call, and for no warnings
    assert "nan" not in page.text.split()


def test_the_page_agrees_with_its_result(tmp_path):
    result = search_result(**TUNED)
    summary = summarise(result)
    page = Page(render(summary))
    document = result.to_dict()
    for section in ("integrations", "generations", "tuning"):
        assert section in page.ids
    for row in document["rounds"]:
        assert f"{row['validation_accuracy']:.3f}" in page.text
        assert f"{row['diversity']:.3f}" in page.text
    for row in document["members"]:
        assert all(name in page.text for name in row["features"])
    for row in document["evaluation"]["integrations"]:
        assert row["label"] in page.text
        assert f"{row['error']['value']:.3f}" in page.text
    assert f"{document['committee']['n_evaluations']:,} subsets were judged" in page.text
    assert rule_name("dynamic_voting_selection") in page.text
    result.save(tmp_path)
    assert json.dumps(summarise(load_result(tmp_path))) == json.dumps(summary)


def test_the_plane_has_every_generation_and_every_member():
    result = search_result()
    drawn = figures(summarise(result))
    history = result.history
    later = history["process"] > 0  # the first search has nobody to differ from
    for key in ("mean", "best"):
        *paths, dots, members = drawn[f"plane-{key}"]["data"]
        assert len(paths) == 3
        np.testing.assert_allclose(dots["x"], history[f"{key}_diversity"][later], atol=5e-5)
        np.testing.assert_allclose(dots["y"], history[f"{key}_accuracy"][later], atol=5e-5)
        assert dots["marker"]["color"] == history["generation"][later].tolist()
        told = {(round(d, 4), round(a, 4)) for d, a in zip(
            result.rounds["diversity"], result.rounds["validation_accuracy"], strict=True
        )}  # fmt: skip
        assert set(zip(members["x"], members["y"], strict=True)) == told
    assert drawn["plane-mean"]["layout"]["xaxis"] == drawn["plane-best"]["layout"]["xaxis"]


def test_members_on_one_place_share_a_mark():
    members = figures(summarise(perfect()))["plane-best"]["data"][-1]
    assert members["text"] == ["4 members"]
    assert members["customdata"] == ["members 1, 2, 3, 4"]
    assert any("nothing to tell subsets apart by" in c for c in cautions(perfect_document()))


def perfect_document():
    return perfect().described(evaluation=search_result().evaluation).to_dict()


def test_the_strip_tells_who_uses_what():
    result = search_result()
    strip = figures(summarise(result))["subsets"]["data"][0]
    order = result.asked
    used = np.array([[j in subset for subset in result.subsets] for j in order])
    np.testing.assert_array_equal(np.array(strip["z"]) > 0, used)
    strong = np.isin(order, result.panels[0])
    np.testing.assert_array_equal((np.array(strip["z"]) == 2).any(axis=1), strong)


def test_the_chosen_rule_is_marked():
    for rule in ("dynamic_voting_selection", "vote"):
        summary = summarise(search_result(integration=rule))
        rows = summary["integrations"]["rows"]
        drawn = figures(summary)["rules"]
        marks = [trace["marker"]["symbol"] for trace in drawn["data"]]
        assert [row["rule"] for row, m in zip(rows, marks, strict=True) if m == "circle"] == [rule]
        assert "(chosen)" in drawn["alt"]
        assert (
            drawn["layout"]["shapes"][0]["x0"]
            == summary["performance"]["methods"][0]["error"]["value"]
        )


def test_the_tuning_marks_what_was_chosen():
    result = search_result(**TUNED)
    drawn = figures(summarise(result))["tuned"]["data"]
    tuned, told = result.tuning, result.facts
    alphas, neighbours = np.unique(tuned["alpha"]), np.unique(tuned["n_neighbors"])
    assert np.shape(drawn[0]["z"]) == (alphas.size, neighbours.size)
    x, y = drawn[1]["x"][0], drawn[1]["y"][0]
    assert (alphas[y], neighbours[x]) == (told["alpha"], told["n_neighbors"])
    at = (tuned["alpha"] == alphas[y]) & (tuned["n_neighbors"] == neighbours[x])
    np.testing.assert_allclose(drawn[0]["z"][y][x], tuned["accuracy"][at][0], atol=5e-5)


def test_one_subset_at_a_time_needs_one_plane():
    for method, unit in (("hill-climbing", "pass"), ("sequential-selection", "step")):
        drawn = figures(summarise(search_result(method, evaluated=False)))
        assert "plane-mean" not in drawn
        assert drawn["fitness"]["layout"]["xaxis"]["title"]["text"] == unit


def test_blind_draws_are_those_of_many_drawn_committees():
    """Slowly: by drawing."""
    document = search_result().to_dict()
    sizes = [row["n_features"] for row in document["rounds"]]
    rng = np.random.default_rng(0)
    drawn = (rng.random((20_000, len(sizes))) < np.array(sizes) / 7).sum(axis=1)
    told = chance_use(document)
    assert abs(told["mean"] - drawn.mean()) < 0.03
    assert np.mean(drawn <= told["most"]) >= 0.94
    assert np.mean(drawn <= told["most"] - 1) < 0.96


VERDICTS = {
    "helps": lambda: rivals_at(changed({"subspace": (-0.1, 0.01)}), 0.9),
    "predicts": lambda: rivals_at(changed({"subspace": (-0.1, 0.2)}), 0.9),
    "worse": lambda: rivals_at(changed({"subspace": (0.1, 0.01)}), 0.9),
    "alone": lambda: only("committee", "ensemble", "majority"),
    "untested": lambda: search_result(evaluated=False),
    "noise": lambda: changed(error=estimate(0.7), balanced_accuracy=estimate(0.3)),
    "unclear": lambda: rivals_at(
        changed({"majority": (-0.02, 0.8)}, error=estimate(0.65), balanced_accuracy=estimate(0.35)),
        0.9,
    ),
}


@pytest.mark.parametrize("verdict", VERDICTS)
def test_the_headline_follows_the_figures(verdict):
    assert answer(VERDICTS[verdict]().to_dict())["headline"] == HEADLINES[verdict]


def test_the_headline_names_who_does_as_well():
    result = rivals_at(changed({"subspace": (-0.1, 0.01)}, error=estimate(0.2)), 0.3)
    for told in result.evaluation["methods"]:
        if told["key"] == "forest":
            told["error"] = estimate(0.1)
    said = answer(result.to_dict())["headline"]
    assert said == (
        "The committee predicts unseen rows, and better than random features do; a random forest "
        "did as well or better here: error 0.10 against 0.20."
    )


def test_the_answer_tells_rule_alpha_and_rivals():
    told = answer(search_result().to_dict())
    assert "found by GAS-SEFS (alpha 1)" in told["opening"]
    assert "joined by dynamic voting with selection (15 neighbours)" in told["opening"]
    said = " ".join(told["sentences"])
    for part in (
        "as many members on random features err in",
        "a random forest errs in",
        "a plain vote",
    ):
        assert part in said
    votes = answer(search_result(integration="vote").to_dict())["opening"]
    assert "joined by a plain vote." in votes
    assert "neighbours" not in votes


def test_cautions_say_what_promises_too_much():
    said = " ".join(cautions(search_result().to_dict()))
    assert "are from the rows that chose them, and promise too much" in said
    assert "Only 2" in said  # 22 or 23 rows judged the members
    assert "promise" not in " ".join(cautions(search_result("random-subspace").to_dict()))


def test_a_rule_that_does_better_is_named_with_a_warning():
    result = changed()
    rows = result.evaluation["integrations"]
    rows[1] |= {"error": estimate(0.05), "difference": estimate(-0.2) | {"p": 0.001}}
    said = " ".join(cautions(result.to_dict()))
    assert "The same members err less often joined by a plain vote: −0.20" in said
    assert "joined by a plain vote: −" not in " ".join(cautions(search_result().to_dict()))


def test_groups_and_like_members_are_told():
    document = search_result().to_dict()
    document["settings"]["grouped"] = True
    for row in document["rounds"]:
        row["diversity"] = 0.01
    said = " ".join(cautions(document))
    assert "rows of one group are on both sides" in said
    assert "hardly differ: their mean diversity is 0.01; a larger alpha may serve better." in said


def test_names_with_markup_stay_text():
    page = render(summarise(search_result(evil=True)))
    assert EVIL not in page
    assert "&lt;img src=x onerror=alert(1)&gt;" in page


def test_the_call_repeats_the_result():
    result = search_result(alpha=2.0, evaluated=False)
    told = repeat(result.described(command=None).to_dict())
    assert (told["language"], told["exact"]) == ("python", True)
    frame, y = mixed_table()
    found = {}
    exec(told["text"], {"X": frame, "y": y}, found)
    again = found["selection"].result_
    assert again.to_dict()["members"] == result.to_dict()["members"]
