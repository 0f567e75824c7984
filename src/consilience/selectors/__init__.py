"""Selectors: one feature model from one sample of the rows; one method per file."""

from .base import SELECTORS, BaseSelector, Prepared, ScoringSelector, SearchSelector
from .bw_ratio import BWRatio
from .cfs import CFS
from .chi_square import ChiSquare
from .cut_points import cut_points
from .filters import univariate_scores
from .information_gain import InformationGain
from .markov_blanket import MarkovBlanket
from .mrmr import MRMR
from .relieff import ReliefF
from .ridge_rfe import RidgeRFE
from .svm_one import SVMOne
from .svm_rfe import SVMRFE
from .symmetrical_uncertainty import SymmetricalUncertainty

__all__ = [
    "CFS",
    "MRMR",
    "SELECTORS",
    "SVMRFE",
    "BWRatio",
    "BaseSelector",
    "ChiSquare",
    "InformationGain",
    "MarkovBlanket",
    "Prepared",
    "ReliefF",
    "RidgeRFE",
    "SVMOne",
    "ScoringSelector",
    "SearchSelector",
    "SymmetricalUncertainty",
    "cut_points",
    "univariate_scores",
]
