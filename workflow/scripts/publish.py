import shutil
from pathlib import Path

import pandas as pd
from job import logged

from pte.files import atomic_file
from pte.report.overview import overview, write_into
from pte.report.provenance import provenance
from pte.report.tables import markdown_table, write_markdown
from pte.report.verdicts import read_verdicts, verdict_counts

with logged(snakemake):
    for source, published in zip(snakemake.input.files, snakemake.output.files, strict=True):
        with atomic_file(Path(published)) as temporary:
            shutil.copyfile(source, temporary)
    said, tables = provenance(
        Path(snakemake.scriptdir),
        map(Path, snakemake.params.corpora),
        Path("results", "benchmarks"),
        snakemake.params.labels,
    )
    write_markdown(tables, Path(snakemake.output.provenance).with_suffix(""), said)
    published = [Path(path) for path in snakemake.params.comparisons]
    frames = [pd.read_csv(path) for path in published if path.exists()]
    readme = Path(snakemake.params.readme)
    if frames:
        write_into(readme, "results", overview(frames))
    counts = verdict_counts(read_verdicts(Path(snakemake.input.claims)))
    write_into(readme, "verdicts", markdown_table(counts))
