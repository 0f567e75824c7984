"""What BalancedWrapper does with odd tables, and what it refuses, in one sentence."""

import warnings

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from sklearn.cluster import KMeans
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from consilience import BalancedWrapper
from consilience.exceptions import ConsilienceWarning, DataError, UsageError
from consilience.learners import CompactTreeClassifier

rng = np.random.default_rng(0)
X = rng.normal(size=(60, 8))
y = np.arange(60) < 12
X[:, 2] += 3.0 * y


def wrapper(**options):
    quick = {"n_features_to_select": 2, "ensemble_size": 3, "cv": 3, "random_state": 0}
    return BalancedWrapper(**quick | options)


@pytest.mark.parametrize("n_minority", [2, 3, 4])
@pytest.mark.parametrize("balance", ["hybrid", "smote", "ros", "rus", "cost", False])
def test_a_minority_of_a_few_rows_is_searched_for(n_minority, balance):
    # With five folds some have no such row to test, and two rows leave one to learn from.
    y = np.arange(60) < n_minority
    table = rng.normal(size=(60, 6))
    table[:, 4] += 50.0 * y
    method = wrapper(balance=balance, cv=5, n_features_to_select=1)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always", ConsilienceWarning)
        found = method.fit(table, y)
    assert np.isfinite(found.fitness_path_.fitness).all()
    undecided = (found.scores_ == 0.5).all()
    assert undecided == any(
        "All 6 candidates have a fitness of 0.5" in str(w.message) for w in said
    )
    assert undecided == (n_minority == 2 and balance in ("hybrid", "rus"))
    if n_minority > 2:  # two rows of one class make no leaf of their own beside 58 of the other
        assert found.selected_.tolist() == [4]


def test_a_minority_of_one_row_is_refused():
    with pytest.raises(DataError, match="Class True has 1 row, so that no split has some of it"):
        wrapper().fit(X, np.arange(60) < 1)


def test_one_class_is_refused():
    with pytest.raises(DataError, match="All 60 rows have the class"):
        wrapper().fit(X, np.zeros(60))


@pytest.mark.parametrize("n_minority", [21, 25, 28, 30])
def test_nearly_balanced_classes_are_no_trouble(n_minority):
    y = np.arange(60) < n_minority
    table = rng.normal(size=(60, 6)) + 4.0 * y[:, None] * (np.arange(6) == 1)
    found = wrapper(n_features_to_select=1).fit(table, y)
    assert found.selected_.tolist() == [1]


@pytest.mark.filterwarnings("ignore:All . candidates have a fitness of 0.5:UserWarning")
def test_where_all_candidates_tie_chi_square_decides_and_then_the_seed():
    # No column says anything in any sample: every fitness is a half.
    table = np.tile(np.arange(60) % 2, (5, 1)).T.astype(float)
    tied = wrapper(estimator=DecisionTreeClassifier(max_depth=1, min_samples_leaf=40))
    found = tied.fit(table, y)
    assert_array_equal(found.fitness_path_.fitness, 0.5)
    chosen = {
        int(wrapper(estimator=tied.estimator, random_state=seed, n_features_to_select=1)
            .fit(table, y).selected_[0])
        for seed in range(10)
    }  # fmt: skip
    assert len(chosen) > 2
    liked = np.column_stack([table, (y + np.arange(60) % 7 == 1).astype(float)])
    found = wrapper(estimator=tied.estimator, n_features_to_select=1).fit(liked, y)
    assert found.selected_.tolist() == [5]


def test_constant_columns_are_never_taken():
    table = np.column_stack([np.full(60, 7.0), X[:, 2], np.zeros(60), X[:, 0]])
    with pytest.warns(ConsilienceWarning, match="Only 2 of the 3 features asked for vary"):
        found = wrapper(n_features_to_select=3).fit(table, y)
    assert set(found.selected_) == {1, 3}
    assert sorted(found.ranking_) == [1, 2, 3, 4]
    with pytest.raises(DataError, match="All 8 columns are constant"):
        wrapper().fit(np.ones((60, 8)), y)


