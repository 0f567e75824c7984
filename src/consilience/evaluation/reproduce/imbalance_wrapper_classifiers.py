"""The six classifiers that judge feature subsets in the paper on imbalanced data.

Their settings are the defaults of WEKA 3.6, which the paper must have used: it names none. All of
them rank the rows of the evaluation part by a probability of the minority, and are trained on rows
as imbalanced as they are. What is scaled is scaled by the training rows.
"""

import numpy as np
from scipy.spatial.distance import cdist
from scipy.special import expit
from scipy.stats import rankdata
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression

from ...learners.adtree import ADTree

CLASSIFIERS = ("RF", "3-NN", "7-NN", "LogReg", "MLP", "ADTree")
RIDGE = 1e-8  # of WEKA's logistic regression, times the squared weights
RATE, MOMENTUM, EPOCHS = 0.3, 0.2, 500  # of WEKA's perceptron
SMALL = 0.05  # its weights begin between -SMALL and SMALL


def areas(X, y, asked, truth, seed: int) -> np.ndarray:
    """Area under the ROC curve that each classifier has on rows it has not seen.

    Parameters
    ----------
    X : float64 array of shape (n_train, n_features)
        Training rows, in the columns that were selected.
    y : int array of shape (n_train,)
        1 for the minority, 0 for all others.
    asked : float64 array of shape (n_test, n_features)
        Rows of the evaluation part.
    truth : int array of shape (n_test,)
        Their classes.
    seed : int
        Of the forest and of the perceptron.

    Returns
    -------
    float64 array of shape (6,)
        In the order of `CLASSIFIERS`.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.evaluation.reproduce.imbalance_wrapper_classifiers import areas
    >>> X, y = np.arange(40.0)[:, None], (np.arange(40) > 32).astype(int)
    >>> areas(X[::2], y[::2], X[1::2], y[1::2], seed=0)
    array([1., 1., 1., 1., 1., 1.])
    """
    scores = np.array(
        [
            forest(X, y, asked, seed),
            *neighbours(X, y, asked, (3, 7)),
            logistic(X, y, asked),
            perceptron(X, y, asked, seed),
            ADTree(categorical_features=None).fit(X, y).decision_function(asked),
        ]
    )
    ranks = rankdata(scores, axis=1)
    n_positive = int(np.count_nonzero(truth))
    n_pairs = n_positive * (len(truth) - n_positive)
    return (ranks[:, truth == 1].sum(axis=1) - n_positive * (n_positive + 1) / 2) / n_pairs


def forest(X, y, asked, seed: int) -> np.ndarray:
    """WEKA 3.6's random forest: 10 trees that see log2(p) + 1 columns at each split."""
    n_seen = int(np.log2(X.shape[1]) + 1)
    trees = RandomForestClassifier(
        10, criterion="entropy", max_features=n_seen, random_state=seed
    ).fit(X, y)
    return trees.predict_proba(asked)[:, 1]


def neighbours(X, y, asked, numbers) -> np.ndarray:
    """WEKA's nearest neighbours, for each k: all rows that are as near as the k-th vote, too.

    Columns are scaled to between 0 and 1. Before they are counted each class has 1 / n votes.
    Words that most texts lack make hundreds of rows equally near; k of them, whichever, would say
    little.

    Parameters
    ----------
    X, y, asked
        As in `areas`.
    numbers : sequence of int
        Each k.

    Returns
    -------
    float64 array of shape (n_numbers, n_test)

    Examples
    --------
    >>> from consilience.evaluation.reproduce.imbalance_wrapper_classifiers import neighbours
    >>> import numpy as np
    >>> X, y = np.array([[0.0], [0.0], [0.0], [5.0]]), np.array([1, 0, 0, 0])
    >>> neighbours(X, y, np.array([[0.0]]), [1]).round(3)
    array([[0.357]])
    """
    least, span = _span(X)
    distances = cdist((asked - least) / span, (X - least) / span, "sqeuclidean")
    scores = np.empty((len(numbers), len(asked)))
    for found, k in zip(scores, numbers, strict=True):
        k = min(k, len(X))
        near = distances <= np.partition(distances, k - 1, axis=1)[:, k - 1 : k]
        found[:] = (near[:, y == 1].sum(axis=1) + 1 / len(X)) / (near.sum(axis=1) + 2 / len(X))
    return scores


def logistic(X, y, asked) -> np.ndarray:
    """WEKA's logistic regression: hardly any penalty, on columns of variance 1."""
    centre, scale = X.mean(axis=0), X.std(axis=0)
    scale[scale == 0] = 1.0
    model = LogisticRegression(C=0.5 / RIDGE, solver="newton-cholesky", tol=1e-8, max_iter=200)
    model.fit((X - centre) / scale, y)
    # Summed row by row: equal rows get equal scores to the last bit, which a product leaves open.
    return expit(((asked - centre) / scale * model.coef_[0]).sum(axis=1) + model.intercept_[0])


def perceptron(X, y, asked, seed: int, n_epochs: int = EPOCHS) -> np.ndarray:
    """WEKA's perceptron: (p + 2) / 2 hidden units, trained row by row, columns from -1 to 1."""
    from ...kernels.online_backpropagation import train_by_rows

    least, span = _span(X)
    rng, n_hidden = np.random.default_rng(seed), (X.shape[1] + 2) // 2
    hidden = rng.uniform(-SMALL, SMALL, (n_hidden, X.shape[1] + 1))
    output = rng.uniform(-SMALL, SMALL, (2, n_hidden + 1))
    rows = np.ascontiguousarray(2 * (X - least) / span - 1)
    y = np.ascontiguousarray(y, dtype=np.int64)
    train_by_rows(rows, y, rng.permutation(len(y)), hidden, output, RATE, MOMENTUM, n_epochs)
    values = 2 * (asked - least) / span - 1
    for weights in (hidden, output):
        values = expit((values[:, None] * weights[:, :-1]).sum(axis=2) + weights[:, -1])
    return values[:, 1] / values.sum(axis=1)


def _span(X):
    """Least value and width of each column, 1 where it is constant."""
    least, span = X.min(axis=0), np.ptp(X, axis=0)
    return least, np.where(span > 0, span, 1.0)
