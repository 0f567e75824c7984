"""How accurate and stable a selection is on rows that it has not seen."""

from .compare import compare
from .comparison import Comparison, Outcome
from .outcome import Evaluation, MethodOutcome
from .protocol import evaluate_selection

__all__ = ["Comparison", "Evaluation", "MethodOutcome", "Outcome", "compare", "evaluate_selection"]
