"""The ensemble of selections: resample the rows, select each time, agree on a panel."""

import sys
import time
from datetime import UTC, datetime
from numbers import Integral, Real

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.callback import CallbackSupportMixin, with_callbacks
from sklearn.utils import check_random_state, get_tags

from .. import __version__
from ..aggregation import AGGREGATORS, AverageRank
from ..data.block_matrix import BlockMatrix
from ..data.unchanged import check_unchanged
from ..exceptions import UsageError
from ..execution import check_memory, fingerprint, format_bytes, open_seeded, run_tasks
from ..execution.dask_cluster import active_cluster
from ..execution.local import resolve_jobs
from ..execution.progress import progress_bar
from ..execution.thread_limit import one_thread_each
from ..results.data_facts import data_facts
from ..results.plain import clean, named, versions
from ..sampling.bootstrap import plan_bootstrap
from ..sampling.row_keys import row_keys
from ..selectors import SELECTORS, RidgeRFE
from ..selectors.adapter import as_model_selector
from ..selectors.base import check_size
from ..selectors.support import SupportMixin
from ..selectors.validation import (
    check_count,
    check_labels,
    check_weights,
    check_X,
    feature_names,
    refuse_blocks,
)
from .methods import ENSEMBLES
from .out_of_bag import OutOfBag, dense_columns
from .preparation import Preparation
from .reporting import CallbackProgress
from .result import SelectionResult, fresh
from .tasks import batches, fit_batch, fit_judged_batch, join, models_per_task


