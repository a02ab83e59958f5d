import sys
from pathlib import Path

from job import logged

from pte_study.report.verify import verify, write_verified
from pte_study.store.stored_runs import stored_runs

with logged(snakemake):
    files, stem = snakemake.input, Path(snakemake.output[0]).with_suffix("")
    published = stored_runs(map(Path, snakemake.params.stores), snakemake.params.names)
    found = verify(published, list(map(Path, files.corpora)))
    said = write_verified(found, stem)
    print(found, said, sep="\n")
print(f"{said}: {stem}.md", file=sys.__stdout__, flush=True)
