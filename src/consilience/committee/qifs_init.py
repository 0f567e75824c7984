"""The features of the first member of Qifs, which no committee could be asked about yet."""

import numpy as np
from sklearn.base import clone
from sklearn.utils.validation import has_fit_parameter

from ..exceptions import UsageError
from .query_gain import Gains
from .query_work import ORDER

CANDIDATES = 1000  # that the information gain passes on to the blankets
INITS = ("fss", "igr", "random")


def check_init(init) -> None:
    """Refuse what chooses no features."""
    able = hasattr(init, "fit") and hasattr(init, "get_support") and not isinstance(init, type)
    if not able and not (isinstance(init, str) and init in INITS):
        raise UsageError(f"init is {init!r}; give {', '.join(map(repr, INITS))} or a selector.")


def first_features(init, work, seed, fold=None) -> np.ndarray:
    """Features of the first member, or of that of a chain that leaves a fold out.

    What looks at the classes is asked again for each chain, without the rows of its fold: else
    chains would be judged on rows that had a say in their features.

    Parameters
    ----------
    init : {"fss", "igr", "random"} or selector
        What chooses.
    work : Work
        Data and number of features.
    seed : numpy.random.SeedSequence
        For chance, and the order among equals.
    fold : int, default=None
        Rows to leave out; None is none.

    Returns
    -------
    int array
        Best first.
    """
    if isinstance(init, str) and init == "random":
        order = work.columns.order(work.seeds(ORDER))
        return order[np.random.default_rng(seed).permutation(order.size)[: work.size]]
    weights = work.training.sample_weight
    weights = np.ones(work.training.y.size) if weights is None else weights
    if fold is not None:
        weights = np.where(work.folds == fold, 0.0, weights)
    if not isinstance(init, str):
        return _ask_selector(init, work, weights, seed)
    gains = Gains.of(work.columns, work.training.y, weights)
    able = gains.able
    if able.size == 0:  # all are constant
        return np.array([np.argmin(work.columns.places(np.arange(gains.gains.size), seed))])
    if init == "igr":
        return gains.best(able, work.size, seed)
    return gains.filtered(able, CANDIDATES, work.size, seed)


def _ask_selector(init, work, weights, seed):
    """The features that a selector keeps of the data as they came, in an order by content."""
    selector = clone(init)
    known = selector.get_params(deep=False)
    if "n_features_to_select" in known:
        selector.set_params(n_features_to_select=work.size)
    if "random_state" in known and known["random_state"] is None:
        selector.set_params(random_state=int(seed.generate_state(1)[0] >> 1))
    rows, given = np.flatnonzero(weights), {}
    if work.training.sample_weight is not None and has_fit_parameter(selector, "sample_weight"):
        given["sample_weight"] = weights[rows]
    selector.fit(work.X[rows], work.training.classes[work.training.y[rows]], **given)
    kept = np.flatnonzero(selector.get_support())
    if kept.size == 0:
        raise UsageError(
            f"{type(selector).__name__} as init kept no feature; choose another selector, or 'fss'."
        )
    return kept[np.argsort(work.columns.places(kept, seed), kind="stable")]
