"""Everything is drawn again from published runs: no text, no compiler, no training."""

import shutil
from contextlib import chdir
from dataclasses import replace
from pathlib import Path

import pytest

from pte_study import paths
from pte_study.plan.runs import Runs
from pte_study.plan.targets import published_parts
from pte_study.report.here import runs_here
from pte_study.store.reading import held

ROOT = Path(__file__).parents[2]
DRAWN = ("tables", "figures", "times")


@pytest.fixture
def published(finished, tmp_path):
    """A copy of the finished checkout whose runs are published."""
    copy = finished.copy(tmp_path)
    said = copy.run("pte_study.report.publish", "runs")
    assert said.returncode == 0, said.stdout
    assert "runs/tiny.npz" in said.stdout
    return copy


def drawn(checkout):
    """The bytes of each table and figure, by name."""
    results = checkout.folder / "results"
    files = [path for part in DRAWN for path in (results / part).rglob("*") if path.is_file()]
    return {str(path.relative_to(results)): path.read_bytes() for path in files}


def test_published_runs_give_the_same_tables_and_figures(published):
    before = drawn(published)
    for name in (*DRAWN, "scores", "representations", "costs"):
        shutil.rmtree(published.folder / "results" / name)
    for name in ("resources", ".snakemake"):
        shutil.rmtree(published.folder / name)
    again = ("quickstart", "--config", "from=published")
    assert not {"fetch", "encode", "represent", "score", "warm_up"} & set(published.plan(*again))
    run = published.snakemake(*again)
    assert run.returncode == 0, run.stdout
    after = drawn(published)
    assert {"tables/quickstart.csv", "figures/quickstart.svg"} <= set(after)
    assert all(before[name] == content for name, content in after.items())
    page = (published.folder / "results" / "quickstart.html").read_text("utf-8")
    assert "PTE(joint)" in page
    assert "published runs lack: " in run.stdout


def test_verify_makes_a_sample_of_the_published_runs_again_and_publishes_nothing(published):
    verify = ("verify", "--config", "sample=1")
    shutil.rmtree(published.folder / "results" / "scores")
    plan = published.plan(*verify)
    assert plan["score"] == 1
    assert not {"publish", "comparison"} & set(plan)
    run = published.snakemake(*verify)
    assert run.returncode == 0, run.stdout
    assert "1 of 1 published runs are the same here" in run.stdout


def test_without_published_runs_the_error_says_what_to_do(checkout):
    run = checkout.snakemake("--dry-run", "quickstart", "--config", "from=published")
    assert run.returncode != 0
    assert "results/published/runs has no runs; publish some" in run.stdout


@pytest.mark.long
def test_all_published_tables_are_those_that_the_published_runs_give(checkout, tmp_path):
    here = tmp_path / "project"
    published = here / "results" / "published"
    shutil.copytree(ROOT / "results" / "published", published)
    for name in ("Snakefile", "config.yaml", "workflow"):
        (here / name).symlink_to(ROOT / name)
    with chdir(here):
        parts = published_parts(Runs(runs_here().study, held()))
    tables = [file for part in parts.values() for file in part]
    kept = {file.made: file.kept for file in tables if not file.kept.endswith(".svg")}
    kept |= {f"{paths.CLAIMS}.{kind}": f"claims.{kind}" for kind in paths.TEXT_KINDS}
    drawn_anew = ("--config", "from=published", "--", *kept)
    run = replace(checkout, folder=here).snakemake(*drawn_anew, PTE_MIRROR="")
    assert run.returncode == 0, run.stdout
    pairs = [(here / made, published / name) for made, name in kept.items()]
    stale = [name.name for made, name in pairs if made.read_bytes() != name.read_bytes()]
    assert len(kept) >= 60 and not stale, "publish these again"
