"""The members of a searched committee: asked of subsets in the search, and fitted after it."""

import numpy as np
from sklearn.base import clone

from ..data.rows import take_rows
from ..data.scaled_columns import ScaledColumns
from ..learners.discrete_nb import DiscreteNB
from .bayes_members import fit_bayes_members
from .members import Members, Training, as_classifier, fit_members
from .search_options import is_bayes
from .search_table import SearchTable
from .subset_predictors import make_cross_predicted, make_predictor


def make_asked(committee, seed, n_jobs=None):
    """What builds a predictor for the rows of a problem.

    Parameters
    ----------
    committee : BaseSearchCommittee
        Whose classifier is asked.
    seed : numpy.random.SeedSequence
        For classifiers that draw.
    n_jobs : int, default=None
        Subsets at the same time.

    Returns
    -------
    callable
        Of a table, the rows to learn from and the rows to predict.
    """

    def asked(table: SearchTable, fit_rows, asked_rows):
        return make_predictor(
            committee.estimator,
            table.X,
            table.y,
            table.n_classes,
            fit_rows,
            asked_rows,
            seed=seed,
            n_jobs=n_jobs,
            **_common(committee, table),
        )

    return asked


def cross_answers(committee, table: SearchTable, rows, folds, masks, seed, n_jobs=None):
    """Class codes of some rows by classifiers that were fitted without the fold of each.

    Parameters
    ----------
    committee, seed, n_jobs
        As in `make_asked`.
    table : SearchTable
        The data.
    rows : int array
        Which rows.
    folds : int array of shape (n_rows,)
        The fold of each; below 0 is always learned from.
    masks : bool array of shape (n_members, n_columns)
        The features of each member.

    Returns
    -------
    int16 array of shape (n_members, n_rows)
        -1 for rows without a fold. Where no row has one, nothing is known of errors, and the true
        classes come back: members then count alike.
    """
    if (folds < 0).all():
        return np.tile(table.y[rows].astype(np.int16), (len(masks), 1))
    return make_cross_predicted(
        committee.estimator,
        take_rows(table.X, rows),
        table.y[rows],
        table.n_classes,
        folds,
        masks,
        seed=seed,
        n_jobs=n_jobs,
        **_common(committee, table),
    )


def fit_searched(committee, X, y, classes, nominal, subsets, seed):
    """Fit a classifier on each feature subset.

    Parameters
    ----------
    committee : BaseSearchCommittee
        Whose classifier is fitted.
    X, y : array of shape (n_samples, n_features), int array of shape (n_samples,)
        The rows to learn from, columns as they came, and their class codes.
    classes : ndarray
        The labels.
    nominal : bool array of shape (n_features,)
        Which columns hold codes of categories.
    subsets : list of int arrays
        The features of each member.
    seed : numpy.random.SeedSequence
        For classifiers that draw.

    Returns
    -------
    estimators : list of classifiers
        They know the classes by their codes.
    members : Members
        The same with what is needed to ask them.
    """
    bayes, classifier = is_bayes(committee.estimator), template(committee)
    columns = ScaledColumns(X, scale=committee.scale and not bayes)
    training = Training(columns, y, classes, None, seed, nominal if nominal.any() else None)
    estimators = fit_bayes_members(classifier, columns, y, nominal, subsets) if bayes else None
    if estimators is None:
        seeds = seed.spawn(len(subsets))
        estimators = fit_members(classifier, training, subsets, seeds, n_jobs=committee.n_jobs)
    return estimators, Members.of(estimators, subsets, training)


def template(committee):
    """The classifier that members are copies of."""
    if isinstance(committee.estimator, str) and committee.estimator == "bayes":
        return DiscreteNB(committee.n_bins)
    if isinstance(committee.estimator, str):
        return as_classifier(committee.estimator)
    return clone(committee.estimator)


def _common(committee, table):
    return {
        "nominal": table.nominal if np.any(table.nominal) else None,
        "n_bins": committee.n_bins,
        "scale": committee.scale,
    }
