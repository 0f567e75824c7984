"""How much two sets of features have in common."""

import numpy as np
from scipy import sparse


def jaccard(a, b) -> np.ndarray:
    """Share of common features, of all that either holds, for all pairs of rows of 0/1 matrices.

    Two empty sets are alike (1), an empty one is unlike any other (0).

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.measures.similarity import jaccard
    >>> a = np.array([[1, 1, 0], [0, 1, 1], [0, 0, 0]])
    >>> jaccard(a, a).round(2)
    array([[1.  , 0.33, 0.  ],
           [0.33, 1.  , 0.  ],
           [0.  , 0.  , 1.  ]])
    """
    a, b = sparse.csr_array(a, dtype=np.float64), sparse.csr_array(b, dtype=np.float64)
    shared = (a @ b.T).toarray()
    union = np.asarray(a.sum(axis=1))[:, None] + np.asarray(b.sum(axis=1)) - shared
    return np.divide(shared, union, out=np.ones_like(shared), where=union > 0)
