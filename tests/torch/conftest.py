"""What the comparison with PyTorch needs; without it there is nothing to compare with."""

from importlib.metadata import PackageNotFoundError, version

import pytest

try:
    version("torch")  # an import would find this very folder
except PackageNotFoundError:
    message = "tests/torch compares with PyTorch, which is not installed: pip install pte[torch]"
    raise pytest.UsageError(message) from None


@pytest.fixture(scope="session")
def folders(tmp_path_factory):
    """Encoded corpora by name, the longest to train on first."""
    from texts import encoded

    folder = tmp_path_factory.mktemp("corpora")
    return {name: encoded(name, folder) for name in ("dblp", "r8", "mr")}
