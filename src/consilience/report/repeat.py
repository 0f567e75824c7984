"""How to run a result again: the command it came from, or the same in Python."""

import inspect
import re

from ..registry import Registry
from .text import clean_name

MAX_ITEMS = 20  # a longer list would hide the rest
OPEN = "..."  # stands for a value that cannot be written out


def repeat(document: dict) -> dict:
    """Return the text that repeats a result, its language, and whether it is the whole truth.

    Returns
    -------
    dict
        `language` is "shell" or "python", `text` the lines; `exact` is False where they alone do
        not give the same result again, because a value cannot be written out or a class is
        somebody's own.

    Examples
    --------
    >>> repeat({"command": "consilience demo --seed 1"})
    {'language': 'shell', 'text': 'consilience demo --seed 1', 'exact': True}
    """
    if document.get("command"):
        # File names may hold what no page can show.
        text = clean_name(document["command"])
        return {"language": "shell", "text": text, "exact": True}
    if document.get("method") == "dafs":
        from ..ensemble.dafs import DAFS

        return _repeat_class(DAFS, document["settings"])
    if document.get("method") == "balanced-wrapper":
        return _repeat_wrapper(document["settings"])
    if "committee" in document:
        return _repeat_committee(document["settings"])
    return _repeat_ensemble(document["settings"])


def _repeat_wrapper(settings: dict) -> dict:
    """Write the call of the balanced wrapper; its usual tree is what it takes by itself."""
    from ..ensemble.balanced_wrapper import BalancedWrapper
    from ..ensemble.wrapper_options import base_estimator
    from ..results.plain import clean

    usual = settings["estimator"] == clean(base_estimator(BalancedWrapper()))
    return _repeat_class(BalancedWrapper, settings | ({"estimator": None} if usual else {}))


def _repeat_class(cls: type, settings: dict) -> dict:
    """Write the call of a selection with what was not left at its default."""
    defaults = _defaults(cls)
    chosen = [
        f"    {key}={_write(key, value)},"
        for key, value in settings.items()
        if key in defaults and (key == "random_state" or value != defaults[key])
    ]
    given = ["X", "y", *(["groups=groups"] if settings["grouped"] else [])]
    lines = [
        f"from consilience import {cls.__name__}",
        "",
        f"selection = {cls.__name__}(",
        *chosen,
        f").fit({', '.join(given)})",
    ]
    exact = not any(line.endswith(f"={OPEN},") for line in chosen)
    return {"language": "python", "text": "\n".join(lines), "exact": exact}


def _repeat_committee(settings: dict) -> dict:
    """Write the call of a committee with what was not left at its default."""
    from ..committee.methods import COMMITTEES
    from ..committee.random_subspace import RandomSubspaceClassifier

    name = settings["class"]
    # A stored result may name anything: only the committees of this package are looked up.
    known = [RandomSubspaceClassifier, *(entry.cls for entry in COMMITTEES)]
    cls = next((cls for cls in known if cls.__name__ == name), None)
    defaults = _defaults(cls)
    chosen = [
        f"    {key}={_write(key, value)},"
        for key, value in settings.items()
        if key in defaults and (key == "random_state" or value != defaults[key])
    ]
    given = ["X", "y", *(["groups=groups"] if settings["grouped"] else [])]
    size = settings["n_features_to_select"]
    lines = [
        f"from consilience import CommitteeSelector, {clean_name(name)}",
        "",
        f"committee = {clean_name(name)}(",
        *chosen,
        ")",
        f"selection = CommitteeSelector(committee, n_features_to_select={size})",
        f"selection.fit({', '.join(given)})",
    ]
    exact = cls is not None and not any(line.endswith(f"={OPEN},") for line in chosen)
    return {"language": "python", "text": "\n".join(lines), "exact": exact}


