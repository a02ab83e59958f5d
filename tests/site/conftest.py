"""The site, built strictly, once for all processes of tests."""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from workflow.conftest import alone, shared

__all__ = ["shared"]
ROOT = Path(__file__).parents[2]

if not find_spec("sphinx"):
    message = "tests/site builds the site with Sphinx, which is not installed: pip install .[docs]"
    raise pytest.UsageError(message)


@pytest.fixture(scope="session")
def site(shared):
    """The folder of the site; a warning of the build is an error."""
    folder = shared / "site"
    with alone(shared / "site.lock"):
        if not folder.exists():
            build(folder)
    said = (folder / "said.txt").read_text("utf-8")
    assert not said, said
    return folder


def build(folder):
    """Build the site into a folder, with what Sphinx said if it failed."""
    command = ("-W", "--keep-going", "-q", "-c", "docs", "-d", f"{folder}.read")
    built = subprocess.run(
        [sys.executable, "-m", "sphinx", *command, ".", str(folder)],
        cwd=ROOT,
        env=os.environ | {"http_proxy": "http://127.0.0.1:9", "https_proxy": "http://127.0.0.1:9"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    folder.mkdir(exist_ok=True)
    (folder / "said.txt").write_text(built.stdout if built.returncode else "", "utf-8")
