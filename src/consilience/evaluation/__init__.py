"""How accurate and stable a selection is on rows that it has not seen."""

from .alternatives import evaluate_alternatives
from .alternatives_outcome import AlternativesEvaluation, PanelOutcome
from .compare import compare
from .comparison import Comparison, Outcome
from .outcome import Evaluation, MethodOutcome
from .protocol import evaluate_selection

__all__ = [
    "AlternativesEvaluation",
    "Comparison",
    "Evaluation",
    "MethodOutcome",
    "Outcome",
    "PanelOutcome",
    "compare",
    "evaluate_alternatives",
    "evaluate_selection",
]
