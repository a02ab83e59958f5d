"""A package whose hash is not the expected one ends make, and nothing else installs it."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILES = ("Makefile", "pyproject.toml", "constraints.txt", "hashes.txt")


def made(folder, says, target=".venv/.run"):
    """What make does where uv fails and `says` why; a line for each installation is in `asked`."""
    for name in FILES:
        shutil.copy(ROOT / name, folder)
    programs = folder / ".venv" / "bin"
    programs.mkdir(parents=True)
    for name, does in (("uv", f"echo '{says}' >&2; exit 1"), ("python", "exit 0")):
        script = f'#!/bin/sh\necho "{name} $@" >> {folder}/asked\n{does}\n'
        (programs / name).write_text(script)
        (programs / name).chmod(0o755)
    command = ["make", "--silent", "PYTHON=true", target]
    env = {**os.environ, "MAKEFLAGS": ""}
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True)


@pytest.mark.parametrize("target", [".venv/.run", ".venv/.bench"])
def test_a_wrong_hash_ends_make(tmp_path, target):
    done = made(tmp_path, "error: Hash mismatch for `tqdm==4.70.1`", target)
    assert done.returncode == 2 and "Hash mismatch" in done.stderr
    (asked,) = (tmp_path / "asked").read_text().splitlines()
    assert asked.startswith("uv pip install") and "--constraint hashes.txt" in asked


def test_what_cannot_be_built_is_left_out_with_hashes(tmp_path):
    done = made(tmp_path, "error: Failed to build `fasttext-community`")
    assert done.returncode == 2
    first, second = (tmp_path / "asked").read_text().splitlines()
    assert "fasttext" in first and "fasttext" not in second
    assert "--constraint hashes.txt" in second
