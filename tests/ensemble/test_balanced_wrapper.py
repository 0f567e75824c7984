"""BalancedWrapper finds what it should, and is the plain loop that its words describe."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import KFold, ShuffleSplit, StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

import naive_wrapper as naive
from consilience import BalancedWrapper
from consilience.ensemble.wrapper_work import prepare
from consilience.learners import CompactTreeClassifier
from consilience.sampling.balance import balanced_sizes

QUICK = {"ensemble_size": 4, "cv": 3, "random_state": 0, "n_features_to_select": 3}


def made(seed=0, n=90, p=12, n_minority=20, gap=4.0):
    """Half of the rare class 1 is higher in the first feature, the other half in the second."""
    rng = np.random.default_rng(seed)
    order = rng.permutation(n)
    X, y = rng.normal(size=(n, p)), np.zeros(n, dtype=int)
    y[order[:n_minority]] = 1
    X[order[: n_minority // 2], 0] += gap
    X[order[n_minority // 2 : n_minority], 1] += gap
    return X, y


X, y = made()


def wrapper(**options):
    return BalancedWrapper(**QUICK | options)


def asked_of(method, X, y):
    """What the search of a method works with."""
    return prepare(method, X, y, None, int(np.random.RandomState(0).randint(2**31 - 1)))


def naive_fitness(work, features, iteration, number=0):
    """Fitness of candidates by the slow twin, under the same draws."""
    balance = work.judge.scorer.balance
    twin = naive.Wrapper(
        work.table.columns.tolist(), work.table.codes.tolist(), n_members=balance.n_members,
        sizes=None if not balance.drawn else lambda a, b: balanced_sizes(a, b, balance.kind),
        k_neighbors=balance.k_neighbors,
    )  # fmt: skip
    splits = [(a.tolist(), b.tolist()) for a, b in work.judge.scorer.partitions.splits(number)]
    seed = int(work.judge._seeds(1, iteration, number)[0])
    folds, _ = twin.judge(splits, sorted(features), seed)
    known = [fold for fold in folds if fold is not None]
    return sum(known) / len(known)


@pytest.mark.parametrize("balance", ["hybrid", False])
def test_the_plain_search_is_the_loop_of_the_paper(balance):
    X, y = made(3, n=40, p=6, n_minority=10, gap=2.0)
    method = wrapper(choice="plain", balance=balance)
    found = method.fit(X, y)
    work, taken = asked_of(method, X, y), []
    for step in range(3):
        rest = [f for f in range(6) if f not in taken]
        fitness = [naive_fitness(work, [*taken, f], step) for f in rest]
        best = [rest[i] for i in np.flatnonzero(np.isclose(fitness, max(fitness), atol=1e-12))]
        liked = max(work.table.preference[best])  # of equally fit ones chi-square decides
        best = [f for f in best if work.table.preference[f] == liked]
        chosen = np.flatnonzero(work.table.features == found.selected_[step])[0]
        assert chosen in best  # and the seed between those that are equal in both
        assert found.fitness_path_[step] == pytest.approx(max(fitness))
        taken.append(chosen)


def test_the_race_takes_the_best_mean_of_new_draws():
    X, y = made(4, n=40, p=4, n_minority=10, gap=2.0)
    method = wrapper(n_features_to_select=1).fit(X, y)
    work = asked_of(method, X, y)
    # Fewer candidates than leaders: all four have fifteen rounds.
    means = [np.mean([naive_fitness(work, [f], 0, r) for r in range(1, 16)]) for f in range(4)]
    assert method.selected_[0] == work.table.features[np.argmax(means)]
    assert method.fitness_path_[0] == pytest.approx(max(means))
    assert method.fitness_path_.n_draws[0] == 15


@pytest.mark.parametrize("search", ["forward", "backward", "floating", "genetic", "swarm"])
@pytest.mark.parametrize("choice", ["race", "plain"])
def test_every_search_finds_the_planted_features(search, choice):
    found = wrapper(search=search, choice=choice).fit(X, y)
    assert found.support_.sum() == found.n_features_ == found.selected_.size == 3
    assert set(found.selected_) >= {0, 1}
    assert found.fitness_path_[-1] > 0.9
    assert sorted(found.ranking_) == list(range(1, 13))
    assert_array_equal(found.ranking_[found.selected_], [1, 2, 3])


@pytest.mark.parametrize("balance", ["hybrid", "rus", "ros", "smote", "cost", True, False])
def test_every_balance_finds_the_planted_features(balance):
    found = wrapper(balance=balance, n_features_to_select=2).fit(X, y)
    assert set(found.selected_) == {0, 1}


@pytest.mark.parametrize(
    "options",
    [
        {"fitness": "average_precision"},
        {"combine": "pooled"},
        {"smote_space": "full"},
        {"smote_gap": "column"},
        {"redraw": "evaluation"},
        {"redraw": "never"},
        {"oversample": 1.5},
        {"k_neighbors": 1},
        {"n_screened": 4},
        {"n_candidates": 5},
        {"n_candidates": "all"},
        {"cv": StratifiedKFold(3)},
        {"cv": ShuffleSplit(4, test_size=0.3, random_state=0)},
        {"estimator": DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2)},
        {"estimator": CompactTreeClassifier("gain_ratio", pruning="pessimistic")},
        {"estimator": CompactTreeClassifier(laplace=True)},
        {"estimator": GaussianNB(), "choice": "plain"},
        {"search": "genetic", "redraw": "evaluation"},
        {"search": "genetic", "crossover": "uniform", "selection": "roulette"},
    ],
)
def test_every_option_finds_the_planted_features(options):
    found = wrapper(n_features_to_select=2, **options).fit(X, y)
    assert set(found.selected_) == {0, 1}


def test_the_single_wrapper_is_one_tree_on_the_rows_as_they_are():
    one = wrapper(ensemble_size=1, balance=False, choice="plain").fit(X, y)
    many = wrapper(ensemble_size=7, balance=False, choice="plain").fit(X, y)
    assert_array_equal(one.selected_, many.selected_)  # equal trees are grown once
    assert_array_equal(one.fitness_path_.fitness, many.fitness_path_.fitness)


@pytest.mark.filterwarnings("ignore:All 15 candidates have a fitness of 0.5:UserWarning")
def test_the_ensemble_sees_what_one_tree_cannot():
    # The rare class is a lump where most rows are of the other: one tree, pruned, says nothing.
    rng = np.random.default_rng(0)
    y = np.arange(300) < 15
    X = rng.random((300, 15))
    X[y, 7] = rng.uniform(0.35, 0.65, 15)
    tree = CompactTreeClassifier("gain_ratio", pruning="pessimistic")
    single = wrapper(estimator=tree, balance=False, n_features_to_select=1, choice="plain")
    ensemble = wrapper(estimator=tree, ensemble_size=10, n_features_to_select=1)
    alone = single.fit(X, y).scores_
    assert alone[7] == 0.5
    assert ensemble.fit(X, y).selected_.tolist() == [7]
    assert ensemble.fitness_path_[0] > 0.75


def test_several_classes_are_the_smallest_against_the_rest_or_each_against_the_others():
    rng = np.random.default_rng(0)
    y = np.repeat(["many", "some", "rare"], [60, 30, 12])
    X = rng.normal(size=(102, 8))
    X[y == "rare", 2] += 3
    X[y == "some", 5] += 3
    X[y == "many", 6] += 3
    smallest = wrapper(n_features_to_select=1).fit(X, y)
    assert smallest.minority_ == "rare"
    assert smallest.selected_.tolist() == [2]
    merged = wrapper(n_features_to_select=1).fit(X, y == "rare")
    assert_array_equal(smallest.fitness_path_.fitness, merged.fitness_path_.fitness)
    every = wrapper(n_features_to_select=3, multiclass="ovr").fit(X, y)
    assert every.minority_ is None
    assert set(every.selected_) == {2, 5, 6}


def test_categories_are_features_too():
    rng = np.random.default_rng(1)
    y = np.arange(80) < 16
    colours = np.where(y, 1, rng.choice([0, 2], 80)).astype(float)  # the middle one is rare
    table = np.column_stack([rng.normal(size=(80, 4)), colours])
    found = wrapper(n_features_to_select=1, categorical_features=[4]).fit(table, y)
    assert found.selected_.tolist() == [4]
    assert found.fitness_path_[0] == 1.0


def test_contributions_are_what_the_panel_loses():
    found = wrapper(n_features_to_select=2).fit(X, y)
    work, panel = asked_of(found, X, y), found.selected_
    place = {f: i for i, f in enumerate(work.table.features)}
    own = [place[f] for f in panel]
    draws = range(1, 16)
    whole = np.mean([naive_fitness(work, own, 1 << 20, r) for r in draws])
    for i in range(2):
        rest = np.mean([naive_fitness(work, own[1 - i : 2 - i], 1 << 20, r) for r in draws])
        assert found.contributions_[i, 0] == pytest.approx(whole - rest)
    assert (found.contributions_[:, 1] < found.contributions_[:, 0]).all()
    assert (found.contributions_[:, 0] < found.contributions_[:, 2]).all()


def test_the_path_tells_each_step():
    found = wrapper().fit(X, y)
    path = found.fitness_path_
    assert path.size.tolist() == [1, 2, 3] == path.step.tolist()
    assert_array_equal(path.feature, found.selected_)
    assert path.added.all()
    assert (path.low <= path.fitness).all()
    assert (path.fitness <= path.high).all()
    assert np.isnan(path.p_value).all()
    assert_array_equal(np.asarray(path), path.fitness)
    assert [subset.tolist() for subset in found.subsets_.values()] == [
        found.selected_[:k].tolist() for k in (1, 2, 3)
    ]


def test_intervals_are_those_of_nadeau_and_bengio():
    from scipy.stats import t

    found = wrapper(n_features_to_select=1, choice="plain").fit(X, y)
    work = asked_of(found, X, y)
    work.judge.ask(np.array([[0]]), 0)
    told = work.judge.ask(np.flatnonzero(work.table.features == found.selected_[0])[None], 0)
    units = told.folds[0, 0]
    error = np.sqrt(units.var(ddof=1) * (1 / 3 + 0.5))
    assert found.fitness_path_.se[0] == pytest.approx(error)
    reach = t.ppf(0.975, 2) * error
    assert_allclose(found.fitness_path_.low[0], max(0, units.mean() - reach))


@pytest.mark.parametrize("estimator", [GaussianNB(), LinearSVC(C=1e3)])
def test_other_classifiers_are_ranked_by_all_their_digits(estimator):
    # Twenty columns that say the same make probabilities of which most are nearly 0 or 1.
    rng = np.random.default_rng(4)
    y = np.arange(120) % 4 == 0
    X = (rng.normal(size=(120, 1)) + 0.7 * y[:, None]) + 0.1 * rng.normal(size=(120, 20))
    method = wrapper(estimator=estimator, balance=False, ensemble_size=1, cv=KFold(3))
    work = prepare(method, X, y, None, 0)
    found = work.judge.ask(np.arange(20)[None], 0).folds[0, 0]
    order = np.argsort(work.table.features)  # columns, as the table has them
    assert_array_equal(work.table.features[order], np.arange(20))
    columns, truth = work.table.columns.T, work.table.codes
    for k, (train, test) in enumerate(work.judge.scorer.partitions.splits(0)):
        rows = np.concatenate([train[truth[train] == 0], train[truth[train] == 1]])
        model = clone(estimator)
        if "random_state" in model.get_params():
            model.set_params(random_state=0)
        model.fit(columns[rows], truth[rows])
        asks = hasattr(model, "predict_proba")
        told = model.predict_proba(columns[test])[:, 1] if asks else None
        told = model.decision_function(columns[test]) if told is None else told
        assert_allclose(found[k], roc_auc_score(truth[test], told), atol=1e-12)


def test_draws_are_common_to_an_iteration_to_a_subset_or_to_all():
    X, y = made()[:2]
    words = {}
    for redraw in ("iteration", "evaluation", "never"):
        judge = prepare(wrapper(redraw=redraw), X, y, None, 0).judge
        words[redraw] = np.array([judge._seeds(3, iteration, 0) for iteration in (0, 1)])
    assert [np.unique(words[redraw]).size for redraw in words] == [2, 6, 1]
    assert (words["iteration"][:, 0] == words["iteration"][:, 2]).all()
