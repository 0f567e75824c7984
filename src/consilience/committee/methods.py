"""The registry of committees: what `consilience select --method` names beside the ensembles."""

from ..registry import Registry
from .efs import EFSClassifier
from .eifs import EIFSClassifier
from .gefs import GEFS
from .genetic import GeneticEnsembleClassifier
from .hill_climbing import HillClimbingEnsembleClassifier
from .pareto import ParetoEnsembleClassifier
from .qifs import QIFSClassifier
from .random_subspace import RandomSubspaceClassifier
from .sequential_genetic import SequentialGeneticEnsembleClassifier
from .sequential_selection import SequentialSelectionEnsembleClassifier
from .whole_ensemble import WholeEnsembleGeneticClassifier

COMMITTEES = Registry("method")
# Here and not beside the classes: on the command line they go by the papers' short names.
for cls, name, paper, source in (
    (QIFSClassifier, "qifs", "Qifs", "Mamitsuka 2006"),
    (EFSClassifier, "efs", "Efs", "Mamitsuka 2006"),
    (EIFSClassifier, "eifs", "Eifs", "Mamitsuka 2006"),
    (SequentialGeneticEnsembleClassifier, "gas-sefs", "GAS-SEFS", "Tsymbal et al. 2005"),
    (GeneticEnsembleClassifier, "ga", "GA", "Tsymbal et al. 2005"),
    (HillClimbingEnsembleClassifier, "hill-climbing", "HC", "Cunningham and Carney 2000"),
    (GEFS, "gefs", "GEFS", "Opitz 1999"),
    (WholeEnsembleGeneticClassifier, "whole-ensemble", "Kuncheva", "Kuncheva and Jain 2000"),
    (SequentialSelectionEnsembleClassifier, "sequential-selection", "EFSS", "Tsymbal et al. 2005"),
    (ParetoEnsembleClassifier, "pareto", "Pareto", "Tsymbal et al. 2005, as future work"),
    (RandomSubspaceClassifier, "random-subspace", "RS", "Ho 1998"),
):
    COMMITTEES.add(name=name, paper=paper, source=source)(cls)
