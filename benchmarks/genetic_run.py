"""A whole GAS-SEFS run: ten members, 4,100 feature subsets judged by naive Bayes.

Ours is `fit` with all that belongs to it: codes, search, members, and the local errors by ten-fold
cross-validation that dynamic integration needs. Peers: the same search, ours but for the subsets,
each of which scikit-learn's CategoricalNB is fitted to; and the genetic feature selection of
sklearn-genetic-opt, whose evaluations are counted and scaled to as many.
"""

import sys
import time
import warnings

import numpy as np
from sklearn.model_selection import PredefinedSplit
from sklearn.naive_bayes import CategoricalNB

from consilience import SequentialGeneticEnsembleClassifier
from consilience.committee.search_objective import MembersObjective
from consilience.learners import BayesSubsets, ValueCodes
from consilience.learners.subsets import SubsetPredictor
from consilience.search import GeneticOptions, Masks, genetic_search
from real_data import FOLDER, real
from timing import Line, best_times

N_EVALUATED = 4100  # of ten processes of 10 + 10 x 40
PART = 2  # generations that the loop is timed on
PEER_GENERATIONS = 4


class Refitted(SubsetPredictor):
    """CategoricalNB fitted anew to each subset."""

    def __init__(self, codes, y, n_values, fit, asked):
        self.codes, self.y, self.n_values = codes, y, np.asarray(n_values)
        self.fit, self.asked = fit, asked
        self.n_features, self.n_asked = codes.shape[1], asked.sum()
        self.n_classes = int(y.max()) + 1

    def predict(self, masks):
        return np.array([self._predict(np.flatnonzero(mask)) for mask in masks], dtype=np.int16)

    def _predict(self, features):
        X = self.codes[:, features]
        learner = CategoricalNB(min_categories=self.n_values[features])
        return learner.fit(X[self.fit], self.y[self.fit]).predict(X[self.asked])


class Counting(CategoricalNB):
    """CategoricalNB that counts how often it is fitted."""

    n_fitted = 0

    def fit(self, X, y, sample_weight=None):
        Counting.n_fitted += 1
        return super().fit(X, y, sample_weight)


def one_process(predictor, y, n_generations):
    """The first process of GAS-SEFS, or the beginning of it."""
    objective = MembersObjective(predictor, y, "disagreement", 1.0)
    options = GeneticOptions(n_generations=n_generations)
    return genetic_search(objective, Masks(predictor.n_features), options, 0)


def sklearn_genetic(codes, y, n_values, fit):
    """Seconds for each evaluation of sklearn-genetic-opt; None, with a remark, without it."""
    try:
        from sklearn_genetic import GAFeatureSelectionCV
    except ImportError:
        print("left out: sklearn-genetic-opt is not installed", file=sys.stderr)
        return None
    selection = GAFeatureSelectionCV(
        Counting(min_categories=int(max(n_values))), cv=PredefinedSplit(np.where(fit, -1, 0)),
        scoring="accuracy", population_size=10, generations=PEER_GENERATIONS, verbose=False,
        refit=False, n_jobs=1, use_cache=False,
    )  # fmt: skip
    best = np.inf
    for _ in range(4):
        Counting.n_fitted = 0
        started = time.process_time()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            selection.fit(codes, y)
        best = min(best, (time.process_time() - started) / Counting.n_fitted)
    return best


def lines_of(name):
    if (data := real(name)) is None:
        return
    X, y = data[0], np.unique(data[1], return_inverse=True)[1]
    with np.load(FOLDER / f"{name}.npz", allow_pickle=False) as held:
        nominal = held["feature_types"] == "nominal" if "feature_types" in held else None
    fit = np.random.default_rng(0).random(y.size) < 0.75
    coded = ValueCodes.of(X[fit], nominal)
    codes = coded.codes(X)
    codes[codes >= coded.n_values] = 0  # values that no fit row has, which CategoricalNB refuses
    loop = Refitted(codes, y, coded.n_values, fit, ~fit)
    ours = BayesSubsets.of(
        codes, y, loop.n_classes, fit, ~fit, nominal=np.ones(codes.shape[1], dtype=bool)
    )
    runs = [one_process(predictor, y[~fit], PART) for predictor in (ours, loop)]
    assert (runs[0].population == runs[1].population).all()
    assert np.allclose(runs[0].scored.fitness, runs[1].scored.fitness)

    committee = SequentialGeneticEnsembleClassifier(categorical_features=nominal, random_state=0)
    candidates = {
        "ours": lambda: committee.fit(X, y),
        "loop": lambda: one_process(loop, y[~fit], PART),
    }
    times = best_times(candidates, rounds=6)
    assert committee.n_evaluations_ == N_EVALUATED
    part = 10 + 40 * PART
    what = f"GAS-SEFS, 10 members, 4,100 subsets, {name} {y.size:,} x {X.shape[1]}"
    yield Line(
        what, f"the same search, CategoricalNB per subset (scaled from {part})",
        times["loop"] * N_EVALUATED / part, times["ours"], 200,
    )  # fmt: skip
    per_evaluation = sklearn_genetic(codes, y, coded.n_values, fit)
    if per_evaluation is not None:
        yield Line(
            what, "sklearn-genetic-opt, as many evaluations (scaled)",
            per_evaluation * N_EVALUATED, times["ours"], 50,
        )  # fmt: skip


def run():
    for name in ("vehicle", "splice"):
        yield from lines_of(name)
