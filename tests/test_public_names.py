"""The names that other people's code may rely on."""

import doctest
import importlib
import inspect
import subprocess
import sys

import pytest

import consilience

CLASSES = [
    "ADTree",
    "AccurateSubspaces",
    "AllClosedItemsets",
    "AllMaximalItemsets",
    "AllMedoids",
    "AverageRank",
    "BIRS",
    "BWRatio",
    "BalancedWrapper",
    "BalancedWrapperResult",
    "BitMatrix",
    "BlockMatrix",
    "CERPClassifier",
    "CFS",
    "ChiSquare",
    "ClosedItemsetMedoid",
    "ClosedItemsetMedoids",
    "ClosedItemsets",
    "CommitteeResult",
    "CommitteeSelector",
    "Comparison",
    "CrossEntropyRank",
    "DAFS",
    "DAFSResult",
    "DiscreteNB",
    "DynamicIntegrationClassifier",
    "EFSClassifier",
    "EGSGClassifier",
    "EIFSClassifier",
    "EnsembleSelector",
    "ExponentialRank",
    "FeatureModels",
    "GEFS",
    "GeneticEnsembleClassifier",
    "HillClimbingEnsembleClassifier",
    "HybridSampler",
    "InformationGain",
    "LargestClusterMedoid",
    "MRMR",
    "MarkovBlanket",
    "MarkovChainRank",
    "MaximalItemsetMedoid",
    "MaximalItemsets",
    "MostFrequent",
    "MostRepresentative",
    "MulticlassSVM",
    "PanelSizeSearch",
    "ParetoEnsembleClassifier",
    "QIFSClassifier",
    "RandomSubspaceClassifier",
    "ReliefF",
    "RidgeRFE",
    "SVMOne",
    "SVMRFE",
    "SearchCommitteeResult",
    "SelectionResult",
    "SequentialGeneticEnsembleClassifier",
    "SequentialSelectionEnsembleClassifier",
    "SubspaceSelector",
    "SymmetricalUncertainty",
    "Table",
    "WeightedRank",
    "WholeEnsembleGeneticClassifier",
]
FUNCTIONS = [
    "compare",
    "evaluate_alternatives",
    "evaluate_committee",
    "evaluate_selection",
    "evaluate_wrapper",
    "load_demo",
    "load_result",
    "make_led",
    "make_planted",
    "make_planted_bits",
    "flip_cells",
    "read_table",
    "write_report",
]
MODULES = [
    "aggregation",
    "diversity",
    "evaluation",
    "integration",
    "selectors",
    "significance",
    "stability",
]
IN_MODULES = {
    "aggregation": [
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
    ],
    "diversity": [
        "correlation",
        "disagreement",
        "double_fault",
        "kappa",
        "member_diversities",
        "pairwise_diversities",
        "q_statistic",
    ],
    "integration": [
        "DYNAMIC",
        "HEOM",
        "average_vote",
        "decide",
        "dynamic_selection",
        "dynamic_voting",
        "dynamic_voting_selection",
        "dynamic_weights",
        "local_errors",
        "majority_vote",
        "static_selection",
        "vote_shares",
        "weighted_vote",
    ],
    "selectors": [
        "SELECTORS",
        "BWRatio",
        "BaseSelector",
        "CFS",
        "ChiSquare",
        "InformationGain",
        "MRMR",
        "MarkovBlanket",
        "Prepared",
        "ReliefF",
        "RidgeRFE",
        "SVMOne",
        "SVMRFE",
        "ScoringSelector",
        "SearchSelector",
        "SymmetricalUncertainty",
        "cut_points",
        "univariate_scores",
    ],
    "significance": ["friedman", "mcnemar", "paired_t", "points", "win_tie_loss"],
    "stability": ["Stability", "kuncheva", "nogueira", "tanimoto"],
}


def documented():
    """Every public class and function with a name to show."""
    for name in CLASSES + FUNCTIONS:
        yield name, getattr(consilience, name)
    for module, names in IN_MODULES.items():
        for name in names:
            found = getattr(getattr(consilience, module), name)
            if inspect.isclass(found) or inspect.isfunction(found):
                yield f"{module}.{name}", found


DOCUMENTED = [pytest.param(found, id=name) for name, found in documented()]


def test_the_package_has_these_names_and_no_others():
    expected = sorted(["__version__", *CLASSES, *FUNCTIONS, *MODULES])
    assert sorted(consilience.__all__) == expected
    assert dir(consilience) == expected


@pytest.mark.parametrize("module", IN_MODULES)
def test_its_parts_have_these_names(module):
    part = getattr(consilience, module)
    for name in IN_MODULES[module]:
        assert hasattr(part, name)
    if hasattr(part, "__all__"):
        assert sorted(part.__all__) == sorted(IN_MODULES[module])


@pytest.mark.parametrize("name", [*CLASSES, *FUNCTIONS, *MODULES])
def test_each_name_is_found_again(name):
    assert getattr(importlib.import_module("consilience"), name) is getattr(consilience, name)


def test_a_star_import_brings_them_all():
    script = (
        "from consilience import *; print(EnsembleSelector, read_table, stability, __version__)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=True
    )
    assert consilience.__version__ in done.stdout


def test_other_names_are_unknown():
    with pytest.raises(AttributeError, match="has no attribute 'SVMRFEE'"):
        consilience.SVMRFEE  # noqa: B018
    with pytest.raises(ImportError, match="nothing"):
        from consilience import nothing  # noqa: F401


@pytest.mark.parametrize("found", DOCUMENTED)
def test_each_is_explained(found):
    lines = inspect.getdoc(found).splitlines()
    assert lines[0].endswith((".", ":"))
    assert len(lines[0]) < 100


EXEMPT = (  # parts, not for direct use
    "BaseSelector", "ScoringSelector", "SearchSelector", "BaseAggregator", "Prepared", "Stability",
)  # fmt: skip


@pytest.mark.parametrize("found", [p for p in DOCUMENTED if p.values[0].__name__ not in EXEMPT])
def test_each_has_an_example_that_runs(found):
    text = inspect.getdoc(found)
    assert "Examples\n--------" in text
    # The example itself runs with the doctests; here only that there is one.
    assert doctest.DocTestParser().get_examples(text)


@pytest.mark.parametrize("found", DOCUMENTED)
def test_parameters_are_documented_under_their_names(found):
    signature = inspect.signature(found)
    text = inspect.getdoc(found)
    if inspect.isclass(found) and "Parameters\n----------" not in text:
        return  # a record made by others, whose attributes are documented
    for name in signature.parameters:
        assert f"\n{name} : " in text or f"{name}, " in text or f", {name}" in text, name


def test_the_version_is_that_of_the_package():
    from importlib.metadata import version

    assert version("consilience") == consilience.__version__


@pytest.mark.parametrize("module", ["diversity", "significance", "stability"])
def test_measures_can_be_imported_by_their_module(module):
    found = importlib.import_module(f"consilience.{module}")
    assert found is getattr(consilience, module)
