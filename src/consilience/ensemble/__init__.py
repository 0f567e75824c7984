"""Selection ensembles: many selections from samples of the rows or columns, joined into panels."""

from .balanced_wrapper import BalancedWrapper
from .dafs import DAFS
from .dafs_result import DAFSResult
from .methods import ENSEMBLES
from .result import SelectionResult
from .selector import EnsembleSelector
from .wrapper_result import BalancedWrapperResult

__all__ = [
    "DAFS",
    "ENSEMBLES",
    "BalancedWrapper",
    "BalancedWrapperResult",
    "DAFSResult",
    "EnsembleSelector",
    "SelectionResult",
]
