"""What the pages ask of Snakemake can be planned."""

import hashlib

import pytest
import yaml
from blocks import ROOT, blocks, commands, of_kind
from snakemake.cli import get_argument_parser

from pte_study.configuration.own import OF_COMMAND_LINE

ADDING = ROOT / "docs" / "adding.md"
OWN_NETWORKS = ROOT / "docs" / "own-networks.md"
"""A page with a study of its own, which `test_own_networks.py` runs."""
SCHEMA = ROOT / "workflow" / "schemas" / "config.schema.yaml"


def asked(*others):
    """The parsed words of all commands that call Snakemake, on all pages but the others."""
    parser = get_argument_parser()
    return [
        parser.parse_args(words)
        for block in of_kind("shell")
        if block.page not in others
        for program, *words in commands(block.text)
        if program == "snakemake"
    ]


def test_keys_of_the_configuration_are_known():
    known = {*yaml.safe_load(SCHEMA.read_text("utf-8"))["properties"], *OF_COMMAND_LINE}
    given = {entry.partition("=")[0] for each in asked() for entry in each.config or ()}
    assert "corpus" in given and given <= known


@pytest.mark.long
def test_targets_can_be_planned_with_what_a_page_adds(scratch):
    """With `--config`, they are run by tests of their own: own text, published runs, verify."""
    added = [block for block in blocks(ADDING) if block.kind == "yaml"]
    config, corpus, method = (yaml.safe_load(block.text) for block in added)
    (folder,) = config["plugins"]
    (scratch.folder / folder).mkdir()
    (scratch.folder / folder / "corpora.yaml").write_text(yaml.safe_dump(corpus), "utf-8")
    (scratch.folder / folder / "methods.yaml").write_text(yaml.safe_dump(method), "utf-8")

    def change(values):
        tables = {**values["tables"], "short": values["tables"]["quickstart"]}
        values.update(config, tables=tables, methods=[*values["methods"], *method])

    scratch.rewrite("config.yaml", change)
    (scratch.mirror / "mine.tar.gz").write_bytes(b"")
    with (scratch.mirror / "SHA256SUMS").open("a", encoding="utf-8") as sums:
        sums.write(f"{hashlib.sha256(b'').hexdigest()}  mine.tar.gz\n")
    claims = yaml.safe_load((scratch.folder / "workflow/registry/claims.yaml").read_text("utf-8"))
    targets = {
        target.replace("NAME", next(iter(claims["claims"])))
        for each in asked(OWN_NETWORKS)
        if not each.config
        for target in each.targets
    }
    plan = scratch.plan(*sorted(targets))
    assert {"fetch", "encode", "represent", "score"} <= set(plan)
