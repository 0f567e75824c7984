"""The cluster that most tests share."""

from cluster.real import cluster  # noqa: F401
