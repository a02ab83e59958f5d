"""The example of docs/adding.md, done."""

import re
from pathlib import Path

import pytest
import yaml

from pte.errors import PteError

PAGE = Path(__file__).parents[2] / "docs" / "adding.md"
BLOCKS = dict(re.findall(r"^```\w*\n# (\S+)\n(.*?)^```", PAGE.read_text("utf-8"), re.M | re.S))
METHODS = ("pte_joint", "pte_spans", "pte_authors", "pte_cites", "last")
CLAIM = "results/claims/alone/spans_above_joint.md"
SCORES = "results/tables/papers_networks.csv"
COMMAND = "snakemake results/tables/papers_networks.md"


@pytest.fixture
def papers(checkout, tmp_path):
    """A checkout with all that the page says, before anything ran."""
    copy = checkout.copy(tmp_path)
    (copy.mirror / "papers.tsv").write_text(BLOCKS["papers.tsv"], "utf-8")
    copy.listed(copy.mirror / "papers.tsv")
    (copy.folder / "my_study").mkdir()
    for name, text in BLOCKS.items():
        if name not in ("config.yaml", "papers.tsv"):
            (copy.folder / name).write_text(text, "utf-8")
    added = yaml.safe_load(BLOCKS["config.yaml"])

    def add(config):
        for name, value in added.items():
            config[name] = {**config.get(name, {}), **value} if isinstance(value, dict) else value

    copy.rewrite("config.yaml", add)
    copy.rewrite("workflow/registry/claims.yaml", lambda value: value.update(claims={}))
    return copy


@pytest.mark.long
def test_the_page_does_what_it_says(papers):
    assert f"```\n{COMMAND}\n```" in PAGE.read_text("utf-8")
    papers.succeeds(*COMMAND.split()[1:])
    rows = papers.rows("tables/papers_networks.csv")
    found = {row["method"]: float(row["micro_mean"]) for row in rows}
    assert found.keys() == set(METHODS) and found.pop("last") == 50
    assert min(found.values()) > 90
    assert papers.plan(SCORES) == {}
    assert f"`snakemake {CLAIM}`" in PAGE.read_text("utf-8")
    papers.succeeds(CLAIM)
    assert "spans of words serve better" in (papers.folder / CLAIM).read_text("utf-8")

    # A change of the list makes again what is trained on it, and nothing else.
    with (papers.folder / "cites.tsv").open("a", encoding="utf-8") as file:
        file.write("Line 2015\tunheard\t1\n")
    plan = papers.plan(SCORES)
    assert (plan["network"], plan["represent"]) == (1, 1)
    network = "resources/networks/papers/given/cites"
    papers.succeeds(network)
    log = (papers.folder / "logs/network/papers/given/cites.log").read_text("utf-8")
    assert "1 of 4 edges are left out" in log and "'unheard'" in log

    # A broken list is one error; streamed edges need the stored network of the list alone.
    (papers.folder / "cites.tsv").write_text("Line 2015\tedges\t2\nno weight\n", "utf-8")
    papers.refused(network)
    log = (papers.folder / "logs/network/papers/given/cites.log").read_text("utf-8")
    assert "cites.tsv, line 2: " in log and "Traceback" not in log
    (papers.folder / "cites.tsv").write_text(BLOCKS["cites.tsv"], "utf-8")
    papers.rewrite("config.yaml", lambda config: config.update(edges={"papers": "streamed"}))
    papers.succeeds(SCORES, "--forcerun", "represent")
    assert papers.plan(SCORES) == {}


MISTAKES = {
    "no such file": (
        {"cites": {"edges": "nowhere.tsv"}},
        "config.yaml: networks.cites.edges: nowhere.tsv: there is no such file",
    ),
    "a name that is taken": (
        {"ww": {"edges": "cites.tsv"}},
        "config.yaml: networks.ww: a module has this name already; choose another name",
    ),
    "a network that no one defines": ({}, "methods.yaml: pte_cites: networks: cites: there is no"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_one_error(papers, loads, mistake):
    networks, message = MISTAKES[mistake]
    papers.rewrite("config.yaml", lambda config: config.update(networks=networks))
    with pytest.raises(PteError, match=re.escape(message)):
        loads(papers)
