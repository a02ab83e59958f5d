"""Snakemake runs the workflow from another folder, and as a module of another workflow."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MODULE = """
configfile: "{root}/config.yaml"


module pte:
    snakefile:
        "{root}/Snakefile"
    config:
        config


use rule * from pte as pte_*
"""


def planned(folder, snakefile, *targets):
    """The rules of the jobs that Snakemake would run there."""
    command = [sys.executable, "-m", "snakemake", "--snakefile", str(snakefile), "--dryrun"]
    command += ["--directory", str(folder), "--cores", "1", *targets]
    env = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=env)
    assert done.returncode == 0, done.stdout + done.stderr
    return {line.split()[0] for line in done.stdout.splitlines() if line[-1:].isdigit()}


@pytest.mark.long
def test_from_another_folder(tmp_path):
    rules = planned(tmp_path, ROOT / "Snakefile", "quickstart")
    assert {"encode", "represent", "score"} <= rules
    assert not any(tmp_path.glob("results"))


@pytest.mark.long
def test_the_file_for_the_catalog_has_the_same_default(tmp_path):
    rules = planned(tmp_path, ROOT / "workflow" / "Snakefile")
    assert {"everything", "encode", "represent", "score", "claims", "write_page"} <= rules


@pytest.mark.long
def test_as_a_module(tmp_path):
    (tmp_path / "Snakefile").write_text(MODULE.format(root=ROOT))
    rules = planned(tmp_path, tmp_path / "Snakefile", "pte_quickstart")
    assert {"pte_encode", "pte_represent", "pte_score"} <= rules
