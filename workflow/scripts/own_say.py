from pathlib import Path

from job import logged

from pte_study.report.own_scores import said

with logged(snakemake):
    pages = [said(Path(page)) for page in snakemake.input]
for page in pages:
    print(page, flush=True)
