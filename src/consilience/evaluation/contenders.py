"""What is to be compared: data sets, selectors and aggregators, named, checked and told apart."""

from collections.abc import Iterable, Mapping

import numpy as np
from sklearn.base import clone
from sklearn.utils import get_tags

from ..data.table import Table
from ..exceptions import DataError, UsageError
from ..registry import Registry


def named_tables(datasets) -> dict[str, Table]:
    """Data sets by name.

    Parameters
    ----------
    datasets : Table, sequence of Table, or dict of str to Table or (X, y)
        Tables without a name in a dict are named by their source.

    Examples
    --------
    >>> from consilience import load_demo
    >>> from consilience.evaluation.contenders import named_tables
    >>> list(named_tables({"leukemia": load_demo()}))
    ['leukemia']
    """
    if isinstance(datasets, Table):
        datasets = [datasets]
    if isinstance(datasets, Mapping):
        pairs = list(datasets.items())
    else:
        pairs = [(getattr(table, "source", None), table) for table in datasets]
    if not pairs:
        raise UsageError("There is nothing to compare on; give at least one data set.")
    tables: dict[str, Table] = {}
    for name, data in pairs:
        if not isinstance(data, Table):
            data = _as_table(name, data)
        name = str(name or f"data {len(tables) + 1}")
        if name in tables:
            raise UsageError(
                f"Two data sets are called '{name}'; give each a name of its own, as the keys of a "
                "dict."
            )
        tables[name] = data
    return tables


def named_methods(methods, registry: Registry, needs: str) -> dict[str, object]:
    """Selectors or aggregators by name, in the spelling of the registry.

    Parameters
    ----------
    methods : str, method, sequence of both, or dict of str to method
        Names as in `consilience methods`, or objects; those of a dict carry names of their own.
    registry : Registry
        Where names are looked up.
    needs : str
        The function that such an object has.

    Examples
    --------
    >>> from consilience import AverageRank
    >>> from consilience.aggregation import AGGREGATORS
    >>> from consilience.evaluation.contenders import named_methods
    >>> list(named_methods(["mostFreq", AverageRank()], AGGREGATORS, "aggregate"))
    ['most-frequent', 'average-rank']
    """
    if isinstance(methods, str) or not isinstance(methods, Iterable):
        methods = [methods]
    pairs = methods.items() if isinstance(methods, Mapping) else [(None, m) for m in methods]
    found: dict[str, object] = {}
    for name, method in pairs:
        if isinstance(method, str):
            entry = registry[method]
            name, method = name or entry.name, entry.cls()
        if isinstance(method, type) or not hasattr(method, needs):
            raise UsageError(
                f"{method!r} is no {registry.family}; give a name such as "
                f"'{registry.names()[0]}', or an object with {needs}."
            )
        name = name or registry.name_of(type(method))
        if name in found:
            raise UsageError(
                f"The {registry.family} '{name}' is given twice; name it once, or give each of "
                "several settings a name of its own, as the keys of a dict."
            )
        found[name] = method
    if not found:
        raise UsageError(f"There is no {registry.family} to compare; give at least one.")
    return found


def fitted_to(selector, name: str, table: Table, where: str):
    """A copy of a selector that knows the nominal columns of a table, or a refusal.

    Parameters
    ----------
    selector : selector
        Cloned, never changed.
    name, where : str
        What the selector and the data set are called in messages.
    table : Table
        The data.
    """
    selector = clone(selector)
    if table.categorical_features is not None and np.any(table.categorical_features):
        if "categorical_features" not in selector.get_params(deep=False):
            raise UsageError(
                f"'{where}' has nominal columns and {name} takes numbers only; leave out one of "
                "the two."
            )
        selector.set_params(categorical_features=table.categorical_features)
    if not get_tags(selector).input_tags.allow_nan and (bad := table.describe_missing()):
        raise DataError(
            f"'{where}': {bad} {name} cannot use such values; impute them, or leave out one of the "
            "two."
        )
    return selector


def _as_table(name, data) -> Table:
    try:
        X, y = data
    except (TypeError, ValueError):
        raise UsageError(
            f"Data set {name!r} is a {type(data).__name__}; give a Table, or a pair (X, y) under a "
            "name."
        ) from None
    columns = getattr(X, "columns", None)
    return Table(X, np.asarray(y), None if columns is None else [str(c) for c in columns])
