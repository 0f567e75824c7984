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
    for statement in [*paper.table_2(Told()), *paper.table_3(Told())]:
        assert statement.verdict == "holds", statement


def test_a_statement_fails_where_the_figures_say_the_opposite():
    verdicts = [statement.verdict for statement in paper.table_2(Told(shift=-2.0))]
    assert verdicts[0] == "does not hold"  # most error points
    assert verdicts[3] == "does not hold"  # better than nobagg on multivariate selectors
    assert verdicts[2] == "holds"  # not about it


def test_another_number_of_itemsets_does_not_refute_what_was_counted_otherwise():
    class Many(Told):
        def itemsets(self):
            rows = super().itemsets()
            rows.loc[rows["aggregator"] == "maximal-itemsets", "number"] *= 4
            return rows

    assert paper.table_3(Many())[1].verdict == "cannot be decided"


def test_much_chance_decides_nothing():
    verdicts = [statement.verdict for statement in paper.table_2(Told(noise=60.0))]
    assert verdicts.count("cannot be decided") >= 6


def alternatives(error=0.03, similarity=0.21, agreement=0.98, p=0.8):
    first = {"against": "plain", "error": {"value": 0.0, "low": -0.03, "high": 0.03, "p": p}}
    spread = np.linspace(-0.01, 0.01, 10)
    return SimpleNamespace(
        error=error,
        similarity=similarity,
        agreement=agreement,
        fold_similarities=list(similarity + spread),
        fold_agreements=list(agreement + spread / 2),
        panels=[
            SimpleNamespace(error=SimpleNamespace(low=error - 0.02, high=error + 0.06), n_rows=72)
        ],
        evaluation=SimpleNamespace(differences=[first]),
    )


def test_table_4_agrees_with_itself_and_fails_otherwise():
    closed = alternatives(error=0.09, similarity=0.1, agreement=0.9)
    found = {
        "all-medoids": alternatives(),
        "all-closed-itemsets": closed,
        "closed-itemset-medoids": alternatives(error=0.04, agreement=0.97),
    }
    assert {s.verdict for s in paper.table_4(found)} == {"holds"}
    other = {
        "all-medoids": closed,
        "all-closed-itemsets": alternatives(),
        "closed-itemset-medoids": alternatives(error=0.2),
    }
    other["all-medoids"].evaluation.differences[0]["error"]["p"] = 0.01
    assert {s.verdict for s in paper.table_4(other)} == {"does not hold"}


def test_one_difference_decides_nothing():
    assert mean_interval([3.0]) == (3.0, -np.inf, np.inf)
    assert positive([3.0]) == "cannot be decided"


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
