"""The classifiers on packed columns keep the promises of scikit-learn.

Its checks bring numbers of all kinds, which these classifiers refuse; here each number becomes
five bits before they see it.
"""

import numpy as np
from scipy import sparse
from sklearn.utils.estimator_checks import parametrize_with_checks

from consilience import BitMatrix
from consilience.learners import BitBernoulliNB, BitLinearSVC, BitTreeClassifier
from consilience.selectors.validation import check_X


class Cut:
    """Whether a number is above each of five."""

    def _bits(self, X, reset):
        X = check_X(self, X, reset=reset, allow_missing=False)[0]
        X = X.toarray() if sparse.issparse(X) else X
        return BitMatrix.from_array(np.hstack([X > cut for cut in (-1, -0.5, 0, 0.5, 1)]))


class CutBayes(Cut, BitBernoulliNB):
    pass


class CutMachine(Cut, BitLinearSVC):
    pass


class CutTree(Cut, BitTreeClassifier):
    pass


@parametrize_with_checks([CutBayes(), CutMachine(tol=1e-10), CutTree()])
def test_scikit_learn_checks(estimator, check):
    check(estimator)
