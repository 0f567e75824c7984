"""Compile what dynamic integration needs, by measuring a small table."""

import numpy as np

from .heom import HEOM
from .neighbours import local_errors


def warm_integration() -> None:
    """Measure distances of numbers, categories and bits, and average errors: all is compiled then.

    Examples
    --------
    >>> from consilience.integration.warmup import warm_integration
    >>> warm_integration()
    """
    rows = np.random.default_rng(0).normal(size=(20, 6))
    distances = HEOM.of(rows, nominal=np.arange(6) == 5).distances(rows)
    HEOM.of(rows > 0).distances(rows > 0)
    local_errors(distances, rows > 0, [1, 3])