def test_more_features_than_there_are_is_said():
    with pytest.warns(ConsilienceWarning, match="9 features were asked for and the data have 8"):
        found = wrapper(n_features_to_select=9).fit(X, y)
    assert found.support_.all()
    with pytest.warns(ConsilienceWarning, match="Only 3 of the 5 features asked for are candidat"):
        found = wrapper(n_features_to_select=5, n_candidates=3).fit(X, y)
    assert found.n_features_ == 3


@pytest.mark.parametrize("search", ["forward", "floating"])
def test_the_search_stops_where_shuffled_candidates_do_as_well(search):
    found = wrapper(search=search, stop="permutation", n_features_to_select=4, ensemble_size=10)
    found.fit(X, y)
    path = found.fitness_path_
    assert found.selected_.tolist() == [2]
    assert path.p_value[0] == 0.1
    assert path.reference[0] < path.fitness[0]


def test_noise_hardly_ever_passes_the_reference():
    passed = 0
    for seed in range(12):
        table = np.random.default_rng(seed).normal(size=(60, 15))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConsilienceWarning)
            found = wrapper(stop="permutation", random_state=seed).fit(table, y)
        passed += found.fitness_path_.p_value[0] <= 0.1
    assert passed <= 4  # 1.2 are expected


def test_a_first_feature_that_is_noise_is_said_to_be():
    table = np.random.default_rng(3).normal(size=(60, 15))
    with pytest.warns(ConsilienceWarning, match="Not even the best feature alone, 'x.*', is shown"):
        found = wrapper(stop="permutation").fit(table, y)
    assert found.n_features_ == 1
    assert found.fitness_path_.p_value[0] > 0.1
    assert any("Not even the best feature" in said for said in found.result_.warnings)


@pytest.mark.parametrize("search", ["forward", "backward", "floating", "genetic", "swarm"])
def test_one_standard_error_takes_the_smallest_size_within(search):
    found = wrapper(search=search, stop="one_se", n_features_to_select=4, n_generations=3).fit(X, y)
    path = found.fitness_path_
    best = path.fitness[path.size <= 4].argmax()
    own = path.fitness[path.size == found.n_features_].max()
    limit = path.fitness[path.size <= 4][best] - path.se[path.size <= 4][best]
    assert own >= limit - 1e-12
    for size in range(1, found.n_features_):
        assert path.fitness[path.size == size].max() < limit
    assert found.selected_[0] == 2


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"search": "random"}, "search is 'random'; give one of 'forward', 'backward', 'floating'"),
        ({"choice": "best"}, "choice is 'best'; give one of 'race', 'plain'"),
        ({"stop": "never"}, "stop is 'never'; give one of 'one_se', 'permutation', or None"),
        ({"stop": "permutation", "search": "genetic"}, "choose stop='one_se', or search='forward'"),
        ({"stop": "permutation", "n_permutations": 4}, "4 permutations cannot show a p value of 0"),
        ({"balance": "over"}, "balance is 'over'; give one of 'hybrid', 'rus', 'ros', 'smote'"),
        ({"balance": 3}, "balance is 3; give one of"),
        ({"ensemble_size": 0}, "ensemble_size is 0; give a whole number, 1 or more"),
        ({"cv": 1}, "cv is 1; give 2 folds or more"),
        ({"cv": "five"}, "cv is 'five'; give a number of folds, or a splitter"),
        ({"cv": []}, "cv gives no split"),
        ({"n_features_to_select": 0}, "n_features_to_select is 0; give a whole number of features"),
        ({"n_features_to_select": 2.5}, "n_features_to_select is 2.5"),
        ({"oversample": -1}, "oversample is -1"),
        ({"k_neighbors": 0}, "k_neighbors is 0"),
        ({"smote_space": "all"}, "smote_space is 'all'; give one of 'subset', 'full'"),
        ({"redraw": "always"}, "redraw is 'always'; give one of 'iteration', 'evaluation'"),
        ({"fitness": "accuracy"}, "fitness is 'accuracy'; give one of 'auc', 'average_precision'"),
        ({"combine": "sum"}, "combine is 'sum'; give one of 'mean', 'pooled'"),
        ({"multiclass": "ovo"}, "multiclass is 'ovo'; give one of 'smallest', 'ovr'"),
        ({"n_candidates": 0}, "n_candidates is 0; give a whole number of 1 or more, 'all'"),
        ({"n_screened": 0}, "n_screened is 0"),
        ({"alpha": 2}, "alpha is 2; give a number between 0 and 1"),
        ({"search": "genetic", "mutation_rate": 2}, "mutation_rate is 2; give a number"),
        ({"search": "genetic", "selection": "best"}, "selection is 'best'; give one of"),
        ({"estimator": "tree"}, "estimator is 'tree'; give a classifier of scikit-learn"),
        ({"estimator": KMeans()}, "give a classifier of scikit-learn, or None for small"),
        ({"estimator": GaussianNB}, "give a classifier of scikit-learn"),
        ({"balance": "cost", "estimator": GaussianNB()}, "GaussianNB takes no class_weight"),
        ({"balance": "cost", "estimator": CompactTreeClassifier("gain_ratio")}, "know no class"),
        ({"estimator": KNeighborsClassifier(50)}, "KNeighborsClassifier cannot learn from a samp"),
    ],
)  # fmt: skip
def test_a_bad_request_gets_a_sentence(options, said):
    with pytest.raises(UsageError, match=said):
        wrapper(**options).fit(X, y)


