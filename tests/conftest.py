"""Fixtures and settings shared by all tests."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Kernels compile at their first call, and busy machines are slow: no test fails for its time.
# Every run has the same examples: whoever changes something sees what that has changed.
settings.register_profile(
    "consilience",
    deadline=None,
    max_examples=60,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.differing_executors],
    print_blob=True,
)
# pytest --hypothesis-profile=thorough looks longer, and elsewhere each time.
settings.register_profile(
    "thorough", settings.get_profile("consilience"), max_examples=2000, derandomize=False
)
settings.load_profile("consilience")

SHARED = Path(__file__).resolve().parents[2] / "shared"
DATA = Path(os.environ.get("CONSILIENCE_DATA") or SHARED / "data")


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Folder of real data sets beside the repository, or where CONSILIENCE_DATA says.

    Tests that need it skip without it; those that need the folder of oracles beside it, too.
    """
    if not DATA.is_dir():
        pytest.skip(
            "the folder ../shared/data with real data sets is not here; CONSILIENCE_DATA may name "
            "another"
        )
    return DATA
