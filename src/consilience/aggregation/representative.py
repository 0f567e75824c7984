"""Which of many models is most like the others."""

import numpy as np

from ..measures.medoids import jaccard_distances, medoid


def representative(models, among=None) -> int:
    """Number of the model with the least total distance to the others.

    Parameters
    ----------
    models : FeatureModels
        The selections.
    among : int array, default=None
        Numbers of the models that count, and of which one is taken; None is all.

    Examples
    --------
    >>> from consilience import FeatureModels
    >>> from consilience.aggregation.representative import representative
    >>> representative(FeatureModels([[4, 1], [1, 2], [5, 6], [2, 1, 7]], 8), among=[0, 1, 2])
    1
    """
    members = models.membership()
    members = members if among is None else members[np.asarray(among)]
    # Of equal totals the one whose features are selected more often in all.
    found = medoid(jaccard_distances(members), members @ models.counts)
    return found if among is None else int(among[found])
