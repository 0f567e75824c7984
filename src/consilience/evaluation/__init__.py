"""How accurate and stable a selection is on rows that it has not seen."""

from .outcome import Evaluation, MethodOutcome
from .protocol import evaluate_selection

__all__ = ["Evaluation", "MethodOutcome", "evaluate_selection"]
