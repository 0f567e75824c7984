"""Subsets judged by any classifier of scikit-learn, on the very samples that trees would get."""

import numpy as np
from scipy.special import expit

from ..exceptions import ConsilienceError, UsageError
from ..learners.seeding import seeded_copy
from ..learners.tree_settings import TreeSettings
from .wrapper_scorer import SubsetScorer


class GeneralScorer(SubsetScorer):
    """Judges feature subsets by ensembles of any classifier.

    Parameters
    ----------
    estimator : classifier
        Cloned for every member. Its probabilities are averaged; where it has none, its decision
        values are brought to between 0 and 1 by the logistic function, unless it is alone.
    *args, **options
        As in `SubsetScorer`.
    """

    slow = True
    block = 4

    def __init__(self, estimator, *args, **options):
        super().__init__(*args, **options)
        self.estimator = estimator
        if self.balance.kind == "cost" and "class_weight" not in estimator.get_params():
            raise UsageError(
                f"balance is 'cost' and {type(estimator).__name__} takes no class_weight; choose "
                "another estimator, or another balance such as 'hybrid'."
            )

    def _score(self, table, splits, subsets, seeds, folds, pooled):
        from ..kernels.roc import ranked_area

        n_all, measure = table.columns.shape[1], self.kernel_plan(TreeSettings()).measure
        for s, (features, seed) in enumerate(zip(subsets, seeds, strict=True)):
            sums, tested = np.zeros(n_all), np.zeros(n_all)
            for k in range(len(splits.counts)):
                n_minority, n_majority, n_test = splits.counts[k]
                folds[s, k] = np.nan
                if 0 in (n_minority, n_majority, n_test):
                    continue
                test = splits.test[k, :n_test]
                scores = self._held_out(table, splits, k, features, seed, test)
                sums[test] += scores
                tested[test] += 1
                folds[s, k] = _area(ranked_area, scores, table.positive[test], measure)
            known = tested > 0
            means = sums[known] / tested[known]
            pooled[s] = _area(ranked_area, means, table.positive[known], measure)

    def _held_out(self, table, splits, k, features, seed, test):
        """Mean probability of the minority for each test row."""
        asked = np.ascontiguousarray(table.columns[np.ix_(features, test)].T)
        scores = np.zeros(test.size)
        for member, (X, y) in enumerate(self._samples(table, splits, k, features, seed)):
            rng = np.random.default_rng([int(seed), k, member])
            model = seeded_copy(self.estimator, rng)
            if self.balance.kind == "cost":
                model.set_params(class_weight="balanced")
            scores += held_out_scores(model, X, y, asked, alone=self.balance.n_members == 1)
        return scores / self.balance.n_members

    def _samples(self, table, splits, k, features, seed):
        """Rows and classes of each member's sample."""
        from ..kernels.balance import sample_room
        from ..kernels.balanced_trees import draw_members, fill_sample, find_near

        plan = self.kernel_plan(TreeSettings())
        n_minority, n_majority, _ = splits.counts[k]
        room = max(table.columns.shape[1], int(splits.sizes[k, 0] + n_minority))
        n_synthetic, n_repeated = (splits.sizes[k, 1], splits.sizes[k, 2]) if plan.drawn else (0, 0)
        samples = sample_room(plan.n_members, room, int(splits.sizes[:, 1].max()))
        fates, pool = np.empty(n_minority), np.empty(room, dtype=np.int32)
        with np.errstate(over="ignore"):
            n_rows = draw_members(splits, k, plan, seed, fates, pool, samples)
        n_near = min(plan.k_neighbors, n_minority - 1)
        near = np.empty((n_minority, max(1, plan.k_neighbors)), dtype=np.int32)
        if n_synthetic:
            distances = np.empty((n_minority, n_minority))
            find_near(table, splits, k, features, n_near, fates, distances, near)
        minority = splits.minority[k, :n_minority]
        n_drawn = splits.sizes[k, 0] if plan.drawn else n_majority
        for member in range(plan.n_members):
            X = np.empty((n_rows + n_repeated + n_synthetic, features.size))
            with np.errstate(over="ignore"):
                fill_sample(
                    table, features, minority, samples, member, n_rows, near, plan.gap_per_column, X
                )
            yield X, (np.arange(len(X)) >= n_drawn).astype(np.int64)


def held_out_scores(model, X, y, asked, *, alone: bool) -> np.ndarray:
    """Scores of a classifier that is fitted; what it says against a small sample becomes ours."""
    try:
        return minority_scores(model.fit(X, y), asked, alone=alone)
    except ConsilienceError:
        raise
    except ValueError as error:
        raise UsageError(
            f"{type(model).__name__} cannot learn from a sample of {len(X)} rows, {y.sum()} of "
            f"them of the minority; choose other settings, or another estimator. It says: {error}"
        ) from error


def minority_scores(model, X, *, alone: bool = False) -> np.ndarray:
    """Probability of class 1 by a fitted classifier, or its decision value.

    To be averaged, decision values are brought to between 0 and 1; far ones then become equal, so
    that those of a classifier alone stay as they are.
    """
    if hasattr(model, "predict_proba"):
        found = model.predict_proba(X)
        if model.classes_.size == 1:
            return np.full(len(X), float(model.classes_[0] == 1))
        return found[:, 1] / found.sum(axis=1)
    if not hasattr(model, "decision_function"):
        raise UsageError(
            f"{type(model).__name__} gives neither probabilities nor decision values, and rows "
            "must be ranked; choose a classifier with predict_proba."
        )
    values = model.decision_function(X)
    return values if alone else expit(values)


def _area(ranked_area, scores, positive, measure):
    room = np.empty(scores.size), np.empty(scores.size, dtype=np.uint32)
    truth = positive.astype(np.uint32)
    return ranked_area(scores.copy(), truth, scores.size, measure, 0.0, *room)