def _repeat_ensemble(settings: dict) -> dict:
    """Write the call of the ensemble, its selector and its aggregator."""
    from ..aggregation.base import AGGREGATORS
    from ..selectors.base import SELECTORS

    imports = {"consilience": {"EnsembleSelector"}}
    calls, exact = [], True
    for role, registry in (("selector", SELECTORS), ("aggregator", AGGREGATORS)):
        call, (module, name), known = _call(settings[role], registry)
        calls.append(f"    {call},")
        exact = exact and known
        if module:
            imports.setdefault(module, set()).add(name)
    given = ["X", "y"]
    if settings["weighted"]:
        given.append("sample_weight=sample_weight")
    if settings["grouped"]:
        given.append("groups=groups")
    lines = [
        *(f"from {m} import {', '.join(sorted(names))}" for m, names in sorted(imports.items())),
        "",
        "selection = EnsembleSelector(",
        *calls,
        *(
            # Results of versions that drew nothing but bootstraps do not say so.
            f"    {key}={settings.get(key)!r},"
            for key in ("n_features_to_select", "n_models", "sample_share", "random_state")
        ),
        f").fit({', '.join(given)})",
    ]
    return {"language": "python", "text": "\n".join(lines), "exact": exact}


def chosen_params(method: dict, registry: Registry) -> dict:
    """Return the parameters of a method that say something: all but those left at None.

    Examples
    --------
    >>> from consilience.selectors.base import SELECTORS
    >>> path = "consilience.selectors.chi_square.ChiSquare"
    >>> params = {"discretize": None, "random_state": None}
    >>> chosen_params({"name": "chi-square", "class": path, "params": params}, SELECTORS)
    {'discretize': None}
    """
    defaults = _defaults(_registered(method, registry))
    return {
        key: value
        for key, value in method["params"].items()
        if value is not None or defaults.get(key) is not None
    }


def _call(method: dict, registry: Registry) -> tuple[str, tuple[str | None, str], bool]:
    """Write the call that makes a method, where to import it from, and whether that is all."""
    cls = _registered(method, registry)
    module, name = _home(method["class"], cls is not None)
    defaults, written = _defaults(cls), []
    for key, value in method["params"].items():
        # Equal and of one type: True is no 1 here.
        default = defaults.get(key, inspect.Parameter.empty)
        default = list(default) if isinstance(default, tuple) else default  # as JSON has it
        if type(value) is not type(default) or value != default:
            written.append(f"{key}={_write(key, value)}")
    exact = cls is not None and module is not None
    exact = exact and not any(text.endswith(f"={OPEN}") for text in written)
    return f"{name}({', '.join(written)})", (module, name.split(".")[0]), exact


def _registered(method: dict, registry: Registry) -> type | None:
    """Return the class of a method if it is registered.

    A stored result may come from anywhere: what it names is looked up and never imported.
    """
    for entry in registry:
        if f"{entry.cls.__module__}.{entry.cls.__qualname__}" == method["class"]:
            return entry.cls
    return None


def _defaults(cls: type | None) -> dict:
    if cls is None:
        return {}
    return {key: p.default for key, p in inspect.signature(cls).parameters.items()}


def _home(path: str, registered: bool) -> tuple[str | None, str]:
    """Split the path of a class into the module that gives it to users, and its name there."""
    parts = path.split(".")
    # By convention modules are lower case and classes are not.
    first = next((k for k, part in enumerate(parts) if part[:1].isupper()), len(parts) - 1)
    module, name = parts[:first], parts[first:]
    if not module or module == ["__main__"] or not all(part.isidentifier() for part in parts):
        return None, clean_name(parts[-1])
    if module[0] == "consilience" and registered:  # public, every one
        return "consilience", ".".join(name)
    if module[0] == "sklearn":  # its private modules are public one level up
        module = module[: next((k for k, m in enumerate(module) if m.startswith("_")), None)]
    return ".".join(module), ".".join(name)


def _write(key: str, value) -> str:
    """Write a stored value as Python, or as open where it may have been another one."""
    if key == "categorical_features" and isinstance(value, list):
        if all(isinstance(item, bool) for item in value):  # a mask; its columns are shorter
            value = [k for k, marked in enumerate(value) if marked] or None
    if value is None or isinstance(value, bool | int | float):
        return repr(value)
    if isinstance(value, str):
        # Functions and objects were stored as texts too: with a dot, a bracket or a space.
        return repr(value) if re.fullmatch(r"[\w-]+", value) else OPEN
    if isinstance(value, list) and len(value) <= MAX_ITEMS:
        items = [_write("", item) for item in value]
        return OPEN if OPEN in items else f"[{', '.join(items)}]"
    return OPEN