@ENSEMBLES.add(name="ensemble", paper="model mining", source="Woznica, Nguyen, Kalousis 2012")
class EnsembleSelector(CallbackSupportMixin, SupportMixin, BaseEstimator):
    """Select features that hold up: many samples of the rows, one panel that they agree on.

    A single selection changes when a few rows change. This one draws `n_models` stratified
    samples of the rows, selects from each with `selector`, and lets `aggregator` find the panel
    that the selections support. `result_` answers what was found and how surely.

    The defaults are those that did best in a study on real data, see
    docs/decisions/0013-default.md; the systems that the paper compares draw bootstraps
    (``sample_share=None``).

    Parameters
    ----------
    selector : selector, default=None
        How features are selected from one sample; None is `RidgeRFE()`. Its own
        `n_features_to_select` yields to the ensemble's. Any scikit-learn selector will do; those
        of consilience share sorting and the like between all samples.
    aggregator : aggregator, default=None
        How the selections become a panel; None is `AverageRank()`.
    n_features_to_select : int, default=20
        Size of the panel, and of each selection.
    n_models : int, default=150
        Number of samples of the rows, and of selections.
    sample_share : float or None, default=0.8
        Share of the rows of each class that a sample holds, drawn without replacement. None draws
        bootstraps: as many rows as there are, with replacement.
    n_jobs : int, default=None
        Selections at the same time; None is 1, -1 is all cores. Never changes the answer.
    random_state : int, RandomState or None, default=None
        Seed; the same seed gives the same answer on any number of cores.
    checkpoint : str, Path or None, default=None
        Directory where each finished part of the work is kept, so that an interrupted `fit` goes
        on where it stopped. A directory of other data or settings is refused.
    backend : {"threads", "processes"}, default="threads"
        What `n_jobs` counts. Threads share X and suit the compiled selectors of consilience;
        processes map X into memory and suit selectors written in Python.
    verbose : int, default=0
        1 shows a progress bar on a terminal, and says how much memory the work needs.

    Attributes
    ----------
    models_ : FeatureModels
        The selection and ranking from every bootstrap; with weights where the aggregator needs
        them: the area under the ROC curve of a linear classifier on the rows left out.
    panels_ : list of int arrays
        The panels, best first, features in order of importance.
    frequencies_ : ndarray of shape (n_features,)
        Share of the models that selected each feature.
    support_ : ndarray of shape (n_features,)
        Mask of the best panel.
    aggregator_ : aggregator
        The copy of `aggregator` that was used, with what it learned, such as `itemsets_`.
    ranking_ : ndarray of shape (n_features,)
        The panel comes first in its order, the others follow by frequency and mean rank.
    result_ : SelectionResult
        The whole answer, savable.
    n_features_in_ : int
        Number of features seen in `fit`.
    feature_names_in_ : ndarray of str
        Their names, where X had them.

    See Also
    --------
    evaluate_selection : how accurate and stable the whole procedure is on rows never seen.

    References
    ----------
    A. Woznica, P. Nguyen, A. Kalousis, "Model mining for robust feature selection", KDD 2012.

    Examples
    --------
    >>> from consilience import EnsembleSelector, load_demo
    >>> demo = load_demo()
    >>> ensemble = EnsembleSelector(n_features_to_select=10, n_models=30, random_state=0)
    >>> ensemble.fit(demo.X, demo.y).transform(demo.X).shape
    (38, 10)
    """

    def __init__(
        self,
        selector=None,
        aggregator=None,
        *,
        n_features_to_select=20,
        n_models=150,
        sample_share=0.8,
        n_jobs=None,
        random_state=None,
        checkpoint=None,
        backend="threads",
        verbose=0,
    ):
        self.selector = selector
        self.aggregator = aggregator
        self.n_features_to_select = n_features_to_select
        self.n_models = n_models
        self.sample_share = sample_share
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.checkpoint = checkpoint
        self.backend = backend
        self.verbose = verbose

    @with_callbacks
    def fit(self, X, y, sample_weight=None, groups=None):
        """Select from every sample and agree on the panel.

        Parameters
        ----------
        X : array-like, sparse matrix or BitMatrix of shape (n_samples, n_features)
            The data.
        y : array-like of shape (n_samples,)
            Class labels.
        sample_weight : array-like of shape (n_samples,), default=None
            Whole weights are numbers of copies. Other weights count in every sample that holds
            the row; bootstraps draw the rows in proportion to them instead.
        groups : array-like of shape (n_samples,), default=None
            Rows that belong together, such as the samples of one patient; drawn together.

        Returns
        -------
        self : object
            The fitted ensemble.
        """
        started = time.perf_counter()
        check_count("n_models", self.n_models)
        check_share(self.sample_share)
        checked, _ = check_X(
            self, X, reset=True, allow_missing=True, categorical="from_dtype", blocks=True
        )
        size = check_size(self.n_features_to_select, self.n_features_in_)
        worker = as_model_selector(self.base_selector(), size)
        if isinstance(checked, BlockMatrix) and not getattr(worker, "takes_blocks", False):
            refuse_blocks(self.base_selector())
        self._check_memory(checked)
        if sample_weight is not None:
            classes, codes = check_labels(y, checked.shape[0])
            sample_weight = check_weights(sample_weight, codes, classes)
        with one_thread_each():  # as a worker of a cluster does it: bits hang on the number
            prepared = worker.prepare(X, y, sample_weight)
        plan = plan_bootstrap(
            prepared.y,
            groups=groups,
            rate=self.sample_share,
            sample_weight=sample_weight,
            keys=row_keys(checked),
        )
        seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        seeds = np.random.SeedSequence(seed).spawn(self.n_models + 1)
        settings = self._settings(size, sample_weight is not None, groups is not None)
        checkpoint = self._open_checkpoint(
            settings, seed, checked, prepared.y, prepared.nominal, sample_weight, plan.unit_of_row
        )
        tasks = batches(seeds[1:], models_per_task(worker, self.n_features_in_))
        rankings = np.empty((self.n_models, self.n_features_in_), dtype=np.float32)
        how, shared = {"backend": self.backend, "anywhere": True}, (worker, prepared, plan)
        if isinstance(
            checked, BlockMatrix
        ):  # tasks stay here, and what they ask goes to the blocks
            how, shared = {"backend": "threads", "anywhere": False}, (*shared, rankings)
        elif active_cluster() is not None:
            data = X if hasattr(X, "columns") else checked
            shared = (worker, Preparation(worker, data, y, sample_weight), plan, None)
        else:  # threads write their part of the rankings in place; nothing is held twice
            shared = (*shared, rankings if self.backend == "threads" else None)
        function = fit_batch
        if getattr(self._aggregator(), "needs_weights", False):
            judge = OutOfBag(checked, prepared.y, prepared.nominal, sample_weight).by_columns()
            function, shared = fit_judged_batch, (*shared, judge)
        context = self._init_callback_context(max_subtasks=len(tasks))
        with progress_bar("Selecting", show=bool(self.verbose)) as bar:
            parts = run_tasks(
                function,
                tasks,
                shared=shared,
                n_jobs=self.n_jobs,
                **how,
                checkpoint=checkpoint,
                progress=CallbackProgress(self, context, bar),
            )
        check_unchanged(X)
        self.models_ = join(parts, rankings)
        self.aggregator_ = fresh(self._aggregator())
        self.panels_ = self.aggregator_.aggregate(self.models_, size, random_state=seeds[0])
        self._learn(checked, prepared)
        self.result_ = self._result(checked, prepared, settings, started)
        return self

    def estimate_memory(self, X) -> int:
        """Bytes that `fit` will hold at its peak beside X itself, about.

        Parameters
        ----------
        X : array, sparse matrix or BitMatrix of shape (n_samples, n_features)
            The data.
        """
        n_features = X.shape[1]
        worker = as_model_selector(self.base_selector(), self.n_features_to_select)
        rankings = 4 * self.n_models * n_features
        together = models_per_task(worker, n_features)
        jobs = min(resolve_jobs(self.n_jobs), -(-self.n_models // together))
        scores = jobs * together * n_features * 20  # scores twice, ranks, marks
        return int(worker.memory(X) + rankings + scores)

    def base_selector(self):
        """The selector that `fit` uses on each sample: the one given, or the default."""
        return RidgeRFE() if self.selector is None else self.selector

    def base_aggregator(self):
        """The aggregator that `fit` uses: the one given, or the default."""
        return AverageRank() if self.aggregator is None else self.aggregator

    def _aggregator(self):
        aggregator = self.base_aggregator()
        if isinstance(aggregator, type) or not hasattr(aggregator, "aggregate"):
            raise UsageError(
                f"aggregator is {aggregator!r}; give an aggregator such as AverageRank()."
            )
        return aggregator

    def _settings(self, size, weighted, grouped):
        """What decides the answer, but for the data and the seed's own draw."""
        selector, aggregator = self.base_selector(), self._aggregator()
        seed = self.random_state
        return {
            "selector": named(SELECTORS, selector, leave_out=("n_features_to_select",)),
            "aggregator": named(AGGREGATORS, aggregator),
            "n_features_to_select": size,
            "n_models": int(self.n_models),
            "sample_share": None if self.sample_share is None else float(self.sample_share),
            "random_state": int(seed) if isinstance(seed, Integral) else None,
            "weighted": weighted,
            "grouped": grouped,
        }

    def _check_memory(self, X):
        needed = self.estimate_memory(X)
        what = f"Selecting from {self.n_models} samples of {X.shape[0]} x {X.shape[1]} values"
        check_memory(needed, what)
        if self.verbose:
            print(f"{what} needs about {format_bytes(needed)} of memory.", file=sys.stderr)  # noqa: T201

    def _open_checkpoint(self, settings, seed, *data):
        """The checkpoint as given, or a directory of our own under its manifest."""

        def manifest():
            told = {"consilience": __version__, **clean(settings), "seed": seed}
            return told | {"data": fingerprint(*data)}

        return open_seeded(self.checkpoint, self.random_state, manifest)

    def _learn(self, X, prepared):
        """Set the learned attributes that follow from models and panels."""
        self.classes_ = prepared.classes
        self.frequencies_ = self.models_.frequencies
        best = self.panels_[0]
        self.support_ = np.zeros(prepared.n_features, dtype=bool)
        self.support_[best] = True
        others = np.flatnonzero(~self.support_)
        ranks, frequencies = self.models_.mean_ranks, self.frequencies_
        others = others[np.lexsort((ranks[others], -frequencies[others]))]
        self.ranking_ = np.empty(prepared.n_features, dtype=np.int64)
        self.ranking_[np.concatenate([best, others])] = np.arange(1, prepared.n_features + 1)

    def _result(self, X, prepared, settings, started):
        classes = [str(label) for label in prepared.classes]
        profiled = np.unique(np.concatenate(self.panels_))
        return SelectionResult(
            models=self.models_,
            panels=self.panels_,
            feature_names=feature_names(self),
            classes=classes,
            y_codes=prepared.y,
            profiled=profiled,
            panel_values=dense_columns(X, profiled),
            nominal=prepared.nominal[profiled],
            settings=settings,
            data=data_facts(X, prepared.y, classes),
            warnings=self._remarks(settings["n_features_to_select"]),
            versions=versions(),
            aggregator=self.aggregator_,
            seconds={"select": time.perf_counter() - started},
            created=datetime.now(UTC).isoformat(timespec="seconds"),
        )

    def _remarks(self, size):
        """What a reader of the result should know, beside what `fit` has warned of."""
        found = self.panels_[0].size
        if found < min(size, np.count_nonzero(self.frequencies_)):
            return [f"The panel holds {found} of the {size} features asked for."]
        if found < size:
            return [f"Only {found} of the {size} features asked for were ever selected."]
        return []

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        if isinstance(selector := self.base_selector(), BaseEstimator):  # `fit` refuses others
            inner = get_tags(selector).input_tags
            tags.input_tags.sparse = inner.sparse
            tags.input_tags.allow_nan = inner.allow_nan
        return tags


def check_share(share) -> None:
    """Refuse a share of the rows that cannot be drawn."""
    if share is None:
        return
    if not isinstance(share, Real) or isinstance(share, bool) or not 0 < share < 1:
        raise UsageError(
            f"sample_share is {share!r}; give a number between 0 and 1, such as 0.8, or None for "
            "bootstraps."
        )
