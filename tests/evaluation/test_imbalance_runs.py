"""The runs behind the paper on imbalanced data, against plain loops, and what they may not see."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import naive_classifiers as naive
from consilience import ADTree, BalancedWrapper, ChiSquare, Table
from consilience.evaluation.reproduce import imbalance_wrapper_runs as runs
from consilience.evaluation.reproduce.imbalance_wrapper_classifiers import perceptron
from consilience.evaluation.reproduce.imbalance_wrapper_sets import (
    SETS,
    Problem,
    describe,
    halves,
    read_set,
)
from consilience.exceptions import DataError
from consilience.execution import Checkpoint
from consilience.learners import CompactTreeClassifier

SMALL = runs.Design(n_sizes=3, n_candidates=10, ensemble_size=3, population=4, n_generations=2)


def made(seed=0, n=70, p=14, rare=5):
    rng = np.random.default_rng(seed)
    y = (np.arange(n) % rare == 0).astype(np.int64)
    return Problem(rng.normal(size=(n, p)) + np.outer(y, np.arange(p) < 2), y)


@pytest.fixture(scope="module")
def problem():
    return made()


def single(estimator=None, **options):
    return BalancedWrapper(
        estimator, balance=False, ensemble_size=1, choice="plain", n_candidates=10, **options
    )


def ensemble(estimator=None, **options):
    return BalancedWrapper(estimator, ensemble_size=3, choice="plain", n_candidates=10, **options)


def plain_areas(X, y, asked, truth, seed):
    """The six areas by classifiers of scikit-learn and slow twins."""
    n_seen = {1: 1, 2: 2, 3: 2}[X.shape[1]]
    forest = RandomForestClassifier(
        10, criterion="entropy", max_features=n_seen, random_state=seed
    ).fit(X, y)
    logistic = make_pipeline(StandardScaler(), LogisticRegression(C=5e7, max_iter=2000, tol=1e-10))
    rows = X.tolist(), y.tolist(), asked.tolist()
    scores = [
        forest.predict_proba(asked)[:, 1],
        naive.neighbour_scores(*rows, 3),
        naive.neighbour_scores(*rows, 7),
        logistic.fit(X, y).decision_function(asked),
        perceptron(X, y, asked, seed),
        ADTree().fit(X, y).decision_function(asked),
    ]
    return [roc_auc_score(truth, own) for own in scores]


@pytest.mark.parametrize("search", ["greedy", "genetic", "unpruned"])
def test_subsets_and_areas_are_those_of_plain_loops(problem, search):
    tree = None
    if search != "unpruned":
        tree = CompactTreeClassifier("gain_ratio", pruning="pessimistic")
    X, y = problem
    train, test = halves(y, 5)[1]
    found = runs.judge(problem, train, test, search, SMALL, 11)
    for arm, make in enumerate((ensemble, single)):
        options = {"random_state": 11, "n_features_to_select": 3}
        if search == "genetic":
            options |= {"search": "genetic", "stop": "one_se", "population": 4, "n_generations": 2}
        wrapper = make(tree, **options).fit(X[train], y[train])
        if search != "genetic":
            alone = wrapper.scores_[~np.isnan(wrapper.scores_)]
            assert found["undecided"][arm] == np.mean(alone == 0.5)
        for size in (1, 2, 3):
            subset = wrapper.subsets_[size]
            assert found["subsets"][arm, size - 1, :size].tolist() == subset.tolist()
            assert (found["subsets"][arm, size - 1, size:] == -1).all()
            told = plain_areas(X[train][:, subset], y[train], X[test][:, subset], y[test], 11)
            assert_allclose(found["areas"][arm, size - 1], told, atol=1e-12)


@pytest.mark.filterwarnings("ignore:Not even the best feature")
def test_our_own_search_races_and_stops(problem):
    X, y = problem
    train, test = halves(y, 0)[0]
    found = runs.judge(problem, train, test, "race", SMALL, 3)
    options = {"ensemble_size": 3, "n_candidates": 10, "n_features_to_select": 3}
    raced = BalancedWrapper(random_state=3, **options).fit(X[train], y[train])
    assert found["subsets"][0, 2].tolist() == raced.selected_.tolist()
    stopped = BalancedWrapper(random_state=3, stop="permutation", **options)
    stopped.fit(X[train], y[train])
    assert found["stopped"] == stopped.n_features_
    assert stopped.selected_.tolist() == raced.selected_[: stopped.n_features_].tolist()
    assert found["doubtful"] == (stopped.fitness_path_.p_value[0] > 0.1)
    assert found["seconds"].shape == (2,)


def test_halves_are_stratified_and_change_places(problem):
    (first, second), (third, fourth) = halves(problem.y, 4)
    assert first.tolist() == fourth.tolist()
    assert second.tolist() == third.tolist()
    assert problem.y[first].sum() == problem.y[second].sum() == 7
    told = StratifiedKFold(2, shuffle=True, random_state=4).split(problem.y, problem.y)
    assert first.tolist() == next(told)[0].tolist()


@pytest.mark.filterwarnings("ignore:All . candidates have a fitness of 0.5:UserWarning")
@pytest.mark.filterwarnings("ignore:Not even the best feature")
@pytest.mark.parametrize("search", list(runs.SEARCHES))
def test_searches_see_nothing_of_the_rows_they_are_judged_by(problem, search):
    """Other classes and values there; the filter on all rows shows that the test can fail."""
    X, y = problem
    train, test = halves(y, 0)[0]
    other = X.copy()
    moved = np.random.default_rng(0).permutation(y[test])
    other[test] = np.random.default_rng(1).normal(size=other[test].shape)
    other[test, 9:] += 5 * moved[:, None]
    classes = y.copy()
    classes[test] = moved
    design = SMALL._replace(n_candidates=3)
    first = runs.judge(problem, train, test, search, design, 2)
    second = runs.judge(Problem(other, classes), train, test, search, design, 2)
    same = np.array_equal(first["subsets"], second["subsets"])
    assert same == (search != "leak")
    assert not np.array_equal(first["areas"], second["areas"])
    if search == "race":
        assert first["stopped"] == second["stopped"]


def test_with_a_filter_on_all_rows_all_rows_filter(problem):
    train, test = halves(problem.y, 0)[0]
    design = SMALL._replace(n_candidates=4)
    found = runs.judge(problem, train, test, "leak", design, 2)
    passed = ChiSquare(4, random_state=2).fit(problem.X, problem.y).get_support(indices=True)
    assert set(found["subsets"].ravel().tolist()) - {-1} <= set(passed.tolist())


def same(first, second):
    return all(
        np.array_equal(first[name].searches[search][key], held[key])
        for name in second
        for search, held in second[name].searches.items()
        for key in held
        if key != "seconds"
    )


def test_runs_are_the_same_for_any_number_of_workers_storage_and_after_a_stop(
    tmp_path, monkeypatch
):
    kinds = {name: runs.SEARCHES[name] for name in ("greedy", "race", "leak")}
    monkeypatch.setattr(runs, "SEARCHES", kinds)
    runs.warm_up.cache_clear()
    problems = {"re0": made(n=40), "b": made(1, n=40, p=6)}
    told, how = [], {"design": SMALL._replace(n_sizes=2, ensemble_size=2), "random_state": 1}
    found = runs.run_all(problems, n_runs=2, tell=told.append, **how)
    assert len(told) == 1
    assert told[0] > 0
    stored = {"re0": problems["re0"]._replace(X=sparse.csr_array(problems["re0"].X))}
    assert same(found, runs.run_all(stored, n_runs=2, n_jobs=2, **how))  # other sets change nothing
    checkpoint = Checkpoint(tmp_path / "kept", {"kind": "a test"})
    other = {"b": problems["b"]}
    first = runs.run_all(other, n_runs=1, checkpoint=checkpoint, **how)
    again = runs.run_all(other, n_runs=2, checkpoint=checkpoint, **how)
    assert same(found, again)
    kept = [own["b"].searches["greedy"]["seconds"][0] for own in (first, again)]
    assert (kept[0] == kept[1]).all()  # not run again
    held = found["re0"].searches
    assert held["greedy"]["areas"].shape == (2, 2, 2, 2, 6)
    assert held["race"]["areas"].shape == (2, 2, 1, 2, 6)
    assert held["race"]["stopped"].shape == (2, 2)
    assert "leak" in held
    assert "leak" not in found["b"].searches
    assert not np.array_equal(held["greedy"]["areas"][0], held["greedy"]["areas"][1])
    assert found["b"].sizes == {"rows": 40, "features": 6, "minority": 8}
    runs.warm_up.cache_clear()


@pytest.mark.filterwarnings("ignore:3 features were asked for")
def test_with_fewer_columns_than_sizes_the_largest_subset_stays():
    problem = made(2, p=2)
    train, test = halves(problem.y, 0)[0]
    found = runs.judge(problem, train, test, "greedy", SMALL, 0)
    assert (found["subsets"][:, 2] == found["subsets"][:, 1]).all()
    assert (found["areas"][:, 2] == found["areas"][:, 1]).all()


def test_the_paper_is_the_default():
    assert runs.Design() == (20, 500, 20, 20, 20)
    wrapper = runs.Design().wrapper(7, **runs.SEARCHES["genetic"][0])
    told = wrapper.get_params(deep=False)
    assert (told["crossover_rate"], told["mutation_rate"], told["cv"]) == (0.7, 0.1, 5)
    assert (told["balance"], told["ensemble_size"], told["choice"]) == ("hybrid", 20, "plain")
    assert told["estimator"].criterion == "gain_ratio"
    wrapper = runs.Design().wrapper(7, **runs.SEARCHES["greedy"][1])
    assert (wrapper.balance, wrapper.ensemble_size, wrapper.stop) == (False, 1, None)


def test_sets_are_read_by_their_names(tmp_path):
    rng = np.random.default_rng(0)
    y = np.repeat(["a", "b", "c"], [10, 4, 6])
    np.savez(tmp_path / "oil_spill.npz", X=rng.normal(size=(20, 5)), y=y)
    table = read_set(tmp_path, "oil")
    assert table.n_features == 4  # without the running number
    assert read_set(tmp_path, "oil_spill").n_features == 5
    problem = Problem.of(table)
    assert problem.y.tolist() == (y == "b").astype(int).tolist()
    told = describe(problem)
    assert (told["rows"], told["features"], told["minority"]) == (20, 4, 4)
    with pytest.raises(DataError, match=r"no data set 'all_stjude_985\.npz'"):
        read_set(tmp_path, "all-stjude")
    with pytest.raises(DataError, match="Column 'x2' holds categories"):
        Problem.of(Table(np.zeros((4, 2)), list("aabb"), categorical_features=[False, True]))
    with pytest.raises(DataError, match="All 4 rows are of class 'a'"):
        Problem.of(Table(np.zeros((4, 2)), list("aaaa")))


def test_the_sets_of_the_paper_have_the_sizes_that_are_known(shared_data):
    sizes = {
        "fbis": (2463, 2000, 38), "re0": (1504, 2886, 11), "oh5": (918, 3012, 59),
        "oil": (937, 48, 41), "all-chiaretti": (128, 12625, 33), "all-stjude": (248, 985, 15),
    }  # fmt: skip
    assert list(sizes) == list(SETS)
    for name, told in sizes.items():
        found = describe(Problem.of(read_set(shared_data, name)))
        assert (found["rows"], found["features"], found["minority"]) == told
