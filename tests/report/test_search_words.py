"""What page and terminal say of a searched committee is true, in the right number, and no more."""

import copy

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from consilience.cli import show_search
from consilience.report import label_places
from consilience.report import render as rendering
from consilience.report.answer import answer
from consilience.report.cautions_search import cautions, gravest
from consilience.report.label_places import place_labels
from consilience.report.render import render
from consilience.report.search_plane import search_facts
from consilience.report.search_use import blind_features, panel_said, same_members, use_cautions
from consilience.report.search_words import joined_said, neighbours_said
from consilience.report.summary import summarise
from consilience.report.summary_search import integrations, tuning
from report.real import search_result
from report.test_render import Page


@pytest.fixture(autouse=True)
def light(monkeypatch):
    monkeypatch.setattr(rendering, "_plotly", lambda: "// plotly")


def document_of(*words, **options):
    return copy.deepcopy(search_result(*words, **options).to_dict())


def used(document, *n_members, of=10):
    """The same with a panel whose features are used by so many members."""
    first = document["panels"][0]["features"][0]
    document["panels"][0]["features"] = [first | {"n_members": n} for n in n_members]
    document["committee"]["n_members"] = of
    return document


@pytest.mark.parametrize(
    ("n_members", "said"),
    [
        ((6, 4), "the 2 features used most, each by at least 4 of 10 naive Bayes classifiers"),
        ((5, 5), "the 2 features used most, each by 5 of 10 naive Bayes classifiers"),
        ((4,), "the feature used most, by 4 of 10 naive Bayes classifiers"),
    ],
)
def test_the_panel_is_called_what_it_is(n_members, said):
    document = used(document_of(evaluated=False), *n_members)
    assert panel_said(document) == said
    assert show_search.title(document) == f"Panel: {said}"


def test_the_page_claims_no_majority():
    document = document_of(evaluated=False)
    page = Page(render(summarise(search_result(evaluated=False))))
    assert "that most members use" not in page.text
    assert panel_said(document)[1:] in page.text


def test_one_member_on_one_feature_is_told_in_the_singular():
    result = search_result(n_estimators=1, evaluated=False)
    one = result.described(subsets=[result.subsets[0][:1]], panels=[result.subsets[0][:1]])
    said = Page(render(summarise(one))).text + str(show_search.stability(one.to_dict()))
    assert panel_said(one.to_dict()) == "the feature of the one naive Bayes classifier"
    part = copy.deepcopy(one.to_dict())
    part["committee"]["n_used"] = 5
    assert panel_said(part) == "1 of the 5 features of the one naive Bayes classifier"
    for wrong in ("1 features", "1 members", "1 times", "1.0 on average", "classifier use "):
        assert wrong not in said
    assert "The member uses 1 feature of 7." in said


def test_features_drawn_by_lot_are_not_liked():
    result = search_result("random-subspace")
    document, page = result.to_dict(), Page(render(summarise(result))).text
    assert "liked" not in page
    assert "the search included" not in page
    assert "drawn most often" in page
    assert "Drawn most often" in answer(document)["opening"]
    assert any("by lot" in line for line in gravest(document))
    assert "the search included" in Page(render(summarise(search_result()))).text


@pytest.mark.parametrize("left", [("one",), ("one", "forest"), ("subspace", "forest")])
def test_rivals_are_told_in_whole_sentences(left):
    document = document_of()
    told = document["evaluation"]["methods"]
    document["evaluation"]["methods"] = [
        m for m in told if m["key"] in ("committee", "ensemble", "majority", *left)
    ]
    (said,) = [line for line in answer(document)["sentences"] if line.startswith("On the same")]
    verbs = {"subspace": "features err in", "one": "features errs in", "forest": "forest errs in"}
    for key, verb in verbs.items():
        assert (verb in said) == (key in left)


