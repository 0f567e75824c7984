"""Members of naive Bayes, all from one fit: what a feature adds does not hang on the others."""

import numpy as np
from sklearn.base import clone

from ..learners.discrete_nb import DiscreteNB
from ..learners.value_codes import ValueCodes
from ..learners.value_tables import ValueTables


def fit_bayes_members(
    template: DiscreteNB, columns, y, nominal, subsets
) -> list[DiscreteNB] | None:
    """Fit naive Bayes to all features in use, and give each member its own of them.

    Parameters
    ----------
    template : DiscreteNB
        Unfitted; never changed.
    columns : ScaledColumns
        The features, as numbers.
    y : int array of shape (n_samples,)
        Class codes.
    nominal : bool array of shape (n_features,)
        Which features hold codes of categories.
    subsets : list of int arrays
        The features of each member.

    Returns
    -------
    list of DiscreteNB or None
        As if each had been fitted to its columns. None where there are so many cells that naive
        Bayes learns them in blocks, and members had better be fitted one by one.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience import DiscreteNB
    >>> from consilience.committee.bayes_members import fit_bayes_members
    >>> from consilience.data.scaled_columns import ScaledColumns
    >>> X, y = np.array([[1, 5, 2], [1, 6, 0], [3, 5, 2], [3, 6, 0]]), np.array([0, 0, 1, 1])
    >>> columns, nominal = ScaledColumns(X, scale=False), np.zeros(3, dtype=bool)
    >>> found = fit_bayes_members(DiscreteNB(), columns, y, nominal, [np.array([2, 0])])
    >>> found[0].predict([[0, 3], [0, 1]])
    array([1, 0])
    """
    used = np.unique(np.concatenate(subsets))
    whole = _told(template, nominal[used]).fit(columns.take(used).T, y)
    if len(whole._parts) > 1:
        return None
    return [_restricted(whole, np.searchsorted(used, subset)) for subset in subsets]


def _told(template, nominal):
    """A copy that knows which of its columns are nominal."""
    return clone(template).set_params(categorical_features=nominal if nominal.any() else None)


def _restricted(whole, places) -> DiscreteNB:
    """What a fit to some of the columns would give."""
    ((coded, tables),) = whole._parts
    nominal, n_values = coded.nominal[places], coded.n_values[places]
    member = _told(whole, nominal)
    borders, starts = _ranges(coded.starts, places)
    cells, firsts = _ranges(tables.firsts, places)
    own = ValueCodes(n_values, nominal, coded.borders[borders], starts)
    shares = ValueTables(
        tables.class_counts, firsts, tables.log_shares[cells], tables.log_prior, tables.order
    )
    member.n_features_in_, member._frame_codes = places.size, None
    member.classes_, member.n_values_ = whole.classes_, n_values
    member.class_count_, member.class_log_prior_ = whole.class_count_, whole.class_log_prior_
    member._parts = [(own, shares)]
    return member


def _ranges(starts, places):
    """Where the entries of some columns are, column after column, and where each then begins."""
    sizes = starts[places + 1] - starts[places]
    begins = np.concatenate([[0], np.cumsum(sizes)])
    entries = np.arange(begins[-1]) + np.repeat(starts[places] - begins[:-1], sizes)
    return entries, begins
