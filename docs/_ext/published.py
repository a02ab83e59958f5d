"""The interactive pages of the published results, made of their tables and figures."""

import shutil
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory

import yaml
from sphinx.application import Sphinx

from pte_study import paths
from pte_study.plan.study import PAGES, Study
from pte_study.report import located
from pte_study.report.origins import provenance
from pte_study.report.page import Item, page_sections, write_page
from pte_study.store import packed

ROOT = Path(__file__).parents[2]
PUBLISHED = ROOT / "results" / "published"
FOLDER = Path("results")
"""The pages, in the folder of the site."""


def lay_out(study: Study, page: str) -> list[Item]:
    """Copy published files to where a run would make them, in this folder; return a page's items.

    The names stay relative, so that the page shows the commands that make the files. Items of which
    something is not published, such as the places of documents on maps, are left out.
    """
    parts = [file for part in study.published_parts.values() for file in part]
    kept = {file.made: PUBLISHED / file.kept for file in parts}
    kept[f"{paths.CLAIMS}.csv"] = PUBLISHED / "claims.csv"
    items = []
    for item in study.page_items(page):
        files = {role: file for role, file in item["files"].items() if isinstance(file, str)}
        if files and all(file in kept and kept[file].is_file() for file in files.values()):
            for file in files.values():
                Path(file).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(kept[file], file)
            items.append(Item(**item | {"files": located(files)}))
    return items


def write_published(app: Sphinx, error: Exception | None) -> None:
    """Write the pages beside the others."""
    if error is not None:
        return
    config = yaml.safe_load((ROOT / "config.yaml").read_text("utf-8"))
    # Corpora that stand in for others count as planned where there is a mirror, whatever it holds.
    study = Study.load(config, ROOT / "workflow", mirror=str(PUBLISHED))
    here = provenance(ROOT, packed(ROOT / paths.PUBLISHED_RUNS).values(), ())
    to = Path(app.outdir, FOLDER).resolve()  # whose `replace` renames; that of Sphinx is of str
    to.mkdir(exist_ok=True)
    with TemporaryDirectory() as folder, chdir(folder):
        for page in PAGES:
            gathered = here if page == "provenance" else None
            sections = page_sections(page, lay_out(study, page), gathered)
            write_page(page, sections, to / f"{page}.html")


def setup(app: Sphinx) -> dict[str, bool]:
    """Write the page when the others are written."""
    app.connect("build-finished", write_published)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
