import os
from pathlib import Path

from job import logged

from pte.corpora.entry import Archive
from pte.corpora.fetch import fetch

with logged(snakemake):
    mirror = os.environ["PTE_MIRROR"]
    target = Path(snakemake.output[0])
    print(fetch(Archive(**snakemake.params.archive), target, Path(mirror) if mirror else None))
