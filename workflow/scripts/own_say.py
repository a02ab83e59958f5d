from pathlib import Path

from pte.report.own_scores import said

for page in map(Path, snakemake.input):
    print(said(page), flush=True)
