"""From many feature models to one panel or several; one method per file."""

from .average_rank import AverageRank
from .base import AGGREGATORS, BaseAggregator
from .most_frequent import MostFrequent

__all__ = ["AGGREGATORS", "AverageRank", "BaseAggregator", "MostFrequent"]
