"""How a fitted DAFS becomes its result."""

import time
from datetime import UTC, datetime
from numbers import Integral

import numpy as np

from ..results.data_facts import data_facts
from ..results.plain import WITHOUT_EFFECT, clean, versions
from ..selectors.validation import feature_names
from .dafs_result import DAFSResult
from .dafs_scores import check_options
from .out_of_bag import dense_columns


def make_result(
    dafs, X, codes, *, started: float, grouped: bool = False, warnings=()
) -> DAFSResult:
    """The result of a fitted DAFS.

    Parameters
    ----------
    dafs : DAFS
        With all its learned attributes but `result_`.
    X : array, sparse matrix or BitMatrix of shape (n_samples, n_features)
        The data, checked.
    codes : int array of shape (n_samples,)
        Class of each row.
    started : float
        When `fit` began, by `time.perf_counter`.
    grouped : bool, default=False
        Whether rows were held out by groups.
    warnings : sequence of str, default=()
        What `fit` has warned of, in sentences.
    """
    panel = np.argsort(dafs.ranking_, kind="stable")[: np.count_nonzero(dafs.support_)]
    classes = [str(label) for label in dafs.classes_]
    criterion, measure, r = check_options(
        dafs.criterion, dafs.diversity, dafs.r, dafs.form, dafs.orientation, dafs.agreement
    )
    spent = {key: float(value) for key, value in dafs.seconds_.items() if key != "total"}
    return DAFSResult(
        panels=[panel],
        feature_names=feature_names(dafs),
        classes=classes,
        y_codes=codes,
        profiled=np.sort(panel),
        panel_values=dense_columns(X, np.sort(panel)),
        nominal=np.zeros(panel.size, dtype=bool),
        settings=_settings(dafs, grouped),
        data=data_facts(X, codes, classes),
        warnings=list(warnings),
        versions=versions(),
        seconds={**spent, "select": time.perf_counter() - started},
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        scores=dafs.scores_,
        ranking=dafs.ranking_,
        n_hits=dafs.n_hits_,
        feature_accuracies=dafs.feature_accuracies_,
        never_sampled=np.asarray(dafs.never_sampled_),
        subspaces=np.asarray(dafs.subspaces_),
        folds=dafs.folds_,
        member_accuracies=dafs.member_accuracies_,
        member_diversities=dafs.member_diversities_,
        ensemble_accuracy=float(dafs.ensemble_accuracy_),
        validation_curve=np.asarray(dafs.validation_curve_, dtype=np.float64),
        coverage=float(dafs.coverage_),
        scoring={"score": criterion, "diversity": measure, "r": r},
    )


def _settings(dafs, grouped: bool) -> dict:
    """The parameters as they were given, which decide the answer."""
    given = dafs.get_params(deep=False)
    seed = given.pop("random_state")
    given = {key: value for key, value in given.items() if key not in WITHOUT_EFFECT}
    return {
        **clean(given),
        "random_state": int(seed) if isinstance(seed, Integral) else None,
        "weighted": False,
        "grouped": grouped,
    }
