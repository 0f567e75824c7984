"""Pure functions on arrays: stability of subsets, significance of differences."""
