"""Everything is drawn again from published runs: no text, no compiler, no training."""

import shutil

import pytest

DRAWN = ("tables", "figures")


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
    said = published.succeeds(*again)
    after = drawn(published)
    assert {"tables/quickstart.csv", "figures/quickstart.svg"} <= set(after)
    assert all(before[name] == content for name, content in after.items())
    page = (published.folder / "results" / "quickstart.html").read_text("utf-8")
    assert "PTE(joint)" in page
    assert "published runs lack: " in said


def test_verify_makes_a_sample_of_the_published_runs_again_and_publishes_nothing(published):
    verify = ("verify", "--config", "sample=1")
    shutil.rmtree(published.folder / "results" / "scores")
    plan = published.plan(*verify)
    assert plan["score"] == 1
    assert not {"publish", "comparison"} & set(plan)
    said = published.succeeds(*verify)
    assert "1 of 1 published runs are the same here" in said


def test_without_published_runs_the_error_says_what_to_do(checkout):
    said = checkout.refused("--dry-run", "quickstart", "--config", "from=published")
    assert "results/published/runs has no runs; copy this folder from the" in said
