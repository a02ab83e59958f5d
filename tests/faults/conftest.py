"""The tiny workflow, which tests/workflow shares; and how much a long run tries."""

import os

import pytest
from workflow.conftest import Checkout, checkout, shared

__all__ = ["checkout", "shared"]


@pytest.fixture(scope="session")
def kills() -> int:
    """How often jobs are killed: once in each chain, or as often as PTE_KILLS says."""
    return int(os.environ.get("PTE_KILLS", "5"))


@pytest.fixture
def scratch(checkout: Checkout, tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    """A checkout that a test may spoil."""
    return checkout.copy(tmp_path_factory.mktemp("scratch"))
