"""A committee as a selector: the panel of the features that its members use most."""

import time

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.utils import get_tags

from ..data.bits import BitMatrix
from ..data.block_matrix import BlockMatrix
from ..exceptions import UsageError
from ..selectors.base import check_size
from ..selectors.support import SupportMixin
from ..selectors.validation import check_labels, check_X
from .answer import PANEL, make_result

MODEST = 500  # features of a member, of a committee that does not tell
RELAYED = ("random_state", "n_jobs", "checkpoint", "verbose")


class CommitteeSelector(SupportMixin, BaseEstimator):
    """Select the features that the members of a committee use most.

    A committee such as `QIFSClassifier` predicts by the vote of classifiers on hundreds of
    features each. This asks which features they share, and gives them as a panel that can be
    judged, put into a pipeline and shown on a page like any other. Where members meet all features,
    those that most of them use are taken; where each meets a random part of them, as in
    `EFSClassifier` and `EIFSClassifier`, those that the members which meet them put first.

    Parameters
    ----------
    committee : classifier with `subsets_` after `fit`, default=None
        Such as `QIFSClassifier`, which None stands for; cloned, never changed.
    n_features_to_select : int or None, default=20
        Size of the panel. None takes the features that at least half of the members use or, where
        none is used by so many, those that are used most; 20 at most.
    n_jobs : int, default=None
        Given to the committee, where it takes it; None leaves its own.
    random_state : int, RandomState or None, default=None
        Given to the committee; None leaves its own.
    checkpoint : Checkpoint, str or Path, default=None
        Given to the committee, where it takes one.
    verbose : int, default=0
        Given to the committee, where it takes it.

    Attributes
    ----------
    committee_ : classifier
        The fitted committee.
    support_ : bool array of shape (n_features,)
        The features of the panel.
    scores_ : float array of shape (n_features,)
        What the panel is ranked by: the share of the members that use each feature or, where
        members meet a random part of the features, its mean place in those that met it.
    result_ : CommitteeResult
        Panel, rounds and settings; `consilience.write_report` makes a page of it.
    n_features_in_ : int
        Number of features seen in `fit`.
    feature_names_in_ : ndarray of str
        Their names, where X had them.

    See Also
    --------
    evaluate_committee : tells how committee and panel do on unseen rows.

    Examples
    --------
    >>> from consilience import CommitteeSelector, RandomSubspaceClassifier, make_planted
    >>> made = make_planted(40, 50, random_state=0)
    >>> committee = RandomSubspaceClassifier("ridge", n_estimators=10, random_state=0)
    >>> CommitteeSelector(committee, n_features_to_select=5).fit_transform(made.X, made.y).shape
    (40, 5)
    """

    def __init__(
        self,
        committee=None,
        *,
        n_features_to_select=PANEL,
        n_jobs=None,
        random_state=None,
        checkpoint=None,
        verbose=0,
    ):
        self.committee = committee
        self.n_features_to_select = n_features_to_select
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.checkpoint = checkpoint
        self.verbose = verbose

    def fit(self, X, y, groups=None):
        """Train the committee and take the features that its members use most.

        Parameters
        ----------
        X : array-like, sparse matrix or BitMatrix of shape (n_samples, n_features)
            The data.
        y : array-like of shape (n_samples,)
            Class labels.
        groups : array-like of shape (n_samples,), default=None
            Rows that belong together; told in the result, for a committee learns from all rows.

        Returns
        -------
        self : object
            The fitted selector.
        """
        started = time.perf_counter()
        checked, nominal = check_X(
            self,
            X,
            reset=True,
            allow_missing=get_tags(self).input_tags.allow_nan,
            categorical=self.categorical_features,
            blocks=True,
        )
        _, codes = check_labels(y, checked.shape[0])
        size = self.n_features_to_select
        if size is not None:
            size = check_size(size, checked.shape[1])
        self.committee_ = self.configured().fit(X, y)
        self.result_ = make_result(
            self.committee_,
            checked,
            codes,
            n_features=size,
            nominal=nominal,
            started=started,
            grouped=groups is not None,
        )
        self.scores_ = self.result_.scores
        self.support_ = np.zeros(checked.shape[1], dtype=bool)
        self.support_[self.result_.panels[0]] = True
        return self

    @property
    def categorical_features(self):
        """Which columns are nominal, as the committee was told; by their type if it was not."""
        return getattr(self.committee, "categorical_features", "from_dtype")

    def estimate_memory(self, X) -> int:
        """Bytes that a fit takes beside X: a copy of the rows, and what the members work on.

        Parameters
        ----------
        X : array-like, sparse matrix or BitMatrix of shape (n_samples, n_features)
            The data.
        """
        n_samples, n_features = X.shape
        committee = self.configured()
        if isinstance(X, BlockMatrix):
            return int(committee.memory(X)) if hasattr(committee, "memory") else 0
        cells = n_samples * n_features
        rows = 20 * X.nnz if hasattr(X, "nnz") and not isinstance(X, BitMatrix) else cells / 8
        if hasattr(X, "nbytes") and not isinstance(X, BitMatrix):
            rows += X.nbytes
        if hasattr(committee, "memory"):
            return int(rows + committee.memory(X))
        return int(rows + 96 * n_features + 24 * n_samples * min(MODEST, n_features))

    def configured(self):
        """A fresh copy of the committee with what was given to this selector."""
        committee = self.committee
        if committee is None:
            from .qifs import QIFSClassifier

            committee = QIFSClassifier()
        if not hasattr(committee, "fit") or not hasattr(committee, "predict"):
            raise UsageError(
                f"committee is {committee!r}; give a committee such as QIFSClassifier()."
            )
        known = committee.get_params(deep=False)
        given = {name: getattr(self, name) for name in RELAYED}
        relayed = {name: value for name, value in given.items() if name in known and value}
        if self.random_state is not None and "random_state" in known:
            relayed["random_state"] = self.random_state
        return clone(committee).set_params(**relayed)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = get_tags(self.configured()).input_tags.allow_nan
        return tags
