import pytest

from consilience.aggregation import AGGREGATORS
from consilience.committee.methods import COMMITTEES
from consilience.ensemble import ENSEMBLES
from consilience.exceptions import UsageError
from consilience.registry import Registry, kebab_case
from consilience.selectors import SELECTORS

REGISTRIES = (SELECTORS, AGGREGATORS, ENSEMBLES, COMMITTEES)
ENTRIES = [(registry, entry) for registry in REGISTRIES for entry in registry]


@pytest.fixture
def shapes():
    shapes = Registry("shape")

    @shapes.add(paper="SQ", source="Euclid")
    class FairSquare:
        """Four equal sides.

        And more to say.
        """

    @shapes.add(name="circle", paper="O", source="Giotto")
    class PerfectCircle:
        """No side at all."""

    shapes.classes = (FairSquare, PerfectCircle)
    return shapes


@pytest.mark.parametrize(("name", "expected"), [
    ("MostFrequent", "most-frequent"), ("ChiSquare", "chi-square"), ("CFS", "cfs"),
    ("InformationGain", "information-gain"), ("X2Y", "x2-y"),
])  # fmt: skip
def test_names_are_in_kebab_case(name, expected):
    assert kebab_case(name) == expected


@pytest.mark.parametrize("name", ["fair-square", "Fair-Square", "SQ", "sq", "FairSquare"])
def test_a_method_is_found_by_any_of_its_names(shapes, name):
    assert shapes[name].cls is shapes.classes[0]


def test_an_entry_tells_what_it_is(shapes):
    entry = shapes["circle"]
    assert (entry.name, entry.paper, entry.source) == ("circle", "O", "Giotto")
    assert entry.summary == "No side at all."
    assert shapes["fair-square"].summary == "Four equal sides."


def test_the_order_is_that_of_registration(shapes):
    assert shapes.names() == [entry.name for entry in shapes] == ["fair-square", "circle"]
    assert len(shapes) == 2


def test_an_unknown_name_is_answered_with_the_nearest(shapes):
    with pytest.raises(UsageError, match="Unknown shape 'cirkle'; did you mean 'circle'"):
        shapes["cirkle"]
    with pytest.raises(UsageError, match="Unknown shape 'zzz'; known are fair-square, circle"):
        shapes["zzz"]


def test_a_class_knows_its_name(shapes):
    assert shapes.name_of(shapes.classes[1]) == "circle"
    assert shapes.name_of(int) == "int"


@pytest.mark.parametrize(("registry", "entry"), ENTRIES, ids=[e.name for _, e in ENTRIES])
def test_every_registered_method_is_complete(registry, entry):
    assert registry[entry.name] is registry[entry.paper] is registry[entry.cls.__name__] is entry
    assert entry.summary.endswith(".")
    assert entry.paper
    assert entry.source
    assert entry.cls() is not None  # the defaults suffice


def test_names_do_not_clash():
    for registry in REGISTRIES:
        names = [name for e in registry for name in {e.name, e.paper.casefold()}]
        assert len(names) == len(set(names))
    assert [e.name for e in SELECTORS] == [
        "bw-ratio",
        "cfs",
        "chi-square",
        "information-gain",
        "markov-blanket",
        "mrmr",
        "relieff",
        "ridge-rfe",
        "svm-one",
        "svm-rfe",
        "symmetrical-uncertainty",
    ]
    assert [e.name for e in AGGREGATORS] == [
        "all-closed-itemsets",
        "all-maximal-itemsets",
        "all-medoids",
        "average-rank",
        "closed-itemset-medoid",
        "closed-itemset-medoids",
        "closed-itemsets",
        "cross-entropy-rank",
        "exponential-rank",
        "largest-cluster-medoid",
        "markov-chain-rank",
        "maximal-itemset-medoid",
        "maximal-itemsets",
        "most-frequent",
        "most-representative",
        "weighted-rank",
    ]
    assert [e.name for e in ENSEMBLES] == ["balanced-wrapper", "dafs", "ensemble"]
    assert [e.name for e in COMMITTEES] == [
        "qifs",
        "efs",
        "eifs",
        "gas-sefs",
        "ga",
        "hill-climbing",
        "gefs",
        "whole-ensemble",
        "sequential-selection",
        "pareto",
        "random-subspace",
    ]


def test_joined_registries_know_the_names_of_both():
    both = ENSEMBLES.joined(COMMITTEES)
    assert both.names() == [*ENSEMBLES.names(), *COMMITTEES.names()]
    assert both["Qifs"] is COMMITTEES["qifs"]
    assert "qifs" not in ENSEMBLES  # neither is changed
