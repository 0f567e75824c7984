"""What a committee says of test rows after each of its members, and how folds are joined."""

import numpy as np

from ..committee.query_members import member_view
from ..data.bits import BitMatrix
from ..measures.precision_recall import average_precision


def is_tuned(model) -> bool:
    """Whether a committee finds its own threshold in training, as no rival does.

    Examples
    --------
    >>> from consilience import QIFSClassifier
    >>> from consilience.evaluation.committee_stages import is_tuned
    >>> is_tuned(QIFSClassifier(threshold="f1")), is_tuned(QIFSClassifier(threshold=0.3))
    (True, False)
    """
    return isinstance(getattr(model, "threshold", None), str)


def stages(model, X, codes, positive: int) -> tuple[np.ndarray, np.ndarray]:
    """Figures of a fitted committee after its first member, the first two, and so on.

    Rows are predicted by the majority, or from a share of the votes that was given and that all
    rivals have; not from one that the committee tuned.

    Parameters
    ----------
    model : committee
        With `staged_predict_proba` and `classes_`.
    X : array, sparse matrix or BitMatrix
        The test rows.
    codes : int array
        Their classes, as indices into the classes of the committee.
    positive : int
        The class that average precision is of.

    Returns
    -------
    found : float array of shape (n_members, n_classes**2 + 1)
        Counts of the rows by true and predicted class, and the average precision (NaN where no
        row is of the positive class).
    shares : float array of shape (n_rows, n_classes)
        The shares of all members.
    """
    decided = None
    if getattr(model, "threshold_", None) is not None and not is_tuned(model):
        decided = (np.searchsorted(model.classes_, said) for said in model.staged_predict(X))
    found = []
    for shares in model.staged_predict_proba(X):
        predicted = shares.argmax(axis=1) if decided is None else next(decided)
        found.append(stage(codes, predicted, shares, positive))
    return np.array(found), shares


def stage(codes, predicted, scores, positive: int) -> np.ndarray:
    """Counts of the rows by true and predicted class, and the average precision of one class.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.evaluation.committee_stages import stage
    >>> codes, scores = np.array([0, 1, 1]), np.array([[0.9, 0.1], [0.2, 0.8], [0.6, 0.4]])
    >>> stage(codes, scores.argmax(axis=1), scores, positive=1)
    array([1., 0., 1., 1., 1.])
    """
    n_classes = scores.shape[1]
    counts = np.bincount(codes * n_classes + predicted, minlength=n_classes**2)
    area = fold_area(codes == positive, scores[:, positive])
    return np.array([*counts, area], dtype=np.float64)


def fold_area(positive, scores) -> float:
    """Average precision of one fold; NaN where it has no positive row, or no scores."""
    if not positive.any() or np.isnan(scores).any():
        return np.nan
    return average_precision(positive, scores).value


def join_stages(folds: list[np.ndarray]) -> np.ndarray:
    """Balanced accuracy and average precision over all folds, after each member.

    A fold whose committee stopped early stays as it ended.

    Parameters
    ----------
    folds : list of float arrays
        From `stages`.

    Returns
    -------
    float array of shape (n_members, 2)

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.evaluation.committee_stages import join_stages
    >>> short = np.array([[8, 2, 1, 1, 0.5]])
    >>> join_stages([short, np.vstack([short, [9, 1, 0, 2, 0.75]])]).round(3)
    array([[0.65 , 0.5  ],
           [0.8  , 0.625]])
    """
    length = max(len(fold) for fold in folds)
    padded = np.stack([fold[np.minimum(np.arange(length), len(fold) - 1)] for fold in folds])
    n_classes = round(np.sqrt(padded.shape[2] - 1))
    counts = padded[:, :, :-1].sum(axis=0).reshape(length, n_classes, n_classes)
    rights = np.diagonal(counts, axis1=1, axis2=2) / counts.sum(axis=2)
    return np.column_stack([rights.mean(axis=1), padded[:, :, -1].mean(axis=0)])


def one_member_scores(model, columns, shares) -> np.ndarray:
    """Scores of a committee of one member: its own, because its votes are 0 or 1.

    Parameters
    ----------
    model : committee
        Fitted, with a single member.
    columns : float array or BitMatrix of shape (n_rows, n_features of the member)
        The rows as the member sees them.
    shares : float array of shape (n_rows, n_classes)
        Its votes, which come back where it has no scores of all classes.
    """
    member = model.estimators_[0]
    if isinstance(columns, BitMatrix):
        columns = member_view(member, columns)
    for method in ("decision_function", "predict_proba"):
        if hasattr(member, method):
            scores = np.asarray(getattr(member, method)(columns), dtype=np.float64)
            if scores.ndim == 1:
                scores = np.column_stack([-scores, scores])
            return scores if scores.shape == shares.shape else shares
    return shares
