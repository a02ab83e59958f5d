import os
from pathlib import Path

from job import logged

from pte.corpora.entry import Archive
from pte_study.fetch import fetch

with logged(snakemake):
    folder, target = os.environ["PTE_MIRROR"], Path(snakemake.output[0])
    archive = Archive(**snakemake.params.archive)
    print(fetch(archive, target, Path(folder) if folder else None))
