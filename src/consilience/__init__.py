"""Panels of features that hold up, with the evidence, for data with far more columns than rows.

Names are imported when they are first used, so that `import consilience` stays light.
"""

import importlib

__version__ = "0.1.0"

# Public name -> module that defines it. A name without a dot-path of its own is a submodule.
_HOMES = {
    "BitMatrix": "data.bits",
    "BlockMatrix": "data.block_matrix",
    "Table": "data.table",
    "read_table": "data.readers",
    "load_demo": "data.demo",
    "make_led": "data.led",
    "make_planted": "data.planted",
    "make_planted_bits": "data.planted_bits",
    "flip_cells": "data.noise",
    "BWRatio": "selectors.bw_ratio",
    "InformationGain": "selectors.information_gain",
    "ChiSquare": "selectors.chi_square",
    "SymmetricalUncertainty": "selectors.symmetrical_uncertainty",
    "ReliefF": "selectors.relieff",
    "RidgeRFE": "selectors.ridge_rfe",
    "SVMOne": "selectors.svm_one",
    "SVMRFE": "selectors.svm_rfe",
    "CFS": "selectors.cfs",
    "MRMR": "selectors.mrmr",
    "MarkovBlanket": "selectors.markov_blanket",
    "FeatureModels": "models",
    "AverageRank": "aggregation.average_rank",
    "MostRepresentative": "aggregation.most_representative",
    "LargestClusterMedoid": "aggregation.largest_cluster_medoid",
    "AllClosedItemsets": "aggregation.all_closed_itemsets",
    "AllMaximalItemsets": "aggregation.all_maximal_itemsets",
    "ClosedItemsetMedoid": "aggregation.closed_itemset_medoid",
    "ClosedItemsetMedoids": "aggregation.closed_itemset_medoids",
    "ClosedItemsets": "aggregation.closed_itemsets",
    "MaximalItemsetMedoid": "aggregation.maximal_itemset_medoid",
    "MaximalItemsets": "aggregation.maximal_itemsets",
    "AllMedoids": "aggregation.all_medoids",
    "ExponentialRank": "aggregation.exponential_rank",
    "MarkovChainRank": "aggregation.markov_chain_rank",
    "CrossEntropyRank": "aggregation.cross_entropy_rank",
    "WeightedRank": "aggregation.weighted_rank",
    "MostFrequent": "aggregation.most_frequent",
    "AccurateSubspaces": "ensemble.accurate_subspaces",
    "BIRS": "ensemble.birs",
    "BalancedWrapper": "ensemble.balanced_wrapper",
    "BalancedWrapperResult": "ensemble.wrapper_result",
    "DAFS": "ensemble.dafs",
    "DAFSResult": "ensemble.dafs_result",
    "EnsembleSelector": "ensemble.selector",
    "PanelSizeSearch": "ensemble.panel_size",
    "SelectionResult": "ensemble.result",
    "SubspaceSelector": "ensemble.subspace_selector",
    "CERPClassifier": "committee.cerp",
    "CommitteeResult": "committee.result",
    "SearchCommitteeResult": "committee.search_result",
    "CommitteeSelector": "committee.selection",
    "DynamicIntegrationClassifier": "committee.dynamic",
    "EFSClassifier": "committee.efs",
    "EGSGClassifier": "committee.egsg",
    "EIFSClassifier": "committee.eifs",
    "GEFS": "committee.gefs",
    "GeneticEnsembleClassifier": "committee.genetic",
    "HillClimbingEnsembleClassifier": "committee.hill_climbing",
    "MulticlassSVM": "committee.multiclass_svm",
    "ParetoEnsembleClassifier": "committee.pareto",
    "QIFSClassifier": "committee.qifs",
    "RandomSubspaceClassifier": "committee.random_subspace",
    "SequentialGeneticEnsembleClassifier": "committee.sequential_genetic",
    "SequentialSelectionEnsembleClassifier": "committee.sequential_selection",
    "WholeEnsembleGeneticClassifier": "committee.whole_ensemble",
    "ADTree": "learners.adtree",
    "DiscreteNB": "learners.discrete_nb",
    "HybridSampler": "sampling.hybrid_sampler",
    "evaluate_committee": "evaluation.committees",
    "evaluate_selection": "evaluation.protocol",
    "evaluate_wrapper": "evaluation.wrappers",
    "evaluate_alternatives": "evaluation.alternatives",
    "compare": "evaluation.compare",
    "Comparison": "evaluation.comparison",
    "load_result": "report.load",
    "write_report": "report.render",
}
_MODULES = {
    "aggregation": "aggregation",
    "diversity": "diversity",
    "evaluation": "evaluation",
    "integration": "integration",
    "selectors": "selectors",
    "significance": "significance",
    "stability": "stability",
}

__all__ = ["__version__", *sorted(_HOMES), *sorted(_MODULES)]


def __getattr__(name: str):
    if name in _HOMES:
        value = getattr(importlib.import_module(f".{_HOMES[name]}", __name__), name)
    elif name in _MODULES:
        value = importlib.import_module(f".{_MODULES[name]}", __name__)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
