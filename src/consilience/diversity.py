"""How classifiers differ: measures on arrays of right and wrong answers."""

from .measures.diversity import (
    correlation,
    disagreement,
    double_fault,
    kappa,
    member_diversities,
    pairwise_diversities,
    q_statistic,
)

__all__ = [
    "correlation",
    "disagreement",
    "double_fault",
    "kappa",
    "member_diversities",
    "pairwise_diversities",
    "q_statistic",
]
