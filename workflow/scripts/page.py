from pathlib import Path

from job import logged

from pte_study.report.page import Told, page_sections, write_page
from pte_study.report.provenance import gather

with logged(snakemake):
    params = snakemake.params
    files = {kind: [Path(path) for path in paths] for kind, paths in snakemake.input.items()}
    told = Told(params.captions, params.curves, params.claims, params.labels)
    here = gather(Path(snakemake.scriptdir), files["corpora"], files.get("costs", []))
    write_page(page_sections(files, told, here), Path(snakemake.output[0]))
