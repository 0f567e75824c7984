"""The outcome of a wrapper's evaluation: each class by itself, and every size of two wrappers."""

from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from ..measures.precision_recall import mean_average_precision, precision_recall_estimates
from .rare_outcome import RareEvaluation
from .wrapper_sizes import Sizes


@dataclass(frozen=True)
class WrapperEvaluation(RareEvaluation):
    """Nested cross-validation of a wrapper, beside the single wrapper on the same folds.

    The methods are "ensemble" (its panel), "single" (that of the ordinary wrapper), "all" and
    "majority". Beside the attributes here it has those of `RareEvaluation`; with several classes
    of which each counts as much as the others, none is looked for and `positive` is None.

    Attributes
    ----------
    class_scores : dict of str to float array of shape (n_samples, n_classes)
        Scores of all classes, by method.
    sizes : Sizes or None
        Both wrappers at every size; None where the classifier gives no scores.
    """

    class_scores: dict[str, np.ndarray] = field(default_factory=dict)
    sizes: Sizes | None = None

    def by_class(self, key: str) -> list[dict[str, Any]]:
        """Precision, recall and average precision of each class, with intervals."""
        rows = []
        for code, name in enumerate(self.classes):
            positive = self.y == code
            precision, recall = precision_recall_estimates(positive, self[key].predicted == code)
            area = mean_average_precision(positive, self.class_scores[key][:, code], self.folds)
            found = {"precision": precision, "recall": recall, "average_precision": area}
            told = {name: None if e is None else asdict(e) for name, e in found.items()}
            rows.append({"class": str(name)} | told)
        return rows

    def to_dict(self) -> dict[str, Any]:
        """Return the "evaluation" part of `result.json`."""
        told = super().to_dict()
        for method in told["methods"]:
            method["by_class"] = self.by_class(method["key"])
        counts = np.bincount(self.y, minlength=self.classes.size)
        told["classes"] = [
            {"name": str(name), "count": int(n)}
            for name, n in zip(self.classes, counts, strict=True)
        ]
        told["by_size"] = None if self.sizes is None else self.sizes.to_dict()
        return told
