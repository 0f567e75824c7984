"""Whether a difference can be seen: paired tests and points."""

from .measures.significance import mcnemar, paired_t, points

__all__ = ["mcnemar", "paired_t", "points"]
