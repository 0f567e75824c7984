"""Selection ensembles: many selections from samples of the rows, joined into panels."""

from .result import SelectionResult
from .selector import EnsembleSelector

__all__ = ["EnsembleSelector", "SelectionResult"]
