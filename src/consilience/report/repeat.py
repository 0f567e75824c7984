"""How to run a result again: the command it came from, or the same in Python."""

from ..exceptions import ConsilienceError
from ..registry import Registry
from .text import clean_name, shorten


def repeat(document: dict) -> dict:
    """Return the text that repeats a result and its language, "shell" or "python".

    Examples
    --------
    >>> repeat({"command": "consilience demo --seed 1"})
    {'language': 'shell', 'text': 'consilience demo --seed 1'}
    """
    if document.get("command"):
        # File names may hold what no page can show.
        return {"language": "shell", "text": clean_name(document["command"])}
    from ..aggregation.base import AGGREGATORS
    from ..selectors.base import SELECTORS

    settings = document["settings"]
    selector, selector_class = _call(settings["selector"], SELECTORS)
    aggregator, aggregator_class = _call(settings["aggregator"], AGGREGATORS)
    names = sorted({"EnsembleSelector", selector_class, aggregator_class})
    lines = [
        f"from consilience import {', '.join(names)}",
        "",
        "selection = EnsembleSelector(",
        f"    {selector},",
        f"    {aggregator},",
        *(
            f"    {key}={settings[key]!r},"
            for key in ("n_features_to_select", "n_models", "random_state")
        ),
        ").fit(X, y)",
    ]
    return {"language": "python", "text": "\n".join(lines)}


def _call(method: dict, registry: Registry) -> tuple[str, str]:
    """Write the call that makes a method, and the name of its class."""
    try:
        name = registry[method["name"]].cls.__name__
    except ConsilienceError:  # somebody's own class, stored by its own name
        name = method["name"]
    # A value of None is the default of every method here; a long one would hide the rest.
    params = ", ".join(
        f"{key}={shorten(repr(value), 60)}"
        for key, value in method["params"].items()
        if value is not None
    )
    return f"{name}({params})", name
