"""Verdicts on published statements, from figures written by hand."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from consilience.aggregation import AGGREGATORS
from consilience.evaluation.reproduce import model_mining as paper
from consilience.evaluation.reproduce.verdicts import all_of, mean_interval, positive
from consilience.selectors import SELECTORS

PUBLISHED = {  # the means of the paper; where only that of five is known, each has it
    "error": {"closedApr": 5.6, "maxApr": 5.0, "mostFreq": 4.9, "nobagg": 4.9, "other": 3.1},
    "stability": {"mostFreq": 6.5, "closedApr": 6.3, "avgRank": 6.2, "nobagg": 5.3, "other": 2.3},
}
OF_SELECTORS = {  # what the text says of information gain and chi-square (True) and of the others
    ("error", "mostFreq", True): -0.8,
    ("error", "mostFreq", False): -0.8,
    ("error", "medClosedApr", True): -0.5,
    ("error", "medClosedApr", False): -0.5,
    ("stability", "mostFreq", True): -2.0,
    ("stability", "mostFreq", False): 0.7,
}
ITEMSETS = {  # number, size and support by kind of selector
    "closed-itemsets": {"uni": (50, 12.5, 0.6), "multi": (60, 6.5, 0.4), "cfs": (70, 4.5, 0.3)},
    "maximal-itemsets": {"uni": (10, 12.0, 0.5), "multi": (12, 6.0, 0.3), "cfs": (14, 4.0, 0.2)},
}


class Told:
    """A comparison that says what it is told to, give or take a little chance."""

    def __init__(self, shift=0.0, noise=0.3):
        self.rng = np.random.default_rng(0)
        self.shift, self.noise = shift, noise

    def table(self):
        rows = []
        for data in "abcd":
            for selector in paper.SELECTORS:
                for name, label in paper.NAMES.items():
                    points = {
                        f"{figure}_points": means.get(label, means["other"])
                        + OF_SELECTORS.get((figure, label, selector in paper.UNIVARIATE[:2]), 0.0)
                        + self.noise * self.rng.normal()
                        for figure, means in PUBLISHED.items()
                    }
                    if name == "closed-itemsets":
                        points["error_points"] += self.shift
                    rows.append(
                        {"data": data, "selector": selector, "aggregator": name,
                         "classifier": "svm", **points}
                    )  # fmt: skip
        return pd.DataFrame(rows)

    def itemsets(self):
        rows = []
        for data in "abcd":
            for selector in paper.SELECTORS:
                kind = "cfs" if selector == "cfs" else "multi"
                kind = "uni" if selector in paper.UNIVARIATE else kind
                for name, told in ITEMSETS.items():
                    number, size, support = told[kind]
                    size += 0.1 * self.rng.normal()
                    rows.append((data, selector, name, number, size, support))
        columns = ["data", "selector", "aggregator", "number", "size", "support"]
        return pd.DataFrame(rows, columns=columns)


def test_names_are_those_of_the_registries_and_of_the_paper():
    for name, label in (paper.AGGREGATORS | paper.SEVERAL).items():
        assert AGGREGATORS[name].paper == label
    assert set(paper.SELECTORS) <= set(SELECTORS.names())


def test_the_paper_agrees_with_itself():
    for statement in paper.table_2(Told()) + paper.table_3(Told().itemsets()):
        assert statement.verdict == "holds", statement


def test_a_statement_fails_where_the_figures_say_the_opposite():
    verdicts = {s.published: s.verdict for s in paper.table_2(Told(shift=-2.0))}
    assert verdicts["closedApr gets the most error points (5.6)."] == "does not hold"
    multivariate = "On the four multivariate selectors closedApr errs less than nobagg."
    assert verdicts[multivariate] == "does not hold"
    assert verdicts["avgRank errs more than nobagg."] == "holds"  # not about it


def test_selectors_of_one_data_set_are_not_counted_as_many_witnesses():
    class One(Told):
        def table(self):
            rows = super().table()
            return rows[rows["data"] == "a"]

    assert {s.verdict for s in paper.table_2(One())} == {"cannot be decided"}


@pytest.mark.parametrize(
    ("times", "verdict"), [(1.5, "holds"), (4, "does not hold"), (0.25, "does not hold")]
)
def test_the_number_of_itemsets_is_judged_by_half_and_twice_the_published_one(times, verdict):
    rows = Told().itemsets()
    rows["number"] *= rows["aggregator"].map({"maximal-itemsets": times, "closed-itemsets": 1})
    assert paper.table_3(rows)[1].verdict == verdict


def test_itemsets_that_were_too_many_to_count_are_left_out():
    rows = Told().itemsets()
    rows.loc[rows["selector"] == "relieff", ["number", "size", "support"]] = np.nan
    assert {s.verdict for s in paper.table_3(rows)} == {"holds"}


def test_much_chance_decides_nothing():
    verdicts = [statement.verdict for statement in paper.table_2(Told(noise=60.0))]
    assert verdicts.count("cannot be decided") >= 9


def alternatives(error=0.03, similarity=0.21, agreement=0.98, p=0.8, n_rows=2000):
    first = {"against": "plain", "error": {"value": 0.0, "low": -0.03, "high": 0.03, "p": p}}
    spread = np.linspace(-0.01, 0.01, 10)
    predicted = np.zeros((10, n_rows), dtype=int)
    predicted[:, : round(error * n_rows)] = 1
    return SimpleNamespace(
        error=error,
        similarity=similarity,
        agreement=agreement,
        fold_similarities=list(similarity + spread),
        fold_agreements=list(agreement + spread / 2),
        predicted=predicted,
        panels=[SimpleNamespace(n_rows=n_rows)],
        evaluation=SimpleNamespace(differences=[first], y=np.zeros(n_rows, dtype=int)),
    )


def several(medoids, closed, seeded):
    found = {"all-medoids": medoids, "all-closed-itemsets": closed}
    return paper.table_4(found | {"closed-itemset-medoids": seeded})


def test_table_4_agrees_with_itself_and_fails_otherwise():
    closed = alternatives(error=0.09, similarity=0.1, agreement=0.9)
    seeded = alternatives(error=0.04, agreement=0.97)
    assert {s.verdict for s in several(alternatives(), closed, seeded)} == {"holds"}
    other = alternatives(error=0.09, similarity=0.09, agreement=0.9, p=0.01)
    opposite = several(other, alternatives(), alternatives(error=0.2))
    assert {s.verdict for s in opposite} == {"does not hold"}


def test_few_rows_do_not_decide_about_errors():
    few = [alternatives(n_rows=72), alternatives(0.09, 0.1, 0.9, n_rows=72)]
    few[0].evaluation.differences[0]["error"]["high"] = 0.07
    verdicts = [s.verdict for s in several(*few, few[0])]
    assert verdicts[0] == verdicts[2] == "holds"
    assert verdicts[1] == verdicts[3] == verdicts[4] == "cannot be decided"


def test_one_difference_decides_nothing():
    assert mean_interval([3.0]) == (3.0, -np.inf, np.inf)
    assert positive([3.0]) == "cannot be decided"


def test_of_many_rows_one_may_be_below_by_chance():
    below = [-1.0, -0.4, -0.5, -1.3]
    assert positive(below) == "does not hold"
    assert positive(below, *[[1.0, 1.1, 1.2, 1.3]] * 9) == "cannot be decided"
    assert positive([-1.0, -1.01, -1.02], *[[1.0, 1.1, 1.2]] * 9) == "does not hold"


@pytest.mark.parametrize(
    ("verdicts", "expected"),
    [
        (["holds", "holds"], "holds"),
        (["holds", "cannot be decided"], "cannot be decided"),
        (["cannot be decided", "does not hold"], "does not hold"),
        ([], "cannot be decided"),
    ],
)
def test_several_statements_at_once(verdicts, expected):
    assert all_of(verdicts) == expected
