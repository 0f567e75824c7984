"""The rules by which members are joined, side by side on unseen rows: the same members for all."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ..measures.accuracy import balanced_accuracy, error_difference, error_rate
from ..measures.significance import mcnemar

# Rule -> how readers call it; static ones first.
RULES = {
    "static": "best member alone",
    "vote": "vote",
    "weighted": "weighted vote",
    "dynamic_selection": "dynamic selection",
    "dynamic_voting": "dynamic voting",
    "dynamic_voting_selection": "dynamic voting with selection",
}
KEY = "rule_"  # how the arrays of a fold that tell of a rule begin


def rule_answers(model, X, classes) -> dict[str, np.ndarray]:
    """What a fitted committee says of some rows by each rule; nothing where it knows one alone.

    Parameters
    ----------
    model : committee
        With `integrated(X, rules)`, which asks the members once for all rules.
    X : array, data frame, sparse matrix or BitMatrix
        The rows.
    classes : ndarray
        All labels, sorted.

    Returns
    -------
    dict of str to int array of shape (n_rows,)
        Predicted classes, as indices into `classes`.

    Examples
    --------
    >>> from consilience import QIFSClassifier
    >>> from consilience.evaluation.committee_rules import rule_answers
    >>> rule_answers(QIFSClassifier(), None, None)
    {}
    """
    if not hasattr(model, "integrated"):
        return {}
    said = model.integrated(X, tuple(RULES))
    return {f"{KEY}{rule}": np.searchsorted(classes, labels) for rule, labels in said.items()}


@dataclass(frozen=True)
class Rules:
    """What the rules predict of every row, each by the fold that did not learn from it.

    Attributes
    ----------
    predicted : dict of str to int array of shape (n_samples,)
        Class of each row, by rule.
    chosen : str or None
        The rule that the committee itself uses.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.evaluation.committee_rules import Rules
    >>> y, folds = np.array([0, 1, 1, 0]), np.array([0, 0, 1, 1])
    >>> rules = Rules({"vote": y, "static": np.zeros(4, dtype=int)}, "vote")
    >>> [(row["rule"], row["error"]["value"]) for row in rules.rows(y, y, folds)]
    [('static', 0.5), ('vote', 0.0)]
    """

    predicted: dict[str, np.ndarray]
    chosen: str | None

    @classmethod
    def pooled(cls, study, results: list[dict], chosen: str | None) -> "Rules | None":
        """Put the folds together, row by row; None where a committee knows one rule alone."""
        keys = [key for key in results[0] if key.startswith(KEY)]
        if not keys:
            return None
        joined = {}
        for key in keys:
            predicted = np.empty(study.codes.size, dtype=int)
            for fold, result in zip(study.folds, results, strict=True):
                predicted[fold.test] = result[key]
            joined[key.removeprefix(KEY)] = predicted
        return cls(joined, chosen)

    def rows(self, y, own, folds) -> list[dict[str, Any]]:
        """A row for each rule: its figures, and how it differs from what the committee predicts.

        Parameters
        ----------
        y, own, folds : int arrays of shape (n_samples,)
            True class, class predicted by the committee, and fold of each row.
        """
        known = [rule for rule in RULES if rule in self.predicted]
        return [self._row(rule, y, own, folds) for rule in known]

    def _row(self, rule: str, y, own, folds) -> dict[str, Any]:
        predicted, is_chosen = self.predicted[rule], rule == self.chosen
        wrong, own_wrong = predicted != y, own != y
        difference = None
        if not is_chosen:
            p_value = mcnemar(~wrong, ~own_wrong).p_value
            difference = asdict(error_difference(wrong, own_wrong)) | {"p": p_value}
        return {
            "rule": rule,
            "label": RULES[rule],
            "chosen": is_chosen,
            "error": asdict(error_rate(wrong)),
            "balanced_accuracy": asdict(balanced_accuracy(y, predicted)),
            "fold_errors": [float(wrong[folds == fold].mean()) for fold in np.unique(folds)],
            "difference": difference,
        }
