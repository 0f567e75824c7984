"""The cluster that most tests share."""

import os

import pytest

from cluster.real import cluster  # noqa: F401

SMALL = "DASK_CONSILIENCE__SMALL", "consilience.small"


@pytest.fixture(scope="session", autouse=True)
def _settings_of_dask():
    """Have its settings before a test changes one: to undo that would take away all of them."""
    pytest.importorskip("distributed")


@pytest.fixture(scope="session", autouse=True)
def _every_table_travels(_settings_of_dask):
    """Have tables of the size of tests scanned by workers, for commands of their own, too."""
    import dask

    variable, setting = SMALL
    os.environ[variable] = "0 B"
    with dask.config.set({setting: "0 B"}):
        yield
    del os.environ[variable]
