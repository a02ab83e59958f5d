"""Snakemake runs the workflow from another folder, and as a module of another workflow."""

from dataclasses import replace
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


@pytest.fixture
def planned(checkout, tmp_path):
    """The rules of the jobs that Snakemake would run in another folder."""
    here = replace(checkout, folder=tmp_path, mirror="")

    def plan(snakefile, *targets):
        return here.plan("--snakefile", str(snakefile), "--directory", str(tmp_path), *targets)

    return plan


@pytest.mark.long
def test_from_another_folder(planned, tmp_path):
    rules = planned(ROOT / "Snakefile", "quickstart")
    assert {"encode", "represent", "score"} <= rules.keys()
    assert not any(tmp_path.glob("results"))


@pytest.mark.long
def test_the_file_for_the_catalog_has_the_same_default(planned):
    rules = planned(ROOT / "workflow" / "Snakefile")
    assert {"everything", "encode", "represent", "score", "claims", "write_page"} <= rules.keys()


@pytest.mark.long
def test_as_a_module(planned, tmp_path):
    (tmp_path / "Snakefile").write_text(MODULE.format(root=ROOT))
    rules = planned(tmp_path / "Snakefile", "pte_quickstart")
    assert {"pte_encode", "pte_represent", "pte_score"} <= rules.keys()
