from pathlib import Path

from job import logged

from pte.files import read_json
from pte_study.report.page import Told, page_sections, write_page
from pte_study.report.provenance import piece
from pte_study.store.provenance import gather

with logged(snakemake):
    params = snakemake.params
    files = {kind: [Path(path) for path in paths] for kind, paths in snakemake.input.items()}
    told = Told(params.captions, params.curves, params.claims, params.labels)
    if "pieces" in files:
        pieces = read_json(*files["pieces"])
    else:
        here = gather(Path(snakemake.scriptdir), files["corpora"], files["costs"])
        pieces = [piece(here, params.labels)]
    write_page(page_sections(files, told, pieces), Path(snakemake.output[0]))
