"""What each method of the DAFS paper says of rows that nothing has been learned from."""

import time
from dataclasses import dataclass

import numpy as np

from ...ensemble import DAFS
from ...ensemble.panel_size import PanelSizeSearch
from ...integration import majority_vote
from ...learners.base import ALWAYS
from ...learners.choose import as_learner
from ...learners.multiclass import MulticlassSVMLearner
from ...sampling.subspace import enough_subspaces
from ...selectors import MRMR, InformationGain

# Our name -> the strategy of the multi-class SVM.
MACHINES = {
    "OVR": "ovr",
    "OVO": "ovo",
    "DAG": "dag",
    "WW": "weston_watkins",
    "CS": "crammer_singer",
}
SINGLE = {"kNN": "knn", "SVM": "svm", "MLP": "mlp"}
# How DAFS is taken: as the paper has it, and as `DAFS()` is without any setting.
PAPER, OURS = "DAFS", "DAFS, our default"
PANELS = ("MI", "mRMR", PAPER, OURS)
METHODS = (
    *SINGLE, "RSE", "mean member", "MI", "mRMR", *MACHINES, PAPER, OURS,
    "kNN on DAFS", "MLP on DAFS",
)  # fmt: skip
MOST_FEATURES = 30  # G
COVERED = 0.99  # that of (50, 500) on DLBCL


@dataclass(frozen=True)
class Split:
    """Some rows of a data set left out, and the columns scaled by the others.

    Attributes
    ----------
    X, y : ndarray of shape (n_samples, n_features), int array of shape (n_samples,)
        The data, classes as 0..c-1.
    rows : int array
        The rows that are left out.
    seed : int
        For everything drawn.
    """

    X: np.ndarray
    y: np.ndarray
    rows: np.ndarray
    seed: int

    def __post_init__(self):
        train = np.ones(self.y.size, dtype=bool)
        train[self.rows] = False
        kept = np.asarray(self.X[train], dtype=np.float64)
        # Where nothing varies among the others, nothing has been learned: the column is 0.
        varies = kept.max(axis=0) > kept.min(axis=0)
        shift, spread = kept.mean(axis=0), kept.std(axis=0)
        factor = np.divide(1.0, spread, out=np.zeros_like(spread), where=varies)
        columns = np.ascontiguousarray(((self.X - shift) * factor).T)
        low, width = kept.min(axis=0), np.ptp(kept, axis=0)
        width = np.divide(1.0, width, out=np.zeros_like(width), where=varies)
        between = np.ascontiguousarray(((self.X - low) * width).T)
        found = {
            "train": train,
            "kept": kept,
            "columns": columns,
            "between": between,
            "folds": np.where(train, ALWAYS, 0),
            "n_classes": int(self.y.max()) + 1,
        }
        for name, value in found.items():
            object.__setattr__(self, name, value)  # frozen to everybody else

    def predict(self, learner, features=None):
        """What a learner says of the rows left out, from some features or all."""
        columns = self.columns if features is None else self.columns[features]
        return self._predict(learner, columns)

    def predict_between(self, learner):
        """The same from all features between 0 and 1, as Statnikov et al. give them to machines.

        That of Crammer and Singer has no bias: columns around 0 would leave it without a constant.
        """
        return self._predict(learner, self.between)

    def _predict(self, learner, columns):
        rng = np.random.default_rng(self.seed)
        told, _ = learner.held_out_one(columns, self.y, self.folds, self.n_classes, rng)
        return told[self.rows]

    def select(self, selector):
        """Fit a selector to the other rows; the selector, the features it keeps, the seconds."""
        started = time.thread_time()
        selector.fit(self.kept, self.y[self.train])
        return selector, np.flatnonzero(selector.support_), time.thread_time() - started

    def vote(self, learner, subspaces):
        """What the vote of members on subspaces says, and the share of them that is right."""
        rngs = None
        if learner.draws:
            seeds = np.random.SeedSequence(self.seed).spawn(len(subspaces))
            rngs = [np.random.default_rng(seed) for seed in seeds]
        found = learner.held_out(
            lambda features: self.columns[features],
            list(subspaces),
            self.y,
            self.folds,
            self.n_classes,
            rngs,
        )
        predicted = found.predicted[:, self.rows]
        priors = np.bincount(self.y[self.train], minlength=self.n_classes)
        voted = majority_vote(predicted, self.n_classes, found.scores[self.rows], priors)
        return voted, (predicted == self.y[self.rows]).mean(axis=0)


