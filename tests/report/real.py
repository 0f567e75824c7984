"""Small real results, computed once per session."""

import warnings
from functools import cache

import numpy as np
import pandas as pd

from consilience import (
    DAFS,
    BalancedWrapper,
    CommitteeSelector,
    EnsembleSelector,
    SymmetricalUncertainty,
    evaluate_committee,
    evaluate_wrapper,
    load_demo,
    make_planted,
)
from consilience.aggregation import AllMedoids
from consilience.committee.methods import COMMITTEES
from consilience.evaluation.alternatives import evaluate_alternatives
from consilience.evaluation.protocol import evaluate_selection
from consilience.exceptions import ConsilienceWarning

EVIL = "<img src=x onerror=alert(1)>"


@cache
def demo_result(n_models=20):
    """The embedded leukemia data, with an evaluation."""
    return _run(load_demo(), n_models)


@cache
def planted_result(effect=2.0, evil=False):
    """Made data; without an effect it is only noise."""
    planted = make_planted(60, 200, effect=effect, n_blocks=3, random_state=4)
    result = _run(planted.table, 20)
    if not evil:
        return result
    names = np.array(result.feature_names, dtype=object)
    names[result.panels[0][0]] = EVIL
    names[result.panels[0][1]] = "W" * 200
    names[result.panels[0][2]] = "</script><b>&lt;bold"
    return result.described(feature_names=names, classes=["a<b>", "b&amp;"])


@cache
def alternatives_result(evil=False, evaluated=True):
    """Made data with blocks of like features, so that panels have alternatives."""
    planted = make_planted(60, 200, effect=1.2, n_blocks=4, random_state=4)
    selector = EnsembleSelector(
        SymmetricalUncertainty(),
        AllMedoids(n_panels=4),
        n_features_to_select=6,
        n_models=60,
        random_state=0,
    )
    table = planted.table
    result = selector.fit(table.X, table.y).result_
    if evaluated:
        found = evaluate_alternatives(selector, table.X, table.y, n_splits=4, random_state=0)
        result = result.described(
            evaluation=found.evaluation.to_dict(), alternatives_evaluation=found.to_dict()
        )
    if evil:
        names = np.array(result.feature_names, dtype=object)
        names[result.panels[1]] = [f"{EVIL}{k}" for k in range(result.panels[1].size)]
        result = result.described(feature_names=names)
    return result


@cache
def nominal_result(named=True):
    """A frame with two measured columns that matter, one categorical that does, and noise."""
    rng = np.random.default_rng(0)
    y = np.repeat(["ill", "well"], 30)
    colour = np.where(y == "ill", "red", rng.choice(["green", EVIL], 60)).astype(object)
    colour[[3, 40]] = None
    frame = pd.DataFrame(rng.normal(size=(60, 10)), columns=[f"x{k}" for k in range(10)])
    frame["x0"] += 3 * (y == "ill")
    frame["x1"] -= 3 * (y == "ill")
    frame.insert(4, "colour", pd.Categorical(colour))
    result = EnsembleSelector(n_features_to_select=3, n_models=10, random_state=0)
    result = result.fit(frame, y).result_
    if named:
        return result.described(categories={"colour": list(frame["colour"].cat.categories)})
    return result


def _run(table, n_models):
    selector = EnsembleSelector(
        SymmetricalUncertainty(), n_features_to_select=8, n_models=n_models, random_state=0
    )
    result = selector.fit(table.X, table.y).result_
    evaluation = evaluate_selection(selector, table.X, table.y, n_splits=4, random_state=0)
    return result.described(
        feature_names=np.asarray(table.feature_names, dtype=object),
        data=result.data | {"source": table.source, "target": table.target},
        evaluation=evaluation.to_dict(),
        command="consilience demo --seed 0",
    )


@cache
def dafs_result(evil=False):
    """Made data judged by subspaces, with an evaluation."""
    table = make_planted(48, 80, effect=2.0, n_blocks=3, random_state=4).table
    dafs = DAFS("ridge", max_features=10, n_subspaces=60, subspace_size=10, random_state=0)
    result = dafs.fit(table.X, table.y).result_
    evaluation = evaluate_selection(dafs, table.X, table.y, n_splits=3, random_state=0)
    names = np.asarray(table.feature_names, dtype=object)
    if evil:
        names = names.copy()
        names[result.panels[0][0]] = EVIL
    return result.described(
        feature_names=names,
        data=result.data | {"source": table.source, "target": table.target},
        evaluation=evaluation.to_dict(),
        command="consilience select made.csv --method dafs --seed 0",
    )


