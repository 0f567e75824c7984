"""Classifiers that predict rows they were not trained on, for one subspace after another."""
