"""How the answers of a committee's members become one prediction."""

from .static import (
    average_vote,
    decide,
    majority_vote,
    static_selection,
    vote_shares,
    weighted_vote,
)

__all__ = [
    "average_vote",
    "decide",
    "majority_vote",
    "static_selection",
    "vote_shares",
    "weighted_vote",
]
