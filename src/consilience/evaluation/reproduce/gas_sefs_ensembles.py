"""Every ensemble of one split by every rule of integration and every k, from one sort.

All members of all searches are asked together: once for the validation rows, once for the test
rows, and once by cross-validation on the fit rows for their local errors.
"""

import numpy as np

from ...integration import (
    HEOM,
    dynamic_selection,
    dynamic_voting,
    dynamic_voting_selection,
    local_errors,
    majority_vote,
    static_selection,
    weighted_vote,
)
from ...learners.bayes_subsets import BayesSubsets, cross_predicted
from .gas_sefs_measures import NEIGHBOURS, RULES
from .gas_sefs_sets import FIT, Problem, deal_folds

N_FOLDS = 10  # of the learning phase of dynamic integration


class Ensembles:
    """Members on some feature subsets, and what ensembles of them say of some rows.

    Parameters
    ----------
    problem : Problem
        The data.
    part : int array of shape (n_samples,)
        Fit, validation and test rows, as `split_rows` gives them.
    masks : bool array of shape (n_members, n_features)
        The subsets of all members.
    rng : numpy.random.Generator
        Deals the folds.
    """

    def __init__(self, problem: Problem, part, masks, rng: np.random.Generator):
        X, y, nominal = problem
        self.problem, self.part, self.masks = problem, part, masks
        fit = np.flatnonzero(part == FIT)
        folds = deal_folds(y[fit], min(N_FOLDS, fit.size), rng)
        told = cross_predicted(X[fit], y[fit], problem.n_classes, folds, masks, nominal=nominal)
        self.errors = (told != y[fit]).T
        self.priors = np.bincount(y[fit], minlength=problem.n_classes) / fit.size
        self.metric = HEOM.of(X[fit], nominal)
        self.rows = {}

    def ask(self, which: int) -> "Rows":
        """What all members say of the rows of one part."""
        if which not in self.rows:
            X, y, nominal = self.problem
            asked = np.flatnonzero(self.part == which)
            predictor = BayesSubsets.of(
                X, y, self.problem.n_classes, self.part == FIT, asked, nominal=nominal
            )
            local = local_errors(self.metric.distances(X[asked]), self.errors, NEIGHBOURS)
            self.rows[which] = Rows(y[asked], predictor.predict(self.masks), local, self.priors)
        return self.rows[which]


class Rows:
    """Answers of all members for some rows, their local errors for every k, and the truth."""

    def __init__(self, y, predicted, local, priors):
        self.y, self.predicted, self.local, self.priors = y, predicted, local, priors
        self.member_accuracies = (predicted == y).mean(axis=1)

    def accuracies(self, members, weights) -> np.ndarray:
        """Accuracy of one ensemble by each rule and k: float64[n_rules, n_k].

        Parameters
        ----------
        members : int array
            Which members, in their order.
        weights : float array
            Their accuracies on the validation rows, which static rules go by.
        """
        predicted, n_classes = self.predicted[members], self.priors.size
        ties = {"n_classes": n_classes, "priors": self.priors}
        static = {
            "SS": static_selection(predicted, weights),
            "WV": weighted_vote(predicted, weights, **ties),
            "vote": majority_vote(predicted, **ties),
        }
        n_k, n_rows = self.local.shape[:2]
        tiled = np.tile(predicted, n_k)  # all k in one call, as if they were more rows
        local = self.local[:, :, members].reshape(n_k * n_rows, -1)
        dynamic = {
            "DS": dynamic_selection(tiled, local, weights, **ties),
            "DV": dynamic_voting(tiled, local, **ties),
            "DVS": dynamic_voting_selection(tiled, local, **ties),
        }
        right = {name: np.full(n_k, (told == self.y).mean()) for name, told in static.items()}
        for name, told in dynamic.items():
            right[name] = (told.reshape(n_k, n_rows) == self.y).mean(axis=1)
        return np.array([right[rule] for rule in RULES])
