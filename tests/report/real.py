"""Small real results, computed once per session."""

from functools import cache

import numpy as np

from consilience import EnsembleSelector, SymmetricalUncertainty, load_demo, make_planted
from consilience.evaluation.protocol import evaluate_selection

EVIL = "<img src=x onerror=alert(1)>"


@cache
def demo_result(n_models=20):
    """The embedded leukemia data, with an evaluation."""
    return _run(load_demo(), n_models)


@cache
def planted_result(effect=2.0, evil=False):
    """Made data; without an effect it is only noise."""
    planted = make_planted(60, 200, effect=effect, n_blocks=3, random_state=4)
    result = _run(planted.table, 20)
    if not evil:
        return result
    names = np.array(result.feature_names, dtype=object)
    names[result.panels[0][0]] = EVIL
    names[result.panels[0][1]] = "W" * 200
    names[result.panels[0][2]] = "</script><b>&lt;bold"
    return result.described(feature_names=names, classes=["a<b>", "b&amp;"])


def _run(table, n_models):
    selector = EnsembleSelector(
        SymmetricalUncertainty(), n_features_to_select=8, n_models=n_models, random_state=0
    )
    result = selector.fit(table.X, table.y).result_
    evaluation = evaluate_selection(selector, table.X, table.y, n_splits=4, random_state=0)
    return result.described(
        feature_names=np.asarray(table.feature_names, dtype=object),
        data=result.data | {"source": table.source, "target": table.target},
        evaluation=evaluation.to_dict(),
        command="consilience demo --seed 0",
    )
