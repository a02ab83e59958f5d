"""The interactive page of the published results, made of their tables and figures."""

import shutil
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory

import yaml
from sphinx.application import Sphinx

from pte_study import paths
from pte_study.plan.runs import Runs
from pte_study.plan.study import Study
from pte_study.plan.targets import page_inputs, published_parts
from pte_study.report.page import Told, page_sections, write_page
from pte_study.report.provenance import gather
from pte_study.store.reading import packed

ROOT = Path(__file__).parents[2]
PUBLISHED = ROOT / "results" / "published"
PAGE = Path("results", "index.html")
"""The page, in the folder of the site."""


def lay_out(runs: Runs, folder: Path) -> dict[str, list[Path]]:
    """Copy published files to where a run would make them; return these names by kind.

    They are relative to `folder`, so that the page shows the commands that make them. Kinds that
    are not published, such as the places of documents on maps, are left out.
    """
    parts = [file for part in published_parts(runs).values() for file in part]
    kept = {file.made: file.kept for file in parts} | {f"{paths.CLAIMS}.csv": "claims.csv"}
    found: dict[str, list[Path]] = {}
    for kind, names in page_inputs(runs, "index").items():
        for name in names:
            if name in kept and (PUBLISHED / kept[name]).is_file() and not kind.startswith("map"):
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(PUBLISHED / kept[name], folder / name)
                found.setdefault(kind, []).append(Path(name))
    return found


def write_published(app: Sphinx, error: Exception | None) -> None:
    """Write the page beside the others."""
    if error is not None:
        return
    config = yaml.safe_load((ROOT / "config.yaml").read_text("utf-8"))
    # Corpora that stand in for others count as planned where there is a mirror, whatever it holds.
    study = Study.load(config, ROOT / "workflow", mirror=str(PUBLISHED))
    curves = {name: study.shown_curve(name) for name in study.config.curves}
    captions = {name: table.caption for name, table in study.tables.items()}
    told = Told(captions, curves, study.registries.claims, study.labels)
    here = gather(ROOT, packed(ROOT / paths.PUBLISHED_RUNS).values())
    page = (app.outdir / PAGE).resolve()
    page.parent.mkdir(exist_ok=True)
    with TemporaryDirectory() as folder, chdir(folder):
        write_page(page_sections(lay_out(Runs(study), Path()), told, here), page)


def setup(app: Sphinx) -> dict[str, bool]:
    """Write the page when the others are written."""
    app.connect("build-finished", write_published)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
