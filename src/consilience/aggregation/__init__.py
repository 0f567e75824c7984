"""From many feature models to one panel or several; one method per file."""

from .all_medoids import AllMedoids
from .average_rank import AverageRank
from .base import AGGREGATORS, BaseAggregator
from .cross_entropy_rank import CrossEntropyRank
from .exponential_rank import ExponentialRank
from .largest_cluster_medoid import LargestClusterMedoid
from .markov_chain_rank import MarkovChainRank
from .most_frequent import MostFrequent
from .most_representative import MostRepresentative
from .weighted_rank import WeightedRank

__all__ = [
    "AGGREGATORS",
    "AllMedoids",
    "AverageRank",
    "BaseAggregator",
    "CrossEntropyRank",
    "ExponentialRank",
    "LargestClusterMedoid",
    "MarkovChainRank",
    "MostFrequent",
    "MostRepresentative",
    "WeightedRank",
]
