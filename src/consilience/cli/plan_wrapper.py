"""What was asked for of a wrapper for imbalanced classes, checked before any data are read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ..exceptions import DataError, UsageError
from ..heard import hear
from .names import wrapper_words
from .plan_base import AUTO, BasePlan

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..data.table import Table
    from ..ensemble import BalancedWrapper
    from ..execution import Checkpoint

NONE = "none"
BY_STEPS = ("forward", "floating")  # searches that may ask at each added feature
BY_GENERATIONS = ("genetic", "swarm")
DRAWN_NEAR = ("hybrid", "smote")  # balances with synthetic rows, which go to near ones
WITHOUT_DRAWS = ("cost", NONE)  # balances whose trees would all be the same
WORDS = ("search", "balance", "stop", "choice", "fitness", "multiclass", "space")


@dataclass(frozen=True, kw_only=True)
class BalancedWrapperPlan(BasePlan):
    """Settings of one wrapper; what is None is the library's default.

    Names are checked and replaced by their own spelling, and the rule to stop by is settled: it
    hangs on the search.
    """

    method: ClassVar[str] = "balanced-wrapper"
    decisive: ClassVar[tuple[str, ...]] = (
        "method", "features", "search", "balance", "members", "stop", "choice", "inner_folds",
        "fitness", "multiclass", "candidates", "space", "generations", "population",
    )  # fmt: skip
    usual: ClassVar[dict] = {
        "balance": "hybrid", "members": 20, "choice": "race", "inner_folds": 5, "fitness": "auc",
        "multiclass": "smallest", "space": "subset", "candidates": AUTO, "generations": 20,
        "population": 20,
    }  # fmt: skip
    # The print and the page name this feature as the file does, which the library cannot.
    told_elsewhere: ClassVar[tuple[str, ...]] = ("Not even the best feature",)
    of_training_sets: ClassVar[tuple[str, ...]] = (
        r"Only \d+ of the \d+ features", r"All \d+ candidates have", r"There are \d+ inner folds",
    )  # fmt: skip

    classifier: str = "balanced-svm"
    features: int = 20  # the most, where there is a rule to stop by
    search: str = "forward"
    balance: str | None = None
    members: int | None = None
    stop: str | None = None
    choice: str | None = None
    inner_folds: int | None = None
    fitness: str | None = None
    multiclass: str | None = None
    candidates: str | None = None
    space: str | None = None
    generations: int | None = None
    population: int | None = None

    def __post_init__(self):
        super().__post_init__()
        for name in WORDS:
            if (value := getattr(self, name)) is not None:  # the library's spelling is as good
                # The dataclass is frozen to everybody else.
                object.__setattr__(self, name, value.replace("_", "-"))
                self.check_choice(f"--{name}", getattr(self, name), wrapper_words(name))
        if self.stop is None:
            rule = "permutation" if self.search in BY_STEPS else "one-se"
            object.__setattr__(self, "stop", rule)
        self.check_number("--features", self.features, 1)
        self.check_number("--members", self.members, 1)
        self.check_number("--inner-folds", self.inner_folds, 2)
        self.check_number("--generations", self.generations, 1)
        self.check_number("--population", self.population, 2)  # who would cross with whom
        if self.candidates != "all":
            self.whole_or_auto("candidates", "all or auto")
        self._check_company()

    def _check_company(self) -> None:
        """Refuse what another setting leaves without a meaning."""
        if self.stop == "permutation" and self.search not in BY_STEPS:
            raise UsageError(
                f"--stop permutation asks at each added feature, and --search {self.search} adds "
                "none; choose --stop one-se or none, or --search forward or floating."
            )
        for option in ("generations", "population"):
            if getattr(self, option) is not None and self.search not in BY_GENERATIONS:
                raise UsageError(
                    f"--{option} does not apply to --search {self.search}; leave it out, or choose "
                    "--search genetic or swarm."
                )
        if self.space is not None and self.balance not in (None, *DRAWN_NEAR):
            raise UsageError(
                f"--space tells where synthetic rows are near, and --balance {self.balance} makes "
                f"none; leave it out, or choose --balance {' or '.join(DRAWN_NEAR)}."
            )
        if self.members not in (None, 1) and self.balance in WITHOUT_DRAWS:
            raise UsageError(
                f"--members {self.members} would all be the same tree with --balance "
                f"{self.balance}, which draws no samples; leave --members out."
            )

    def evaluator(self) -> Callable:
        """Return the function that tells how the panel does on unseen rows."""
        from ..evaluation.wrappers import evaluate_wrapper

        return evaluate_wrapper

    def check(self, table: Table) -> None:
        """Refuse what this table cannot give."""
        super().check(table)
        if missing := table.describe_missing():
            raise DataError(
                f"{missing} {self.method} cannot use missing values: impute them, leave the column "
                "out with --drop, or choose --method ensemble."
            )
        if self.features > table.n_features:
            raise UsageError(
                f"--features {self.features} was asked for and '{table.source}' has "
                f"{table.n_features} features; give --features {table.n_features} or less."
            )
        if self.folds:
            self._check_judged(table)

    def _check_judged(self, table: Table) -> None:
        """Refuse folds that leave a search too few rows of a class to learn from and judge by."""
        from ..evaluation.folds import make_folds, most_folds
        from ..evaluation.wrappers import told_apart

        labels, minority = told_apart(self.build(table, None, 0), table.y)
        wanted = np.unique(labels) if minority is None else [minority]
        units = np.arange(labels.size) if table.groups is None else np.asarray(table.groups)
        what = "sample" if table.groups is None else "group"
        n_splits = most_folds(labels, table.groups, self.folds)
        if n_splits < 2:
            return  # which is told when the folds are made
        with hear():
            folds = make_folds(labels, table.groups, n_splits, self.seed)
        for train, _ in folds:
            for name in wanted:
                if np.unique(units[train][labels[train] == name]).size < 2:
                    n = np.unique(units[labels == name]).size
                    more = f"--folds {n} or 0" if n > max(2, n_splits) else "--folds 0"
                    raise DataError(
                        f"'{table.source}': class '{name}' has {n} {what}s, and a training set of "
                        f"the {n_splits} folds has one of them, where {self.method} has to learn "
                        f"from some and judge by others; give {more}, or add {what}s of it."
                    )

    def build(self, table: Table, checkpoint: Checkpoint | None, verbose: int) -> BalancedWrapper:
        """Return the estimator for this table."""
        from ..ensemble import BalancedWrapper

        return BalancedWrapper(
            **self.settings(),
            categorical_features=table.categorical_features,
            n_jobs=self.jobs,
            random_state=self.seed,
            checkpoint=checkpoint,
            backend=self.backend,
            verbose=verbose,
        )

    def settings(self) -> dict:
        """Return the parameters that were given, in the words of the library."""
        said = {name: getattr(self, name) for name in WORDS}
        said = {name: None if v is None else v.replace("-", "_") for name, v in said.items()}
        candidates = self.candidates
        if candidates not in (None, "all"):
            candidates = self.whole_or_auto("candidates")
        given = {
            "search": said["search"],
            "n_features_to_select": self.features,
            "ensemble_size": self.members,
            "balance": False if said["balance"] == NONE else said["balance"],
            "cv": self.inner_folds,
            "choice": said["choice"],
            "fitness": said["fitness"],
            "multiclass": said["multiclass"],
            "smote_space": said["space"],
            "n_candidates": None if candidates == AUTO else candidates,
            "n_generations": self.generations,
            "population": self.population,
        }
        given = {name: value for name, value in given.items() if value is not None}
        return given | {"stop": None if self.stop == NONE else said["stop"]}

    def warm_up(self, table: Table) -> None:
        """Compile what the search needs, so that no step is blamed for it."""
        from ..ensemble.wrapper_warmup import warm_for

        warm_for(self.build(table, None, 0), table.X)