def paper_sizes(n_features: int) -> tuple[int, int]:
    """Size and number of the subspaces: 50, and as many as cover 0.99 of the features.

    Examples
    --------
    >>> from consilience.evaluation.reproduce.dafs_methods import paper_sizes
    >>> paper_sizes(5469)
    (50, 502)
    """
    size = min(50, max(1, n_features // 4))
    return size, enough_subspaces(n_features, size, COVERED)


def paper_dafs(split: Split, size: int, number: int, estimator="svm", diversity="double_fault"):
    """DAFS as the paper has it: a validation part of a fifth, r = 1, up to 30 features."""
    return DAFS(
        estimator,
        diversity=diversity,
        r=1,
        evaluation="holdout",
        subspace_size=size,
        n_subspaces=number,
        max_features=MOST_FEATURES,
        random_state=split.seed,
    )


def judge_methods(split: Split) -> dict[str, np.ndarray]:
    """Run all methods but our default DAFS without the one row that is left out.

    Returns
    -------
    dict
        right : whether each method tells the row right, "mean member" by a share of the members;
        sizes : number of features of each of `PANELS`; seconds : of each method, NaN where it has
        none of its own. In the order of `METHODS` and `PANELS`, without our default.
    """
    (truth,) = split.y[split.rows]
    right, sizes, seconds = {}, {}, {}

    def timed(name, function, *given):
        started = time.thread_time()
        found = function(*given)
        seconds[name] = time.thread_time() - started
        return found

    for name, learner in SINGLE.items():
        right[name] = timed(name, split.predict, as_learner(learner))[0] == truth
    for name, strategy in MACHINES.items():
        machine = MulticlassSVMLearner(strategy)
        right[name] = timed(name, split.predict_between, machine)[0] == truth
    svm = as_learner("svm")
    m, number = paper_sizes(split.X.shape[1])
    selectors = {
        "MI": _cut(InformationGain(discretize="equal_frequency", n_bins=3), split),
        "mRMR": _cut(MRMR(), split),
        PAPER: paper_dafs(split, m, number),
    }
    for name, selector in selectors.items():
        fitted, panel, seconds[name] = split.select(selector)
        right[name], sizes[name] = split.predict(svm, panel)[0] == truth, panel.size
    for name in ("kNN", "MLP"):
        told = timed(f"{name} on DAFS", split.predict, as_learner(SINGLE[name]), panel)
        right[f"{name} on DAFS"] = told[0] == truth
    (voted,), (right["mean member"],) = timed("RSE", split.vote, svm, fitted.subspaces_)
    right["RSE"] = voted == truth
    names = {"right": METHODS, "sizes": PANELS, "seconds": METHODS}
    return {
        figure: np.array([float(found.get(n, np.nan)) for n in names[figure] if n != OURS])
        for figure, found in (("right", right), ("sizes", sizes), ("seconds", seconds))
    }


def judge_ours(split: Split) -> dict[str, np.ndarray]:
    """Our default DAFS without some rows: right of each row, size and seconds."""
    _, panel, seconds = split.select(DAFS(random_state=split.seed))
    right = split.predict(as_learner("svm"), panel) == split.y[split.rows]
    return {"right": right.astype(float), "sizes": panel.size, "seconds": seconds}


def _cut(selector, split):
    """A ranking, cut as DAFS cuts its own."""
    return PanelSizeSearch(
        selector,
        "svm",
        max_features=min(MOST_FEATURES, split.X.shape[1]),
        evaluation="holdout",
        random_state=split.seed,
    )
