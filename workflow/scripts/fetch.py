import os
from pathlib import Path

from job import logged

from pte.corpora.entry import Archive
from pte_study.fetch import fetch, note

with logged(snakemake):
    folder, target = os.environ["PTE_MIRROR"], Path(snakemake.output[0])
    identity = snakemake.params.source["identity"]
    archive = Archive(**snakemake.params.archive)
    provenance = fetch(archive, target, Path(folder) if folder else None)
    note(target, identity, provenance.sha256)
    print(provenance)
