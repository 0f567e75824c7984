"""What `compare` refuses, in one sentence and before any work."""

import numpy as np
import pytest
from sklearn.feature_selection import SelectKBest

from consilience import InformationGain, MostFrequent, Table, make_planted
from consilience.evaluation import compare
from consilience.exceptions import DataError, UsageError

QUICK = {"n_features_to_select": 5, "n_models": 10, "n_splits": 4, "random_state": 3}
AGGREGATORS = ["average-rank", "most-frequent"]


def planted():
    return make_planted(48, 30, effect=1.0, n_blocks=3, random_state=0).table


@pytest.fixture(scope="module")
def table():
    return planted()


BAD = [
    ({"selectors": ["chi-squre"]}, "did you mean 'chi-square'?"),
    ({"aggregators": ["most-freqent"]}, "did you mean 'most-frequent'?"),
    ({"classifiers": ["svn"]}, "did you mean 'svm'?"),
    ({"classifiers": ["forest"]}, "known are svm, knn, tree, j48"),
    ({"classifiers": ["svm", "svm"]}, "classifier 'svm' is given twice"),
    ({"classifiers": []}, "no classifier"),
    ({"selectors": ["chi-square", "CHI"]}, "selector 'chi-square' is given twice"),
    ({"selectors": []}, "no selector"),
    ({"selectors": [InformationGain]}, "is no selector"),
    ({"aggregators": ["most-frequent", MostFrequent()]}, "'most-frequent' is given twice"),
    ({"aggregators": {"nobagg": MostFrequent()}}, "which always takes part"),
    ({"aggregators": [3]}, "3 is no aggregator"),
    ({"datasets": []}, "at least one data set"),
    ({"datasets": [planted(), planted()]}, "Two data sets are called"),
    ({"datasets": {"x": 3}}, "give a Table, or a pair"),
    ({"datasets": {"x": (np.ones((6, 2)), np.ones(6))}}, "has one class only"),
    ({"n_models": 0}, "n_models"),
    ({"sample_share": 1.5}, "sample_share is 1.5"),
    ({"sample_share": "0.8"}, "sample_share is '0.8'"),
    ({"sample_share": True}, "sample_share is True"),
    ({"n_splits": 1}, "1 folds leave nothing"),
    ({"n_features_to_select": 0}, "n_features_to_select is 0"),
]


@pytest.mark.parametrize(("change", "reason"), BAD, ids=[reason for _, reason in BAD])
def test_bad_requests_get_one_sentence(table, change, reason):
    settings = {"datasets": table, "selectors": ["chi-square"]} | QUICK
    with pytest.raises((UsageError, DataError)) as caught:
        compare(**settings | change)
    assert reason in str(caught.value)
    assert str(caught.value).endswith((".", "?"))


def test_missing_values_are_refused_before_any_work(table):
    X = table.X.copy()
    X[4, 2] = np.nan
    gap = Table(X, table.y, source="gap.csv")
    with pytest.raises(DataError, match=r"'gap.csv'.*row 5.*svm-rfe cannot use"):
        compare([gap], ["chi-square", "svm-rfe"], AGGREGATORS, **QUICK)
    assert len(compare([gap], ["chi-square"], AGGREGATORS, ["knn"], **QUICK).outcomes) == 3


def test_nominal_columns_reach_the_selectors_that_take_them(table):
    codes = np.random.default_rng(0).integers(0, 3, 48)
    X = np.column_stack([table.X, codes])
    nominal = np.arange(31) == 30
    mixed = Table(X, table.y, categorical_features=nominal, source="mixed")
    with pytest.raises(UsageError, match="'mixed' has nominal columns and F test takes numbers"):
        compare(mixed, {"F test": SelectKBest()}, AGGREGATORS, **QUICK)
    with pytest.raises(DataError, match="'x30' holds categories"):
        compare(mixed, ["svm-rfe"], AGGREGATORS, **QUICK)
    found = compare(mixed, ["chi-square"], ["most-frequent"], ["knn"], **QUICK)
    assert len(found.outcomes) == 2
