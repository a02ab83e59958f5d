import os
from pathlib import Path

from job import logged

from pte.corpora.fetch import Archive, fetch

with logged(snakemake):
    entry = snakemake.params.archive
    archive = Archive(
        file=entry["file"],
        sha256=entry["sha256"],
        size=entry["size"],
        urls=tuple(entry["urls"]),
        package=entry.get("package"),
    )
    mirror = os.environ["PTE_MIRROR"]
    print(fetch(archive, Path(snakemake.output[0]), Path(mirror) if mirror else None))
