"""How the answers of a committee's members become one prediction."""

from .dynamic import (
    DYNAMIC,
    dynamic_selection,
    dynamic_voting,
    dynamic_voting_selection,
    dynamic_weights,
)
from .heom import HEOM
from .neighbours import local_errors
from .static import (
    average_vote,
    decide,
    majority_vote,
    static_selection,
    vote_shares,
    weighted_vote,
)

__all__ = [
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
]
