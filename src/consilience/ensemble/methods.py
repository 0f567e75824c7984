"""The registry of ways from a table to a panel: what `consilience select --method` names."""

from ..registry import Registry

ENSEMBLES = Registry("method")