def test_use_no_more_than_blind_draws_is_told():
    document = used(document_of(evaluated=False), 6, 5)
    document["rounds"] = [{"n_features": 2}] * 10
    document["committee"]["n_candidates"] = 4  # 19 of 20 would be used by 8 members at most
    assert "No feature of the panel is used by more" in use_cautions(document)[0]
    assert "(8 of 10)" in use_cautions(document)[0]
    assert (
        "Only 1 of the 3 features of the panel is used"
        in (use_cautions(used(document, 9, 5, 5))[0])
    )
    assert use_cautions(used(document, 9, 9, 5)) == []
    every = used(document, *[9] * 7)
    assert use_cautions(every) == ["The panel is all 7 features: it leaves nothing out."]


def test_of_many_features_some_are_used_often_by_chance():
    """By drawing: what the sentence says of blind committees is what they do."""
    document = used(document_of(evaluated=False), *[6] * 20)
    document["rounds"] = [{"n_features": 150}] * 10
    document["committee"]["n_candidates"] = 500
    rng = np.random.default_rng(0)
    drawn = (rng.random((200, 500, 10)) < 150 / 500).sum(axis=2)
    often = (drawn >= 6).sum(axis=1).mean()
    assert abs(blind_features(document, 6) - often) < 0.1 * often
    assert 15 < often < 30
    assert "would give about" in use_cautions(document)[0]
    assert use_cautions(used(document, *[8] * 20)) == []


def with_difference(value, p, **figures):
    document = document_of()
    document["evaluation"]["methods"][0] |= figures
    for row in document["evaluation"]["differences"]:
        if row["against"] == "majority":
            row["error"] = {"value": value, "low": value - 0.1, "high": value + 0.1, "p": p}
    return document


def test_the_headline_claims_fewer_errors_only_where_they_are_shown():
    own = {"error": {"value": 0.6, "low": 0.5, "high": 0.65}}
    shown, not_shown = with_difference(-0.07, 0.01, **own), with_difference(-0.07, 0.84, **own)
    assert answer(shown)["headline"].startswith("The committee predicts unseen rows")
    told = answer(not_shown)
    assert told["headline"].startswith("By balanced accuracy the committee is better than guessing")
    assert "errs less often than always naming the largest class is not shown" in told["headline"]
    assert told["verdict"] == "unsettled"
    assert any("naming the largest class (−0.07" in line for line in told["cautions"])
    more = with_difference(0.2, 0.01, error={"value": 0.86, "low": 0.8, "high": 0.9})
    assert "It errs more often than always naming the largest class" in " ".join(cautions(more))


def searched(method, *fitness, **settings):
    history = {
        "process": [0.0] * len(fitness),
        "generation": list(range(len(fitness))),
        "best_fitness": list(fitness),
    }
    document = {"method": method, "search": history, "rounds": [], "committee": {}}
    return search_facts(document | {"settings": settings})["grew"]


def test_fitness_that_falls_is_said_to_fall():
    fell = searched("gas-sefs", 0.5, 0.8, 0.467, elitism=0)
    assert fell == (
        "The fitness of the best fell by 0.033: by the paper's rules nothing is kept for sure "
        "(elitism 0), and the best of the last generation joins; on the way there was one better "
        "by 0.333."
    )
    assert "on the way" not in searched("gas-sefs", 0.5, 0.6, elitism=0)
    assert searched("gas-sefs", 0.5, 0.6, elitism=1) == "The fitness of the best grew by 0.100."
    assert searched("hill-climbing", 0.5, 0.6) == "The fitness of the best grew by 0.100."
    for incomparable in ("gefs", "pareto"):
        assert searched(incomparable, 0.5, 0.6) == ""


def test_a_front_has_neither_fitness_nor_alpha():
    page = Page(render(summarise(search_result("pareto", evaluated=False)))).text
    assert "Fitness" not in page
    assert "alpha times" not in page
    adapted = Page(render(summarise(search_result("gefs", evaluated=False)))).text
    assert "the fitness of different generations is not compared" in adapted
    assert "grew" not in adapted


