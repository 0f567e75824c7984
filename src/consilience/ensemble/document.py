"""What an ensemble of selections adds to `result.json`; docs/result-schema.md describes it."""

from typing import Any

import numpy as np

from ..measures.stability import all_measures, expected_by_chance
from ..models import FeatureModels
from ..results.panel_rows import listed_rows


def evidence_of(result) -> dict[str, Any]:
    """What the models tell beside the panels."""
    size = max(panel.size for panel in result.panels)
    return {
        "frequent": frequent_rows(result, min(3 * size, 100)),
        "stability": stability_of(result.models),
        "sizes": result.sizes(),
        "alternatives": alternatives_of(result),
    }


def alternatives_of(result) -> dict | None:
    """What several panels have to do with each other; None where there is one panel."""
    if len(result.panels) == 1 and result.alternatives_evaluation is None:
        return None
    return result.alternatives().to_dict() | {"evaluation": result.alternatives_evaluation}


def frequent_rows(result, n_rows: int) -> list[dict]:
    """The features selected most often, whether or not a panel holds them."""
    frequencies, ranks = result.models.frequencies, result.models.mean_ranks
    order = np.lexsort((ranks, -frequencies))[:n_rows]
    return listed_rows(result, order[frequencies[order] > 0])


def stability_of(models: FeatureModels) -> dict[str, Any]:
    """The stability measures of the models, and what chance alone would give."""
    told = all_measures(models.subsets, models.n_features) if models.n_models > 1 else {}
    chance = {
        measure: expected_by_chance(measure, models.sizes, models.n_features)
        for measure in ("nogueira", "kuncheva", "tanimoto")
    }
    return {**told, "chance": chance}