@cache
def committee_result(evil=False, method="qifs", evaluated=True):
    """Made bits with a rare class, asked for by a committee, beside its rivals."""
    X, y, names = rare_bits()
    committee = COMMITTEES[method].cls("nb", n_rounds=8, n_features=15)
    selector = CommitteeSelector(committee, n_features_to_select=6, random_state=0)
    result = selector.fit(X, y).result_
    evaluation = None
    if evaluated:
        evaluation = evaluate_committee(selector, X, y, n_splits=3, random_state=0).to_dict()
    if evil:
        names = names.copy()
        names[result.panels[0][0]] = EVIL
    return result.described(
        feature_names=names,
        data=result.data | {"source": "compounds.npz", "target": "activity"},
        evaluation=evaluation,
        command=f"consilience select compounds.npz --method {method} --seed 0",
    )


@cache
def search_result(method="gas-sefs", evaluated=True, evil=False, **options):
    """A made table of numbers, a category and gaps, and a committee that was searched for."""
    frame, y = mixed_table()
    cls = COMMITTEES[method].cls
    settings = {"n_estimators": 4, "n_generations": 3} | options
    committee = cls()
    known = committee.get_params(deep=False)
    committee.set_params(**{name: value for name, value in settings.items() if name in known})
    if method == "random-subspace":
        committee.set_params(estimator="nb", evaluation="oof")
        frame = frame.drop(columns="colour").fillna(0.0)
    selector = CommitteeSelector(committee, n_features_to_select=None, random_state=0)
    result = selector.fit(frame, y).result_
    evaluation = None
    if evaluated:
        evaluation = evaluate_committee(selector, frame, y, n_splits=3, random_state=0).to_dict()
    names = np.array(frame.columns, dtype=object)
    if evil:
        names[result.panels[0][0]] = EVIL
    return result.described(
        feature_names=names,
        data=result.data | {"source": "fruit.csv", "target": "kind"},
        evaluation=evaluation,
        command=f"consilience select fruit.csv --method {method} --seed 0",
    )


@cache
def wrapper_result(evaluated=True, evil=False, n_classes=2, noise=False, **options):
    """A made table with a rare class, searched by a small wrapper, beside the single one."""
    settings = {"n_features_to_select": 4, "ensemble_size": 3, "choice": "plain"}
    settings |= {"n_generations": 2, "population": 6, "random_state": 0} | options
    balance = [4, 1] if n_classes == 2 else [4, 3, 2]
    made = make_planted(
        90, 12, n_blocks=n_classes, block_size=2, effect=0.0 if noise else 1.5,
        n_classes=n_classes, class_balance=balance, random_state=3,
    )  # fmt: skip
    y = np.array(["well", "ill", "odd"])[made.y]
    wrapper = BalancedWrapper(**settings)
    evaluation = None
    with warnings.catch_warnings():  # of first features no better than shuffled ones
        warnings.simplefilter("ignore", ConsilienceWarning)
        result = wrapper.fit(made.X, y).result_
        if evaluated:
            found = evaluate_wrapper(wrapper, made.X, y, n_splits=3, random_state=0)
            evaluation = found.to_dict()
    names = np.array(made.feature_names, dtype=object)
    if evil:
        names[result.panels[0][0]] = EVIL
        if result.search["refused"]:
            names[result.search["refused"]["feature"]] = f"{EVIL}2"
    return result.described(
        feature_names=names,
        data=result.data | {"source": "slicks.csv", "target": "state"},
        evaluation=evaluation,
        command="consilience select slicks.csv --method balanced-wrapper --seed 0",
    )


def lone_result():
    """A committee all of whose members use one feature, the same one."""
    result = search_result(evaluated=False)
    first = result.panels[0][:1]
    return result.described(subsets=[first] * len(result.subsets), panels=[first], asked=first)


def mixed_table(n_samples=90):
    """Three kinds of fruit: six numbers with gaps, three of which matter, and a colour."""
    rng = np.random.default_rng(2)
    y = np.array(["apple", "lemon", "plum"])[np.arange(n_samples) % 3]
    values = rng.normal(size=(n_samples, 6))
    values[:, 0] += 1.5 * (y == "apple")
    values[:, 1] += 1.5 * (y == "lemon")
    values[:, 2] -= 1.5 * (y == "plum")
    values[rng.random(values.shape) < 0.05] = np.nan
    frame = pd.DataFrame(values, columns=["weight", "acid", "sugar", "day", "row", "shelf"])
    likely = np.where(y == "lemon", "yellow", np.where(y == "plum", "blue", "red"))
    mixed = np.where(rng.random(n_samples) < 0.6, likely, rng.choice(likely, n_samples))
    frame.insert(2, "colour", pd.Categorical(mixed))
    return frame, y


def rare_bits(n_samples=120, n_features=150):
    """Zeros and ones, a fifth of the rows active, and ten features that tell them."""
    rng = np.random.default_rng(5)
    y = np.where(np.arange(n_samples) % 5 == 0, "active", "inactive")
    X = (rng.random((n_samples, n_features)) < 0.2).astype(np.uint8)
    told = rng.random((n_samples, 10)) < 0.6
    X[:, :10] |= (told & (y == "active")[:, None]).astype(np.uint8)
    return X, y, np.array([f"D{k:03d}" for k in range(n_features)], dtype=object)
