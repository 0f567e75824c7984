"""DAFS: features judged by the accurate and diverse classifiers that use them."""

import time

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.callback import CallbackSupportMixin, with_callbacks
from sklearn.utils import check_random_state

from ..data.unchanged import check_unchanged
from ..exceptions import UsageError
from ..execution.progress import progress_bar
from ..heard import remark
from ..integration import majority_vote
from ..learners.base import ALWAYS
from ..learners.choose import as_learner
from ..sampling.subspace import plan_subspaces
from ..selectors.base import check_size
from ..selectors.support import SupportMixin
from ..selectors.validation import check_count, check_labels, check_X, feature_names
from .dafs_answer import make_result
from .dafs_checkpoint import open_run
from .dafs_columns import by_columns, refuse_categories
from .dafs_members import run_members, run_pilot
from .dafs_plan import After, tell_plan
from .dafs_ranking import order_by_score, remark_inversion, remark_never_sampled
from .dafs_scores import HIDING, SCORES, Evidence, check_options
from .dafs_work import needed_memory, prepare_work
from .methods import ENSEMBLES
from .reporting import CallbackProgress


@ENSEMBLES.add(name="dafs", paper="DAFS", source="Hatami, Chira 2013")
class DAFS(CallbackSupportMixin, SupportMixin, BaseEstimator):
    """Select features whose random subspaces make accurate and diverse classifiers.

    Many classifiers are trained, each on a few features drawn at random, and judged on rows that
    they have not seen. A feature scores by the classifiers that use it: how accurate they are, and
    how much of that they owe to it, or how much they differ from the ensemble of all. Features are
    judged among others, as a wrapper does, at the cost of a few thousand small classifiers. The
    number of features is the one with which a classifier on the best of them does best.

    The default, "occlusion", asks what each member loses when one feature is hidden from it. It is
    not the paper's: in a study on made and real data it chose better features than any of the
    paper's four measures, see docs/decisions/0015-dafs-score.md. The paper's own set-up is
    ``evaluation="holdout"`` with one of the four diversities and ``r=1``. Q, the correlation and
    the disagreement can then rank features the wrong way round: where the ensemble hardly errs,
    whoever differs from it is wrong. A warning says so when it happens. The double fault does not
    suffer from it, and folds judge more steadily than a validation part.

    Parameters
    ----------
    estimator : {"svm", "knn", "ridge", "mlp"}, classifier or Learner, default="svm"
        What is trained on each subspace. Linear SVMs, nearest neighbours and ridge classifiers
        have fast exact ways; any other classifier of scikit-learn is fitted anew for each fold.
    diversity : {"double_fault", "q_statistic", "correlation", "disagreement"}, default=None
        How the difference between a member and the ensemble is measured. Giving it asks for the
        paper's score, ``criterion="da"``.
    criterion : {"occlusion", "da", "accuracy"}, default=None
        What a feature is scored by. "occlusion": how much accuracy its members lose when it is
        hidden from them (in the row to predict, its mean stands in its place), accurate members
        before others. "da": the measure of the paper, accuracy weighted by diversity.
        "accuracy": the mean accuracy of its members. None is "da" where `diversity` is given,
        else "occlusion".
    r : float, default=None
        Exponent of the accuracy; None is 1 for "da" with "double_fault", else 3. With
        ``form="linear"`` the share of the diverse part, None being 0.5.
    form : {"ratio", "linear", "num"}, default="ratio"
        How accuracy and diversity are joined: (a / a_ensemble)^r d, or
        r (a / a_ensemble) d + (1 - r) a / a_ensemble, or a^r / a_ensemble d.
    orientation : {"diverse", "raw"}, default="diverse"
        "raw" takes Q, the correlation and the double fault as published, which rewards members
        that err as the ensemble does.
    agreement : {"correctness", "label"}, default="correctness"
        Whether "disagreement" compares being right or the labels themselves.
    subspace_size : int, default=None
        Features of each member; None plans it, see `consilience.sampling.subspace`.
    n_subspaces : int, default=None
        Number of members; None takes as many as `coverage` needs, and about 30 for each feature.
    coverage : float, default=0.999
        Probability with which a feature shall be in some subspace, for sizes that are None.
    sampling : {"random", "partition"}, default="random"
        "random" draws each subspace on its own. "partition" deals shuffled features out, so that
        all are used equally often.
    max_features : int, default=30
        Largest number of features to select.
    n_features_to_select : int, default=None
        Number of features to select; None takes the best of the validation curve.
    evaluation : {"oof", "holdout", "loo", "train"}, default="oof"
        Which rows judge: all, by folds; a validation part; all, left out one by one; or the very
        rows trained on, which tells nothing of classifiers that fit them perfectly.
    n_folds : int, default=5
        Folds of "oof".
    validation_fraction : float, default=0.2
        Share of the rows in the validation part of "holdout".
    final_estimator : as `estimator`, default=None
        What the validation curve is made with; None is `estimator`.
    scale : bool, default=True
        Whether columns are brought to mean 0 and variance 1 first. Mean and variance are of all
        rows given to `fit`, and so is the mean that stands for a hidden feature: rows held out
        take part in them, their classes do not. Evaluate the panel on rows that `fit` never saw.
    n_jobs : int, default=None
        Members trained at the same time; None is 1, -1 is all cores. Never changes the answer.
    random_state : int, RandomState or None, default=None
        Seed; the same seed gives the same answer on any number of cores.
    checkpoint : str, Path or None, default=None
        Directory where each finished part of the work is kept, so that an interrupted `fit` goes
        on where it stopped. A directory of other data or settings is refused.
    backend : {"threads", "processes"}, default="threads"
        What `n_jobs` counts. Processes suit classifiers that are written in Python.
    verbose : int, default=0
        1 prints the plan and what it will cost before the work, and shows a progress bar.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        Score of each feature; NaN for constant columns and for features in no subspace.
    ranking_ : ndarray of shape (n_features,)
        1 is best. Equal scores: more members first, then more accurate ones, then by the seed.
    support_ : ndarray of shape (n_features,)
        Mask of the selected features, the first of the ranking.
    n_features_ : int
        How many were selected.
    validation_curve_ : ndarray
        Accuracy of the final estimator on held-out rows with the best 1, 2, ... features. The
        ranking has seen the same rows: it serves to choose a number, not to promise an accuracy.
    n_hits_ : ndarray of shape (n_features,)
        Number of members that use each feature.
    never_sampled_ : ndarray of int
        Features that vary and are in no subspace.
    coverage_ : float
        Probability that a feature is in some subspace, P_cov.
    subspaces_ : ndarray of shape (n_subspaces, subspace_size)
        Features of each member.
    subspace_size_, n_subspaces_ : int
        As planned.
    folds_ : ndarray of shape (n_samples,)
        Fold in which each row is held out; -1 for rows that all members are trained on.
    member_accuracies_, member_diversities_ : ndarray of shape (n_subspaces,)
        Of each member, on the held-out rows.
    ensemble_accuracy_ : float
        Of the vote of all members.
    feature_accuracies_ : ndarray of shape (n_features,)
        Mean accuracy of each feature's members.
    classes_ : ndarray
        Class labels.
    seconds_ : dict
        Time spent: "members" (with checks, plan and, in a first run, compiling), "curve", "total".
    result_ : DAFSResult
        The whole answer, savable.
    n_features_in_ : int
        Number of features seen in `fit`.
    feature_names_in_ : ndarray of str
        Their names, where X had them.

    See Also
    --------
    EnsembleSelector : samples of the rows in place of the columns.

    References
    ----------
    N. Hatami, C. Chira, "Diverse accurate feature selection for microarray cancer diagnosis",
    Intelligent Data Analysis 17, 2013, 697-716.

    Examples
    --------
    >>> from consilience import DAFS, load_demo
    >>> demo = load_demo()
    >>> dafs = DAFS("knn", subspace_size=50, n_subspaces=1000, random_state=0)
    >>> panel = dafs.fit(demo.X, demo.y).transform(demo.X)
    >>> panel.shape[1] == dafs.n_features_ <= 30
    True
    """

    def __init__(
        self,
        estimator="svm",
        *,
        diversity=None,
        criterion=None,
        r=None,
        form="ratio",
        orientation="diverse",
        agreement="correctness",
        subspace_size=None,
        n_subspaces=None,
        coverage=0.999,
        sampling="random",
        max_features=30,
        n_features_to_select=None,
        evaluation="oof",
        n_folds=5,
        validation_fraction=0.2,
        final_estimator=None,
        scale=True,
        n_jobs=None,
        random_state=None,
        checkpoint=None,
        backend="threads",
        verbose=0,
    ):
        self.estimator = estimator
        self.diversity = diversity
        self.criterion = criterion
        self.r = r
        self.form = form
        self.orientation = orientation
        self.agreement = agreement
        self.subspace_size = subspace_size
        self.n_subspaces = n_subspaces
        self.coverage = coverage
        self.sampling = sampling
        self.max_features = max_features
        self.n_features_to_select = n_features_to_select
        self.evaluation = evaluation
        self.n_folds = n_folds
        self.validation_fraction = validation_fraction
        self.final_estimator = final_estimator
        self.scale = scale
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.checkpoint = checkpoint
        self.backend = backend
        self.verbose = verbose

    @with_callbacks
    def fit(self, X, y, groups=None):
        """Train the members, score the features and choose how many.

        There are no sample weights: every row counts once.

        Parameters
        ----------
        X : array-like, sparse matrix or BitMatrix of shape (n_samples, n_features)
            The data.
        y : array-like of shape (n_samples,)
            Class labels.
        groups : array-like of shape (n_samples,), default=None
            Rows that belong together, such as the samples of one patient; held out together.

        Returns
        -------
        self : object
            The fitted selector.
        """
        started = time.perf_counter()
        check_count("max_features", self.max_features)
        if not isinstance(self.scale, bool):
            raise UsageError(f"scale is {self.scale!r}; give True or False.")
        options = check_options(
            self.criterion, self.diversity, self.r, self.form, self.orientation, self.agreement
        )
        checked, nominal = check_X(
            self, X, reset=True, allow_missing=False, categorical="from_dtype"
        )
        wanted = self.n_features_to_select
        wanted = None if wanted is None else check_size(wanted, self.n_features_in_)
        learners = as_learner(self.estimator), as_learner(self.final())  # now, not after the work
        refuse_categories(checked, nominal, self)
        checked = by_columns(checked)
        self.classes_, codes = check_labels(y, checked.shape[0])
        seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        work = prepare_work(self, checked, codes, groups, np.random.SeedSequence(seed))
        checkpoint = open_run(self, seed, checked, codes, work.folds)
        parts = self._members(learners[0], work, checkpoint, hide=options[0] in HIDING)
        evidence = self._judge(options, work, parts)
        self.seconds_ = {"members": time.perf_counter() - started}
        order = self._rank(options, work, evidence)
        self._choose(learners[1], work, order, checkpoint, wanted)
        check_unchanged(checked)
        total = time.perf_counter() - started
        self.seconds_ |= {"curve": total - self.seconds_["members"], "total": total}
        told = {"grouped": groups is not None, "warnings": work.remarks}
        self.result_ = make_result(self, checked, codes, started=started, **told)
        for sentence in work.remarks:
            remark(sentence, stacklevel=3)
        return self

    def estimate_memory(self, X) -> int:
        """Bytes that `fit` will hold at its peak beside X itself, about.

        Parameters
        ----------
        X : array, sparse matrix or BitMatrix of shape (n_samples, n_features)
            The data.
        """
        sizes = self.subspace_size, self.n_subspaces
        return needed_memory(
            self, X, plan_subspaces(X.shape[1], *sizes, self.coverage, self.sampling)
        )

    def _members(self, learner, work, checkpoint, hide):
        """What all members say of the held-out rows, task by task."""
        if hide and not learner.hides:
            raise UsageError(
                f"{type(learner).__name__} cannot tell how it does with a feature hidden; choose "
                "criterion='da', or another estimator."
            )
        self.subspaces_, self.coverage_ = work.subspaces, work.plan.coverage
        self.subspace_size_, self.n_subspaces_ = work.plan.subspace_size, work.plan.n_subspaces
        tasks = work.member_tasks(learner)
        how = self._how(checkpoint)
        parts = []
        if self.verbose:
            parts, seconds = run_pilot(learner, work, tasks, how, hide)
            tell_plan(
                work, self.sampling, needed_memory(self, work.columns.scaled.X, work.plan), seconds
            )
        context = self._init_callback_context(max_subtasks=len(tasks))
        with progress_bar("Judging subspaces", show=bool(self.verbose)) as bar:
            how["progress"] = After(CallbackProgress(self, context, bar), len(parts))
            return parts + run_members(learner, work, tasks[len(parts) :], how, hide)

    def _judge(self, options, work, parts):
        """What the members and their vote are worth on the held-out rows."""
        criterion, measure, r = options
        predicted = np.concatenate([part["predicted"] for part in parts])
        scores = np.sum([part["scores"] for part in parts], axis=0)
        hidden = None
        if criterion in HIDING:
            hidden = np.concatenate([part["hidden"] for part in parts])
        training = work.y[work.folds == ALWAYS] if self.evaluation == "holdout" else work.y
        priors = np.bincount(training, minlength=work.n_classes)
        voted = majority_vote(predicted, work.n_classes, scores, priors)
        evidence = Evidence(
            self.subspaces_, self.n_features_in_, work.y_held, predicted, voted, measure,
            self.orientation, self.agreement, self.form, r, hidden,
        )  # fmt: skip
        self.member_accuracies_ = evidence.accuracies
        self.member_diversities_ = evidence.diversities
        self.ensemble_accuracy_ = evidence.ensemble_accuracy
        return evidence

    def _rank(self, options, work, evidence):
        """Score the features; their indices, best first."""
        self.n_hits_ = evidence.hits
        self.feature_accuracies_ = evidence.feature_means(self.member_accuracies_)
        self.scores_ = SCORES[options[0]](evidence)
        varies = work.columns.varies
        self.never_sampled_ = np.flatnonzero(varies & (self.n_hits_ == 0))
        order = order_by_score(
            self.scores_, self.n_hits_, self.feature_accuracies_, varies, work.ties
        )
        self.ranking_ = np.empty(order.size, dtype=np.int64)
        self.ranking_[order] = np.arange(1, order.size + 1)
        if self.never_sampled_.size:
            names = feature_names(self)
            work.remarks.append(remark_never_sampled(self.never_sampled_, names, work.plan))
        if options[0] == "da":
            remark = remark_inversion(self.scores_, self.feature_accuracies_, *options[1:])
            work.remarks.extend([remark] if remark else [])
        return order

    def _how(self, checkpoint) -> dict:
        """Options of the map over members."""
        where = {"n_jobs": self.n_jobs, "backend": self.backend, "anywhere": True}
        return where | {"checkpoint": checkpoint}

    def _choose(self, learner, work, order, checkpoint, wanted):
        """Judge the best 1, 2, ... features together, and select as many as do best."""
        able = order[: np.count_nonzero(np.isfinite(self.scores_))]
        panels = [able[:g] for g in range(1, min(self.max_features, able.size) + 1)]
        how = self._how(checkpoint)
        parts = run_members(learner, work, work.curve_tasks(learner, panels), how)
        right = [part["predicted"][0] == work.y_held for part in parts]
        self.validation_curve_ = np.mean(right, axis=1)
        if wanted is None:
            self.n_features_ = int(self.validation_curve_.argmax()) + 1  # the first of the best
        else:
            self.n_features_ = min(wanted, able.size)
            if able.size < wanted:
                work.remarks.append(
                    f"Only {able.size} of the {wanted} features asked for vary and are in a "
                    "subspace: these are selected."
                )
        self.support_ = self.ranking_ <= self.n_features_

    def final(self):
        """What the validation curve is made with: the final estimator given, or the base."""
        return self.estimator if self.final_estimator is None else self.final_estimator

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.sparse = True
        return tags
