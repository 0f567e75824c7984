"""Classifiers that are made of many: machines of pairs of classes, members on few features."""
