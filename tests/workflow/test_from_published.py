"""Everything is drawn again from published runs: no text, no compiler, no training."""

import shutil

DRAWN = ("tables", "figures")


def drawn(checkout):
    """The bytes of each table and figure, by name."""
    results = checkout.folder / "results"
    files = [path for part in DRAWN for path in (results / part).rglob("*") if path.is_file()]
    return {str(path.relative_to(results)): path.read_bytes() for path in files}


def test_published_runs_are_verified_and_give_the_same_tables_and_figures(finished, tmp_path):
    published = finished.copy(tmp_path)
    said = published.run("pte_study.report.publish")
    assert said.returncode == 0 and "runs/tiny.npz" in said.stdout, said.stdout
    before = drawn(published)

    # A sample is made again, and nothing is published.
    verify = ("verify", "--config", "sample=1")
    shutil.rmtree(published.folder / "results" / "scores")
    plan = published.plan(*verify)
    assert plan["score"] == 1
    assert not {"publish", "comparison"} & set(plan)
    assert "1 of 1 published runs are the same here" in published.succeeds(*verify)

    # Nothing is there but the published runs.
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


def test_without_published_runs_the_error_says_what_to_do(checkout):
    said = checkout.refused("--dry-run", "quickstart", "--config", "from=published")
    assert "results/published/runs has no runs; copy this folder from the" in said
