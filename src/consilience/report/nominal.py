"""Features that hold categories: which share of each class has which category."""

import numpy as np

from .text import clean_name

MAX_CATEGORIES = 6  # told apart in a small plot; rarer ones are put together


def describe_categories(feature: dict, counts: list[int]) -> dict:
    """Prepare the nominal feature of a panel for people.

    Parameters
    ----------
    feature : dict
        A feature of the panel as in `result.json`, with `categories` and `shares` per class.
    counts : list of int
        Number of samples of each class.

    Returns
    -------
    dict
        The feature, its rare categories joined to one; each of its `effects` also tells the
        category that the class has `most` in excess of the other classes, or None.

    Examples
    --------
    >>> effects = [{"shares": [0.75, 0.25]}, {"shares": [0.5, 0.5]}]
    >>> found = describe_categories({"categories": ["red", "blue"], "effects": effects}, [4, 4])
    >>> [effect["most"] for effect in found["effects"]]
    [{'category': 'red', 'share': 0.75}, {'category': 'blue', 'share': 0.5}]
    """
    names = [clean_name(name) for name in feature["categories"]]
    # A class without any known value has no shares, and no weight.
    weights = np.array(
        [
            0 if None in effect["shares"] else n
            for effect, n in zip(feature["effects"], counts, strict=True)
        ],
        dtype=np.float64,
    )
    shares = np.array([effect["shares"] for effect in feature["effects"]], dtype=np.float64)
    known = np.nan_to_num(shares)
    kept, others = _common(weights @ known)
    shown = np.column_stack([shares[:, kept], shares[:, others].sum(axis=1)])
    if not len(others):
        shown = shown[:, :-1]
    effects = []
    for code, effect in enumerate(feature["effects"]):
        values = [None if np.isnan(share) else round(float(share), 6) for share in shown[code]]
        most = _excess(known, weights, code)
        if most is not None:
            most = {"category": names[most], "share": round(float(known[code, most]), 6)}
        effects.append(effect | {"shares": values, "most": most})
    labels = [names[k] for k in kept] + ([f"{len(others)} others"] if len(others) else [])
    return feature | {"categories": labels, "effects": effects}


def nominal_profile(feature: dict, values: np.ndarray, y_codes: np.ndarray) -> dict:
    """Summarise a described feature as `profiles.profile` does it for numbers."""
    present = ~np.isnan(values)
    return {
        "kind": "nominal",
        "missing": int((~present).sum()),
        "categories": feature["categories"],
        "groups": [
            {"n": int((present & (y_codes == code)).sum()), "shares": effect["shares"]}
            for code, effect in enumerate(feature["effects"])
        ],
    }


def _common(totals: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Split categories into common and rare ones, each in their own order."""
    if len(totals) <= MAX_CATEGORIES:
        return np.arange(len(totals)), np.arange(0)
    order = np.argsort(-totals, kind="stable")
    return np.sort(order[: MAX_CATEGORIES - 1]), np.sort(order[MAX_CATEGORIES - 1 :])


def _excess(shares: np.ndarray, weights: np.ndarray, code: int) -> int | None:
    """Find the category whose share in a class is furthest above that in all other rows."""
    others = np.delete(weights, code)
    if shares.shape[1] == 0 or weights[code] == 0 or others.sum() == 0:
        return None
    excess = shares[code] - others @ np.delete(shares, code, axis=0) / others.sum()
    best = int(np.argmax(excess))
    return best if excess[best] > 1e-9 else None
