"""What the pages ask of Snakemake can be planned."""

import pytest
import yaml
from blocks import ROOT, commands, of_kind
from snakemake.cli import get_argument_parser

EXAMPLE = "papers_networks"  # the table of docs/adding.md, which `test_adding.py` makes
SCHEMA = ROOT / "workflow" / "schemas" / "config.schema.yaml"


def asked():
    """The parsed words of all commands that call Snakemake."""
    parser = get_argument_parser()
    return [
        parser.parse_args(words)
        for block in of_kind("shell")
        for program, *words in commands(block.text)
        if program == "snakemake"
    ]


def test_keys_of_the_configuration_are_known():
    known = yaml.safe_load(SCHEMA.read_text("utf-8"))["properties"]
    given = {entry.partition("=")[0] for each in asked() for entry in each.config or ()}
    assert "sample" in given and given <= known.keys()


@pytest.mark.long
def test_targets_can_be_planned(scratch):
    """With `--config`, they are run by tests of their own: published runs, verify."""

    def change(values):
        values["tables"]["short"] = values["tables"]["quickstart"]

    scratch.rewrite("config.yaml", change)
    claims = yaml.safe_load((scratch.folder / "workflow/registry/claims.yaml").read_text("utf-8"))
    targets = {
        target.replace("NAME", next(iter(claims["claims"])))
        for each in asked()
        if not each.config
        for target in each.targets
        if EXAMPLE not in target
    }
    plan = scratch.plan(*sorted(targets))
    assert {"fetch", "encode", "represent", "score"} <= set(plan)
