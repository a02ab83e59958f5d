"""What is published of a run, and of parts of it."""

from pathlib import Path

import pandas as pd
import pytest

from pte.errors import PteError
from pte_study import paths
from pte_study.plan.fingerprint import closure
from pte_study.render.tables import write_csv
from pte_study.report import publish
from pte_study.report.publish import (
    document_tables,
    draw,
    judged_published,
    publish_here,
    study_here,
)
from pte_study.report.verdicts import write_verdicts

ROOT = Path(__file__).parents[2]
README = "\n".join(
    f"<!-- {name}: begin -->\nold\n<!-- {name}: end -->" for name in ("results", "verdicts")
)


@pytest.fixture(scope="module")
def study():
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        return study_here(published=True)


@pytest.fixture(scope="module")
def judged(study):
    """The claims, judged on the published runs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        return judged_published(study)


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """A folder with the registry and a README, and nothing that was run or published."""
    monkeypatch.chdir(tmp_path)
    Path("workflow").symlink_to(ROOT / "workflow")
    Path("README.md").write_text(README, "utf-8")
    return tmp_path


@pytest.fixture
def published(checkout):
    """The same with the published runs on DBLP with more titles."""
    runs = Path(paths.PUBLISHED_RUNS)
    runs.mkdir(parents=True)
    name = "dblp_titles.npz"
    (runs / name).symlink_to(ROOT / runs / name)
    return checkout


def test_without_a_run_there_is_nothing_to_publish(checkout, study):
    with pytest.raises(PteError, match="publish: nothing is there to publish; run the workflow"):
        publish_here(study)


@pytest.mark.usefixtures("svg_alone")
def test_what_is_there_is_published_and_the_readme_has_it(published, study):
    files = publish_here(study)
    folder = published / "results" / "published"
    assert files == [*(f"curves-unlabelled.{kind}" for kind in ("csv", "md", "svg")), "claims.csv"]
    others = {"claims.md", "provenance.md", "leads.csv", "runs"}
    assert {path.name for path in folder.iterdir()} - others == {*files}
    readme = (published / "README.md").read_text("utf-8")
    assert "results: begin -->\nold" in readme and "verdicts: begin -->\nold" not in readme
    assert "| sentences | paper |" in readme
    assert set(pd.read_csv(folder / "curves-unlabelled.csv")["corpus"]) == {"dblp_titles"}


def test_the_readme_has_the_published_scores(published, study):
    row = {"corpus": "mr", "method": "bow", "label": "BOW", "micro_mean": 76.0}
    write_csv(pd.DataFrame([row | {"reference_micro": 75.0}]), Path(paths.PUBLISHED, "short"))
    _, name, table = next(document_tables(study, None))
    assert name == "results" and "| BOW | **76.00** |" in table


@pytest.mark.parametrize(
    ("module", "others"),
    [
        ("curves", ["pte_study/claims/", "comparison", "report/pictures"]),
        ("comparison", ["pte_study/claims/", "report/curves"]),
    ],
)
def test_a_table_or_a_figure_is_made_again_for_its_own_code_alone(module, others):
    script = ROOT / "workflow" / "scripts" / "show.py"
    files = closure(script, f"pte_study.report.{module}")
    assert f"pte_study/report/{module}.py" in files
    assert not [file for file in files for other in others if other in file.replace(module, "")]


@pytest.mark.long
def test_the_published_verdicts_are_those_of_the_published_runs(study, judged, tmp_path):
    write_verdicts(judged, study.registries.claims, study.labels, tmp_path / "claims")
    published = ROOT / "results" / "published" / "claims"
    made = (tmp_path / "claims.md").read_text("utf-8")
    assert made == published.with_suffix(".md").read_text("utf-8")
    frames = [
        pd.read_csv(folder.with_suffix(".csv")) for folder in (tmp_path / "claims", published)
    ]
    pd.testing.assert_frame_equal(*frames, rtol=1e-9)  # the last digits are scipy's


@pytest.mark.long
def test_tables_of_documents_are_those_of_the_published_runs(study, judged, monkeypatch):
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(publish, "write_text", lambda *written: None)
    tables = {name: (path, text) for path, name, text in document_tables(study, judged)}
    assert tables.keys() == {"results", "verdicts", "lead"}
    for document, text in tables.values():
        assert text in document.read_text("utf-8")


@pytest.mark.long
def test_all_that_is_published_is_what_the_published_runs_give(monkeypatch, tmp_path):
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("PTE_MIRROR", str(tmp_path))
    study = study_here(published=True).of_published
    stale = []
    for name, files in study.published_parts.items():
        draw(study, name, tmp_path)
        stale += [
            file.kept
            for file in files
            if (tmp_path / file.made).read_bytes() != Path(paths.PUBLISHED, file.kept).read_bytes()
        ]
    assert not stale, "publish these again"


def test_a_table_is_read_back_with_all_digits(tmp_path):
    """Two tables that round the same score must agree, also where it ends in a five."""
    scores = pd.DataFrame({"micro_mean": [74.605, 77.195, 84.0]})
    write_csv(scores, tmp_path / "scores")
    assert pd.read_csv(tmp_path / "scores.csv").equals(scores)
