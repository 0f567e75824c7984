"""Selection ensembles: many selections from samples of the rows or columns, joined into panels."""

from .dafs import DAFS
from .dafs_result import DAFSResult
from .methods import ENSEMBLES
from .result import SelectionResult
from .selector import EnsembleSelector

__all__ = ["DAFS", "ENSEMBLES", "DAFSResult", "EnsembleSelector", "SelectionResult"]
