"""How alike selections are, corrected for chance where the measure is."""

from .measures.stability import Stability, kuncheva, nogueira, tanimoto

__all__ = ["Stability", "kuncheva", "nogueira", "tanimoto"]
