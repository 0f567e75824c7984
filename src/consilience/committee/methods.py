"""The registry of committees: what `consilience select --method` names beside the ensembles."""

from ..registry import Registry
from .efs import EFSClassifier
from .eifs import EIFSClassifier
from .qifs import QIFSClassifier

COMMITTEES = Registry("method")
# Here and not beside the classes: on the command line they go by the paper's short names.
for name, cls in (("qifs", QIFSClassifier), ("efs", EFSClassifier), ("eifs", EIFSClassifier)):
    COMMITTEES.add(name=name, paper=name.capitalize(), source="Mamitsuka 2006")(cls)
