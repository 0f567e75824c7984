"""Values as JSON can hold them, and the versions that decide the numbers."""

import platform
from contextlib import suppress
from functools import cache
from importlib import metadata

import numpy as np

from .. import __version__

# Parameters that decide how the work is done and never what comes out.
WITHOUT_EFFECT = ("n_jobs", "backend", "checkpoint", "verbose")

PACKAGES = ("numpy", "scipy", "scikit-learn", "numba", "pandas")


@cache
def versions() -> dict[str, str]:
    """Versions of Python and of what decides the numbers."""
    found = {"python": platform.python_version(), "consilience": __version__}
    for name in PACKAGES:
        with suppress(metadata.PackageNotFoundError):  # a vendored copy may have no metadata
            found[name] = metadata.version(name)
    return found


def clean(value):
    """Plain Python values that JSON can hold: NaN becomes None, arrays lists or a short note."""
    if isinstance(value, dict):
        return {str(key): clean(item) for key, item in value.items()}
    if isinstance(value, np.ndarray) and value.ndim:
        return clean(value.tolist())
    if isinstance(value, (list, tuple)):
        return [clean(item) for item in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not np.isfinite(value):
        return None
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if hasattr(value, "get_params"):
        return {"name": type(value).__name__, "params": clean(value.get_params(deep=False))}
    if hasattr(value, "__qualname__"):  # a function or class: its address means nothing tomorrow
        return f"{value.__module__}.{value.__qualname__}"
    return repr(value)


def named(registry, method, leave_out=()) -> dict:
    """A method as the command line and `result.json` name it.

    Parameters
    ----------
    registry : Registry
        Where its name is looked up.
    method : estimator
        With `get_params`.
    leave_out : sequence of str, default=()
        Parameters that say nothing here.
    """
    params = {k: v for k, v in method.get_params(deep=False).items() if k not in leave_out}
    cls = type(method)
    path = f"{cls.__module__}.{cls.__qualname__}"
    return {"name": registry.name_of(cls), "class": path, "params": clean(params)}
