"""Which rows or columns a member of an ensemble sees."""

from .bootstrap import Bootstrap, bootstrap_weights, plan_bootstrap

__all__ = ["Bootstrap", "bootstrap_weights", "plan_bootstrap"]
