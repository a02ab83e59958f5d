from pathlib import Path

from job import logged

from pte.report.summaries import collect, write_frame

with logged(snakemake):
    write_frame(collect(map(Path, snakemake.input)), Path(snakemake.output[0]))
