"""The cluster that most tests share."""

import pytest

from cluster.real import cluster  # noqa: F401


@pytest.fixture(scope="session", autouse=True)
def _settings_of_dask():
    """Have its settings before a test changes one: to undo that would take away all of them."""
    pytest.importorskip("distributed")
