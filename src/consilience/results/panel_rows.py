"""The features of a panel as rows of `result.json`: facts of the method, and how classes differ."""

import numpy as np

from ..measures.effects import class_effects


def panel_rows(result) -> list[dict]:
    """Each panel's features with the method's own facts, and how the classes differ in it.

    A panel of another size may hold features whose values were not kept: their figures are null.
    """
    effects = class_effects(result.panel_values, result.y_codes, len(result.classes))
    place = {int(j): k for k, j in enumerate(result.profiled)}
    facts = result.feature_facts()

    def row(j):
        k = place.get(int(j))
        nominal = k is not None and bool(result.nominal[k])
        categories, shares = category_shares(result, k) if nominal else (None, None)
        told = [
            {
                "class": name,
                # Codes of categories have no mean.
                **{
                    key: None if nominal or k is None else effects[code][key][k]
                    for key in ("mean", "sd", "effect")
                },
                "shares": shares[code] if nominal else None,
            }
            for code, name in enumerate(result.classes)
        ]
        return {
            "feature": str(result.feature_names[j]),
            "index": int(j),
            **{key: values[j] for key, values in facts.items()},
            "description": None,
            "categories": categories,
            "effects": told,
        }

    return [{"features": [row(j) for j in panel]} for panel in result.panels]


def category_shares(result, k: int) -> tuple[list[str], list[list[float]]]:
    """Categories of the k-th kept column, and the share of each in every class.

    Rows with a missing value are left out.
    """
    values = result.panel_values[:, k]
    known = ~np.isnan(values)
    names = result.categories.get(str(result.feature_names[result.profiled[k]]))
    codes = np.unique(values[known]) if names is None else np.arange(len(names))
    shares = [
        [float(share) for share in (values[known & (result.y_codes == c), None] == codes).mean(0)]
        if (known & (result.y_codes == c)).any()
        else [None] * codes.size
        for c in range(len(result.classes))
    ]
    return ([f"{code:g}" for code in codes] if names is None else list(names)), shares


def listed_rows(result, order) -> list[dict]:
    """Some features, in a given order, with the method's own facts and whether a panel has them."""
    facts, held = result.feature_facts(), set(result.panels[0].tolist())
    return [
        {
            "feature": str(result.feature_names[j]),
            "index": int(j),
            **{key: values[j] for key, values in facts.items()},
            "selected": int(j) in held,
        }
        for j in order
    ]
