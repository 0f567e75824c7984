"""Compiled kernels: contiguous arrays and scalars in, arrays out; no validation, no names."""
