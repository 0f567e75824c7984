"""How often features are chosen where nothing is to be found: the same ensemble, labels shuffled.

Samples of the same rows share what these rows have by chance, so that even in noise some features
are chosen in most samples. How many is not known in advance; shuffled labels tell.
"""

from dataclasses import dataclass

import numpy as np

from ..exceptions import DataError
from ..heard import hear

N_SHUFFLES = 10  # three, of more models each, gave a level that jumps
MAX_MODELS = 15  # of each shuffle; more shuffles tell more than more models
QUANTILE = 0.95


@dataclass(frozen=True)
class Shuffle:
    """One task: which order of the labels, and the seed of the ensemble."""

    number: int
    label_seed: int
    seed: int


def make_shuffles(selector, seeds) -> list[Shuffle]:
    """Return the tasks for a selector; none where it is no ensemble, which has no frequencies.

    Parameters
    ----------
    selector : selector
        What is evaluated.
    seeds : list of SeedSequence
        One for each shuffle.
    """
    if not (hasattr(selector, "base_selector") and hasattr(selector, "n_models")):
        return []
    return [
        Shuffle(number, *(int(state) for state in seed.generate_state(2)))
        for number, seed in enumerate(seeds)
    ]


def run_shuffle(study, checkpoint, selector, shuffle: Shuffle) -> dict[str, np.ndarray]:
    """Fit an ensemble on all rows with shuffled labels and keep the frequencies of its panel."""
    inner = None if checkpoint is None else checkpoint.scope(f"shuffle-{shuffle.number}")
    codes = shuffle_labels(study.codes, study.groups, np.random.default_rng(shuffle.label_seed))
    labels, rows = study.classes[codes], np.arange(codes.size)
    with hear():  # what there is to say of noise that was made on purpose is of no use to anybody
        try:
            model = study.fit_rows(
                selector, rows, labels, shuffle.seed, inner, max_models=MAX_MODELS
            )
        except DataError:  # a strict selector finds nothing in noise, which is as it should be
            n_models = min(selector.n_models, MAX_MODELS)
            return {"frequencies": np.empty(0), "n_models": np.array(n_models)}
    frequencies = model.models_.frequencies[model.get_support()]
    return {"frequencies": frequencies, "n_models": np.array(model.models_.n_models)}


def shuffle_labels(codes: np.ndarray, groups: np.ndarray | None, rng) -> np.ndarray:
    """Permute labels over rows; over groups where every group has one class.

    Rows of one patient that share a class must go on sharing one: else the shuffled task would be
    easier or harder by chance than the one that was set.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.evaluation.chance import shuffle_labels
    >>> codes, groups = np.array([0, 0, 1, 1, 1]), np.array([5, 5, 2, 2, 2])
    >>> found = shuffle_labels(codes, groups, np.random.default_rng(1))
    >>> bool(found[0] == found[1]), bool(found[2] == found[3] == found[4])
    (True, True)
    """
    if groups is not None:
        _, first, group_of_row = np.unique(groups, return_index=True, return_inverse=True)
        class_of_group = codes[first]
        if np.array_equal(class_of_group[group_of_row], codes):
            return rng.permutation(class_of_group)[group_of_row]
    return rng.permutation(codes)


def chance_level(results: list[dict]) -> dict | None:
    """Put the shuffles together; None where there are none.

    Returns
    -------
    dict or None
        `n_shuffles`, `n_models` of each, and `frequency`, which 95 % of the features of panels
        from shuffled labels do not exceed.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.evaluation.chance import chance_level
    >>> chance_level([{"frequencies": np.array([0.2, 0.4, 0.6]), "n_models": np.array(50)}])
    {'n_shuffles': 1, 'n_models': 50, 'frequency': 0.58}
    """
    if not results:
        return None
    frequencies = np.concatenate([result["frequencies"] for result in results])
    level = float(np.quantile(frequencies, QUANTILE)) if frequencies.size else 0.0
    return {
        "n_shuffles": len(results),
        "n_models": int(results[0]["n_models"]),
        "frequency": round(level, 6),
    }