def test_bad_cells_are_named():
    frame = pd.DataFrame(X.copy(), columns=[f"gene {j}" for j in range(8)])
    frame.iloc[4, 5] = np.nan
    with pytest.raises(
        DataError, match="Column 'gene 5' holds NaN in row 4, which BalancedWrapper"
    ):
        wrapper().fit(frame, y)
    frame.iloc[4, 5] = np.inf
    with pytest.raises(DataError, match="Column 'gene 5' holds infinity in row 4"):
        wrapper().fit(frame, y)
    frame.iloc[4, 5] = 1e200
    with pytest.raises(DataError, match=r"Column 'gene 5' holds 1e\+200, and distances between"):
        wrapper().fit(frame, y)


def test_other_classifiers_take_no_categories():
    frame = pd.DataFrame(X[:, :3], columns=["a", "b", "c"])
    frame["colour"] = pd.Categorical(np.resize(["red", "blue", "green"], 60))
    with pytest.raises(UsageError, match="Column 'colour' holds categories, more than two, which"):
        wrapper(estimator=GaussianNB(), choice="plain").fit(frame, y)
    wrapper().fit(frame, y)


def test_a_class_in_one_group_is_refused_for_that():
    groups = np.where(y == 1, 99, np.arange(60) // 2)
    with pytest.raises(DataError, match="in 1 group, which are held out together, so that no spl"):
        wrapper().fit(X, y, groups=groups)


def test_more_folds_than_rows_of_a_class_is_said():
    with pytest.warns(ConsilienceWarning, match="There are 30 inner folds for class"):
        wrapper(cv=30, choice="plain", n_features_to_select=1).fit(X, y)


def test_two_columns_of_one_name_are_refused():
    table = pd.DataFrame(X, columns=["a", "b", "a", *map(str, range(X.shape[1] - 3))])
    with pytest.raises(DataError, match="Two columns are named 'a'; rename or drop one"):
        wrapper().fit(table, y)


def test_groups_must_fit_the_rows():
    with pytest.raises(DataError, match="There are 3 group labels for 60 rows"):
        wrapper().fit(X, y, groups=[1, 2, 3])
