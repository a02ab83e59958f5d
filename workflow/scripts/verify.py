import sys
from pathlib import Path

from job import logged

from pte_study.report.adding import verify, write_verified
from pte_study.store import read_stores

with logged(snakemake):
    files, stem = snakemake.input, Path(snakemake.output[0]).with_suffix("")
    published, here = (
        read_stores(map(Path, each), snakemake.params.names)
        for each in (snakemake.params.stores, files.places)
    )
    found = verify(published, here)
    said = write_verified(found, stem)
    print(found, said, sep="\n")
print(f"{said}: {stem}.md", file=sys.__stdout__, flush=True)
