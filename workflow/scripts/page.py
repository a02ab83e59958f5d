from pathlib import Path

from job import logged

from pte_study.paths import COST
from pte_study.report import located
from pte_study.report.origins import provenance
from pte_study.report.page import Item, page_sections, write_page

with logged(snakemake):
    files, params = located(dict(snakemake.input.items())), snakemake.params
    page, here = snakemake.wildcards.page, None
    if "corpora" in files:
        costs, checkout = sorted(Path(COST).rglob("*.json")), Path(snakemake.scriptdir)
        here = provenance(checkout, files["corpora"], costs)
    items = [Item(**each | {"files": located(each["files"])}) for each in params.shown]
    write_page(page, page_sections(page, items, here), Path(snakemake.output[0]))
