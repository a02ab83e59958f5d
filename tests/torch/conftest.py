"""What the comparison with PyTorch needs; without it there is nothing to compare with."""

from importlib.metadata import PackageNotFoundError, version

import pytest

try:
    version("torch")  # an import would find this very folder
except PackageNotFoundError:
    message = "tests/torch compares with PyTorch, which is not installed: pip install pte[torch]"
    raise pytest.UsageError(message) from None
