"""What is said of where a panel comes from is true of the aggregator that found it."""

import numpy as np
import pytest

from consilience import FeatureModels
from consilience.aggregation import AGGREGATORS
from consilience.report.answer import answer
from consilience.report.origin import ONE_SELECTION, TOGETHER, origin
from report.standin import make_result


def opening(name):
    document = make_result(m=3).to_dict()
    document["settings"]["aggregator"]["name"] = name
    return answer(document)["opening"]


def test_the_names_are_known():
    assert {entry.name for entry in AGGREGATORS} >= ONE_SELECTION | TOGETHER


@pytest.mark.parametrize("name", sorted(ONE_SELECTION))
def test_a_panel_said_to_be_one_selection_is_one(name):
    rng = np.random.default_rng(0)
    subsets = [
        np.r_[np.arange(3), 3 + rng.choice(9, 3, replace=False)]
        if k % 2
        else rng.choice(12, 6, replace=False)
        for k in range(40)
    ]
    cls = next(entry.cls for entry in AGGREGATORS if entry.name == name)
    panel = cls().aggregate(FeatureModels(subsets, 12), 6, random_state=0)[0]
    assert set(panel) in [set(subset) for subset in subsets]


def test_the_page_tells_one_selection_from_agreement():
    assert opening("most-frequent").endswith(
        "the 3 features on which 60 selections from resampled data agree most are"
    )
    assert opening("most-representative").endswith(
        "the 3 features of the selection that is nearest to the others, among 60 from resampled "
        "data, are"
    )
    assert "often chosen together in 60 selections" in opening("all-closed-itemsets")


def test_the_terminal_says_the_same(tmp_path, capsys, monkeypatch):
    from consilience.cli.show import print_result

    monkeypatch.setenv("COLUMNS", "200")
    for name in ("most-frequent", "all-medoids", "all-maximal-itemsets"):
        document = make_result(m=3).to_dict()
        document["settings"]["aggregator"]["name"] = name
        print_result(document, tmp_path)
        words = origin(document["settings"])
        assert f"Panel: the 3 features {words}" in capsys.readouterr().out
