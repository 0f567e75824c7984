"""From many feature models to one panel or several; one method per file."""

from .all_closed_itemsets import AllClosedItemsets
from .all_maximal_itemsets import AllMaximalItemsets
from .all_medoids import AllMedoids
from .average_rank import AverageRank
from .base import AGGREGATORS, BaseAggregator
from .closed_itemset_medoid import ClosedItemsetMedoid
from .closed_itemset_medoids import ClosedItemsetMedoids
from .closed_itemsets import ClosedItemsets
from .cross_entropy_rank import CrossEntropyRank
from .exponential_rank import ExponentialRank
from .largest_cluster_medoid import LargestClusterMedoid
from .markov_chain_rank import MarkovChainRank
from .maximal_itemset_medoid import MaximalItemsetMedoid
from .maximal_itemsets import MaximalItemsets
from .most_frequent import MostFrequent
from .most_representative import MostRepresentative
from .weighted_rank import WeightedRank

__all__ = [
    "AGGREGATORS",
    "AllClosedItemsets",
    "AllMaximalItemsets",
    "AllMedoids",
    "AverageRank",
    "BaseAggregator",
    "ClosedItemsetMedoid",
    "ClosedItemsetMedoids",
    "ClosedItemsets",
    "CrossEntropyRank",
    "ExponentialRank",
    "LargestClusterMedoid",
    "MarkovChainRank",
    "MaximalItemsetMedoid",
    "MaximalItemsets",
    "MostFrequent",
    "MostRepresentative",
    "WeightedRank",
]
