"""Slow, obvious twins of the fast code: written from the formulas, never from the kernels."""
