"""Selectors: one feature model from one sample of the rows; one method per file."""

from .base import SELECTORS, BaseSelector, Prepared
from .chi_square import ChiSquare
from .cut_points import cut_points
from .filters import univariate_scores
from .information_gain import InformationGain
from .symmetrical_uncertainty import SymmetricalUncertainty

__all__ = [
    "SELECTORS",
    "BaseSelector",
    "ChiSquare",
    "InformationGain",
    "Prepared",
    "SymmetricalUncertainty",
    "cut_points",
    "univariate_scores",
]
