"""The site, built strictly, once for all tests."""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

if not find_spec("sphinx"):
    message = (
        "tests/site builds the site with Sphinx, which is not installed: pip install pte[docs]"
    )
    raise pytest.UsageError(message)


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """The folder of the site; a warning of the build is an error."""
    folder = tmp_path_factory.mktemp("site")
    command = ("-W", "--keep-going", "-q", "-j", "auto", "-c", "docs", "-d", str(folder / "read"))
    built = subprocess.run(
        [sys.executable, "-m", "sphinx", *command, ".", str(folder / "site")],
        cwd=ROOT,
        env=os.environ | {"http_proxy": "http://127.0.0.1:9", "https_proxy": "http://127.0.0.1:9"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert built.returncode == 0, built.stdout
    return folder / "site"
