"""Whether a difference can be seen: tests of paired figures, wins and points."""

from .measures.significance import friedman, mcnemar, paired_t, points, win_tie_loss

__all__ = ["friedman", "mcnemar", "paired_t", "points", "win_tie_loss"]