def test_copies_are_counted():
    rows = [{"member": k + 1, "features": list(names)} for k, names in enumerate("aabaa")]
    document = document_of() | {"members": rows}
    assert same_members(document) == "4 of the 5 members are the same"
    assert "4 of the 5 members are the same: a copy" in " ".join(cautions(document))
    assert same_members({"members": [{"features": [name]} for name in "abc"]}) == ""
    assert same_members({"members": None}) == ""


def test_the_terminal_has_the_gravest_cautions():
    document = document_of()
    (panel,) = [m for m in document["evaluation"]["methods"] if m["key"] == "ensemble"]
    panel["panels"] = [[] for _ in panel["panels"]]
    lines = str(show_search.stability(document)).split("\n")[1:]
    assert all(line.startswith("Careful: ") for line in lines)
    assert "fewer than half of the training sets" in lines[0]
    assert any("judged the members, so that luck chose along" in line for line in lines)


def rule(name, error, chosen=False):
    return {"rule": name, "label": name, "error": {"value": error}, "chosen": chosen}


@pytest.mark.parametrize(
    ("errors", "said"),
    [
        ((0.2, 0.2, 0.2), "All rules err alike, 0.200: here the rule does not matter."),
        ((0.1, 0.2, 0.2), "The fewest errors are those of the rule that was chosen, 0.100."),
        ((0.2, 0.1, 0.2), "The fewest errors, 0.100, are those of b."),
        ((0.1, 0.1, 0.2), "The fewest errors, 0.100, are those of a (chosen) and b, which tie."),
    ],
)
def test_rules_that_tie_are_said_to_tie(errors, said):
    document = document_of()
    document["evaluation"]["integrations"] = [
        rule(name, error, name == "a") for name, error in zip("abc", errors, strict=True)
    ]
    assert integrations(document)["said"] == said


def test_neighbours_are_no_more_than_there_are_rows():
    document = document_of(evaluated=False)
    document["committee"]["n_neighbors"] = 500
    assert neighbours_said(document).startswith("90 neighbours")
    assert "(90 neighbours, all rows there are, of 500 asked for)" in joined_said(document, "They")
    document["committee"]["integration"] = "static"
    assert joined_said(document, "They") == "The best member answers alone."


def test_the_end_of_the_list_is_noted():
    document = document_of(alpha="auto", n_neighbors="auto")
    chosen = document["committee"]
    for alpha, said in ((8.0, "largest that was tried"), (0.0, "does not help"), (1.0, "")):
        chosen["alpha"], chosen["n_neighbors"] = alpha, 7
        ends = tuning(document)["ends"]
        assert said in ends
        assert bool(said) == bool(ends)


def test_a_result_is_shown_in_a_line():
    for method in ("gas-sefs", "random-subspace"):
        said = repr(search_result(method, evaluated=False))
        assert len(said) < 200
        assert "n_members=4" in said
        assert "array(" not in said


POINTS = st.lists(
    st.tuples(st.floats(0.05, 0.95), st.floats(0.05, 0.95)), min_size=1, max_size=25, unique=True
)


@given(points=POINTS)
def test_labels_lie_on_nothing(points):
    texts = [str(k + 1) for k in range(len(points))]
    frame = {"x": [0, 1], "y": [0, 1]}
    places = place_labels(points, texts, frame)
    for width in label_places.WIDTHS:
        at = [(x * width, y * label_places.HEIGHT) for x, y in points]
        boxes = [
            label_places._label(where, text, place)
            for where, text, place in zip(at, texts, places, strict=True)
            if place
        ]
        for k, (left, right, bottom, top) in enumerate(boxes):
            for other in boxes[:k]:
                assert (
                    right <= other[0] or other[1] <= left or top <= other[2] or other[3] <= bottom
                )
            for x, y in at:
                assert not (left < x < right and bottom < y < top)


def test_a_point_alone_has_its_label():
    assert place_labels([(0.5, 0.5)], ["1"], {"x": [0, 1], "y": [0, 1]}) == ["top center"]
