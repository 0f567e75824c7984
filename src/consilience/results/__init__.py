"""What every method's answer has in common: panels, what they rest on, and the files of a run."""

from .base import Result

__all__ = ["Result"]
